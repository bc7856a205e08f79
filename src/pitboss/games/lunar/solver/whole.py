"""The best play of ``main`` over all deals, put together from a piece for each rank of the exposed card.

A deal is a first five, the exposed card, five cards to draw, the dealer's hidden four and a card for Force to turn:
52 C(51, 5) C(46, 5) C(41, 4) 37, which is 6.27e20, each met ten times for a path of four cards exchanged to count in
whole numbers.
"""

import json
from collections.abc import Sequence
from typing import Any

from pitboss.cards import SUITS
from pitboss.games.lunar.outcomes import FIRST_PATH, FOLD, main_outcomes
from pitboss.games.lunar.solver.landed import landed_piece
from pitboss.games.lunar.solver.piece import piece
from pitboss.solving import Problem, Solution

PIECES = tuple("23456789TJQKA")

_ACTIONS = ("fold", "play", "buy", "exchange-2", "exchange-3", "exchange-4", "exchange-5")


def pieces(_problem: Problem) -> tuple[str, ...]:
    """Name the pieces: the ranks of the exposed card."""
    return PIECES


def solve_piece(problem: Problem, name: str) -> str:
    """Solve everything beside one exposed card, or take it from what has been landed with the package.

    Raises:
        ValueError: the problem has side wagers beside, or a strategy; nets that cannot be counted (``piece``).
    """
    if problem.beside or problem.strategy:
        raise ValueError("the solver of Lunar Poker finds the best play of main alone: leave out stakes and strategy")
    found = landed_piece(problem, name)
    return json.dumps(found or piece(PIECES.index(name), problem.options, problem.nets))


def put_together(_problem: Problem, results: Sequence[str]) -> Solution:
    """Add up the pieces; each exposed card has four suits."""
    found: list[dict[str, Any]] = [json.loads(result) for result in results]
    counts = tuple(SUITS * sum(column) for column in zip(*(each["counts"] for each in found), strict=True))
    taken = [SUITS * sum(each["taken"][place] * each["deals"] for each in found) for place in range(len(_ACTIONS))]
    names = [outcome.name for outcome in main_outcomes()]
    forced = sum(deals for name, deals in zip(names, counts, strict=True) if "-force-" in name)
    actions = dict(zip(_ACTIONS, taken, strict=True))
    actions |= {"fold-after-draw": sum(counts[FOLD + 1 : FIRST_PATH]), "force": forced}
    return Solution(counts, actions, sum(each["equal"] for each in found))
