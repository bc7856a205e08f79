"""What the dealer's flush changes in sums that looked at ranks alone.

He can have a flush in the suit of his exposed card only.  A four of that suit is a flush and was counted as the high
card or straight of its ranks, so what it changes for a hand is a word of its own, and the changes beside known cards
are the sum over the fours of that suit none of which is known: a function of the known cards of one suit.  Hands to
which the same fours mean the same share a class.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_MASK
from pitboss.counting.blocks import Integers
from pitboss.games.lunar.solver.exposed import Dealer
from pitboss.games.lunar.solver.finals import Finals


class Changes(NamedTuple):
    """``of[classes[hand], known]`` is added to the sum of a hand when ``known`` are the known cards of the suit.

    ``least`` and ``most`` are the bounds of each class.
    """

    of: Integers
    classes: Integers
    least: Integers
    most: Integers

    def times(self, factor: int) -> "Changes":
        """Return all changes multiplied."""
        return Changes(self.of * factor, self.classes, self.least * factor, self.most * factor)


def changes(hands: Finals, dealer: Dealer, qualifies: int, win: Integers, tie: int, lose: int, take: int) -> Changes:
    """Return what the flushes of the exposed suit change for each hand, in words as ``rank_sums`` takes them."""
    kinds, kind_of = np.unique(np.stack([hands.strengths, win], axis=1), axis=0, return_inverse=True)
    mine, won = kinds[:, :1], kinds[:, 1:]

    def words(dealers: Integers) -> Integers:
        compared: Integers = np.where(mine > dealers, won, np.where(mine == dealers, tie, lose))
        return np.where(dealers < qualifies, take, compared)

    change = words(dealer.suited_strengths[None, :]) - words(dealer.strengths[dealer.suited][None, :])
    rows, classes = np.unique(change, axis=0, return_inverse=True)
    held = _summed_over_subsets(rows, dealer.suited_ranks)
    suit = int(np.bitwise_or.reduce(dealer.suited_ranks, initial=0))
    of = np.ascontiguousarray(held[:, suit & ~np.arange(SUIT_MASK + 1)])
    return Changes(of, classes.reshape(-1)[kind_of.reshape(-1)].astype(np.int64), of.min(axis=1), of.max(axis=1))


def _summed_over_subsets(rows: NDArray[np.int64], sets: Integers) -> Integers:
    """Return for each row and each set of ranks the sum of what the row has at the ``sets`` within it."""
    held = np.zeros((len(rows), SUIT_MASK + 1), np.int64)
    held[:, sets] = rows
    for rank in range(RANK_COUNT):
        halves = held.reshape(len(rows), -1, 2, 1 << rank)
        halves[:, :, 1] += halves[:, :, 0]
    return held
