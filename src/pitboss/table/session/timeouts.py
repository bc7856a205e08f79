"""Timeouts: whose time ran out, and what was done for that seat.

The ruling is in RULINGS, "If a decision times out".
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pitboss.core.errors import IllegalActionError
from pitboss.table.session.events import ActionTaken, RoundDealt, RoundVoided, WagersLocked

if TYPE_CHECKING:
    from pitboss.table.session.state import TableSession

WAGER, SEED, DECISION = "wager", "seed", "decision"

ABSENT_SECONDS = 120
"""How long a table without time limits waits for a seat before others may go on without it."""


class Timeout(NamedTuple):
    """A seat and its holder, whose time ran out for ``kind``.

    For a decision, ``action`` is the one that was taken.
    """

    seat: int
    holder: str
    kind: str
    action: str = ""


def is_time_up(session: "TableSession", at: int) -> bool:
    """Return whether the time limit of wagers, seeds or a decision is over."""
    return (
        bool(session.time_limit_seconds and session.snapshot.since)
        and at >= session.snapshot.since + session.time_limit_seconds
    )


def find_awaited_seat(session: "TableSession") -> int | None:
    """Find the first seat that has to wager or to decide while no clock runs."""
    if session.time_limit_seconds or session.is_locked:
        return None
    if not session.is_settled:
        return session.turn
    return next((seat for seat, held in session.seats.items() if held.stakes is None), None)


def find_absent_seat(session: "TableSession", seat: int | None) -> int | None:
    """Find the seat that ``seat`` waits for and may in the end go on without."""
    held, other = session.seats.get(seat or 0), find_awaited_seat(session)
    is_waiting = held is not None and (not session.is_settled or held.stakes is not None)
    return other if is_waiting and other != seat and session.snapshot.since else None


def verify_absent(session: "TableSession", seat: int, at: int) -> None:
    """Check whether others may go on without a seat that they wait for.

    Raises:
        IllegalActionError: they have not waited long enough.
    """
    if not session.snapshot.since:
        raise IllegalActionError(
            f"nobody waits for seat {seat} yet: place your own wagers first", code="nobody-waits", seat=seat
        )
    seconds = session.snapshot.since + ABSENT_SECONDS - at
    if seconds > 0:
        raise IllegalActionError(
            f"seat {seat} may still return: go on without it in {seconds} s",
            code="time-left",
            seat=seat,
            seconds=seconds,
        )


def collect_timeouts(
    session: "TableSession", event: WagersLocked | RoundDealt | ActionTaken | RoundVoided
) -> Iterator[Timeout]:
    """Yield the timeouts of a round after one more event.

    Closing the wagers begins the list.
    """
    if session.is_locked or not session.is_settled:
        yield from session.timeouts
    elif is_time_up(session, event.at):
        yield from (Timeout(seat, held.holder, WAGER) for seat, held in session.seats.items() if held.stakes is None)
    if isinstance(event, RoundVoided):
        yield from (Timeout(seat, session.seats[seat].holder, SEED) for seat in event.seats)
    elif isinstance(event, ActionTaken) and event.late:
        yield Timeout(event.seat, session.seats[event.seat].holder, DECISION, event.action)
