"""Low hands: the best ace to five, eight or better, of five to seven cards.

The ace is low; straights and flushes do not count.  A strength has category ``LOW`` and the five ranks from the highest
to the lowest, each as 15 less the rank, so that the better low has the higher strength.
"""

from pitboss.cards import RANK_COUNT, get_ranks, popcount
from pitboss.core.rule import rule
from pitboss.hands.evaluator import NO_HAND
from pitboss.hands.rank_sets import get_highest_rank

LOW = 48

_ACE_TO_EIGHT = 0xFF
_CARDS = 5


@rule
def evaluate_low(mask: int) -> int:
    """Return the strength of the best low hand of natural cards.

    It is ``NO_HAND`` without five different ranks from ace to eight.

    >>> from pitboss.cards import DECK_52, make_mask, parse_cards
    >>> from pitboss.hands import format_hand
    >>> format_hand(evaluate_low(make_mask(parse_cards("8s 6h 5d 3c 3s Ah 2d", DECK_52))))
    'six-five low'
    """
    held = get_ranks(mask)
    ranks = (held << 1 | held >> RANK_COUNT - 1) & _ACE_TO_EIGHT
    spare = popcount(ranks) - _CARDS
    if spare < 0:
        return NO_HAND
    value = LOW
    for place in range(spare + _CARDS):
        highest = get_highest_rank(ranks) - 1  # bit 0 is the ace
        ranks ^= 1 << highest - 1
        if place >= spare:
            value = value << 4 | 15 - highest
    return value
