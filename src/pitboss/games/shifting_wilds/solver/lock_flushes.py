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
    SUBSET_SIZES,
    OpeningHands,
    count_copies,
    find_other_cards,
)
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

LANE_BITS = 6
"""The bits of a lane in a word."""


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


def list_lock_flushes(
    subsets: SubsetNumbers, tables: HandTables, options: Any, hands: OpeningHands, opening: Opening
) -> IntArray:
    """Return a sorted word for each hand and W1 that may make a flush.

    bits 30 and up  strength
    bits 24 to 29   lane
    bits 18 to 23   outcome of the Regular Bonus
    bits  0 to 17   hand
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
                    words[used] = ((strength << LANE_BITS | lane) << BONUS_BITS | bonus) << HAND_BITS | hand
                    used += 1
    return used


def sort_lock_pairs(hands: OpeningHands, opening: Opening) -> IntArray:
    """Return the possible multisets with W1's slots, by rising strength.

    Each is one word; the strength is that of the ranks.
    """
    strengths = opening.strengths.T
    possible = (strengths >= 0) & (np.diff(hands.starts) > 0)[:, None]
    return np.sort((strengths << INDEX_BITS | np.arange(strengths.size).reshape(strengths.shape))[possible])
