"""The database tables.

Money and counts are 64-bit integers, everything else is text (STRICT in SQLite).
"""

from sqlalchemy import Column, ForeignKey, Index, MetaData, Table, text

from pitboss.ledger.column_types import PlainText, WholeNumber

metadata = MetaData()

entry = Table(
    "entry",
    metadata,
    Column("sequence", WholeNumber, primary_key=True, autoincrement=False),
    Column("at", PlainText, nullable=False),
    Column("actor", PlainText, nullable=False),
    Column("kind", PlainText, nullable=False),
    Column("data", PlainText, nullable=False),
    Column("meter_units", WholeNumber, nullable=False),
    Column("reserve_units", WholeNumber, nullable=False),
    Column("software", PlainText, nullable=False),
    Column("previous", PlainText, nullable=False),
    Column("hash", PlainText, nullable=False),
    sqlite_strict=True,
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
posting = Table(
    "posting",
    metadata,
    Column("entry", WholeNumber, ForeignKey("entry.sequence", deferrable=True, initially="DEFERRED"), primary_key=True),
    Column("line", WholeNumber, primary_key=True, autoincrement=False),
    Column("account", PlainText, nullable=False),
    Column("purpose", PlainText, nullable=False),
    Column("units", WholeNumber, nullable=False),
    sqlite_strict=True,
)

contribution = Table(
    "contribution",
    metadata,
    Column("table_number", WholeNumber, primary_key=True, autoincrement=False),
    Column("round_number", WholeNumber, primary_key=True, autoincrement=False),
    Column("seat", WholeNumber, primary_key=True, autoincrement=False),
    Column("wager_cents", WholeNumber, nullable=False),
    Column(
        "entry",
        WholeNumber,
        ForeignKey("entry.sequence", deferrable=True, initially="DEFERRED"),
        nullable=False,
        index=True,
    ),
    sqlite_strict=True,
)

answer = Table(
    "answer",
    metadata,
    Column("number", WholeNumber, primary_key=True, autoincrement=False),
    Column("key", PlainText, nullable=False, unique=True),
    Column("command", PlainText, nullable=False),
    Column("at", PlainText, nullable=False),
    Column("actor", PlainText, nullable=False),
    Column("status", PlainText, nullable=False),
    Column("message", PlainText, nullable=False),
    Column("first", WholeNumber, nullable=False),
    Column("last", WholeNumber, nullable=False),
    Column("previous", PlainText, nullable=False),
    Column("hash", PlainText, nullable=False),
    sqlite_strict=True,
)

Index("ix_answer_at", answer.c.at, answer.c.number)

# The entries of each stream, numbered within it; a ``whole`` entry is a snapshot, from which the stream can be read.
stream = Table(
    "stream",
    metadata,
    Column("name", PlainText, primary_key=True),
    Column("number", WholeNumber, primary_key=True, autoincrement=False),
    Column("entry", WholeNumber, ForeignKey("entry.sequence"), nullable=False, unique=True),
    Column("whole", WholeNumber, nullable=False),
    sqlite_strict=True,
)

# The first entries of streams: listing the newest streams is frequent and must not slow down over the years.
Index(
    "ix_stream_first",
    stream.c.entry,
    sqlite_where=text("number = 1"),
    postgresql_where=text("number = 1"),
)

# The streams of open tables: a closed table is found only by its name, and costs nothing.
live = Table(
    "live",
    metadata,
    Column("name", PlainText, primary_key=True),
    Column("opener", PlainText, nullable=False, index=True),
    Column("entry", WholeNumber, ForeignKey("entry.sequence"), nullable=False, unique=True),
    sqlite_strict=True,
)

# Each award after every entry that changed it: a state in memory forgets finished awards, these records do not.
award_record = Table(
    "award_record",
    metadata,
    Column("award", WholeNumber, primary_key=True, autoincrement=False),
    Column("entry", WholeNumber, ForeignKey("entry.sequence"), primary_key=True, autoincrement=False, index=True),
    Column("table_number", WholeNumber, nullable=False),
    Column("round_number", WholeNumber, nullable=False),
    Column("step", PlainText, nullable=False),
    Column("data", PlainText, nullable=False),
    sqlite_strict=True,
)
Index("ix_award_record_round", award_record.c.table_number, award_record.c.round_number)

# Signed states that were checked from the first entry: a start need not go further back.
checkpoint = Table(
    "checkpoint",
    metadata,
    Column("entry", WholeNumber, ForeignKey("entry.sequence"), primary_key=True, autoincrement=False),
    Column("head", PlainText, nullable=False),
    Column("state", PlainText, nullable=False),
    Column("signature", PlainText, nullable=False),
    sqlite_strict=True,
)

# The verifications that failed, with the code and the message of the fault, and those that passed after a failure,
# without.  After a failure the ledger is closed.  Each is signed, with the head that it is about, by a key that is not
# in the database.
verification = Table(
    "verification",
    metadata,
    Column("number", WholeNumber, primary_key=True, autoincrement=False),
    Column("at", PlainText, nullable=False),
    Column("code", PlainText, nullable=False),
    Column("message", PlainText, nullable=False),
    Column("head", PlainText, nullable=False, server_default=""),
    Column("signature", PlainText, nullable=False, server_default=""),
    sqlite_strict=True,
)

# The head after the last command, in one row, signed with a key that is not in the database.
signed_head = Table(
    "signed_head",
    metadata,
    Column("number", WholeNumber, primary_key=True, autoincrement=False),
    Column("head", PlainText, nullable=False),
    Column("signature", PlainText, nullable=False),
    sqlite_strict=True,
)

# The sums of the postings, stored separately and compared with them.  Writers of all tables queue for its lock.
balance = Table(
    "balance",
    metadata,
    Column("account", PlainText, primary_key=True),
    Column("purpose", PlainText, primary_key=True),
    Column("units", WholeNumber, nullable=False),
    sqlite_strict=True,
)

# The credentials of people.  Their roles are in the entries.
credential = Table(
    "credential",
    metadata,
    Column("name", PlainText, primary_key=True),
    Column("password", PlainText, nullable=False),
    Column("totp", PlainText, nullable=False),
    Column("last_code", WholeNumber, nullable=False),
    sqlite_strict=True,
)

# Failed login attempts, by second and by place (an address, "" for the command line): after too many, the person must
# wait.
attempt = Table(
    "attempt",
    metadata,
    Column("number", WholeNumber, primary_key=True, autoincrement=False),
    Column("name", PlainText, nullable=False, index=True),
    Column("at", WholeNumber, nullable=False),
    Column("place", PlainText, nullable=False, server_default=""),
    sqlite_strict=True,
)

# Login sessions, by the hash of a token that only the person has; times in seconds.
session = Table(
    "session",
    metadata,
    Column("token", PlainText, primary_key=True),
    Column("name", PlainText, nullable=False),
    Column("began", WholeNumber, nullable=False),
    Column("used", WholeNumber, nullable=False),
    sqlite_strict=True,
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
