"""Compute what the dealer's flush changes in sums by ranks alone.

The dealer can have a flush only in the suit of the exposed card.  A four of that suit is a flush and was counted as the
high card or straight of its ranks, so its change for a hand is a separate word.  The change for some known cards is the
sum over the fours of that suit without any known card: a function of the known cards of one suit.  Hands for which all
these fours have the same words share a class.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_MASK
from pitboss.games.lunar.solver.dealer_hands import HiddenHands
from pitboss.games.lunar.solver.final_hands import FinalHands
from pitboss.kernels.enumeration import IntArray


class FlushChanges(NamedTuple):
    """What the dealer's flushes in the exposed suit change in the sums of hands.

    ``changes[classes[hand], known]`` is added to the sum of a hand if ``known`` are the known cards of the suit.
    ``least`` and ``most`` are the bounds of each class.
    """

    changes: IntArray
    classes: IntArray
    least: IntArray
    most: IntArray

    def scale(self, factor: int) -> "FlushChanges":
        """Return all changes multiplied."""
        return FlushChanges(self.changes * factor, self.classes, self.least * factor, self.most * factor)


def compute_flush_changes(
    hands: FinalHands, dealer: HiddenHands, qualifies: int, win: IntArray, tie: int, lose: int, take_ante: int
) -> FlushChanges:
    """Return what the flushes of the exposed suit change for each hand.

    The changes are words as in ``rank_sums``.
    """
    kinds, kind_of = np.unique(np.stack([win, hands.strengths], axis=1), axis=0, return_inverse=True)
    won, mine = kinds[:, :1], kinds[:, 1:]

    def words(theirs: IntArray) -> IntArray:
        compared: IntArray = np.where(mine > theirs, won, np.where(mine == theirs, tie, lose))
        return np.where(theirs < qualifies, take_ante, compared)

    change = words(dealer.suited_strengths[None, :]) - words(dealer.strengths[dealer.suited][None, :])
    # Hands are in order of strength, so those with the same words are neighbours (a class may come twice: no harm).
    starts = np.ones(len(change), np.bool_)
    starts[1:] = (change[1:] != change[:-1]).any(axis=1)
    classes = np.cumsum(starts) - 1
    held = _sum_over_subsets(change[starts], dealer.suited_ranks)
    suit = int(np.bitwise_or.reduce(dealer.suited_ranks, initial=0))
    # A four counts if it lies within the suit's other cards: those that are not known.
    of = np.ascontiguousarray(held[:, suit & ~np.arange(SUIT_MASK + 1)])
    return FlushChanges(of, classes[kind_of.reshape(-1)].astype(np.int64), of.min(axis=1), of.max(axis=1))


def _sum_over_subsets(rows: NDArray[np.int64], sets: IntArray) -> IntArray:
    """Sum each row's words over the ``sets`` that are within each set of ranks."""
    held = np.zeros((len(rows), SUIT_MASK + 1), np.int64)
    held[:, sets] = rows
    # One rank at a time: sets with it add the sum of the set without it.
    for rank in range(RANK_COUNT):
        halves = held.reshape(len(rows), -1, 2, 1 << rank)
        halves[:, :, 1] += halves[:, :, 0]
    return held
