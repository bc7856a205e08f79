"""The solutions that come with Shifting Wilds: of each play, the best or a written one, all deals and a part."""

from pathlib import Path

from pitboss.bundled import BundledSolution
from pitboss.cards import RANK_COUNT
from pitboss.solver_api import Solution, SolverProblem, parse_solution

BUNDLED = BundledSolution(
    folder=Path(__file__).parent,
    rule_files=("rules.py",),
    option_names=("dealer_qualifies", "wild_flush", "bad_beat_unlisted"),
)

WHOLE_SHARD = "whole"

TWO_DEUCES_SHARD = "two deuces"
"""The piece of the deals in which the community cards are two deuces: soon solved again."""

TWO_DEUCES_OPENING = (((0, RANK_COUNT), 6),)


def load_bundled_solution(problem: SolverProblem, shard: str = WHOLE_SHARD) -> Solution | None:
    """Return what a play leads to if it comes with the package."""
    found = BUNDLED.find_shard(problem, shard)
    return parse_solution(found) if found else None
