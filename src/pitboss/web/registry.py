"""The registry of the open tables and of the pages that listen to them.

A page listens for the changes of its table.  A table changes only through ``TableRegistry``, which then wakes its
listeners.  While a page listens, one task handles timeouts (seats that do not answer).
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from time import time
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import IllegalActionError, PitbossError, UnknownIdError, quote
from pitboss.ledger.errors import LedgerError
from pitboss.table.idle_tables import IDLE_HOURS, IdleTableSweep, close_idle_table
from pitboss.table.round.bots import get_default_bot
from pitboss.table.service import TableService
from pitboss.table.session import HOUSE, BetStake, TableCommand, TableSession, TableTerms, TakeSeat
from pitboss.table.session.available_wagers import list_available_wagers
from pitboss.table.session.terms import load_table_game
from pitboss.table.training.classes import TrainingClasses
from pitboss.table.training.puzzle_records import PuzzleRecords
from pitboss.table.training.records import TraineeRecords
from pitboss.web.auth.guests import GuestTokens
from pitboss.web.errors import ClosedTableError, NotFoundError
from pitboss.web.jobs.player_leaks import LeakReviews
from pitboss.web.jobs.queue import JobQueue
from pitboss.web.problems import LOG
from pitboss.web.rate_limits import RateLimits

AUTOMATION_SECONDS = 1.0
KEEPALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 1_000
_BOT_ANTES = 100
_MAX_LATEST = 50


@dataclass
class _Channel:
    """A table with listeners.

    It has their number, the latest sequence number, and the event that wakes them.
    """

    listeners: int = 0
    sequence: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Wake all current listeners."""
        self.changed.set()
        self.changed = asyncio.Event()


@dataclass
class TableRegistry:
    """The open tables.

    ``entry_counter`` counts the ledger entries of the progressive, if one is served.  ``jobs`` queues the counts for
    the pages; ``leak_reviews`` caches the reviews of players' leaks.
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
        """Load the training records and derive the key of the guest cookies.

        The records come from the tables' store.
        """
        self.training_records = TraineeRecords(self.tables.store)
        self.puzzle_records = PuzzleRecords(self.tables.store)
        self.training_classes = TrainingClasses(self.training_records)
        self.sweep = IdleTableSweep(self.tables, self.close_hours)
        self.tokens = GuestTokens(self.tables.derive_key("guests"))

    def close(self) -> None:
        """Stop all counts at once, and close the tables."""
        self.jobs.close()
        self.tables.close()

    def open_table(self, terms: TableTerms, opener: str = HOUSE) -> str:
        """Open a table under a new, public name, and return the name.

        Raises:
            IllegalActionError: the guest has the maximum number of tables open.
            PitbossError: as ``TableService.open_table``.
        """
        if opener != HOUSE:
            self._make_room(opener)
        name = f"{terms.game}-{secrets.token_hex(5)}"
        self.tables.open_table(name, terms, secrets.token_hex(16), opener)
        return name

    def _make_room(self, opener: str) -> None:
        """Close a guest's oldest table without players if the maximum is open.

        Raises:
            IllegalActionError: every table of the guest has players.
        """
        own = self.tables.list_opened_by(opener)
        if len(own) < self.limits.open_tables:
            return
        for name in own:
            session = self.tables.get_session(name)
            if all(seat.bot for seat in session.seats.values()) and close_idle_table(
                self.tables, name, session.snapshot.sequence
            ):
                self._notify(self.tables.get_session(name))
                return
        raise IllegalActionError(
            f"you have {len(own)} open tables with players: leave one of them first",
            code="too-many-tables",
            given=len(own),
            own=list(own),
        )

    def close_idle_tables(self) -> list[str]:
        """Close the next batch of idle tables, except tables with listeners."""
        return self.sweep.close_next_batch(int(time()), frozenset(self._channels))

    def list_latest(self) -> list[TableSession]:
        """Return the tables opened last, newest first.

        A table is left out if the rules of its game, changed since, refuse what was played there.
        """
        try:
            return self.tables.list_latest(_MAX_LATEST)
        except LedgerError:
            raise
        except PitbossError:
            newest = reversed(self.tables.list_names()[-_MAX_LATEST:])
            return [session for session in map(self.find_session, newest) if session]

    def find_session(self, table: str) -> TableSession | None:
        """Return the session of a table, if the rules of its game still allow it."""
        try:
            return self.tables.get_session(table)
        except LedgerError:
            raise
        except PitbossError as error:
            LOG.warning("table %s is left out: %s", table, error)
            return None

    def get_session(self, table: str) -> TableSession:
        """Return the current session of an open table.

        Raises:
            NotFoundError: no table has that name.
            ClosedTableError: the table is closed.
        """
        session = self.get_past_session(table)
        if session.is_closed:
            raise ClosedTableError(
                f"table {table} is closed; its rounds can still be read: open another in the lobby",
                code="table-closed",
                table=table,
            )
        return session

    def get_past_session(self, table: str) -> TableSession:
        """Return the latest session of a table, open or closed.

        Raises:
            NotFoundError: no table has that name.
        """
        try:
            return self.tables.get_session(table)
        except UnknownIdError:
            raise NotFoundError(
                f"there is no table {quote(table)}: the lobby lists the open tables", code="unknown-table", table=table
            ) from None

    def execute(self, table: str, command: TableCommand, by: str, key: str) -> TableSession:
        """Execute a command and wake the table's listeners.

        This raises what ``TableService.execute`` raises.
        """
        session = self.tables.execute(table, command, by, key).session
        self._notify(session)
        return session

    def seat_bot(self, table: str, seat: int, key: str, strategy: str = "") -> TableSession:
        """Seat a bot that stakes the minimum.

        It plays the default strategy unless ``strategy`` names another.
        """
        return self.execute(table, make_bot_command(self.tables.get_session(table), seat, strategy), HOUSE, key)

    def _notify(self, session: TableSession) -> None:
        """Wake the listeners of a table, from any thread."""
        table, loop = session.snapshot.table, self._loop
        if table in self._channels and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._publish, table, session.snapshot.sequence)

    def _publish(self, table: str, sequence: int) -> None:
        channel = self._channels.get(table)
        if channel is not None and sequence > channel.sequence:
            channel.sequence = sequence
            channel.wake()

    async def stream_events(self, table: str, since: int) -> AsyncGenerator[str]:
        """Send a page an event when its table or the progressive changes.

        An event never says what changed.
        """
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        channel = self._subscribe(table)
        entries = (
            -1 if self.entry_counter else 0
        )  # the progressive may have changed since the page was drawn: send one event in any case
        try:
            await run_in_threadpool(self.run_automation, table)  # catch up with changes since the page was drawn
            while True:
                if entries != self._known_entries:
                    entries = self._known_entries
                    yield f"event: display\ndata: {entries}\n\n"
                    continue
                if channel.sequence > since:
                    since = channel.sequence
                    yield f"id: {since}\nevent: changed\ndata: {since}\n\n"
                    continue
                try:
                    async with asyncio.timeout(KEEPALIVE_SECONDS):
                        await channel.changed.wait()
                except TimeoutError:
                    yield ": alive\n\n"
        finally:
            self._unsubscribe(table, channel)

    def _subscribe(self, table: str) -> _Channel:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._channels, self._automation_task = loop, {}, None
        channel = self._channels.setdefault(table, _Channel())
        channel.listeners += 1
        if self._automation_task is None or self._automation_task.done():
            self._automation_task = asyncio.create_task(self._run_automation_loop())
        return channel

    def _unsubscribe(self, table: str, channel: _Channel) -> None:
        channel.listeners -= 1
        if not channel.listeners and self._channels.get(table) is channel:
            del self._channels[table]
        if not self._channels and self._automation_task is not None:
            self._automation_task.cancel()
            self._automation_task = None

    async def _run_automation_loop(self) -> None:
        """Run the timeouts of tables with listeners and poll the progressive.

        New entries of the progressive wake all listeners.
        """
        while True:
            await asyncio.sleep(AUTOMATION_SECONDS)
            entries = await run_in_threadpool(self._count_entries)
            if entries != self._known_entries:
                self._known_entries = entries
                for channel in self._channels.values():
                    channel.wake()
            for table in tuple(self._channels):
                await run_in_threadpool(self.run_automation, table)

    def _count_entries(self) -> int:
        try:
            return self.entry_counter() if self.entry_counter else 0
        except PitbossError:  # the page's next request reports it
            return 0

    def run_automation(self, table: str) -> None:
        """Do what the table itself must do by now.

        This also picks up changes by other processes.
        """
        try:
            session = self.tables.run_automation(table)
        except PitbossError:  # the page's next request reports it
            return
        self._notify(session)


def compute_minimum_stakes(session: TableSession) -> tuple[BetStake, ...]:
    """Return the minimum stakes of a seat.

    Each mandatory wager is at its minimum, or at the stake it is tied to.
    """
    cents: dict[str, int] = {}
    for each in list_available_wagers(session):
        if each["status"] == "mandatory":
            tied = (cents.get(tie["bet"], 0) for tie in each["ties"] if tie["kind"] == "at_least")
            cents[each["bet"]] = max(each["minimum_cents"], *tied, 0)
    return tuple(BetStake(bet=bet, cents=minimum_cents) for bet, minimum_cents in cents.items())


def make_bot_command(session: TableSession, seat: int, strategy: str = "") -> TakeSeat:
    """Return the command that seats a bot with minimum stakes.

    The bot plays the default strategy unless ``strategy`` names another.
    """
    stakes, bot = compute_minimum_stakes(session), strategy or get_default_bot(load_table_game(session.terms))
    return TakeSeat(seat=seat, cents=_BOT_ANTES * sum(each.cents for each in stakes), bot=bot, standing=stakes)


async def get_registry(request: Request) -> TableRegistry:
    """Return the table registry of the application that serves a request.

    A coroutine, as the guards are, because FastAPI runs any other dependency on a thread.
    """
    registry: TableRegistry = request.app.state.registry
    return registry


RegistryDep = Annotated[TableRegistry, Depends(get_registry)]
