"""The database tables.

Money and counts are 64-bit integers, everything else is text (STRICT in SQLite).
"""

from functools import partial
from typing import Any

from sqlalchemy import Column, ForeignKey, Index, MetaData, Table, text

from pitboss.ledger.column_types import PlainText, WholeNumber

metadata = MetaData()


def _define_table(name: str, *columns: Column[Any]) -> Table:
    return Table(name, metadata, *columns, sqlite_strict=True)


def _make_number(name: str, *reference: ForeignKey, **more: Any) -> Column[Any]:
    return Column(name, WholeNumber, *reference, nullable=False, **more)


def _make_key(name: str, *reference: ForeignKey, **more: Any) -> Column[Any]:
    return Column(name, WholeNumber, *reference, primary_key=True, autoincrement=False, **more)


def _make_numbers(*names: str) -> list[Column[Any]]:
    return [_make_number(name) for name in names]


def _make_texts(*names: str) -> list[Column[Any]]:
    return [Column(name, PlainText, nullable=False) for name in names]


# An entry is written after its parts, in the same transaction.
_refer_to_later_entry = partial(ForeignKey, "entry.sequence", deferrable=True, initially="DEFERRED")

entry = _define_table(
    "entry",
    _make_key("sequence"),
    *_make_texts("at", "actor", "kind", "data"),
    *_make_numbers("meter_units", "reserve_units"),
    *_make_texts("software", "previous", "hash"),
)

# The entries of a gaming day are found by their times.
Index("ix_entry_at", entry.c.at, entry.c.sequence)

# The tables of a guest are found by the entries by which the guest sat down.
Index(
    "ix_entry_sit",
    entry.c.actor,
    entry.c.sequence,
    sqlite_where=text("kind = 'sit'"),
    postgresql_where=text("kind = 'sit'::text"),
)

# Postings and contributions are written before their entry; inserting the entry checks that they balance.
posting = _define_table(
    "posting",
    Column("entry", WholeNumber, _refer_to_later_entry(), primary_key=True),
    _make_key("line"),
    *_make_texts("account", "purpose"),
    _make_number("units"),
)

contribution = _define_table(
    "contribution",
    *(_make_key(name) for name in ("table_number", "round_number", "seat")),
    _make_number("wager_cents"),
    _make_number("entry", _refer_to_later_entry(), index=True),
)

answer = _define_table(
    "answer",
    _make_key("number"),
    Column("key", PlainText, nullable=False, unique=True),
    *_make_texts("command", "at", "actor", "status", "message"),
    *_make_numbers("first", "last"),
    *_make_texts("previous", "hash"),
)

Index("ix_answer_at", answer.c.at, answer.c.number)

# The entries of each stream, numbered within it; a ``whole`` entry is a snapshot, from which the stream can be read.
stream = _define_table(
    "stream",
    Column("name", PlainText, primary_key=True),
    _make_key("number"),
    _make_number("entry", ForeignKey("entry.sequence"), unique=True),
    _make_number("whole"),
)

# The first entries of streams: listing the newest streams is frequent and must not slow down over the years.
Index(
    "ix_stream_first",
    stream.c.entry,
    sqlite_where=text("number = 1"),
    postgresql_where=text("number = 1"),
)

# The streams of open tables: a closed table is found only by its name, and costs nothing.
open_table = _define_table(
    "live",
    Column("name", PlainText, primary_key=True),
    Column("opener", PlainText, nullable=False, index=True),
    _make_number("entry", ForeignKey("entry.sequence"), unique=True),
)

# Each award after every entry that changed it: a state in memory forgets finished awards, these records do not.
award_record = _define_table(
    "award_record",
    _make_key("award"),
    _make_key("entry", ForeignKey("entry.sequence"), index=True),
    *_make_numbers("table_number", "round_number"),
    *_make_texts("step", "data"),
)
Index("ix_award_record_round", award_record.c.table_number, award_record.c.round_number)

# Signed states that were checked from the first entry: a start need not go further back.
checkpoint = _define_table(
    "checkpoint",
    _make_key("entry", ForeignKey("entry.sequence")),
    *_make_texts("head", "state", "signature"),
)

# The verifications that failed, with the code and the message of the fault, and those that passed after a failure,
# without.  After a failure the ledger is closed.  Each is signed, with the head that it is about, by a key that is not
# in the database.
verification = _define_table(
    "verification",
    _make_key("number"),
    *_make_texts("at", "code", "message"),
    *(Column(name, PlainText, nullable=False, server_default="") for name in ("head", "signature")),
)

# The head after the last command, in one row, signed with a key that is not in the database.
signed_head = _define_table("signed_head", _make_key("number"), *_make_texts("head", "signature"))

# The sums of the postings, stored separately and compared with them.  Writers of all tables queue for its lock.
balance = _define_table(
    "balance",
    *(Column(name, PlainText, primary_key=True) for name in ("account", "purpose")),
    _make_number("units"),
)

# The credentials of people.  Their roles are in the entries.
credential = _define_table(
    "credential",
    Column("name", PlainText, primary_key=True),
    *_make_texts("password", "totp"),
    _make_number("last_code"),
)

# Failed login attempts, by second and by place (an address, "" for the command line): after too many, the person must
# wait.
attempt = _define_table(
    "attempt",
    _make_key("number"),
    Column("name", PlainText, nullable=False, index=True),
    _make_number("at"),
    Column("place", PlainText, nullable=False, server_default=""),
)

# Login sessions, by the hash of a token that only the person has; times in seconds.
session = _define_table(
    "session",
    Column("token", PlainText, primary_key=True),
    *_make_texts("name"),
    *_make_numbers("began", "used"),
)

APPEND_ONLY_TABLES = (
    "entry",
    "posting",
    "contribution",
    "answer",
    "checkpoint",
    "stream",
    "award_record",
    "verification",
)
"""Tables whose rows are never changed or deleted."""
