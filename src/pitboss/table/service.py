"""Tables stored in a ledger; ``ledger.command_log`` executes their commands."""

import re
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import Any, NamedTuple

from pitboss.cards import system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import IllegalActionError, PitbossError, UnknownIdError, quote
from pitboss.ledger.command_log import CommandEffect, CommandLog, LoggedCommand
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction
from pitboss.table import progressive_port, table_queries
from pitboss.table.encryption import TableCipher
from pitboss.table.progressive_port import ProgressivePort, get_progressive_wagers
from pitboss.table.receipts import HouseKey, Receipt
from pitboss.table.repository import (
    AppliedEvent,
    LoadedSession,
    SessionCache,
    TableRepository,
    apply_events,
    format_time,
)
from pitboss.table.round.history_schema import History
from pitboss.table.round_records import build_round_history
from pitboss.table.session.automation import choose_house_command, choose_timeout_command
from pitboss.table.session.command_checks import CommandForbiddenError
from pitboss.table.session.commands import HOUSE, CallTime, DealRound, SettleRound, TableCommand, TakeAction
from pitboss.table.session.events import SessionEvent, WagersLocked, WagersReturned
from pitboss.table.session.fair_seeds import find_awaited_seeds, find_receipt_seat, list_fixed_seats
from pitboss.table.session.handlers import ExternalInputs, handle_command, open_table, verify_command
from pitboss.table.session.state import Phase, TableSession, replay_events, to_meter_snapshot
from pitboss.table.session.terms import TableTerms

_NAME_PATTERN = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class CommandResult(NamedTuple):
    """The table after a command, and whether it had been done before."""

    session: TableSession
    is_repeat: bool


class TableService:
    """Opens, runs and reads all tables of a casino.  Safe for many threads.

    ``store`` is the ledger, also of other records that are stored with the tables.
    """

    def __init__(
        self,
        store: Store,
        cipher: TableCipher,
        *,
        clock: Callable[[], int] = lambda: int(time()),
        bits: BitSource = system_bits,
        connect_progressive: Callable[[TableSession], ProgressivePort] | None = None,
    ) -> None:
        """Open the stored tables.

        ``connect_progressive`` returns the progressive of a linked table.

        Raises:
            LedgerError: the ledger cannot be reached, or was encrypted with another key.
        """
        self.store, self._cipher, self._repository = store, cipher, TableRepository(cipher)
        self.house_key = HouseKey(cipher.derive_key("receipts"))
        self._clock, self._bits = clock, bits
        self._connect_progressive = connect_progressive
        self._cache = SessionCache()
        self._log: CommandLog[LoadedSession | None] = CommandLog(
            store,
            self._load_uncommitted,
            self._keep,
            lambda: format_time(self._clock()),
            refused=IllegalActionError,
            forbidden=CommandForbiddenError,
        )
        with store.begin_read() as transaction:
            self._repository.verify_key(transaction)

    @classmethod
    def connect(cls, url: str, key: Path, **more: Any) -> "TableService":
        """Open a database's tables with their key; create what is missing.

        Raises:
            LedgerError: the database or the key cannot be read, or there are tables but no key.
        """
        store = Store.open_or_create(url)
        try:
            with store.begin_read() as transaction:
                has_tables = bool(transaction.list_streams())
            return cls(store, TableCipher.load(key) if has_tables else TableCipher.load_or_create(key), **more)
        except LedgerError:
            store.close()
            raise

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    def derive_key(self, purpose: str) -> bytes:
        """Derive a key for another purpose from the tables' key, without revealing that."""
        return self._cipher.derive_key(purpose)

    def list_names(self) -> tuple[str, ...]:
        """Return the names of all open tables, the oldest first."""
        with self.store.begin_read() as transaction:
            return table_queries.list_names(transaction)

    def list_opened_by(self, opener: str) -> tuple[str, ...]:
        """Return the names of the open tables that ``opener`` opened, the oldest first."""
        with self.store.begin_read() as transaction:
            return table_queries.list_opened_by(transaction, opener)

    def list_tables_of(self, holder: str, limit: int) -> tuple[str, ...]:
        """Return up to ``limit`` tables where a holder sat down, the latest first."""
        with self.store.begin_read() as transaction:
            return table_queries.list_tables_of(transaction, holder, limit)

    def list_opened_after(self, after_entry: int, limit: int) -> list[table_queries.OpenTable]:
        """Return up to ``limit`` open tables that were opened after an entry."""
        with self.store.begin_read() as transaction:
            return table_queries.list_opened_after(transaction, after_entry, limit)

    def get_session(self, table: str) -> TableSession:
        """Return the present state of a table.

        Raises:
            UnknownIdError: there is no table of that name.
        """
        with self.store.begin_read() as transaction:
            known = self._load(transaction, table)
            if known is None:
                raise UnknownIdError("table", table)
        return known.session

    def list_latest(self, limit: int) -> list[TableSession]:
        """Return the present state of the tables that were opened last, the newest first.

        This is one query to the database where the cache is up to date.
        """
        with self.store.begin_read() as transaction:
            newest = [
                known if known and known.entry_number >= number else self._load(transaction, table)
                for table, number in table_queries.count_entries_of_newest(transaction, limit).items()
                for known in (self._cache.get(table),)
            ]
        return [known.session for known in newest if known]

    def _load(self, transaction: Transaction, table: str) -> LoadedSession | None:
        known = self._load_uncommitted(transaction, table, None)
        self._keep(table, known)
        return known

    def get_history(self, table: str, round_number: int) -> History:
        """Return the history of a settled round with every card, for the casino.

        It is not for a seat.

        Raises:
            LedgerError: the round has not been settled.
        """
        start, events = self._read_round(table, round_number)
        return build_round_history(table, round_number, start, events)

    def list_round_sessions(self, table: str, round_number: int) -> list[TableSession]:
        """Return a table after each step of a settled round, with every card.

        It is for the casino, not for a seat.

        Raises:
            LedgerError: the round has not been settled.
        """
        session, events = self._read_round(table, round_number)
        states = [session := replay_events((event,), session) for event in events]
        return [each for each in states if each.last_round_number == round_number]

    def _read_round(self, table: str, round_number: int) -> tuple[TableSession, list[SessionEvent]]:
        with self.store.begin_read() as transaction:
            return self._repository.read_round(transaction, table, round_number)

    def get_receipt(self, table: str, holder: str, round_number: int = 0) -> Receipt:
        """Return a holder's receipt of a settled or void round.

        Round 0 means the round in play, else the last.

        Raises:
            UnknownIdError: there is no such table.
            LedgerError: the round has not been settled.
            IllegalActionError: the holder's seat was not bound to a seed in this round.
        """
        session = self.list_round_sessions(table, round_number)[-1] if round_number else self.get_session(table)
        seat = find_receipt_seat(session, holder)
        if seat is None:
            raise IllegalActionError(
                "you have no receipt of this round: your seat was not bound to a seed in it", code="no-receipt"
            )
        number = session.snapshot.number if session.is_locked else session.last_round_number
        commitment = session.commitment if session.is_locked else session.last_commitment
        return self.house_key.sign(session.terms.game, table, number, seat, commitment, list_fixed_seats(session))

    def verify(self) -> int:
        """Check the whole ledger and replay it; return the number of its entries.

        Raises:
            LedgerError: an entry is not what was written.
        """
        return self._repository.verify(self.store)

    def open_table(self, table: str, terms: TableTerms, key: str, by: str = HOUSE) -> TableSession:
        """Open a table in the name of ``by``.

        Raises:
            PitbossError: the name or the terms are not valid, or there is already a table of that name.
        """
        if not _NAME_PATTERN.fullmatch(table):
            raise IllegalActionError(
                f"{quote(table)} is not a valid table name: write at most 32 lower-case letters, digits and hyphens",
                code="invalid-table-name",
                table=table,
            )

        def decide(known: LoadedSession | None) -> list[AppliedEvent]:
            if known is not None:
                raise IllegalActionError(
                    f"there is a table {quote(table)} already: give this one another name",
                    code="table-exists",
                    table=table,
                )
            return apply_events(open_table(table, terms, ExternalInputs(self._bits)), None)

        content = {"open": table, "terms": terms.model_dump(mode="json")}
        return self._execute_once(LoggedCommand(key, by, content, table), "open", decide).session

    def execute(
        self, table: str, command: TableCommand, by: str, key: str, expected: int | None = None
    ) -> CommandResult:
        """Execute a command once, and the automation that follows it.

        A command that comes again with its ``key`` is not executed again.  ``expected`` is the sequence of the view on
        which the command was given; the table must still be there.

        Raises:
            CommandForbiddenError: this person may not give it.
            PitbossError: the command is not possible now, or its key was used for another command.
            LedgerError: the ledger cannot be reached, or is damaged: nothing was done.
        """

        def decide(known: LoadedSession | None) -> list[AppliedEvent]:
            if known is None:
                raise IllegalActionError(
                    f"there is no table {quote(table)}: open it first", code="unknown-table", table=table
                )
            if expected is not None and expected != known.session.snapshot.sequence:
                raise IllegalActionError(
                    "the table has changed since this page was loaded: reload it", code="stale-page"
                )
            return self._decide_with_automation(known.session, command, by)

        content = {"table": table, "by": by, "command": command.model_dump(mode="json")}
        result = self._execute_once(LoggedCommand(key, by, content, table), command.kind, decide)
        if result.session.phase is Phase.SEEDS and not find_awaited_seeds(result.session):
            # A linked table is dealt once its locked wagers are written.
            return CommandResult(self.run_automation(table), result.is_repeat)
        return result

    def _execute_once(
        self, command: LoggedCommand, kind: str, decide: Callable[[LoadedSession | None], list[AppliedEvent]]
    ) -> CommandResult:
        def write(
            transaction: Transaction, known: LoadedSession | None, at: str
        ) -> CommandEffect[LoadedSession | None]:
            after, entry = self._repository.append(
                transaction, command.subject, known, command.by, kind, decide(known), at
            )
            return CommandEffect(after, entry, entry)

        result = self._log.execute(command, write)
        if result.state is None:
            raise LedgerError(f"table {command.subject} has an answer, but no entry", code="entry-missing")
        return CommandResult(result.state.session, is_repeat=result.effect is None)

    def run_automation(self, table: str) -> TableSession:
        """Run the automation that is due at a table: bots, settlement, timeouts."""
        return self.execute_for_house(
            table, lambda session, at: choose_house_command(session) or choose_timeout_command(session, at)
        )

    def execute_for_house(self, table: str, choose: Callable[[TableSession, int], TableCommand | None]) -> TableSession:
        """Execute the command that ``choose`` picks for a table at a time.

        If it picks None, nothing is done.
        """

        def work(transaction: Transaction, known: LoadedSession | None) -> tuple[LoadedSession, TableSession]:
            if known is None:
                raise UnknownIdError("table", table)
            at = self._clock()
            command = choose(known.session, at)
            if command is None:
                return known, known.session
            try:
                steps = self._decide_with_automation(known.session, command, HOUSE)
            except PitbossError:  # the progressive makes the table wait
                return known, known.session
            after, _ = self._repository.append(transaction, table, known, HOUSE, command.kind, steps, format_time(at))
            return after, after.session

        before = self.get_session(table)
        if choose(before, self._clock()) is None:
            return before
        after: TableSession = self._log.run(table, work)
        if after.is_closed:
            self._cache.forget(table)
        return after

    def _load_uncommitted(
        self, transaction: Transaction, table: str, fresh: LoadedSession | None
    ) -> LoadedSession | None:
        known = fresh or self._cache.get(table)
        return (
            self._repository.catch_up(transaction, table, known) if known else self._repository.load(transaction, table)
        )

    def _keep(self, table: str, known: LoadedSession | None) -> None:
        if known:
            self._cache.keep(table, known)

    # What follows from a command.

    def _decide_with_automation(
        self, session: TableSession, command: TableCommand | None, by: str
    ) -> list[AppliedEvent]:
        """Return the events of a command and of the automation that follows it."""
        steps: list[AppliedEvent] = []
        while command is not None:
            try:
                fresh = self._decide_events(session, command, by)
            except PitbossError:
                if not steps:
                    raise
                break  # the automation waits, for example until an award is confirmed
            steps += apply_events(fresh, session)
            session = steps[-1].session
            if session.terms.linked and any(isinstance(event, WagersLocked) for event in fresh):
                break
            command, by = choose_house_command(session), HOUSE
        return steps

    def _decide_events(self, session: TableSession, command: TableCommand, by: str) -> tuple[SessionEvent, ...]:
        at, inputs = self._clock(), ExternalInputs(self._bits)
        if not session.terms.linked:
            return handle_command(session, command, by, at, inputs)
        verify_command(session, command, by, at)
        match command:
            case DealRound() if session.phase is Phase.WAGERS:
                due = self._get_progressive(session).get_due_round(get_progressive_wagers(session))
                inputs = inputs._replace(progressive_round=due)
            case DealRound():
                progressive = self._get_progressive(session)
                try:
                    before = progressive.coin_in(session.progressive_round, get_progressive_wagers(session))
                except LedgerError:
                    raise  # nobody knows whether the wagers were taken: the next attempt asks again
                except PitbossError as error:
                    return (WagersReturned(why=str(error)),)
                inputs = inputs._replace(meter=to_meter_snapshot(before))
            case TakeAction() | CallTime():
                events = handle_command(session, command, by, at, inputs)
                hands = progressive_port.find_winning_hands(replay_events(events, session))
                if not hands:
                    return events
                inputs = inputs._replace(
                    awards=self._get_progressive(session).enter_hits(session.progressive_round, hands)
                )
            case SettleRound():
                final = self._get_progressive(session).close_round(
                    session.progressive_round, progressive_port.list_shown_awards(session)
                )
                inputs = inputs._replace(awards=final)
        return handle_command(session, command, by, at, inputs)

    def _get_progressive(self, session: TableSession) -> ProgressivePort:
        if self._connect_progressive is None:
            raise IllegalActionError(
                f"table {session.snapshot.table} plays for a progressive that is not served: serve it with its ledger",
                code="progressive-not-served",
                table=session.snapshot.table,
            )
        return self._connect_progressive(session)
