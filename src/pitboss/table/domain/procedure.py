"""The order of a round: whom to ask what, when the dealer's hand is opened, which cards go where first."""

from collections.abc import Iterator, Sequence
from enum import Enum

from pitboss.contract import Game
from pitboss.table.domain.events import Dealt


class Step(Enum):
    """What a round does next."""

    ASK = "ask"
    OPEN_DEALER = "open dealer"
    FINISH = "finish"


def program(game: Game, seats: int) -> tuple[tuple[Step, int, int], ...]:
    """List every step of a round as (step, decision, seat): each decision is put to every seat in order (ALL-10).

    The dealer's hand is opened after the last decision, or before the first that may see it.
    """
    steps: list[tuple[Step, int, int]] = []
    opened = False
    for index, decision in enumerate(game.decisions):
        if decision.dealer_shown and not opened:
            steps.append((Step.OPEN_DEALER, 0, 0))
            opened = True
        steps.extend((Step.ASK, index, seat) for seat in range(seats))
    if not opened:
        steps.append((Step.OPEN_DEALER, 0, 0))
    return (*steps, (Step.FINISH, 0, 0))


def first_dealings(game: Game, seats: int, deck: Sequence[int]) -> Iterator[Dealt]:
    """Yield what the first cards of ``deck`` are: the game's zones in their order, a zone "seat" once for each."""
    place = 0
    for zone in game.dealing:
        for seat in range(seats) if zone.to == "seat" else (None,):
            yield Dealt(zone.to, tuple(deck[place : place + zone.cards]), seat)
            place += zone.cards
