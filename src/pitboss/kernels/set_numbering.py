"""Consecutive numbers of small sets of cards.

A table with one entry for each set then needs no search.  The empty set is 0, smaller sets come first, and sets of one
size are in the order of the combinatorial number system: the order of the integers that have one bit for each position
(Knuth, The Art of Computer Programming, volume 4A, section 7.2.1.3, theorem L).
"""

from math import comb
from typing import Any

import numpy as np

from pitboss.cards import popcount
from pitboss.core.rule import rule
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray


def build_set_steps(deck_size: int, cards: int) -> tuple[IntArray, int]:
    """Number the sets of fewer than ``cards`` of ``deck_size`` positions.

    Return ``steps`` and the number of sets.  Adding the position ``place`` to a set of ``size`` lower positions adds
    ``steps[place, size]`` to its number; ``steps`` has shape (deck, cards).
    """
    first = compute_size_starts(deck_size, cards)
    # A set's rank among those of its size is the sum of C(place, i + 1) over its positions, the i-th of the rising ones
    # counted from 0.  The differences of ``first`` add up to the start of its size, so one sum gives the whole number.
    steps = [
        [first[size + 1] - first[size] + comb(place, size + 1) for size in range(cards)] for place in range(deck_size)
    ]
    return np.array(steps, np.int64), first[-1]


def compute_size_starts(deck_size: int, cards: int) -> list[int]:
    """Return the first set's number for each size below ``cards``, then the total.

    >>> compute_size_starts(54, 3)
    [0, 1, 55, 1486]
    """
    first = [0]
    for size in range(cards):
        first.append(first[-1] + comb(deck_size, size))
    return first


def build_same_size_steps(deck_size: int, cards: int) -> IntArray:
    """Return the steps by which ``number_set`` numbers sets of one size.

    The sets are of ``cards`` of ``deck_size`` positions; the steps have shape (deck, cards).
    """
    return np.array([[comb(place, size + 1) for size in range(cards)] for place in range(deck_size)], np.int64)


@rule
def number_set(mask: int, steps: Any) -> int:
    """Number a set of cards, given as a mask, among all sets of its size.

    >>> steps = build_same_size_steps(52, 3)
    >>> [int(number_set(mask, steps)) for mask in (0b111, 0b1011, 0b111 << 49)]
    [0, 1, 22099]
    """
    number, size = 0, 0
    while mask:
        number += steps[popcount((mask & -mask) - 1), size]
        size += 1
        mask &= mask - 1
    return number


@rule
def find_sorted(values: Any, wanted: int) -> int:
    """Return the index of a value in the rising ``values``, which must contain it.

    >>> find_sorted((2, 3, 5), 5)
    2
    """
    return find_sorted_between(values, 0, len(values) - 1, wanted)


@rule
def find_sorted_between(values: Any, first: int, last: int, wanted: int) -> int:
    """Return the index of a value in a part of ``values``.

    The values from ``first`` to ``last`` rise and contain it.

    >>> find_sorted_between((7, 2, 3, 5, 1), 1, 3, 5)
    3
    """
    low, high = first, last
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def list_subset_sizes(cards: int) -> IntArray:
    """Return the size of every proper subset of ``cards`` cards.

    A subset has one bit for each card.
    """
    return np.array([subset.bit_count() for subset in range((1 << cards) - 1)], np.int64)


@kernel
def number_subsets(places: IntArray, steps: IntArray, sizes: IntArray, numbers: IntArray) -> None:
    """Write the number of every subset of the rising ``places``.

    Bit i of a subset is ``places[i]``.  ``sizes`` are ``list_subset_sizes``.  A subset as large as ``steps`` is wide
    gets a number without meaning.
    """
    numbers[0] = 0
    # A subset whose highest card is ``card`` is one of the subsets of the lower cards plus this card: one addition
    # each.
    for card in range(len(places)):
        for subset in range(1 << card):
            numbers[subset | 1 << card] = numbers[subset] + steps[places[card], sizes[subset]]
