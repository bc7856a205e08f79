"""No reader stops a table: what is read long is read in pages, however slowly somebody takes it.

The class, not the case: every route and every command that reads, found in the application and the command line.
"""

import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from jackpot.lengthening import lengthen
from ledger.databases import DATABASES, postgresql
from pitboss.cli import jackpot as jackpot_commands
from pitboss.cli.app import run
from pitboss.jackpot.controller import Controller
from pitboss.ledger import database
from pitboss.ledger.signing import Signer
from pitboss.ledger.statements import PAGE_SIZE
from pitboss.ledger.store import Store
from waiting import PATIENT_SECONDS, wait_until
from web.examples import operations
from web.served import CHOSEN, Served, cheaply, copied, serving, staffed

ROUNDS = 1_600
PAGES = 2 * ROUNDS // PAGE_SIZE
MOST_PAGES = 3
"""A transaction reads so many at most: a start checks the chain of the newest thousand entries in one."""

BUSY_MILLISECONDS = 500 * PATIENT_SECONDS
"""How long a writer waits for a reader: one who reads nothing would keep it waiting for ever, a busy disk does not."""

pytestmark = pytest.mark.more


@cache
def long_template() -> tuple[Path, dict[str, str]]:
    """Return a folder with a ledger of many pages, made once, and its people's secrets."""
    folder = Path(mkdtemp(prefix="pitboss-"))
    url, key, secrets = copied(folder)
    store = Store(url)
    lengthen(store, Controller(store, Signer(key)), ROUNDS)
    store.close()
    return folder, secrets


def long_copied(folder: Path) -> tuple[str, Path, dict[str, str]]:
    """Return the URL, the key and the secrets of a ledger of many pages of one's own."""
    made, secrets = long_template()
    for name in ("ledger.db", "key"):
        shutil.copy(made / name, folder / name)
    return f"sqlite:///{folder / 'ledger.db'}", folder / "key", secrets


@pytest.fixture
def long_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    cheaply(monkeypatch)
    with serving(*long_copied(tmp_path), monkeypatch) as made:
        yield made


class Pages:
    """The pages that each transaction of any engine has read."""

    def __init__(self) -> None:
        self.most = self.total = 0
        self._read: dict[int, int] = {}

    def begin(self, connection: sa.Connection) -> None:
        """Count the pages of a transaction from 0."""
        self._read[id(connection)] = 0

    def execute(self, connection: sa.Connection, _cursor: Any, statement: str, *_more: Any) -> None:
        """Count a page; whatever is read of the record must be a page of it, or a row."""
        table = next((each for each in ("entry", "answer") if f"\nFROM {each} " in statement), "")
        if not table or "ORDER BY" not in statement:
            return
        assert "LIMIT" in statement, statement
        if "DESC" not in statement:
            self.total += 1
            read = self._read.get(id(connection), 0) + 1
            self._read[id(connection)] = read
            self.most = max(self.most, read if table == "entry" else 1)


@contextmanager
def counted() -> Iterator[Pages]:
    """Count the pages that are read."""
    pages = Pages()
    listeners = (("begin", pages.begin), ("before_cursor_execute", pages.execute))
    for name, listener in listeners:
        sa.event.listen(sa.Engine, name, listener)
    try:
        yield pages
    finally:
        for name, listener in listeners:
            sa.event.remove(sa.Engine, name, listener)


LONG_READERS = {"verify", "export", "read_day", "table_events", "read_days", "archive"}
"""The operations that read the whole record, or may."""


def test_no_route_reads_more_than_a_few_pages_in_a_transaction(long_served: Served) -> None:
    # A screen's feed needs a token of its own, and is read like the display's events.
    named = [each for each in operations(long_served.app) if each.name != "display_feed"]
    readers = [each for each in named if each.method == "GET" or each.name == "verify"]
    assert {each.name for each in readers} >= LONG_READERS
    for operation in readers:
        name = "dora" if operation.name in {"me", "read_table", "table_events"} else "abe"
        long_served.session(name)
        params = {"seconds": 0} if operation.name.endswith("events") else {}
        with counted() as pages:
            answer = long_served.ask(
                operation.method,
                operation.path,
                name,
                json={} if operation.name == "verify" else None,
                params=params,
                headers={"Last-Event-ID": "0"},
            )
        assert answer.is_success, (operation.name, answer.text)
        assert pages.most <= MOST_PAGES, operation.name
        assert (pages.total >= PAGES) == (operation.name in LONG_READERS), operation.name


READING_COMMANDS: dict[str, list[list[str]]] = {
    "status": [[]],
    "settings": [[]],
    "verify": [[]],
    "export": [["--format", each, "--output", "out"] for each in ("csv", "journal", "head")],
    "daily": [[]],
    "archive": [["--output", "archive.jsonl"]],
}
WRITING_COMMANDS = set(
    "open hit cancel confirm pay close init adjust back-out configure approve decline reprint reconcile".split()
)
OPERATING_COMMANDS = {"backup", "health", "head", "restore", "upgrade", "verify-archive"}
"""Commands on files: that a copy holds up no writer is shown in ``tests/jackpot/test_backups.py``."""


def test_no_command_line_reads_more_than_a_few_pages_in_a_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = {
        each.name or each.callback.__name__ for each in jackpot_commands.app.registered_commands if each.callback
    }
    assert commands <= set(READING_COMMANDS) | WRITING_COMMANDS | OPERATING_COMMANDS, "say whether a new command reads"
    url, key, _ = long_copied(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PITBOSS_KEY", str(key))
    monkeypatch.setenv("PITBOSS_PASSWORD", CHOSEN)
    monkeypatch.setattr("pitboss.jackpot.passwords.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    for command, cases in READING_COMMANDS.items():
        for arguments in cases:
            with counted() as pages:
                assert run(["jackpot", command, *arguments, "--ledger", url, "--as", "abe"]) == 0
            assert 1 <= pages.most <= MOST_PAGES, command


@pytest.fixture(params=DATABASES)
def stalling(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A long ledger on each database."""
    cheaply(monkeypatch)
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", BUSY_MILLISECONDS)
    if request.param == "sqlite":
        made = long_copied(tmp_path)
    else:
        url, key = postgresql(tmp_path), tmp_path / "key"
        made = (url, key, staffed(url, key))
        store = Store(url)
        lengthen(store, Controller(store, Signer(key)), ROUNDS)
        store.close()
    with serving(*made, monkeypatch) as served:
        yield served


STREAMS = {
    "/api/export": "abe",
    "/api/export?format=journal": "abe",
    "/api/tables/1/events": "dora",
    "/api/display/events": "",
}


def stalled(served: Served, path: str, name: str) -> socket.socket:
    """Ask for something long, read its first bytes, and then nothing more."""
    host, port = served.address.removeprefix("http://").split(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
    line.connect((host, int(port)))
    session = f"Authorization: Bearer {served.session(name)}\r\n" if name else ""
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nLast-Event-ID: 0\r\n{session}\r\n".encode())
    assert line.recv(64).startswith(b"HTTP/1.1 200")
    return line


def count_idle_transactions(store: Store) -> int:
    """Count the transactions on a PostgreSQL ledger that are open and do nothing."""
    idle = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in trans%%'"
    with store.engine.connect() as connection:
        return int(connection.exec_driver_sql(idle).scalar_one())


@pytest.mark.in_turn("path")
@pytest.mark.parametrize("path", STREAMS)
def test_commands_go_on_while_a_reader_reads_nothing(stalling: Served, path: str) -> None:
    streams = {each.path for each in operations(stalling.app) if each.name == "export" or each.name.endswith("events")}
    assert streams == {each.partition("?")[0] for each in STREAMS}, "a new stream: stall it here"
    stalling.session("dora")
    with stalled(stalling, path, STREAMS[path]):
        for number in range(1, 4):
            stalling.do(f"/tables/2/rounds/{number}/open", "dora", {"wagers": [{"seat": 1, "cents": 100}]})
            stalling.do(f"/tables/2/rounds/{number}/close", "dora")
        if stalling.store.engine.dialect.name == "postgresql":
            wait_until(lambda: not count_idle_transactions(stalling.store))  # others read for a moment
    # and after it broke off
    stalling.do("/tables/2/rounds/4/open", "dora", {"wagers": []})


def test_an_export_is_the_ledger_as_it_was_when_it_was_asked_for(long_served: Served) -> None:
    lines = long_served.ask("GET", "/export", "abe").text.splitlines()
    entries = [int(line.split(",")[0]) for line in lines[1:]]
    assert sorted(set(entries)) == list(range(1, long_served.controller.state.entries + 1))
    assert entries == sorted(entries)
