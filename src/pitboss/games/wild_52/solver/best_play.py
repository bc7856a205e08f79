"""The best play as a table: what to do with every five cards, and beside every first community card."""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, RANK_COUNT, bit, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.games.wild_52.rules import HAND, Wild52Options, Wild52View
from pitboss.games.wild_52.solver.book import verify_nets
from pitboss.games.wild_52.solver.decide import decide_second, value_first
from pitboss.games.wild_52.solver.deck import RANKS as EVERY_RANK
from pitboss.games.wild_52.solver.deck import JokerDeck, build_deck, compute_masks, map_cells_to_outcomes
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, number_set
from pitboss.kernels.suit_symmetry import move_suit_first
from pitboss.solver_api import SolverProblem

PLAY_BIT = RANK_COUNT + 1
"""The bit of the first decision, above those of the second beside a card of each rank and beside the Joker."""


class BestPlay(NamedTuple):
    """What the best play goes by.

    ``plays`` (2869685,) has for every five, numbered by ``steps`` (``number_set``), bits for a second Play beside a
    first community card of each rank of the first suit, and beside the Joker; and the bit ``PLAY_BIT``.
    """

    plays: NDArray[np.uint16]
    steps: IntArray


def best_play(problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return what ``choose_best`` plays by: the solution, five cards by five cards.

    Raises:
        MagnitudeError: as ``solve``.
    """
    return tabulate_best_play(build_deck(EVERY_RANK), problem, progress)


def tabulate_best_play(deck: JokerDeck, problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return the same for a deck, whose cards alone are known then."""
    verify_nets(deck, problem)
    nets = np.array(problem.nets, np.int64)[map_cells_to_outcomes(problem.options)]
    naturals, joker = decide_second(deck, problem.options, nets, progress)
    play = value_first(deck, naturals.values, joker.values) > problem.nets[0] * deck.rounds
    bits = joker.twice[0].astype(np.uint16) << RANK_COUNT | play.astype(np.uint16) << PLAY_BIT
    for rank, twice in zip(deck.layout.ranks.tolist(), naturals.twice, strict=True):
        bits |= twice.astype(np.uint16) << rank
    every = deck.orbits.classes
    best = BestPlay(np.zeros(comb(FIRST_JOKER + 1, HAND), np.uint16), build_same_size_steps(FIRST_JOKER + 1, HAND))
    best.plays[_number_hands(compute_masks(deck.layout, np.arange(len(every), dtype=np.int32)), best.steps)] = bits[
        every
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
    _tables: HandTables, view: Wild52View, asked: int, best: BestPlay, _options: Wild52Options
) -> tuple[int, int]:
    """Fold or play, check or play again, as the table says of the hand with the first card's suit as the first."""
    if asked == 0:
        return int(best.plays[number_set(view.player, best.steps)]) >> PLAY_BIT & 1, 0
    if view.community >= bit(FIRST_JOKER):
        return int(best.plays[number_set(view.player, best.steps)]) >> RANK_COUNT & 1, 0
    card = popcount(view.community - 1)
    mine = move_suit_first(view.player, card // RANK_COUNT)
    return int(best.plays[number_set(mine, best.steps)]) >> card % RANK_COUNT & 1, 0
