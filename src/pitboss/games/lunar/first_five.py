"""Settle what the first five cards are paid for alone (rulings LU-4, LU-5).

This is Instant Cash and the lines of Super.
"""

from pitboss.cards import get_ranks, get_suit_ranks
from pitboss.core.rule import rule
from pitboss.hands import (
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    get_category,
)

INSTANT_CASH_LINES = ("royal-flush", "straight-flush")
NO_INSTANT_CASH = len(INSTANT_CASH_LINES)

SUPER_LINES = (
    "four-of-a-kind",
    "same-coloured-straight",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "ace-king-queen",
    "five-same-coloured",
)

_ACE_KING_QUEEN = 0b1_1100_0000_0000


@rule
def settle_ranked_instant_cash(mine: int) -> int:
    """Find the line of Instant Cash that a strength makes (LU-4).

    The last outcome means that there is no line.
    """
    made = get_category(mine)
    return 0 if made == ROYAL_FLUSH else 1 if made == STRAIGHT_FLUSH else NO_INSTANT_CASH


@rule
def is_one_colour(mask: int) -> bool:
    """Tell whether all cards are red (hearts, diamonds) or all black (spades, clubs)."""
    return (
        get_suit_ranks(mask, 0) | get_suit_ranks(mask, 3) == 0 or get_suit_ranks(mask, 1) | get_suit_ranks(mask, 2) == 0
    )


@rule
def settle_ranked_super(mine: int, mask: int, akq_needs_no_pair: int) -> int:
    """Find the first line of Super that five cards make (LU-5).

    ``mine`` is their strength.  The last outcome is lose.
    """
    made = get_category(mine)
    alike = is_one_colour(mask)
    if made == FOUR_OF_A_KIND:
        return 0
    if made >= STRAIGHT_FLUSH or (made == STRAIGHT and alike):
        return 1
    if made == FULL_HOUSE:
        return 2
    if made == FLUSH:
        return 3
    if made == STRAIGHT:
        return 4
    if made == THREE_OF_A_KIND:
        return 5
    if get_ranks(mask) & _ACE_KING_QUEEN == _ACE_KING_QUEEN and (made == HIGH_CARD or akq_needs_no_pair == 0):
        return 6
    return 7 if alike else 8
