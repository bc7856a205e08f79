"""The solutions that come with Shifting Wilds: of each play, the best or a written one, all deals and a part."""

from pathlib import Path

from pitboss.cards import RANKS
from pitboss.landed import Landed
from pitboss.solving import Problem, Solution, solution_from

LANDED = Landed(
    folder=Path(__file__).parent,
    rules=("rules.py",),
    touching=("dealer_qualifies", "wild_flush", "bad_beat_unlisted"),
)

WHOLE = "whole"

PART = "two deuces"
"""The piece of the deals in which the community cards are two deuces: soon solved again."""

TWO_DEUCES = (((0, RANKS), 6),)


def landed_solution(problem: Problem, piece: str = WHOLE) -> Solution | None:
    """Return what a play leads to if it comes with the package."""
    found = LANDED.piece(problem, piece)
    return solution_from(found) if found else None
