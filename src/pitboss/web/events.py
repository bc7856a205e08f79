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
from pitboss.jackpot.events import BackedOut, Confirmed, Ended, Entered, Event, Opened, Paid, event_of
from pitboss.jackpot.service import Controller
from pitboss.jackpot.state import State
from pitboss.ledger.store import Store
from pitboss.web.answers import Display, TableShown

LOOK_SECONDS = 0.25
ALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 2_000
MOST_RECENT = 1_000
"""Events that are at hand for all who listen; older ones are read from the ledger."""

Alive = Callable[[], bool]
"""Whether whoever listens may still."""


class News(NamedTuple):
    """What a stream sends: an entry's number, the kind of event, and its JSON."""

    entry: int
    kind: str
    data: str


Picked = Callable[[State], Iterable[News]]
"""What of a state is sent."""


def written(news: News) -> str:
    r"""Write an event as it goes over the line.

    >>> written(News(7, "display", "{}"))
    'id: 7\nevent: display\ndata: {}\n\n'
    """
    return f"id: {news.entry}\nevent: {news.kind}\ndata: {news.data}\n\n"


class Happened(NamedTuple):
    """An event of the ledger, with the table that it happened at, 0 for none."""

    table: int
    news: News


def happened(store: Store, after: int, state: State) -> Iterator[Happened]:
    """Yield what happened after an entry and up to a state."""
    with store.reading() as transaction:
        for entry in transaction.entries(after):
            if entry.sequence > state.entries:
                return
            event = event_of(entry.data)
            yield Happened(table_of(event, state), News(entry.sequence, event.kind, event.model_dump_json()))


class Watch:
    """The one who looks at the ledger, as long as somebody listens, and tells all who do."""

    def __init__(
        self,
        store: Store,
        controller: Controller,
        look_seconds: float = LOOK_SECONDS,
        alive_seconds: float = ALIVE_SECONDS,
    ) -> None:
        """Look every so often; prove that a stream is alive every so often."""
        self._store = store
        self._controller = controller
        self._look_seconds = look_seconds
        self._alive_seconds = alive_seconds
        self._changed = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None
        self._state = State()
        self._recent: tuple[int, tuple[Happened, ...]] = (0, ())  # what has happened since an entry
        self._fault = ""
        self.listeners = 0

    @property
    def looking(self) -> bool:
        """Whether the ledger is looked at."""
        return self._looking is not None

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        self.listeners += 1
        if self._looking is None:
            self._changed = asyncio.Condition()
            self._state, self._fault = self._controller.state, ""
            self._recent = (self._state.entries, ())
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self.listeners -= 1
            if not self.listeners and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    async def _look(self) -> None:
        while not self._fault:
            await asyncio.sleep(self._look_seconds)
            try:
                state = await run_in_threadpool(self._news)
            except PitbossError as error:
                self._fault = str(error)
            else:
                if state.entries <= self._state.entries:
                    continue
                self._state = state
            async with self._changed:
                self._changed.notify_all()
        self._looking = None  # whoever comes next looks anew

    def _news(self) -> State:
        """Look at the ledger; read what has happened, once for all who listen."""
        state = self._controller.refresh()
        if state.entries > self._state.entries:
            since, recent = self._recent
            recent += tuple(happened(self._store, self._state.entries, state))
            dropped = recent[:-MOST_RECENT]
            self._recent = (dropped[-1].news.entry if dropped else since, recent[len(dropped) :])
        return state

    def since(self, after: int, state: State) -> Iterable[Happened]:
        """Return what has happened after an entry and up to a state: what is at hand, else read from the ledger."""
        since, recent = self._recent
        if since <= after and recent and recent[-1].news.entry >= state.entries:
            return (each for each in recent if after < each.news.entry <= state.entries)
        return happened(self._store, after, state)

    async def stream(self, first: State, pick: Picked, alive: Alive, seconds: float | None) -> AsyncGenerator[str]:
        """Send what ``pick`` makes of ``first`` and of every later state, for so many seconds or while it is heard."""
        clock = asyncio.get_running_loop()
        ends = None if seconds is None else clock.time() + seconds
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        for news in await run_in_threadpool(_picked, pick, first):
            yield written(news)
        seen = first.entries
        async with self._listening():
            while ends is None or clock.time() < ends:
                wait = self._alive_seconds if ends is None else min(self._alive_seconds, ends - clock.time())
                state = await self._newer(seen, wait)
                if self._fault:
                    yield written(News(seen, "closed", json.dumps({"detail": self._fault})))
                    return
                told = [] if state is None else await run_in_threadpool(_picked, pick, state)
                if (told or state is None) and not await run_in_threadpool(alive):
                    return
                for news in told:
                    yield written(news)
                if state is None:
                    yield ": alive\n\n"
                else:
                    seen = state.entries

    async def _newer(self, seen: int, seconds: float) -> State | None:
        """Wait for a state of more entries than were seen; None when it takes too long."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self._state.entries > seen or self._fault)
        except TimeoutError:
            return None
        return self._state


def _picked(pick: Picked, state: State) -> list[News]:
    return list(pick(state))


def of_display(last: int) -> Callable[[State], Iterator[News]]:
    """Return what picks the display of states, where it is other than the one before and not the one seen ``last``."""
    shown = [""]

    def pick(state: State) -> Iterator[News]:
        data = Display.of(state).model_dump_json()
        if data != shown[0] and state.entries != last:
            yield News(state.entries, "display", data)
        shown[0] = data

    return pick


def of_round(watch: Watch, table: int, last: int | None) -> Callable[[State], Iterator[News]]:
    """Return what picks a table's events: first those since entry ``last``, or the table as it stands."""
    seen = [last]

    def pick(state: State) -> Iterator[News]:
        after, seen[0] = seen[0], state.entries
        if after is None:
            yield News(state.entries, "table", TableShown.of(state, table).model_dump_json())
            return
        yield from (each.news for each in watch.since(after, state) if each.table == table)

    return pick


def table_of(event: Event, state: State) -> int:
    """Return the table that an event happened at, 0 where it was at none."""
    match event:
        case Opened() | Entered() | Ended():
            return event.table
        case Confirmed() | Paid() | BackedOut():
            hit = state.hits.get(event.award)
            return hit.table if hit else 0
        case _:
            return 0
