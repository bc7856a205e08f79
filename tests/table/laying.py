"""Decks laid by hand, and rounds opened with the wagers a test speaks of."""

from collections import deque
from collections.abc import Mapping

from pitboss.cards import parse_cards, seeded_bits
from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.table.round import EnvyPaid, Round, Stake, WagerSettled, open_round

SIX_CARD = load_game("six-card")
LUNAR = load_game("lunar")
WILD_SIX_CARD = load_game("wild-six-card")
SHIFTING_WILDS = load_game("shifting-wilds")
WILD_52 = load_game("wild-52")


def deck_of(game: Game, cards: str) -> tuple[int, ...]:
    """Return a deck that begins with ``cards`` and goes on in the order of the codes."""
    first = parse_cards(cards, game.deck)
    return (*first, *(card for card in game.deck.cards if card not in first))


class Laid:
    """Bits for ``TableService`` with which decks come out as they were laid, one after another; then from a seed."""

    def __init__(self, seed: int = 1) -> None:
        self._drawn: deque[int] = deque()
        self._seeded = seeded_bits(seed)

    def lay(self, game: Game, cards: str) -> None:
        """Have the next deck begin with ``cards``: draw what ``reordered`` must draw, and as much for the spare one."""
        wanted, lying = deck_of(game, cards), list(game.deck.cards)
        for last in range(len(lying) - 1, 0, -1):
            chosen = lying.index(wanted[last])
            lying[last], lying[chosen] = lying[chosen], lying[last]
            self._drawn.append(chosen)
        self._drawn.extend([0] * (len(lying) - 1))

    def __call__(self, count: int) -> int:
        return self._drawn.popleft() if self._drawn else self._seeded(count)


def opened(game: Game, *seats: Mapping[str, int], **options: str) -> Round:
    """Open a round with these stakes, in dollars by bet, one mapping a seat."""
    now = open_round(game, len(seats), options=options)
    for seat, stakes in enumerate(seats):
        for bet, dollars in stakes.items():
            now = now.place_wager(Stake(seat, bet, 100 * dollars))
    return now


def settled(now: Round) -> list[tuple[int, str, str, int]]:
    """Return seat, bet, outcome and net in cents of every settlement and envy, in the order in which they happened."""
    found = []
    for event in now.events:
        if isinstance(event, WagerSettled):
            found.append((event.seat, event.bet, event.outcome, event.net_cents))
        elif isinstance(event, EnvyPaid):
            found.append((event.seat, event.bet, f"envy-{event.line}", event.cents))
    return found


def net_of(now: Round, seat: int, bet: str) -> int:
    """Return what a seat netted on a bet, in cents."""
    return sum(
        event.net_cents
        for event in now.events
        if isinstance(event, WagerSettled) and (event.seat, event.bet) == (seat, bet)
    )
