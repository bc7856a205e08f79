"""The tables.  Money and counts are 64-bit integers, everything else is text (STRICT in SQLite)."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, Table, Text, text

metadata = MetaData()

Whole = BigInteger().with_variant(Integer, "sqlite")

entry = Table(
    "entry",
    metadata,
    Column("sequence", Whole, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("meter_units", Whole, nullable=False),
    Column("reserve_units", Whole, nullable=False),
    Column("software", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    sqlite_strict=True,
)

# Postings and contributions are written before their entry, which then finds whether they balance.
posting = Table(
    "posting",
    metadata,
    Column("entry", Whole, ForeignKey("entry.sequence", deferrable=True, initially="DEFERRED"), primary_key=True),
    Column("line", Whole, primary_key=True, autoincrement=False),
    Column("account", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("units", Whole, nullable=False),
    sqlite_strict=True,
)

contribution = Table(
    "contribution",
    metadata,
    Column("table_number", Whole, primary_key=True, autoincrement=False),
    Column("round_number", Whole, primary_key=True, autoincrement=False),
    Column("seat", Whole, primary_key=True, autoincrement=False),
    Column("wager_cents", Whole, nullable=False),
    Column(
        "entry",
        Whole,
        ForeignKey("entry.sequence", deferrable=True, initially="DEFERRED"),
        nullable=False,
        index=True,
    ),
    sqlite_strict=True,
)

answer = Table(
    "answer",
    metadata,
    Column("number", Whole, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False, unique=True),
    Column("command", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("first", Whole, nullable=False),
    Column("last", Whole, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    sqlite_strict=True,
)

# Which entries are about one thing, numbered for it alone; from a ``whole`` one on its state can be told.
stream = Table(
    "stream",
    metadata,
    Column("name", Text, primary_key=True),
    Column("number", Whole, primary_key=True, autoincrement=False),
    Column("entry", Whole, ForeignKey("entry.sequence"), nullable=False, unique=True),
    Column("whole", Whole, nullable=False),
    sqlite_strict=True,
)

# What begins streams: which are the newest is asked often, and must not take longer from year to year.
Index(
    "ix_stream_first",
    stream.c.entry,
    sqlite_where=text("number = 1"),
    postgresql_where=text("number = 1"),
)

# Streams of tables that are open: what was closed for good is found by its name alone, and costs nobody anything.
live = Table(
    "live",
    metadata,
    Column("name", Text, primary_key=True),
    Column("opener", Text, nullable=False, index=True),
    Column("entry", Whole, ForeignKey("entry.sequence"), nullable=False, unique=True),
    sqlite_strict=True,
)

# A state that was checked from the first entry on, signed: a start need not go further back.
checkpoint = Table(
    "checkpoint",
    metadata,
    Column("entry", Whole, ForeignKey("entry.sequence"), primary_key=True, autoincrement=False),
    Column("head", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("signature", Text, nullable=False),
    sqlite_strict=True,
)

# What the postings come to, kept apart and compared with them.  Its lock is the queue that all tables stand in.
balance = Table(
    "balance",
    metadata,
    Column("account", Text, primary_key=True),
    Column("purpose", Text, primary_key=True),
    Column("units", Whole, nullable=False),
    sqlite_strict=True,
)

# How people prove who they are.  Their roles stand in the entries.
credential = Table(
    "credential",
    metadata,
    Column("name", Text, primary_key=True),
    Column("password", Text, nullable=False),
    Column("totp", Text, nullable=False),
    Column("last_code", Whole, nullable=False),
    sqlite_strict=True,
)

# Proofs that failed, by second: too many, and the account waits.
attempt = Table(
    "attempt",
    metadata,
    Column("number", Whole, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, index=True),
    Column("at", Whole, nullable=False),
    sqlite_strict=True,
)

# Who is logged in, by the hash of a token that only they have; seconds.
session = Table(
    "session",
    metadata,
    Column("token", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("began", Whole, nullable=False),
    Column("used", Whole, nullable=False),
    sqlite_strict=True,
)

APPEND_ONLY = ("entry", "posting", "contribution", "answer", "checkpoint", "stream")
"""Tables whose rows are never changed and never taken away."""

REFUSING = ("entry_follows", "entry_balances", "posting_precedes", "contribution_precedes", "answer_follows")
"""Triggers that refuse rows which do not follow, or do not balance."""

GUARDS = {
    "sqlite": (*(f"{table}_no_{act}" for table in APPEND_ONLY for act in ("update", "delete")), *REFUSING),
    "postgresql": (*(f"{table}_only_added" for table in APPEND_ONLY), *REFUSING),
}
"""Every trigger that guards the record, by database."""
