"""Tabulate the best play for every five cards.

Each five has a decision alone, and one with every first community card.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, RANK_COUNT, bit, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.games.wild_52.rules import HAND, Wild52Options, Wild52View
from pitboss.games.wild_52.solver.decide import decide_second, value_first
from pitboss.games.wild_52.solver.deck import RANKS as EVERY_RANK
from pitboss.games.wild_52.solver.deck import JokerDeck, build_deck, compute_masks, map_cells_to_outcomes
from pitboss.games.wild_52.solver.solution import verify_nets
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, number_set
from pitboss.kernels.suit_symmetry import move_suit_first
from pitboss.solver_api import SolverProblem

PLAY_BIT = RANK_COUNT + 1
"""The bit of the first decision; the bits below it are for the second, with a card of each rank and the Joker."""


class Wild52BestPlay(NamedTuple):
    """The tables of the best play.

    ``plays`` (2869685,) has for every five, numbered by ``steps`` (``number_set``), a bit for a second Play with a
    first community card of each rank of the first suit, one with the Joker, and the bit ``PLAY_BIT``.
    """

    plays: NDArray[np.uint16]
    steps: IntArray


def tabulate_best_play(problem: SolverProblem, progress: ProgressCallback) -> Wild52BestPlay:
    """Compute the tables for ``choose_best``, for every five cards.

    Raises:
        MagnitudeError: as ``solve``.
    """
    return tabulate_deck(build_deck(EVERY_RANK), problem, progress)


def tabulate_deck(deck: JokerDeck, problem: SolverProblem, progress: ProgressCallback) -> Wild52BestPlay:
    """Compute the same tables for the cards of ``deck`` only."""
    verify_nets(deck, problem)
    nets = np.array(problem.nets, np.int64)[map_cells_to_outcomes(problem.options)]
    naturals, joker = decide_second(deck, problem.options, nets, progress)
    should_play = value_first(deck, naturals.values, joker.values) > problem.nets[0] * deck.rounds
    bits = joker.twice[0].astype(np.uint16) << RANK_COUNT | should_play.astype(np.uint16) << PLAY_BIT
    for rank, twice in zip(deck.layout.ranks.tolist(), naturals.twice, strict=True):
        bits |= twice.astype(np.uint16) << rank
    classes = deck.orbits.classes
    best = Wild52BestPlay(
        np.zeros(comb(FIRST_JOKER + 1, HAND), np.uint16), build_same_size_steps(FIRST_JOKER + 1, HAND)
    )
    best.plays[_number_hands(compute_masks(deck.layout, np.arange(len(classes), dtype=np.int32)), best.steps)] = bits[
        classes
    ]
    return best


@kernel
def _number_hands(masks: IntArray, steps: IntArray) -> IntArray:
    numbers = np.empty(len(masks), np.int64)
    for each in range(len(masks)):
        numbers[each] = number_set(masks[each], steps)
    return numbers


@rule
def choose_best(
    _tables: HandTables, view: Wild52View, decision: int, best: Wild52BestPlay, _options: Wild52Options
) -> tuple[int, int]:
    """Decide by the table: fold or play, check or play again.

    The suit of the first community card is moved first.
    """
    if decision == 0:
        return int(best.plays[number_set(view.player, best.steps)]) >> PLAY_BIT & 1, 0
    if view.community >= bit(FIRST_JOKER):
        return int(best.plays[number_set(view.player, best.steps)]) >> RANK_COUNT & 1, 0
    card = popcount(view.community - 1)
    mine = move_suit_first(view.player, card // RANK_COUNT)
    return int(best.plays[number_set(mine, best.steps)]) >> card % RANK_COUNT & 1, 0
