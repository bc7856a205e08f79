"""Hands of exactly six cards: the pay-table lines of Taxpayer's Fortune (W6-6)."""

from pitboss.cards import RANK_COUNT, SUIT_COUNT, count_jokers, get_ranks, get_suit_ranks, popcount
from pitboss.core.rule import rule

SIX_CARD_NOTHING = 0
THREE_PAIR = 1
SIX_CARD_STRAIGHT = 2
SIX_CARD_FLUSH = 3
DOUBLE_THREE_OF_A_KIND = 4
FOUR_OF_A_KIND_AND_A_PAIR = 5
FOUR_ACES_AND_A_PAIR = 6
SIX_CARD_STRAIGHT_FLUSH = 7
SIX_OF_A_KIND = 8

_SIX_IN_A_ROW = 0b111111
_ACE = 1 << (RANK_COUNT - 1)


@rule
def evaluate_six_cards(mask: int) -> int:
    """Return the highest line that all six cards make together.

    ``mask`` may hold Jokers.  Only six of a kind may contain Jokers: it is four natural cards and both Jokers.

    >>> from pitboss.cards import DECK_52, make_mask, parse_cards
    >>> evaluate_six_cards(make_mask(parse_cards("As 2s 3d 4c 5h 6h", DECK_52))) == SIX_CARD_STRAIGHT
    True
    """
    any_rank = get_ranks(mask)
    every = get_suit_ranks(mask, 0) & get_suit_ranks(mask, 1) & get_suit_ranks(mask, 2) & get_suit_ranks(mask, 3)
    if count_jokers(mask) > 0:
        return SIX_OF_A_KIND if count_jokers(mask) == 2 and every != 0 else SIX_CARD_NOTHING
    different = popcount(any_rank)
    if different == 6:
        return _evaluate_six_ranks(mask, any_rank)
    if different == 2:
        if every == 0:
            return DOUBLE_THREE_OF_A_KIND
        return FOUR_ACES_AND_A_PAIR if every == _ACE else FOUR_OF_A_KIND_AND_A_PAIR
    # `odd` has the ranks with an odd number of cards: six cards of three ranks are three pairs if it is empty.
    odd = get_suit_ranks(mask, 0) ^ get_suit_ranks(mask, 1) ^ get_suit_ranks(mask, 2) ^ get_suit_ranks(mask, 3)
    return THREE_PAIR if different == 3 and odd == 0 and every == 0 else SIX_CARD_NOTHING


@rule
def _evaluate_six_ranks(mask: int, any_rank: int) -> int:
    """Return the line of six different ranks.

    It is straight flush, flush, straight or nothing.
    """
    straight = any_rank == (_SIX_IN_A_ROW >> 1 | _ACE) or any_rank == (any_rank & -any_rank) * _SIX_IN_A_ROW
    for suit_index in range(SUIT_COUNT):
        if get_suit_ranks(mask, suit_index) == any_rank:
            return SIX_CARD_STRAIGHT_FLUSH if straight else SIX_CARD_FLUSH
    return SIX_CARD_STRAIGHT if straight else SIX_CARD_NOTHING
