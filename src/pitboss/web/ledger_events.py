"""Live events (server-sent): the display for anybody, a round for its table.  One watcher looks for all who listen.

An event's id is the number of the ledger's entry.  Who reconnects sends it as ``Last-Event-ID`` and misses nothing of a
round; a display is shown as it stands.  A ledger that does not answer or hold is told as ``closed``, and ends the
stream.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import PitbossError
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.events import (
    AwardBackedOut,
    AwardConfirmed,
    AwardPaid,
    HitEntered,
    ProgressiveEvent,
    RoundEnded,
    RoundOpened,
    parse_event,
)
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.store import Store
from pitboss.web.schemas import DisplayResponse, TableResponse

POLL_SECONDS = 0.25
KEEPALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 2_000
MAX_RECENT = 1_000
"""Events that are at hand for all who listen; older ones are read from the ledger."""

AliveCheck = Callable[[], bool]
"""Whether whoever listens may still."""


class StreamEvent(NamedTuple):
    """What a stream sends: an entry's number, the kind of event, and its JSON."""

    entry: int
    kind: str
    data: str


EventSelector = Callable[[ProgressiveState], Iterable[StreamEvent]]
"""What of a state is sent."""


def format_event(event: StreamEvent) -> str:
    r"""Write an event as it goes over the line.

    >>> format_event(StreamEvent(7, "display", "{}"))
    'id: 7\nevent: display\ndata: {}\n\n'
    """
    return f"id: {event.entry}\nevent: {event.kind}\ndata: {event.data}\n\n"


class LocatedEvent(NamedTuple):
    """An event of the ledger, with the table that it happened at, 0 for none."""

    table: int
    event: StreamEvent


def read_events(store: Store, after: int, state: ProgressiveState) -> Iterator[LocatedEvent]:
    """Yield what happened after an entry and up to a state."""
    with store.begin_read() as transaction:
        for entry in transaction.read_entries(after):
            if entry.sequence > state.entries:
                return
            event = parse_event(entry.data)
            yield LocatedEvent(
                find_event_table(event, state), StreamEvent(entry.sequence, event.kind, event.model_dump_json())
            )


class LedgerWatcher:
    """The one who looks at the ledger, as long as somebody listens, and tells all who do."""

    def __init__(
        self,
        store: Store,
        controller: Controller,
        poll_seconds: float = POLL_SECONDS,
        keepalive_seconds: float = KEEPALIVE_SECONDS,
    ) -> None:
        """Look every so often; prove that a stream is alive every so often."""
        self._store = store
        self._controller = controller
        self._poll_seconds = poll_seconds
        self._keepalive_seconds = keepalive_seconds
        self._changed = asyncio.Condition()
        self._poll_task: asyncio.Task[None] | None = None
        self._state = ProgressiveState()
        self._recent: tuple[int, tuple[LocatedEvent, ...]] = (0, ())  # what has happened since an entry
        self._fault = ""
        self.listeners = 0

    @property
    def is_polling(self) -> bool:
        """Whether the ledger is looked at."""
        return self._poll_task is not None

    @asynccontextmanager
    async def _subscription(self) -> AsyncIterator[None]:
        self.listeners += 1
        if self._poll_task is None:
            self._changed = asyncio.Condition()
            self._state, self._fault = self._controller.state, ""
            self._recent = (self._state.entries, ())
            self._poll_task = asyncio.create_task(self._poll())
        try:
            yield
        finally:
            self.listeners -= 1
            if not self.listeners and self._poll_task is not None:
                self._poll_task.cancel()
                self._poll_task = None

    async def _poll(self) -> None:
        while not self._fault:
            await asyncio.sleep(self._poll_seconds)
            try:
                state = await run_in_threadpool(self._read_news)
            except PitbossError as error:
                self._fault = str(error)
            else:
                if state.entries <= self._state.entries:
                    continue
                self._state = state
            async with self._changed:
                self._changed.notify_all()
        self._poll_task = None  # whoever comes next looks anew

    def _read_news(self) -> ProgressiveState:
        """Look at the ledger; read what has happened, once for all who listen."""
        state = self._controller.refresh()
        if state.entries > self._state.entries:
            since, recent = self._recent
            recent += tuple(read_events(self._store, self._state.entries, state))
            dropped = recent[:-MAX_RECENT]
            self._recent = (dropped[-1].event.entry if dropped else since, recent[len(dropped) :])
        return state

    def get_events_since(self, after: int, state: ProgressiveState) -> Iterable[LocatedEvent]:
        """Return what has happened after an entry and up to a state: what is at hand, else read from the ledger."""
        since, recent = self._recent
        if since <= after and recent and recent[-1].event.entry >= state.entries:
            return (each for each in recent if after < each.event.entry <= state.entries)
        return read_events(self._store, after, state)

    async def stream(
        self, first: ProgressiveState, select: EventSelector, is_alive: AliveCheck, seconds: float | None
    ) -> AsyncGenerator[str]:
        """Send ``select(first)`` and ``select`` of each later state, for ``seconds`` or while somebody listens."""
        clock = asyncio.get_running_loop()
        ends = None if seconds is None else clock.time() + seconds
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        for news in await run_in_threadpool(_select, select, first):
            yield format_event(news)
        seen = first.entries
        async with self._subscription():
            while ends is None or clock.time() < ends:
                wait = self._keepalive_seconds if ends is None else min(self._keepalive_seconds, ends - clock.time())
                state = await self._wait_for_newer(seen, wait)
                if self._fault:
                    yield format_event(StreamEvent(seen, "closed", json.dumps({"detail": self._fault})))
                    return
                told = [] if state is None else await run_in_threadpool(_select, select, state)
                if (told or state is None) and not await run_in_threadpool(is_alive):
                    return
                for news in told:
                    yield format_event(news)
                if state is None:
                    yield ": alive\n\n"
                else:
                    seen = state.entries

    async def _wait_for_newer(self, seen: int, seconds: float) -> ProgressiveState | None:
        """Wait for a state of more entries than were seen; None when it takes too long."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self._state.entries > seen or self._fault)
        except TimeoutError:
            return None
        return self._state


def _select(select: EventSelector, state: ProgressiveState) -> list[StreamEvent]:
    return list(select(state))


def make_display_selector(last_seen: int) -> Callable[[ProgressiveState], Iterator[StreamEvent]]:
    """Return what selects a state's display where it differs from the one before and from ``last_seen``."""
    shown = [""]

    def pick(state: ProgressiveState) -> Iterator[StreamEvent]:
        data = DisplayResponse.from_state(state).model_dump_json()
        if data != shown[0] and state.entries != last_seen:
            yield StreamEvent(state.entries, "display", data)
        shown[0] = data

    return pick


def make_round_selector(
    watcher: LedgerWatcher, table: int, last_seen: int | None
) -> Callable[[ProgressiveState], Iterator[StreamEvent]]:
    """Return what picks a table's events: first those since entry ``last_seen``, or the table as it stands."""
    seen = [last_seen]

    def pick(state: ProgressiveState) -> Iterator[StreamEvent]:
        after, seen[0] = seen[0], state.entries
        if after is None:
            yield StreamEvent(state.entries, "table", TableResponse.from_state(state, table).model_dump_json())
            return
        yield from (each.event for each in watcher.get_events_since(after, state) if each.table == table)

    return pick


def find_event_table(event: ProgressiveEvent, state: ProgressiveState) -> int:
    """Return the table that an event happened at, 0 where it was at none."""
    match event:
        case RoundOpened() | HitEntered() | RoundEnded():
            return event.table
        case AwardConfirmed() | AwardPaid() | AwardBackedOut():
            hit = state.hits.get(event.award)
            return hit.table if hit else 0
        case _:
            return 0
