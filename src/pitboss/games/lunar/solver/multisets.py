"""Number multisets of up to six ranks.

The solver of Lunar Poker works on these where suits do not matter.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT
from pitboss.kernels.enumeration import IntArray

MAX_CARDS = 6

NUMBER, CARDS, LAST, ALIKE = 0, 1, 2, 3
"""The columns of ``LunarMultisets.list_depth_first``."""


class LunarMultisets(NamedTuple):
    """All multisets of ranks of a deck, by size and then in lexicographic order.

    Row i of ``counts`` (sets, 13) says how many cards of each rank set i holds, row i of ``ranks`` (sets, 6) lists them
    from the lowest, -1 behind the last.  ``add[i, r]`` is the set with one more card of rank r, -1 if there is none or
    the set is full.  Sets of n cards are those from ``start[n]`` to before ``start[n + 1]``; within a size they are
    numbered from 0 (*numbers*).  ``copies`` (13,) is how many cards of each rank the deck has.
    """

    counts: IntArray
    ranks: IntArray
    add: IntArray
    start: IntArray
    copies: IntArray

    def get_counts(self, cards: int) -> IntArray:
        """Return the counts of all sets of ``cards`` cards."""
        return self.counts[self.start[cards] : self.start[cards + 1]]

    def count_sets(self, cards: int) -> int:
        """Return how many sets of ``cards`` cards there are."""
        return int(self.start[cards + 1] - self.start[cards])

    def list_depth_first(self, most: int) -> IntArray:
        """Return all sets of one to ``most`` cards in depth-first order.

        Each set follows the one without its highest card.

        Rows are the set, how many cards it has, its highest rank, and how many cards of that rank it has.  So an array
        with one entry for each number of cards, filled in this order, holds for one card less the data of the set that
        this one extends.

        >>> list_multisets((0, 1), 2).list_depth_first(2).tolist()
        [[1, 1, 0, 1], [3, 2, 0, 2], [4, 2, 1, 1], [2, 1, 1, 1], [5, 2, 1, 2]]
        """
        order = np.lexsort(self.ranks.T[::-1])
        order = order[(order > 0) & (order < self.start[most + 1])]
        cards = self.counts[order].sum(axis=1)
        last = self.ranks[order, cards - 1]
        return np.stack([order, cards, last, self.counts[order, last]], axis=1)

    def join(self, first: int, second: int) -> IntArray:
        """Return the number of the union of each two sets, or -1.

        Every set of ``first`` cards is joined with every set of ``second`` cards.
        """
        sets = np.repeat(np.arange(self.start[first], self.start[first + 1])[:, None], self.count_sets(second), axis=1)
        for card in range(second):
            more = self.ranks[self.start[second] : self.start[second + 1], card]
            sets = np.where(sets < 0, -1, self.add[sets, more[None, :]])
        return np.where(sets < 0, -1, sets - self.start[first + second])

    def number_masks(self, masks: IntArray, cards: int) -> IntArray:
        """Return the numbers of the ranks of sets of ``cards`` cards, given as masks."""
        sets = np.zeros(len(masks), np.int64)
        for code in range(RANK_COUNT * 4):
            holding = masks >> code & 1 == 1
            sets[holding] = self.add[sets[holding], code % RANK_COUNT]
        numbers: IntArray = sets - self.start[cards]
        return numbers


def list_multisets(ranks: Sequence[int], suits: int) -> LunarMultisets:
    """Number the multisets of a deck of these ranks, each in ``suits`` suits.

    >>> list_multisets(range(13), 4).start
    array([    0,     1,    14,   105,   560,  2380,  8555, 26950])
    """
    numbered: dict[tuple[int, ...], int] = {}
    start = [0]
    for size in range(MAX_CARDS + 1):
        for held in combinations_with_replacement(sorted(ranks), size):
            if max(map(held.count, held), default=0) <= suits:
                numbered[held] = len(numbered)
        start.append(len(numbered))
    counts = np.zeros((len(numbered), RANK_COUNT), np.int64)
    listed = np.full((len(numbered), MAX_CARDS), -1, np.int64)
    add = np.full((len(numbered), RANK_COUNT), -1, np.int64)
    for held, number in numbered.items():
        listed[number, : len(held)] = held
        for rank in held:
            counts[number, rank] += 1
        for rank in ranks:
            add[number, rank] = numbered.get(tuple(sorted((*held, rank))), -1)
    copies = np.zeros(RANK_COUNT, np.int64)
    copies[list(ranks)] = suits
    return LunarMultisets(counts, listed, add, np.array(start, np.int64), copies)
