"""The client through which a table plays for a progressive of ``jackpot``.

The table itself presses the dealer's keys.  People at the console still confirm awards, which is the supervisor's part;
until then the table does not settle.  Before it presses a key the client reads in the ledger whether that was done.  A
key pressed twice on the same reading is one command.
"""

from collections.abc import Mapping
from typing import Any

from pitboss.contract import PayUnit
from pitboss.core.errors import PayTableError
from pitboss.core.money import format_cents
from pitboss.jackpot.commands import CloseRound, EnterHit, OpenRound
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.dispatch import decide
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import ProgressiveWager
from pitboss.jackpot.hand_check import get_progressive_wager
from pitboss.jackpot.lookups import get_round_settings, get_settings
from pitboss.jackpot.roles import PERMISSIONS, Actor
from pitboss.jackpot.round_handlers import get_next_round
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit
from pitboss.ledger.errors import LedgerError
from pitboss.meter import Meter, divide_wager
from pitboss.table.progressive_port import WinningHand
from pitboss.table.session.events import SeatAward
from pitboss.table.session.state import TableSession
from pitboss.table.session.terms import ProgressiveLink, TableTerms, get_table_paytables

LINKED_TABLE_SECONDS = 60
"""The time limit for wagers and for a decision at a linked table, so that one guest does not hold it up."""

_SHARED_OPTIONS = {"award_order", "award_rounding", "fixed_awards_from", "envy_hitter_must_wager"}
"""Options of a game that are also settings of a progressive."""


class ProgressiveClient:
    """The keys of a linked table at its progressive."""

    def __init__(self, controller: Controller, session: TableSession) -> None:
        """Act for the table that the session's terms name, as its dealer."""
        if session.terms.linked is None:
            raise ValueError(f"table {session.snapshot.table} is not linked to a progressive")
        self._controller, self._link = controller, session.terms.linked
        self._table_name, self._dealer = session.snapshot.table, session.snapshot.dealer

    def get_due_round(self, wagers: Mapping[int, int]) -> int:
        """Return the number of the round that would take these wagers.

        Raises as the keys would.
        """
        state = self._refresh_state()
        number = get_next_round(state, self._link.table)
        decide(state, self._build_open_command(number, wagers), self._get_dealer_actor(state))
        return number

    def coin_in(self, number: int, wagers: Mapping[int, int]) -> Meter:
        """COIN IN, START GAME: take the wagers; return the meter without them."""
        state = self._refresh_state()
        current = state.rounds.get(self._link.table)
        if current is None or not current.running or (current.number, current.link) != (number, self._table_name):
            state = self._press_key(self._build_open_command(number, wagers), state, f"coin-in-{state.entries}")
        settings = get_round_settings(state, state.rounds[self._link.table])
        parts = [divide_wager(cents, settings.meter_bps, settings.reserve_bps) for cents in wagers.values()]
        return Meter(
            state.meter_units - sum(part.meter_units for part in parts),
            state.reserve_units - sum(part.reserve_units for part in parts),
        )

    def enter_hits(self, number: int, hands: Mapping[int, WinningHand]) -> tuple[SeatAward, ...]:
        """Press the hand buttons and return the awards that the ledger has fixed.

        The buttons are pressed from the dealer's right.
        """
        state = self._refresh_state()
        for seat, hand in sorted(hands.items(), reverse=True):
            if seat not in self._find_standing_hits(state, number):
                hit = EnterHit(
                    table=self._link.table,
                    round=number,
                    seat=seat,
                    hand=hand.line,
                    cards=hand.cards,
                    link=self._table_name,
                )
                state = self._press_key(hit, state, f"hit-{seat}")
        return self._list_awards(state, number)

    def close_round(self, number: int, awards: tuple[SeatAward, ...]) -> tuple[SeatAward, ...]:
        """GAME OVER, END GAME: end the round and return the confirmed awards.

        Raises:
            RefusalError: an award is not confirmed yet.
        """
        state = self._refresh_state()
        current = state.rounds.get(self._link.table)
        if current is None or not current.running or (current.number, current.link) != (number, self._table_name):
            return self._list_awards(state, number)  # the round is over already
        for hit in self.list_pending_hits(number, state):
            raise RefusalError(
                f"award {hit.owed.award} of seat {hit.owed.seat} waits for a supervisor to confirm it",
                code="award-pending",
                award=hit.owed.award,
                seat=hit.owed.seat,
            )
        final = self._list_awards(state, number)
        if [each.seat for each in final] != [each.seat for each in awards]:
            raise RefusalError(
                f"the ledger's awards differ from those at {self._table_name}: two people must correct them",
                code="awards-differ",
                table_name=self._table_name,
            )
        close = CloseRound(table=self._link.table, round=number, link=self._table_name)
        self._press_key(close, state, f"close-{state.entries}")
        return final

    def list_pending_hits(self, number: int, state: ProgressiveState | None = None) -> tuple[Hit, ...]:
        """Return the hits of a round that wait for a supervisor, from the dealer's right."""
        pending = (state or self._refresh_state()).list_pending_hits(self._link.table, number)
        return tuple(sorted(pending, key=lambda hit: -hit.owed.seat))

    def _refresh_state(self) -> ProgressiveState:
        state = self._controller.refresh()
        if self._controller.first_hash != self._link.ledger:
            raise LedgerError(
                f"table {self._table_name} plays for another progressive: serve it with that ledger",
                code="other-ledger",
                table_name=self._table_name,
            )
        return state

    def _get_dealer_actor(self, state: ProgressiveState) -> Actor:
        member = state.staff.get(self._dealer)
        if member is None or not member.active or member.role not in PERMISSIONS["open"]:
            raise RefusalError(
                f"{self._dealer} no longer deals, so staff must take over table {self._link.table} at its console",
                code="dealer-left",
                dealer=self._dealer,
                table=self._link.table,
            )
        return Actor(self._dealer, member.role)

    def _build_open_command(self, number: int, wagers: Mapping[int, int]) -> OpenRound:
        placed = tuple(ProgressiveWager(seat=seat, cents=cents) for seat, cents in sorted(wagers.items()))
        table, version = self._link.table, self._link.version
        return OpenRound(table=table, round=number, wagers=placed, link=self._table_name, version=version)

    def _press_key(
        self, command: OpenRound | EnterHit | CloseRound, state: ProgressiveState, purpose: str
    ) -> ProgressiveState:
        key = f"table {self._table_name} {command.round} {purpose} {self._dealer}"  # spaces: OUTSIDE_KEY has none
        return self._controller.execute(command, self._get_dealer_actor(state), key).state

    def _find_standing_hits(self, state: ProgressiveState, number: int) -> dict[int, Hit]:
        """Find the hits of a round that were not taken back, by seat."""
        return {hit.owed.seat: hit for hit in state.list_standing_hits(self._link.table, number)}

    def _list_awards(self, state: ProgressiveState, number: int) -> tuple[SeatAward, ...]:
        return tuple(
            SeatAward(seat=seat, meter_cents=hit.owed.meter_cents, short_cents=hit.owed.short_cents)
            for seat, hit in sorted(self._find_standing_hits(state, number).items())
        )


def build_linked_terms(controller: Controller, table_number: int, dealer: str) -> TableTerms:
    """Build a linked table's terms from the progressive's present settings.

    Raises:
        RefusalError: there is no such table, or the settings' game cannot be played by them.
        LedgerError: the ledger cannot be reached or is damaged.
    """
    state = controller.refresh()
    settings = get_settings(state)
    if table_number > settings.tables:
        raise RefusalError(
            f"unknown table {table_number}: tables are 1 to {settings.tables}",
            code="unknown-table",
            table_number=table_number,
            tables=settings.tables,
        )
    game, wager = get_progressive_wager(settings.game)
    cents = wager.limits.minimum_cents
    if cents != settings.wager_cents:
        raise RefusalError(
            f"{wager.name} takes {format_cents(cents)} in {game.name}, not in the settings: set wager_cents to that",
            code="other-wager",
            wager=wager.id,
            cents=cents,
            game=game.id,
        )
    terms = TableTerms(
        game=game.id,
        seats=min(settings.seats, game.seats),
        options={
            option.name: str(getattr(settings, option.name))
            for option in game.options
            if option.name in _SHARED_OPTIONS
        },
        own_paytables=(_build_paytable_document(settings, wager.id),),
        wager_seconds=LINKED_TABLE_SECONDS,
        decide_seconds=LINKED_TABLE_SECONDS,
        linked=ProgressiveLink(table=table_number, version=state.version, ledger=controller.first_hash, dealer=dealer),
    )
    try:
        get_table_paytables(terms)
    except PayTableError as error:
        raise RefusalError(
            f"{game.name} cannot be linked with these settings, so play it at the console: {error}",
            code="unplayable-settings",
            game=game.id,
        ) from None
    return terms


def _build_paytable_document(settings: Settings, bet: str) -> dict[str, Any]:
    """Build the pay table of the settings in the form that a table's terms hold."""
    return {
        "id": settings.paytable,
        "bet": bet,
        "unit": PayUnit.FOR_ONE.value,
        "source": "the progressive's settings",
        "lines": {
            line.hand: {"pay": str(line.percent), "unit": PayUnit.PERCENT_OF_METER.value}
            if line.percent
            else {"pay": f"{settings.compute_fixed_cents(line, settings.wager_cents)}:{settings.wager_cents}"}
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
