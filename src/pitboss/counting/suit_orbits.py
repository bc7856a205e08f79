"""Hands under exchanges of suits: which of those that differ in suits alone is their representative."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel
from pitboss.counting.groups import STATES_OF, SUITS, SUITS_OF, Layout

Hands = NDArray[np.int32]


@cache
def _exchanged_states(first: int, second: int) -> Integers:
    """Return for each kind and state, shape (kinds, 6), the state with two suits exchanged."""
    table = np.zeros(SUITS_OF.shape, np.int64)
    for kind in range(1, SUITS + 1):
        held = SUITS_OF[kind].tolist()
        for state in range(STATES_OF[kind]):
            suits = held[state]
            swapped = suits & ~(1 << first | 1 << second)
            swapped |= (suits >> first & 1) << second | (suits >> second & 1) << first
            table[kind, state] = held.index(swapped)
    return table


def exchanged_hands(layout: Layout, first: int, second: int) -> Hands:
    """Return for every hand which it is with two suits exchanged."""
    hands = np.empty(layout.start[-1], np.int32)
    _exchange(layout, _exchanged_states(first, second), hands)
    return hands


@kernel
def _exchange(layout: Layout, states: Integers, hands: Hands) -> None:
    for block in range(len(layout.shape)):
        kinds = layout.kinds[layout.shape[block]]
        for hand in range(layout.start[block], layout.start[block + 1]):
            left, place, to = hand - layout.start[block], 1, layout.start[block]
            for group in range(4, -1, -1):
                if kinds[group]:
                    count = STATES_OF[kinds[group]]
                    to += place * states[kinds[group], left % count]
                    left //= count
                    place *= count
            hands[hand] = to


class Orbits(NamedTuple):
    """Hands up to exchanges of three suits, the first suit apart.

    ``hands`` has a representative of each class (the first of it), ``weights`` how many hands are of the class;
    ``within`` the representatives with the second suit exchanged for the third and for the fourth, shape
    (2, classes), and ``across`` with the first exchanged for each of the others, shape (3, classes); ``classes`` gives
    for every hand of the deck the number of its class, and ``least`` is true where a class has the first hand of all
    that differ in all four suits.
    """

    hands: Hands
    weights: Hands
    within: Hands
    across: Hands
    classes: Hands
    least: NDArray[np.bool_]


def orbits(layout: Layout) -> Orbits:
    """Return the classes of all hands of a layout."""
    third, fourth, others = (exchanged_hands(layout, *pair) for pair in ((1, 2), (1, 3), (2, 3)))
    first = np.arange(len(third), dtype=np.int32)
    for images in (third, fourth, others, third[fourth], fourth[third]):
        np.minimum(first, images, out=first)
    hands = np.flatnonzero(first == np.arange(len(first))).astype(np.int32)
    numbers = np.zeros(len(first), np.int32)
    numbers[hands] = np.arange(len(hands))
    weights = np.bincount(numbers[first], minlength=len(hands)).astype(np.int32)
    across = np.stack([exchanged_hands(layout, 0, suit)[hands] for suit in (1, 2, 3)])
    least: NDArray[np.bool_] = first[across].min(axis=0) >= hands
    return Orbits(hands, weights, np.stack([third[hands], fourth[hands]]), across, numbers[first], least)
