"""The solutions that come with the package, and when they may stand in for solving again.

``solution.json`` has the pieces of the best play for the default options and pay tables, ``strategies.json`` those of
the written strategies, ``mistakes.json`` where these err, round by round.  They hold for the rules they were solved
with and for no others: their hash is in them, and the command that makes each.
"""

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pitboss.games.lunar.rules import Options
from pitboss.solving import Problem, Strategy

PATH = Path(__file__).parent / "solution.json"
STRATEGIES_PATH = PATH.with_name("strategies.json")
MISTAKES_PATH = PATH.with_name("mistakes.json")
_RULES = ("combinations.py", "first_five.py", "outcomes.py", "rules.py")
_HANDS = ("evaluator.py", "order.py", "tables.py")


@cache
def rules_hash() -> str:
    """Return 16 hexadecimal digits that change with the rules of the game and with the order of hands."""
    lunar = Path(__file__).parent.parent
    hands = lunar.parent.parent / "hands"
    digest = sha256()
    for path in [*(lunar / name for name in _RULES), *(hands / name for name in _HANDS)]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def terms(options: Options, nets: tuple[int, ...]) -> dict[str, Any]:
    """Return all that a piece depends on: the rules, the options that touch ``main``, what its outcomes net."""
    touching = {name: getattr(options, name) for name in ("dealer_qualifies", "paired_straight", "force_replaces")}
    return {"rules": rules_hash(), "options": touching, "nets": list(nets)}


def strategy_terms(strategy: Strategy) -> dict[str, Any]:
    """Return what more a piece of a strategy depends on: its rule, the source that has it, and its numbers."""
    source = sha256((PATH.parent.parent / "strategies.py").read_bytes()).hexdigest()[:16]
    rule = f"{strategy.choose.__module__}.{strategy.choose.__qualname__}"
    return {"rule": rule, "source": source, "numbers": list(map(int, strategy.numbers))}


@cache
def landed() -> dict[str, Any]:
    """Return what is in the file of the best play: ``terms`` and, by name, ``pieces``."""
    kept: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return kept


@cache
def landed_strategies() -> dict[str, Any]:
    """Return what is in the file of strategies: ``terms`` and, by their ids, ``strategies``, each as ``landed``."""
    kept: dict[str, Any] = json.loads(STRATEGIES_PATH.read_text(encoding="utf-8"))
    return kept


def landed_piece(problem: Problem, piece: str) -> dict[str, Any] | None:
    """Return a piece of a file if it was solved under the terms of the problem."""
    kept, strategy = landed() if problem.strategy is None else landed_strategies(), problem.strategy
    if kept["terms"] != terms(problem.options, problem.nets):
        return None
    if strategy is not None:
        kept = kept["strategies"].get(strategy.id, {"terms": None})
        if kept["terms"] != strategy_terms(strategy):
            return None
    found: dict[str, Any] = kept["pieces"][piece]
    return found


def _mistakes_terms(problem: Problem, written: Sequence[Strategy], rounds: int) -> dict[str, Any]:
    under = {strategy.id: strategy_terms(strategy) for strategy in written}
    return {**terms(problem.options, tuple(problem.nets)), "strategies": under, "rounds": rounds}


def land_mistakes(problem: Problem, written: Sequence[Strategy], rounds: int, errors: Any, made_by: str) -> None:
    """Write the mistakes of strategies, by strategy and round, a line for each strategy."""
    head = json.dumps({"made_by": made_by, "terms": _mistakes_terms(problem, written, rounds)})
    lines = ",\n".join(json.dumps(of_rounds) for of_rounds in errors)
    MISTAKES_PATH.write_text(f'{head[:-1]}, "errors": [\n{lines}\n]}}\n', encoding="utf-8")


def landed_mistakes(problem: Problem, written: Sequence[Strategy], rounds: int) -> Any:
    """Return the mistakes of these strategies in so many rounds as they were landed; None under other terms."""
    kept = json.loads(MISTAKES_PATH.read_text(encoding="utf-8"))
    return kept["errors"] if kept["terms"] == _mistakes_terms(problem, written, rounds) else None
