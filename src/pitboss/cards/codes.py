"""Codes of cards (0..53) and sets of cards (integers with one bit for each card).

A natural card is ``suit * 13 + rank``: suits 0..3 are spades, hearts, diamonds, clubs, ranks 0..12 are
deuce to ace.  Jokers are 52 and 53.  A set fits in a signed 64-bit integer, so Python and compiled kernels use
the same functions::

    bit   53   52   51 .. 39   38 .. 26   25 .. 13   12 .. 0
          Jokers    A  ..  2   A  ..  2   A  ..  2   A .. 2
                    clubs      diamonds   hearts     spades
"""

from collections.abc import Sequence

from pitboss.core.rule import rule

RANK_COUNT = 13
SUIT_COUNT = 4
FIRST_JOKER = RANK_COUNT * SUIT_COUNT
SUIT_MASK = (1 << RANK_COUNT) - 1
NATURALS_MASK = (1 << FIRST_JOKER) - 1
DEUCES = 1 | 1 << RANK_COUNT | 1 << 2 * RANK_COUNT | 1 << 3 * RANK_COUNT  # shifted by a rank: its four cards


@rule
def make_card(rank_index: int, suit_index: int) -> int:
    """Return the code of the card with this rank (0..12) and suit (0..3)."""
    return suit_index * RANK_COUNT + rank_index


@rule
def get_rank(code: int) -> int:
    """Return the rank 0..12 of a natural card."""
    return code % RANK_COUNT


@rule
def bit(code: int) -> int:
    """Return the set with this one card."""
    return 1 << code


@rule
def take_cards(deck: Sequence[int], first: int, count: int) -> int:
    """Return the set of ``count`` cards of a deck from place ``first``.

    >>> bin(take_cards((3, 1, 0), 1, 2))
    '0b11'
    """
    cards = 0
    for place in range(first, first + count):
        cards |= 1 << deck[place]
    return cards


@rule
def popcount(mask: int) -> int:
    """Return the number of cards (or ranks) in a set.

    Compilers turn this loop into one instruction.

    >>> popcount(0b1011)
    3
    """
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@rule
def count_jokers(mask: int) -> int:
    """Return the number of Jokers in a set, 0 to 2."""
    return ((mask >> FIRST_JOKER) & 1) + ((mask >> (FIRST_JOKER + 1)) & 1)


@rule
def get_naturals(mask: int) -> int:
    """Return the set without its Jokers."""
    return mask & NATURALS_MASK


@rule
def get_suit_ranks(mask: int, suit_index: int) -> int:
    """Return the ranks in one suit as a set of 13 bits with the deuce lowest.

    >>> bin(get_suit_ranks(bit(0) | bit(12) | bit(13), 0))
    '0b1000000000001'
    """
    return (mask >> (RANK_COUNT * suit_index)) & SUIT_MASK


@rule
def get_ranks(mask: int) -> int:
    """Return the ranks in all suits together as a set of 13 bits.

    The deuce is the lowest bit.
    """
    return get_suit_ranks(mask, 0) | get_suit_ranks(mask, 1) | get_suit_ranks(mask, 2) | get_suit_ranks(mask, 3)


@rule
def select_ranks(mask: int, ranks: int) -> int:
    """Return the cards of a set whose rank is in a set of ranks.

    >>> select_ranks(bit(3) | bit(16) | bit(4), 0b1000) == bit(3) | bit(16)
    True
    """
    return mask & ranks * DEUCES


@rule
def count_longest_suit(mask: int) -> int:
    """Return how many cards of its most frequent suit a set holds.

    >>> count_longest_suit(bit(0) | bit(13) | bit(15))
    2
    """
    most = 0
    for suit_index in range(SUIT_COUNT):
        most = max(most, popcount(get_suit_ranks(mask, suit_index)))
    return most
