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

from pitboss.ledger import schema, statements
from pitboss.ledger.availability import DATABASE_ERRORS, Availability, get_cause, make_unreachable_error
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
from pitboss.ledger.database import create_private_file, make_engine, verify_database_settings
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.postgresql import limit_operation
from pitboss.ledger.schema_check import verify_schema
from pitboss.ledger.software import get_software_id
from pitboss.ledger.statements import PAGE_SIZE

Result = TypeVar("Result")

_MAX_TRIES = 20
_RETRY_STATES = {"40001", "40P01"}
_LOCK_BALANCE = "LOCK TABLE balance IN EXCLUSIVE MODE"
_MIGRATIONS = Path(__file__).parent / "migrations"


class Transaction:
    """A transaction on the ledger: reads records and appends new ones.

    ``has_appended`` says whether it has appended an entry or an answer; ``connection`` also serves tables outside the
    record (``credentials``).
    """

    def __init__(self, connection: sa.Connection) -> None:
        """Use a connection that is in a transaction."""
        self.connection = connection
        self._head: LedgerHead | None = None
        self.has_appended = False

    def get_head(self) -> LedgerHead:
        """Return the ledger's head, which nobody else changes during the transaction."""
        if self._head is None:
            last_entry = self.connection.execute(statements.LAST_ENTRY).first() or LedgerHead()[:2]
            last_answer = self.connection.execute(statements.LAST_ANSWER).first() or LedgerHead()[2:]
            self._head = LedgerHead(*last_entry, *last_answer)
        return self._head

    def get_last_time(self) -> str:
        """Return the time of the last entry, "" if there is none."""
        return str(self.connection.execute(statements.LAST_TIME).scalar() or "")

    def read_entries(self, after: int = 0) -> Iterator[Entry]:
        """Yield the entries after number ``after`` in order."""
        while True:
            page = self.read_entry_page(after)
            yield from page
            if len(page) < PAGE_SIZE:
                return
            after = page[-1].sequence

    def read_entry_page(self, after: int = 0) -> list[Entry]:
        """Return the next entries after number ``after``, at most a page."""
        rows = self.connection.execute(statements.ENTRIES, {"after": after}).all()
        if not rows:
            return []
        last = rows[-1].sequence
        postings = self._read_parts(statements.POSTINGS, after, last)
        contributions = self._read_parts(statements.CONTRIBUTIONS, after, last)
        entries = []
        for row in rows:
            lines = postings.get(row.sequence, [])
            if [line[0] for line in lines] != list(range(1, len(lines) + 1)):
                raise LedgerError(
                    f"the chain is broken: a posting of entry {row.sequence} is missing",
                    code="chain-broken",
                    sequence=row.sequence,
                )
            entry_postings = tuple(LedgerPosting(*line[1:]) for line in lines)
            wagers = tuple(Contribution(*part) for part in contributions.get(row.sequence, []))
            entries.append(Entry(**row._asdict(), postings=entry_postings, contributions=wagers))
        return entries

    def _read_parts(self, query: sa.Select[Any], after: int, last: int) -> dict[int, list[tuple[Any, ...]]]:
        """Return the rows that belong to entries, by the entry's number.

        Rows of one entry are in the order of their own key.
        """
        rows = self.connection.execute(query, {"after": after, "last": last})
        return {number: [tuple(row[1:]) for row in group] for number, group in groupby(rows, lambda row: row.entry)}

    def append_entries(self, drafts: Sequence[EntryDraft]) -> tuple[Entry, ...]:
        """Append entries and return them."""
        head = self.get_head()
        self.has_appended = self.has_appended or bool(drafts)
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
            self.connection.execute(statements.ADD_POSTING, postings)
            self.connection.execute(
                statements.ADD_TO_BALANCE[self.connection.dialect.name], [each._asdict() for each in entry.postings]
            )
        if entry.contributions:
            wagers = [{"entry": number, **each._asdict()} for each in entry.contributions]
            self.connection.execute(statements.ADD_CONTRIBUTION, wagers)
        row = entry._asdict()
        del row["postings"], row["contributions"]
        self.connection.execute(statements.ADD_ENTRY, row)

    def read_balances(self) -> dict[tuple[str, str], int]:
        """Return every balance by account and purpose."""
        columns = schema.balance.c
        rows = self.connection.execute(sa.select(columns.account, columns.purpose, columns.units))
        return {(row.account, row.purpose): row.units for row in rows}

    def find_answer(self, key: str) -> CommandAnswer | None:
        """Return the first answer to the command with this key."""
        row = self.connection.execute(statements.ANSWER, {"wanted": key}).first()
        return CommandAnswer(*row) if row else None

    def read_answer_page(self, after: int = 0) -> list[CommandAnswer]:
        """Return the next answers after number ``after``, at most a page."""
        return [CommandAnswer(*row) for row in self.connection.execute(statements.ANSWERS, {"after": after})]

    def has_orphan_rows(self) -> bool:
        """Tell whether there are postings or contributions without an entry."""
        last = self.get_head().sequence
        return any(
            self.connection.execute(sa.select(sa.exists().where((entry < 1) | (entry > last)))).scalar_one()
            for entry in (schema.posting.c.entry, schema.contribution.c.entry)
        )

    def append_answer(self, answer: CommandAnswer) -> CommandAnswer:
        """Append an answer and return it with its number and hashes."""
        head = self.get_head()
        chained = answer._replace(number=head.answers + 1, previous=head.answers_hash, hash="")
        chained = chained._replace(hash=compute_hash(chained))
        self.connection.execute(statements.ADD_ANSWER, chained._asdict())
        self.has_appended = True
        self._head = head._replace(answers=chained.number, answers_hash=chained.hash)
        return chained

    def append_to_stream(self, stream: str, number: int, entry: int, *, is_snapshot: bool) -> None:
        """Add an entry to a stream under a number, which can be used only once."""
        row = {"name": stream, "number": number, "entry": entry, "whole": int(is_snapshot)}
        self.connection.execute(statements.ADD_TO_STREAM, row)

    def list_streams(self, kind: str = "") -> tuple[str, ...]:
        """Return the names of all streams with a prefix such as "trainee/".

        Without a prefix, return the names that have no "/" in them.
        """
        columns = schema.stream.c
        of_kind = columns.name.startswith(kind, autoescape=True) if kind else ~columns.name.contains("/")
        names = sa.select(columns.name).where(columns.number == 1, of_kind).order_by(columns.entry)
        return tuple(self.connection.execute(names).scalars())

    def read_stream(self, stream: str, after: int = 0, last: int = 2**62) -> list[tuple[int, Entry]]:
        """Return a stream's entries after number ``after`` up to ``last``.

        They move no money.
        """
        rows = self.connection.execute(statements.STREAM_ENTRIES, {"wanted": stream, "after": after, "last": last})
        return [(row[0], Entry._make((*row[1:], (), ()))) for row in rows]

    def list_snapshots(self, stream: str, *, newest: int = 0, skip: int = 0) -> list[int]:
        """Return the numbers of a stream's snapshots, ascending.

        They are the ``newest``, or two after ``skip``.
        """
        columns = schema.stream.c
        query = sa.select(columns.number).where(columns.name == stream, columns.whole == 1)
        if newest:
            return sorted(self.connection.execute(query.order_by(columns.number.desc()).limit(newest)).scalars())
        rows = self.connection.execute(query.order_by(columns.number).offset(skip).limit(2))
        return list(rows.scalars())

    def list_checkpoints(self) -> list[int]:
        """Return the numbers of the entries that have a checkpoint, ascending."""
        columns = schema.checkpoint.c
        return list(self.connection.execute(sa.select(columns.entry).order_by(columns.entry)).scalars())

    def find_checkpoint(self, entry: int | None = None) -> Checkpoint | None:
        """Return the checkpoint at an entry, by default the latest; None if none."""
        columns = schema.checkpoint.c
        query = sa.select(*columns).order_by(columns.entry.desc()).limit(1)
        row = self.connection.execute(query if entry is None else query.where(columns.entry == entry)).first()
        return Checkpoint(*row) if row else None

    def append_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Append a checkpoint."""
        self.connection.execute(sa.insert(schema.checkpoint), checkpoint._asdict())


ReopeningCheck = Callable[[Transaction], None]
"""Checks a ledger whose database hung, before it opens again; raises LedgerError."""


class Store:
    """The database of a ledger, given by its URL."""

    def __init__(self, url: str, engine: sa.Engine | None = None) -> None:
        """Open an existing ledger and check the settings of its database.

        An ``engine`` of this URL is used if there is one.

        Raises:
            LedgerError: the ledger cannot be reached, does not exist, has another version, or has settings with which
                a crash could lose an answered command.
        """
        self.engine = engine or make_engine(url)
        self.availability = Availability(self._probe)
        self._reopening_checks: list[ReopeningCheck] = []
        try:
            with self.begin_read() as transaction:
                _verify_database(transaction.connection)
        except LedgerError:
            self.close()
            raise

    @classmethod
    def open_or_create(cls, url: str) -> "Store":
        """Return a store; create its tables, or bring older ones up to date."""
        engine = make_engine(url, is_limited=False)  # a migration takes as long as it takes
        create_private_file(engine.url)
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        try:
            with engine.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except DATABASE_ERRORS as error:
            engine.dispose()
            raise make_unreachable_error(error) from None
        if engine.url.database in {None, "", ":memory:"}:
            return cls(url, engine)
        engine.dispose()
        return cls(url)

    def add_reopening_check(self, check: ReopeningCheck) -> None:
        """Run a check before the ledger opens again after its database hung."""
        self._reopening_checks.append(check)

    def _probe(self, *, writes: bool) -> None:
        """Check a database that hung, with ``writes`` under the lock of writers.

        Raises:
            LedgerError: it does not answer, or is not what it was.
        """
        try:
            with self._connect(reading=not writes) as connection:
                _verify_database(connection)
                for check in self._reopening_checks:
                    check(Transaction(connection))
        except DATABASE_ERRORS as error:
            raise make_unreachable_error(error) from None

    @contextmanager
    def _connect(self, *, reading: bool) -> Iterator[sa.Connection]:
        """Yield a connection in a transaction; one that writes holds the lock of writers."""
        with (
            limit_operation(),
            self.engine.connect().execution_options(reading=reading) as connection,
            connection.begin(),
        ):
            if not reading and connection.dialect.name == "postgresql":
                connection.exec_driver_sql(_LOCK_BALANCE)
            yield connection

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        """Begin a transaction that reads a consistent snapshot of the ledger.

        Raises:
            LedgerError: the ledger cannot be reached.
        """
        with self.availability.call(writes=False), self._connect(reading=True) as connection:
            yield Transaction(connection)

    def run_write(self, work: Callable[[Transaction], Result]) -> Result:
        """Run some work in a transaction that is written whole or not at all.

        It is run again if the database asks for it.

        Raises:
            LedgerError: the ledger cannot be reached.  To learn whether the work was done, send its command again.
        """
        with self.availability.call(writes=True):
            for tries_left in reversed(range(_MAX_TRIES)):
                try:
                    with self._connect(reading=False) as connection:
                        return work(Transaction(connection))
                except DATABASE_ERRORS as error:
                    if not tries_left or getattr(get_cause(error), "sqlstate", "") not in _RETRY_STATES:
                        raise
        raise AssertionError  # the last try has returned or raised

    def close(self) -> None:
        """Close the connections to the database."""
        self.engine.dispose()


def _verify_database(connection: sa.Connection) -> None:
    """Check the settings, the version and the schema of a database."""
    verify_database_settings(connection)
    _verify_version(connection)
    verify_schema(connection)


def _verify_version(connection: sa.Connection) -> None:
    """Raise ``LedgerError`` unless the tables have this software's version."""
    current = MigrationContext.configure(connection).get_current_revision()
    latest = _get_latest_version()
    if current is None:
        raise LedgerError("there is no ledger here: create one with pitboss jackpot init", code="no-ledger")
    if current != latest:
        raise LedgerError(
            f"the ledger has version {current}, this software needs {latest}: run pitboss jackpot upgrade",
            code="other-version",
            current=current,
            latest=latest,
        )


@cache
def _get_latest_version() -> str | None:
    """Return the version of the tables that this software needs."""
    return ScriptDirectory(str(_MIGRATIONS)).get_current_head()
