"""Every command over HTTP that is sent again byte for byte gets its first answer, after a restart and a kill too."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import numpy as np
import pyotp
import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant

from clients import open_client
from ledger.databases import DATABASES
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.passwords import CODE_SECONDS
from pitboss.ledger import schema
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from ports import reserve_port
from web.served import BEGINNING, CHOSEN, PEOPLE, cheaply, serving, staffed

SERVER = Path(__file__).with_name("dated_server.py")
PDF = "application/pdf"
WAGERS = {"wagers": [{"seat": seat, "cents": 100} for seat in (1, 3, 6)]}
HIT = {"seat": 3, "hand": "straight-flush", "cards": "9s 8s 7s 6s 5s"}
REASON = {"reason": "malfunction", "text": "as counted"}
MADE = len(PEOPLE)
"""Requests before: one for the account of each person."""


class Sent(NamedTuple):
    """A request: its route, the numbers in its path, its body, whose session and whose proof it comes with."""

    route: str
    numbers: dict[str, Any]
    body: dict[str, Any] | None
    name: str
    proof: str = ""
    status: int = 200
    accept: str = "*/*"

    @property
    def path(self) -> str:
        """The address."""
        return self.route.format(**self.numbers)


ROUND = {"table": 1, "number": 0}
DAY = (
    Sent("/api/tables/{table}/rounds/{number}/open", ROUND, WAGERS, "dora"),
    Sent("/api/tables/{table}/rounds/{number}/open", ROUND, WAGERS, "dora", status=409),
    Sent("/api/tables/{table}/rounds/{number}/hits", ROUND, {"seat": 6, "hand": "flush"}, "dora"),
    Sent("/api/awards/{award}/cancel", {"award": 1}, None, "dora"),
    Sent("/api/tables/{table}/rounds/{number}/hits", ROUND, HIT, "dora"),
    Sent("/api/awards/{award}/confirm", {"award": 2}, {}, "dora", "dora", 403),
    Sent("/api/awards/{award}/confirm", {"award": 2}, {}, "dora", "sue", accept=PDF),
    Sent("/api/awards/{award}/pay", {"award": 2}, None, "dora", accept=PDF),
    Sent("/api/awards/{award}/reprint", {"award": 2}, None, "sue", accept=PDF),
    Sent("/api/awards/{award}/reprint", {"award": 2}, None, "sue"),
    Sent("/api/tables/{table}/rounds/{number}/close", ROUND, None, "dora"),
    Sent("/api/readings", {}, {"posted_cents": 5}, "sue"),
    Sent("/api/incidents/{incident}/sign", {"incident": 1}, {"text": "misread"}, "sue", "sue"),
    Sent("/api/incidents/{incident}/sign", {"incident": 1}, {"text": "misread"}, "sue", "eve"),
    Sent("/api/incidents", {}, {"text": "sensor broken", "table": 2}, "sue"),
    Sent("/api/adjustments", {}, {"account": "meter", "cents": -50, **REASON}, "sue"),
    Sent("/api/requests/{request_number}/approve", {"request_number": MADE + 1}, {}, "sue", "eve"),
    Sent("/api/settings", {}, {"changes": {"words": "display"}, "text": "as agreed"}, "eve"),
    Sent("/api/requests/{request_number}/decline", {"request_number": MADE + 2}, {"text": "later"}, "sue", "max"),
    Sent("/api/settings", {}, {"changes": {"meter_bps": 2000}, "text": "as agreed"}, "eve"),
    Sent("/api/requests/{request_number}/approve", {"request_number": MADE + 3}, {}, "sue", "max"),
    Sent("/api/tables/{table}/rounds/{number}/open", ROUND, WAGERS, "dora"),
    Sent("/api/tables/{table}/rounds/{number}/hits", ROUND, {"seat": 6, "hand": "flush"}, "dora"),
    Sent("/api/awards/{award}/confirm", {"award": 3}, {}, "dora", "sue"),
    Sent("/api/awards/{award}/back-out", {"award": 3}, {"text": "misread"}, "sue"),
    Sent("/api/requests/{request_number}/approve", {"request_number": MADE + 4}, {}, "sue", "eve"),
    Sent("/api/tables/{table}/rounds/{number}/close", ROUND, None, "dora"),
    Sent("/api/staff", {}, {"name": "ann", "role": "dealer"}, "sue", "sue"),
    Sent("/api/requests/{request_number}/approve", {"request_number": MADE + 5}, {}, "eve", "eve"),
    Sent("/api/staff/{name}/reset", {"name": "ann"}, {}, "sue", "sue"),
    Sent("/api/staff/{name}/end", {"name": "ann"}, {}, "sue", "sue"),
    Sent("/api/tables/{table}/browser", {"table": 1}, None, "dora"),
    Sent("/api/tables/{table}/dealer", {"table": 1}, None, "sue"),
)
"""Requests in an order in which the ledger takes them."""


class Request(NamedTuple):
    """A request as it goes over the line, to the byte."""

    path: str
    headers: dict[str, str]
    content: bytes

    def send(self, client: httpx.Client) -> tuple[int, str, bytes]:
        """Send it; return status, type and body, without the mark of a repeat."""
        answer = client.post(self.path, headers=self.headers, content=self.content)
        body = answer.content.replace(b'"repeated":true', b'"repeated":false')
        return answer.status_code, answer.headers["content-type"], body


class Sender:
    """Somebody who writes requests, with a clock for the codes."""

    def __init__(self, secrets: dict[str, str], put_clock: Callable[[int], None]) -> None:
        """Begin at the beginning; the server's clock is put by a function."""
        self.secrets, self.seconds, self._put_clock = secrets, BEGINNING, put_clock
        self.sessions: dict[str, str] = {}

    def proof(self, name: str) -> dict[str, str]:
        """Return somebody's credentials with a new code."""
        self.later(CODE_SECONDS)
        code = pyotp.TOTP(self.secrets[name]).at(self.seconds) if self.secrets[name] else ""
        return {"name": name, "password": CHOSEN, "code": code}

    def later(self, seconds: int) -> None:
        """Put the server's clock forward."""
        self.seconds += seconds
        self._put_clock(self.seconds)

    def log_in(self, client: httpx.Client) -> None:
        """Begin a session for all who send."""
        for name in sorted({sent.name for sent in DAY}):
            answer = client.post("/api/session", json=self.proof(name))
            assert answer.status_code == 201, answer.text
            self.sessions[name] = answer.json()["session"]

    def write(self, number: int, sent: Sent) -> Request:
        """Write a request."""
        headers = {
            "Authorization": f"Bearer {self.sessions[sent.name]}",
            "Idempotency-Key": f"command-{number:03}",
            "Accept": sent.accept,
        }
        if sent.body is None:
            return Request(sent.path, headers, b"")
        body = {**sent.body, **({"proof": self.proof(sent.proof)} if sent.proof else {})}
        return Request(sent.path, {**headers, "Content-Type": "application/json"}, json.dumps(body).encode())


def read(url: str, key: Path) -> tuple[tuple[Any, ...], int]:
    """Check the whole ledger; return its head, and how many attempts failed."""
    store = Store(url)
    head = Controller(store, Signer(key)).verify().head
    with store.begin_read() as transaction:
        failed = len(transaction.connection.execute(schema.attempt.select()).all())
    store.close()
    return tuple(head), failed


def takes_key(dependant: Dependant) -> bool:
    """Return whether a route, or what it depends on, takes a command's key."""
    headers = (field.field_info.alias for field in dependant.header_params)
    return "Idempotency-Key" in headers or any(takes_key(each) for each in dependant.dependencies)


def list_keyed_routes(app: FastAPI) -> set[str]:
    """Return the path of every route that takes a command's key."""
    routes: list[Any] = list(app.routes)
    return {route.path for route in routes if hasattr(route, "dependant") and takes_key(route.dependant)}


@pytest.mark.more
@pytest.mark.parametrize("database", [pytest.param("sqlite", marks=pytest.mark.long), "postgresql"])
def test_a_request_sent_again_at_once_or_after_a_restart_gets_its_first_answer(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheaply(monkeypatch)
    url, key = DATABASES[database](tmp_path), tmp_path / "key"
    secrets = staffed(url, key)
    written, answers = [], []
    with serving(url, key, secrets, monkeypatch, floor=True) as served:
        assert list_keyed_routes(served.app) == {sent.route for sent in DAY}
        sender = Sender(secrets, lambda seconds: setattr(served, "seconds", seconds))
        sender.log_in(served.client)
        for number, sent in enumerate(DAY):
            request = sender.write(number, sent)
            first = request.send(served.client)
            assert first[0] == sent.status, (sent, first)
            head = read(url, key)
            assert request.send(served.client) == first, sent
            assert read(url, key) == head
            written.append(request)
            answers.append(first)
    with serving(url, key, secrets, monkeypatch, floor=True) as served:
        served.seconds = sender.seconds + 600
        for sent, request, first in zip(DAY, written, answers, strict=True):
            assert request.send(served.client) == first, sent
    assert read(url, key) == (head[0], 0)


class DatedServer:
    """``pitboss serve`` in a process of its own, whose clock for codes is a file."""

    def __init__(self, url: str, folder: Path) -> None:
        """Serve a ledger from this folder."""
        self.clock = folder / "clock"
        self.port = reserve_port(self)
        self._command = [sys.executable, str(SERVER), str(self.clock), "--no-prepare", "--ledger", url]
        self._command += ["--database", str(folder / "tables.db"), "--port", str(self.port), "--per-address", "2000"]
        self._environment = {**os.environ, "PITBOSS_KEY": str(folder / "key"), "PYTHONUNBUFFERED": "1"}

    def start(self) -> None:
        """Start it, and wait until it has said its address."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self._environment
        )
        assert self._process.stdout is not None
        assert str(self.port) in self._process.stdout.readline()

    def kill(self) -> None:
        """Kill it."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def calm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder for servers that are processes."""
    cheaply(monkeypatch)
    return tmp_path


def killed(database: str, folder: Path, chosen: Callable[[Sent], bool], seed: int) -> int:
    """Kill the server once in the middle of each chosen request, then send it again; return how many were killed.

    Whether a request was executed before the kill or not, its answer is the only one: the same again, and no attempt
    counts as failed.
    """
    chance = np.random.default_rng(seed)
    url, key = DATABASES[database](folder), folder / "key"
    secrets = staffed(url, key)
    server, kills, after = DatedServer(url, folder), 0, []
    sender = Sender(secrets, lambda seconds: (server.clock.write_text(str(seconds)), None)[1])
    sender.later(0)
    server.start()
    with open_client(f"http://127.0.0.1:{server.port}") as client:
        sender.log_in(client)
        for number, sent in enumerate(DAY):
            request = sender.write(number, sent)
            if chosen(sent):
                kills += 1
                send_and_kill(server, request, float(chance.uniform(0, 0.05)))
                server.start()
            answer = request.send(client)
            assert answer[0] == sent.status, (sent, answer)
            assert request.send(client) == answer
            after.append((request, answer))
        for request, answer in after:
            time.sleep(0.06)  # 20 commands a second are allowed in a session
            assert request.send(client) == answer, request
    server.kill()
    assert read(url, key)[1] == 0
    return kills


def send_and_kill(server: DatedServer, request: Request, seconds: float) -> None:
    """Send a request without waiting for its answer, and kill the server after some seconds."""
    headers = {"Host": f"127.0.0.1:{server.port}", "Content-Length": len(request.content), **request.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(f"POST {request.path} HTTP/1.1\r\n{lines}\r\n".encode() + request.content)
        time.sleep(seconds)
        server.kill()


@pytest.mark.more
def test_a_confirmation_and_a_payment_survive_a_kill_of_the_server(calm: Path) -> None:
    money = {"/api/awards/{award}/confirm", "/api/awards/{award}/pay"}
    assert killed("sqlite", calm, lambda sent: sent.route in money and sent.status == 200, seed=1) == 3


@pytest.mark.long
@pytest.mark.parametrize("database", DATABASES)
def test_every_request_survives_a_kill_of_the_server(database: str, calm: Path) -> None:
    for seed in range(5):
        folder = calm / str(seed)
        folder.mkdir()
        assert killed(database, folder, lambda _sent: True, seed) == len(DAY)
