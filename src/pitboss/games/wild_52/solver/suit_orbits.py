"""Find a representative among hands that differ only by an exchange of suits."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.wild_52.solver.hand_layout import KIND_STATES, STATE_SUITS, SUITS, HandLayout
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray

HandNumbers = NDArray[np.int32]


@cache
def _swap_states(first: int, second: int) -> IntArray:
    """Return each kind's states with two suits exchanged, shape (kinds, 6)."""
    table = np.zeros(STATE_SUITS.shape, np.int64)
    for kind in range(1, SUITS + 1):
        held = STATE_SUITS[kind].tolist()
        for state in range(KIND_STATES[kind]):
            suits = held[state]
            swapped = suits & ~(1 << first | 1 << second)
            swapped |= (suits >> first & 1) << second | (suits >> second & 1) << first
            table[kind, state] = held.index(swapped)
    return table


def swap_suits(layout: HandLayout, first: int, second: int) -> HandNumbers:
    """Return, for every hand, the number of the hand with two suits exchanged."""
    hands = np.empty(layout.block_starts[-1], np.int32)
    _swap_hands(layout, _swap_states(first, second), hands)
    return hands


@kernel
def _swap_hands(layout: HandLayout, states: IntArray, hands: HandNumbers) -> None:
    for block in range(len(layout.shape)):
        kinds = layout.kinds[layout.shape[block]]
        for hand in range(layout.block_starts[block], layout.block_starts[block + 1]):
            left, place, to = hand - layout.block_starts[block], 1, layout.block_starts[block]
            # Read the states of the groups off the hand's number, the last group fastest, and build the new number from
            # theirs.
            for group in range(4, -1, -1):
                if kinds[group]:
                    count = KIND_STATES[kinds[group]]
                    to += place * states[kinds[group], left % count]
                    left //= count
                    place *= count
            hands[hand] = to


class SuitOrbits(NamedTuple):
    """Hands up to exchanges of three suits, with the first suit apart.

    ``representatives`` has the first hand of each class, ``weights`` how many hands the class has; ``second_swaps`` has
    the representatives with the second suit exchanged for the third and for the fourth, shape (2, classes), and
    ``first_swaps`` with the first exchanged for each of the others, shape (3, classes); ``classes`` gives the number of
    the class for every hand of the deck, and ``is_first`` is true where a class has the first hand of all that differ
    in all four suits.
    """

    representatives: HandNumbers
    weights: HandNumbers
    second_swaps: HandNumbers
    first_swaps: HandNumbers
    classes: HandNumbers
    is_first: NDArray[np.bool_]


def compute_orbits(layout: HandLayout) -> SuitOrbits:
    """Return the classes of all hands of a layout."""
    third, fourth, others = (swap_suits(layout, *pair) for pair in ((1, 2), (1, 3), (2, 3)))
    first = np.arange(len(third), dtype=np.int32)
    # Exchanging three suits gives six images: the hand, the three swaps, and the two swaps in a row that turn the suits
    # in a circle.  The least of them is the representative.
    for images in (third, fourth, others, third[fourth], fourth[third]):
        np.minimum(first, images, out=first)
    hands = np.flatnonzero(first == np.arange(len(first))).astype(np.int32)
    numbers = np.zeros(len(first), np.int32)
    numbers[hands] = np.arange(len(hands))
    weights = np.bincount(numbers[first], minlength=len(hands)).astype(np.int32)
    across = np.stack([swap_suits(layout, 0, suit)[hands] for suit in (1, 2, 3)])
    least: NDArray[np.bool_] = first[across].min(axis=0) >= hands
    return SuitOrbits(hands, weights, np.stack([third[hands], fourth[hands]]), across, numbers[first], least)
