"""The controller: decides each command on the ledger's state and writes its events and answer in one transaction.

A client that got no answer sends the command again with the same key, and gets the first answer.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple

from pitboss.jackpot.admin_handlers import make_incident
from pitboss.jackpot.audit import (
    AuditResult,
    audit_ledger,
    list_contributions,
    make_checkpoint,
    make_ledger_postings,
    replay_entries,
)
from pitboss.jackpot.commands import ProgressiveCommand, SignIncident
from pitboss.jackpot.dispatch import create, decide
from pitboss.jackpot.errors import ForbiddenError, RefusalError, WagerOutOfRangeError
from pitboss.jackpot.events import ProgressiveEvent, parse_event
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState, apply_event
from pitboss.ledger.chain import CommandAnswer, EntryDraft, LedgerHead, compute_digest, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.software import get_software_id
from pitboss.ledger.store import Store, Transaction

Clock = Callable[[], datetime]

DONE, REFUSED, FORBIDDEN = "done", "refused", "forbidden"
SYSTEM_ACTOR = "pitboss"
"""The name that reports faults found at start; it has no role."""

CHECKPOINT_EVERY = 1_000
"""The number of entries between checkpoints, which bounds how many are checked at start."""


def get_utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def _describe_software_change(state: ProgressiveState) -> str:
    """Describe the running and the accepted software by the beginnings of their digests."""
    accepted = _shorten_digest(state.software) or "none yet"
    return f"this is pitboss {_shorten_digest(get_software_id())}, the accepted version is {accepted}"


def _shorten_digest(program: str) -> str:
    version, _, digest = program.partition(" ")
    return f"{version} {digest[:12]}".strip()


def _is_software_signature(state: ProgressiveState, command: ProgressiveCommand) -> bool:
    """Return whether a command signs the incident of the running software: the only one allowed before that."""
    return (
        isinstance(command, SignIncident)
        and command.incident in state.incidents
        and state.incidents[command.incident].software == get_software_id()
    )


class CommandOutcome(NamedTuple):
    """The outcome of a command: its events, the latest state, and whether it had been executed before."""

    events: tuple[ProgressiveEvent, ...]
    state: ProgressiveState
    is_repeat: bool


class Controller:
    """A progressive in its ledger.  Threads may share a controller: it replaces its state as a whole."""

    def __init__(self, store: Store, signer: Signer, clock: Clock = get_utc_now) -> None:
        """Check the ledger, and write a checkpoint or report changed software if needed.

        Raises:
            LedgerError: the ledger cannot be reached or does not hold.
        """
        self._store = store
        self._signer = signer
        self._clock = clock
        with store.begin_read() as transaction:
            self._audited = audit_ledger(transaction, signer)
        if self._audited.checked_entries >= CHECKPOINT_EVERY:
            self._audited = store.run_write(self._write_checkpoint)
        if self._audited.state.entries and not self._is_software_accepted(self._audited.state):
            self._audited = store.run_write(self._report_software_change)

    def _write_checkpoint(self, transaction: Transaction) -> AuditResult:
        audited = audit_ledger(transaction, self._signer)
        if audited.checked_entries >= CHECKPOINT_EVERY:  # no other process was faster
            transaction.append_checkpoint(make_checkpoint(audited, self._signer))
        return audited

    def _is_software_accepted(self, state: ProgressiveState) -> bool:
        return state.software == get_software_id()

    def _report_software_change(self, transaction: Transaction) -> AuditResult:
        """Open an incident, once, if the running software is not the accepted one (P15)."""
        audited = self._catch_up(transaction)
        state = audited.state
        if self._is_software_accepted(state) or any(
            each.software == get_software_id() for each in state.incidents.values()
        ):
            return audited
        incident = make_incident(state, SYSTEM_ACTOR, 0, "software", _describe_software_change(state))
        event = incident.model_copy(update={"software": get_software_id()})
        return self._append_events(transaction, audited, (event,))

    @property
    def state(self) -> ProgressiveState:
        """The progressive's state when this controller last read the ledger."""
        return self._audited.state

    @cached_property
    def first_hash(self) -> str:
        """The hash of the ledger's first entry, which identifies the progressive."""
        with self._store.begin_read() as transaction:
            first = next(iter(transaction.read_entries()), None)
        return first.hash if first else ""

    @property
    def head(self) -> LedgerHead:
        """The head of the chain that this state belongs to."""
        return self._audited.head

    def refresh(self) -> ProgressiveState:
        """Read the entries that others have written, and return the state.

        Raises:
            LedgerError: the ledger cannot be reached, or an entry was changed.
        """
        before = self._audited  # another thread may replace it meanwhile
        with self._store.begin_read() as transaction:
            after = replay_entries(before, transaction.read_entries(before.head.sequence))
        self._audited = after
        return after.state

    def create(self, settings: Settings, executive: str) -> ProgressiveState:
        """Create the progressive with its first executive.

        Raises:
            RefusalError: the ledger already has one.
        """

        def work(transaction: Transaction) -> AuditResult:
            before = self._catch_up(transaction)
            events = create(before.state, settings, executive, get_software_id())
            return self._append_events(transaction, before, events)

        self._audited = self._store.run_write(work)
        return self._audited.state

    def execute(self, command: ProgressiveCommand, actor: Actor, key: str) -> CommandOutcome:
        """Execute a command once, however often it is sent with this key.

        Raises:
            ForbiddenError: the actor may not do this.
            RefusalError: it is not allowed now, or its key was used for another command.
            LedgerError: the ledger cannot be reached or does not hold: the tables are closed.
        """
        digest = compute_digest(to_canonical_json({"actor": actor.name, "command": command.model_dump(mode="json")}))

        def work(transaction: Transaction) -> tuple[AuditResult, CommandAnswer, tuple[ProgressiveEvent, ...] | None]:
            before = self._catch_up(transaction)
            earlier_answer = transaction.find_answer(key)
            if earlier_answer:
                return before, earlier_answer, None
            state = before.state
            if not self._is_software_accepted(state) and not _is_software_signature(state, command):
                raise LedgerError(
                    f"the tables are closed: {_describe_software_change(state)}; two people must close its incident"
                )
            status, message, events = _try_decide(state, command, actor)
            after = self._append_events(transaction, before, events)
            first = before.head.sequence + 1 if events else 0
            last = after.head.sequence if events else 0
            answer = CommandAnswer(
                0, key, digest, self._get_timestamp(), actor.name, status, message, first, last, "", ""
            )
            return after, transaction.append_answer(answer), events

        after, answer, new_events = self._store.run_write(work)
        self._audited = after
        if answer.command != digest:
            raise RefusalError(f"key {key!r} was used for another command: choose a new one")
        if answer.status != DONE:
            raise (ForbiddenError if answer.status == FORBIDDEN else RefusalError)(answer.message)
        events = self.load_events(answer.first, answer.last) if new_events is None else new_events
        return CommandOutcome(events, after.state, new_events is None)

    def load_events(self, first: int, last: int) -> tuple[ProgressiveEvent, ...]:
        """Return the events of the entries from ``first`` to ``last``."""
        with self._store.begin_read() as transaction:
            entries = transaction.read_entries(first - 1)
            return tuple(parse_event(next(entries).data) for _ in range(first, last + 1))

    def verify(self, extra_check: Callable[[Transaction], None] = lambda _transaction: None) -> AuditResult:
        """Check the whole ledger from its first entry, and call ``extra_check`` in the same transaction.

        Raises:
            LedgerError: the ledger does not hold.
        """
        with self._store.begin_read() as transaction:
            audited = audit_ledger(transaction, self._signer, full=True)
            extra_check(transaction)
        return audited

    def _catch_up(self, transaction: Transaction) -> AuditResult:
        before = self._audited
        after = replay_entries(before, transaction.read_entries(before.head.sequence))
        if transaction.get_head()[:2] != after.head[:2]:
            raise LedgerError(f"the chain is broken: entry {after.head.sequence} is missing")
        return after

    def _append_events(
        self, transaction: Transaction, audited: AuditResult, events: Sequence[ProgressiveEvent]
    ) -> AuditResult:
        """Write events as entries (raises LedgerError if an invariant would be violated)."""
        state, drafts = audited.state, []
        for event in events:
            state = apply_event(state, event)
            drafts.append(
                EntryDraft(
                    at=self._get_timestamp(),
                    actor=event.by,
                    kind=event.kind,
                    data=to_canonical_json(event.model_dump(mode="json")),
                    meter_units=state.meter_units,
                    reserve_units=state.reserve_units,
                    postings=make_ledger_postings(event),
                    contributions=list_contributions(event),
                )
            )
        for fault in find_violations(state):
            raise LedgerError(f"nothing is written, the tables are closed: {fault}")
        entries = transaction.append_entries(drafts)
        last = entries[-1] if entries else audited.head
        return AuditResult(
            state, audited.head._replace(sequence=last.sequence, hash=last.hash), audited.checked_entries
        )

    def _get_timestamp(self) -> str:
        return self._clock().isoformat(timespec="microseconds")


def _try_decide(
    state: ProgressiveState, command: ProgressiveCommand, actor: Actor
) -> tuple[str, str, tuple[ProgressiveEvent, ...]]:
    """Return the status, message and events of a command; a refusal may open an incident (P13)."""
    try:
        _verify_active_role(state, actor)
        return DONE, "", decide(state, command, actor)
    except WagerOutOfRangeError as error:
        return REFUSED, str(error), (make_incident(state, actor.name, error.table, "contribution", str(error)),)
    except ForbiddenError as error:
        return FORBIDDEN, str(error), ()
    except RefusalError as error:
        return REFUSED, str(error), ()


def _verify_active_role(state: ProgressiveState, actor: Actor) -> None:
    """Check that the actor's role has not ended or changed while the command waited for its turn."""
    member = state.staff.get(actor.name)
    if member and not (member.active and member.role is actor.role):
        raise ForbiddenError(f"{actor.name} is not {actor.role} any more: log in again")
