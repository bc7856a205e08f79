"""The cards of a hold'em game: two a hand, and five that all hands share.

A game's state has the fields of ``HoldemCards`` and its own, a game's view ``player``, ``community`` and ``dealer``.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pitboss.cards import take_cards
from pitboss.core.rule import rule
from pitboss.hands.evaluator import NO_HAND, HandTables, evaluate_strength
from pitboss.hands.order import ROYAL_FIRST

HAND, FLOP, RIVER = 2, 3, 2


class HoldemCards(NamedTuple):
    """The cards that decide one seat's round; ``river`` holds the turn as well."""

    player: int
    dealer: int
    flop: int
    river: int


@rule
def count_holdem_cards(seats: int) -> int:
    """Return how many cards are dealt.

    >>> count_holdem_cards(6)
    19
    """
    return HAND * (seats + 1) + FLOP + RIVER


@rule
def take_holdem_cards(deck: Sequence[int], seats: int, seat: int) -> HoldemCards:
    """Return the cards of ``seat``.

    The deck has two cards of each seat, the dealer's two, flop, turn and river (ALL-10).

    >>> [bin(cards) for cards in take_holdem_cards(tuple(range(52)), 2, 0)]
    ['0b11', '0b110000', '0b111000000', '0b11000000000']
    """
    board = HAND * (seats + 1)
    player, dealer = take_cards(deck, HAND * seat, HAND), take_cards(deck, HAND * seats, HAND)
    return HoldemCards(player, dealer, take_cards(deck, board, FLOP), take_cards(deck, board + FLOP, RIVER))


@rule
def rank_holdem_player(tables: HandTables, state: Any, _options: Any) -> int:
    """Rank the best five of the player's cards and the community cards."""
    return evaluate_strength(tables, state.player | state.flop | state.river, 0, ROYAL_FIRST)


@rule
def rank_holdem_dealer(tables: HandTables, state: Any, _options: Any) -> int:
    """Rank the best five of the dealer's cards and the community cards."""
    return evaluate_strength(tables, state.dealer | state.flop | state.river, 0, ROYAL_FIRST)


@rule
def rank_holdem_view(tables: HandTables, seen: Any) -> tuple[int, int]:
    """Rank both hands as far as a view shows them, NO_HAND before the flop."""
    mine = evaluate_strength(tables, seen.player | seen.community, 0, ROYAL_FIRST) if seen.community else NO_HAND
    return mine, evaluate_strength(tables, seen.dealer | seen.community, 0, ROYAL_FIRST) if seen.dealer else NO_HAND
