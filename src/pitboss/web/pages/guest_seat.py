"""The seat of a guest at a table."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import Path

from pitboss.core.errors import IllegalActionError
from pitboss.table.session import Phase, TableSession
from pitboss.web.auth.guests import Guest

TableName = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]


def find_guest_seat(session: TableSession, guest: Guest) -> int | None:
    """Return the seat of a guest, or None."""
    return next((seat for seat, state in session.seats.items() if state.holder == guest.holder), None)


def is_hand_waiting(session: TableSession, guest: Guest) -> bool:
    """Return whether a guest has a hand in a round that is not over."""
    return session.phase is not Phase.WAGERS and find_guest_seat(session, guest) in session.round_seats


def find_next_seat(sessions: Iterable[TableSession], guest: Guest) -> TableSession | None:
    """Return the table to lead a guest back to, None for one without a seat.

    A table that waits for the guest comes first, then one with a hand, then one of the last game.
    """
    own = [session for session in sessions if find_guest_seat(session, guest) is not None]
    order = [
        (
            session.turn != find_guest_seat(session, guest),
            not is_hand_waiting(session, guest),
            session.terms.game != guest.last_game,
        )
        for session in own
    ]
    return min(zip(order, own, strict=True), key=lambda each: each[0])[1] if own else None


def get_own_seat(session: TableSession, guest: Guest) -> int:
    """Return the seat of a guest, or raise IllegalActionError."""
    seat = find_guest_seat(session, guest)
    if seat is None:
        raise IllegalActionError("you have no seat at this table: take a free one", code="no-seat")
    return seat
