"""A card is a number 0..53, a set of cards an integer with one bit for each.

A natural card is ``suit * 13 + rank``: suits 0..3 are spades, hearts, diamonds, clubs, ranks 0..12 are
deuce to ace.  Jokers are 52 and 53.  A set fits a signed 64-bit integer with room to spare, so the same
functions serve Python and compiled kernels.
"""

from pitboss.core.rule import rule

RANKS = 13
SUITS = 4
FIRST_JOKER = RANKS * SUITS
SUIT_BITS = (1 << RANKS) - 1
NATURALS = (1 << FIRST_JOKER) - 1


@rule
def card(rank_index: int, suit_index: int) -> int:
    """Return the code of the card of rank 0..12 and suit 0..3."""
    return suit_index * RANKS + rank_index


@rule
def rank(code: int) -> int:
    """Return the rank 0..12 of a natural card."""
    return code % RANKS


@rule
def bit(code: int) -> int:
    """Return the set that holds one card."""
    return 1 << code


@rule
def popcount(mask: int) -> int:
    """Return how many cards (or ranks) a set holds; compilers know this loop as one instruction.

    >>> popcount(0b1011)
    3
    """
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@rule
def jokers(mask: int) -> int:
    """Return how many Jokers a set holds, 0 to 2."""
    return ((mask >> FIRST_JOKER) & 1) + ((mask >> (FIRST_JOKER + 1)) & 1)


@rule
def naturals(mask: int) -> int:
    """Return the set without its Jokers."""
    return mask & NATURALS


@rule
def suit(mask: int, suit_index: int) -> int:
    """Return the ranks held in one suit, a set of 13 bits with the deuce lowest.

    >>> bin(suit(bit(0) | bit(12) | bit(13), 0))
    '0b1000000000001'
    """
    return (mask >> (RANKS * suit_index)) & SUIT_BITS


@rule
def ranks(mask: int) -> int:
    """Return the ranks held in any suit, a set of 13 bits with the deuce lowest."""
    return suit(mask, 0) | suit(mask, 1) | suit(mask, 2) | suit(mask, 3)
