"""The end of a table: who may close it, what follows, and that nothing is done there afterwards."""

from typing import Any

from pitboss.core.errors import IllegalActionError
from pitboss.table.sitting.commands import HOUSE, Command
from pitboss.table.sitting.events import Event, Left, TableClosed
from pitboss.table.sitting.state import Phase, Sitting


def verify_open(now: Sitting) -> None:
    """Raise ``IllegalActionError`` where a table is closed."""
    if now.closed:
        raise IllegalActionError("this table is closed: open another")


def verify_closing(now: Sitting, _command: Command, by: str, _at: int) -> None:
    """Raise ``IllegalActionError`` unless the house closes a table between two rounds."""
    if by != HOUSE:
        raise IllegalActionError("only the house closes a table")
    if now.phase is not Phase.WAGERS:
        raise IllegalActionError("the table is closed between two rounds: play this one to its end")


def close(now: Sitting, _command: Command, _by: str, at: int, _chance: Any) -> tuple[Event, ...]:
    """Return what closes a table: all chips are changed back."""
    left = tuple(Left(seat=seat, cents=held.chips_cents) for seat, held in now.seats.items())
    return (*left, TableClosed(at=at))
