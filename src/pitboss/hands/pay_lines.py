"""The lines of pay tables that several games print alike, for natural cards."""

from typing import Any

from pitboss.core.rule import rule
from pitboss.hands.order import ROYAL_FLUSH, STRAIGHT_FLUSH, get_category
from pitboss.hands.three_cards import MINI_ROYAL, THREE_CARD_STRAIGHT_FLUSH, evaluate_three_cards

FIVE_CARD_LINES = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
)
"""The names of the lines 0 to 7 of ``find_five_card_line``."""

THREE_CARD_LINES = ("mini-royal", "straight-flush", "three-of-a-kind", "straight", "flush", "pair")
"""The names of the lines 0 to 5 of ``find_three_card_line``."""


@rule
def find_five_card_line(strength: int) -> int:
    """Return the first of ``FIVE_CARD_LINES`` that a hand makes.

    It is 8 for a pair, and 9 for a high card.

    >>> from pitboss.hands.order import PAIR, pack_lowest_strength
    >>> find_five_card_line(pack_lowest_strength(ROYAL_FLUSH)), find_five_card_line(pack_lowest_strength(PAIR))
    (0, 8)
    """
    made = get_category(strength)
    return 0 if made == ROYAL_FLUSH else 1 + STRAIGHT_FLUSH - made


@rule
def find_three_card_line(_tables: Any, mask: int, _options: Any) -> int:
    """Return the first of ``THREE_CARD_LINES`` that exactly three cards make.

    It is 6 for a high card.  The arguments are those of a ``CardSetCensus``.
    """
    strength = evaluate_three_cards(mask)
    return 0 if strength >= MINI_ROYAL else 1 + THREE_CARD_STRAIGHT_FLUSH - get_category(strength)
