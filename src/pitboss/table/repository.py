"""The record of tables in a ledger: one stream of entries for each, in one chain, what is secret sealed.

An entry holds the events of one command and of what the house did at once after it.  Where a round was settled or void
the entry is whole: it also holds the sitting as it then stood, so that a table is read from its last round but one.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import Any, NamedTuple

from pitboss.ledger.chain import GENESIS_HASH, Entry, EntryDraft, find_chain_fault, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Transaction
from pitboss.table import open_tables
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
"""How the names of trainees' streams begin; they lie beside the tables', and nothing in them is secret."""


class LoadedSession(NamedTuple):
    """A sitting, and up to which number of its stream it has been read."""

    session: TableSession
    entry_number: int


class AppliedEvent(NamedTuple):
    """An event, and the sitting after it."""

    event: SessionEvent
    session: TableSession


class SessionCache:
    """What is known of the tables that were asked for last; any other is read again when it is asked for."""

    def __init__(self, capacity: int = 1_000) -> None:
        """Keep so many of them."""
        self._capacity = capacity
        self._loaded: dict[str, LoadedSession] = {}
        self._lock = Lock()

    def get(self, table: str) -> LoadedSession | None:
        """Return what is known of a table."""
        return self._loaded.get(table)

    def forget(self, table: str) -> None:
        """Keep a table no more."""
        with self._lock:
            self._loaded.pop(table, None)

    def keep(self, table: str, loaded: LoadedSession) -> None:
        """Keep what is known of a table, unless more is known of it by now."""
        with self._lock:
            before = self._loaded.pop(table, loaded)
            self._loaded[table] = loaded if loaded.entry_number > before.entry_number else before
            if len(self._loaded) > self._capacity:
                del self._loaded[next(iter(self._loaded))]


def apply_events(events: Iterable[SessionEvent], session: TableSession | None) -> list[AppliedEvent]:
    """Apply events one after another, and keep what each leads to."""
    steps = []
    for event in events:
        session = apply_event(session, event)
        steps.append(AppliedEvent(event, session))
    return steps


def format_time(at: int) -> str:
    """Write seconds since 1970 as a time of UTC.

    >>> format_time(0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(at, UTC).isoformat()


class UnsettledError(LedgerError):
    """A round was asked for that has not been settled."""


class TableRepository:
    """Reads and writes tables."""

    def __init__(self, cipher: TableCipher) -> None:
        """Seal what is secret, and open it again."""
        self._cipher = cipher

    def verify_key(self, transaction: Transaction) -> None:
        """Check that what is kept here are tables, sealed with this key.

        Raises:
            LedgerError: they were sealed with another, or this is the ledger of something else.
        """
        streams = transaction.list_streams()
        if not streams:
            if transaction.get_head().sequence and not transaction.list_streams(TRAINEE_PREFIX):
                raise LedgerError("this ledger is a progressive's: keep the tables in a database of their own")
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
        at: int,
    ) -> tuple[LoadedSession, int]:
        """Add what follows from a command; return the table after it and the number of the entry."""
        number = loaded.entry_number + 1 if loaded else 1
        said: dict[str, Any] = {"table": table, "number": number, "key": self._cipher.fingerprint}
        for place, step in enumerate(steps):
            if isinstance(step.event, RoundSettled | RoundVoided | TableOpened):
                said |= {"after": place + 1, "standing": step.session.snapshot.model_dump(mode="json")}
        said["events"] = [
            self._encrypt_event(step.event, f"{table}/{number}/{place}") for place, step in enumerate(steps)
        ]
        draft = EntryDraft(format_time(at), by, kind, to_canonical_json(said), 0, 0)
        entry = transaction.append_entries([draft])[0]
        transaction.append_to_stream(table, number, entry.sequence, is_snapshot="standing" in said)
        if number == 1:
            open_tables.add(transaction, table, by, entry.sequence)
        if steps[-1].session.is_closed:
            open_tables.remove(transaction, table)
        return LoadedSession(steps[-1].session, number), entry.sequence

    def _encrypt_event(self, event: SessionEvent, location: str) -> dict[str, Any]:
        said = event.model_dump(mode="json")
        for field in SECRET_FIELDS:
            if said.get(field):
                said[field] = self._cipher.encrypt(said[field], f"{location}/{field}")
        return said

    # Reading.

    def read_events(self, entry: Entry) -> tuple[SessionEvent, ...]:
        """Return the events of an entry.

        Raises:
            LedgerError: it is not what was written, or does not open with this key.
        """
        if find_chain_fault(entry, entry.sequence, entry.previous):
            raise LedgerError(f"entry {entry.sequence} is not what was written")
        said = json.loads(entry.data)
        for place, event in enumerate(said["events"]):
            for field in SECRET_FIELDS:
                if event.get(field):
                    event[field] = self._cipher.decrypt(
                        event[field], f"{said['table']}/{said['number']}/{place}/{field}"
                    )
        return EVENT_ADAPTER.validate_json(json.dumps(said["events"]))

    def load(self, transaction: Transaction, table: str) -> LoadedSession | None:
        """Read a table as it stands, from its last round but one on; None where there is none.

        Raises:
            UnsettledError: the round has not been settled.
            LedgerError: an entry is not what was written.
        """
        wholes = transaction.list_snapshots(table, newest=2)
        if not wholes:
            return None
        entries = transaction.read_stream(table, wholes[0] - 1)
        start = self._load_snapshot(entries[0][1])
        return self._replay_entries(table, start, entries[1:])

    def catch_up(self, transaction: Transaction, table: str, loaded: LoadedSession) -> LoadedSession:
        """Return a table after what others have written meanwhile."""
        return self._replay_entries(table, loaded, transaction.read_stream(table, loaded.entry_number))

    def _load_snapshot(self, entry: Entry) -> LoadedSession:
        """Return the sitting after a whole entry, without the round that it settled."""
        events, said = self.read_events(entry), json.loads(entry.data)
        sitting = TableSession(TableSnapshot.model_validate_json(json.dumps(said["standing"])))
        return LoadedSession(replay_events(events[said["after"] :], sitting), said["number"])

    def _replay_entries(self, table: str, loaded: LoadedSession, entries: Sequence[tuple[int, Entry]]) -> LoadedSession:
        for number, entry in entries:
            if number != loaded.entry_number + 1:
                raise LedgerError(f"entry {loaded.entry_number + 1} of table {table} is missing")
            loaded = LoadedSession(replay_events(self.read_events(entry), loaded.session), number)
        return loaded

    def read_round(
        self, transaction: Transaction, table: str, round_number: int
    ) -> tuple[TableSession, list[SessionEvent]]:
        """Return a table just before a round's wagers, and what happened until it was settled or void, and no further.

        Raises:
            UnsettledError: the round has not been settled.
            LedgerError: an entry is not what was written.
        """
        wholes = transaction.list_snapshots(table, skip=round_number - 1)
        if len(wholes) < 2:
            raise UnsettledError(f"round {round_number} of table {table} has not been settled")
        entries = transaction.read_stream(table, wholes[0] - 1, wholes[1])
        before = self._load_snapshot(entries[0][1]).session
        events = [event for _, entry in entries[1:] for event in self.read_events(entry)]
        last = max(place for place, event in enumerate(events) if isinstance(event, RoundSettled | RoundVoided))
        return before, events[: last + 1]

    def verify(self, transaction: Transaction) -> int:
        """Check the whole chain, and that every table can be played again to what stands in it; return its entries.

        Raises:
            LedgerError: something is not what was written.
        """
        previous, place = GENESIS_HASH, 0
        for place, entry in enumerate(transaction.read_entries(), 1):
            if why := find_chain_fault(entry, place, previous):
                raise LedgerError(f"the chain is broken: {why}")
            previous = entry.hash
        previous = GENESIS_HASH
        for number, answer in enumerate(transaction.read_answers(), 1):
            if why := find_chain_fault(answer, number, previous):
                raise LedgerError(f"the chain is broken: {why}")
            previous = answer.hash
        for table in transaction.list_streams():
            self._verify_table(transaction, table)
        return place

    def _verify_table(self, transaction: Transaction, table: str) -> None:
        sitting: TableSession | None = None
        for number, entry in transaction.read_stream(table):
            said = json.loads(entry.data)
            if (said["table"], said["number"]) != (table, number):
                raise LedgerError(f"entry {entry.sequence} is not number {number} of table {table}")
            for place, event in enumerate(self.read_events(entry), 1):
                sitting = apply_event(sitting, event)
                if said.get("after") == place and sitting.snapshot.model_dump(mode="json") != said["standing"]:
                    raise LedgerError(f"entry {entry.sequence}: table {table} stood otherwise than is written")
