"""Tabulate the best play with one exposed card, for a simulation to follow.

First decisions are those of the solution.  After a draw, a hand's strength decides whether it plays if that is the same
for all cards that may have been given up: the solver's bounds of what it is worth (``exchange_values.FinalValues``) are
all above a fold, or none is.  For other hands the ranks of the cards given up are considered too.  For the rest the
cards of the exposed suit decide (``mixed_hands``).  ``python -m pytest -m long -k played_as tests/games`` compares all
this with the solution and with hints.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.lunar.outcomes import BOUGHT
from pitboss.games.lunar.rules import HAND, MOST_EXCHANGED, LunarOptions
from pitboss.games.lunar.solver.census import ALL_RANKS, ExposedCardSolver
from pitboss.games.lunar.solver.dealer_hands import HIDDEN
from pitboss.games.lunar.solver.decide import ACTION, GIVEN_UP
from pitboss.games.lunar.solver.exposed_card import ExposedCard, make_deck
from pitboss.games.lunar.solver.mixed_hands import bound_hands, combine_mixed_hands, list_mixed_hands, number_multisets
from pitboss.kernels.enumeration import IntArray

MAY_FOLD = 1
MAY_PLAY = 2
BOTH = MAY_FOLD | MAY_PLAY
BY_DEAD = 4
"""From this number on, a band leads to entries by the ranks given up."""

FIVE_RANKS = comb(RANK_COUNT + HAND - 1, HAND)
"""How many numbers the multisets of five ranks take."""

BandArray = NDArray[np.int32]
MarkArray = NDArray[np.int8]


class ExposedCardPolicy(NamedTuple):
    """The decisions with one exposed card.

    ``choices`` (hands, 4) are first decisions up to suits, with the fields of ``decide``.  ``bands`` (6, strengths), by
    draw, is ``MAY_FOLD`` or ``MAY_PLAY``; 0 if no hand has this strength; or ``BY_DEAD`` plus the place in ``by_dead``
    where the entries for each multiset of cards given up start (``number_multisets``): the same marks, or both.  The
    other fields are those of ``MixedHands``, which decide the entries of both marks.

    Five cards are hardly ever exchanged: ``fives`` (6188,) is 1 for the multisets of five ranks that a choice gives up.
    The bands of five cards hold only for these.
    """

    choices: IntArray
    bands: BandArray
    by_dead: MarkArray
    fives: MarkArray
    places: NDArray[np.int32]
    keys: IntArray
    thresholds: IntArray
    change_rows: NDArray[np.int32]
    changes: IntArray


class _FirstDecisionSolver(ExposedCardSolver):
    """Makes all first decisions and tallies nothing."""

    def decide_first(self) -> IntArray:
        """Return all first decisions."""
        chosen, listed, _ = self._decide_by_bounds()
        settled, _ = self._decide_exactly(listed)
        return np.concatenate([chosen, settled])


def list_strengths() -> IntArray:
    """Return the rising strengths of all hands."""
    deck = make_deck(ALL_RANKS, SUIT_COUNT)
    return np.unique(deck.hands.strengths)


def decide_exposed_card(
    exposed: int, options: LunarOptions, nets: tuple[int, ...], strengths: IntArray
) -> ExposedCardPolicy:
    """Make all decisions with an exposed card of a rank.

    Raises:
        ValueError: as ``ExposedCard``.
    """
    card = ExposedCard(make_deck(ALL_RANKS, SUIT_COUNT), exposed, options, nets)
    return decide_after_draws(card, _FirstDecisionSolver(card).decide_first(), strengths)


def decide_after_draws(card: ExposedCard, choices: IntArray, strengths: IntArray) -> ExposedCardPolicy:
    """Make the decisions after each draw, given all first decisions."""
    sets = card.deck.sets
    bands = np.zeros((MOST_EXCHANGED + 1, len(strengths)), np.int32)
    fives = np.zeros(FIVE_RANKS, np.int8)
    dead_marks, mixed_hands = [np.zeros(0, np.int8)], []
    for draw in range(BOUGHT, MOST_EXCHANGED + 1):
        rows = np.arange(sets.count_sets(0 if draw == BOUGHT else draw))
        if draw > HIDDEN:
            rows = np.unique(sets.number_masks(choices[choices[:, ACTION] == draw, GIVEN_UP], draw))
            if len(rows) == 0:
                break
            fives[number_multisets(sets, draw)[rows]] = 1
        marks = mark_hands(card, draw, strengths, rows)
        bands[draw] = np.bitwise_or.reduce(marks, axis=0)
        starts, place = np.zeros(len(strengths), np.int64), sum(map(len, dead_marks))
        for strength in np.flatnonzero(bands[draw] == BOTH):
            starts[strength], bands[draw, strength] = place, BY_DEAD + place
            dead_marks.append(marks[:, strength])
            place += len(marks)
        mixed_hands.append(list_mixed_hands(card, draw, rows, marks == BOTH, strengths, starts))
    return ExposedCardPolicy(choices, bands, np.concatenate(dead_marks), fives, *combine_mixed_hands(mixed_hands))


def mark_hands(card: ExposedCard, draw: int, strengths: IntArray, rows: IntArray) -> MarkArray:
    """Return what hands of each strength do after a draw.

    There is a row for each multiset of cards given up (``number_multisets``), filled for the multisets ``rows``.  A
    hand may fold if the lower bound of what it is worth is no more than a fold, and play if the upper bound is more.
    """
    values, sets, hands = card.compute_values(draw), card.deck.sets, card.deck.get_hands(draw)
    given = 0 if draw == BOUGHT else draw
    numbers, counts = number_multisets(sets, given), sets.get_counts(given)
    marks = np.zeros((int(numbers.max()) + 1, len(strengths)), np.int8)
    at = np.searchsorted(strengths, hands.strengths)
    for row in rows.tolist():
        fits = (hands.counts + counts[row] <= card.dealer.copies).all(axis=1)
        low, high = bound_hands(values, row)
        marks[numbers[row], at[fits & (low <= 0)]] |= MAY_FOLD
        marks[numbers[row], at[fits & (high > 0)]] |= MAY_PLAY
    return marks
