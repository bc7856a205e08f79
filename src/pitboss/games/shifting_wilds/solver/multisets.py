"""Hands of four cards by their ranks, and numbers for sets of these ranks.

A *multiset* is the rising ranks of a hand, each as its index among the deck's ranks (its *slot*).  The hands of a
multiset differ only in suits.  The *state* of a hand in a suit is four bits: bit i is set if its i-th card is of that
suit.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.shifting_wilds.rules import HAND
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import count_images

Int32Array = NDArray[np.int32]

HAND_BITS = 18
HAND_MASK = (1 << HAND_BITS) - 1
"""Hands are numbered in 18 bits: two community cards leave 230,300 hands."""

BONUS_BITS = 6
BONUS_MASK = (1 << BONUS_BITS) - 1
"""The outcomes of the Regular Bonus, 37 and a loss, take 6 bits."""

STATE_COUNT = 1 << HAND
TERNARY_COUNT = 3**HAND
_MAX_SIZE = 6

BINOMIALS = np.array([[comb(n, k) for k in range(_MAX_SIZE)] for n in range(2 * RANK_COUNT + _MAX_SIZE)], np.int64)

TERNARY_TABLE = np.array(
    [
        [
            sum(3**card * (1 + (state >> card & 1)) for card in range(HAND) if taken >> card & 1)
            for state in range(STATE_COUNT)
        ]
        for taken in range(STATE_COUNT)
    ],
    np.int64,
)
"""Shape (16, 16), by a set of a hand's cards and a state: its ternary code, one digit for each card, the first card
lowest: 0 for a card not taken, 1 for a card outside the suit, 2 for a card in it."""

SUBSET_SIGNS = np.array([-1 if taken.bit_count() & 1 else 1 for taken in range(STATE_COUNT)], np.int64)
"""The sign of each set of cards in an inclusion and exclusion."""

SUBSET_SIZES = np.array([taken.bit_count() for taken in range(STATE_COUNT)], np.int64)
"""The size of each set of cards, or how many cards of a state are in the suit."""


class HandMultisets(NamedTuple):
    """The multisets of four slots of a deck.

    ``ranks`` has the rank of each slot, ``slots`` (multisets, 4) the slots of each multiset, and ``numbers`` the
    multiset of four rising slots at ``slot_0 + slots * (slot_1 + slots * ...)``.
    """

    ranks: IntArray
    slots: IntArray
    numbers: IntArray


class OpeningHands(NamedTuple):
    """The hands with two community cards, up to exchanges of suits.

    The exchanges are those that leave the community cards as they are.  ``starts`` (multisets + 1,) is where the hands
    of each multiset start.  For each hand: ``masks``, ``states`` (four bits for each suit), ``weights`` (how many hands
    it stands for) and ``multisets``.
    """

    starts: IntArray
    masks: IntArray
    states: IntArray
    weights: IntArray
    multisets: IntArray


def make_multisets(ranks: Sequence[int]) -> HandMultisets:
    """Return the multisets of a deck of four suits of ``ranks``, rising."""
    slots = list(combinations_with_replacement(range(len(ranks)), HAND))
    number = np.zeros(len(ranks) ** HAND, np.int64)
    for each, held in enumerate(slots):
        number[sum(slot * len(ranks) ** place for place, slot in enumerate(held))] = each
    return HandMultisets(np.array(ranks, np.int64), np.array(slots, np.int64), number)


@kernel_helper
def find_multiset(multisets: HandMultisets, a: int, b: int, c: int, d: int) -> Any:
    """Return the number of a multiset of rising slots."""
    slots = len(multisets.ranks)
    return multisets.numbers[a + slots * (b + slots * (c + slots * d))]


@kernel_helper
def number_multiset(kinds: IntArray, size: int, all_kinds: int) -> int:
    """Number a multiset of ``size`` rising kinds (0 to 5), smaller multisets first."""
    number = 0
    for place in range(size):
        number += BINOMIALS[all_kinds + place - 1, place] + BINOMIALS[kinds[place] + place, place + 1]
    return number


@kernel_helper
def advance_kinds(chosen: IntArray, size: int) -> None:
    """Advance ``size`` rising kinds to the next.

    All of the lowest kind come first, and the last kind rises last.
    """
    card = 0
    while card < size - 1 and chosen[card] == chosen[card + 1]:
        chosen[card] = 0
        card += 1
    chosen[card] += 1


@kernel_helper
def has_live_cards(live: IntArray, chosen: IntArray, size: int) -> bool:
    """Tell whether enough cards are live for ``size`` rising kinds."""
    run = 0
    for card in range(size):
        run = run + 1 if card > 0 and chosen[card] == chosen[card - 1] else 1
        if live[chosen[card]] < run:
            return False
    return True


@kernel_helper
def may_flush(chosen: IntArray, size: int, needed: int) -> bool:
    """Tell whether ``size`` rising kinds may be ``needed`` cards of a flush.

    Odd kinds are in the suit, and others can only be wild, which one rank at most is.
    """
    within, outside, most = 0, 0, 0
    for card in range(size):
        if chosen[card] & 1:
            within += 1
        else:
            outside = outside + 1 if card > 0 and chosen[card] == chosen[card - 1] else 1
            most = max(most, outside)
    return within + most >= needed


@kernel_helper
def fill_subsets(
    live: IntArray, chosen: IntArray, size: int, all_kinds: int, numbers: IntArray, times: IntArray
) -> None:
    """Number the sets within ``size`` rising kinds and count who holds them.

    By which of the kinds a set takes: its number in ``numbers`` (``number_multiset``), and in ``times`` how many hands
    of these kinds hold the set.  Among cards of one kind, only sets that take the first ones count; others have 0.
    """
    for taken in range(1 << size):
        numbers[taken], times[taken] = 0, 0
    times[0], first = 1, 0
    while first < size:
        kind, end = chosen[first], first + 1
        while end < size and chosen[end] == kind:
            end += 1
        for lower in range(1 << first):
            held, taken, number, ways = SUBSET_SIZES[lower], lower, numbers[lower], times[lower]
            if ways == 0:
                continue
            times[lower] = ways * BINOMIALS[live[kind], end - first]
            for card in range(first, end):
                number += BINOMIALS[all_kinds + held - 1, held] + BINOMIALS[kind + held, held + 1]
                held, taken = held + 1, taken | 1 << card
                # The set has the kind's cards up to this one, and the hand's others are among those that are left.
                ways_left = BINOMIALS[live[kind] - (card + 1 - first), end - card - 1]
                numbers[taken], times[taken] = number, ways * ways_left
        first = end


def count_multisets(kinds: int, most: int) -> int:
    """Return how many multisets of up to ``most`` kinds there are.

    This is also the number after the last.

    >>> count_multisets(13, 3)
    560
    """
    return int(sum(BINOMIALS[kinds + size - 1, size] for size in range(most + 1)))


def number_multisets(kinds: IntArray, all_kinds: int) -> IntArray:
    """Number multisets, of shape (..., size), as ``number_multiset`` does.

    Their kinds may be in any order.
    """
    places = np.arange(kinds.shape[-1])
    above = BINOMIALS[all_kinds + places - 1, places] + BINOMIALS[np.sort(kinds, axis=-1) + places, places + 1]
    numbers: IntArray = above.sum(axis=-1)
    return numbers


def number_rank_subsets(multisets: HandMultisets, most: int) -> Int32Array:
    """Number the ranks of each set of cards of every multiset.

    The 16 sets of a multiset's four cards are numbered by the ranks taken.  Kinds are slots.  Sets of more than
    ``most`` cards have the number after the last.
    """
    kinds = len(multisets.ranks)
    numbers = np.full((len(multisets.slots), STATE_COUNT), count_multisets(kinds, most), np.int32)
    for taken in range(STATE_COUNT):
        cards = [card for card in range(HAND) if taken >> card & 1]
        if len(cards) <= most:
            numbers[:, taken] = number_multisets(multisets.slots[:, cards], kinds)
    return numbers


def number_suited_subsets(multisets: HandMultisets, most: int) -> Int32Array:
    """Return the number of the kinds taken, for every multiset and ternary code.

    A kind is ``2 * slot``, plus one in the suit.  Sets of more than ``most`` cards, and sets with one card twice, have
    the number after the last.
    """
    kinds = 2 * len(multisets.ranks)
    numbers = np.full((len(multisets.slots), TERNARY_COUNT), count_multisets(kinds, most), np.int32)
    for code in range(TERNARY_COUNT):
        taken = np.sort(select_kinds(multisets, code), axis=1)
        twice = ((taken[:, 1:] == taken[:, :-1]) & (taken[:, 1:] % 2 == 1)).any(axis=1)
        if taken.shape[1] <= most:
            numbers[~twice, code] = number_multisets(taken[~twice], kinds)
    return numbers


def select_kinds(multisets: HandMultisets, code: int) -> IntArray:
    """Return the kinds that a ternary code takes of each multiset.

    The shape is (multisets, cards taken).
    """
    digits = [code // 3**card % 3 for card in range(HAND)]
    cards = [card for card in range(HAND) if digits[card]]
    sides = np.array([digits[card] - 1 for card in cards], np.int64)
    kinds: IntArray = 2 * multisets.slots[:, cards] + sides
    return kinds


def list_opening_hands(multisets: HandMultisets, community: int, permutations: IntArray) -> OpeningHands:
    """Return the hands that the community cards leave.

    ``permutations`` of suits leave these cards as they are.
    """
    capacity = len(multisets.slots) * SUIT_COUNT**HAND
    columns = tuple(np.empty(capacity, np.int64) for _ in range(4))
    first = np.zeros(len(multisets.slots) + 1, np.int64)
    used = _fill_hands(multisets, community, permutations, first, *columns)
    return OpeningHands(first, *(column[:used].copy() for column in columns))


@kernel
def _fill_hands(
    multisets: HandMultisets,
    community: int,
    permutations: IntArray,
    starts: IntArray,
    masks: IntArray,
    states: IntArray,
    weights: IntArray,
    multiset_rows: IntArray,
) -> int:
    used = 0
    for multiset in range(len(multisets.slots)):
        slots = multisets.slots[multiset]
        for code in range(1 << 2 * HAND):
            mask, state, rises = 0, 0, True
            for card in range(HAND):
                held = code >> 2 * card & 3
                rises &= card == 0 or slots[card] != slots[card - 1] or held > code >> 2 * (card - 1) & 3
                mask |= 1 << (RANK_COUNT * held + multisets.ranks[slots[card]])
                state |= 1 << (HAND * held + card)
            if not rises or mask & community:
                continue
            images = count_images(mask, permutations)
            if images:
                masks[used], states[used], multiset_rows[used], weights[used] = mask, state, multiset, images
                used += 1
        starts[multiset + 1] = used
    return used


@kernel_helper
def count_copies(slots: IntArray, slot: int) -> int:
    """Return how many cards of a multiset have this slot."""
    copies = 0
    for card in range(HAND):
        copies += slots[card] == slot
    return copies


@kernel_helper
def find_other_cards(slots: IntArray, slot: int) -> int:
    """Return which cards of a multiset do not have this slot, one bit for each card."""
    others = 0
    for card in range(HAND):
        others |= (1 if slots[card] != slot else 0) << card
    return others


@kernel_helper
def has_flush_cards(state: int, naturals: int, wild_cards: int, needed: int) -> Any:
    """Tell whether a hand has enough cards for a flush.

    It counts the natural cards of a suit and the wild cards.
    """
    return SUBSET_SIZES[state & naturals] + wild_cards >= needed
