"""Hands of four cards, as in Four Card Poker (ruling ALL-1 for ties).

The order is four of a kind, straight flush, three of a kind, flush, straight, two pair, pair, high card.  A strength is
laid out as in ``order``, with categories of its own from 32 on and four ranks.
"""

from pitboss.cards import SUIT_COUNT, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.hands.rank_sets import find_straight, get_highest_rank, pack_highest_ranks, pack_straight

FOUR_CARD_HIGH = 32
FOUR_CARD_PAIR = 33
FOUR_CARD_TWO_PAIR = 34
FOUR_CARD_STRAIGHT = 35
FOUR_CARD_FLUSH = 36
FOUR_CARD_TRIPS = 37
FOUR_CARD_STRAIGHT_FLUSH = 38
FOUR_CARD_QUADS = 39

_CARDS = 4


@rule
def _evaluate_four_of_a_suit(mask: int) -> int:
    """Return the strength of the best flush or straight flush, 0 if there is none."""
    best = 0
    for suit_index in range(SUIT_COUNT):
        ranks = get_suit_ranks(mask, suit_index)
        if popcount(ranks) >= _CARDS:
            straight = find_straight(ranks, _CARDS)
            if straight:
                best = max(best, FOUR_CARD_STRAIGHT_FLUSH << 20 | pack_straight(straight, _CARDS))
            else:
                best = max(best, FOUR_CARD_FLUSH << 20 | pack_highest_ranks(ranks, _CARDS, 0))
    return best


@rule
def _evaluate_four_by_pairs(ranks: int, paired: int) -> int:
    """Return the strength of two pair, a pair (``paired`` ranks) or high cards."""
    if paired == 0:
        return FOUR_CARD_HIGH << 20 | pack_highest_ranks(ranks, _CARDS, 0)
    high = get_highest_rank(paired)
    low = paired ^ 1 << high - 2
    if low:
        return FOUR_CARD_TWO_PAIR << 20 | high * 0x11000 | get_highest_rank(low) * 0x110
    return FOUR_CARD_PAIR << 20 | high * 0x11000 | pack_highest_ranks(ranks ^ paired, 2, 2)


@rule
def evaluate_four_cards(mask: int) -> int:
    """Return the strength of the best four of four to seven natural cards.

    >>> from pitboss.cards import DECK_52, make_mask, parse_cards
    >>> from pitboss.hands import format_hand
    >>> format_hand(evaluate_four_cards(make_mask(parse_cards("Ks Kh 7d 7c 2s", DECK_52))))
    'two pair, kings and sevens'
    """
    spades, hearts, diamonds, clubs = (
        get_suit_ranks(mask, 0),
        get_suit_ranks(mask, 1),
        get_suit_ranks(mask, 2),
        get_suit_ranks(mask, 3),
    )
    # Ranks that two given suits hold both (all of, both of) and at least one of.
    all_major, all_minor, any_major, any_minor = spades & hearts, diamonds & clubs, spades | hearts, diamonds | clubs
    quads = all_major & all_minor
    if quads:
        return FOUR_CARD_QUADS << 20 | get_highest_rank(quads) * 0x11110
    ranks = any_major | any_minor
    in_suit = _evaluate_four_of_a_suit(mask)
    if in_suit >= FOUR_CARD_STRAIGHT_FLUSH << 20:
        return in_suit
    trips = all_major & any_minor | all_minor & any_major
    if trips:
        rank = get_highest_rank(trips)
        return FOUR_CARD_TRIPS << 20 | rank * 0x11100 | get_highest_rank(ranks ^ 1 << rank - 2) << 4
    if in_suit:
        return in_suit
    straight = find_straight(ranks, _CARDS)
    if straight:
        return FOUR_CARD_STRAIGHT << 20 | pack_straight(straight, _CARDS)
    return _evaluate_four_by_pairs(ranks, all_major | all_minor | any_major & any_minor)
