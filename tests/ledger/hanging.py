"""A PostgreSQL that hangs: its processes are stopped, or somebody keeps a lock."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from ledger.databases import server


def list_processes() -> list[int]:
    """Return the processes of this process's own PostgreSQL: the postmaster first, then its children."""
    engine = sa.create_engine(server())
    with engine.connect() as connection:
        folder = connection.exec_driver_sql("SHOW data_directory").scalar_one()
    engine.dispose()
    postmaster = int(Path(folder, "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
    children = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = each.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[1]) == postmaster:
            children.append(int(each.parent.name))
    return [postmaster, *children]


@contextmanager
def stopped() -> Iterator[None]:
    """Stop the PostgreSQL with SIGSTOP: its connections stay, and nothing answers."""
    processes = list_processes()
    try:
        for each in processes:
            with suppress(ProcessLookupError):  # a child that ended since it was listed
                os.kill(each, signal.SIGSTOP)
        yield
    finally:
        for each in processes:
            with suppress(ProcessLookupError):  # a child that ended when the postmaster went on
                os.kill(each, signal.SIGCONT)


@contextmanager
def lock_kept(url: str) -> Iterator[None]:
    """Keep the lock of writers in another session."""
    engine = sa.create_engine(url)
    is_sqlite = engine.dialect.name == "sqlite"
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_sqlite else "BEGIN")
        if not is_sqlite:
            connection.exec_driver_sql("LOCK TABLE balance IN ACCESS SHARE MODE")
            connection.exec_driver_sql("LOCK TABLE balance IN EXCLUSIVE MODE")
        try:
            yield
        finally:
            connection.exec_driver_sql("ROLLBACK")
    engine.dispose()
