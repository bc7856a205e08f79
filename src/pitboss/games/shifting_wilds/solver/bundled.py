"""The bundled solutions of Shifting Wilds.

They are the best play and each strategy, over all deals and over a part of them.
"""

from fractions import Fraction
from pathlib import Path

from pitboss.bundled import BundledSolution
from pitboss.cards import RANK_COUNT
from pitboss.pay_limits import PaysByLine
from pitboss.solver_api import Solution, SolverProblem, parse_solution

BUNDLED = BundledSolution(
    folder=Path(__file__).parent,
    rule_files=("rules.py",),
    option_names=("dealer_qualifies", "wild_flush", "bad_beat_unlisted"),
)

SOLVED_PAYS: tuple[PaysByLine, ...] = ({("blind", "four-of-a-kind"): Fraction(3)},)
"""Changes of the default pays under which the best play comes with the package too (``pay_limits``)."""

WHOLE_SHARD = "whole"

TWO_DEUCES_SHARD = "two deuces"
"""The shard of the deals in which the community cards are two deuces: quick to solve again."""

TWO_DEUCES_OPENING = (((0, RANK_COUNT), 6),)


def load_bundled_solution(problem: SolverProblem, shard: str = WHOLE_SHARD) -> Solution | None:
    """Return the bundled solution of a problem, or None if the package has none."""
    stored = BUNDLED.find_shard(problem, shard)
    return parse_solution(stored) if stored else None
