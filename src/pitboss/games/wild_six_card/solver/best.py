"""The best play as a table: what to discard of every first five, for a simulation to follow."""

from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import DECK_54, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel
from pitboss.counting.numbers import number_of_set, steps_of_sets
from pitboss.counting.subsets import first_subset, next_subset
from pitboss.counting.suits import least, place_in_least
from pitboss.games.wild_six_card.rules import DISCARD, HAND, Options, View
from pitboss.games.wild_six_card.solver.choices import STAND, Choices
from pitboss.games.wild_six_card.solver.solution import played
from pitboss.hands import HandTables
from pitboss.solver_api import SolverProblem

_DECK = DECK_54.mask


class BestPlay(NamedTuple):
    """What the best play goes by: ``places`` has for every first five the place of what it discards, the lowest first.

    That is 5 where it stands, and -1 where it has won (W6-2).  ``steps`` number the fives (``number_of_set``).
    """

    places: Choices
    steps: Integers


def best_play(problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return what ``choose_best`` plays by: the solution, five cards by five cards."""
    found = played(problem, progress)
    best = BestPlay(
        np.empty(comb(DECK_54.size, HAND), np.int8),
        steps_of_sets(DECK_54.size, HAND),
    )
    _lay_out(found.firsts.masks, found.choices, best.places)
    return best


@rule
def choose_best(_tables: HandTables, view: View, _asked: int, best: BestPlay, _options: Options) -> tuple[int, int]:
    """Discard, or stand, as the table says."""
    place = best.places[number_of_set(view.player, best.steps)]
    if place == STAND:
        return DISCARD + 1, 0
    cards = view.player
    for _ in range(place):
        cards &= cards - 1
    return DISCARD, cards & -cards


@filling_kernel
def _lay_out(least_sets: Integers, choices: Choices, places: Any) -> None:
    """Write down the choice of every five, which its least set has, in the order of ``number_of_set``."""
    mask = first_subset(_DECK, HAND)
    for number in range(len(places)):
        choice = choices[np.searchsorted(least_sets, least(mask))]
        places[number] = choice
        if 0 <= choice < HAND:
            cards, place = mask, 0
            while place_in_least(mask, popcount((cards & -cards) - 1)) != choice:
                cards &= cards - 1
                place += 1
            places[number] = place
        mask = next_subset(_DECK, mask)
