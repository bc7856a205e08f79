"""Two houses with the same keys, guests, table and clock, whose tables were dealt other cards."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from contextvars import copy_context
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

from fastapi import FastAPI

from coroutines import run_alone
from pitboss.analysis.hints import Hint
from pitboss.builders import capitalize_first, display_name
from pitboss.cards import seeded_bits
from pitboss.table.encryption import TableCipher
from pitboss.table.repository import TableRepository, apply_events, format_time
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.table.session.events import SeatTaken, SessionEvent
from pitboss.web.app import create_app
from pitboss.web.auth.guests import AFTER, BEFORE, PREFERENCES_COOKIE
from pitboss.web.jobs.queue import JobClient, JobPriority, JobQueue
from pitboss.web.jobs.spec import HINTS, JobSpec
from pitboss.web.jobs.study_content import explain_position
from pitboss.web.jobs.study_reasons import StudyReasons
from pitboss.web.jobs.worker import JobResult as Found
from pitboss.web.jobs.worker import pickle_object
from pitboss.web.registry import TableRegistry
from web.served import unlimited

AT = 1_000
"""The second at which everything happens."""

STREAMED = 2
"""How many events of a stream are listened to."""


class Answer(NamedTuple):
    """Every byte of an answer."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class Asked(NamedTuple):
    """A request; ``route`` is the pattern of its path."""

    method: str
    path: str
    query: str = ""
    form: tuple[tuple[str, str], ...] = ()
    cookie: str = ""
    route: str = ""


class Repeating(JobQueue):
    """Jobs whose advice says what was asked: a solver knows no more than that."""

    def submit(
        self, client: JobClient, spec: JobSpec, priority: JobPriority, *, replace: bool = False
    ) -> Future[Found]:
        """Value and explain each action by all that the solvers would be given."""
        advice = _advise_by_question(spec)
        if advice is None:
            return super().submit(client, spec, priority, replace=replace)
        future: Future[Found] = Future()
        future.set_result(Found(advice))
        return future

    def get_result(self, spec: JobSpec) -> bytes | None:
        """Return such advice at once: the buttons of a table show it."""
        return _advise_by_question(spec) or super().get_result(spec)


def _advise_by_question(spec: JobSpec) -> bytes | None:
    """Return values or reasons that say what was asked, None for other jobs."""
    if spec.kind is HINTS:
        return _value_by_question(spec)
    if spec.function is not explain_position:
        return None
    (request,) = spec.arguments
    asked = sha256(repr((request.terms, request.cards, request.taken)).encode()).hexdigest()
    actions = (each for decision in request.game.decisions for each in decision.actions)
    return pickle_object(StudyReasons(tuple(f"{capitalize_first(display_name(each.id))} {asked}." for each in actions)))


def _value_by_question(spec: JobSpec) -> bytes:
    _, _, options, at, beside = spec.arguments
    digest = int.from_bytes(sha256(repr((at, beside, sorted(options.items()))).encode()).digest()[:4], "big")
    return pickle_object(tuple(Hint(action, 0, Fraction(digest, 1 + place)) for place, action in enumerate(at.legal)))


class Houses:
    """Makes houses that hold the same guests and what has happened at one table.

    One is open at a time: they all use one database file, whose content is replaced.
    """

    def __init__(self, folder: Path) -> None:
        """Keep the file in a folder."""
        key = folder / "key"
        empty = TableService.connect(f"sqlite:///{folder / 'house.db'}", key)
        self._store, self._seal = empty.store, TableCipher.load(key)
        self._empty, self._base = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
        self._past: list[Sequence[SessionEvent]] | None = None
        self._keep(self._empty)
        self.asked: set[str] = set()
        self.jobs, self.app = Repeating(), create_app(None, TableRegistry(empty, limits=unlimited()))
        self.guests = self._come_in()

    def close(self) -> None:
        """Close the database and what was kept of it."""
        self._empty.close()
        self._base.close()
        self._store.close()

    def _keep(self, copy: sqlite3.Connection) -> None:
        """Keep a copy of what the database has."""
        with closing(self._store.engine.raw_connection()) as connection:
            assert isinstance(connection.driver_connection, sqlite3.Connection)
            connection.driver_connection.backup(copy)

    def _replace(self, copy: sqlite3.Connection) -> None:
        """Replace all that the database has by a copy."""
        with closing(self._store.engine.raw_connection()) as connection:
            assert isinstance(connection.driver_connection, sqlite3.Connection)
            copy.backup(connection.driver_connection)

    def _come_in(self) -> dict[str, tuple[str, str, str]]:
        """Return the cookie, the form token and the name that tables know of six who sit and one who looks on."""
        house = self.house(())
        house.floor.tables.open_table("hall", TableTerms(game="six-card"), "key-of-the-hall")
        guests = {}
        for number in range(1, 8):
            (hello,) = house.ask([Asked("GET", "/")])
            cookie = next(value for name, value in hello.headers if name == b"set-cookie").decode().partition(";")[0]
            csrf = hello.body.decode().partition('name="csrf" value="')[2].partition('"')[0]
            coach = (BEFORE, AFTER)[number % 2]
            cookie += f"; {PREFERENCES_COOKIE}=system.two.normal.{coach}"
            form = {"csrf": csrf, "key": f"sit-{number:04}", "seat": str(min(number, 6)), "name": "x", "dollars": "5"}
            house.ask([Asked("POST", "/tables/hall/sit", "", tuple(form.items()), cookie)])
            held = house.floor.tables.get_session("hall").seats.get(number)
            guests[f"p{number}"] = (cookie, csrf, held.holder if held else "")
        return guests

    def house(self, happened: Iterable[Sequence[SessionEvent]]) -> "Running":
        """Return a house at whose table this has happened, one entry of the ledger for each group of events."""
        past = list(happened)
        since = past.pop() if past else ()
        if past != self._past:
            self._replace(self._empty)
            self._tell(past)
            self._past = past
            self._keep(self._base)
        self._replace(self._base)
        return Running(self.app, TableRegistry(self._tell([since]), jobs=self.jobs, limits=unlimited()))

    def _tell(self, happened: Iterable[Sequence[SessionEvent]]) -> TableService:
        """Return the tables after more has happened."""
        tables = TableService(self._store, self._seal, clock=lambda: AT, bits=seeded_bits(1))
        record = TableRepository(self._seal)

        def write(transaction: Any) -> None:
            known = record.load(transaction, "t1")
            for events in happened:
                steps = apply_events(map(self._by_guest, events), known.session if known else None)
                if steps:
                    known, _ = record.append(transaction, "t1", known, "house", "told", steps, format_time(AT))

        self._store.run_write(write)
        return tables

    def _by_guest(self, event: SessionEvent) -> SessionEvent:
        if isinstance(event, SeatTaken) and event.holder in self.guests:
            return event.model_copy(update={"holder": self.guests[event.holder][2]})
        return event


class Running:
    """A house that is open."""

    def __init__(self, app: FastAPI, floor: TableRegistry) -> None:
        """Open it."""
        self._app, self.floor = app, floor

    def ask(self, requests: Iterable[Asked]) -> list[Answer]:
        """Answer requests, one after another."""
        self._app.state.registry = self.floor

        async def answered() -> list[Answer]:
            return [await _answer(self._app, asked) for asked in requests]

        with patch("anyio.to_thread.run_sync", _run_here):
            return run_alone(answered())


async def _run_here(function: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
    """Run at once what a server hands to a thread: one request is answered at a time."""
    return copy_context().run(function, *arguments)


async def _answer(app: FastAPI, asked: Asked) -> Answer:
    """Ask an application as a server does; of a stream only the beginning is listened to."""
    body = urlencode(asked.form).encode()
    headers = [(b"host", b"127.0.0.1"), (b"hx-request", b"true")]
    headers += [(b"cookie", asked.cookie.encode())] if asked.cookie else []
    if asked.method == "POST":
        headers.append((b"content-type", b"application/x-www-form-urlencoded"))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.path.encode(),
        "query_string": asked.query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 80),
    }
    sent: list[dict[str, Any]] = []
    enough, come = asyncio.Event(), [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if come:
            return come.pop()
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if len(sent) > STREAMED and (b"content-type", b"text/event-stream; charset=utf-8") in sent[0]["headers"]:
            enough.set()

    task = asyncio.create_task(app(scope, receive, send))
    over = asyncio.create_task(enough.wait())
    await asyncio.wait((task, over), return_when=asyncio.FIRST_COMPLETED)
    over.cancel()
    with suppress(asyncio.CancelledError):
        if enough.is_set():
            task.cancel()
        await task
    head, *chunks = sent
    taken = chunks[:STREAMED] if enough.is_set() else chunks
    return Answer(head["status"], tuple(head["headers"]), b"".join(each.get("body", b"") for each in taken))
