"""The casino floor: the tables that are open here, and who waits for news of them.

A table changes only through ``Floor``, which then wakes whoever listens; what time alone does (a seat that does not
answer) is looked after by one task while somebody listens.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from time import time
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import IllegalActionError, PitbossError, UnknownIdError
from pitboss.table.closing import HOURS, Sweep, close
from pitboss.table.domain.bots import usual_bot
from pitboss.table.service import Tables
from pitboss.table.sitting import HOUSE, Command, Sit, Sitting, Stakes, Terms
from pitboss.table.sitting.offered import wagers_offered
from pitboss.table.sitting.terms import game_of
from pitboss.table.trainees import Trainees
from pitboss.web.guests import Tokens
from pitboss.web.jobs import Jobs
from pitboss.web.leaks import Studies
from pitboss.web.limits import Limits
from pitboss.web.problems import ClosedTableError, NotThereError

TICK_SECONDS = 1.0
ALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 1_000
_BOT_ANTES = 100
_SHOWN = 50


@dataclass
class _Heard:
    """A table that somebody listens to: how many do, how far it has come, and what wakes them."""

    listeners: int = 0
    sequence: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Wake whoever listens now."""
        self.news.set()
        self.news = asyncio.Event()


@dataclass
class Floor:
    """The open tables of a house; ``ledger`` counts the entries of the progressive's, where one is served.

    ``jobs`` are the counts that its pages ask for, ``studies`` what is known of players' leaks.
    """

    tables: Tables
    jobs: Jobs = field(default_factory=Jobs)
    studies: Studies = field(default_factory=Studies)
    limits: Limits = field(default_factory=Limits)
    ledger: Callable[[], int] | None = None
    close_hours: int = HOURS
    _entries: int = 0
    _heard: dict[str, _Heard] = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop | None = None
    _ticking: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        """Find the trainees in the tables' own ledger, and the key of the guests' cookies."""
        self.trainees = Trainees(self.tables.store)
        self.sweep = Sweep(self.tables, self.close_hours)
        self.tokens = Tokens(self.tables.derive_key("guests"))

    def close(self) -> None:
        """End what is being counted, at once, and close the tables."""
        self.jobs.close()
        self.tables.close()

    def open(self, terms: Terms, opener: str = HOUSE) -> str:
        """Open a table for somebody under a name of its own, which is not secret, and return it.

        Raises:
            IllegalActionError: this guest keeps as many open as a guest may.
            PitbossError: as ``Tables.open``.
        """
        if opener != HOUSE:
            self._make_room(opener)
        name = f"{terms.game}-{secrets.token_hex(5)}"
        self.tables.open(name, terms, secrets.token_hex(16), opener)
        return name

    def _make_room(self, opener: str) -> None:
        """Close the oldest table of a guest at which nobody sits any more, where they have as many as they may."""
        own = self.tables.opened_by(opener)
        if len(own) < self.limits.open_tables:
            return
        for name in own:
            now = self.tables.sitting(name)
            if all(held.bot for held in now.seats.values()) and close(self.tables, name, now.standing.sequence):
                self._told(self.tables.sitting(name))
                return
        raise IllegalActionError(f"you have opened {len(own)} tables where somebody sits: leave one of them first")

    def close_some(self) -> list[str]:
        """Close some of the tables that nobody comes back to, none of those that a page follows."""
        return self.sweep.close_some(int(time()), frozenset(self._heard))

    def latest(self) -> list[Sitting]:
        """Return the tables that were opened last, the newest first."""
        return self.tables.latest(_SHOWN)

    def sitting(self, table: str) -> Sitting:
        """Return an open table as it stands.

        Raises:
            NotThereError: there is none of that name.
            ClosedTableError: it was closed.
        """
        now = self.past_sitting(table)
        if now.closed:
            raise ClosedTableError(f"table {table} is closed; its rounds can still be read: open another in the lobby")
        return now

    def past_sitting(self, table: str) -> Sitting:
        """Return a table as it stands or stood when it was closed (raises NotThereError: there is none)."""
        try:
            return self.tables.sitting(table)
        except UnknownIdError:
            raise NotThereError(f"there is no table {table!r}: the lobby has those that are open") from None

    def do(self, table: str, command: Command, by: str, key: str) -> Sitting:
        """Do a command and tell whoever listens (raises as ``Tables.do``)."""
        now = self.tables.do(table, command, by, key).sitting
        self._told(now)
        return now

    def seat_bot(self, table: str, seat: int, key: str, strategy: str = "") -> Sitting:
        """Seat a bot for the least that may be staked; it plays the game's usual strategy unless another is named."""
        return self.do(table, bot(self.tables.sitting(table), seat, strategy), HOUSE, key)

    def _told(self, now: Sitting) -> None:
        """Have those woken who listen to a table; of others nothing is kept."""
        table, loop = now.standing.table, self._loop
        if table in self._heard and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._moved, table, now.standing.sequence)

    def _moved(self, table: str, sequence: int) -> None:
        heard = self._heard.get(table)
        if heard is not None and sequence > heard.sequence:
            heard.sequence = sequence
            heard.wake()

    async def stream(self, table: str, sequence: int) -> AsyncGenerator[str]:
        """Tell a page that its table or the progressive has moved on, as long as it listens: never what happened."""
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        heard = self._begin(table)
        entries = -1 if self.ledger else 0  # what the progressive did since the page was drawn, nobody has counted
        try:
            await run_in_threadpool(self.tend, table)  # whatever has happened since the page was drawn
            while True:
                if entries != self._entries:
                    entries = self._entries
                    yield f"event: display\ndata: {entries}\n\n"
                    continue
                if heard.sequence > sequence:
                    sequence = heard.sequence
                    yield f"id: {sequence}\nevent: changed\ndata: {sequence}\n\n"
                    continue
                try:
                    async with asyncio.timeout(ALIVE_SECONDS):
                        await heard.news.wait()
                except TimeoutError:
                    yield ": alive\n\n"
        finally:
            self._end(table, heard)

    def _begin(self, table: str) -> _Heard:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._heard, self._ticking = loop, {}, None
        heard = self._heard.setdefault(table, _Heard())
        heard.listeners += 1
        if self._ticking is None or self._ticking.done():
            self._ticking = asyncio.create_task(self._tick())
        return heard

    def _end(self, table: str, heard: _Heard) -> None:
        heard.listeners -= 1
        if not heard.listeners and self._heard.get(table) is heard:
            del self._heard[table]
        if not self._heard and self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    async def _tick(self) -> None:
        """Call time at the tables that somebody watches, and see whether the progressive has moved on."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            entries = await run_in_threadpool(self._counted)
            if entries != self._entries:
                self._entries = entries
                for heard in self._heard.values():
                    heard.wake()
            for table in tuple(self._heard):
                await run_in_threadpool(self.tend, table)

    def _counted(self) -> int:
        try:
            return self.ledger() if self.ledger else 0
        except PitbossError:  # the page's own next request is told why
            return 0

    def tend(self, table: str) -> None:
        """Do what is the house's to do at a table by now, and see what others may have written."""
        try:
            now = self.tables.tend(table)
        except PitbossError:  # the page's own next request is told why
            return
        self._told(now)


def least_stakes(now: Sitting) -> tuple[Stakes, ...]:
    """Return the least that a seat stakes: each mandatory wager at its minimum, or at what ties it to another."""
    cents: dict[str, int] = {}
    for each in wagers_offered(now):
        if each["status"] == "mandatory":
            tied = (cents.get(tie["bet"], 0) for tie in each["ties"] if tie["kind"] == "at_least")
            cents[each["bet"]] = max(each["minimum_cents"], *tied, 0)
    return tuple(Stakes(bet=bet, cents=least) for bet, least in cents.items())


def bot(now: Sitting, seat: int, strategy: str = "") -> Sit:
    """Return the command that seats a bot, which stakes the least; it plays the usual strategy unless one is named."""
    standing, plays = least_stakes(now), strategy or usual_bot(game_of(now.terms))
    return Sit(seat=seat, cents=_BOT_ANTES * sum(each.cents for each in standing), bot=plays, standing=standing)


def floor_of(request: Request) -> Floor:
    """Return the floor that a request came to."""
    floor: Floor = request.app.state.floor
    return floor


TheFloor = Annotated[Floor, Depends(floor_of)]
