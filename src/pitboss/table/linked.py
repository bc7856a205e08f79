"""A table linked to the progressive of ``jackpot``: the dealer's keys, pressed by the table itself.

The supervisor's half, confirming an award, stays with the people at the console: until it is done the table waits with
its settlement.  Before a key is pressed the ledger is looked at, whether it has been; a key pressed twice on the same
look is one command.
"""

from collections.abc import Mapping
from typing import Any

from pitboss.contract import PayUnit
from pitboss.core.money import format_cents
from pitboss.jackpot.commands import Close, Hit, Open
from pitboss.jackpot.decide import decide
from pitboss.jackpot.events import Wager as Taken
from pitboss.jackpot.hands import game_of
from pitboss.jackpot.procedure import due_round, settings_in
from pitboss.jackpot.refusal import RefusalError
from pitboss.jackpot.roles import ROLES, Actor
from pitboss.jackpot.service import Controller
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import Hit as Entry
from pitboss.jackpot.state import State
from pitboss.ledger.errors import LedgerError
from pitboss.meter import Meter, divide_wager
from pitboss.table.meters import Won
from pitboss.table.sitting.events import Award
from pitboss.table.sitting.state import Sitting
from pitboss.table.sitting.terms import Link, Terms

PATIENCE_SECONDS = 60
"""How long wagers and a decision may take at a linked table, which one guest must not hold up."""

_OPTIONS = {"award_order", "award_rounding", "fixed_awards_from", "envy_hitter_must_wager"}
"""Options of a game that are settings of a progressive too."""


class Linked:
    """A linked table, and its keys."""

    def __init__(self, controller: Controller, now: Sitting) -> None:
        """Press the keys of the table that a sitting's terms name, in the name of its dealer."""
        if now.terms.linked is None:
            message = f"table {now.standing.table} is linked to no progressive"
            raise ValueError(message)
        self._controller, self._link = controller, now.terms.linked
        self._name, self._dealer = now.standing.table, now.standing.dealer

    def due(self, wagers: Mapping[int, int]) -> int:
        """Return the number of the round that would take these wagers (raises as the keys would)."""
        state = self._state()
        number = due_round(state, self._link.table)
        decide(state, self._open(number, wagers), self._actor(state))
        return number

    def coin_in(self, number: int, wagers: Mapping[int, int]) -> Meter:
        """COIN IN, START GAME: take the wagers; return the meter without them."""
        state = self._state()
        now = state.rounds.get(self._link.table)
        if now is None or not now.running or (now.number, now.link) != (number, self._name):
            state = self._press(self._open(number, wagers), state, f"coin-in-{state.entries}")
        settings = settings_in(state)
        parts = [divide_wager(cents, settings.meter_bps, settings.reserve_bps) for cents in wagers.values()]
        return Meter(
            state.meter_units - sum(part.meter_units for part in parts),
            state.reserve_units - sum(part.reserve_units for part in parts),
        )

    def enter(self, number: int, won: Mapping[int, Won]) -> tuple[Award, ...]:
        """Press the hand buttons, from the dealer's right; return what the ledger has fixed."""
        state = self._state()
        for seat, hand in sorted(won.items(), reverse=True):
            if seat not in self._hits(state, number):
                hit = Hit(
                    table=self._link.table, round=number, seat=seat, hand=hand.line, cards=hand.cards, link=self._name
                )
                state = self._press(hit, state, f"hit-{seat}")
        return self._awards(state, number)

    def close(self, number: int, awards: tuple[Award, ...]) -> None:
        """GAME OVER, END GAME (raises RefusalError while an award is not confirmed)."""
        state = self._state()
        now = state.rounds.get(self._link.table)
        if now is None or not now.running or (now.number, now.link) != (number, self._name):
            return  # it is over
        for hit in self.awaited(number, state):
            raise RefusalError(f"award {hit.owed.award} of seat {hit.owed.seat} waits for a supervisor to confirm it")
        if self._awards(state, number) != awards:
            raise RefusalError(f"the ledger has other awards than lie at {self._name}: two people must put them right")
        close = Close(table=self._link.table, round=number, link=self._name)
        self._press(close, state, f"close-{state.entries}")

    def awaited(self, number: int, state: State | None = None) -> tuple[Entry, ...]:
        """Return the hits of a round that wait for a supervisor, from the dealer's right."""
        pending = (state or self._state()).pending(self._link.table, number)
        return tuple(sorted(pending, key=lambda hit: -hit.owed.seat))

    def _state(self) -> State:
        state = self._controller.refresh()
        if self._controller.beginning != self._link.ledger:
            raise LedgerError(f"table {self._name} plays for another progressive: serve it with that ledger")
        return state

    def _actor(self, state: State) -> Actor:
        member = state.staff.get(self._dealer)
        if member is None or not member.active or member.role not in ROLES["open"]:
            raise RefusalError(
                f"{self._dealer} does not deal any more: staff must take over table {self._link.table} at its console"
            )
        return Actor(self._dealer, member.role)

    def _open(self, number: int, wagers: Mapping[int, int]) -> Open:
        taken = tuple(Taken(seat=seat, cents=cents) for seat, cents in sorted(wagers.items()))
        table, version = self._link.table, self._link.version
        return Open(table=table, round=number, wagers=taken, link=self._name, version=version)

    def _press(self, command: Open | Hit | Close, state: State, what: str) -> State:
        key = f"{self._name}-{command.round}-{what}-{self._dealer}"
        return self._controller.do(command, self._actor(state), key).state

    def _hits(self, state: State, number: int) -> dict[int, Entry]:
        """Return the hits of a round that stand, by seat."""
        return {
            hit.owed.seat: hit
            for hit in state.hits.values()
            if (hit.table, hit.round) == (self._link.table, number) and hit.step in {"pending", "confirmed", "paid"}
        }

    def _awards(self, state: State, number: int) -> tuple[Award, ...]:
        return tuple(
            Award(seat=seat, meter_cents=hit.owed.meter_cents, short_cents=hit.owed.short_cents)
            for seat, hit in sorted(self._hits(state, number).items())
        )


def linked_terms(controller: Controller, table: int, dealer: str) -> Terms:
    """Return the terms of a table that plays as a table of the progressive, by its present settings.

    Raises:
        RefusalError: there is no such table, or no game that these settings could be played at.
        LedgerError: the ledger cannot be reached or does not hold.
    """
    state = controller.refresh()
    settings = settings_in(state)
    if table > settings.tables:
        raise RefusalError(f"unknown table {table}: tables are 1 to {settings.tables}")
    found = game_of(settings)
    if found is None:
        raise RefusalError(f"no game has a progressive of the hands of {settings.paytable}: play it at the console")
    game, wager = found
    cents = wager.limits.minimum_cents
    if cents % settings.wager_cents or cents > settings.most_wager_cents:
        raise RefusalError(
            f"{wager.name} takes {format_cents(cents)} on the felt of {game.name}, the settings do not: set wager_cents"
        )
    return Terms(
        game=game.id,
        seats=min(settings.seats, game.seats),
        options={
            option.name: str(getattr(settings, option.name)) for option in game.options if option.name in _OPTIONS
        },
        own_paytables=(_as_document(settings, wager.id),),
        wager_seconds=PATIENCE_SECONDS,
        decide_seconds=PATIENCE_SECONDS,
        linked=Link(table=table, version=state.version, ledger=controller.beginning, dealer=dealer),
    )


def _as_document(settings: Settings, bet: str) -> dict[str, Any]:
    """Write the settings as a pay table that a table's terms can hold."""
    return {
        "id": settings.paytable,
        "bet": bet,
        "unit": PayUnit.FOR_ONE.value,
        "source": "the progressive's settings",
        "lines": {
            line.hand: {"pay": str(line.percent), "unit": PayUnit.PERCENT_OF_METER.value}
            if line.percent
            else {"pay": f"{line.cents}:{settings.wager_cents}"}
            for line in settings.lines
        },
        "envy": {line.hand: line.envy_dollars for line in settings.lines if line.envy_dollars},
        "progressive": {
            "seed_cents": settings.seed_cents,
            "meter_bps": settings.meter_bps,
            "reserve_bps": settings.reserve_bps,
            "source": "the progressive's settings",
        },
    }
