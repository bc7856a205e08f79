"""The controller: commands in, each decided on what the ledger says and written whole, with its first answer.

Whoever is not answered asks again with the same key, and is given the first answer.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple

from pitboss.jackpot.audit import Audited, audited, checkpoint_of, followed, moved, taken
from pitboss.jackpot.changes import incident
from pitboss.jackpot.checks import faults
from pitboss.jackpot.commands import Command, Sign
from pitboss.jackpot.decide import decide, found
from pitboss.jackpot.events import Event, event_of
from pitboss.jackpot.refusal import ForbiddenError, RefusalError, UnreasonableError
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import State, apply
from pitboss.ledger.chain import Answer, Draft, Head, canonical, digest
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.software import software
from pitboss.ledger.store import Store, Transaction

Clock = Callable[[], datetime]

DONE, REFUSED, FORBIDDEN = "done", "refused", "forbidden"
STARTED_BY = "pitboss"
"""Who reports what is found at a start: nobody with a role."""

CHECKPOINT_EVERY = 1_000
"""So many entries are checked at a start at most, or little more."""


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def _changed(state: State) -> str:
    """Say that another program runs than the one that was accepted, by the beginnings of their digests."""
    return f"this is pitboss {_short(software())}, accepted is {_short(state.software) or 'none yet'}"


def _short(program: str) -> str:
    version, _, digest = program.partition(" ")
    return f"{version} {digest[:12]}".strip()


def _accepts(state: State, command: Command) -> bool:
    """Return whether a command signs the incident of the program that runs: all that it may do before."""
    return (
        isinstance(command, Sign)
        and command.incident in state.incidents
        and state.incidents[command.incident].software == software()
    )


class Outcome(NamedTuple):
    """What came of a command: its events, the state after all that is known, and whether it was done before."""

    events: tuple[Event, ...]
    state: State
    repeated: bool


class Controller:
    """A progressive in its ledger.  Threads may share one: what it knows is replaced whole."""

    def __init__(self, store: Store, signer: Signer, clock: Clock = utc_now) -> None:
        """Start: check the ledger, and stay closed where it does not hold.

        Raises:
            LedgerError: it cannot be reached or does not hold.
        """
        self._store = store
        self._signer = signer
        self._clock = clock
        with store.reading() as transaction:
            self._now = audited(transaction, signer)
        if self._now.checked >= CHECKPOINT_EVERY:
            self._now = store.writing(self._with_checkpoint)
        if self._now.state.entries and not self._accepted(self._now.state):
            self._now = store.writing(self._with_incident)

    def _with_checkpoint(self, transaction: Transaction) -> Audited:
        now = audited(transaction, self._signer)
        if now.checked >= CHECKPOINT_EVERY:  # no other process was faster
            transaction.keep_checkpoint(checkpoint_of(now, self._signer))
        return now

    def _accepted(self, state: State) -> bool:
        return state.software == software()

    def _with_incident(self, transaction: Transaction) -> Audited:
        """Report that this is not the program that was accepted, once (P15)."""
        now = self._caught_up(transaction)
        if self._accepted(now.state) or any(each.software == software() for each in now.state.incidents.values()):
            return now
        opened = incident(now.state, STARTED_BY, 0, "software", _changed(now.state))
        return self._written(transaction, now, (opened.model_copy(update={"software": software()}),))

    @property
    def state(self) -> State:
        """The progressive as it was when this controller last looked."""
        return self._now.state

    @cached_property
    def beginning(self) -> str:
        """The hash of the ledger's first entry, by which one progressive is told from another."""
        with self._store.reading() as transaction:
            first = next(iter(transaction.entries()), None)
        return first.hash if first else ""

    @property
    def head(self) -> Head:
        """The head of the chain that this state belongs to."""
        return self._now.head

    def refresh(self) -> State:
        """Look what others have done.

        Raises:
            LedgerError: the ledger cannot be reached, or an entry is not what was written.
        """
        known = self._now  # another thread may put a later one there meanwhile
        with self._store.reading() as transaction:
            now = followed(known, transaction.entries(known.head.sequence))
        self._now = now
        return now.state

    def found(self, settings: Settings, executive: str) -> State:
        """Set up the progressive with its first executive.

        Raises:
            RefusalError: there is one already.
        """

        def work(transaction: Transaction) -> Audited:
            now = self._caught_up(transaction)
            return self._written(transaction, now, found(now.state, settings, executive, software()))

        self._now = self._store.writing(work)
        return self._now.state

    def do(self, command: Command, actor: Actor, key: str) -> Outcome:
        """Do a command once, whatever number of times it comes with this key.

        Raises:
            ForbiddenError: the actor may not.
            RefusalError: it is not allowed now, or its key was used for another command.
            LedgerError: the ledger cannot be reached or does not hold: the tables are closed.
        """
        asked = digest(canonical({"actor": actor.name, "command": command.model_dump(mode="json")}))

        def work(transaction: Transaction) -> tuple[Audited, Answer, tuple[Event, ...] | None]:
            now = self._caught_up(transaction)
            known = transaction.answer(key)
            if known:
                return now, known, None
            if not self._accepted(now.state) and not _accepts(now.state, command):
                raise LedgerError(f"the tables are closed: {_changed(now.state)}; two people must close its incident")
            status, message, events = _decided(now.state, command, actor)
            after = self._written(transaction, now, events)
            first = now.head.sequence + 1 if events else 0
            last = after.head.sequence if events else 0
            answer = Answer(0, key, asked, self._time(), actor.name, status, message, first, last, "", "")
            return after, transaction.keep_answer(answer), events

        now, answer, fresh = self._store.writing(work)
        self._now = now
        if answer.command != asked:
            raise RefusalError(f"key {key!r} was used for another command: choose a new one")
        if answer.status != DONE:
            raise (ForbiddenError if answer.status == FORBIDDEN else RefusalError)(answer.message)
        events = self.events(answer.first, answer.last) if fresh is None else fresh
        return Outcome(events, now.state, fresh is None)

    def events(self, first: int, last: int) -> tuple[Event, ...]:
        """Return the events of some entries."""
        with self._store.reading() as transaction:
            entries = transaction.entries(first - 1)
            return tuple(event_of(next(entries).data) for _ in range(first, last + 1))

    def verify(self, known: Callable[[Transaction], None] = lambda _transaction: None) -> Audited:
        """Check the whole ledger from its first entry on, and whatever ``known`` checks.

        Raises:
            LedgerError: it does not hold.
        """
        with self._store.reading() as transaction:
            now = audited(transaction, self._signer, whole=True)
            known(transaction)
        return now

    def _caught_up(self, transaction: Transaction) -> Audited:
        known = self._now
        now = followed(known, transaction.entries(known.head.sequence))
        if transaction.head()[:2] != now.head[:2]:
            raise LedgerError(f"the chain is broken: entry {now.head.sequence} is missing")
        return now

    def _written(self, transaction: Transaction, now: Audited, events: Sequence[Event]) -> Audited:
        """Write events as entries, unless a figure would no longer hold."""
        state, drafts = now.state, []
        for event in events:
            state = apply(state, event)
            drafts.append(
                Draft(
                    at=self._time(),
                    actor=event.by,
                    kind=event.kind,
                    data=canonical(event.model_dump(mode="json")),
                    meter_units=state.meter_units,
                    reserve_units=state.reserve_units,
                    postings=moved(event),
                    contributions=taken(event),
                )
            )
        for fault in faults(state):
            raise LedgerError(f"nothing is written, the tables are closed: {fault}")
        entries = transaction.append(drafts)
        last = entries[-1] if entries else now.head
        return Audited(state, now.head._replace(sequence=last.sequence, hash=last.hash), now.checked)

    def _time(self) -> str:
        return self._clock().isoformat(timespec="microseconds")


def _decided(state: State, command: Command, actor: Actor) -> tuple[str, str, tuple[Event, ...]]:
    """Return how a command ends, what is said of it, and what follows; a refusal may raise a fault (P13)."""
    try:
        _verify_standing(state, actor)
        return DONE, "", decide(state, command, actor)
    except UnreasonableError as error:
        return REFUSED, str(error), (incident(state, actor.name, error.table, "contribution", str(error)),)
    except ForbiddenError as error:
        return FORBIDDEN, str(error), ()
    except RefusalError as error:
        return REFUSED, str(error), ()


def _verify_standing(state: State, actor: Actor) -> None:
    """Check that nobody's role has ended or changed since he proved it, as his command may have waited for its turn."""
    member = state.staff.get(actor.name)
    if member and not (member.active and member.role is actor.role):
        raise ForbiddenError(f"{actor.name} is not {actor.role} any more: log in again")
