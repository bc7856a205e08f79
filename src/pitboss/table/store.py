"""The record of tables in a ledger: one stream of entries for each, in one chain, what is secret sealed.

An entry holds the events of one command and of what the house did at once after it.  Where a round was settled or void
the entry is whole: it also holds the sitting as it then stood, so that a table is read from its last round but one.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import Any, NamedTuple

from pitboss.ledger.chain import BEGINNING, Draft, Entry, broken, canonical
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Transaction
from pitboss.table import live
from pitboss.table.sealed import Seal
from pitboss.table.sitting.events import EVENTS, SECRET, Event, Opened, Paid, Voided
from pitboss.table.sitting.standing import Standing
from pitboss.table.sitting.state import Sitting, apply, folded

TRAINEES = "trainee/"
"""How the names of trainees' streams begin; they lie beside the tables', and nothing in them is secret."""


class Known(NamedTuple):
    """A sitting, and up to which number of its stream it has been read."""

    sitting: Sitting
    number: int


class Step(NamedTuple):
    """An event, and the sitting after it."""

    event: Event
    sitting: Sitting


class Latest:
    """What is known of the tables that were asked for last; any other is read again when it is asked for."""

    def __init__(self, most: int = 1_000) -> None:
        """Keep so many of them."""
        self._most = most
        self._known: dict[str, Known] = {}
        self._lock = Lock()

    def get(self, table: str) -> Known | None:
        """Return what is known of a table."""
        return self._known.get(table)

    def forget(self, table: str) -> None:
        """Keep a table no more."""
        with self._lock:
            self._known.pop(table, None)

    def keep(self, table: str, known: Known) -> None:
        """Keep what is known of a table, unless more is known of it by now."""
        with self._lock:
            before = self._known.pop(table, known)
            self._known[table] = known if known.number > before.number else before
            if len(self._known) > self._most:
                del self._known[next(iter(self._known))]


def steps_of(events: Iterable[Event], sitting: Sitting | None) -> list[Step]:
    """Apply events one after another, and keep what each leads to."""
    steps = []
    for event in events:
        sitting = apply(sitting, event)
        steps.append(Step(event, sitting))
    return steps


def moment(at: int) -> str:
    """Write seconds since 1970 as a time of UTC.

    >>> moment(0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(at, UTC).isoformat()


class UnsettledError(LedgerError):
    """A round was asked for that has not been settled."""


class Record:
    """Reads and writes tables."""

    def __init__(self, seal: Seal) -> None:
        """Seal what is secret, and open it again."""
        self._seal = seal

    def verify_key(self, transaction: Transaction) -> None:
        """Check that what is kept here are tables, sealed with this key.

        Raises:
            LedgerError: they were sealed with another, or this is the ledger of something else.
        """
        streams = transaction.streams()
        if not streams:
            if transaction.head().sequence and not transaction.streams(TRAINEES):
                raise LedgerError("this ledger is a progressive's: keep the tables in a database of their own")
            return
        first = transaction.streamed(streams[0], last=1)[0][1]
        self._seal.verify_mark(str(json.loads(first.data)["key"]))

    # Writing.

    def write(
        self,
        transaction: Transaction,
        table: str,
        known: Known | None,
        by: str,
        kind: str,
        steps: Sequence[Step],
        at: int,
    ) -> tuple[Known, int]:
        """Add what follows from a command; return the table after it and the number of the entry."""
        number = known.number + 1 if known else 1
        said: dict[str, Any] = {"table": table, "number": number, "key": self._seal.mark}
        for place, step in enumerate(steps):
            if isinstance(step.event, Paid | Voided | Opened):
                said |= {"after": place + 1, "standing": step.sitting.standing.model_dump(mode="json")}
        said["events"] = [self._closed(step.event, f"{table}/{number}/{place}") for place, step in enumerate(steps)]
        draft = Draft(moment(at), by, kind, canonical(said), 0, 0)
        entry = transaction.append([draft])[0]
        transaction.place(table, number, entry.sequence, whole="standing" in said)
        if number == 1:
            live.add(transaction, table, by, entry.sequence)
        if steps[-1].sitting.closed:
            live.remove(transaction, table)
        return Known(steps[-1].sitting, number), entry.sequence

    def _closed(self, event: Event, place: str) -> dict[str, Any]:
        said = event.model_dump(mode="json")
        for field in SECRET:
            if said.get(field):
                said[field] = self._seal.sealed(said[field], f"{place}/{field}")
        return said

    # Reading.

    def events(self, entry: Entry) -> tuple[Event, ...]:
        """Return the events of an entry.

        Raises:
            LedgerError: it is not what was written, or does not open with this key.
        """
        if broken(entry, entry.sequence, entry.previous):
            raise LedgerError(f"entry {entry.sequence} is not what was written")
        said = json.loads(entry.data)
        for place, event in enumerate(said["events"]):
            for field in SECRET:
                if event.get(field):
                    event[field] = self._seal.opened(event[field], f"{said['table']}/{said['number']}/{place}/{field}")
        return EVENTS.validate_json(json.dumps(said["events"]))

    def read(self, transaction: Transaction, table: str) -> Known | None:
        """Read a table as it stands, from its last round but one on; None where there is none.

        Raises:
            UnsettledError: the round has not been settled.
            LedgerError: an entry is not what was written.
        """
        wholes = transaction.wholes(table, newest=2)
        if not wholes:
            return None
        entries = transaction.streamed(table, wholes[0] - 1)
        start = self._standing(entries[0][1])
        return self._through(table, start, entries[1:])

    def followed(self, transaction: Transaction, table: str, known: Known) -> Known:
        """Return a table after what others have written meanwhile."""
        return self._through(table, known, transaction.streamed(table, known.number))

    def _standing(self, entry: Entry) -> Known:
        """Return the sitting after a whole entry, without the round that it settled."""
        events, said = self.events(entry), json.loads(entry.data)
        sitting = Sitting(Standing.model_validate_json(json.dumps(said["standing"])))
        return Known(folded(events[said["after"] :], sitting), said["number"])

    def _through(self, table: str, known: Known, entries: Sequence[tuple[int, Entry]]) -> Known:
        for number, entry in entries:
            if number != known.number + 1:
                raise LedgerError(f"entry {known.number + 1} of table {table} is missing")
            known = Known(folded(self.events(entry), known.sitting), number)
        return known

    def steps(self, transaction: Transaction, table: str, round_number: int) -> tuple[Sitting, list[Event]]:
        """Return a table just before a round's wagers, and what happened until it was settled or void, and no further.

        Raises:
            UnsettledError: the round has not been settled.
            LedgerError: an entry is not what was written.
        """
        wholes = transaction.wholes(table, skip=round_number - 1)
        if len(wholes) < 2:
            raise UnsettledError(f"round {round_number} of table {table} has not been settled")
        entries = transaction.streamed(table, wholes[0] - 1, wholes[1])
        before = self._standing(entries[0][1]).sitting
        events = [event for _, entry in entries[1:] for event in self.events(entry)]
        last = max(place for place, event in enumerate(events) if isinstance(event, Paid | Voided))
        return before, events[: last + 1]

    def verify(self, transaction: Transaction) -> int:
        """Check the whole chain, and that every table can be played again to what stands in it; return its entries.

        Raises:
            LedgerError: something is not what was written.
        """
        previous, place = BEGINNING, 0
        for place, entry in enumerate(transaction.entries(), 1):
            if why := broken(entry, place, previous):
                raise LedgerError(f"the chain is broken: {why}")
            previous = entry.hash
        previous = BEGINNING
        for number, answer in enumerate(transaction.answers(), 1):
            if why := broken(answer, number, previous):
                raise LedgerError(f"the chain is broken: {why}")
            previous = answer.hash
        for table in transaction.streams():
            self._verify_table(transaction, table)
        return place

    def _verify_table(self, transaction: Transaction, table: str) -> None:
        sitting: Sitting | None = None
        for number, entry in transaction.streamed(table):
            said = json.loads(entry.data)
            if (said["table"], said["number"]) != (table, number):
                raise LedgerError(f"entry {entry.sequence} is not number {number} of table {table}")
            for place, event in enumerate(self.events(entry), 1):
                sitting = apply(sitting, event)
                if said.get("after") == place and sitting.standing.model_dump(mode="json") != said["standing"]:
                    raise LedgerError(f"entry {entry.sequence}: table {table} stood otherwise than is written")
