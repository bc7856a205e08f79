"""The order of a round: whom to ask what, when the dealer's hand is opened, which cards go where first."""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from pitboss.contract import Game
from pitboss.table.domain.events import Dealt, Shown

PRIVATE_ZONES = ("player", "drew", "discarded")
"""Fields of a view that only its own seat may see; every other field lies on the felt for all."""


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


def uncovered(game: Game, before: Sequence[Any], after: Sequence[Any]) -> Iterator[Shown]:
    """Yield the cards of each zone that lie open in the states ``after`` and did not in those ``before``."""
    zones = game.rules.view(after[0])._fields
    for zone in (zone for zone in zones if zone not in PRIVATE_ZONES):
        fresh = _open_in(game, zone, after) & ~_open_in(game, zone, before)
        if fresh:
            yield Shown(zone, tuple(card for card in game.deck.cards if fresh >> card & 1))


def _open_in(game: Game, zone: str, states: Sequence[Any]) -> int:
    cards = 0
    for state in states:
        cards |= getattr(game.rules.view(state), zone)
    return cards
