"""The tables of a ledger, each a stream of entries with encrypted secrets.

All streams are in one chain.  An entry holds the events of one command and of the automation that followed it.  The
entry that settles or voids a round also holds a snapshot of the session at that moment, so that loading a table reads
only its last two rounds.
"""

import json
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import Any, NamedTuple

from pitboss.ledger.chain import Entry, EntryDraft, find_chain_fault, iter_verified_chain, to_canonical_json
from pitboss.ledger.entry_pages import read_answers, read_entries
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction
from pitboss.table import table_queries
from pitboss.table.encryption import TableCipher
from pitboss.table.session.events import (
    EVENT_ADAPTER,
    SECRET_FIELDS,
    RoundSettled,
    RoundVoided,
    SessionEvent,
    TableOpened,
)
from pitboss.table.session.snapshot import TableSnapshot
from pitboss.table.session.state import TableSession, apply_event, replay_events

TRAINEE_PREFIX = "trainee/"
"""The prefix of the names of trainees' streams; they are stored with the tables', and nothing in them is secret."""


PUZZLE_PREFIX = "puzzles/"
"""The prefix of the names of the streams with guests' answers to puzzles; nothing in them is secret."""


class LoadedSession(NamedTuple):
    """A table session, and the number of the last entry that it includes."""

    session: TableSession
    entry_number: int


class AppliedEvent(NamedTuple):
    """An event, and the table session after it."""

    event: SessionEvent
    session: TableSession


class SessionCache:
    """A cache of the most recently used tables.

    Any other table is read from the ledger again.
    """

    def __init__(self, capacity: int = 1_000) -> None:
        """Hold up to ``capacity`` tables."""
        self._capacity = capacity
        self._loaded: dict[str, LoadedSession] = {}
        self._lock = Lock()

    def get(self, table: str) -> LoadedSession | None:
        """Return the cached session of a table, or None."""
        return self._loaded.get(table)

    def forget(self, table: str) -> None:
        """Remove a table from the cache."""
        with self._lock:
            self._loaded.pop(table, None)

    def keep(self, table: str, loaded: LoadedSession) -> None:
        """Cache a session, unless a later one of the same table is cached already."""
        with self._lock:
            before = self._loaded.pop(table, loaded)
            self._loaded[table] = loaded if loaded.entry_number > before.entry_number else before
            if len(self._loaded) > self._capacity:
                del self._loaded[next(iter(self._loaded))]


def apply_events(events: Iterable[SessionEvent], session: TableSession | None) -> list[AppliedEvent]:
    """Apply events one after another; return each with the session after it."""
    steps = []
    for event in events:
        session = apply_event(session, event)
        steps.append(AppliedEvent(event, session))
    return steps


def format_time(at: int) -> str:
    """Format seconds since 1970 as a time of UTC.

    >>> format_time(0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(at, UTC).isoformat()


class UnsettledError(LedgerError):
    """An error for a round that has not been settled yet."""


class TableRepository:
    """Reads tables from a ledger's streams and appends to them."""

    def __init__(self, cipher: TableCipher) -> None:
        """Encrypt and decrypt secret fields with ``cipher``."""
        self._cipher = cipher

    def verify_key(self, transaction: Transaction) -> None:
        """Check that this ledger holds tables and that they were encrypted with this key.

        Raises:
            LedgerError: they were encrypted with another key, or the ledger is not one of tables.
        """
        streams = transaction.list_streams()
        if not streams:
            has_records = any(transaction.list_streams(prefix) for prefix in (TRAINEE_PREFIX, PUZZLE_PREFIX))
            if transaction.get_head().sequence and not has_records:
                raise LedgerError(
                    "this ledger is a progressive's: keep the tables in a database of their own", code="other-ledger"
                )
            return
        first = transaction.read_stream(streams[0], last=1)[0][1]
        self._cipher.verify_fingerprint(str(json.loads(first.data)["key"]))

    # Writing.

    def append(
        self,
        transaction: Transaction,
        table: str,
        loaded: LoadedSession | None,
        by: str,
        kind: str,
        steps: Sequence[AppliedEvent],
        at: str,
    ) -> tuple[LoadedSession, int]:
        """Append the events of a command to a table's stream.

        Return the table after them and the number of the entry.
        """
        number = loaded.entry_number + 1 if loaded else 1
        data: dict[str, Any] = {"table": table, "number": number, "key": self._cipher.fingerprint}
        for place, step in enumerate(steps):
            if isinstance(step.event, RoundSettled | RoundVoided | TableOpened):
                data |= {"after": place + 1, "standing": step.session.snapshot.model_dump(mode="json")}
        data["events"] = [
            self._encrypt_event(step.event, f"{table}/{number}/{place}") for place, step in enumerate(steps)
        ]
        draft = EntryDraft(at, by, kind, to_canonical_json(data), 0, 0)
        entry = transaction.append_entries([draft])[0]
        transaction.append_to_stream(table, number, entry.sequence, is_snapshot="standing" in data)
        if number == 1:
            table_queries.add(transaction, table, by, entry.sequence)
        if steps[-1].session.is_closed:
            table_queries.remove(transaction, table)
        return LoadedSession(steps[-1].session, number), entry.sequence

    def _encrypt_event(self, event: SessionEvent, location: str) -> dict[str, Any]:
        data = event.model_dump(mode="json")
        for field in SECRET_FIELDS:
            if data.get(field):
                data[field] = self._cipher.encrypt(data[field], f"{location}/{field}")
        return data

    # Reading.

    def read_events(self, entry: Entry) -> tuple[SessionEvent, ...]:
        """Return the events of an entry.

        Raises:
            LedgerError: it is not what was written, or cannot be decrypted with this key.
        """
        if find_chain_fault(entry, entry.sequence, entry.previous):
            raise LedgerError(
                f"entry {entry.sequence} is not what was written", code="entry-changed", sequence=entry.sequence
            )
        data = json.loads(entry.data)
        for place, event in enumerate(data["events"]):
            for field in SECRET_FIELDS:
                if event.get(field):
                    event[field] = self._cipher.decrypt(
                        event[field], f"{data['table']}/{data['number']}/{place}/{field}"
                    )
        return EVENT_ADAPTER.validate_json(json.dumps(data["events"]))

    def load(self, transaction: Transaction, table: str) -> LoadedSession | None:
        """Load the present state of a table from its last two snapshots.

        Return None if there is no such table.

        Raises:
            UnsettledError: the round has not been settled.
            LedgerError: an entry is not what was written.
        """
        snapshots = transaction.list_snapshots(table, newest=2)
        if not snapshots:
            return None
        entries = transaction.read_stream(table, snapshots[0] - 1)
        start = self._load_snapshot(entries[0][1])
        return self._replay_entries(table, start, entries[1:])

    def catch_up(self, transaction: Transaction, table: str, loaded: LoadedSession) -> LoadedSession:
        """Return a table after the entries that others have written meanwhile."""
        return self._replay_entries(table, loaded, transaction.read_stream(table, loaded.entry_number))

    def _load_snapshot(self, entry: Entry) -> LoadedSession:
        """Return the session after a snapshot's entry, without the settled round."""
        events, data = self.read_events(entry), json.loads(entry.data)
        session = TableSession(TableSnapshot.model_validate_json(json.dumps(data["standing"])))
        return LoadedSession(replay_events(events[data["after"] :], session), data["number"])

    def _replay_entries(self, table: str, loaded: LoadedSession, entries: Sequence[tuple[int, Entry]]) -> LoadedSession:
        for number, entry in entries:
            if number != loaded.entry_number + 1:
                raise LedgerError(
                    f"entry {loaded.entry_number + 1} of table {table} is missing",
                    code="entry-missing",
                    entry_number=loaded.entry_number + 1,
                    table=table,
                )
            loaded = LoadedSession(replay_events(self.read_events(entry), loaded.session), number)
        return loaded

    def read_round(
        self, transaction: Transaction, table: str, round_number: int
    ) -> tuple[TableSession, list[SessionEvent]]:
        """Return a table just before a round's wagers, and the round's events.

        The last event is the one that settled or voided the round.

        Raises:
            UnsettledError: the round has not been settled.
            LedgerError: an entry is not what was written.
        """
        snapshots = transaction.list_snapshots(table, skip=round_number - 1)
        if len(snapshots) < 2:
            raise UnsettledError(
                f"round {round_number} of table {table} has not been settled",
                code="not-settled",
                round_number=round_number,
                table=table,
            )
        entries = transaction.read_stream(table, snapshots[0] - 1, snapshots[1])
        before = self._load_snapshot(entries[0][1]).session
        events = [event for _, entry in entries[1:] for event in self.read_events(entry)]
        last = max(place for place, event in enumerate(events) if isinstance(event, RoundSettled | RoundVoided))
        return before, events[: last + 1]

    def verify(self, store: Store) -> int:
        """Check the whole chain and replay every table; return the entry count.

        The replay checks the snapshots.

        Raises:
            LedgerError: an entry is not what was written.
        """
        count = sum(1 for _ in iter_verified_chain(read_entries(store)))
        deque(iter_verified_chain(read_answers(store)), maxlen=0)
        with store.begin_read() as transaction:
            tables = transaction.list_streams()
        for table in tables:
            with store.begin_read() as transaction:
                self._verify_table(transaction, table)
        return count

    def _verify_table(self, transaction: Transaction, table: str) -> None:
        session: TableSession | None = None
        for number, entry in transaction.read_stream(table):
            data = json.loads(entry.data)
            if (data["table"], data["number"]) != (table, number):
                raise LedgerError(
                    f"entry {entry.sequence} is not number {number} of table {table}",
                    code="entry-changed",
                    sequence=entry.sequence,
                    number=number,
                    table=table,
                )
            for place, event in enumerate(self.read_events(entry), 1):
                session = apply_event(session, event)
                if data.get("after") == place and session.snapshot.model_dump(mode="json") != data["standing"]:
                    raise LedgerError(
                        f"entry {entry.sequence}: the snapshot of table {table} differs from its events",
                        code="entry-changed",
                        sequence=entry.sequence,
                        table=table,
                    )
