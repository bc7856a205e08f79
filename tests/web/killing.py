"""A served progressive whose server or PostgreSQL is killed at random instants; a script, whose answer is JSON.

It forks: so it must have no threads of its own, and what it imports is imported once.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import numpy as np
import pyotp
import pytest

from clients import open_client
from ledger.databases import postgresql, restart_postgresql, sqlite
from ledger.hanging import list_processes
from pitboss.cli.app import run
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.passwords import CODE_SECONDS
from pitboss.ledger import schema
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.web import app, rate_limits
from ports import reserve_port
from waiting import PATIENT_SECONDS
from web.served import BEGINNING, CHOSEN, cheaply, staffed

ANSWERS = 10
"""Requests that must be answered before each kill."""

SPREAD = 3
"""Kills fall within the time of so many requests after these."""

STEPS = 5
AGAIN = 50

IMPORTED_BEFORE_FORKING = app
"""What the server needs, and no test of it."""


class Request(NamedTuple):
    """A request as it goes over the line."""

    path: str
    key: str
    session: str
    body: bytes


class Victims:
    """A server in a process of its own, on a ledger that has its people; it, or its PostgreSQL, is killed."""

    def __init__(self, database: str, folder: Path, seed: int) -> None:
        """Set the progressive up, and start the server."""
        self._patch = pytest.MonkeyPatch()
        cheaply(self._patch)
        self.folder, self.clock, self.seconds = folder, folder / "clock", BEGINNING
        self.url = {"sqlite": sqlite, "postgresql": postgresql}[database](folder)
        self.key = folder / "key"
        self.secrets = staffed(self.url, self.key)
        self.chance = np.random.default_rng(seed)
        self.port = reserve_port(self)
        self.later(0)
        self.start()

    def later(self, seconds: int) -> None:
        """Put the server's clock forward."""
        self.seconds += seconds
        written = self.clock.with_suffix(".new")
        written.write_text(str(self.seconds))
        written.rename(self.clock)

    def start(self) -> None:
        """Start the server in a process of its own, where nobody is told to wait."""
        self.server = os.fork()
        if not self.server:
            try:
                self._serve()
            finally:
                os._exit(1)
        self.client = open_client(f"http://127.0.0.1:{self.port}")

    def _serve(self) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for each in (1, 2):
            os.dup2(nowhere, each)
        self._patch.setattr(CredentialStore, "_get_seconds", lambda _staff: int(self.clock.read_text()))
        self._patch.setattr(rate_limits, "RateLimits", partial(rate_limits.RateLimits, requests="1000000/second"))
        os.environ["PITBOSS_KEY"] = str(self.key)
        tables = ["--database", str(self.folder / "tables.db"), "--per-address", "100000", "--no-prepare"]
        run(["serve", "--ledger", self.url, "--port", str(self.port), *tables])

    def kill_later(self, seconds: float, *, database: bool) -> int:
        """Kill the server or the database after some seconds, from a process of its own; return that."""
        victims = list_processes() if database else [self.server]
        killer = os.fork()
        if killer:
            return killer
        try:
            time.sleep(seconds)
            for each in victims:
                with suppress(ProcessLookupError):  # a child of the database that has ended
                    os.kill(each, signal.SIGKILL)
            while database and any(Path("/proc", str(each)).exists() for each in victims):
                time.sleep(0.001)
        finally:
            os._exit(0)

    def start_again(self, killer: int, *, database: bool) -> None:
        """Start what was killed."""
        os.waitpid(killer, 0)
        if database:
            restart_postgresql()
            return
        os.waitpid(self.server, 0)
        self.client.close()
        self.start()

    def end(self) -> None:
        """End the server."""
        os.kill(self.server, signal.SIGKILL)
        os.waitpid(self.server, 0)
        self.client.close()
        self._patch.undo()

    def send(self, request: Request) -> httpx.Response | None:
        """Send a request; return its answer, none if the line broke or the database does not answer."""
        headers = {"Authorization": f"Bearer {request.session}", "Idempotency-Key": request.key}
        headers |= {"Content-Type": "application/json"} if request.body else {}
        try:
            answer = self.client.post(request.path, headers=headers, content=request.body)
        except httpx.TransportError:
            return None
        if answer.status_code == 503 and answer.json()["code"] == "database-unreachable":
            return None
        assert answer.status_code == 200, (request, answer.text)
        return answer

    def insist(self, send: Callable[[], httpx.Response | None]) -> httpx.Response:
        """Send until there is an answer."""
        until = time.monotonic() + PATIENT_SECONDS
        while (answer := send()) is None:
            assert time.monotonic() < until
            time.sleep(0.01)
        return answer

    def log_in(self) -> str:
        """Return a new session of the dealer."""

        def send() -> httpx.Response | None:
            try:
                answer = self.client.post("/api/session", json={"name": "dora", "password": CHOSEN, "code": ""})
            except httpx.TransportError:
                return None
            return answer if answer.status_code == 201 else None

        return str(self.insist(send).json()["session"])

    def write(self, number: int, session: str) -> Request:
        """Write a step of table 1's rounds, each with a straight flush; award and round have the same number."""
        now = number // STEPS + 1
        at = f"/api/tables/1/rounds/{now}"
        wagers = [{"seat": seat, "cents": 100} for seat in (2, 5)]
        steps: tuple[tuple[str, Any], ...] = (
            (f"{at}/open", {"wagers": wagers}),
            (f"{at}/hits", {"seat": 5, "hand": "straight-flush"}),
            (f"/api/awards/{now}/confirm", {}),
            (f"/api/awards/{now}/pay", None),
            (f"{at}/close", None),
        )
        path, body = steps[number % STEPS]
        if path.endswith("confirm"):
            self.later(CODE_SECONDS)
            code = pyotp.TOTP(self.secrets["sue"]).at(self.seconds)
            body = {"proof": {"name": "sue", "password": CHOSEN, "code": code}}
        content = b"" if body is None else json.dumps(body).encode()
        return Request(path, f"step-{number:08}", session, content)


def without_mark(answer: httpx.Response) -> bytes:
    """Return an answer's body without the mark of a repeat."""
    return answer.content.replace(b'"repeated":true', b'"repeated":false')


def killed_again_and_again(what: str, database: str, folder: Path, kills: int, seed: int) -> dict[str, int]:
    """Kill a server, or its database, after at least ten answers each time, and send again what got none.

    Return how many requests were answered, how many of them had been executed before a kill that their answer did not
    survive, and what differs from what should be.
    """
    is_database = what == "database"
    victims = Victims(database, folder, seed)
    answered = unheard = different = 0
    early: list[tuple[Request, bytes]] = []
    for _ in range(kills):
        session, began = victims.log_in(), time.monotonic()
        for _ in range(ANSWERS):
            request = victims.write(answered, session)
            answer = victims.send(request)
            assert answer is not None, request
            early += [(request, answer.content)] if answered < AGAIN else []
            answered += 1
        one = (time.monotonic() - began) / ANSWERS
        killer = victims.kill_later(victims.chance.uniform(0, SPREAD * one), database=is_database)
        while victims.send(request := victims.write(answered, session)) is not None:
            answered += 1
        victims.start_again(killer, database=is_database)
        answer = victims.insist(partial(victims.send, request))
        answered += 1
        unheard += answer.json()["repeated"]
        again = victims.send(request)
        assert again is not None
        different += without_mark(again) != without_mark(answer)
    session = victims.log_in()  # those of then have ended
    for request, content in early:
        again = victims.send(request._replace(session=session))
        different += again is None or without_mark(again) != content
    victims.end()
    return {"answered": answered, "unheard": unheard, "different": different, **count_up(victims, answered)}


def count_up(victims: Victims, answered: int) -> dict[str, int]:
    """Check the whole ledger; return by how much it differs from what was answered."""
    store = Store(victims.url)
    state = Controller(store, Signer(victims.key)).verify().state
    with store.begin_read() as transaction:
        answers = transaction.connection.execute(schema.answer.select().where(schema.answer.c.key.like("step-%"))).all()
        failed = len(transaction.connection.execute(schema.attempt.select()).all())
    store.close()
    counts = state.counts[1]
    rounds = (answered + STEPS - 1) // STEPS
    return {
        "lost": answered - len(answers),
        "failed": failed,
        "in_count_wrong": counts.in_count - 2 * rounds,
        "hits_wrong": counts.hits - (answered + 3) // STEPS,
    }


if __name__ == "__main__":
    given_what, given_database, given_folder, much, given_seed = sys.argv[1:]
    found = killed_again_and_again(given_what, given_database, Path(given_folder), int(much), int(given_seed))
    sys.stdout.write(json.dumps(found))
