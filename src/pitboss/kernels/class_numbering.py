"""Consecutive numbers of small sets of cards up to suits and Jokers.

Without Jokers, a class is four sets of ranks in falling order: larger sets first, then by their place among those of
one size.  Its *shape* is the four sizes.  Within a shape, suits of equal size are a multiset, numbered by the
combinatorial number system for multisets (Knuth, The Art of Computer Programming, volume 4A, section 7.2.1.3).  All
these numbers come once for each number of Jokers.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, product
from math import comb, factorial
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT, count_jokers, get_ranks, get_suit_ranks
from pitboss.core.rule import rule
from pitboss.kernels.enumeration import IntArray

SUIT_EXCHANGES = factorial(SUIT_COUNT)

_SIZE_BITS = 4
_PLACE_BITS = 16
_PLACE_MASK = (1 << _PLACE_BITS) - 1


class ClassNumbers(NamedTuple):
    """The tables that number classes (``number_class``).

    ``order[ranks]`` is the size of a set of ranks above its place among those of this size; ``starts[shape]`` is the
    first number of a shape.  The suit at ``each`` of a shape, with place x, adds ``factors[shape, each]`` times
    ``choices[x, rests[shape, each]]``: the multisets of as many sets of ranks as are left, all before x.  Each Joker
    adds ``naturals``, the number of classes without one.  ``exchanges`` are those of suits, and of Jokers if the deck
    has two.
    """

    order: IntArray
    starts: IntArray
    factors: IntArray
    rests: IntArray
    choices: IntArray
    naturals: int
    classes: int
    exchanges: int


def build_class_numbers(cards: int, most: int) -> ClassNumbers:
    """Number the classes of sets of at most ``most`` cards of a deck.

    ``cards`` has some ranks, each in four suits, and Jokers.

    >>> build_class_numbers((1 << 52) - 1, 3).classes
    1938
    """
    ranks, jokers = get_ranks(cards), count_jokers(cards)
    held = [rank for rank in range(RANK_COUNT) if ranks >> rank & 1]
    most_ranks = min(most, len(held))
    order = np.zeros(1 << RANK_COUNT, np.int64)
    for size in range(most_ranks + 1):
        sets = sorted(sum(1 << rank for rank in chosen) for chosen in combinations(held, size))
        order[sets] = np.arange(len(sets)) | size << _PLACE_BITS
    shapes = 1 << SUIT_COUNT * _SIZE_BITS
    starts, classes = np.zeros(shapes, np.int64), 0
    factors, rests = np.zeros((shapes, SUIT_COUNT), np.int64), np.zeros((shapes, SUIT_COUNT), np.int64)
    for sizes in _iter_shapes(most_ranks, most):
        shape, factor, each = _pack_shape(sizes), 1, SUIT_COUNT
        for size, run in groupby(reversed(sizes)):
            suits = len(list(run))
            each -= suits
            factors[shape, each : each + suits] = factor
            rests[shape, each : each + suits] = range(suits, 0, -1)
            factor *= comb(comb(len(held), size) + suits - 1, suits)
        starts[shape] = classes
        classes += factor
    places = max(comb(len(held), size) for size in range(most_ranks + 1))
    choices = [
        [comb(place + rest - 1, rest) if rest else 0 for rest in range(SUIT_COUNT + 1)] for place in range(places)
    ]
    exchanges = SUIT_EXCHANGES * factorial(jokers)
    tables = order, starts, factors, rests, np.array(choices, np.int64)
    return ClassNumbers(*tables, classes, classes * (jokers + 1), exchanges)


def _iter_shapes(most_ranks: int, most: int) -> Iterator[Sequence[int]]:
    """Yield the falling sizes of four suits, small sums first."""
    shapes = [
        sizes
        for sizes in product(range(most_ranks, -1, -1), repeat=SUIT_COUNT)
        if list(sizes) == sorted(sizes, reverse=True) and sum(sizes) <= most
    ]
    yield from sorted(shapes, key=sum)


def _pack_shape(sizes: Sequence[int]) -> int:
    shape = 0
    for size in sizes:
        shape = shape << _SIZE_BITS | size
    return shape


@rule
def number_class(cards: int, numbers: Any) -> tuple[int, int]:
    """Return the number of a set's class, and the set's symmetries.

    These are how many exchanges leave the set unchanged.

    >>> numbers = build_class_numbers((1 << 52) - 1, 2)
    >>> number_class(0b11, numbers) == number_class(0b11 << 13, numbers), number_class(1 | 1 << 13, numbers)[1]
    (True, 4)
    """
    order = numbers.order
    a, b = order[get_suit_ranks(cards, 0)], order[get_suit_ranks(cards, 1)]
    c, d = order[get_suit_ranks(cards, 2)], order[get_suit_ranks(cards, 3)]
    # A sorting network: the largest first.
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    shape = ((a >> _PLACE_BITS << _SIZE_BITS | b >> _PLACE_BITS) << _SIZE_BITS | c >> _PLACE_BITS) << _SIZE_BITS
    shape |= d >> _PLACE_BITS
    number = numbers.starts[shape]
    number += numbers.factors[shape, 0] * numbers.choices[a & _PLACE_MASK, numbers.rests[shape, 0]]
    number += numbers.factors[shape, 1] * numbers.choices[b & _PLACE_MASK, numbers.rests[shape, 1]]
    number += numbers.factors[shape, 2] * numbers.choices[c & _PLACE_MASK, numbers.rests[shape, 2]]
    number += numbers.factors[shape, 3] * numbers.choices[d & _PLACE_MASK, numbers.rests[shape, 3]]
    # Suits with the same ranks can be exchanged: 4!, 3!, 2! x 2!, 2! or 1 ways.
    same = int(a == b) + int(b == c) + int(c == d)
    alike = 1 << same
    if same > 1 and b == c:
        alike = 24 if same == 3 else 6
    jokers = count_jokers(cards)
    if numbers.exchanges > SUIT_EXCHANGES and jokers != 1:
        alike *= 2
    return int(number + jokers * numbers.naturals), alike
