"""The controller of a progressive; ``ledger.command_log`` executes its commands."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import TypeVar

from pitboss.jackpot.admin_handlers import make_incident, make_restoration_incident
from pitboss.jackpot.audit import AuditResult, audit_ledger, make_checkpoint, verify_exported_head, verify_newest_chain
from pitboss.jackpot.award_history import add_hits, ensure_award_records, read_last_hits, recall_hits
from pitboss.jackpot.catch_up import apply_updates, catch_up, read_updates
from pitboss.jackpot.clock_watch import ClockWatch
from pitboss.jackpot.command_execution import (
    CommandOutcome,
    append_events,
    decide_or_report,
    make_notes,
    read_outcome,
    to_seconds,
)
from pitboss.jackpot.commands import ProgressiveCommand
from pitboss.jackpot.credential_rows import adopt_rows, apply_to_rows, find_half_code, invite_first
from pitboss.jackpot.dispatch import create
from pitboss.jackpot.dual_control import iter_second_action_warnings
from pitboss.jackpot.entry_shares import split_hits
from pitboss.jackpot.errors import ForbiddenError, RefusalError, WrongProofError
from pitboss.jackpot.events import ProgressiveEvent, parse_event
from pitboss.jackpot.proofs import Proof
from pitboss.jackpot.roles import Actor, verify_permission
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.software_acceptance import (
    describe_software_change,
    is_software_accepted,
    is_software_signature,
    make_software_error,
)
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit
from pitboss.ledger.chain import LedgerHead
from pitboss.ledger.closure import NO_FAULTS, LedgerClosure
from pitboss.ledger.command_log import CommandEffect, CommandLog, LoggedCommand, read_notes
from pitboss.ledger.entry_pages import read_entries
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signed_head import write_signed_head
from pitboss.ledger.signing import Signer
from pitboss.ledger.software import get_software_id
from pitboss.ledger.store import Store, Transaction

Clock = Callable[[], datetime]
Result = TypeVar("Result")

SYSTEM_ACTOR = "pitboss"
"""The name that reports faults found at start; it has no role."""

CHECKPOINT_EVERY = 1_000
"""The number of entries between checkpoints, which bounds how many are replayed at start."""


def get_utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class Controller:
    """A progressive in its ledger.

    Threads may share a controller, because it replaces its state as a whole.  ``store`` is the ledger's database,
    ``signer`` its key ring.
    """

    def __init__(
        self, store: Store, signer: Signer, clock: Clock = get_utc_now, *, may_be_closed: bool = False
    ) -> None:
        """Check the ledger, and write a checkpoint or report changed software if needed.

        With ``may_be_closed``, a ledger that does not hold is closed instead of an error: all that is asked of it
        raises the fault, until a verification passes.

        Raises:
            LedgerError: the ledger cannot be reached or does not hold.
        """
        self.store = store
        self.signer = signer
        self._clock = clock
        self._watch = ClockWatch(clock)
        self._closure = LedgerClosure(store, signer, self._get_timestamp)
        self._log = CommandLog(
            store,
            self._catch_up,
            self._keep,
            self._get_timestamp,
            refused=RefusalError,
            forbidden=ForbiddenError,
            finish=self._finish,
        )
        self._audited = AuditResult(ProgressiveState(), LedgerHead(), 0)
        ensure_award_records(store)
        try:
            self._audited = audit_ledger(store, signer)
        except LedgerError as error:
            if not may_be_closed or error.code in NO_FAULTS:
                raise
            self._closure.close(error)
            return
        self._write_checkpoint(self._audited, self._audited.checked_entries)
        store.add_reopening_check(self._verify_tail)
        if self.find_fault() is None and self.state.entries and not is_software_accepted(self.state):
            self._audited = self._run_write(self._report_software_change)
        if self.find_fault() is None and self.state.entries and not self.state.covered:
            self._audited = self._run_write(self._adopt_credentials)
        if self.state.covered:
            signer.make_ring()  # from here on, a ledger that is not covered is not this one

    def _run_write(self, work: Callable[[Transaction], AuditResult]) -> AuditResult:
        """Run some work in a transaction that ends with the signed head."""
        with self._closure.closing_on_fault():
            return self.store.run_write(lambda transaction: self._finish(transaction, work(transaction)))

    def _finish(self, transaction: Transaction, audited: AuditResult) -> AuditResult:
        if transaction.has_appended:
            write_signed_head(transaction, self.signer)
        return audited._replace(head=transaction.get_head())

    def _adopt_credentials(self, transaction: Transaction) -> AuditResult:
        """Take over the credentials of an older ledger, once."""
        audited = self._catch_up(transaction, "", None)
        if audited.state.covered:
            return audited
        event = adopt_rows(transaction, audited.state, self.signer, SYSTEM_ACTOR)
        return self._append_events(transaction, audited, (event,), self._get_timestamp(), {})

    def _write_checkpoint(self, audited: AuditResult, new_entries: int) -> None:
        """Write a checkpoint of an audited state, if enough entries are new."""
        if new_entries < CHECKPOINT_EVERY:
            return

        def work(transaction: Transaction) -> None:
            last = transaction.find_checkpoint()
            if last is None or last.entry < audited.head.sequence:  # no other process was faster
                transaction.append_checkpoint(make_checkpoint(audited, self.signer))

        self.store.run_write(work)

    def _verify_tail(self, transaction: Transaction) -> None:
        """Check, before the ledger opens again, that it is still the same."""
        audited = self._audited
        verify_newest_chain(transaction, audited.head)
        catch_up(transaction, audited, self.signer)

    def find_clock_fault(self) -> str:
        """Return what is wrong with the clock of this machine, "" if nothing.

        Raises:
            LedgerError: the ledger cannot be reached.
        """
        with self.store.begin_read() as transaction:
            return self._watch.find_fault(transaction.get_last_time())

    def find_fault(self) -> LedgerError | None:
        """Return why the ledger is closed, None if it is open.

        It is closed after a verification failed.

        Raises:
            LedgerError: the ledger cannot be reached.
        """
        with self.store.begin_read() as transaction:
            try:
                self._closure.verify_open(transaction)
            except LedgerError as error:
                return error
        return None

    def _report_software_change(self, transaction: Transaction) -> AuditResult:
        """Open an incident, once, if the running software is not the accepted one (P15)."""
        audited = self._catch_up(transaction, "", None)
        state = audited.state
        if is_software_accepted(state) or any(each.software == get_software_id() for each in state.incidents.values()):
            return audited
        incident = make_incident(state, SYSTEM_ACTOR, 0, "software", describe_software_change(state))
        event = incident.model_copy(update={"software": get_software_id()})
        return self._append_events(transaction, audited, (event,), self._get_timestamp(), {})

    def report_restoration(self, text: str) -> int:
        """Open the incident of a restoration; return its number.

        Raises:
            LedgerError: the ledger cannot be reached.
        """

        def work(transaction: Transaction) -> AuditResult:
            audited = self._catch_up(transaction, "", None)
            incident = make_restoration_incident(audited.state, SYSTEM_ACTOR, text)
            return self._append_events(transaction, audited, (incident,), self._get_timestamp(), {})

        self._audited = self._run_write(work)
        return self._audited.state.last_incident

    @property
    def state(self) -> ProgressiveState:
        """The progressive's state when this controller last read the ledger."""
        return self._audited.state

    @cached_property
    def first_hash(self) -> str:
        """The hash of the ledger's first entry, which identifies the progressive."""
        first = next(read_entries(self.store, last=1), None)
        return first.hash if first else ""

    @property
    def head(self) -> LedgerHead:
        """The head of the chain that this state belongs to."""
        return self._audited.head

    def refresh(self) -> ProgressiveState:
        """Read the entries that others have written, and return the state.

        Raises:
            LedgerError: the ledger cannot be reached, the key file is not its newest, or what was added to it was not
                signed: that closes it.
        """
        known = after = self._audited  # another thread may replace it meanwhile
        is_end = False
        with self._closure.closing_on_fault():
            while not is_end:
                with self.store.begin_read() as transaction:
                    self._closure.verify_open(transaction)
                    if transaction.get_head() == known.head:
                        self.signer.compare(known.state.signing_keys, known.state.revoked_keys)
                        return known.state
                    updates = read_updates(transaction, after, self.signer)
                after, is_end = apply_updates(after, updates)
        self.signer.compare(after.state.signing_keys, after.state.revoked_keys)
        self._audited = after
        return after.state

    def create(self, settings: Settings, executives: str | Mapping[str, str]) -> ProgressiveState:
        """Create the progressive with its first executives.

        ``executives`` are their names with the hashes of the codes that they chose, or one name of an executive who
        cannot enrol.

        Raises:
            RefusalError: the ledger already has one.
        """
        codes = {} if isinstance(executives, str) else executives

        def work(transaction: Transaction, before: AuditResult) -> tuple[AuditResult, ProgressiveState]:
            events = create(before.state, settings, tuple(codes) or str(executives), get_software_id())
            covered = tuple(invite_first(transaction, event, codes) for event in events)
            after = self._append_events(transaction, before, covered, self._get_timestamp(), {})
            return after, after.state

        with self._closure.closing_on_fault():
            state: ProgressiveState = self._log.run("", work)
        return state

    def run_credential_change(
        self, work: Callable[[Transaction, ProgressiveState, int], tuple[Sequence[ProgressiveEvent], Result]]
    ) -> Result:
        """Run a change of credentials and write its events, all or nothing.

        ``work`` is given the transaction, the state and the time in seconds; it returns events and its result.

        Raises:
            PitbossError: of the work: nothing was written.
            LedgerError: the ledger cannot be reached or does not hold.
        """

        def job(transaction: Transaction, before: AuditResult) -> tuple[AuditResult, Result]:
            at = self._get_timestamp()
            events, result = work(transaction, before.state, to_seconds(at))
            return self._append_events(transaction, before, events, at, {}), result

        with self._closure.closing_on_fault():
            result: Result = self._log.run("", job)
        return result

    def get_now(self) -> datetime:
        """Return the time of the controller's clock."""
        return self._clock()

    def execute(self, command: ProgressiveCommand, by: Actor | Proof, key: str) -> CommandOutcome:
        """Execute a command once, however often it is sent with this key.

        A repeat gets the first answer.  The code of a proof is used in the same transaction.

        Raises:
            ForbiddenError: the actor may not do this, or the proof does not hold.
            RefusalError: it is not allowed now, or its key was used for another command.
            LedgerError: the ledger cannot be reached or does not hold: the tables are closed.
        """
        actor, admit = (by.actor, by.admit) if isinstance(by, Proof) else (by, None)

        def write(transaction: Transaction, before: AuditResult, at: str) -> CommandEffect[AuditResult]:
            state = before.state
            if not is_software_accepted(state) and not is_software_signature(state, command):
                raise make_software_error(state)
            recalled = recall_hits(transaction, state, command)
            times = to_seconds(at), to_seconds(transaction.get_last_time() or at)
            events, refusal = decide_or_report(add_hits(state, recalled), command, actor, times, key)
            events = tuple(apply_to_rows(transaction, event, self.signer) for event in events)
            after = self._append_events(transaction, before, events, at, recalled)
            written = (before.head.sequence + 1, after.head.sequence) if events else (0, 0)
            warnings = iter_second_action_warnings(state, after.state, events, times[0])
            notes = {} if refusal else make_notes(transaction, after, command, at, warnings)
            return CommandEffect(after, *written, events, refusal, notes)

        content = {"actor": actor.name, "command": command.model_dump(mode="json")}
        try:
            verify = partial(verify_permission, actor, command.kind)
            with self._closure.closing_on_fault():
                result = self._log.execute(LoggedCommand(key, actor.name, content, admit=admit, verify=verify), write)
        except WrongProofError as error:
            if error.is_counted and isinstance(by, Proof):
                by.record_failure()
            raise
        events = result.effect.output if result.effect else self.load_events(result.answer.first, result.answer.last)
        notes, state = read_notes(result.answer), result.state.state
        if not notes:  # the answer was written before there were any
            with self.store.begin_read() as transaction:
                notes = make_notes(transaction, result.state, command, result.answer.at)
        outcome = read_outcome(events, state, notes, split_hits(self.store, result.answer.first, events))
        return outcome._replace(is_repeat=result.effect is None, half_code=find_half_code(self.signer, events))

    def list_last_hits(self, before: int = 0) -> tuple[Hit, ...]:
        """Return the last 25 hits that were not cancelled.

        With ``before``, they are the last 25 before that award.

        Raises:
            LedgerError: the ledger cannot be reached, or the record of an award was changed, which closes it.
        """
        with self._closure.closing_on_fault(), self.store.begin_read() as transaction:
            return read_last_hits(transaction, before=before)

    def load_events(self, first: int, last: int) -> tuple[ProgressiveEvent, ...]:
        """Return the events of the entries from ``first`` to ``last``."""
        return tuple(parse_event(entry.data) for entry in read_entries(self.store, first - 1, last))

    def verify(self, exported: LedgerHead | None = None, after_page: Callable[[], None] = lambda: None) -> AuditResult:
        """Check the whole ledger, and that it contains an ``exported`` head.

        A ledger that does not hold is closed, and one that was closed and holds opens.  The ledger is read in pages,
        and ``after_page`` is called between them.

        Raises:
            LedgerError: the ledger does not hold.
        """
        try:
            audited = audit_ledger(self.store, self.signer, full=True, after_page=after_page)
        except LedgerError as error:
            if error.code not in NO_FAULTS:
                self._closure.close(error)
            raise
        if not self._audited.head.sequence:
            self._audited = audited  # the ledger did not hold at the start
        self._closure.open()
        with self.store.begin_read() as transaction:
            if exported:
                verify_exported_head(transaction, exported)
            checkpoint = transaction.find_checkpoint()
        self._write_checkpoint(audited, audited.head.sequence - (checkpoint.entry if checkpoint else 0))
        return audited

    def _keep(self, _subject: str, audited: AuditResult) -> None:
        self._audited = audited

    def _catch_up(self, transaction: Transaction, _subject: str, fresh: AuditResult | None) -> AuditResult:
        self._closure.verify_open(transaction)
        return fresh or catch_up(transaction, self._audited, self.signer)  # a fresh state is of this transaction

    def _append_events(
        self,
        transaction: Transaction,
        audited: AuditResult,
        events: Sequence[ProgressiveEvent],
        at: str,
        recalled: Mapping[int, Hit],
    ) -> AuditResult:
        """Write events as entries (raises LedgerError if an invariant would be violated)."""
        last_time = transaction.get_last_time()
        self._watch.find_fault(last_time)
        return append_events(transaction, audited, events, max(at, last_time), recalled)

    def _get_timestamp(self) -> str:
        return self._clock().isoformat(timespec="microseconds")
