"""Tabulate the best play for simulations: the discard from every first five."""

from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import DECK_54, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.games.wild_six_card.rules import DISCARD, HAND, WildSixOptions, WildSixView
from pitboss.games.wild_six_card.solver.decide import STAND, ChoiceCodes
from pitboss.games.wild_six_card.solver.solution import play_first_fives
from pitboss.hands import HandTables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, number_set
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.kernels.suit_symmetry import canonicalize, find_canonical_place
from pitboss.solver_api import SolverProblem

_DECK = DECK_54.mask


class WildSixBestPlay(NamedTuple):
    """The table of the best play.

    ``places`` has for every first five the place of its discard, the lowest card first.  The place is 5 where the hand
    stands, and -1 where it has won (W6-2).  ``steps`` number the fives (``number_set``).
    """

    places: ChoiceCodes
    steps: IntArray


def tabulate_best_play(problem: SolverProblem, progress: ProgressCallback) -> WildSixBestPlay:
    """Compute the table for ``choose_best``, for every five cards."""
    played = play_first_fives(problem, progress)
    best = WildSixBestPlay(
        np.empty(comb(DECK_54.size, HAND), np.int8),
        build_same_size_steps(DECK_54.size, HAND),
    )
    _fill_places(played.first_fives.masks, played.choices, best.places)
    return best


@rule
def choose_best(
    _tables: HandTables, view: WildSixView, _decision: int, best: WildSixBestPlay, _options: WildSixOptions
) -> tuple[int, int]:
    """Discard or stand by the table."""
    place = best.places[number_set(view.player, best.steps)]
    if place == STAND:
        return DISCARD + 1, 0
    cards = view.player
    for _ in range(place):
        cards &= cards - 1
    return DISCARD, cards & -cards


@no_alloc_kernel
def _fill_places(least_sets: IntArray, choices: ChoiceCodes, places: Any) -> None:
    """Fill in the choice of every five, in the order of ``number_set``.

    The choice is that of its least set.
    """
    mask = first_subset(_DECK, HAND)
    for number in range(len(places)):
        choice = choices[np.searchsorted(least_sets, canonicalize(mask))]
        places[number] = choice
        if 0 <= choice < HAND:
            cards, place = mask, 0
            while find_canonical_place(mask, popcount((cards & -cards) - 1)) != choice:
                cards &= cards - 1
                place += 1
            places[number] = place
        mask = next_subset(_DECK, mask)
