"""Sets of cards up to suits: suits have no rank and Jokers no face, so sets they relabel into are worth the same.

The sets that become one another when suits change places, and Jokers, are a class; the *least* set of a class, as an
integer, stands for all.  A set of four suits is least when the ranks of its suits, as integers, do not rise from spades
to clubs: nothing need be tried out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, RANKS, SUITS, card, jokers, naturals, popcount, rank, suit
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers, bits_of, in_parts
from pitboss.counting.compile import kernel
from pitboss.counting.numbers import first_numbers, number_subsets, numbered_sets, subset_sizes

ClassNumbers = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class SuitedDeck:
    """The cards of some ranks in each of the first ``suits`` suits, and the first ``jokers`` Jokers."""

    ranks: Sequence[int] = range(RANKS)
    suits: int = SUITS
    jokers: int = 0

    @property
    def cards(self) -> list[int]:
        """The codes of the cards, which rise."""
        held = [card(each, suit_index) for suit_index in range(self.suits) for each in sorted(self.ranks)]
        return held + [FIRST_JOKER + joker for joker in range(self.jokers)]

    @property
    def relabellings(self) -> int:
        """In how many ways suits, and Jokers, can change places."""
        return factorial(self.suits) * factorial(self.jokers)


@rule
def least(mask: int) -> int:
    """Return the least set that ``mask`` becomes when suits change places, and two Jokers.

    >>> least(1 << 0 | 1 << 14 | 1 << 53) == 1 << 1 | 1 << 13 | 1 << 52
    True
    """
    one, two, three, four = suit(mask, 0), suit(mask, 1), suit(mask, 2), suit(mask, 3)
    one, two = max(one, two), min(one, two)
    three, four = max(three, four), min(three, four)
    one, three = max(one, three), min(one, three)
    two, four = max(two, four), min(two, four)
    two, three = max(two, three), min(two, three)
    held = (1 << jokers(mask)) - 1
    return one | two << RANKS | three << 2 * RANKS | four << 3 * RANKS | held << FIRST_JOKER


@rule
def orbit(mask: int, suits: int, all_jokers: int) -> int:
    """Return how many sets the *least* set ``mask`` can become in a deck of so many suits and Jokers, itself counted.

    >>> orbit(0, 4, 2), orbit(1, 4, 2), orbit(1 | 1 << 52, 4, 2)
    (1, 4, 8)
    """
    sets = 2 if all_jokers == 2 and jokers(mask) == 1 else 1
    alike = 1
    for suit_index in range(1, suits):
        alike = alike + 1 if suit(mask, suit_index) == suit(mask, suit_index - 1) else 1
        sets = sets * (suit_index + 1) // alike
    return sets


@rule
def place_in_least(mask: int, code: int) -> int:
    """Return where the card ``code`` of the set ``mask`` stands among the rising cards of the least set of its class.

    Of cards that a relabelling of the set into itself can exchange it is the first place.
    """
    if code >= FIRST_JOKER:
        return popcount(naturals(mask))
    mine = suit(mask, code // RANKS)
    before = popcount(mine & (1 << rank(code)) - 1)
    for suit_index in range(SUITS):
        other = suit(mask, suit_index)
        if other > mine:
            before += popcount(other)
    return before


@rule
def exchangeable(mask: int, code: int) -> int:
    """Return with how many cards of the set, itself counted, relabellings of the set into itself exchange a card."""
    if code >= FIRST_JOKER:
        return jokers(mask)
    mine = suit(mask, code // RANKS)
    cards = 0
    for suit_index in range(SUITS):
        cards += 1 if suit(mask, suit_index) == mine else 0
    return cards


def least_sets(deck: SuitedDeck, cards: int) -> Integers:
    """Return the least set of every class of ``cards`` cards, rising: suit by suit none above the suit before."""
    found = [
        _least_naturals(deck, cards - held) | ((1 << held) - 1) << FIRST_JOKER
        for held in range(min(deck.jokers, cards) + 1)
    ]
    return np.sort(np.concatenate(found))


def _least_naturals(deck: SuitedDeck, cards: int) -> Integers:
    """Return the least sets without Jokers."""
    held = [
        np.array(sorted(sum(1 << rank for rank in ranks) for ranks in combinations(deck.ranks, size)), np.int64)
        for size in range(cards + 1)
    ]
    sets, above, left = np.zeros(1, np.int64), np.array([1 << RANKS]), np.array([cards])
    for suit_index in range(deck.suits):
        grown = []
        for size in range(cards + 1):
            fits = left == size if suit_index == deck.suits - 1 else left >= size
            choices = np.searchsorted(held[size], above[fits], side="right")
            before = np.repeat(np.flatnonzero(fits), choices)
            ranks = held[size][np.arange(len(before)) - np.repeat(np.cumsum(choices) - choices, choices)]
            grown.append((sets[before] | ranks << RANKS * suit_index, ranks, left[before] - size))
        sets, above, left = (np.concatenate(part) for part in zip(*grown, strict=True))
    return sets


def orbits(deck: SuitedDeck, masks: Integers) -> Integers:
    """Return the ``orbit`` of each least set."""
    return _orbits(masks, deck.suits, deck.jokers)


@kernel
def _orbits(masks: Integers, suits: int, all_jokers: int) -> Integers:
    sets = np.empty(len(masks), np.int64)
    for each in range(len(masks)):
        sets[each] = orbit(masks[each], suits, all_jokers)
    return sets


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """The classes of all sets of fewer than ``cards`` cards of a deck, numbered: smaller sets first, then by least set.

    ``masks`` has the least set of each class and ``orbits`` how many sets a class has; ``first[size]`` is the first
    class of sets of that size and ``first[cards]`` the number of classes.  ``of_number`` gives the class of a set by
    its number (``numbers``) among the places of ``deck.cards``.
    """

    deck: SuitedDeck
    cards: int
    masks: Integers = field(init=False)
    orbits: Integers = field(init=False)
    first: list[int] = field(init=False)
    of_number: ClassNumbers = field(init=False)
    _steps: Integers = field(init=False)
    _places: Integers = field(init=False)

    def __post_init__(self) -> None:
        """Walk through all sets once: the least set of a class comes before the others."""
        deck = self.deck.cards
        steps, sets = numbered_sets(len(deck), self.cards)
        places = np.zeros(FIRST_JOKER + 2, np.int64)
        places[deck] = np.arange(len(deck))
        of_number = np.zeros(sets, np.uint32)
        masks = np.zeros(sets, np.int64)
        found = _classify(bits_of(deck), places, steps, of_number, masks)
        sizes = [*(int(of_number[number]) for number in first_numbers(len(deck), self.cards)[:-1]), found]
        values = {"masks": masks[:found].copy(), "first": sizes, "of_number": of_number}
        for name, value in (values | {"_steps": steps, "_places": places}).items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "orbits", orbits(self.deck, self.masks))

    def rows(self, masks: Integers, columns: Sequence[int]) -> ClassNumbers:
        """Return the classes of subsets of many sets of one size, shape (sets, columns).

        ``columns`` are subsets, bit i standing for the i-th of the rising cards; each smaller than ``cards``.
        """
        cards = int(masks[0]).bit_count()
        sizes, wanted = subset_sizes(cards), np.array(columns, np.int64)
        rows = np.empty((len(masks), len(columns)), np.uint32)
        in_parts(
            lambda first, after: _write_rows(
                masks, first, after, self._places, self._steps, sizes, wanted, self.of_number, rows
            ),
            len(masks),
        )
        return rows


@kernel
def lay_out(mask: int, codes: Integers) -> None:
    """Write the rising codes of a set into ``codes``, which has as many elements as the set cards."""
    for each in range(len(codes)):
        codes[each] = popcount((mask & -mask) - 1)
        mask &= mask - 1


@kernel
def _number(mask: int, places: Integers, steps: Integers) -> Any:
    number = 0
    size = 0
    while mask != 0:
        number += steps[places[popcount((mask & -mask) - 1)], size]
        size += 1
        mask &= mask - 1
    return number


@kernel
def _classify(bits: Integers, places: Integers, steps: Integers, of_number: ClassNumbers, masks: Integers) -> int:
    """Number the classes of all sets in the order of their numbers; the empty set is class 0."""
    number, classes = 1, 1
    for size in range(1, steps.shape[1]):
        chosen = np.arange(size)
        while chosen[size - 1] < len(bits):
            mask = 0
            for place in chosen:
                mask |= bits[place]
            small = least(mask)
            if small == mask:
                masks[classes] = mask
                of_number[number] = classes
                classes += 1
            else:
                of_number[number] = of_number[_number(small, places, steps)]
            number += 1
            moved = 0
            while moved < size - 1 and chosen[moved] + 1 == chosen[moved + 1]:
                chosen[moved] = moved
                moved += 1
            chosen[moved] += 1
    return classes


@kernel
def _write_rows(
    masks: Integers,
    first: int,
    after: int,
    places: Integers,
    steps: Integers,
    sizes: Integers,
    columns: Integers,
    of_number: ClassNumbers,
    rows: ClassNumbers,
) -> None:
    numbers = np.zeros(len(sizes) + 1, np.int64)
    held = np.zeros(popcount(len(sizes)), np.int64)
    for each in range(first, after):
        lay_out(masks[each], held)
        for card_index in range(len(held)):
            held[card_index] = places[held[card_index]]
        number_subsets(held, steps, sizes, numbers)
        for column in range(len(columns)):
            rows[each, column] = of_number[numbers[columns[column]]]
