"""apsw as the DB-API module that SQLAlchemy takes for Python's ``sqlite3``, so that a ledger can stand on any VFS."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import apsw

from ledger.power import NAME
from pitboss.ledger import database

apilevel, paramstyle, threadsafety = "2.0", "qmark", 1
sqlite_version = apsw.sqlite_lib_version()
sqlite_version_info = tuple(map(int, sqlite_version.split(".")))
Binary = memoryview
Error, DatabaseError, InterfaceError = sqlite3.Error, sqlite3.DatabaseError, sqlite3.InterfaceError
OperationalError, IntegrityError, ProgrammingError = (
    sqlite3.OperationalError,
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
)
DataError, InternalError, NotSupportedError = sqlite3.DataError, sqlite3.InternalError, sqlite3.NotSupportedError

ALONE = "PRAGMA locking_mode=EXCLUSIVE"
"""A VFS in Python has no shared memory; who is alone keeps the index of the write-ahead log to himself."""

CHECKPOINT_PAGES = 1_000
"""So many pages of the write-ahead log are copied into the file and the log begun anew, as SQLite has it."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise what ``sqlite3`` would."""
    try:
        yield
    except apsw.ConstraintError as error:
        raise IntegrityError(str(error)) from None
    except apsw.Error as error:
        raise OperationalError(str(error)) from None


class Cursor:
    """A statement and all of its rows."""

    lastrowid = None
    arraysize = 1

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.description: Any = None
        self.rowcount = -1
        self._rows: Iterator[tuple[Any, ...]] = iter(())

    def execute(self, statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> "Cursor":
        with translated():
            cursor = self._connection.cursor()
            self.description = None
            cursor.exec_trace = self._described
            self._rows = iter(cursor.execute(statement, parameters).fetchall())
            self.rowcount = self._connection.changes()
        return self

    def _described(self, cursor: apsw.Cursor, _statement: str, _parameters: Any) -> bool:
        columns = cursor.get_description()
        self.description = [(name, *[None] * 6) for name, _ in columns] or None
        return True

    def executemany(self, statement: str, parameters: Sequence[Any]) -> "Cursor":
        with translated():
            self._connection.executemany(statement, parameters)
            self.description = None
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[Any, ...]]:
        return list(self._rows)

    def fetchmany(self, size: int = 1) -> list[tuple[Any, ...]]:
        return [row for row, _ in zip(self._rows, range(size), strict=False)]

    def close(self) -> None:
        self._rows = iter(())


class Connection:
    """A connection in which transactions are begun by statements."""

    isolation_level: Any = None

    def __init__(self, file: str) -> None:
        with translated():
            self._connection = apsw.Connection(file, vfs=NAME)
            if database.choose_journal(sqlite_version_info)[0] == "wal":
                self._connection.execute(ALONE)
            self._connection.wal_autocheckpoint(CHECKPOINT_PAGES)

    def cursor(self) -> Cursor:
        return Cursor(self._connection)

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Cursor:
        return self.cursor().execute(statement, parameters)

    def create_function(self, name: str, arguments: int, function: Callable[..., Any], **_options: Any) -> None:
        self._connection.create_scalar_function(name, function, arguments)

    def commit(self) -> None:
        self._end("COMMIT")

    def rollback(self) -> None:
        self._end("ROLLBACK")

    def _end(self, how: str) -> None:
        if self._connection.in_transaction:
            self.execute(how)

    def close(self) -> None:
        with translated():
            self._connection.close()


def connect(file: str, **_options: Any) -> Connection:
    """Open a database on the VFS whose disk loses its power."""
    return Connection(file)
