"""Hands of three cards, as in Three Card Poker (ruling ALL-1 for ties).

Straights are rarer than flushes in three cards and beat them.  A strength is laid out as in ``order``, with categories
of its own from 16 on and three ranks, so that names and comparisons need no other argument.
"""

from pitboss.cards import get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.hands.order import pack_lowest_strength
from pitboss.hands.rank_sets import find_straight, get_highest_rank, pack_highest_ranks, pack_straight

THREE_CARD_HIGH = 16
THREE_CARD_PAIR = 17
THREE_CARD_FLUSH = 18
THREE_CARD_STRAIGHT = 19
THREE_CARD_TRIPS = 20
THREE_CARD_STRAIGHT_FLUSH = 21

MINI_ROYAL = pack_lowest_strength(THREE_CARD_STRAIGHT_FLUSH, 14)
"""The strength from which three cards are a mini royal: ace, king and queen of a suit."""

_CARDS = 3


@rule
def evaluate_three_cards(mask: int) -> int:
    """Return the strength of exactly three natural cards.

    >>> from pitboss.cards import DECK_52, make_mask, parse_cards
    >>> from pitboss.hands import format_hand
    >>> format_hand(evaluate_three_cards(make_mask(parse_cards("As 2d 3c", DECK_52))))
    'straight, three high'
    """
    spades, hearts, diamonds, clubs = (
        get_suit_ranks(mask, 0),
        get_suit_ranks(mask, 1),
        get_suit_ranks(mask, 2),
        get_suit_ranks(mask, 3),
    )
    ranks = spades | hearts | diamonds | clubs
    different = popcount(ranks)
    if different == _CARDS:
        in_suit = max(spades, hearts, diamonds, clubs) == ranks
        straight = find_straight(ranks, _CARDS)
        if straight:
            category = THREE_CARD_STRAIGHT_FLUSH if in_suit else THREE_CARD_STRAIGHT
            return category << 20 | pack_straight(straight, _CARDS)
        return (THREE_CARD_FLUSH if in_suit else THREE_CARD_HIGH) << 20 | pack_highest_ranks(ranks, _CARDS, 0)
    if different == 1:
        return THREE_CARD_TRIPS << 20 | get_highest_rank(ranks) * 0x11100
    kicker = spades ^ hearts ^ diamonds ^ clubs
    return THREE_CARD_PAIR << 20 | get_highest_rank(ranks ^ kicker) * 0x11000 | get_highest_rank(kicker) << 8
