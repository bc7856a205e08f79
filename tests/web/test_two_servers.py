"""Two servers: on one PostgreSQL they are one progressive, on one SQLite file the second does not start."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pyotp
import pytest

from clients import open_client
from ledger.databases import postgresql
from pitboss.cli.serve_lock import hold_database
from pitboss.core.errors import PitbossError
from pitboss.jackpot.controller import Controller
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal
from web.casino import Casino
from web.served import CHOSEN, copied, staffed

ROUNDS = 12
_keys = count(1)


@contextmanager
def serving(folder: Path, ledger: str) -> Iterator[Casino]:
    """Serve a ledger in a process of its own, with its own tables."""
    folder.mkdir()
    casino = Casino(folder, "--ledger", ledger)
    casino.start()
    try:
        yield casino
    finally:
        casino.kill()


def logged_in(address: str, secrets: dict[str, str], name: str) -> httpx.Client:
    """Return somebody's client of a server."""
    client = open_client(address)
    code = pyotp.TOTP(secrets[name]).now() if secrets[name] else ""
    answer = client.post("/api/session", json={"name": name, "password": CHOSEN, "code": code})
    client.headers["Authorization"] = f"Bearer {answer.json()['session']}"
    return client


def command(client: httpx.Client, path: str, body: Any = None, key: str = "") -> Any:
    """Give a command that must be done."""
    headers = {"Idempotency-Key": key or f"two-servers-{next(_keys):05}"}
    while (answer := client.post(path, json=body, headers=headers)).status_code == 429:  # as often as a session may
        sleep(0.2)
    assert answer.is_success, answer.text
    return answer.json()


def play_rounds(client: httpx.Client, table: int) -> None:
    """Play rounds of a table."""
    for number in range(1, ROUNDS + 1):
        wagers = {"wagers": [{"seat": seat, "cents": 100} for seat in range(1, 7)]}
        command(client, f"/api/tables/{table}/rounds/{number}/open", wagers)
        command(client, f"/api/tables/{table}/rounds/{number}/close")


@pytest.mark.more
def test_two_servers_on_one_postgresql_are_one_progressive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, key = postgresql(tmp_path), tmp_path / "key"
    secrets = staffed(url, key)
    monkeypatch.setenv("PITBOSS_KEY", str(key))
    with ExitStack() as stack:
        first, second = (stack.enter_context(serving(tmp_path / name, url)) for name in ("first", "second"))
        dora = stack.enter_context(closing(logged_in(first.address, secrets, "dora")))
        there = stack.enter_context(closing(open_client(second.address, headers=dora.headers)))
        assert there.get("/api/session").json()["name"] == "dora"  # a session is everywhere
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(play_rounds, (dora, there), (1, 2)))
        assert read_display(first) == read_display(second) == 1_000_000 + 2 * ROUNDS * 6 * 14
        wagers = {"wagers": [{"seat": 1, "cents": 100}, {"seat": 5, "cents": 100}]}
        path = f"/api/tables/1/rounds/{ROUNDS + 1}/open"
        with ThreadPoolExecutor(2) as pool:
            both = list(pool.map(lambda client: command(client, path, wagers, "sent-to-both"), (dora, there)))
        assert sorted(each["repeated"] for each in both) == [False, True]
        with there.stream("GET", "/api/tables/1/events?seconds=8") as events:
            hit = {"seat": 5, "hand": "straight-flush"}
            command(dora, f"/api/tables/1/rounds/{ROUNDS + 1}/hits", hit)  # told by the other server
            assert any(line == "event: entered" for line in events.iter_lines())
        os.kill(first.pid, signal.SIGKILL)  # and the other one goes on
        assert command(there, "/api/awards/1/cancel")["events"][0]["owed"] == []
        command(there, f"/api/tables/1/rounds/{ROUNDS + 1}/close")
    store = Store(url)
    counts = Controller(store, Signer(key)).verify().state.counts
    store.close()
    assert {table: each.in_count for table, each in counts.items()} == {1: ROUNDS * 6 + 2, 2: ROUNDS * 6}


def read_display(casino: Casino) -> int:
    """Return what a server's display shows."""
    return int(httpx.get(f"{casino.address}/api/display", trust_env=False).json()["display_cents"])


def test_a_second_server_on_an_sqlite_file_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    url, _, _ = copied(tmp_path)
    linked = tmp_path / "linked.db"
    linked.symlink_to(tmp_path / "ledger.db")
    with hold_database(url):
        for name in (url, f"sqlite:///{linked}"):
            with pytest.raises(PitbossError, check=refusal("already-served")), hold_database(name):
                pass
        with closing(sqlite3.connect(tmp_path / "ledger.db")) as database:  # commands still work
            assert database.execute("SELECT count(*) FROM entry").fetchone()[0] > 0
        with hold_database(f"sqlite:///{tmp_path / 'other.db'}"), hold_database("postgresql+psycopg://host/name"):
            pass
    with hold_database(url):
        pass
    with (
        pytest.raises(PitbossError, check=refusal("cannot-write")),
        hold_database(f"sqlite:///{tmp_path / 'missing' / 'ledger.db'}"),
    ):
        pass


@pytest.mark.more
def test_a_server_that_was_killed_holds_its_file_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, key, _ = copied(tmp_path)
    monkeypatch.setenv("PITBOSS_KEY", str(key))
    with (
        serving(tmp_path / "first", url),
        pytest.raises(PitbossError, check=refusal("already-served")),
        hold_database(url),
    ):
        pass
    with hold_database(url):
        pass
