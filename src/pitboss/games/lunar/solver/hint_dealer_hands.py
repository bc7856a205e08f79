"""The dealer's hidden cards for a hint: all fours that may be hidden.

For the low ones, those below the qualifier, there is also what Force can make of them.

A hint knows its own cards and the exposed one.  The rest of the deck is *live*, its cards numbered upward as *places*.
A set of up to five places is written as six bits for each, the lowest place in the lowest bits.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT, get_ranks, get_suit_ranks, popcount
from pitboss.games.lunar.rules import LunarOptions, find_replaced_card, rank_hand
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

HIDDEN = 4
PLACE_BITS = 6
PLACE_MASK = (1 << PLACE_BITS) - 1


class HiddenFours(NamedTuple):
    """Every four hidden cards, with the strength of the dealer's hand.

    A four is given by its places, and by its cards as a mask.  They are in the order of the combinatorial number
    system, as ``kernels.set_numbering`` numbers sets.
    """

    places: IntArray
    masks: IntArray
    strengths: IntArray


class UnqualifiedRanks(NamedTuple):
    """The dealer's hands below the qualifier, by ranks.

    Each hand includes the exposed card.  The fields give the number of hands of these ranks and what Force makes of
    them.

    ``ranks`` and ``before``, shape (hands, 4), have the ranks of the hidden cards and how many of a card's rank come
    before it; ``alike`` divides out the order of equal ranks.  ``sets`` are the ranks as a set if all differ, else -1.
    ``held`` (hands, 13) counts the hidden cards by rank, ``after`` (hands, 13) has the strength with a card of each
    rank in place of the replaced one, if that makes no flush.
    """

    ranks: IntArray
    before: IntArray
    alike: IntArray
    sets: IntArray
    held: IntArray
    after: IntArray


class FourFlushes(NamedTuple):
    """Hands below the qualifier of which Force keeps four cards of one suit.

    The next card may make a flush of these.

    ``masks`` are the hidden cards, ``numbers`` their places in ``UnqualifiedRanks``, ``suits`` the suit of the four and
    ``after`` (hands, 13) the strength with the card of each rank in that suit in place of the replaced one.
    """

    masks: IntArray
    numbers: IntArray
    suits: IntArray
    after: IntArray


@no_alloc_kernel
def fill_fours(tables: HandTables, live: IntArray, exposed: int, fours: HiddenFours) -> None:
    """List the hidden fours among the live cards.

    The live cards are given as sets of one card.
    """
    at = 0
    for fourth in range(len(live)):
        for third in range(fourth):
            for second in range(third):
                for first in range(second):
                    mask = live[first] | live[second] | live[third] | live[fourth]
                    fours.places[at] = first | second << PLACE_BITS | third << 2 * PLACE_BITS | fourth << 3 * PLACE_BITS
                    fours.masks[at] = mask
                    fours.strengths[at] = rank_hand(tables, mask | exposed)
                    at += 1


@kernel_helper
def make_plain_hand(held: IntArray) -> int:
    """Return cards of these ranks of which no five share a suit.

    There are at most three of each rank, and five in all.
    """
    mask, different = 0, 0
    for each in range(RANK_COUNT):
        for copy in range(held[each]):
            # Each different rank starts one suit further, so five ranks cannot share one of the three suits.
            mask |= 1 << ((different + copy) % 3 * RANK_COUNT + each)
        different += 1 if held[each] else 0
    return mask


@no_alloc_kernel
def add_rank_keys(masks: IntArray, keys: IntArray) -> None:
    """Count the cards of each rank in each set of cards.

    ``keys``, all 0 at first, get three bits a rank.
    """
    for each in range(len(masks)):
        for suit_index in range(SUIT_COUNT):
            held = get_suit_ranks(masks[each], suit_index)
            for rank_index in range(RANK_COUNT):
                keys[each] += (held >> rank_index & 1) << 3 * rank_index


@no_alloc_kernel
def fill_unqualified_ranks(
    tables: HandTables, keys: IntArray, exposed: int, options: LunarOptions, five: IntArray, low: UnqualifiedRanks
) -> None:
    """Compute what Force makes of the hands below the qualifier.

    ``keys`` are the ``make_rank_keys`` of their hidden cards.  ``five`` (13,) is a scratch array.
    """
    for hand in range(len(keys)):
        at = 0
        low.alike[hand] = 1
        for each in range(RANK_COUNT):
            low.held[hand, each] = keys[hand] >> 3 * each & 7
            five[each] = low.held[hand, each] + (get_ranks(exposed) >> each & 1)
            for copy in range(low.held[hand, each]):
                low.ranks[hand, at], low.before[hand, at] = each, copy
                low.alike[hand] *= copy + 1
                at += 1
            low.sets[hand] |= min(1, low.held[hand, each]) << each
        if low.alike[hand] > 1:
            low.sets[hand] = -1
        replaced = get_ranks(find_replaced_card(make_plain_hand(five), options))
        for each in range(RANK_COUNT):
            five[each] -= replaced >> each & 1
        for each in range(RANK_COUNT):
            five[each] += 1
            low.after[hand, each] = rank_hand(tables, make_plain_hand(five))
            five[each] -= 1


@no_alloc_kernel
def fill_four_flushes(
    tables: HandTables,
    fours: HiddenFours,
    low: IntArray,
    numbers: IntArray,
    exposed: int,
    deck: int,
    options: LunarOptions,
    flushes: FourFlushes,
) -> int:
    """Find the four flushes that Force leaves among the fours ``low``.

    ``numbers`` are their places in ``UnqualifiedRanks``.  ``flushes`` must have space for all of ``low``; return how
    many there are.
    """
    length = 0
    for each in range(len(low)):
        five = fours.masks[low[each]] | exposed
        kept = five & ~find_replaced_card(five, options)
        suit_index = find_common_suit(kept)
        if suit_index == SUIT_COUNT:
            continue
        flushes.masks[length] = five & ~exposed
        flushes.numbers[length] = numbers[each]
        flushes.suits[length] = suit_index
        for rank_index in range(RANK_COUNT):
            card = 1 << (suit_index * RANK_COUNT + rank_index)
            if card & deck & ~five:
                flushes.after[length, rank_index] = rank_hand(tables, kept | card)
        length += 1
    return length


@kernel_helper
def find_common_suit(cards: int) -> int:
    """Return the suit of all cards, or the number of suits if they differ."""
    for suit_index in range(SUIT_COUNT):
        if popcount(get_suit_ranks(cards, suit_index)) == popcount(cards):
            return suit_index
    return SUIT_COUNT


def make_fours(tables: HandTables, live: IntArray, exposed: int) -> HiddenFours:
    """Return the hidden fours among the live cards.

    The live cards are given as sets of one card.
    """
    fours = HiddenFours(*np.zeros((3, comb(len(live), HIDDEN)), np.int64))
    fill_fours(tables, live, exposed, fours)
    return fours


def make_rank_keys(masks: IntArray) -> IntArray:
    """Return the number of cards of each rank for each set of cards.

    A key has three bits a rank.
    """
    keys = np.zeros(len(masks), np.int64)
    add_rank_keys(masks, keys)
    return keys


def make_unqualified_ranks(tables: HandTables, keys: IntArray, exposed: int, options: LunarOptions) -> UnqualifiedRanks:
    """Return what Force makes of the hands below the qualifier.

    ``keys`` are the ``make_rank_keys`` of their hidden cards.
    """
    by_card, by_hand, by_rank = (len(keys), HIDDEN), len(keys), (len(keys), RANK_COUNT)
    low = UnqualifiedRanks(
        *(np.zeros(shape, np.int64) for shape in (by_card, by_card, by_hand, by_hand, by_rank, by_rank))
    )
    fill_unqualified_ranks(tables, keys, exposed, options, np.zeros(RANK_COUNT, np.int64), low)
    return low


def make_four_flushes(
    tables: HandTables,
    fours: HiddenFours,
    low: IntArray,
    numbers: IntArray,
    exposed: int,
    deck: int,
    options: LunarOptions,
) -> FourFlushes:
    """Return the four flushes that Force leaves among the fours ``low``.

    ``numbers`` are their places in ``UnqualifiedRanks``.
    """
    shapes = (len(low), len(low), len(low), (len(low), RANK_COUNT))
    flushes = FourFlushes(*(np.zeros(shape, np.int64) for shape in shapes))
    length = fill_four_flushes(tables, fours, low, numbers, exposed, deck, options, flushes)
    return FourFlushes(*(column[:length] for column in flushes))
