"""Enumerate every set of a given size from a deck, in blocks that run on all cores.

A block is the sets that share their two last cards.  Within it sets follow one another in lexicographic order
(Knuth, The Art of Computer Programming, volume 4A, section 7.2.1.3, algorithm L): most steps change one card.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, combinations
from math import comb
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pitboss.core.progress import ProgressCallback
from pitboss.kernels.compile import kernel

BlockResult = TypeVar("BlockResult")
IntArray = NDArray[np.int64]


def get_card_bits(deck: Sequence[int]) -> IntArray:
    """Return the card at each position of the deck as a set of one card."""
    return np.array([1 << card for card in deck], np.int64)


def map_blocks(
    count_block: Callable[[int, int], BlockResult], deck_size: int, cards: int, progress: ProgressCallback
) -> list[BlockResult]:
    """Return ``count_block(last, before_last)`` for every two last positions of sets of ``cards`` (2 or more) cards.

    Results come in a fixed order.  Blocks run on as many threads as there are cores, because their kernels do not hold
    the interpreter's lock.  An interruption cancels the blocks that have not started.
    """
    pairs = [(last, before) for before, last in combinations(range(deck_size), 2) if before >= cards - 2][::-1]
    done = list(accumulate(comb(before, cards - 2) for _, before in pairs))
    results: list[BlockResult] = []
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for so_far, result in zip(done, threads.map(lambda pair: count_block(*pair), pairs), strict=True):
            results.append(result)
            progress(so_far, done[-1])
    return results


def count_workers() -> int:
    """Return how many parts to cut work into if each needs its own tables: the number of cores, at most sixteen."""
    return min(os.cpu_count() or 1, 16)


def map_ranges(task: Callable[[int, int], BlockResult], length: int) -> list[BlockResult]:
    """Return ``task(first, after)`` for even parts of ``range(length)``, one for each worker (``count_workers``).

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
