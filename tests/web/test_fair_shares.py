"""Whatever any number of addresses hold of what all share, another that has less than its fair share gets in."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, closing, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coroutines import run_alone
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.web.app import create_app
from pitboss.web.errors import OverloadError, RateLimitError
from pitboss.web.jobs.queue import JobClient, JobPriority, JobQueue
from pitboss.web.jobs.spec import EXACT, HINTS, RATIONS, SHEETS, SOLVED, JobKind, JobRation, JobSpec
from pitboss.web.jobs.worker import ABANDONED_TEXT
from pitboss.web.registry import TableRegistry
from pitboss.web.server.http_server import ConnectionCaps, ConnectionLimiter
from pitboss.web.server.networks import NO_NETWORKS, Networks
from pitboss.web.server.request_queue import MAX_PROOFS_WAITING, RequestQueue
from pitboss.web.server.stream_slots import MAX_STREAMS, EventStreamResponse, StreamKind, StreamSlots
from refusals import refusal
from web.chores import echo
from web.served import unlimited
from web.test_gate_server import heard, serving_floor, statuses
from web.test_jobs import Idle

TOTAL, PER_ADDRESS = 12, 4
ADDRESSES = [f"192.0.2.{number}" for number in range(1, 8)]
NEWCOMER, HOUSE, PROXY = "2001:db8::1", "10.0.0.1", "127.0.0.1"


class Resource(ABC):
    """What addresses share, and what each of them holds of it."""

    per_address = PER_ADDRESS
    is_fair_between_equals = True

    def __init__(self) -> None:
        self._held: list[tuple[str, Callable[[], bool]]] = []

    def ask(self, address: str, guest: int) -> bool:
        """Ask for one more; return whether it is given."""
        try:
            self._held.append((address, self.take(address, f"{guest} at {address}")))
        except RateLimitError:
            return False
        return True

    def close(self) -> None:
        """Return all."""
        self._held.clear()

    def count(self, address: str) -> int:
        """Return how many an address holds."""
        return sum(each == address and is_held() for each, is_held in self._held)

    @abstractmethod
    def take(self, address: str, guest: str) -> Callable[[], bool]:
        """Take one, or raise ``RateLimitError``; return what says whether it is still held."""


class WaitingJobs(Resource):
    """The waiting jobs of a lane."""

    def __init__(self, kind: JobKind) -> None:
        super().__init__()
        self._jobs, self._kind, self._numbers = JobQueue(()), kind, count()

    def take(self, address: str, guest: str) -> Callable[[], bool]:
        """Submit a job."""
        spec = JobSpec(self._kind, next(self._numbers), echo, ("x",))
        future = self._jobs.submit(JobClient(guest, address), spec, JobPriority.SHEET)

        def is_held() -> bool:
            assert not future.done() or future.result().failure == ABANDONED_TEXT
            return not future.done()

        return is_held


class Streams(Resource):
    """The streams of a kind; with a house, which has one, they are as many for others."""

    def __init__(self, kind: StreamKind, house: Networks = NO_NETWORKS) -> None:
        super().__init__()
        self._slots = StreamSlots({kind: TOTAL + bool(house)}, per_address=PER_ADDRESS, house=house)
        self._kind, self._open = kind, list[AbstractContextManager[None]]()
        if house:
            self.take(HOUSE, "")

    def take(self, address: str, guest: str) -> Callable[[], bool]:
        """Open a stream."""
        ended: list[str] = []
        slot = self._slots.hold(self._kind, address, guest, partial(ended.append, address))
        slot.__enter__()
        self._open.append(slot)
        assert self._slots.count(self._kind) <= TOTAL + 1
        return lambda: not ended


class Line:
    """A connection that notes that it is closed."""

    def __init__(self) -> None:
        self.transport, self.is_open = self, True

    def abort(self) -> None:
        """Note it."""
        self.is_open = False


class Connections(Resource):
    """The connections of a server, all of which wait for a request, or none."""

    def __init__(self, *, idle: bool) -> None:
        super().__init__()
        self.is_fair_between_equals = not idle  # those change hands between equals, for they do nothing
        caps = ConnectionCaps(TOTAL + 2, PER_ADDRESS, MAX_STREAMS, reserved=2)
        self._limiter, self._idle = ConnectionLimiter(caps, house=Networks([HOUSE])), idle

    def take(self, address: str, _guest: str) -> Callable[[], bool]:
        """Connect."""
        line: Any = Line()
        if refused := self._limiter.admit(line, address):
            raise RateLimitError(refused, 1, code="too-many-connections")
        if self._idle:
            self._limiter.mark_waiting(line)
        return lambda: bool(line.is_open)


class ProxyConnections(Resource):
    """The busy connections of a proxy, which names a client once it is connected, and none of which is its own."""

    per_address = TOTAL
    is_fair_between_equals = False  # nobody knows yet who comes, so somebody makes room

    def __init__(self) -> None:
        super().__init__()
        caps = ConnectionCaps(TOTAL + 3, 1, MAX_STREAMS, reserved=2)
        self._limiter = ConnectionLimiter(caps, [PROXY], Networks([HOUSE]))
        self.take(HOUSE, "")

    def take(self, address: str, _guest: str) -> Callable[[], bool]:
        """Connect, and send a head."""
        line: Any = Line()
        if refused := self._limiter.admit(line, PROXY):
            raise RateLimitError(refused, 1, code="too-many-connections")
        line.scope = {"client": (address, 1)}
        return lambda: bool(line.is_open)


class WaitingRequests(Resource):
    """The requests that wait for a turn.

    Their event loop runs in a thread of its own, as `run_alone` says why.
    """

    def __init__(self) -> None:
        super().__init__()
        self._queue, self._loop = RequestQueue(0, 1, PER_ADDRESS, TOTAL), asyncio.new_event_loop()
        self._alone = ThreadPoolExecutor(1)
        self._tasks: list[asyncio.Task[None]] = []

    def take(self, address: str, _guest: str) -> Callable[[], bool]:
        """Wait for a turn."""
        waiting = self._loop.create_task(self._queue.acquire(address))
        self._tasks.append(waiting)
        self._let_run(asyncio.sleep(0))
        if waiting.done():
            waiting.result()

        def is_held() -> bool:
            self._let_run(asyncio.sleep(0))
            assert not waiting.done() or isinstance(waiting.exception(), OverloadError)
            return not waiting.done()

        return is_held

    def _let_run(self, until: Coroutine[Any, Any, None]) -> None:
        self._alone.submit(self._loop.run_until_complete, until).result()

    def close(self) -> None:
        """Have nobody wait any more."""

        async def end_all() -> None:
            for each in self._tasks:
                each.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

        self._let_run(end_all())
        self._loop.close()
        self._alone.shutdown()
        assert not len(self._queue)


RESOURCES: dict[str, Callable[[], Resource]] = {
    **{f"{kind.lane.name} jobs": partial(WaitingJobs, kind) for kind in (HINTS, SOLVED, EXACT)},
    **{f"{kind} streams": partial(Streams, kind) for kind in StreamKind},
    "display streams next to a house": partial(Streams, StreamKind.DISPLAYS, Networks([HOUSE])),
    "idle connections": partial(Connections, idle=True),
    "busy connections": partial(Connections, idle=False),
    "busy connections of a proxy": ProxyConnections,
    "waiting requests": WaitingRequests,
}


@contextmanager
def small_lanes() -> Iterator[None]:
    """Have lanes with few places, whose jobs all wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pitboss.web.jobs.queue.Thread", Idle)
        for lane in RATIONS:
            patch.setitem(RATIONS, lane, JobRation(PER_ADDRESS, PER_ADDRESS, TOTAL))
        yield


@pytest.mark.parametrize("name", RESOURCES)
@settings(max_examples=15)
@given(
    asked=st.lists(st.tuples(st.sampled_from(ADDRESSES), st.integers(0, 2)), min_size=TOTAL, max_size=4 * TOTAL),
)
def test_a_newcomer_gets_its_fair_share_and_nobody_loses_to_whom_has_more(
    name: str, asked: list[tuple[str, int]]
) -> None:
    with small_lanes(), closing(RESOURCES[name]()) as shared:
        others = {address for address, _ in asked}
        for address, guest in asked:
            before = {each: shared.count(each) for each in others}
            given = shared.ask(address, guest)
            after = {each: shared.count(each) for each in others}
            lost = [each for each in others - {address} if after[each] < before[each]]
            assert sum(after.values()) == min(TOTAL, sum(before.values()) + given)
            assert max(after.values()) <= shared.per_address
            assert all(before[each] >= before[address] for each in lost)
            if shared.is_fair_between_equals:
                assert all(before[each] == max(before.values()) > before[address] for each in lost)
                refused_rightly = before[address] in {PER_ADDRESS, max(before.values())}
                assert given or refused_rightly
        share = min(PER_ADDRESS, TOTAL // (len(others) + 1))
        for number in range(share):
            assert shared.ask(NEWCOMER, number)
        assert shared.count(NEWCOMER) == share


QUEUES = {
    "requests": partial(RequestQueue, max_waiting=6),
    "password checks": partial(RequestQueue, 1, 1, MAX_PROOFS_WAITING),
}


@pytest.mark.parametrize("name", QUEUES)
@pytest.mark.parametrize("addresses", [1, 3, 20])
def test_a_newcomers_request_is_handled_after_one_of_each_address(name: str, addresses: int) -> None:
    async def play() -> None:
        queue, taken = QUEUES[name](), deque[str]()

        async def take(source: str) -> None:
            with suppress(RateLimitError):
                await queue.acquire(source)
                taken.append(source)

        async with asyncio.TaskGroup() as group:
            for source in (*map(str, range(addresses)),) * 9:  # more of each than may wait
                group.create_task(take(source))
            await asyncio.sleep(0)
            newcomer, handled = group.create_task(take(NEWCOMER)), 0
            await asyncio.sleep(0)
            while NEWCOMER not in taken:
                assert not newcomer.done()
                queue.release(taken.popleft())
                await asyncio.sleep(0)
                handled += 1
            assert handled <= addresses + 1
            while taken:
                queue.release(taken.popleft())
                await asyncio.sleep(0)

    run_alone(play())


def test_a_stream_that_makes_room_before_its_answer_begins_is_refused() -> None:
    async def play() -> None:
        slots, never = StreamSlots({StreamKind.TABLES: 1}), asyncio.Event()

        async def wait(*_messages: Any) -> Any:
            await never.wait()

        async def events() -> AsyncGenerator[str]:
            yield "never sent"

        stream = EventStreamResponse(events(), slots, StreamKind.TABLES, ADDRESSES[0])
        answer = asyncio.ensure_future(stream({"type": "http"}, wait, wait))
        await asyncio.sleep(0.01)
        with slots.hold(StreamKind.TABLES, NEWCOMER):
            with pytest.raises(RateLimitError, check=refusal("too-many-streams")):
                await answer
            assert slots.count(StreamKind.TABLES) == 1
        assert not len(slots)

    run_alone(play())


# Over HTTP.


def test_who_loses_a_place_of_a_job_is_told_to_ask_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    registry = TableRegistry(tables, limits=unlimited())
    app = create_app(None, registry)
    monkeypatch.setattr("pitboss.web.jobs.queue.Thread", Idle)
    monkeypatch.setattr("pitboss.web.jobs.requests.WAIT_SECONDS", 60)  # so that only who loses a place is answered
    monkeypatch.setitem(RATIONS, SHEETS.lane.name, JobRation(2, 2, 2))

    async def play() -> None:
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:

            async def arrive(address: str) -> httpx.AsyncClient:
                transport = httpx.ASGITransport(app, client=(address, 1))
                made = httpx.AsyncClient(transport=transport, base_url="https://casino.example")
                web = await stack.enter_async_context(made)
                await web.get("/")  # who has a cookie is a guest of their own
                return web

            def ask(web: httpx.AsyncClient, bet: str) -> "asyncio.Task[httpx.Response]":
                return group.create_task(web.get(f"/par/sheet?game=lunar&bet={bet}"))

            heavy = [await arrive("192.0.2.1") for _ in range(2)]
            asked = []
            for web, bet in zip(heavy, ("super", "multi-super"), strict=True):
                asked.append(ask(web, bet))
                while registry.jobs.waiting_count < len(asked):
                    await asyncio.wait(asked, timeout=0.01)
            newcomer = ask(await arrive(NEWCOMER), "dealer-super")
            loser = await asyncio.wait_for(asked[1], 20)
            assert (loser.status_code, loser.headers["Retry-After"], "hx-get=" in loser.text) == (202, "2", True)
            assert not asked[0].done()
            assert not newcomer.done()
            again = await ask(heavy[1], "multi-super")
            assert (again.status_code, again.headers["Retry-After"]) == (429, "2")
            assert "2 calculations are already waiting here: try again in 2 s" in again.text
            for each in (asked[0], newcomer):
                each.cancel()

    run_alone(play())
    tables.close()


def test_a_stream_that_makes_room_ends_and_its_address_may_not_take_it_back(tmp_path: Path) -> None:
    places = StreamSlots({**MAX_STREAMS, StreamKind.TABLES: 3}, per_address=3)
    with serving_floor(tmp_path, ConnectionCaps(), places=places) as house, ExitStack() as lines:
        table = house.floor.open_table(TableTerms(game="six-card"))

        def follow(source: str) -> tuple[str, Any]:
            line = lines.enter_context(closing(house.line(source)))
            line.sendall(f"GET /tables/{table}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            return statuses(line.recv(4_096))[0], line

        heavy = [follow("127.0.0.2") for _ in range(3)]
        assert [follow("127.0.0.3")[0], follow("127.0.0.2")[0]] == ["200", "429"]
        heavy[2][1].sendall(b"GET /training HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        rest = heard(heavy[2][1])
        assert b"0\r\n\r\nHTTP/1.1 200" in rest  # the answer has its end, and the connection serves the next request
        assert places.count(StreamKind.TABLES) == 3
