"""The strategy for Let It Ride, as ``strategy.toml`` words it."""

from typing import Any

from pitboss.cards import get_ranks, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.let_it_ride.rules import Options, View
from pitboss.hands import HandTables

HIGH, LOWEST = 31 << 8, 7
"""Tens to aces, and deuce, three and four."""


@rule
def is_suited(cards: int, count: int) -> bool:
    """Tell whether a suit has all the cards."""
    suited = 0
    for suit in range(4):
        suited = max(suited, popcount(get_suit_ranks(cards, suit)))
    return suited == count


@rule
def has_high_pair(cards: int) -> bool:
    """Tell whether two cards are of one rank from the tens up."""
    seen, paired = 0, 0
    for suit in range(4):
        ranks = get_suit_ranks(cards, suit)
        seen, paired = seen | ranks, paired | seen & ranks
    return paired & HIGH != 0


@rule
def let_ride(_tables: HandTables, view: View, decision: int, _numbers: Any, _options: Options) -> tuple[int, int]:
    """Let a bet ride with a hand that is paid, or a draw that is worth it."""
    cards = view.player | view.community
    ranks, count, suited = get_ranks(cards), popcount(cards), is_suited(cards, popcount(cards))
    rides = has_high_pair(cards) or popcount(ranks) < count - 1
    high, span = popcount(ranks & HIGH), ranks // (ranks & -ranks)
    if decision:
        rides = rides or suited or (popcount(ranks) == count and (high == count or (span == 15 and high > 0)))
    elif suited:
        rides = rides or (span == 7 and ranks != LOWEST) or (span < 16 and high > 0) or (span < 32 and high > 1)
    return 1 if rides else 0, 0
