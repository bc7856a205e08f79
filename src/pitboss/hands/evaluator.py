"""The evaluator of hands: one look-up by ranks, and one more for a flush.

The second look-up is made if the hand has five cards of a suit.

Every card has a key, also a wild card, and the key of a hand is the sum of its cards' keys::

    bits  51 .. 48   47 .. 44   43 .. 40   39 .. 36   35 .. 0
          clubs      diamonds   hearts     spades     sum of the rank weights

The sum identifies the multiset of ranks and the number of wilds.  Its bits 0 to 13 name a row of the table, its bits 14
to 30 a place in the row.  The place plus the displacement of the row is the slot of the strength of the best hand
without a flush.  Each suit has a four-bit counter that starts at three, and a wild counts in every suit.  So bit 3
of a counter is set if the hand has at least five cards of that suit.
"""

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pitboss.cards import FIRST_JOKER, SUIT_COUNT, count_jokers, get_naturals, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.hands.order import ANY_CARD_FLUSH, FIVE_FIRST, get_category

if TYPE_CHECKING:
    # NumPy is loaded with the tables: a sheet printed from cached counts needs neither.
    import numpy as np
    from numpy.typing import NDArray

ROW_BITS = 14
SLOT_BITS = 17
ROW_MASK = (1 << ROW_BITS) - 1
SLOT_MASK = (1 << SLOT_BITS) - 1
# A sum of seven weights below 2**31 needs 34 bits.
SUIT_SHIFT = 36
COUNTER_BITS = 4
RANK_SUM_MASK = (1 << SUIT_SHIFT) - 1
EMPTY_KEY = 0x3333 << SUIT_SHIFT
FLUSH_MASK = 0x8888 << SUIT_SHIFT
NO_HAND = -1


class HandTables(NamedTuple):
    """The look-up arrays, the first argument of every rule of this package.

    Shapes: ``card_keys`` (54,) int64, the keys of the cards (a Joker has the key of a wild); ``suit_keys``
    (8192,) int64, the sum of the keys of each set of spades; ``rows`` (16384,) int16 and ``strengths``
    (2, 131072) int32, the displaced look-up of rank sums, by the order of the two highest hands;
    ``flushes`` (2, 4, 8192) int32, by what a wild may be in a flush, the number of wilds, and the suit's ranks.
    """

    card_keys: "NDArray[np.int64]"
    suit_keys: "NDArray[np.int64]"
    rows: "NDArray[np.int16]"
    strengths: "NDArray[np.int32]"
    flushes: "NDArray[np.int32]"


@cache
def load_hand_tables() -> HandTables:
    """Return the look-up tables for all rules.

    They are loaded, or built the first time.
    """
    from pitboss.hands.tables import load_or_build_tables

    return load_or_build_tables()


@rule
def compute_key(tables: HandTables, mask: int, wilds: int) -> int:
    """Return the key of a set of natural cards and a number of wilds.

    It is the sum of their ``card_keys``.
    """
    key = EMPTY_KEY + wilds * int(tables.card_keys[FIRST_JOKER])
    for suit_index in range(SUIT_COUNT):
        suit_key = int(tables.suit_keys[get_suit_ranks(mask, suit_index)])
        key += (suit_key & RANK_SUM_MASK) + (suit_key >> SUIT_SHIFT << SUIT_SHIFT + COUNTER_BITS * suit_index)
    return key


@rule
def evaluate_key(tables: HandTables, key: int, mask: int, wilds: int, ranking: int) -> int:
    """Return the strength of the hand with this key.

    This is for loops that add keys card by card.  ``key`` is ``EMPTY_KEY`` plus the ``card_keys`` of all five to seven
    cards; ``mask`` holds the natural cards (Jokers in it are ignored), and ``wilds`` is the number of wild cards.
    """
    slot = (key >> ROW_BITS) + int(tables.rows[key & ROW_MASK])
    best = int(tables.strengths[ranking & FIVE_FIRST, slot & SLOT_MASK])
    if key & FLUSH_MASK:
        for suit_index in range(SUIT_COUNT):
            if key >> (SUIT_SHIFT + COUNTER_BITS * suit_index) & 8:
                best = max(
                    best, int(tables.flushes[(ranking & ANY_CARD_FLUSH) >> 1, wilds, get_suit_ranks(mask, suit_index)])
                )
    return best


@rule
def evaluate_strength(tables: HandTables, mask: int, wilds: int, ranking: int) -> int:
    """Return the strength of the best five cards of a hand (ALL-2, ALL-3).

    The hand has the natural cards ``mask`` and ``wilds`` wild ones: five to seven cards, at most three wild.
    ``ranking`` is the sum of the flags in ``order``.

    >>> from pitboss.cards import DECK_52, make_mask, parse_cards
    >>> from pitboss.hands import ROYAL_FIRST, format_hand, load_hand_tables
    >>> cards = make_mask(parse_cards("Ks Kh 7d 7c 2s 3h", DECK_52))
    >>> format_hand(evaluate_strength(load_hand_tables(), cards, 1, ROYAL_FIRST))
    'full house, kings over sevens'
    """
    return evaluate_key(tables, compute_key(tables, mask, wilds), mask, wilds, ranking)


@rule
def evaluate_with_jokers(tables: HandTables, mask: int, ranking: int) -> int:
    """Return the strength of the best five of five to seven cards; Jokers are wild."""
    return evaluate_strength(tables, mask, count_jokers(mask), ranking)


@rule
def get_natural_category(tables: HandTables, mask: int) -> int:
    """Return the category of the natural cards of ``mask``, without its Jokers.

    Return ``NO_HAND`` if they are fewer than five.  A hand is made "with the Joker" if its category is
    higher than this one (WJ-4); a royal flush is wild if this category is not a royal flush (W6-1).
    """
    if popcount(get_naturals(mask)) < 5:
        return NO_HAND
    return get_category(evaluate_strength(tables, mask, 0, 0))
