"""The solutions that come with Shifting Wilds: of each play, the best or a written one, all deals and a part."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from pitboss.cards import RANKS
from pitboss.landed import Landed
from pitboss.solving import Problem, Solution, Strategy, solution_from

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


def land(made_by: str, problem: Problem, found: Mapping[Strategy | None, Mapping[str, Solution]]) -> None:
    """Write the pieces that plays lead to: the best one (None) and all strategies."""
    texts = {
        play: {name: json.dumps(asdict(solution)) for name, solution in pieces.items()}
        for play, pieces in found.items()
    }
    LANDED.write_best(made_by, problem, texts[None])
    LANDED.write_strategies(made_by, problem, {play: pieces for play, pieces in texts.items() if play})
