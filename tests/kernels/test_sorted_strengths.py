"""Lists that are swept by strength, compared with sets of strengths."""

import numpy as np
import pytest

from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.sorted_strengths import read_strength


@kernel
def swept(first: IntArray, second: IntArray, strengths: IntArray) -> int:
    """Write each strength of the two lists once, in the order of a sweep."""
    one, other, used = 0, 0, 0
    while one < len(first) or other < len(second):
        strength = min(read_strength(first, one, 8), read_strength(second, other, 0))
        strengths[used] = strength
        used += 1
        while read_strength(first, one, 8) == strength:
            one += 1
        while read_strength(second, other, 0) == strength:
            other += 1
    return used


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("first", "second"), [([3, 3, 5, 9], [4, 5, 5]), ([], [2, 2, 8]), ([0, 1], []), ([(1 << 24) - 1], [1 << 24])]
)
def test_each_strength_of_two_lists_is_met_once_in_rising_order(first: list[int], second: list[int]) -> None:
    words = np.array([strength << 8 | 255 - place for place, strength in enumerate(first)], np.int64)
    strengths = np.zeros(8, np.int64)
    used = swept(words, np.array(second, np.int64), strengths)
    assert strengths[:used].tolist() == sorted({*first, *second})
