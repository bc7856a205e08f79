"""The seat of a guest at a table."""

from typing import Annotated

from fastapi import Path

from pitboss.core.errors import IllegalActionError
from pitboss.table.session import TableSession
from pitboss.web.auth.guests import Guest

TableName = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]


def find_guest_seat(session: TableSession, guest: Guest) -> int | None:
    """Return the seat of a guest, or None."""
    return next((seat for seat, state in session.seats.items() if state.holder == guest.holder), None)


def get_own_seat(session: TableSession, guest: Guest) -> int:
    """Return the seat of a guest, or raise IllegalActionError."""
    seat = find_guest_seat(session, guest)
    if seat is None:
        raise IllegalActionError("you have no seat at this table: take a free one", code="no-seat")
    return seat
