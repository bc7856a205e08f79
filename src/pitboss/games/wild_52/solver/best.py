"""The best play as a table: what to do with every five cards, and beside every first community card."""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, RANK_COUNT, bit, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel
from pitboss.counting.numbers import number_of_set, steps_of_sets
from pitboss.counting.suits import suit_first
from pitboss.games.wild_52.rules import HAND, Options, View
from pitboss.games.wild_52.solver.booking import verify_nets
from pitboss.games.wild_52.solver.decisions import first_decisions, second_decisions
from pitboss.games.wild_52.solver.decks import RANKS as EVERY_RANK
from pitboss.games.wild_52.solver.decks import Deck, deck_of, masks_of, outcome_of_cells
from pitboss.hands import HandTables
from pitboss.solver_api import SolverProblem

PLAY = RANK_COUNT + 1
"""The bit of the first decision, above those of the second beside a card of each rank and beside the Joker."""


class BestPlay(NamedTuple):
    """What the best play goes by.

    ``plays`` (2869685,) has for every five, numbered by ``steps`` (``number_of_set``), bits for a second Play beside a
    first community card of each rank of the first suit, and beside the Joker; and the bit ``PLAY``.
    """

    plays: NDArray[np.uint16]
    steps: Integers


def best_play(problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return what ``choose_best`` plays by: the solution, five cards by five cards.

    Raises:
        MagnitudeError: as ``solve``.
    """
    return best_play_of(deck_of(EVERY_RANK), problem, progress)


def best_play_of(deck: Deck, problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return the same for a deck, whose cards alone are known then."""
    verify_nets(deck, problem)
    nets = np.array(problem.nets, np.int64)[outcome_of_cells(problem.options)]
    naturals, joker = second_decisions(deck, problem.options, nets, progress)
    play = first_decisions(deck, naturals.values, joker.values) > problem.nets[0] * deck.rounds
    bits = joker.twice[0].astype(np.uint16) << RANK_COUNT | play.astype(np.uint16) << PLAY
    for rank, twice in zip(deck.layout.ranks.tolist(), naturals.twice, strict=True):
        bits |= twice.astype(np.uint16) << rank
    every = deck.orbits.classes
    best = BestPlay(np.zeros(comb(FIRST_JOKER + 1, HAND), np.uint16), steps_of_sets(FIRST_JOKER + 1, HAND))
    best.plays[_numbers(masks_of(deck.layout, np.arange(len(every), dtype=np.int32)), best.steps)] = bits[every]
    return best


@kernel
def _numbers(masks: Integers, steps: Integers) -> Integers:
    numbers = np.empty(len(masks), np.int64)
    for each in range(len(masks)):
        numbers[each] = number_of_set(masks[each], steps)
    return numbers


@rule
def choose_best(_tables: HandTables, view: View, asked: int, best: BestPlay, _options: Options) -> tuple[int, int]:
    """Fold or play, check or play again, as the table says of the hand with the first card's suit as the first."""
    if asked == 0:
        return int(best.plays[number_of_set(view.player, best.steps)]) >> PLAY & 1, 0
    if view.community >= bit(FIRST_JOKER):
        return int(best.plays[number_of_set(view.player, best.steps)]) >> RANK_COUNT & 1, 0
    card = popcount(view.community - 1)
    mine = suit_first(view.player, card // RANK_COUNT)
    return int(best.plays[number_of_set(mine, best.steps)]) >> card % RANK_COUNT & 1, 0
