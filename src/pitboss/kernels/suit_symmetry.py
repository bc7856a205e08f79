"""Group sets of cards up to an exchange of suits.

Suits have no rank and Jokers no face, so sets that differ by an exchange are worth the same.
The sets that become one another when suits or Jokers change places are a class; its *least* set, as an integer,
represents it, and its *orbit*, the number of sets in the class, weighs it.  A set of four suits is least when the ranks
of its suits, as integers, do not rise from spades to clubs: there is nothing to try out.  With open cards, only the
exchanges that leave these cards unchanged count; they are tried out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial
from typing import Any

import numpy as np

from pitboss.cards import (
    FIRST_JOKER,
    RANK_COUNT,
    SUIT_COUNT,
    count_jokers,
    get_naturals,
    get_rank,
    get_suit_ranks,
    make_card,
    popcount,
)
from pitboss.core.rule import rule
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray


@rule
def permute_suits(mask: Any, order: Any) -> Any:
    """Return the set with suit ``order[i]`` in place of suit ``i``, no Jokers.

    >>> bin(permute_suits(0b101, (1, 0, 2, 3))) == bin(0b101 << 13)
    True
    """
    return (
        get_suit_ranks(mask, order[0])
        | get_suit_ranks(mask, order[1]) << 13
        | get_suit_ranks(mask, order[2]) << 26
        | get_suit_ranks(mask, order[3]) << 39
    )


@rule
def move_suit_first(mask: int, of: int) -> int:
    """Return the set with the first suit and another exchanged; Jokers stay.

    >>> move_suit_first(0b11 | 1 << 52, 2) == 0b11 << 26 | 1 << 52
    True
    """
    # Ranks that only one of the two suits has change in both: exclusive or exchanges the suits.
    changed = get_suit_ranks(mask, 0) ^ get_suit_ranks(mask, of)
    return mask ^ (changed | changed << RANK_COUNT * of) if of else mask


def list_suit_orders(*masks: int) -> IntArray:
    """Return the exchanges of suits that leave these sets unchanged.

    The result has shape (exchanges, 4), the identity first.

    >>> len(list_suit_orders(0)), len(list_suit_orders(0, 0b1)), len(list_suit_orders(0, 0b1, 0b1 << 13))
    (24, 6, 2)
    """
    orders = permutations(range(SUIT_COUNT))
    return np.array(
        [order for order in orders if all(permute_suits(cards, order) == cards for cards in masks)], np.int64
    )


@rule
def count_images(mask: Any, orders: Any) -> int:
    """Return how many sets a group of suit exchanges makes of the set.

    The result is 0 if one of these sets is less than the set.

    >>> [count_images(0b1 << 13 * place, list_suit_orders(0)) for place in range(4)]
    [4, 0, 0, 0]
    """
    alike = 0
    for order in range(len(orders)):
        image = permute_suits(mask, orders[order])
        if image < mask:
            return 0
        alike += 1 if image == mask else 0
    # Orbit and stabilizer: the group's size divided by the number of exchanges that leave the set unchanged.
    return len(orders) // alike


def list_suit_classes(deck: Sequence[int], cards: int) -> tuple[IntArray, IntArray]:
    """Return a set of each kind, and how many sets are of that kind.

    The sets are of ``cards`` natural cards of ``deck``.  Two sets are of one kind if an exchange of suits that leaves
    the deck unchanged turns one into the other.
    """
    masks = np.array([sum(1 << card for card in held) for held in combinations(deck, cards)], np.int64)
    images = [permute_suits(masks, order) for order in list_suit_orders(sum(1 << card for card in deck))]
    kinds, weights = np.unique(np.min(images, axis=0), return_counts=True)
    return kinds, weights.astype(np.int64)


@dataclass(frozen=True, slots=True)
class SuitedDeck:
    """Cards of some ranks in the first suits, and the first Jokers.

    There are ``suits`` suits and ``jokers`` Jokers.
    """

    ranks: Sequence[int] = range(RANK_COUNT)
    suits: int = SUIT_COUNT
    jokers: int = 0

    @property
    def cards(self) -> list[int]:
        """The rising codes of the cards."""
        held = [make_card(each, suit_index) for suit_index in range(self.suits) for each in sorted(self.ranks)]
        return held + [FIRST_JOKER + joker for joker in range(self.jokers)]

    @property
    def relabellings(self) -> int:
        """The number of ways in which suits, and Jokers, can change places."""
        return factorial(self.suits) * factorial(self.jokers)


@rule
def canonicalize(mask: int) -> int:
    """Return the least set that exchanges of suits or Jokers make of ``mask``.

    >>> canonicalize(1 << 0 | 1 << 14 | 1 << 53) == 1 << 1 | 1 << 13 | 1 << 52
    True
    """
    one, two, three, four = (
        get_suit_ranks(mask, 0),
        get_suit_ranks(mask, 1),
        get_suit_ranks(mask, 2),
        get_suit_ranks(mask, 3),
    )
    # A sorting network for four numbers: five comparisons put the highest ranks first.
    one, two = max(one, two), min(one, two)
    three, four = max(three, four), min(three, four)
    one, three = max(one, three), min(one, three)
    two, four = max(two, four), min(two, four)
    two, three = max(two, three), min(two, three)
    held = (1 << count_jokers(mask)) - 1
    return one | two << RANK_COUNT | three << 2 * RANK_COUNT | four << 3 * RANK_COUNT | held << FIRST_JOKER


@rule
def compute_orbit_size(mask: int, suits: int, all_jokers: int) -> int:
    """Return how many sets the *least* set ``mask`` can become, with itself.

    The deck has ``suits`` suits and ``all_jokers`` Jokers.

    >>> compute_orbit_size(0, 4, 2), compute_orbit_size(1, 4, 2), compute_orbit_size(1 | 1 << 52, 4, 2)
    (1, 4, 8)
    """
    sets = 2 if all_jokers == 2 and count_jokers(mask) == 1 else 1
    # The permutations of the suits divided by those of equal suits, which stand next to each other in a least set.
    alike = 1
    for suit_index in range(1, suits):
        alike = alike + 1 if get_suit_ranks(mask, suit_index) == get_suit_ranks(mask, suit_index - 1) else 1
        sets = sets * (suit_index + 1) // alike
    return sets


@rule
def find_canonical_place(mask: int, code: int) -> int:
    """Return the index of a card of ``mask`` in the least set of its class.

    ``code`` is the card; the cards of the least set rise.  If relabellings of the set into itself exchange cards, the
    result is the first index of these.
    """
    if code >= FIRST_JOKER:
        return popcount(get_naturals(mask))
    mine = get_suit_ranks(mask, code // RANK_COUNT)
    before = popcount(mine & (1 << get_rank(code)) - 1)
    # Suits with higher ranks come before the card's own suit in the least set.
    for suit_index in range(SUIT_COUNT):
        other = get_suit_ranks(mask, suit_index)
        if other > mine:
            before += popcount(other)
    return before


@rule
def count_exchangeable(mask: int, code: int) -> int:
    """Count a set's cards that a card can change places with, itself included.

    The changes are relabellings of the set into itself.
    """
    if code >= FIRST_JOKER:
        return count_jokers(mask)
    mine = get_suit_ranks(mask, code // RANK_COUNT)
    cards = 0
    for suit_index in range(SUIT_COUNT):
        cards += 1 if get_suit_ranks(mask, suit_index) == mine else 0
    return cards


def list_canonical_sets(deck: SuitedDeck, cards: int) -> IntArray:
    """Return the rising least sets of all classes of ``cards`` cards.

    In a least set the ranks of the suits do not rise.
    """
    sets = [
        _list_canonical_naturals(deck, cards - held) | ((1 << held) - 1) << FIRST_JOKER
        for held in range(min(deck.jokers, cards) + 1)
    ]
    return np.sort(np.concatenate(sets))


def _list_canonical_naturals(deck: SuitedDeck, cards: int) -> IntArray:
    """Return the least sets without Jokers."""
    held = [
        np.array(sorted(sum(1 << rank for rank in ranks) for ranks in combinations(deck.ranks, size)), np.int64)
        for size in range(cards + 1)
    ]
    sets, above, left = np.zeros(1, np.int64), np.array([1 << RANK_COUNT]), np.array([cards])
    for suit_index in range(deck.suits):
        grown = []
        for size in range(cards + 1):
            # The last suit must take all cards that are left.
            fits = left == size if suit_index == deck.suits - 1 else left >= size
            # ``held[size]`` rises, so the ranks that are not above those of the suit before are its first ``choices``.
            choices = np.searchsorted(held[size], above[fits], side="right")
            before = np.repeat(np.flatnonzero(fits), choices)
            ranks = held[size][np.arange(len(before)) - np.repeat(np.cumsum(choices) - choices, choices)]
            grown.append((sets[before] | ranks << RANK_COUNT * suit_index, ranks, left[before] - size))
        sets, above, left = (np.concatenate(part) for part in zip(*grown, strict=True))
    return sets


def compute_orbit_sizes(deck: SuitedDeck, masks: IntArray) -> IntArray:
    """Return the ``compute_orbit_size`` of each least set."""
    return _fill_orbit_sizes(masks, deck.suits, deck.jokers)


@kernel
def _fill_orbit_sizes(masks: IntArray, suits: int, all_jokers: int) -> IntArray:
    sets = np.empty(len(masks), np.int64)
    for each in range(len(masks)):
        sets[each] = compute_orbit_size(masks[each], suits, all_jokers)
    return sets
