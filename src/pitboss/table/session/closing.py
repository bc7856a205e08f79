"""Closing a table: permission, events, and the check that it is open."""

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.core.errors import IllegalActionError
from pitboss.table.session.commands import HOUSE, CallTime, CloseTable, SettleRound
from pitboss.table.session.events import SeatLeft, SessionEvent, TableClosed
from pitboss.table.session.state import Phase, TableSession, replay_events


def verify_open(session: TableSession) -> None:
    """Raise ``IllegalActionError`` if a table is closed."""
    if session.is_closed:
        raise IllegalActionError("this table is closed: open another", code="table-closed")


def verify_close_table(session: TableSession, _command: CloseTable, by: str, _at: int) -> None:
    """Raise ``IllegalActionError`` unless the house may close the table now.

    The table must not wait for a seed or for its progressive.
    """
    if by != HOUSE:
        raise IllegalActionError("only the house closes a table", code="house-only")
    if session.phase is Phase.SEEDS or (session.terms.linked and session.phase is not Phase.WAGERS):
        raise IllegalActionError(
            "the round waits for seeds or for its progressive: close the table when it is over", code="round-waits"
        )


def handle_close_table(
    session: TableSession,
    by: str,
    at: int,
    inputs: Any,
    handlers: Mapping[str, Callable[..., tuple[SessionEvent, ...]]],
) -> tuple[SessionEvent, ...]:
    """Return the events that close a table.

    Timeouts play out a round in play, and all chips are changed back.
    """
    events: tuple[SessionEvent, ...] = ()
    while session.phase is not Phase.WAGERS:
        command = SettleRound() if session.phase is Phase.SETTLE else CallTime()
        fresh = handlers[command.kind](session, command, by, at, inputs)
        events, session = (*events, *fresh), replay_events(fresh, session)
    left = (SeatLeft(seat=seat, cents=held.chips_cents) for seat, held in session.seats.items())
    return (*events, *left, TableClosed(at=at))
