"""Decks laid by hand, and rounds opened with the wagers a test speaks of."""

from collections.abc import Mapping

from pitboss.cards import parse_cards
from pitboss.contract import Game
from pitboss.games import game_named
from pitboss.table.domain import EnvyPaid, Round, Settled, Stake, open_round

SIX_CARD = game_named("six-card")
LUNAR = game_named("lunar")
WILD_SIX_CARD = game_named("wild-six-card")
SHIFTING_WILDS = game_named("shifting-wilds")
WILD_52 = game_named("wild-52")


def deck_of(game: Game, cards: str) -> tuple[int, ...]:
    """Return a deck that begins with ``cards`` and goes on in the order of the codes."""
    first = parse_cards(cards, game.deck)
    return (*first, *(card for card in game.deck.cards if card not in first))


def opened(game: Game, *seats: Mapping[str, int], **options: str) -> Round:
    """Open a round with these stakes, in dollars by bet, one mapping a seat."""
    now = open_round(game, len(seats), options=options)
    for seat, stakes in enumerate(seats):
        for bet, dollars in stakes.items():
            now = now.wager(Stake(seat, bet, 100 * dollars))
    return now


def settled(now: Round) -> list[tuple[int, str, str, int]]:
    """Return seat, bet, outcome and net in cents of every settlement and envy, in the order in which they happened."""
    found = []
    for event in now.events:
        if isinstance(event, Settled):
            found.append((event.seat, event.bet, event.outcome, event.net_cents))
        elif isinstance(event, EnvyPaid):
            found.append((event.seat, event.bet, f"envy-{event.line}", event.cents))
    return found


def net_of(now: Round, seat: int, bet: str) -> int:
    """Return what a seat netted on a bet, in cents."""
    return sum(
        event.net_cents for event in now.events if isinstance(event, Settled) and (event.seat, event.bet) == (seat, bet)
    )
