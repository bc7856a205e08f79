"""One server for each SQLite file.

SQLite lets processes of one machine write in turn, and commands may run while a server does.  Two servers would make
each other wait in every poll, and on a network disk its locks do not hold: two need PostgreSQL.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from pitboss.core.errors import PitbossError


@contextmanager
def hold_database(url: str) -> Iterator[None]:
    """Hold a database's file for this server; other databases need no holding.

    The system releases it when the process ends, in whatever way.

    Raises:
        PitbossError: another server holds it, or its folder cannot be written.
    """
    parsed = sa.make_url(url)
    name = parsed.database or ":memory:"
    if parsed.get_backend_name() != "sqlite" or name.startswith((":memory:", "file:")):
        yield
        return
    lock = f"{os.path.realpath(name)}.server"
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise PitbossError(f"cannot write {lock}: {error.strerror}", code="cannot-write", path=lock) from None
    try:
        _lock(handle, name)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, name: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PitbossError(
            f"another server already serves {name}: give --database another file, or let both use PostgreSQL",
            code="already-served",
            database=name,
        ) from None
