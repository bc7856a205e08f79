"""Tables that nobody comes back to, closed by a sweep: a few at a time, whatever number of them there is.

A table is closed when nothing has happened there for a day, or for an hour where no round was ever begun.  What is in
play is played out as if time were called.  A table that plays for a progressive is closed by staff alone.
"""

from datetime import UTC, datetime

from pitboss.table.service import TableService
from pitboss.table.session import CloseTable, Phase, TableCommand, TableSession

IDLE_HOURS = 24
"""Hours without anything happening after which a table is closed."""

UNPLAYED_IDLE_HOURS = 1
"""The same where no round was ever begun."""

BATCH_SIZE = 200
"""Tables looked at in one sweep."""


def is_played(session: TableSession) -> bool:
    """Return whether a round was ever begun at a table."""
    return session.snapshot.number > 1 or session.phase is not Phase.WAGERS


def close_idle_table(tables: TableService, table: str, sequence: int) -> bool:
    """Close a table that still stands at ``sequence``, and return whether it is closed now."""

    def choose(now: TableSession, _at: int) -> TableCommand | None:
        return CloseTable() if now.snapshot.sequence == sequence and not now.is_closed else None

    return tables.execute_for_house(table, choose).is_closed


class IdleTableSweep:
    """Goes through the open tables, so many at each call, and begins again at the end."""

    def __init__(
        self, tables: TableService, hours: int = IDLE_HOURS, unplayed_hours: int = UNPLAYED_IDLE_HOURS
    ) -> None:
        """Close tables after so many hours."""
        self._tables = tables
        self._seconds, self._unplayed_seconds = 3600 * hours, 3600 * min(hours, unplayed_hours)
        self._after_entry = 0

    def close_next_batch(self, at: int, watched: frozenset[str] = frozenset()) -> list[str]:
        """Close those of the next tables that are forsaken at a time, but none that is followed; return their names."""
        some = self._tables.list_opened_after(self._after_entry, BATCH_SIZE)
        self._after_entry = some[-1].entry if len(some) == BATCH_SIZE else 0
        closed = []
        for each in some:
            idle = at - int(datetime.fromisoformat(each.at).astimezone(UTC).timestamp())
            if idle < self._unplayed_seconds or each.name in watched:
                continue
            sitting = self._tables.get_session(each.name)
            if sitting.terms.linked or (is_played(sitting) and idle < self._seconds):
                continue
            sitting = self._tables.run_automation(each.name)  # seeds that nobody showed have their own end
            if close_idle_table(self._tables, each.name, sitting.snapshot.sequence):
                closed.append(each.name)
        return closed
