"""The end of a table: who may close it, what follows, and that nothing is done there afterwards."""

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.core.errors import IllegalActionError
from pitboss.table.sitting.commands import HOUSE, CloseTable, Settle, TimeOut
from pitboss.table.sitting.events import Event, Left, TableClosed
from pitboss.table.sitting.state import Phase, Sitting, folded


def verify_open(now: Sitting) -> None:
    """Raise ``IllegalActionError`` where a table is closed."""
    if now.closed:
        raise IllegalActionError("this table is closed: open another")


def verify_closing(now: Sitting, _command: CloseTable, by: str, _at: int) -> None:
    """Raise ``IllegalActionError`` unless the house closes a table that waits for nobody elsewhere."""
    if by != HOUSE:
        raise IllegalActionError("only the house closes a table")
    if now.phase is Phase.SEEDS or (now.terms.linked and now.phase is not Phase.WAGERS):
        raise IllegalActionError("the round waits for what is not here: close the table when it is over")


def close(
    now: Sitting, by: str, at: int, chance: Any, done_by: Mapping[str, Callable[..., tuple[Event, ...]]]
) -> tuple[Event, ...]:
    """Return what closes a table: a round in play is played out as if time were called, all chips are changed back."""
    events: tuple[Event, ...] = ()
    while now.phase is not Phase.WAGERS:
        command = Settle() if now.phase is Phase.SETTLE else TimeOut()
        fresh = done_by[command.kind](now, command, by, at, chance)
        events, now = (*events, *fresh), folded(fresh, now)
    left = (Left(seat=seat, cents=held.chips_cents) for seat, held in now.seats.items())
    return (*events, *left, TableClosed(at=at))
