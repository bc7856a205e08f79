"""Enumeration of all sets of a given size from a deck, in parallel blocks.

A block is the sets that share their two last cards.  Within it sets follow one another in lexicographic order
(Knuth, The Art of Computer Programming, volume 4A, section 7.2.1.3, algorithm L): most steps change one card.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, combinations
from math import comb
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pitboss.core.progress import ProgressCallback
from pitboss.kernels.compile import kernel

Item = TypeVar("Item")
BlockResult = TypeVar("BlockResult")
IntArray = NDArray[np.int64]


def get_card_bits(deck: Sequence[int]) -> IntArray:
    """Return the card at each position of the deck as a set of one card."""
    return np.array([1 << card for card in deck], np.int64)


def map_blocks(
    count_block: Callable[[int, int], BlockResult], deck_size: int, cards: int, progress: ProgressCallback
) -> list[BlockResult]:
    """Return ``count_block(last, before_last)`` for every two last positions.

    They are the last positions of sets of ``cards`` (2 or more) cards.  Results come in a fixed order.
    """
    pairs = [(last, before) for before, last in combinations(range(deck_size), 2) if before >= cards - 2][::-1]
    sizes = [comb(before, cards - 2) for _, before in pairs]
    return [result for _, result in map_on_threads(lambda pair: count_block(*pair), pairs, progress, sizes)]


def map_on_threads(
    task: Callable[[Item], BlockResult],
    items: Sequence[Item],
    progress: ProgressCallback,
    sizes: Sequence[int] | None = None,
) -> Iterator[tuple[Item, BlockResult]]:
    """Yield each item with the result of its task, in order; tasks run on all cores.

    Kernels do not hold the interpreter's lock.  ``progress`` is given the sum of the ``sizes`` that are done, each 1
    by default.  An interruption cancels the items that have not started.
    """
    done = list(accumulate(sizes or (1,) * len(items)))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for so_far, item, result in zip(done, items, threads.map(task, items), strict=True):
            yield item, result
            progress(so_far, done[-1])


def count_workers() -> int:
    """Return how many parts to cut work into if each needs its own tables.

    It is the number of cores, at most sixteen.
    """
    return min(os.cpu_count() or 1, 16)


def map_ranges(task: Callable[[int, int], BlockResult], length: int) -> list[BlockResult]:
    """Return ``task(first, after)`` for even parts of ``range(length)``.

    There is one part for each worker (``count_workers``).

    >>> sum(map_ranges(lambda first, after: sum(range(first, after)), 101))
    5050
    """
    parts = count_workers()
    bounds = [length * each // parts for each in range(parts + 1)]
    with ThreadPoolExecutor(parts) as threads:
        return list(threads.map(task, bounds[:-1], bounds[1:]))


@kernel
def write_first_set(places: IntArray, bits: IntArray, cards: int, last: int, before_last: int) -> Any:
    """Write the positions of a block's first set and return the set.

    ``places`` has as many elements as the set has cards.  The last two stay the same throughout the block.
    """
    mask = bits[last] | bits[before_last]
    for place in range(cards - 2):
        places[place] = place
        mask |= bits[place]
    places[cards - 2] = before_last
    places[cards - 1] = last
    return mask


@kernel
def advance_set(places: IntArray, bits: IntArray, cards: int, mask: int) -> Any:
    """Step to the block's next set and return it, or 0 after the last."""
    # The lowest card that can move up by one does so, and the cards below it, which are adjacent, go back to the lowest
    # positions.  The mask changes by exclusive or with each card that leaves and each that comes.
    moved = 0
    while moved < cards - 2 and places[moved] + 1 == places[moved + 1]:
        mask ^= bits[places[moved]] ^ bits[moved]
        places[moved] = moved
        moved += 1
    if moved == cards - 2:
        return 0
    places[moved] += 1
    return mask ^ bits[places[moved] - 1] ^ bits[places[moved]]
