"""Natural fives, which the Bad Beat compares (SW-7).

A natural five is a holder's four cards and the indicator, with nothing wild.
"""

from typing import Any

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.shifting_wilds.rules import HAND, rank_natural_hand
from pitboss.games.shifting_wilds.solver.boards import IMPOSSIBLE
from pitboss.games.shifting_wilds.solver.multisets import (
    HAND_BITS,
    STATE_COUNT,
    HandMultisets,
    OpeningHands,
    count_copies,
)
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

_LANE_BITS = 6
_KEY_BITS = HAND_BITS + _LANE_BITS


def compute_natural_strengths(multisets: HandMultisets, tables: HandTables) -> IntArray:
    """Return the natural five of each multiset with a card of each slot.

    Flushes do not count.  The shape is (slots, multisets).
    """
    strengths = np.full((len(multisets.ranks), len(multisets.slots)), IMPOSSIBLE, np.int64)
    _fill_natural_strengths(multisets, tables, strengths)
    return strengths


@kernel
def _fill_natural_strengths(multisets: HandMultisets, tables: HandTables, strengths: IntArray) -> None:
    for slot in range(len(multisets.ranks)):
        for multiset in range(len(multisets.slots)):
            held = multisets.slots[multiset]
            if count_copies(held, slot) == SUIT_COUNT:
                continue
            hole, last = 0, 0
            for card in range(HAND):
                hole |= 1 << (RANK_COUNT * card + multisets.ranks[held[card]])
            for suit in range(SUIT_COUNT):
                card = 1 << (RANK_COUNT * suit + multisets.ranks[slot])
                if hole & card == 0:
                    last = card
            strengths[slot, multiset] = rank_natural_hand(tables, hole, last)


def list_natural_flushes(tables: HandTables, hands: OpeningHands, indicators: IntArray) -> tuple[IntArray, IntArray]:
    """Return the natural flushes, as strengths and keys, by rising strength.

    A natural flush is a hand of one suit with an indicator of that suit.  ``indicators`` are sets of one card, or empty
    for a lane that has no card.  A key is the lane (of up to 64) and the hand in one word:

        bits  18 to 23  lane
        bits   0 to 17  hand
    """
    words = np.empty(len(indicators) * len(hands.masks), np.int64)
    words = np.sort(words[: _fill_natural_flushes(tables, hands, indicators, words)])
    return words >> _KEY_BITS, words & (1 << _KEY_BITS) - 1


@kernel
def _fill_natural_flushes(tables: HandTables, hands: OpeningHands, indicators: IntArray, words: IntArray) -> int:
    used = 0
    for hand in range(len(hands.masks)):
        state, mask = hands.states[hand], hands.masks[hand]
        suit = 0
        while suit < SUIT_COUNT and state >> HAND * suit & STATE_COUNT - 1 != STATE_COUNT - 1:
            suit += 1
        if suit == SUIT_COUNT:
            continue
        of_suit = (1 << RANK_COUNT) - 1 << RANK_COUNT * suit
        for lane in range(len(indicators)):
            if indicators[lane] & of_suit & ~mask:
                strength = rank_natural_hand(tables, mask, indicators[lane])
                words[used] = (strength << _LANE_BITS | lane) << HAND_BITS | hand
                used += 1
    return used


@kernel_helper
def get_key_hand(key: int) -> int:
    """Return the hand of a key."""
    return key & (1 << HAND_BITS) - 1


@kernel_helper
def get_key_lane(key: int) -> int:
    """Return the lane of a key."""
    return key >> HAND_BITS


@kernel_helper
def find_key(keys: IntArray, lane: int, hand: int) -> Any:
    """Return the index of a lane and hand among rising keys.

    It is -1 if there is no such key.
    """
    key = lane << HAND_BITS | hand
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < len(keys) and keys[low] == key else -1
