"""The database tables.

Money and counts are 64-bit integers, everything else is text (STRICT in SQLite).
"""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, Table, Text, text

metadata = MetaData()

Int64 = BigInteger().with_variant(Integer, "sqlite")

entry = Table(
    "entry",
    metadata,
    Column("sequence", Int64, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("meter_units", Int64, nullable=False),
    Column("reserve_units", Int64, nullable=False),
    Column("software", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    sqlite_strict=True,
)

# The entries of a gaming day are found by their times.
Index("ix_entry_at", entry.c.at, entry.c.sequence)

# Postings and contributions are written before their entry; inserting the entry checks that they balance.
posting = Table(
    "posting",
    metadata,
    Column("entry", Int64, ForeignKey("entry.sequence", deferrable=True, initially="DEFERRED"), primary_key=True),
    Column("line", Int64, primary_key=True, autoincrement=False),
    Column("account", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("units", Int64, nullable=False),
    sqlite_strict=True,
)

contribution = Table(
    "contribution",
    metadata,
    Column("table_number", Int64, primary_key=True, autoincrement=False),
    Column("round_number", Int64, primary_key=True, autoincrement=False),
    Column("seat", Int64, primary_key=True, autoincrement=False),
    Column("wager_cents", Int64, nullable=False),
    Column(
        "entry",
        Int64,
        ForeignKey("entry.sequence", deferrable=True, initially="DEFERRED"),
        nullable=False,
        index=True,
    ),
    sqlite_strict=True,
)

answer = Table(
    "answer",
    metadata,
    Column("number", Int64, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False, unique=True),
    Column("command", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("first", Int64, nullable=False),
    Column("last", Int64, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    sqlite_strict=True,
)

Index("ix_answer_at", answer.c.at, answer.c.number)

# The entries of each stream, numbered within it; a ``whole`` entry is a snapshot, from which the stream can be read.
stream = Table(
    "stream",
    metadata,
    Column("name", Text, primary_key=True),
    Column("number", Int64, primary_key=True, autoincrement=False),
    Column("entry", Int64, ForeignKey("entry.sequence"), nullable=False, unique=True),
    Column("whole", Int64, nullable=False),
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
    Column("name", Text, primary_key=True),
    Column("opener", Text, nullable=False, index=True),
    Column("entry", Int64, ForeignKey("entry.sequence"), nullable=False, unique=True),
    sqlite_strict=True,
)

# Each award after every entry that changed it: a state in memory forgets finished awards, these records do not.
award_record = Table(
    "award_record",
    metadata,
    Column("award", Int64, primary_key=True, autoincrement=False),
    Column("entry", Int64, ForeignKey("entry.sequence"), primary_key=True, autoincrement=False, index=True),
    Column("table_number", Int64, nullable=False),
    Column("round_number", Int64, nullable=False),
    Column("step", Text, nullable=False),
    Column("data", Text, nullable=False),
    sqlite_strict=True,
)
Index("ix_award_record_round", award_record.c.table_number, award_record.c.round_number)

# Signed states that were checked from the first entry: a start need not go further back.
checkpoint = Table(
    "checkpoint",
    metadata,
    Column("entry", Int64, ForeignKey("entry.sequence"), primary_key=True, autoincrement=False),
    Column("head", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("signature", Text, nullable=False),
    sqlite_strict=True,
)

# The verifications that failed, with the code and the message of the fault, and those that passed after a failure,
# without.  After a failure the ledger is closed.  Each is signed, with the head that it is about, by a key that is not
# in the database.
verification = Table(
    "verification",
    metadata,
    Column("number", Int64, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("head", Text, nullable=False, server_default=""),
    Column("signature", Text, nullable=False, server_default=""),
    sqlite_strict=True,
)

# The head after the last command, in one row, signed with a key that is not in the database.
signed_head = Table(
    "signed_head",
    metadata,
    Column("number", Int64, primary_key=True, autoincrement=False),
    Column("head", Text, nullable=False),
    Column("signature", Text, nullable=False),
    sqlite_strict=True,
)

# The sums of the postings, stored separately and compared with them.  Writers of all tables queue for its lock.
balance = Table(
    "balance",
    metadata,
    Column("account", Text, primary_key=True),
    Column("purpose", Text, primary_key=True),
    Column("units", Int64, nullable=False),
    sqlite_strict=True,
)

# The credentials of people.  Their roles are in the entries.
credential = Table(
    "credential",
    metadata,
    Column("name", Text, primary_key=True),
    Column("password", Text, nullable=False),
    Column("totp", Text, nullable=False),
    Column("last_code", Int64, nullable=False),
    sqlite_strict=True,
)

# Failed login attempts, by second and by place (an address, "" for the command line): after too many, the person must
# wait.
attempt = Table(
    "attempt",
    metadata,
    Column("number", Int64, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, index=True),
    Column("at", Int64, nullable=False),
    Column("place", Text, nullable=False, server_default=""),
    sqlite_strict=True,
)

# Login sessions, by the hash of a token that only the person has; times in seconds.
session = Table(
    "session",
    metadata,
    Column("token", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("began", Int64, nullable=False),
    Column("used", Int64, nullable=False),
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
