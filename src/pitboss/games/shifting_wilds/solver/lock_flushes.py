"""The flushes of a Lock.

Each hand and W1 of an opening that may make a flush is a sorted word.
"""

from typing import Any

import numpy as np

from pitboss.cards import SUIT_COUNT
from pitboss.games.shifting_wilds.rules import HAND
from pitboss.games.shifting_wilds.solver.boards import rank_with_bonus
from pitboss.games.shifting_wilds.solver.dealer_hands import INDEX_BITS, ROW_WIDTH
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, SubsetNumbers, get_w1
from pitboss.games.shifting_wilds.solver.lock_events import EVENT_CARDS, Opening
from pitboss.games.shifting_wilds.solver.multisets import (
    BONUS_BITS,
    HAND_BITS,
    HAND_MASK,
    SUBSET_SIZES,
    OpeningHands,
    count_copies,
    find_other_cards,
)
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

_SUIT_BITS, _SLOT_BITS = 2, 4
_SLOT_SHIFT = HAND_BITS + _SUIT_BITS + BONUS_BITS
STRENGTH_SHIFT = _SLOT_BITS + _SLOT_SHIFT


@kernel_helper
def can_flush(opening: Opening, state: int, lane: int, naturals: int, wild_cards: int) -> bool:
    """Tell whether a hand makes a flush with the W1 of a lane."""
    for suit in range(SUIT_COUNT):
        of_suit = opening.shown_counts[opening.suit_roles[suit]] + (1 if lane // ROW_WIDTH == suit else 0)
        if SUBSET_SIZES[state >> HAND * suit & naturals] + of_suit + wild_cards >= EVENT_CARDS:
            return True
    return False


@kernel_helper
def is_free(subsets: SubsetNumbers, opening: Opening, mask: int, lane: int) -> Any:
    """Tell whether the card of a lane can be W1 with a hand."""
    if lane & ROW_WIDTH - 1 >= len(subsets.multisets.ranks):
        return False
    return (opening.live & ~mask) & get_w1(subsets, lane) != 0


@kernel_helper
def get_lock_hand(word: int) -> int:
    """Return the hand of a word of ``list_lock_flushes``."""
    return word >> _SUIT_BITS + BONUS_BITS & HAND_MASK


@kernel_helper
def get_lock_lane(word: int) -> int:
    """Return the lane of W1 of a word of ``list_lock_flushes``."""
    return (word >> BONUS_BITS & SUIT_COUNT - 1) * ROW_WIDTH + (word >> _SLOT_SHIFT & ROW_WIDTH - 1)


@kernel_helper
def find_run(word: int, multiset: int) -> int:
    """Return a number for what the hands of a run have in common.

    It is the strength and the slot of W1 of a word of ``list_lock_flushes``, and the multiset of its hand.
    """
    return word >> _SLOT_SHIFT << HAND_BITS | multiset


def list_lock_flushes(
    subsets: SubsetNumbers, tables: HandTables, options: Any, hands: OpeningHands, opening: Opening
) -> IntArray:
    """Return a sorted word for each hand and W1 that may make a flush.

    bits 30 and up  strength
    bits 26 to 29   slot of W1
    bits  8 to 25   hand
    bits  6 to  7   suit of W1
    bits  0 to  5   outcome of the Regular Bonus

    So the hands of one strength, multiset and slot of W1, which share sums (``lock_sums``), follow one another.
    """
    words = np.empty(LANE_COUNT * len(hands.masks), np.int64)
    return np.sort(words[: _fill_lock_flushes(subsets, tables, options, hands, opening, words)])


@kernel
def _fill_lock_flushes(
    subsets: SubsetNumbers, tables: HandTables, options: Any, hands: OpeningHands, opening: Opening, words: IntArray
) -> int:
    """Write the words of ``list_lock_flushes`` and return how many there are."""
    used = 0
    for hand in range(len(hands.masks)):
        slots = subsets.multisets.slots[hands.multisets[hand]]
        for slot in range(len(subsets.multisets.ranks)):
            naturals, wild_cards = find_other_cards(slots, slot), count_copies(slots, slot)
            for suit in range(SUIT_COUNT):
                lane = suit * ROW_WIDTH + slot
                if not can_flush(opening, hands.states[hand], lane, naturals, wild_cards):
                    continue
                if is_free(subsets, opening, hands.masks[hand], lane):
                    strength, bonus = rank_with_bonus(
                        tables, hands.masks[hand], opening.community, get_w1(subsets, lane), options
                    )
                    shared = (strength << _SLOT_BITS | slot) << HAND_BITS | hand
                    words[used] = (shared << _SUIT_BITS | suit) << BONUS_BITS | bonus
                    used += 1
    return used


def sort_lock_pairs(hands: OpeningHands, opening: Opening) -> IntArray:
    """Return the possible multisets with W1's slots, by rising strength.

    Each is one word; the strength is that of the ranks.
    """
    strengths = opening.strengths.T
    possible = (strengths >= 0) & (np.diff(hands.starts) > 0)[:, None]
    return np.sort((strengths << INDEX_BITS | np.arange(strengths.size).reshape(strengths.shape))[possible])
