"""Sets of ranks (13 bits, deuce lowest): their straights and highest ranks.

Nothing here branches: a processor would guess wrong for every other hand.
"""

from pitboss.cards import RANK_COUNT, popcount
from pitboss.core.rule import rule

_STRENGTH_RANKS = 5
_STRAIGHTS = (1 << RANK_COUNT - 3) - 1


@rule
def get_highest_rank(ranks: int) -> int:
    """Return the highest rank, 2 to 14, of a set that is not empty.

    >>> get_highest_rank(0b1000000000001)
    14
    """
    ranks |= ranks >> 1
    ranks |= ranks >> 2
    ranks |= ranks >> 4
    ranks |= ranks >> 8
    return popcount(ranks) + 1


@rule
def pack_highest_ranks(ranks: int, count: int, place: int) -> int:
    """Return the highest ranks of a set as ranks of a strength.

    They are ``count`` ranks from place ``place``, the most significant of five being 0.  The set has as many.

    >>> hex(pack_highest_ranks(0b1000000000011, 2, 1))
    '0xe300'
    """
    value = 0
    for later in range(place, place + count):
        highest = get_highest_rank(ranks)
        value |= highest << 4 * (_STRENGTH_RANKS - 1 - later)
        ranks ^= 1 << highest - 2
    return value


@rule
def find_straight(ranks: int, cards: int) -> int:
    """Return the highest rank of the best straight of ``cards`` cards.

    It is 0 if there is none.  The ace is also below the deuce.

    >>> find_straight(0b1000000000011, 3), find_straight(0b1100000000001, 3)
    (3, 0)
    """
    with_low_ace = ranks << 1 | ranks >> RANK_COUNT - 1
    lowest = with_low_ace
    for later in range(1, cards):
        lowest &= with_low_ace >> later
    # Bit 0 is the low ace, so bit i of `lowest` starts a straight from rank i + 1 to i + `cards`.
    return get_highest_rank(lowest) - 2 + cards if lowest else 0


@rule
def find_straight_draws(ranks: int) -> int:
    """Return the straights of which a set holds four or five ranks.

    Bit 0 is the straight from the low ace, bit i the one whose lowest rank is i + 1, to bit 9, ten to ace.

    >>> [bin(find_straight_draws(ranks)) for ranks in (0b111100, 0b1000000000111, 0b10111)]
    ['0b1100', '0b1', '0b10']
    """
    first = ranks << 1 | ranks >> RANK_COUNT - 1
    second, third, fourth, fifth = first >> 1, first >> 2, first >> 3, first >> 4
    least_four = (
        first & second & third & (fourth | fifth) | (first & second | third & (first | second)) & fourth & fifth
    )
    return least_four & _STRAIGHTS


@rule
def pack_straight(highest: int, cards: int) -> int:
    """Return the ranks of a straight as those of a strength, the highest first.

    >>> hex(pack_straight(3, 3))
    '0x32100'
    """
    value = 0
    for later in range(cards):
        value |= highest - later << 4 * (_STRENGTH_RANKS - 1 - later)
    return value
