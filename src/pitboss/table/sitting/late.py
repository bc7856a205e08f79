"""Time that runs out: whose it was, and what was done for him then (RULINGS, "If a decision times out")."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pitboss.table.sitting.events import Acted, DealtOut, Locked

if TYPE_CHECKING:
    from pitboss.table.sitting.state import Sitting

WAGER, SEED, DECISION = "wager", "seed", "decision"


class Late(NamedTuple):
    """A seat, and who sat there, whose time ran out for ``what``; of a decision the ``action`` that was taken."""

    seat: int
    holder: str
    what: str
    action: str = ""


def is_late(now: "Sitting", at: int) -> bool:
    """Return whether the time is up that wagers, seeds or a decision may take."""
    return bool(now.seconds and now.standing.since) and at >= now.standing.since + now.seconds


def late_with(now: "Sitting", event: Locked | DealtOut | Acted) -> tuple[Late, ...]:
    """Return whose time has run out in a round after one more event: when its wagers are closed it begins."""
    return tuple(_late_with(now, event))


def _late_with(now: "Sitting", event: Locked | DealtOut | Acted) -> Iterator[Late]:
    if now.locked or not now.paid:
        yield from now.late
    elif is_late(now, event.at):
        yield from (Late(seat, held.holder, WAGER) for seat, held in now.seats.items() if held.stakes is None)
    if isinstance(event, DealtOut):
        hidden = (seat for seat, held in now.seats.items() if held.stakes and held.seed_hash and not held.seed)
        yield from (Late(seat, now.seats[seat].holder, SEED) for seat in hidden)
    elif isinstance(event, Acted) and event.late:
        yield Late(event.seat, now.seats[event.seat].holder, DECISION, event.action)
