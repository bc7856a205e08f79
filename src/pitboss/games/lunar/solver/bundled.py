"""The bundled solutions: one shard for each rank of the exposed card.

Besides the best play and the results of the written strategies, ``mistakes.json`` has the mistakes of these
strategies, round by round.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pitboss.bundled import BundledSolution
from pitboss.games.lunar.outcomes import FOLD
from pitboss.pay_limits import PaysByLine
from pitboss.solver_api import SolverProblem, Strategy

BUNDLED = BundledSolution(
    folder=Path(__file__).parent,
    rule_files=("combinations.py", "first_five.py", "outcomes.py", "rules.py"),
    option_names=("dealer_qualifies", "paired_straight", "force_replaces"),
    first_net=FOLD,  # Instant Cash is paid before anything is decided
)
SOLVED_PAYS: tuple[PaysByLine, ...] = ()
"""Changes of the default pays under which the best play comes with the package too (``pay_limits``)."""

MISTAKES_PATH = BUNDLED.folder / "mistakes.json"


def _make_mistakes_terms(problem: SolverProblem, written: Sequence[Strategy], rounds: int) -> dict[str, Any]:
    strategy_terms = {strategy.id: BUNDLED.build_strategy_terms(strategy) for strategy in written}
    return {**BUNDLED.build_terms(problem), "strategies": strategy_terms, "rounds": rounds}


def format_mistakes(problem: SolverProblem, written: Sequence[Strategy], rounds: int, errors: Any, made_by: str) -> str:
    """Return the text of the file of mistakes, by strategy and round.

    Each strategy has one line.
    """
    head = json.dumps({"made_by": made_by, "terms": _make_mistakes_terms(problem, written, rounds)})
    lines = ",\n".join(json.dumps(strategy_errors) for strategy_errors in errors)
    return f'{head[:-1]}, "errors": [\n{lines}\n]}}\n'


def load_mistakes(problem: SolverProblem, written: Sequence[Strategy], rounds: int) -> Any:
    """Return the bundled mistakes of these strategies in this many rounds.

    The result is None if they were made under other terms.
    """
    bundled = json.loads(MISTAKES_PATH.read_text(encoding="utf-8"))
    return bundled["errors"] if bundled["terms"] == _make_mistakes_terms(problem, written, rounds) else None
