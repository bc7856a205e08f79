"""What the best play does beside one exposed card, as tables for a simulation to follow.

First decisions are those of the solution.  After a draw a hand's strength tells whether it plays beside all cards that
may have been given up: the solver's bounds of what it is worth (``draws.Values``) lie all above a fold, or none does.
Of hands that this does not settle the ranks of the cards given up are looked at too.  What is left is to be counted.
All this is held against the solution and hints by ``python -m pytest -m long -k played_as tests/games``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.counting.blocks import Integers
from pitboss.counting.numbers import number_of_set, steps_of_sets
from pitboss.games.lunar.outcomes import BOUGHT
from pitboss.games.lunar.rules import HAND, Options
from pitboss.games.lunar.solver.beside import Beside, deck_of
from pitboss.games.lunar.solver.exposed import HIDDEN
from pitboss.games.lunar.solver.force import LEAST, MOST
from pitboss.games.lunar.solver.multisets import Multisets
from pitboss.games.lunar.solver.piece import ALL_RANKS, Piece

SOME_FOLD = 1
SOME_PLAY = 2
BESIDE_DEAD = 4
"""From here on a band leads to what is known beside the ranks given up."""

DRAWS = range(BOUGHT, HIDDEN + 1)
"""The draws after which bands are known; five cards are hardly ever exchanged."""

Bands = NDArray[np.int32]
Marks = NDArray[np.int8]


class Known(NamedTuple):
    """What is known beside an exposed card.

    ``choices`` (hands, 4) are first decisions up to suits, by the fields of ``firsts``.  ``bands`` (5, strengths), by
    draw, is ``SOME_FOLD`` or ``SOME_PLAY``; none where no hand is; or ``BESIDE_DEAD`` and a place in ``beside``, from
    which on there is the same, or both, for each multiset of cards given up (``number_of_ranks``).
    """

    choices: Integers
    bands: Bands
    beside: Marks


class _Decided(Piece):
    """Takes all first decisions and books nothing."""

    def choices(self) -> Integers:
        """Return them all."""
        chosen, listed, _ = self._decided()
        settled, _ = self._settled(listed)
        return np.concatenate([chosen, settled])


def strengths_of() -> Integers:
    """Return the strengths of all hands, which rise."""
    deck = deck_of(ALL_RANKS, SUIT_COUNT)
    return np.unique(deck.hands.strengths)


def known_beside(exposed: int, options: Options, nets: tuple[int, ...], strengths: Integers) -> Known:
    """Take all decisions beside an exposed card of a rank.

    Raises:
        ValueError: as ``Beside``.
    """
    beside = Beside(deck_of(ALL_RANKS, SUIT_COUNT), exposed, options, nets)
    choices = _Decided(beside).choices()
    bands = np.zeros((HIDDEN + 1, len(strengths)), np.int32)
    kept: list[Marks] = []
    for draw in DRAWS:
        marks = marks_after(beside, draw, strengths)
        together = np.bitwise_or.reduce(marks, axis=0)
        bands[draw] = together
        for strength in np.flatnonzero(together == SOME_FOLD | SOME_PLAY):
            bands[draw, strength] = BESIDE_DEAD + sum(map(len, kept))
            kept.append(marks[:, strength])
    return Known(choices, bands, np.concatenate([np.zeros(0, np.int8), *kept]))


def marks_after(beside: Beside, draw: int, strengths: Integers) -> Marks:
    """Return what hands of each strength do after a draw, beside each multiset of cards given up (``number_of_ranks``).

    A hand may fold if the lower bound of what it is worth is no more than a fold, and play if the upper one is more.
    """
    values, sets, hands = beside.values(draw), beside.deck.sets, beside.deck.hands_of(draw)
    given = 0 if draw == BOUGHT else draw
    numbers = numbers_of_ranks(sets, given)
    marks = np.zeros((int(numbers.max()) + 1, len(strengths)), np.int8)
    at, some = np.searchsorted(strengths, hands.strengths), np.flatnonzero(values.row_of >= 0)
    for row, dead in enumerate(sets.of(given)):
        fits = (hands.counts + dead <= beside.dealer.copies).all(axis=1)
        low, high = (values.by_rank[row] + bound[values.classes] for bound in (values.least, values.most))
        for bounded, which in ((low, LEAST), (high, MOST)):
            bounded[some] += values.forced[values.row_of[some], which, values.forced_at + row]
        marks[numbers[row], at[fits & (low <= 0)]] |= SOME_FOLD
        marks[numbers[row], at[fits & (high > 0)]] |= SOME_PLAY
    return marks


def numbers_of_ranks(sets: Multisets, cards: int) -> Integers:
    """Return the number of every multiset of so many ranks: of the set that they are when no two may be alike.

    The i-th of the rising ranks is raised by i, so that four of a rank too are four places.
    """
    steps = steps_of_sets(RANK_COUNT + HAND, HAND)
    held = sets.ranks[sets.start[cards] : sets.start[cards + 1], :cards].tolist()
    return np.array([number_of_set(sum(1 << rank + i for i, rank in enumerate(each)), steps) for each in held])
