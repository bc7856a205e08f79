"""Database connections with settings that never lose an answered command.

The settings are checked at start.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pitboss.core.extras import write_install_hint
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.postgresql import make_postgresql_engine

WAL_SINCE = (3, 51, 3)
"""Older versions of SQLite can corrupt a database that two connections write (sqlite.org/wal.html#walresetbug)."""

_SYNC_FULL, _SYNC_EXTRA = 2, 3
BUSY_MILLISECONDS = 4_000
POOL_SECONDS = 2.0
"""The longest wait for a free connection: connections are short of only when the database hangs."""


def choose_journal(version: tuple[int, ...]) -> tuple[str, int]:
    """Return a SQLite version's journal mode and ``synchronous`` setting.

    ``EXTRA`` also syncs the folder after a journal is deleted.  With ``FULL`` the journal can reappear after a power
    cut and undo what was answered.

    >>> choose_journal((3, 51, 3)), choose_journal((3, 40, 1))
    (('wal', 2), ('delete', 3))
    """
    return ("wal", _SYNC_FULL) if version >= WAL_SINCE else ("delete", _SYNC_EXTRA)


def make_engine(url: str, *, is_limited: bool = True) -> sa.Engine:
    """Return the engine of a database.

    The URL is ``sqlite:///FILE`` or ``postgresql+psycopg://...``.  With ``is_limited``, a PostgreSQL that hangs is
    given up within the limits of ``postgresql``.

    Raises:
        LedgerError: the URL is not one of these, or the driver is not installed.
    """
    try:
        parsed = sa.make_url(url)
        if parsed.drivername not in {"sqlite", "postgresql+psycopg"}:
            raise LedgerError(
                f"{parsed.drivername} is not supported: use sqlite:///FILE or postgresql+psycopg://HOST/NAME",
                code="unknown-database",
                drivername=parsed.drivername,
            )
        if parsed.get_backend_name() == "postgresql":
            return make_postgresql_engine(parsed, is_limited=is_limited, pool_timeout=POOL_SECONDS)
        is_file = parsed.database not in {None, "", ":memory:"}
        engine = sa.create_engine(parsed, **({"pool_timeout": POOL_SECONDS} if is_file else {}))
    except sa.exc.ArgumentError:
        raise LedgerError(
            f"{url!r} is not a database URL: use sqlite:///FILE or postgresql+psycopg://HOST/NAME",
            code="unknown-database",
            url=url,
        ) from None
    except ModuleNotFoundError as error:
        raise LedgerError(
            f"{error.name} is not installed: {write_install_hint('postgres')}", code="not-installed"
        ) from None
    sa.event.listen(engine, "connect", _set_sqlite)
    sa.event.listen(engine, "begin", _begin_transaction)
    return engine


def create_private_file(url: sa.URL) -> None:
    """Create a missing SQLite file that only its owner can read.

    Its journal files get the same mode.
    """
    name = url.database or ":memory:"
    if url.get_backend_name() == "sqlite" and not name.startswith((":memory:", "file:")):
        with suppress(OSError):  # SQLite reports it better
            Path(name).touch(mode=0o600)


def _set_sqlite(connection: Any, _record: Any) -> None:
    """Configure a new connection.

    We begin transactions ourselves, and a commit returns once it is on the disk.
    """
    connection.isolation_level = None
    version = connection.execute("SELECT sqlite_version()").fetchone()[0]
    journal, synchronous = choose_journal(tuple(map(int, version.split("."))))
    for name, value in (
        ("busy_timeout", BUSY_MILLISECONDS),
        ("journal_mode", journal),
        ("synchronous", synchronous),
        ("foreign_keys", 1),
        ("recursive_triggers", 1),
        ("trusted_schema", 0),
        ("secure_delete", 1),  # a secret that was replaced does not stay in the file
    ):
        connection.execute(f"PRAGMA {name}={value}")


def _begin_transaction(connection: sa.Connection) -> None:
    """Begin a transaction; one that writes takes the lock before it reads anything."""
    is_reading = connection.get_execution_options().get("reading", False)
    connection.exec_driver_sql("BEGIN" if is_reading else "BEGIN IMMEDIATE")


def verify_database_settings(connection: sa.Connection) -> None:
    """Check the settings of the database.

    Raises:
        LedgerError: with a setting, a crash could lose an answered command.
    """
    if connection.dialect.name == "sqlite":
        version = connection.exec_driver_sql("SELECT sqlite_version()").scalar_one()
        journal, synchronous = choose_journal(tuple(map(int, version.split("."))))
        in_memory = not connection.engine.url.database or connection.engine.url.database == ":memory:"
        required = {
            "journal_mode": "memory" if in_memory else journal,
            "synchronous": synchronous,
            "foreign_keys": 1,
            "recursive_triggers": 1,
        }
        actual = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in required}
    else:
        # Triggers do not fire for a session that plays the part of a replica.
        required = {
            "fsync": "on",
            "full_page_writes": "on",
            "synchronous_commit": "on",
            "session_replication_role": "origin",
        }
        actual = {name: connection.exec_driver_sql(f"SHOW {name}").scalar() for name in required}
    for name, value in required.items():
        if actual[name] != value:
            raise LedgerError(
                f"the database has {name} {actual[name]}: it must be {value}; the tables stay closed",
                code="unsafe-database",
                name=name,
                value=value,
            )
