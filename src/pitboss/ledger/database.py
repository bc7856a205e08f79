"""How a database must be set so that what was answered is never lost: connections, and the check at every start."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import GUARD_TRIGGERS

WAL_SINCE = (3, 51, 3)
"""Older versions of SQLite can corrupt a database that two connections write (sqlite.org/wal.html#walresetbug)."""

_SYNC_FULL, _SYNC_EXTRA = 2, 3
_BUSY_MILLISECONDS = 30_000


def choose_journal(version: tuple[int, ...]) -> tuple[str, int]:
    """Return the journal mode and the ``synchronous`` setting for a version of SQLite.

    ``EXTRA`` also syncs the folder from which a journal is deleted: with ``FULL`` the journal can be back after a power
    cut, and takes back what was answered.

    >>> choose_journal((3, 51, 3)), choose_journal((3, 40, 1))
    (('wal', 2), ('delete', 3))
    """
    return ("wal", _SYNC_FULL) if version >= WAL_SINCE else ("delete", _SYNC_EXTRA)


def make_engine(url: str) -> sa.Engine:
    """Return the engine of a database: ``sqlite:///FILE`` or ``postgresql+psycopg://...``.

    Raises:
        LedgerError: it is no URL of these, or its driver is not installed.
    """
    try:
        parsed = sa.make_url(url)
        if parsed.drivername not in {"sqlite", "postgresql+psycopg"}:
            raise LedgerError(f"{parsed.drivername} is no ledger: use sqlite:///FILE or postgresql+psycopg://HOST/NAME")
        if parsed.get_backend_name() == "postgresql":
            return sa.create_engine(parsed, isolation_level="SERIALIZABLE", pool_pre_ping=True)
        engine = sa.create_engine(parsed)
    except sa.exc.ArgumentError:
        raise LedgerError(f"{url!r} is no database: use sqlite:///FILE or postgresql+psycopg://HOST/NAME") from None
    except ModuleNotFoundError as error:
        raise LedgerError(f"{error.name} is not installed: pip install 'pitboss[postgres]'") from None
    sa.event.listen(engine, "connect", _set_sqlite)
    sa.event.listen(engine, "begin", _begin_transaction)
    return engine


def create_private_file(url: sa.URL) -> None:
    """Make a file of SQLite that is not there yet one that its owner alone reads; what lies beside it follows."""
    name = url.database or ":memory:"
    if url.get_backend_name() == "sqlite" and not name.startswith((":memory:", "file:")):
        with suppress(OSError):  # SQLite says it better
            Path(name).touch(mode=0o600)


def _set_sqlite(connection: Any, _record: Any) -> None:
    """Set a new connection: transactions are ours to begin, and nothing is answered before it is on the disk."""
    connection.isolation_level = None
    version = connection.execute("SELECT sqlite_version()").fetchone()[0]
    journal, synchronous = choose_journal(tuple(map(int, version.split("."))))
    for name, value in (
        ("busy_timeout", _BUSY_MILLISECONDS),
        ("journal_mode", journal),
        ("synchronous", synchronous),
        ("foreign_keys", 1),
        ("recursive_triggers", 1),
        ("trusted_schema", 0),
    ):
        connection.execute(f"PRAGMA {name}={value}")


def _begin_transaction(connection: sa.Connection) -> None:
    """Take the lock before anything is read, unless nothing is to be written."""
    reading = connection.get_execution_options().get("reading", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def verify_database_settings(connection: sa.Connection) -> None:
    """Check how the database is set.

    Raises:
        LedgerError: a setting would let a crash lose what was answered.
    """
    if connection.dialect.name == "sqlite":
        version = connection.exec_driver_sql("SELECT sqlite_version()").scalar_one()
        journal, synchronous = choose_journal(tuple(map(int, version.split("."))))
        in_memory = not connection.engine.url.database or connection.engine.url.database == ":memory:"
        wanted = {
            "journal_mode": "memory" if in_memory else journal,
            "synchronous": synchronous,
            "foreign_keys": 1,
            "recursive_triggers": 1,
        }
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted}
    else:
        wanted = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
        found = {name: connection.exec_driver_sql(f"SHOW {name}").scalar() for name in wanted}
    for name, value in wanted.items():
        if found[name] != value:
            raise LedgerError(f"the database has {name} {found[name]}: it must be {value}; the tables stay closed")


_TRIGGER_QUERIES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'",
}


def verify_triggers(connection: sa.Connection) -> None:
    """Check that the database still refuses what must not be written.

    Raises:
        LedgerError: a trigger is gone or disabled.
    """
    name = connection.dialect.name
    present = set(connection.exec_driver_sql(_TRIGGER_QUERIES[name]).scalars())
    for guard in GUARD_TRIGGERS[name]:
        if guard not in present:
            raise LedgerError(f"the trigger {guard} is gone; the tables stay closed")
