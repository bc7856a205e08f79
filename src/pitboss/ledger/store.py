"""A ledger in a database: transactions that write all of their entries or none.

A writing transaction takes a single global lock before it reads anything, so the next one sees everything that the
previous one wrote.  SQLite has ``BEGIN IMMEDIATE`` for that, PostgreSQL a lock on the table of balances.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import postgresql, sqlite

from pitboss.ledger import schema
from pitboss.ledger.chain import (
    Checkpoint,
    CommandAnswer,
    Contribution,
    Entry,
    EntryDraft,
    LedgerHead,
    LedgerPosting,
    chain_entry,
    compute_hash,
)
from pitboss.ledger.database import create_private_file, make_engine, verify_database_settings, verify_triggers
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.software import get_software_id

Result = TypeVar("Result")

_DATABASE_ERRORS = (sa.exc.DBAPIError, sa.exc.TimeoutError, UnicodeDecodeError)
"""The errors of a database, also of a timeout; a damaged file may give its reason in bytes that are not text."""

_MAX_TRIES = 20
_RETRY_STATES = {"40001", "40P01"}
_BATCH_SIZE = 500
_MIGRATIONS = Path(__file__).parent / "migrations"


def _select_latest(table: sa.Table, number: str) -> sa.Select[Any]:
    columns = table.c
    return sa.select(columns[number], columns.hash).order_by(columns[number].desc()).limit(1)


def _select_parts(table: sa.Table, *fields: str) -> sa.Select[Any]:
    columns = table.c
    within = columns.entry > sa.bindparam("after"), columns.entry <= sa.bindparam("last")
    chosen = sa.select(columns.entry, *(columns[name] for name in fields))
    return chosen.where(*within).order_by(columns.entry, *table.primary_key.columns)


# Statements are built once: building one takes longer than running it.
_LAST_ENTRY = _select_latest(schema.entry, "sequence")
_LAST_ANSWER = _select_latest(schema.answer, "number")
_ENTRIES = (
    sa.select(*schema.entry.c)
    .where(schema.entry.c.sequence > sa.bindparam("after"))
    .order_by(schema.entry.c.sequence)
    .limit(_BATCH_SIZE)
)
_POSTINGS = _select_parts(schema.posting, "line", *LedgerPosting._fields)
_CONTRIBUTIONS = _select_parts(schema.contribution, *Contribution._fields)
_ANSWER = sa.select(*schema.answer.c).where(schema.answer.c.key == sa.bindparam("wanted"))
_STREAM_ENTRIES = (
    sa.select(schema.stream.c.number, *schema.entry.c)
    .join(schema.entry, schema.entry.c.sequence == schema.stream.c.entry)
    .where(
        schema.stream.c.name == sa.bindparam("wanted"),
        schema.stream.c.number > sa.bindparam("after"),
        schema.stream.c.number <= sa.bindparam("last"),
    )
    .order_by(schema.stream.c.number)
)
_ADD_ENTRY, _ADD_POSTING, _ADD_CONTRIBUTION, _ADD_ANSWER, _ADD_TO_STREAM = (
    sa.insert(table) for table in (schema.entry, schema.posting, schema.contribution, schema.answer, schema.stream)
)


def _make_balance_upsert(insert: Any) -> sa.Insert:
    """Return the statement that adds to a balance."""
    statement = insert(schema.balance)
    added = {"units": schema.balance.c.units + statement.excluded.units}
    result: sa.Insert = statement.on_conflict_do_update(index_elements=["account", "purpose"], set_=added)
    return result


_ADD_TO_BALANCE = {
    "sqlite": _make_balance_upsert(sqlite.insert),
    "postgresql": _make_balance_upsert(postgresql.insert),
}


class Transaction:
    """A transaction on the ledger: reads records and appends new ones."""

    def __init__(self, connection: sa.Connection) -> None:
        """Use a connection that is in a transaction."""
        self._connection = connection
        self._head: LedgerHead | None = None

    def get_head(self) -> LedgerHead:
        """Return the ledger's head, which nobody else changes during the transaction."""
        if self._head is None:
            last_entry = self._connection.execute(_LAST_ENTRY).first() or LedgerHead()[:2]
            last_answer = self._connection.execute(_LAST_ANSWER).first() or LedgerHead()[2:]
            self._head = LedgerHead(*last_entry, *last_answer)
        return self._head

    def read_entries(self, after: int = 0) -> Iterator[Entry]:
        """Yield the entries after number ``after`` in order."""
        while True:
            batch = self._read_entry_batch(after)
            yield from batch
            if len(batch) < _BATCH_SIZE:
                return
            after = batch[-1].sequence

    def _read_entry_batch(self, after: int) -> list[Entry]:
        rows = self._connection.execute(_ENTRIES, {"after": after}).all()
        if not rows:
            return []
        last = rows[-1].sequence
        postings = self._read_parts(_POSTINGS, after, last)
        contributions = self._read_parts(_CONTRIBUTIONS, after, last)
        entries = []
        for row in rows:
            lines = postings.get(row.sequence, [])
            if [line[0] for line in lines] != list(range(1, len(lines) + 1)):
                raise LedgerError(f"the chain is broken: a posting of entry {row.sequence} is missing")
            entry_postings = tuple(LedgerPosting(*line[1:]) for line in lines)
            wagers = tuple(Contribution(*part) for part in contributions.get(row.sequence, []))
            entries.append(Entry(**row._asdict(), postings=entry_postings, contributions=wagers))
        return entries

    def _read_parts(self, query: sa.Select[Any], after: int, last: int) -> dict[int, list[tuple[Any, ...]]]:
        """Return the rows that belong to entries, by the entry's number and in the order of their own key."""
        rows = self._connection.execute(query, {"after": after, "last": last})
        return {number: [tuple(row[1:]) for row in group] for number, group in groupby(rows, lambda row: row.entry)}

    def append_entries(self, drafts: Sequence[EntryDraft]) -> tuple[Entry, ...]:
        """Append entries and return them."""
        head = self.get_head()
        entries = []
        for draft in drafts:
            entry = chain_entry(draft, head, get_software_id())
            self._insert(entry)
            head = head._replace(sequence=entry.sequence, hash=entry.hash)
            entries.append(entry)
        self._head = head
        return tuple(entries)

    def _insert(self, entry: Entry) -> None:
        number = entry.sequence
        postings = [{"entry": number, "line": line, **each._asdict()} for line, each in enumerate(entry.postings, 1)]
        if postings:
            self._connection.execute(_ADD_POSTING, postings)
            self._connection.execute(
                _ADD_TO_BALANCE[self._connection.dialect.name], [each._asdict() for each in entry.postings]
            )
        if entry.contributions:
            wagers = [{"entry": number, **each._asdict()} for each in entry.contributions]
            self._connection.execute(_ADD_CONTRIBUTION, wagers)
        row = entry._asdict()
        del row["postings"], row["contributions"]
        self._connection.execute(_ADD_ENTRY, row)

    def read_balances(self) -> dict[tuple[str, str], int]:
        """Return every balance by account and purpose."""
        columns = schema.balance.c
        rows = self._connection.execute(sa.select(columns.account, columns.purpose, columns.units))
        return {(row.account, row.purpose): row.units for row in rows}

    def find_answer(self, key: str) -> CommandAnswer | None:
        """Return the first answer to the command with this key."""
        row = self._connection.execute(_ANSWER, {"wanted": key}).first()
        return CommandAnswer(*row) if row else None

    def read_answers(self, after: int = 0) -> Iterator[CommandAnswer]:
        """Yield the answers after number ``after`` in order."""
        columns = schema.answer.c
        query = sa.select(*columns).where(columns.number > after).order_by(columns.number)
        for row in self._connection.execute(query):
            yield CommandAnswer(*row)

    def count_parts(self) -> tuple[int, int]:
        """Return the numbers of postings and contributions of all entries."""
        postings, contributions = (
            self._connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in (schema.posting, schema.contribution)
        )
        return postings, contributions

    def append_answer(self, answer: CommandAnswer) -> CommandAnswer:
        """Append an answer and return it with its number and hashes."""
        head = self.get_head()
        chained = answer._replace(number=head.answers + 1, previous=head.answers_hash, hash="")
        chained = chained._replace(hash=compute_hash(chained))
        self._connection.execute(_ADD_ANSWER, chained._asdict())
        self._head = head._replace(answers=chained.number, answers_hash=chained.hash)
        return chained

    def append_to_stream(self, stream: str, number: int, entry: int, *, is_snapshot: bool) -> None:
        """Add an entry to a stream under a number, which can be used only once."""
        row = {"name": stream, "number": number, "entry": entry, "whole": int(is_snapshot)}
        self._connection.execute(_ADD_TO_STREAM, row)

    def list_streams(self, kind: str = "") -> tuple[str, ...]:
        """Return the names of all streams with a prefix such as "trainee/"; without one, names that have no "/"."""
        columns = schema.stream.c
        of_kind = columns.name.startswith(kind, autoescape=True) if kind else ~columns.name.contains("/")
        names = sa.select(columns.name).where(columns.number == 1, of_kind).order_by(columns.entry)
        return tuple(self._connection.execute(names).scalars())

    def read_stream(self, stream: str, after: int = 0, last: int = 2**62) -> list[tuple[int, Entry]]:
        """Return a stream's entries after number ``after`` up to ``last``; they move no money."""
        rows = self._connection.execute(_STREAM_ENTRIES, {"wanted": stream, "after": after, "last": last})
        return [(row[0], Entry._make((*row[1:], (), ()))) for row in rows]

    def list_snapshots(self, stream: str, *, newest: int = 0, skip: int = 0, count: int = 2) -> list[int]:
        """Return the numbers of a stream's snapshots, ascending: the ``newest``, or ``count`` after ``skip``."""
        columns = schema.stream.c
        query = sa.select(columns.number).where(columns.name == stream, columns.whole == 1)
        if newest:
            return sorted(self._connection.execute(query.order_by(columns.number.desc()).limit(newest)).scalars())
        rows = self._connection.execute(query.order_by(columns.number).offset(skip).limit(count))
        return list(rows.scalars())

    def read_checkpoints(self) -> Iterator[Checkpoint]:
        """Yield checkpoints, the latest first."""
        columns = schema.checkpoint.c
        for row in self._connection.execute(sa.select(*columns).order_by(columns.entry.desc())):
            yield Checkpoint(*row)

    def append_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Append a checkpoint."""
        self._connection.execute(sa.insert(schema.checkpoint), checkpoint._asdict())

    @property
    def connection(self) -> sa.Connection:
        """The connection, for tables outside the record (``credentials``)."""
        return self._connection


class Store:
    """The database of a ledger, given by its URL."""

    def __init__(self, url: str) -> None:
        """Open an existing ledger and check the settings of its database.

        Raises:
            LedgerError: the ledger cannot be reached, does not exist, has another version, or has settings with which
                a crash could lose an answered command.
        """
        self.engine = make_engine(url)
        try:
            with self.begin_read() as transaction:
                verify_database_settings(transaction.connection)
                _verify_version(transaction.connection)
                verify_triggers(transaction.connection)
        except LedgerError:
            self.close()
            raise

    @classmethod
    def open_or_create(cls, url: str) -> "Store":
        """Create the tables of a ledger, or bring older ones up to date, and return the store."""
        engine = make_engine(url)
        create_private_file(engine.url)
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        try:
            with engine.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except _DATABASE_ERRORS as error:
            engine.dispose()
            raise _make_unreachable_error(error) from None
        if engine.url.database in {None, "", ":memory:"}:
            return cls._from_engine(engine)
        engine.dispose()
        return cls(url)

    @classmethod
    def _from_engine(cls, engine: sa.Engine) -> "Store":
        store = cls.__new__(cls)
        store.engine = engine
        return store

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        """Begin a transaction that reads a consistent snapshot of the ledger.

        Raises:
            LedgerError: the ledger cannot be reached.
        """
        try:
            with self.engine.connect().execution_options(reading=True) as connection, connection.begin():
                yield Transaction(connection)
        except _DATABASE_ERRORS as error:
            raise _make_unreachable_error(error) from None

    def run_write(self, work: Callable[[Transaction], Result]) -> Result:
        """Run some work in a transaction that is written whole or not at all; retry if the database asks for it.

        Raises:
            LedgerError: the ledger cannot be reached.  To learn whether the work was done, send its command again.
        """
        for tries_left in reversed(range(_MAX_TRIES)):
            try:
                with self.engine.connect() as connection, connection.begin():
                    if connection.dialect.name == "postgresql":
                        connection.exec_driver_sql("LOCK TABLE balance IN EXCLUSIVE MODE")
                    return work(Transaction(connection))
            except _DATABASE_ERRORS as error:
                if not tries_left or getattr(_get_cause(error), "sqlstate", "") not in _RETRY_STATES:
                    raise _make_unreachable_error(error) from None
        raise AssertionError  # the last try has returned or raised

    def close(self) -> None:
        """Close the connections to the database."""
        self.engine.dispose()


def _get_cause(error: Exception) -> BaseException:
    """Return the driver's error, or the error itself."""
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else None
    return cause or error


def _make_unreachable_error(error: Exception) -> LedgerError:
    cause = _get_cause(error)
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    return LedgerError(f"the ledger does not answer, the tables are closed: {lines[0]}")


def _verify_version(connection: sa.Connection) -> None:
    """Raise ``LedgerError`` unless the tables have this software's version."""
    current = MigrationContext.configure(connection).get_current_revision()
    latest = _get_latest_version()
    if current is None:
        raise LedgerError("there is no ledger here: create one with init")
    if current != latest:
        raise LedgerError(
            f"the ledger has version {current}, this software needs {latest}: run init to bring it up to date"
        )


@cache
def _get_latest_version() -> str | None:
    """Return the version of the tables that this software needs."""
    return ScriptDirectory(str(_MIGRATIONS)).get_current_head()
