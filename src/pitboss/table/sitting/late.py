"""Time that runs out: whose it was, and what was done for him then (RULINGS, "If a decision times out")."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pitboss.core.errors import IllegalActionError
from pitboss.table.sitting.events import Acted, DealtOut, Locked, Voided

if TYPE_CHECKING:
    from pitboss.table.sitting.state import Sitting

WAGER, SEED, DECISION = "wager", "seed", "decision"

ABSENT_SECONDS = 120
"""How long a seat is waited for where it may take any time, before others may go on without it."""


class Late(NamedTuple):
    """A seat, and who sat there, whose time ran out for ``what``; of a decision the ``action`` that was taken."""

    seat: int
    holder: str
    what: str
    action: str = ""


def is_late(now: "Sitting", at: int) -> bool:
    """Return whether the time is up that wagers, seeds or a decision may take."""
    return bool(now.seconds and now.standing.since) and at >= now.standing.since + now.seconds


def awaited(now: "Sitting") -> int | None:
    """Return the seat that has to wager or to decide where no clock runs: of several the first."""
    if now.seconds or now.locked:
        return None
    return now.turn if not now.paid else next((seat for seat, held in now.seats.items() if held.stakes is None), None)


def absent(now: "Sitting", seat: int | None) -> int | None:
    """Return the seat that another waits for, and without which it may go on in the end."""
    held, other = now.seats.get(seat or 0), awaited(now)
    waits = held is not None and (not now.paid or held.stakes is not None)
    return other if waits and other != seat and now.standing.since else None


def verify_absent(now: "Sitting", seat: int, at: int) -> None:
    """Check whether others may go on without a seat that they wait for.

    Raises:
        IllegalActionError: not for long enough yet.
    """
    if not now.standing.since:
        raise IllegalActionError(f"seat {seat} is not waited for yet: place your own wagers first")
    left = now.standing.since + ABSENT_SECONDS - at
    if left > 0:
        raise IllegalActionError(f"seat {seat} may still come: go on without it in {left} seconds")


def late_with(now: "Sitting", event: Locked | DealtOut | Acted | Voided) -> tuple[Late, ...]:
    """Return whose time has run out in a round after one more event: when its wagers are closed it begins."""
    return tuple(_late_with(now, event))


def _late_with(now: "Sitting", event: Locked | DealtOut | Acted | Voided) -> Iterator[Late]:
    if now.locked or not now.paid:
        yield from now.late
    elif is_late(now, event.at):
        yield from (Late(seat, held.holder, WAGER) for seat, held in now.seats.items() if held.stakes is None)
    if isinstance(event, Voided):
        yield from (Late(seat, now.seats[seat].holder, SEED) for seat in event.seats)
    elif isinstance(event, Acted) and event.late:
        yield Late(event.seat, now.seats[event.seat].holder, DECISION, event.action)
