"""Find the two combinations of a winning hand, and number the pair (ruling LU-9).

A *combination* is named by its category; an ace-king hand is ``ACE_KING``, the high card that holds both
ranks.  A pair or ace-king is formed by two cards, three of a kind by three, two pair or four of a kind by four,
the rest by five.  A second combination has at least one card outside those of the first.

Rules see no pays, so if several further combinations are there the highest category is taken.  The README
shows that none of them pays more under BET-1, and that it never matters how the first is formed.
"""

from collections.abc import Mapping

from pitboss.cards import RANK_COUNT, SUIT_COUNT, get_ranks, get_suit_ranks, popcount, select_ranks
from pitboss.core.rule import rule
from pitboss.hands import (
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    get_category,
    pack_lowest_strength,
)

ACE_KING = HIGH_CARD
NO_COMBINATION = -1

# Codes of the option `paired_straight`.
TWO_STRAIGHTS = 0
STRAIGHT_AND_PAIR = 1

BROADWAY = 0b1_1111_0000_0000
WHEEL = 0b1_0000_0000_1111
_LOWEST_RUN = 0b1_1111
_ACE_AND_KING = 0b1_1000_0000_0000

SECONDS_OF_FIVE: Mapping[int, tuple[int, ...]] = {
    ROYAL_FLUSH: (),
    STRAIGHT_FLUSH: (),
    FOUR_OF_A_KIND: (ACE_KING,),
    FULL_HOUSE: (),
    FLUSH: (),
    STRAIGHT: (),
    THREE_OF_A_KIND: (ACE_KING,),
    TWO_PAIR: (ACE_KING,),
    PAIR: (ACE_KING,),
    ACE_KING: (),
}
"""Every second combination that a hand of five cards can have, by its first, both in printed order."""

SECONDS_OF_SIX: Mapping[int, tuple[int, ...]] = {
    ROYAL_FLUSH: (STRAIGHT_FLUSH, FLUSH, STRAIGHT),
    STRAIGHT_FLUSH: (STRAIGHT_FLUSH, FLUSH, STRAIGHT, ACE_KING),
    FOUR_OF_A_KIND: (FULL_HOUSE, ACE_KING),
    FULL_HOUSE: (FULL_HOUSE, ACE_KING),
    FLUSH: (FLUSH, STRAIGHT, PAIR, ACE_KING),
    STRAIGHT: (STRAIGHT, PAIR, ACE_KING),
    THREE_OF_A_KIND: (ACE_KING,),
    TWO_PAIR: (TWO_PAIR, ACE_KING),
    PAIR: (ACE_KING,),
    ACE_KING: (),
}
"""The same for six cards; a pair with a straight only with ``paired_straight`` set to straight_and_pair."""

# There are nine firsts above ace-king and seven seconds.  Each pair of them has a bit.
_FIRSTS = 9
_SECONDS = 7


@rule
def number_first_combination(first: int) -> int:
    """Number a first combination from 0 (ace-king) to 9 (royal flush).

    A straight flush is 8.
    """
    return min(first, _FIRSTS)


@rule
def find_pair_bit(first: int, second: int) -> int:
    """Return the bit of a first and a second combination.

    Without a second, it is the bit above all those of the first.
    """
    if second == NO_COMBINATION:
        return _SECONDS * number_first_combination(first)
    # No second is three of a kind or four of a kind: the numbers of higher categories move down to close the gaps.
    gaps = 0 if second <= TWO_PAIR else 1 if second <= FULL_HOUSE else 2
    return _SECONDS * (number_first_combination(first) - 1) + second - gaps


def _pack_pairs(seconds: Mapping[int, tuple[int, ...]]) -> int:
    return sum(1 << find_pair_bit(first, second) for first, possible in seconds.items() for second in possible)


_POSSIBLE_OF_FIVE = _pack_pairs(SECONDS_OF_FIVE)
_POSSIBLE_OF_SIX = _pack_pairs(SECONDS_OF_SIX)


@rule
def number_pair(first: int, second: int, cards: int) -> int:
    """Number a first and a second (or none) of a hand of five or six cards.

    0 is a royal flush alone; the seconds of each first follow it, in the order of the tables above.
    """
    # All firsts above this one come before it, and so does every possible pair with a higher bit; a pair counts its own
    # bit.
    possible = _POSSIBLE_OF_FIVE if cards == 5 else _POSSIBLE_OF_SIX
    return _FIRSTS - number_first_combination(first) + popcount(possible >> find_pair_bit(first, second))


@rule
def find_first_combination(strength: int) -> int:
    """Return the category of the best five, or none below ace-king (LU-8)."""
    return get_category(strength) if strength >= pack_lowest_strength(HIGH_CARD, 14, 13) else NO_COMBINATION


@rule
def find_straight_ranks(held: int) -> int:
    """Return the ranks, of those ``held``, that are part of any straight (ALL-1).

    >>> bin(find_straight_ranks(0b1_0000_0101_1111))
    '0b1000000011111'
    """
    found = WHEEL if held & WHEEL == WHEEL else 0
    run = BROADWAY
    while run >= _LOWEST_RUN:
        if held & run == run:
            found |= run
        run >>= 1
    return found


@rule
def find_suited_ranks(combination: int, held: int) -> int:
    """Return the ranks that are part of any flush, straight flush or royal flush.

    ``held`` are the ranks held in one suit.
    """
    if combination == FLUSH:
        return held if popcount(held) >= 5 else 0
    if combination == ROYAL_FLUSH:
        return BROADWAY if held & BROADWAY == BROADWAY else 0
    return find_straight_ranks(held)


@rule
def find_repeated_ranks(copies: int, mask: int) -> int:
    """Return the ranks of which at least two, three or four cards are held."""
    spades, hearts, diamonds, clubs = (
        get_suit_ranks(mask, 0),
        get_suit_ranks(mask, 1),
        get_suit_ranks(mask, 2),
        get_suit_ranks(mask, 3),
    )
    if copies == 2:
        return spades & hearts | diamonds & clubs | (spades | hearts) & (diamonds | clubs)
    if copies == 3:
        return spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    return spades & hearts & diamonds & clubs


@rule
def find_ranks(combination: int, mask: int) -> int:
    """Return every rank that is part of some way to form a combination.

    The combination must be one that does not depend on suits.
    """
    if combination == FOUR_OF_A_KIND:
        return find_repeated_ranks(4, mask)
    if combination == STRAIGHT:
        return find_straight_ranks(get_ranks(mask))
    if combination == THREE_OF_A_KIND:
        return find_repeated_ranks(3, mask)
    if combination == ACE_KING:
        return _ACE_AND_KING if get_ranks(mask) & _ACE_AND_KING == _ACE_AND_KING else 0
    paired = find_repeated_ranks(2, mask)
    if combination == PAIR:
        return paired
    if popcount(paired) < 2 or (combination == FULL_HOUSE and find_repeated_ranks(3, mask) == 0):
        return 0
    return paired


@rule
def find_cards(combination: int, mask: int) -> int:
    """Return every card that is part of some way to form a combination.

    The result is empty if the combination cannot be formed.
    """
    if combination == FLUSH or combination >= STRAIGHT_FLUSH:
        found = 0
        for suit_index in range(SUIT_COUNT):
            found |= find_suited_ranks(combination, get_suit_ranks(mask, suit_index)) << (RANK_COUNT * suit_index)
        return found
    return select_ranks(mask, find_ranks(combination, mask))


@rule
def get_size(combination: int) -> int:
    """Return how many cards form a combination (LU-9)."""
    if combination <= PAIR:
        return 2
    if combination == THREE_OF_A_KIND:
        return 3
    return 4 if combination in (TWO_PAIR, FOUR_OF_A_KIND) else 5


@rule
def find_second_combination(mask: int, first: int, paired_straight: int) -> int:
    """Return the highest further combination, or none (LU-9).

    It must have a card outside the first.  If more cards take part in the first than form it, it is there a second
    time, and nothing ranks higher.  Otherwise there is one way to form it, and a further combination must have a card
    outside these.  A straight with one of its ranks paired is two straights or, if the option says so, a straight and a
    pair.
    """
    taken = find_cards(first, mask)
    if popcount(taken) > get_size(first):
        paired = first == STRAIGHT and popcount(get_ranks(mask)) == 5
        return PAIR if paired and paired_straight == STRAIGHT_AND_PAIR else first
    for lower in range(min(first - 1, STRAIGHT_FLUSH), NO_COMBINATION, -1):
        if find_cards(lower, mask) & ~taken:
            return lower
    return NO_COMBINATION
