"""A sweep that closes idle tables, a batch at a time.

A table is closed when nothing has happened there for a day, or for an hour if no round ever began.  A round in play is
played out as if time were called.  Only staff close a table that is linked to a progressive.
"""

from contextlib import suppress
from datetime import UTC, datetime

from pitboss.core.errors import UnknownNameError
from pitboss.table.service import TableService
from pitboss.table.session import CloseTable, Phase, TableCommand, TableSession

IDLE_HOURS = 24
"""Hours after which an idle table is closed."""

UNPLAYED_IDLE_HOURS = 1
"""Hours after which an idle table is closed if no round ever began."""

BATCH_SIZE = 200
"""Tables that one call of the sweep looks at."""


def is_played(session: TableSession) -> bool:
    """Return whether a round ever began at a table."""
    return session.snapshot.number > 1 or session.phase is not Phase.WAGERS


def close_idle_table(tables: TableService, table: str, sequence: int) -> bool:
    """Close a table if it is still at ``sequence``; return whether it is closed now."""

    def choose(session: TableSession, _at: int) -> TableCommand | None:
        return CloseTable() if session.snapshot.sequence == sequence and not session.is_closed else None

    return tables.execute_for_house(table, choose).is_closed


class IdleTableSweep:
    """A sweep that closes idle tables, one batch at each call.

    It begins again after the last open table.
    """

    def __init__(self, tables: TableService, hours: int = IDLE_HOURS) -> None:
        """Set how many hours a table may be idle before it is closed."""
        self._tables = tables
        self._seconds, self._unplayed_seconds = 3600 * hours, 3600 * min(hours, UNPLAYED_IDLE_HOURS)
        self._after_entry = 0

    def close_next_batch(self, at: int, watched: frozenset[str] = frozenset()) -> list[str]:
        """Close the idle tables of the next batch and return their names.

        Tables in ``watched`` stay open.
        """
        batch = self._tables.list_opened_after(self._after_entry, BATCH_SIZE)
        self._after_entry = batch[-1].entry if len(batch) == BATCH_SIZE else 0
        closed_names = []
        for each in batch:
            idle_seconds = at - int(datetime.fromisoformat(each.at).astimezone(UTC).timestamp())
            if idle_seconds < self._unplayed_seconds or each.name in watched:
                continue
            with suppress(UnknownNameError):  # its game cannot be loaded now: it stays as it is
                session = self._tables.get_session(each.name)
                if session.terms.linked or (is_played(session) and idle_seconds < self._seconds):
                    continue
                session = self._tables.run_automation(each.name)  # a round whose seeds were not shown is voided first
                if close_idle_table(self._tables, each.name, session.snapshot.sequence):
                    closed_names.append(each.name)
        return closed_names
