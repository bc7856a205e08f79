"""Tabulate the best play with one exposed card, for a simulation to follow.

First decisions are those of the solution.  After a draw, a hand's strength decides whether it plays if that is the same
for all cards that may have been given up: the solver's bounds of what it is worth (``exchange_values.FinalValues``) are
all above a fold, or none is.  For other hands the ranks of the cards given up are considered too.  The rest must be
counted.  ``python -m pytest -m long -k played_as tests/games`` compares all this with the solution and with hints.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.lunar.outcomes import BOUGHT
from pitboss.games.lunar.rules import HAND, LunarOptions
from pitboss.games.lunar.solver.census import ALL_RANKS, ExposedCardSolver
from pitboss.games.lunar.solver.dealer_hands import HIDDEN
from pitboss.games.lunar.solver.exposed_card import ExposedCard, make_deck
from pitboss.games.lunar.solver.force_gains import LEAST, MOST
from pitboss.games.lunar.solver.multisets import LunarMultisets
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, number_set

MAY_FOLD = 1
MAY_PLAY = 2
BY_DEAD = 4
"""From this number on, a band leads to entries by the ranks given up."""

BAND_DRAWS = range(BOUGHT, HIDDEN + 1)
"""The draws that have bands; five cards are hardly ever exchanged."""

BandArray = NDArray[np.int32]
MarkArray = NDArray[np.int8]


class ExposedCardPolicy(NamedTuple):
    """The decisions with one exposed card.

    ``choices`` (hands, 4) are first decisions up to suits, with the fields of ``decide``.  ``bands`` (5, strengths), by
    draw, is ``MAY_FOLD`` or ``MAY_PLAY``; 0 if no hand has this strength; or ``BY_DEAD`` plus the place in ``by_dead``
    where the entries for each multiset of cards given up start (``number_multisets``): the same marks, or both.
    """

    choices: IntArray
    bands: BandArray
    by_dead: MarkArray


class _FirstDecisionSolver(ExposedCardSolver):
    """Makes all first decisions and books nothing."""

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
    choices = _FirstDecisionSolver(card).decide_first()
    bands = np.zeros((HIDDEN + 1, len(strengths)), np.int32)
    dead_marks: list[MarkArray] = []
    for draw in BAND_DRAWS:
        marks = mark_hands(card, draw, strengths)
        all_marks = np.bitwise_or.reduce(marks, axis=0)
        bands[draw] = all_marks
        for strength in np.flatnonzero(all_marks == MAY_FOLD | MAY_PLAY):
            bands[draw, strength] = BY_DEAD + sum(map(len, dead_marks))
            dead_marks.append(marks[:, strength])
    return ExposedCardPolicy(choices, bands, np.concatenate([np.zeros(0, np.int8), *dead_marks]))


def mark_hands(card: ExposedCard, draw: int, strengths: IntArray) -> MarkArray:
    """Return what hands of each strength do after a draw.

    There is a row for each multiset of cards given up (``number_multisets``).  A hand may fold if the lower bound of
    what it is worth is no more than a fold, and play if the upper bound is more.
    """
    values, sets, hands = card.compute_values(draw), card.deck.sets, card.deck.get_hands(draw)
    given = 0 if draw == BOUGHT else draw
    numbers = number_multisets(sets, given)
    marks = np.zeros((int(numbers.max()) + 1, len(strengths)), np.int8)
    at, forcing = np.searchsorted(strengths, hands.strengths), np.flatnonzero(values.force_rows >= 0)
    for row, dead in enumerate(sets.get_counts(given)):
        fits = (hands.counts + dead <= card.dealer.copies).all(axis=1)
        low, high = (values.by_rank[row] + bound[values.classes] for bound in (values.least, values.most))
        for bounded, which in ((low, LEAST), (high, MOST)):
            bounded[forcing] += values.force_sums[values.force_rows[forcing], which, values.force_start + row]
        marks[numbers[row], at[fits & (low <= 0)]] |= MAY_FOLD
        marks[numbers[row], at[fits & (high > 0)]] |= MAY_PLAY
    return marks


def number_multisets(sets: LunarMultisets, cards: int) -> IntArray:
    """Return the number of every multiset of ``cards`` ranks.

    It is the number of a set without equal elements: the i-th of the rising ranks is raised by i, so that even four of
    a rank become four places.
    """
    steps = build_same_size_steps(RANK_COUNT + HAND, HAND)
    held = sets.ranks[sets.start[cards] : sets.start[cards + 1], :cards].tolist()
    return np.array([number_set(sum(1 << rank + i for i, rank in enumerate(each)), steps) for each in held])
