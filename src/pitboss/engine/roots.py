"""List the cards known at the first decision, up to suits and Jokers."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import comb

import numpy as np

from pitboss.engine.symmetry import exchange_cards
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset

_FEW = 1 << 15
"""So many sets are listed sooner than a kernel is compiled that lists them."""


def list_roots(cards: Sequence[int], sizes: Sequence[int], exchanges: IntArray) -> tuple[IntArray, IntArray]:
    """List the ways to choose disjoint sets of cards, one way of each class.

    Two ways are of one class if one of the ``exchanges`` of suits and Jokers turns one into the other.  Return the
    sets, with shape (classes, sizes), and how many ways each stands for.

    >>> from pitboss.engine.symmetry import list_exchanges
    >>> roots, weights = list_roots(range(52), (2,), list_exchanges((1 << 52) - 1, keeps_colours=False))
    >>> len(roots), int(sum(weights))
    (169, 1326)
    """
    deck = sum(1 << card for card in cards)
    roots, weights = np.zeros((1, 0), np.int64), np.ones(1, np.int64)
    for size in sizes:
        rows = [_grow(deck, root, int(weight), size, exchanges) for root, weight in zip(roots, weights, strict=True)]
        roots = np.concatenate([row for row, _ in rows])
        weights = np.concatenate([weight for _, weight in rows])
    return roots, weights


def split_roots(roots: int, parts: int) -> list[tuple[int, int]]:
    """Split roots into even parts: the first root of each, and the next part's.

    >>> split_roots(5, 3)
    [(0, 1), (1, 3), (3, 5)]
    """
    return list(pairwise(sorted({roots * part // parts for part in range(parts + 1)})))


def _grow(cards: int, root: IntArray, weight: int, size: int, exchanges: IntArray) -> tuple[IntArray, IntArray]:
    """Add a set of ``size`` cards to a root, in every way that is different.

    Two ways are alike if an exchange that leaves the root unchanged turns one into the other.
    """
    kept = [each for each in exchanges if all(exchange_cards(int(chosen), each) == chosen for chosen in root)]
    free = cards & ~sum(int(chosen) for chosen in root)
    few = comb(free.bit_count(), size) <= _FEW
    sets, images = (_list_few_least_sets if few else _list_least_sets)(free, size, np.array(kept, np.int64))
    return np.column_stack([np.tile(root, (len(sets), 1)), sets]), weight * images


def _list_few_least_sets(free: int, size: int, exchanges: IntArray) -> tuple[IntArray, IntArray]:
    """Return what ``_list_least_sets`` does, without compiling it."""
    cards = [1 << card for card in range(free.bit_length()) if free >> card & 1]
    sets = np.array(sorted(map(sum, combinations(cards, size))), np.int64)
    images = np.array([exchange_cards(sets, exchange) for exchange in exchanges])
    least, alike = images.min(axis=0) == sets, (images == sets).sum(axis=0)
    return sets[least], len(exchanges) // alike[least]


@kernel
def _list_least_sets(free: int, size: int, exchanges: IntArray) -> tuple[IntArray, IntArray]:
    """Return the least sets of free cards, and how many sets each stands for."""
    found = 0
    cards = first_subset(free, size)
    while cards:
        found += 1 if _count_images(cards, exchanges) else 0
        cards = next_subset(free, cards)
    sets, images = np.zeros(found, np.int64), np.zeros(found, np.int64)
    found = 0
    cards = first_subset(free, size)
    while cards:
        alike = _count_images(cards, exchanges)
        if alike:
            sets[found], images[found] = cards, alike
            found += 1
        cards = next_subset(free, cards)
    return sets, images


@kernel_helper
def _count_images(cards: int, exchanges: IntArray) -> int:
    """Return how many sets a group of exchanges makes of a set.

    Return 0 if one of them is less than the set.
    """
    alike = 0
    for exchange in exchanges:
        image = exchange_cards(cards, exchange)
        if image < cards:
            return 0
        alike += 1 if image == cards else 0
    # Orbit and stabilizer: the group's size divided by the number of exchanges that leave the set unchanged.
    return len(exchanges) // alike
