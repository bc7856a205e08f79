"""The order of poker hands: a hand's strength is one integer below 2**24.

::

    bits  23 .. 20   19 .. 16   15 .. 12   11 .. 8   7 .. 4   3 .. 0
          category   rank 1     rank 2     rank 3    rank 4   rank 5

Ranks are 2 to 14, the most significant first: groups, then kickers, each card by its own rank.  So kings over sevens
is 13 13 13 7 7, and the lowest straight 5 4 3 2 1.  Strengths compare as the hands do; equal strengths tie (ALL-1).
"""

from pitboss.core.rule import rule

HIGH_CARD = 0
PAIR = 1
TWO_PAIR = 2
THREE_OF_A_KIND = 3
STRAIGHT = 4
FLUSH = 5
FULL_HOUSE = 6
FOUR_OF_A_KIND = 7
STRAIGHT_FLUSH = 8
FIVE_OF_A_KIND = 9
ROYAL_FLUSH = 10
FIVE_OF_A_KIND_OVER_ROYAL = 11
CATEGORY_COUNT = 12

# The flags of `ranking`: the order of the two highest hands, and what a wild card may be in a flush.
ROYAL_FIRST = 0
FIVE_FIRST = 1
ANY_CARD_FLUSH = 2


@rule
def pack_strength(category: int, first: int, second: int, third: int, fourth: int, fifth: int) -> int:
    """Return the strength of a category and five ranks 2..14.

    The ranks are in order of significance.

    >>> hex(pack_strength(FULL_HOUSE, 13, 13, 13, 7, 7))
    '0x6ddd77'
    """
    return category << 20 | first << 16 | second << 12 | third << 8 | fourth << 4 | fifth


@rule
def pack_lowest_strength(category: int, first: int = 0, second: int = 0) -> int:
    """Return the lowest strength of a category with these first ranks.

    Hands with these first ranks or better ones have at least this strength.

    >>> pack_strength(PAIR, 14, 14, 4, 3, 2) >= pack_lowest_strength(PAIR, 14) > pack_strength(PAIR, 13, 13, 14, 12, 11)
    True
    """
    return pack_strength(category, first, second, 0, 0, 0)


@rule
def get_category(strength: int) -> int:
    """Return the category of a strength."""
    return strength >> 20


@rule
def get_first_rank(strength: int) -> int:
    """Return the rank 2..14 of the most significant card.

    It is the rank of the pair, the trips or the highest card.
    """
    return (strength >> 16) & 15
