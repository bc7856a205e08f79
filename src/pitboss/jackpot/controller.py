"""The controller: commands in, each decided on what the ledger says and written whole, with its first answer.

Whoever is not answered asks again with the same key, and is given the first answer.
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
"""Who reports what is found at a start: nobody with a role."""

CHECKPOINT_EVERY = 1_000
"""So many entries are checked at a start at most, or little more."""


def get_utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def _describe_software_change(state: ProgressiveState) -> str:
    """Say that another program runs than the one that was accepted, by the beginnings of their digests."""
    accepted = _shorten_digest(state.software) or "none yet"
    return f"this is pitboss {_shorten_digest(get_software_id())}, accepted is {accepted}"


def _shorten_digest(program: str) -> str:
    version, _, digest = program.partition(" ")
    return f"{version} {digest[:12]}".strip()


def _is_software_signature(state: ProgressiveState, command: ProgressiveCommand) -> bool:
    """Return whether a command signs the incident of the program that runs: all that it may do before."""
    return (
        isinstance(command, SignIncident)
        and command.incident in state.incidents
        and state.incidents[command.incident].software == get_software_id()
    )


class CommandOutcome(NamedTuple):
    """What came of a command: its events, the state after all that is known, and whether it was done before."""

    events: tuple[ProgressiveEvent, ...]
    state: ProgressiveState
    is_repeat: bool


class Controller:
    """A progressive in its ledger.  Threads may share one: what it knows is replaced whole."""

    def __init__(self, store: Store, signer: Signer, clock: Clock = get_utc_now) -> None:
        """Start: check the ledger, and stay closed where it does not hold.

        Raises:
            LedgerError: it cannot be reached or does not hold.
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
        now = audit_ledger(transaction, self._signer)
        if now.checked_entries >= CHECKPOINT_EVERY:  # no other process was faster
            transaction.append_checkpoint(make_checkpoint(now, self._signer))
        return now

    def _is_software_accepted(self, state: ProgressiveState) -> bool:
        return state.software == get_software_id()

    def _report_software_change(self, transaction: Transaction) -> AuditResult:
        """Report that this is not the program that was accepted, once (P15)."""
        now = self._catch_up(transaction)
        if self._is_software_accepted(now.state) or any(
            each.software == get_software_id() for each in now.state.incidents.values()
        ):
            return now
        opened = make_incident(now.state, SYSTEM_ACTOR, 0, "software", _describe_software_change(now.state))
        return self._append_events(transaction, now, (opened.model_copy(update={"software": get_software_id()}),))

    @property
    def state(self) -> ProgressiveState:
        """The progressive as it was when this controller last looked."""
        return self._audited.state

    @cached_property
    def first_hash(self) -> str:
        """The hash of the ledger's first entry, by which one progressive is told from another."""
        with self._store.begin_read() as transaction:
            first = next(iter(transaction.read_entries()), None)
        return first.hash if first else ""

    @property
    def head(self) -> LedgerHead:
        """The head of the chain that this state belongs to."""
        return self._audited.head

    def refresh(self) -> ProgressiveState:
        """Look what others have done.

        Raises:
            LedgerError: the ledger cannot be reached, or an entry is not what was written.
        """
        known = self._audited  # another thread may put a later one there meanwhile
        with self._store.begin_read() as transaction:
            now = replay_entries(known, transaction.read_entries(known.head.sequence))
        self._audited = now
        return now.state

    def create(self, settings: Settings, executive: str) -> ProgressiveState:
        """Set up the progressive with its first executive.

        Raises:
            RefusalError: there is one already.
        """

        def work(transaction: Transaction) -> AuditResult:
            now = self._catch_up(transaction)
            return self._append_events(transaction, now, create(now.state, settings, executive, get_software_id()))

        self._audited = self._store.run_write(work)
        return self._audited.state

    def execute(self, command: ProgressiveCommand, actor: Actor, key: str) -> CommandOutcome:
        """Do a command once, whatever number of times it comes with this key.

        Raises:
            ForbiddenError: the actor may not.
            RefusalError: it is not allowed now, or its key was used for another command.
            LedgerError: the ledger cannot be reached or does not hold: the tables are closed.
        """
        asked = compute_digest(to_canonical_json({"actor": actor.name, "command": command.model_dump(mode="json")}))

        def work(transaction: Transaction) -> tuple[AuditResult, CommandAnswer, tuple[ProgressiveEvent, ...] | None]:
            now = self._catch_up(transaction)
            known = transaction.find_answer(key)
            if known:
                return now, known, None
            if not self._is_software_accepted(now.state) and not _is_software_signature(now.state, command):
                raise LedgerError(
                    f"the tables are closed: {_describe_software_change(now.state)}; two people must close its incident"
                )
            status, message, events = _try_decide(now.state, command, actor)
            after = self._append_events(transaction, now, events)
            first = now.head.sequence + 1 if events else 0
            last = after.head.sequence if events else 0
            answer = CommandAnswer(
                0, key, asked, self._get_timestamp(), actor.name, status, message, first, last, "", ""
            )
            return after, transaction.append_answer(answer), events

        now, answer, fresh = self._store.run_write(work)
        self._audited = now
        if answer.command != asked:
            raise RefusalError(f"key {key!r} was used for another command: choose a new one")
        if answer.status != DONE:
            raise (ForbiddenError if answer.status == FORBIDDEN else RefusalError)(answer.message)
        events = self.load_events(answer.first, answer.last) if fresh is None else fresh
        return CommandOutcome(events, now.state, fresh is None)

    def load_events(self, first: int, last: int) -> tuple[ProgressiveEvent, ...]:
        """Return the events of some entries."""
        with self._store.begin_read() as transaction:
            entries = transaction.read_entries(first - 1)
            return tuple(parse_event(next(entries).data) for _ in range(first, last + 1))

    def verify(self, extra_check: Callable[[Transaction], None] = lambda _transaction: None) -> AuditResult:
        """Check the whole ledger from its first entry on, and whatever ``extra_check`` checks.

        Raises:
            LedgerError: it does not hold.
        """
        with self._store.begin_read() as transaction:
            now = audit_ledger(transaction, self._signer, full=True)
            extra_check(transaction)
        return now

    def _catch_up(self, transaction: Transaction) -> AuditResult:
        known = self._audited
        now = replay_entries(known, transaction.read_entries(known.head.sequence))
        if transaction.get_head()[:2] != now.head[:2]:
            raise LedgerError(f"the chain is broken: entry {now.head.sequence} is missing")
        return now

    def _append_events(
        self, transaction: Transaction, audited: AuditResult, events: Sequence[ProgressiveEvent]
    ) -> AuditResult:
        """Write events as entries, unless a figure would no longer hold."""
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
    """Return how a command ends, what is said of it, and what follows; a refusal may raise a fault (P13)."""
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
    """Check that nobody's role has ended or changed since he proved it, as his command may have waited for its turn."""
    member = state.staff.get(actor.name)
    if member and not (member.active and member.role is actor.role):
        raise ForbiddenError(f"{actor.name} is not {actor.role} any more: log in again")
