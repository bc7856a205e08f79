"""Number the classes of small sets of cards.

The sets of a class become one another by exchanging suits: see ``suit_symmetry``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, popcount
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray, get_card_bits, map_ranges
from pitboss.kernels.set_numbering import build_set_steps, compute_size_starts, list_subset_sizes, number_subsets
from pitboss.kernels.suit_symmetry import SuitedDeck, canonicalize, compute_orbit_sizes

ClassIndexes = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class SetClasses:
    """The classes of all sets of fewer than ``cards`` cards of a deck, numbered.

    Smaller sets come first; those of one size are in the order of their least sets.

    ``masks`` has the least set of each class and ``orbits`` how many sets a class has; ``first[size]`` is the first
    class of sets of that size and ``first[cards]`` the number of classes.  ``of_number`` gives the class of a set by
    its number (``set_numbering``) among the positions of ``deck.cards``.
    """

    deck: SuitedDeck
    cards: int
    masks: IntArray
    orbits: IntArray
    first: list[int]
    of_number: ClassIndexes
    _steps: IntArray
    _places: IntArray

    @classmethod
    def build(cls, suited: SuitedDeck, cards: int) -> Self:
        """Walk through all sets once: the least set of a class comes before the others."""
        deck = suited.cards
        steps, sets = build_set_steps(len(deck), cards)
        places = np.zeros(FIRST_JOKER + 2, np.int64)
        places[deck] = np.arange(len(deck))
        of_number = np.zeros(sets, np.uint32)
        masks = np.zeros(sets, np.int64)
        class_count = _classify(get_card_bits(deck), places, steps, of_number, masks)
        sizes = [*(int(of_number[number]) for number in compute_size_starts(len(deck), cards)[:-1]), class_count]
        masks = masks[:class_count].copy()
        return cls(suited, cards, masks, compute_orbit_sizes(suited, masks), sizes, of_number, steps, places)

    def classify_subsets(self, masks: IntArray, columns: Sequence[int]) -> ClassIndexes:
        """Return the classes of subsets of many sets of one size, shape (sets, columns).

        ``columns`` are subsets, bit i standing for the i-th of the rising cards; each must be smaller than ``cards``.
        """
        cards = int(masks[0]).bit_count()
        sizes, wanted = list_subset_sizes(cards), np.array(columns, np.int64)
        rows = np.empty((len(masks), len(columns)), np.uint32)
        map_ranges(
            lambda first, after: _write_rows(
                masks, first, after, self._places, self._steps, sizes, wanted, self.of_number, rows
            ),
            len(masks),
        )
        return rows


@kernel
def write_codes(mask: int, codes: IntArray) -> None:
    """Write the rising codes of a set into ``codes``.

    ``codes`` has one element for each card of the set.
    """
    for each in range(len(codes)):
        codes[each] = popcount((mask & -mask) - 1)
        mask &= mask - 1


@kernel
def _number_set(mask: int, places: IntArray, steps: IntArray) -> Any:
    number = 0
    size = 0
    while mask != 0:
        number += steps[places[popcount((mask & -mask) - 1)], size]
        size += 1
        mask &= mask - 1
    return number


@kernel
def _classify(bits: IntArray, places: IntArray, steps: IntArray, of_number: ClassIndexes, masks: IntArray) -> int:
    """Number the classes of all sets in the order of the sets' numbers.

    The empty set is class 0.
    """
    number, classes = 1, 1
    for size in range(1, steps.shape[1]):
        chosen = np.arange(size)
        while chosen[size - 1] < len(bits):
            mask = 0
            for place in chosen:
                mask |= bits[place]
            # A least set opens a class.  Any other set has a least set of a lower number, whose class is already known.
            least = canonicalize(mask)
            if least == mask:
                masks[classes] = mask
                of_number[number] = classes
                classes += 1
            else:
                of_number[number] = of_number[_number_set(least, places, steps)]
            number += 1
            moved = 0
            while moved < size - 1 and chosen[moved] + 1 == chosen[moved + 1]:
                chosen[moved] = moved
                moved += 1
            chosen[moved] += 1
    return classes


@kernel
def _write_rows(
    masks: IntArray,
    first: int,
    after: int,
    places: IntArray,
    steps: IntArray,
    sizes: IntArray,
    columns: IntArray,
    of_number: ClassIndexes,
    rows: ClassIndexes,
) -> None:
    numbers = np.zeros(len(sizes) + 1, np.int64)
    held = np.zeros(popcount(len(sizes)), np.int64)
    for each in range(first, after):
        write_codes(masks[each], held)
        for card_index in range(len(held)):
            held[card_index] = places[held[card_index]]
        number_subsets(held, steps, sizes, numbers)
        for column in range(len(columns)):
            rows[each, column] = of_number[numbers[columns[column]]]
