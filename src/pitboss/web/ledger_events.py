"""Server-sent events of the ledger: the public display and a table's round.

One watcher polls the ledger for all streams.  An event's id is the number of its ledger entry.  A client sends it as
``Last-Event-ID`` when it reconnects, and misses no event of a round; a display only gets its current state.  If the
ledger does not answer or fails its checks, the stream sends ``closed`` and ends.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import PitbossError
from pitboss.jackpot.award_history import find_hit
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
from pitboss.jackpot.state_parts import Hit
from pitboss.ledger.entry_pages import read_entries
from pitboss.ledger.store import Store
from pitboss.web.schemas import DisplayResponse, TableResponse

POLL_SECONDS = 0.25
KEEPALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 2_000
MAX_RECENT = 1_000
"""Recent events kept in memory for all streams; older ones are read from the ledger."""

AliveCheck = Callable[[], bool]
"""Returns whether the client may still receive the stream."""


class StreamEvent(NamedTuple):
    """An event of a stream: the entry's number, the kind of event, and its JSON."""

    entry: int
    kind: str
    data: str


EventSelector = Callable[[ProgressiveState], Iterable[StreamEvent]]
"""Selects the events to send for a state."""


def format_event(event: StreamEvent) -> str:
    r"""Format an event for the wire.

    >>> format_event(StreamEvent(7, "display", "{}"))
    'id: 7\nevent: display\ndata: {}\n\n'
    """
    return f"id: {event.entry}\nevent: {event.kind}\ndata: {event.data}\n\n"


class LocatedEvent(NamedTuple):
    """An event of the ledger with the tables whose round or awards it changes."""

    tables: frozenset[int]
    event: StreamEvent


def read_events(store: Store, after: int, state: ProgressiveState) -> Iterator[LocatedEvent]:
    """Yield the events after an entry, up to a state."""
    for entry in read_entries(store, after, state.entries):
        event = parse_event(entry.data)
        yield LocatedEvent(
            find_event_tables(event, state, partial(_find_hit, store, state)),
            StreamEvent(entry.sequence, event.kind, event.model_dump_json()),
        )


def _find_hit(store: Store, state: ProgressiveState, award: int) -> Hit | None:
    with store.begin_read() as transaction:
        return find_hit(transaction, state, award)


class LedgerWatcher:
    """Polls the ledger while there are streams, and wakes them on changes."""

    def __init__(
        self,
        store: Store,
        controller: Controller,
        poll_seconds: float = POLL_SECONDS,
        keepalive_seconds: float = KEEPALIVE_SECONDS,
    ) -> None:
        """Set the intervals of polls and of keepalive comments."""
        self._store = store
        self._controller = controller
        self._poll_seconds = poll_seconds
        self._keepalive_seconds = keepalive_seconds
        self._changed = asyncio.Condition()
        self._poll_task: asyncio.Task[None] | None = None
        self._state = ProgressiveState()
        self._recent: tuple[int, tuple[LocatedEvent, ...]] = (0, ())  # the events since an entry
        self._fault = ""
        self.listeners = 0

    @property
    def is_polling(self) -> bool:
        """Whether the watcher polls the ledger."""
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
        self._poll_task = None  # the next stream starts a new task

    def _read_news(self) -> ProgressiveState:
        """Refresh the state and read the new events, once for all streams."""
        state = self._controller.refresh()
        if state.entries > self._state.entries:
            since, recent = self._recent
            recent += tuple(read_events(self._store, self._state.entries, state))
            dropped = recent[:-MAX_RECENT]
            self._recent = (dropped[-1].event.entry if dropped else since, recent[len(dropped) :])
        return state

    def get_events_since(self, after: int, state: ProgressiveState) -> Iterable[LocatedEvent]:
        """Return the events after an entry, up to a state.

        They come from memory if it has them, otherwise from the ledger.
        """
        since, recent = self._recent
        if since <= after and recent and recent[-1].event.entry >= state.entries:
            return (each for each in recent if after < each.event.entry <= state.entries)
        return read_events(self._store, after, state)

    async def stream(
        self, first: ProgressiveState, select: EventSelector, is_alive: AliveCheck, seconds: float | None
    ) -> AsyncGenerator[str]:
        """Send what ``select`` yields for the first state and each later one.

        The stream ends after ``seconds``, or when the client leaves.
        """
        clock = asyncio.get_running_loop()
        end = None if seconds is None else clock.time() + seconds
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        for event in await run_in_threadpool(_select, select, first):
            yield format_event(event)
        last_entry = first.entries
        async with self._subscription():
            while end is None or clock.time() < end:
                wait = self._keepalive_seconds if end is None else min(self._keepalive_seconds, end - clock.time())
                state = await self._wait_for_newer(last_entry, wait)
                if self._fault:
                    yield format_event(StreamEvent(last_entry, "closed", json.dumps({"detail": self._fault})))
                    return
                events = [] if state is None else await run_in_threadpool(_select, select, state)
                if (events or state is None) and not await run_in_threadpool(is_alive):
                    return
                for event in events:
                    yield format_event(event)
                if state is None:
                    yield ": alive\n\n"
                else:
                    last_entry = state.entries

    async def _wait_for_newer(self, seen: int, seconds: float) -> ProgressiveState | None:
        """Wait for a state with new entries; return None after ``seconds``."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self._state.entries > seen or self._fault)
        except TimeoutError:
            return None
        return self._state


def _select(select: EventSelector, state: ProgressiveState) -> list[StreamEvent]:
    return list(select(state))


def make_display_selector(last_seen: int) -> Callable[[ProgressiveState], Iterator[StreamEvent]]:
    """Make a selector of the display that selects only changes.

    It skips a display that equals the one before, or whose entry is ``last_seen``.
    """
    last_data = [""]

    def select(state: ProgressiveState) -> Iterator[StreamEvent]:
        data = DisplayResponse.from_state(state).model_dump_json()
        if data != last_data[0] and state.entries != last_seen:
            yield StreamEvent(state.entries, "display", data)
        last_data[0] = data

    return select


def make_round_selector(
    watcher: LedgerWatcher, table: int, last_seen: int | None
) -> Callable[[ProgressiveState], Iterator[StreamEvent]]:
    """Make a selector of a table's events.

    It begins with the events after ``last_seen``, or with the current table if that is None.
    """
    position = [last_seen]

    def select(state: ProgressiveState) -> Iterator[StreamEvent]:
        after, position[0] = position[0], state.entries
        if after is None:
            yield StreamEvent(state.entries, "table", TableResponse.from_state(state, table).model_dump_json())
            return
        yield from (each.event for each in watcher.get_events_since(after, state) if table in each.tables)

    return select


def find_event_tables(
    event: ProgressiveEvent, state: ProgressiveState, find: Callable[[int], Hit | None]
) -> frozenset[int]:
    """Return the tables that an event is for; ``find`` returns the hit of an award.

    These are its own, and those whose pending awards it may change (SC-9).
    """
    match event:
        case RoundOpened() | RoundEnded():
            return frozenset({event.table})
        case HitEntered():
            return frozenset({event.table}) | _find_pending_tables(state)
        case AwardConfirmed():
            return _find_award_table(find(event.award)) | _find_pending_tables(state)
        case AwardPaid() | AwardBackedOut():
            return _find_award_table(find(event.award))
        case _:
            return frozenset()


def _find_award_table(hit: Hit | None) -> frozenset[int]:
    return frozenset({hit.table} if hit else ())


def _find_pending_tables(state: ProgressiveState) -> frozenset[int]:
    return frozenset(hit.table for hit in state.list_pending_hits())
