"""The casino floor: the tables that are open here, and who waits for news of them.

A table changes only through ``TableRegistry``, which then wakes whoever listens; what time alone does (a seat that does
not answer) is looked after by one task while somebody listens.
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
from pitboss.table.idle_tables import IDLE_HOURS, IdleTableSweep, close_idle_table
from pitboss.table.round.bots import get_default_bot
from pitboss.table.service import TableService
from pitboss.table.session import HOUSE, BetStake, TableCommand, TableSession, TableTerms, TakeSeat
from pitboss.table.session.available_wagers import list_available_wagers
from pitboss.table.session.terms import load_table_game
from pitboss.table.training.records import TraineeRecords
from pitboss.web.guests import GuestTokens
from pitboss.web.jobs import JobQueue
from pitboss.web.leaks import LeakReviews
from pitboss.web.problems import ClosedTableError, NotFoundError
from pitboss.web.rate_limits import RateLimits

AUTOMATION_SECONDS = 1.0
KEEPALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 1_000
_BOT_ANTES = 100
_MAX_LATEST = 50


@dataclass
class _Channel:
    """A table that somebody listens to: how many do, how far it has come, and what wakes them."""

    listeners: int = 0
    sequence: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Wake whoever listens now."""
        self.changed.set()
        self.changed = asyncio.Event()


@dataclass
class TableRegistry:
    """The open tables of a house; ``entry_counter`` counts the entries of the progressive's, where one is served.

    ``jobs`` are the counts that its pages ask for, ``leak_reviews`` what is known of players' leaks.
    """

    tables: TableService
    jobs: JobQueue = field(default_factory=JobQueue)
    leak_reviews: LeakReviews = field(default_factory=LeakReviews)
    limits: RateLimits = field(default_factory=RateLimits)
    entry_counter: Callable[[], int] | None = None
    close_hours: int = IDLE_HOURS
    _known_entries: int = 0
    _channels: dict[str, _Channel] = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop | None = None
    _automation_task: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        """Find the trainees in the tables' own ledger, and the key of the guests' cookies."""
        self.training_records = TraineeRecords(self.tables.store)
        self.sweep = IdleTableSweep(self.tables, self.close_hours)
        self.tokens = GuestTokens(self.tables.derive_key("guests"))

    def close(self) -> None:
        """End what is being counted, at once, and close the tables."""
        self.jobs.close()
        self.tables.close()

    def open_table(self, terms: TableTerms, opener: str = HOUSE) -> str:
        """Open a table for somebody under a name of its own, which is not secret, and return it.

        Raises:
            IllegalActionError: this guest keeps as many open as a guest may.
            PitbossError: as ``TableService.open``.
        """
        if opener != HOUSE:
            self._make_room(opener)
        name = f"{terms.game}-{secrets.token_hex(5)}"
        self.tables.open_table(name, terms, secrets.token_hex(16), opener)
        return name

    def _make_room(self, opener: str) -> None:
        """Close the oldest table of a guest at which nobody sits any more, where they have as many as they may."""
        own = self.tables.list_opened_by(opener)
        if len(own) < self.limits.open_tables:
            return
        for name in own:
            now = self.tables.get_session(name)
            if all(held.bot for held in now.seats.values()) and close_idle_table(
                self.tables, name, now.snapshot.sequence
            ):
                self._notify(self.tables.get_session(name))
                return
        raise IllegalActionError(f"you have {len(own)} open tables with players: leave one of them first")

    def close_idle_tables(self) -> list[str]:
        """Close some of the tables that nobody comes back to, none of those that a page follows."""
        return self.sweep.close_next_batch(int(time()), frozenset(self._channels))

    def list_latest(self) -> list[TableSession]:
        """Return the tables that were opened last, the newest first."""
        return self.tables.list_latest(_MAX_LATEST)

    def get_session(self, table: str) -> TableSession:
        """Return an open table as it stands.

        Raises:
            NotThereError: there is none of that name.
            ClosedTableError: it was closed.
        """
        now = self.get_past_session(table)
        if now.is_closed:
            raise ClosedTableError(f"table {table} is closed; its rounds can still be read: open another in the lobby")
        return now

    def get_past_session(self, table: str) -> TableSession:
        """Return a table as it stands or stood when it was closed (raises NotThereError: there is none)."""
        try:
            return self.tables.get_session(table)
        except UnknownIdError:
            raise NotFoundError(f"there is no table {table!r}: the lobby lists the open tables") from None

    def execute(self, table: str, command: TableCommand, by: str, key: str) -> TableSession:
        """Do a command and tell whoever listens (raises as ``TableService.do``)."""
        now = self.tables.execute(table, command, by, key).session
        self._notify(now)
        return now

    def seat_bot(self, table: str, seat: int, key: str, strategy: str = "") -> TableSession:
        """Seat a bot for the least that may be staked; it plays the game's usual strategy unless another is named."""
        return self.execute(table, make_bot_command(self.tables.get_session(table), seat, strategy), HOUSE, key)

    def _notify(self, session: TableSession) -> None:
        """Have those woken who listen to a table; of others nothing is kept."""
        table, loop = session.snapshot.table, self._loop
        if table in self._channels and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._publish, table, session.snapshot.sequence)

    def _publish(self, table: str, sequence: int) -> None:
        heard = self._channels.get(table)
        if heard is not None and sequence > heard.sequence:
            heard.sequence = sequence
            heard.wake()

    async def stream_events(self, table: str, since: int) -> AsyncGenerator[str]:
        """Tell a page that its table or the progressive has moved on, as long as it listens: never what happened."""
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        heard = self._subscribe(table)
        entries = (
            -1 if self.entry_counter else 0
        )  # what the progressive did since the page was drawn, nobody has counted
        try:
            await run_in_threadpool(self.run_automation, table)  # whatever has happened since the page was drawn
            while True:
                if entries != self._known_entries:
                    entries = self._known_entries
                    yield f"event: display\ndata: {entries}\n\n"
                    continue
                if heard.sequence > since:
                    since = heard.sequence
                    yield f"id: {since}\nevent: changed\ndata: {since}\n\n"
                    continue
                try:
                    async with asyncio.timeout(KEEPALIVE_SECONDS):
                        await heard.changed.wait()
                except TimeoutError:
                    yield ": alive\n\n"
        finally:
            self._unsubscribe(table, heard)

    def _subscribe(self, table: str) -> _Channel:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._channels, self._automation_task = loop, {}, None
        heard = self._channels.setdefault(table, _Channel())
        heard.listeners += 1
        if self._automation_task is None or self._automation_task.done():
            self._automation_task = asyncio.create_task(self._run_automation_loop())
        return heard

    def _unsubscribe(self, table: str, channel: _Channel) -> None:
        channel.listeners -= 1
        if not channel.listeners and self._channels.get(table) is channel:
            del self._channels[table]
        if not self._channels and self._automation_task is not None:
            self._automation_task.cancel()
            self._automation_task = None

    async def _run_automation_loop(self) -> None:
        """Call time at the tables that somebody watches, and see whether the progressive has moved on."""
        while True:
            await asyncio.sleep(AUTOMATION_SECONDS)
            entries = await run_in_threadpool(self._count_entries)
            if entries != self._known_entries:
                self._known_entries = entries
                for heard in self._channels.values():
                    heard.wake()
            for table in tuple(self._channels):
                await run_in_threadpool(self.run_automation, table)

    def _count_entries(self) -> int:
        try:
            return self.entry_counter() if self.entry_counter else 0
        except PitbossError:  # the page's own next request is told why
            return 0

    def run_automation(self, table: str) -> None:
        """Do what is the house's to do at a table by now, and see what others may have written."""
        try:
            now = self.tables.run_automation(table)
        except PitbossError:  # the page's own next request is told why
            return
        self._notify(now)


def compute_minimum_stakes(session: TableSession) -> tuple[BetStake, ...]:
    """Return the least that a seat stakes: each mandatory wager at its minimum, or at what ties it to another."""
    cents: dict[str, int] = {}
    for each in list_available_wagers(session):
        if each["status"] == "mandatory":
            tied = (cents.get(tie["bet"], 0) for tie in each["ties"] if tie["kind"] == "at_least")
            cents[each["bet"]] = max(each["minimum_cents"], *tied, 0)
    return tuple(BetStake(bet=bet, cents=least) for bet, least in cents.items())


def make_bot_command(session: TableSession, seat: int, strategy: str = "") -> TakeSeat:
    """Return the command that seats a bot, which stakes the least; it plays the usual strategy unless one is named."""
    standing, plays = compute_minimum_stakes(session), strategy or get_default_bot(load_table_game(session.terms))
    return TakeSeat(seat=seat, cents=_BOT_ANTES * sum(each.cents for each in standing), bot=plays, standing=standing)


def get_registry(request: Request) -> TableRegistry:
    """Return the floor that a request came to."""
    floor: TableRegistry = request.app.state.registry
    return floor


RegistryDep = Annotated[TableRegistry, Depends(get_registry)]
