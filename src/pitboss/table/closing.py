"""Tables that nobody comes back to, closed by a sweep: a few at a time, whatever number of them there is.

A table is closed when nothing has happened there for a day, or for an hour where no round was ever begun.  What is in
play is played out as if time were called.  A table that plays for a progressive is closed by staff alone.
"""

from datetime import UTC, datetime

from pitboss.table.service import Tables
from pitboss.table.sitting import CloseTable, Command, Phase, Sitting

HOURS = 24
"""Hours without anything happening after which a table is closed."""

UNPLAYED_HOURS = 1
"""The same where no round was ever begun."""

AT_ONCE = 200
"""Tables looked at in one sweep."""


def is_played(now: Sitting) -> bool:
    """Return whether a round was ever begun at a table."""
    return now.standing.number > 1 or now.phase is not Phase.WAGERS


def close(tables: Tables, table: str, sequence: int) -> bool:
    """Close a table that still stands at ``sequence``, and return whether it is closed now."""

    def choose(now: Sitting, _at: int) -> Command | None:
        return CloseTable() if now.standing.sequence == sequence and not now.closed else None

    return tables.by_house(table, choose).closed


class Sweep:
    """Goes through the open tables, so many at each call, and begins again at the end."""

    def __init__(self, tables: Tables, hours: int = HOURS, unplayed_hours: int = UNPLAYED_HOURS) -> None:
        """Close tables after so many hours."""
        self._tables = tables
        self._seconds, self._unplayed_seconds = 3600 * hours, 3600 * min(hours, unplayed_hours)
        self._after = 0

    def close_some(self, now: int, followed: frozenset[str] = frozenset()) -> list[str]:
        """Close those of the next tables that are forsaken at a time, but none that is followed; return their names."""
        some = self._tables.some(self._after, AT_ONCE)
        self._after = some[-1].entry if len(some) == AT_ONCE else 0
        closed = []
        for each in some:
            idle = now - int(datetime.fromisoformat(each.at).astimezone(UTC).timestamp())
            if idle < self._unplayed_seconds or each.name in followed:
                continue
            sitting = self._tables.sitting(each.name)
            if sitting.terms.linked or (is_played(sitting) and idle < self._seconds):
                continue
            sitting = self._tables.tend(each.name)  # seeds that nobody showed have their own end
            if close(self._tables, each.name, sitting.standing.sequence):
                closed.append(each.name)
        return closed
