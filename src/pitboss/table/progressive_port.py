"""The port through which a table plays for a linked progressive.

It has a few steps, and each is safe to repeat.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pitboss.cards import format_cards
from pitboss.meter import Meter
from pitboss.paytables import find_progressive_table
from pitboss.table.round.events import EnvyPaid, WagerSettled
from pitboss.table.session.events import SeatAward
from pitboss.table.session.state import TableSession
from pitboss.table.session.terms import get_table_paytables


class WinningHand(NamedTuple):
    """A hand that wins on a progressive: its line, and its cards as ``As Ks ...``."""

    line: str
    cards: str


class ProgressivePort(Protocol):
    """The steps of a linked progressive, each safe to repeat.

    A step that is repeated after a crash gives the same answer.
    """

    def get_due_round(self, wagers: Mapping[int, int]) -> int:
        """Return the number of the round that would take these wagers, in cents by seat.

        Raises:
            PitbossError: the progressive takes none now; nothing has changed.
        """

    def coin_in(self, number: int, wagers: Mapping[int, int]) -> Meter:
        """COIN IN: take the wagers of a round; return the meter before them.

        Raises:
            LedgerError: there is no answer, and the wagers may have been taken; ask again.
            PitbossError: the wagers are not taken.
        """

    def enter_hits(self, number: int, hands: Mapping[int, WinningHand]) -> tuple[SeatAward, ...]:
        """Enter the winning hands of a round, by seat; return their fixed awards.

        Raises:
            PitbossError: not now; ask again.
        """

    def close_round(self, number: int, awards: tuple[SeatAward, ...]) -> tuple[SeatAward, ...]:
        """GAME OVER: end the round; ``awards`` are those that the felt shows.

        Return the confirmed awards, which differ from those shown if an earlier hit was turned off (SC-9).

        Raises:
            PitbossError: an award is not confirmed yet; the table waits.
        """


def get_progressive_wagers(session: TableSession) -> dict[int, int]:
    """Return the stakes on the progressive for the coming round, in cents by seat."""
    table = find_progressive_table(get_table_paytables(session.terms))
    placed = ((seat, stake) for seat, held in session.seats.items() for stake in held.stakes or ())
    return {seat: stake.cents for seat, stake in placed if table and stake.bet == table.bet}


def find_winning_hands(session: TableSession) -> dict[int, WinningHand]:
    """Find the hands of a finished round that the progressive must know of, by seat.

    These win its wager, or pay envy without one (SC-4, ``envy_hitter_must_wager`` off).
    """
    if session.round is None or not session.round.is_closed:
        return {}
    table = find_progressive_table(get_table_paytables(session.terms))
    lines: dict[int, str] = {}
    for event in session.round.events:
        if isinstance(event, WagerSettled) and table and event.bet == table.bet and event.outcome in table.lines:
            lines[event.seat] = event.outcome
        elif isinstance(event, EnvyPaid):
            lines[event.hitter] = event.line
    deck = session.round.game.deck
    return {
        session.round_seats[place]: WinningHand(line, format_cards(session.round.get_view(place).player, deck))
        for place, line in lines.items()
    }


def list_shown_awards(session: TableSession) -> tuple[SeatAward, ...]:
    """Return what the felt shows each seat of the progressive's awards."""
    fixed = session.round.awards if session.round else ()
    return tuple(
        SeatAward(seat=session.round_seats[each.seat], meter_cents=each.meter_cents, short_cents=each.short_cents)
        for each in fixed
    )
