"""Lists of words by rising strength, which sweeps read side by side.

The strength is in the high bits of a word, above ``shift`` others.
"""

from typing import Any

from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray

PAST_THE_LAST = 1 << 40
"""What is read past the end of a list: more than any strength."""


@kernel_helper
def read_strength(words: IntArray, place: int, shift: int) -> Any:
    """Return the strength at a place, ``PAST_THE_LAST`` after the last word.

    >>> words = [3 << 8 | 7, 5 << 8]
    >>> [read_strength(words, place, 8) for place in range(3)] == [3, 5, PAST_THE_LAST]
    True
    """
    return words[place] >> shift if place < len(words) else PAST_THE_LAST
