"""Connections to a real server: heads and bodies that never end, readers who never read, addresses that take all."""

import asyncio
import re
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from clients import open_client
from coroutines import run_alone
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.web.app import create_app
from pitboss.web.auth.guests import GUEST_COOKIE, LOCAL_GUEST_COOKIE
from pitboss.web.auth.security import SECURITY_HEADERS
from pitboss.web.pages.page_call import PageCall
from pitboss.web.registry import TableRegistry
from pitboss.web.server import http_server, middleware
from pitboss.web.server.http_server import (
    MAX_CONNECTIONS,
    RESERVED_DESCRIPTORS,
    ConnectionCaps,
    ConnectionLimiter,
    compute_caps,
)
from pitboss.web.server.request_queue import RequestQueue
from pitboss.web.server.stream_slots import MAX_STREAMS, EventStreamResponse, StreamKind, StreamSlots
from waiting import PATIENT_SECONDS, wait_until
from web.casino import Casino
from web.served import answering, unlimited

PROXY = "127.0.0.1"
HEAD = b"GET /training HTTP/1.1\r\nHost: x\r\n"


def connected(address: str, source: str = "127.0.0.1", **options: int) -> socket.socket:
    """Return a connection to a server from an address."""
    made = socket.socket()
    for option, value in options.items():
        made.setsockopt(socket.SOL_SOCKET, getattr(socket, option), value)
    made.bind((source, 0))
    made.settimeout(PATIENT_SECONDS)
    made.connect(("127.0.0.1", int(address.rpartition(":")[2])))
    return made


class House:
    """A floor that is served through a door."""

    def __init__(self, floor: TableRegistry, door: ConnectionLimiter, address: str) -> None:
        self.floor, self.door, self.address = floor, door, address

    def line(self, source: str = "127.0.0.1") -> socket.socket:
        """Return a connection from an address."""
        return connected(self.address, source)

    def half_body(self, headers: str = "") -> bytes:
        """Return a form of a guest whose body has no end."""
        guest = self.floor.tokens.issue()
        cookie = f"{LOCAL_GUEST_COOKIE}={guest}; {GUEST_COOKIE}={guest}"  # one is for this machine, one for others
        head = f"POST /look HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nContent-Length: 100\r\n{headers}"
        return f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\ncsrf=".encode()


@contextmanager
def serving_floor(
    folder: Path,
    caps: ConnectionCaps,
    *,
    proxies: tuple[str, ...] = (),
    places: StreamSlots | None = None,
    queue: RequestQueue | None = None,
) -> Iterator[House]:
    """Serve a floor through a door of so many."""
    tables = TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key")
    floor, door = TableRegistry(tables, limits=unlimited()), ConnectionLimiter(caps, proxies)
    app = create_app(None, floor, slots=places)
    app.state.queue = app.state.queue if queue is None else queue
    with answering(app, door) as address:
        yield House(floor, door, address)
    tables.close()


def heard(line: socket.socket) -> bytes:
    """Return all that comes until the line is closed."""
    found = b""
    with suppress(ConnectionResetError):
        while piece := line.recv(65_536):
            found += piece
    return found


def statuses(answer: bytes) -> list[str]:
    """Return the status of each answer."""
    return re.findall(r"HTTP/1\.1 (\d+)", answer.decode())


# Time.

DIRECTLY_AND_BY_PROXY = pytest.mark.parametrize("proxies", [(), (PROXY,)], ids=["directly", "by proxy"])


@DIRECTLY_AND_BY_PROXY
def test_a_head_that_never_ends_is_refused_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxies: tuple[str, ...]
) -> None:
    monkeypatch.setattr(http_server, "HEAD_SECONDS", 0.5)
    with (
        serving_floor(tmp_path, ConnectionCaps(), proxies=proxies) as house,
        closing(house.line()) as half,
        closing(house.line()) as silent,
    ):
        with closing(house.line()) as second:
            half.sendall(HEAD + b"X-A: ")
            second.sendall(HEAD + b"\r\n" + HEAD)  # an answer, and then half of another request
            for _ in range(8):  # a byte now and then makes it no longer
                try:
                    half.sendall(b"a")
                except OSError:
                    break
                sleep(0.1)
            answer = heard(half)
            assert statuses(answer) == ["408"]
            for name, value in SECURITY_HEADERS.items():
                assert f"{name}: {value}".encode() in answer
            assert heard(silent) == b""
            assert statuses(heard(second)) == ["200", "408"]
        wait_until(lambda: house.door.connections == 0)


@pytest.mark.more
@DIRECTLY_AND_BY_PROXY
def test_a_body_that_never_ends_is_refused_in_time_and_its_line_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxies: tuple[str, ...]
) -> None:
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(http_server, "HEAD_SECONDS", 0.5)
    with serving_floor(tmp_path, ConnectionCaps(), proxies=proxies) as house, closing(house.line()) as half:
        half.sendall(house.half_body())
        answer = heard(half)
        assert statuses(answer) == ["408"]
        assert b"the body did not arrive within 0.3 s: send it again" in answer
        wait_until(lambda: house.door.connections == 0)


def test_a_reader_who_takes_nothing_piles_up_nothing_and_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "WRITE_SECONDS", 0.3)
    places, sent, ended = StreamSlots(), [0], [0]

    async def events() -> AsyncGenerator[str]:
        try:
            while True:
                sent[0] += 1
                await asyncio.sleep(0)
                yield "x" * 10_000
        finally:
            ended[0] += 1

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        stream = EventStreamResponse(events(), places, StreamKind.TABLES, "192.0.2.1", "ann")
        await stream(scope, receive, send)

    door = ConnectionLimiter(ConnectionCaps())
    with answering(lambda _address: app, door) as address, closing(connected(address, SO_RCVBUF=4_096)) as line:
        line.sendall(HEAD + b"\r\n")
        wait_until(lambda: ended[0])  # it is given up while the line is still open
        assert sent[0] * 10_000 < 16 * 2**20  # what the system keeps for a line, and no more
        wait_until(lambda: not places.count(StreamKind.TABLES) and not door.connections)


# How many.


def test_an_address_has_so_many_connections_and_others_theirs(tmp_path: Path) -> None:
    with serving_floor(tmp_path, ConnectionCaps(100, 3)) as house, ExitStack() as lines:
        for _ in range(3):
            lines.enter_context(closing(house.line("127.0.0.2")))
        wait_until(lambda: house.door.connections == 3)
        with closing(house.line("127.0.0.2")) as fourth:
            answer = heard(fourth)
        assert statuses(answer) == ["503"]
        assert b"3 connections from this address are open: close some" in answer
        assert b"Content-Security-Policy: default-src 'none'" in answer
        with closing(house.line("127.0.0.3")) as other:
            other.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert statuses(heard(other)) == ["200"]
        lines.pop_all().close()
        wait_until(lambda: house.door.connections == 0)
        with closing(house.line("127.0.0.2")) as again:
            again.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert statuses(heard(again)) == ["200"]


def test_who_waits_longest_without_a_request_makes_room(tmp_path: Path) -> None:
    with serving_floor(tmp_path, ConnectionCaps(6, 2)) as house, ExitStack() as lines:
        half = [lines.enter_context(closing(house.line(f"127.0.0.{number}"))) for number in range(2, 8)]
        for line in half:
            line.sendall(HEAD)
        wait_until(lambda: house.door.connections == 6)
        with closing(house.line("127.0.0.9")) as guest:
            guest.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert statuses(heard(guest)) == ["200"]
        assert heard(half[0]) == b""  # the first to come, whose head never ended
        half[-1].sendall(b"Connection: close\r\n\r\n")
        assert statuses(heard(half[-1])) == ["200"]


def test_where_all_are_served_only_who_has_most_is_thrown_out_for_whom_has_less(tmp_path: Path) -> None:
    with serving_floor(tmp_path, ConnectionCaps(3, 3)) as house, ExitStack() as lines:
        table = house.floor.open_table(TableTerms(game="six-card"))

        def follow(source: str) -> socket.socket:
            line = lines.enter_context(closing(house.line(source)))
            line.sendall(f"GET /tables/{table}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert b"text/event-stream" in line.recv(4_096)
            return line

        one, older, newer = (follow(f"127.0.0.{number}") for number in (2, 3, 3))
        with closing(house.line("127.0.0.3")) as another:
            answer = heard(another)
        assert statuses(answer) == ["503"]
        assert b"3 connections are open: try again in a minute" in answer
        follow("127.0.0.4")
        assert b"0\r\n\r\n" not in heard(newer)  # it breaks off
        assert house.door.connections == 3
        for line in (one, older):
            line.settimeout(0.1)
            with suppress(TimeoutError):
                assert line.recv(4_096)


def test_a_proxys_own_address_is_not_counted_and_the_address_that_it_names_is(tmp_path: Path) -> None:
    places = StreamSlots(per_address=2)
    with (
        serving_floor(tmp_path, ConnectionCaps(100, 2), proxies=("127.0.0.1",), places=places) as house,
        ExitStack() as lines,
    ):
        table = house.floor.open_table(TableTerms(game="six-card"))
        head = f"GET /tables/{table}/events HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: "
        found = []
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"):
            line = lines.enter_context(closing(house.line()))
            line.sendall(f"{head}{address}\r\n\r\n".encode())
            found += statuses(line.recv(4_096))
        assert found == ["200", "200", "429", "200", "200"]


def test_who_holds_all_connections_of_a_proxy_makes_room_for_others_behind_it(tmp_path: Path) -> None:
    def forwarded(address: str) -> str:
        return f"X-Forwarded-For: {address}\r\n"

    with serving_floor(tmp_path, ConnectionCaps(6, 2), proxies=(PROXY,)) as house, ExitStack() as lines:
        one = lines.enter_context(closing(house.line()))
        one.sendall(house.half_body(forwarded("192.0.2.2")))
        heavy = [lines.enter_context(closing(house.line())) for _ in range(5)]
        for line in heavy:
            line.sendall(house.half_body(forwarded("192.0.2.1")))
        wait_until(lambda: (house.door.connections, house.door.waiting) == (6, 0))
        for address, loser in (("192.0.2.3", heavy[4]), ("192.0.2.4", heavy[3])):
            line = lines.enter_context(closing(house.line()))
            line.sendall(HEAD + f"{forwarded(address)}\r\n".encode())
            assert statuses(line.recv(65_536)) == ["200"]
            assert heard(loser) == b""
            line.sendall(house.half_body(forwarded(address)))
            wait_until(lambda: house.door.waiting == 0)
        for line in (one, *heavy[:3]):
            line.settimeout(0.05)
            with pytest.raises(TimeoutError):
                line.recv(1)


def test_where_as_many_requests_wait_as_may_who_has_most_is_told_to_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All come through a proxy; one request is worked on until the test lets it go on."""
    going, begun, rendered = threading.Event(), threading.Event(), PageCall.render

    def render(*given: Any, **named: Any) -> Any:
        begun.set()
        going.wait(PATIENT_SECONDS)
        return rendered(*given, **named)

    monkeypatch.setattr(PageCall, "render", render)
    queue = RequestQueue(1, 1, max_waiting=3, max_waiting_in_all=3)
    with serving_floor(tmp_path, ConnectionCaps(), proxies=(PROXY,), queue=queue) as house, ExitStack() as lines:

        def is_waiting(number: int) -> bool:
            return queue.waiting == number

        def ask(address: str, accept: str = "application/json") -> socket.socket:
            line = lines.enter_context(closing(house.line()))
            headers = f"X-Forwarded-For: {address}\r\nAccept: {accept}\r\nConnection: close\r\n\r\n"
            line.sendall(HEAD + headers.encode())
            return line

        try:
            worked_on = ask("192.0.2.9")
            assert begun.wait(PATIENT_SECONDS)
            heavy = []
            for number, accept in enumerate(("application/json", "application/json", "text/html")):
                heavy.append(ask("192.0.2.1", accept))
                wait_until(partial(is_waiting, number + 1))
            newcomer = ask("192.0.2.2")
            page = heard(heavy[2])
            equal = ask("192.0.2.3")
            problem = heard(heavy[1])
            refused = heard(ask("192.0.2.2"))
        finally:
            going.set()
        for answer in (page, problem, refused):
            assert statuses(answer) == ["503"]
            assert b"\r\nretry-after: 1\r\n" in answer.lower()
            assert b"he server is busy, with 3 requests waiting: try again in 1 s" in answer
            assert (b"<html" in answer, b'"code":"too-many-waiting"' in answer) == (answer is page, answer is not page)
        for line in (worked_on, heavy[0], newcomer, equal):
            assert statuses(heard(line)) == ["200"]
        wait_until(lambda: not len(queue))


def test_streams_asked_for_at_once_are_as_many_as_there_are_places(tmp_path: Path) -> None:
    places = StreamSlots({**MAX_STREAMS, StreamKind.TABLES: 10})
    with serving_floor(tmp_path, ConnectionCaps(per_address=100), places=places) as house:
        table = house.floor.open_table(TableTerms(game="six-card"))

        async def ask() -> list[int]:
            limits = httpx.Limits(max_connections=None)
            async with httpx.AsyncClient(
                base_url=house.address, trust_env=False, limits=limits, timeout=PATIENT_SECONDS
            ) as web:
                found: list[int] = []
                everybody = asyncio.Event()

                async def follow() -> None:
                    async with web.stream("GET", f"/tables/{table}/events") as answer:
                        found.append(answer.status_code)
                        if len(found) == 40:
                            everybody.set()
                        await everybody.wait()

                await asyncio.gather(*(follow() for _ in range(40)))
                return found

        found = run_alone(ask())
        assert (found.count(200), found.count(429)) == (10, 30)
        wait_until(lambda: not len(places))


# What the parser refuses.


@pytest.mark.more
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", "400"),
        (b"GET / HTTP/1.1\r\n\r\n", "400"),
        (HEAD + b"X-A: " + b"a" * 20_000, "431"),
        (HEAD + b"X-A: a\r\n" * 4_000, "431"),
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", "414"),
        (HEAD + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n", "400"),
        (HEAD + b"Content-Length: \xc2\xb2\r\n\r\n", "400"),
        (b"POST /look HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 30 + b"\r\n", "400"),
        (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", "400"),
    ],
    ids=lambda each: str(each[:30]),
)
def test_what_is_no_request_is_refused_with_every_header(sent: bytes, status: str, tmp_path: Path) -> None:
    with serving_floor(tmp_path, ConnectionCaps()) as house, closing(house.line()) as line:
        with suppress(OSError):  # it may be refused before its end
            line.sendall(sent)
        answer = heard(line)
        assert statuses(answer)[-1:] in ([status], ["403"])
        for name, value in SECURITY_HEADERS.items():
            assert f"{name}: {value}".lower().encode() in answer.lower(), name


# Descriptors.


def test_what_fits_into_the_descriptors_is_counted() -> None:
    whole = compute_caps(MAX_CONNECTIONS + RESERVED_DESCRIPTORS)
    assert (whole.connections, whole.streams, whole.warning) == (MAX_CONNECTIONS, dict(MAX_STREAMS), "")
    assert sum(MAX_STREAMS.values()) < MAX_CONNECTIONS
    for descriptors in (64, 256, 1_024, 2_000):
        caps = compute_caps(descriptors)
        assert sum(caps.streams.values()) <= caps.connections
        assert caps.per_address <= caps.connections
        assert f"{caps.connections} connections, not {MAX_CONNECTIONS}" in caps.warning


LIMITED = """
import os, resource, sys
from pitboss.web.server.http_server import compute_caps, raise_descriptor_limit
for limits in sys.argv[1:]:
    if not os.fork():
        resource.setrlimit(resource.RLIMIT_NOFILE, tuple(map(int, limits.split())))
        got = raise_descriptor_limit()
        print(limits, "->", got, resource.getrlimit(resource.RLIMIT_NOFILE)[0], compute_caps(got).connections)
        sys.exit()
    os.wait()
"""


@pytest.mark.more
def test_the_limit_of_descriptors_is_raised_as_far_as_it_may() -> None:
    command = [sys.executable, "-c", LIMITED, "256 4096", "256 1024", "4000 4096"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines() == [
        "256 4096 -> 2756 2756 2500",
        "256 1024 -> 1024 1024 768",
        "4000 4096 -> 4000 4000 2500",
    ]


@pytest.mark.more
def test_more_connections_than_descriptors_are_refused_and_nobody_notices(tmp_path: Path) -> None:
    """A real process of few descriptors: 250 half requests from five addresses, and a guest who is answered."""
    casino = Casino(tmp_path, files=400)
    casino.start()
    try:
        with ExitStack() as lines:
            for number in range(250):
                line = lines.enter_context(closing(connected(casino.address, f"127.0.0.{2 + number % 5}")))
                line.sendall(HEAD)
            with closing(connected(casino.address, "127.0.0.9")) as guest:
                guest.sendall(HEAD + b"Connection: close\r\n\r\n")
                assert statuses(heard(guest)) == ["200"]
    finally:
        casino.kill()


@pytest.mark.long
def test_a_thousand_pages_follow_a_table_and_everybody_else_is_answered(tmp_path: Path) -> None:
    """As many streams as are documented, from ten addresses, half of them never read; then one more."""
    casino = Casino(tmp_path)
    casino.start()
    try:
        with (
            open_client(casino.address) as web,
            ExitStack() as lines,
        ):
            csrf = re.findall(r'name="csrf" value="(\w+)"', web.get("/").text)[0]
            table = web.post("/tables", data={"csrf": csrf, "game": "six-card", "bots": "0"}).headers["location"]
            head = f"GET {table}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode()
            followed = [
                lines.enter_context(closing(connected(casino.address, f"127.0.0.{2 + each % 10}")))
                for each in range(1_000)
            ]
            for line in followed:
                line.sendall(head)
            for line in followed:
                assert statuses(line.recv(2_048)) == ["200"]
            with closing(connected(casino.address, "127.0.0.99")) as late:
                late.sendall(head)
                assert statuses(late.recv(2_048)) == ["429"]
            form = {"csrf": csrf, "key": "wager-0001", "round": "1", "stake-main": "5"}
            assert web.post(f"{table}/wager", data=form).status_code == 303
            for line in followed[::2]:
                found = b""
                while b"event: changed" not in found:
                    found += line.recv(2_048)
    finally:
        casino.kill()
