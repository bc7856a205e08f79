"""Commands executed once: each is written in one transaction with its answer.

A command is decided on the stored state.  A client that gets no answer repeats it with the same key and is given the
first answer.  A command may come with a proof of who gives it, whose use is recorded in the same transaction: so a
crash leaves both done or neither.  Commands that wait for the database at the same time share one transaction, in their
order (group commit); the database's lock keeps out writers of other processes.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Condition
from typing import Any, Generic, NamedTuple, TypeVar

from pitboss.core.errors import PitbossError, quote
from pitboss.ledger.chain import CommandAnswer, compute_digest, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction

DONE, REFUSED, FORBIDDEN = "done", "refused", "forbidden"

State = TypeVar("State")


class ProofResult(NamedTuple):
    """The result of checking a proof: a refusal, or notes to keep with the answer.

    What the check writes is kept in both cases.
    """

    refusal: PitbossError | None = None
    notes: Mapping[str, object] = {}


ProofCheck = Callable[[Transaction, CommandAnswer | None], ProofResult]
"""Checks a proof in the transaction of its command; it is given the first answer if the command is a repeat."""


class LoggedCommand(NamedTuple):
    """A command: its key, its giver, its content, its subject, and a proof's check.

    ``verify`` raises if the command may not be given at all: then nothing is kept under its key.
    """

    key: str
    by: str
    content: Mapping[str, object]
    subject: str = ""
    admit: ProofCheck | None = None
    verify: Callable[[], None] = lambda: None


class CommandEffect(NamedTuple, Generic[State]):
    """What a command did: the state after it, its first and last entry, its output.

    Without entries both numbers are 0.  ``refusal`` is the error of a command that was refused although it wrote
    entries.  ``notes`` are kept with the answer, for its repeats.
    """

    state: State
    first: int = 0
    last: int = 0
    output: Any = None
    refusal: PitbossError | None = None
    notes: Mapping[str, object] = {}


class LoggedResult(NamedTuple, Generic[State]):
    """A command's latest state, its answer, and its effect (None for a repeat)."""

    state: State
    answer: CommandAnswer
    effect: CommandEffect[State] | None


@dataclass(eq=False)
class _PendingWork:
    """Holds a job that waits for a transaction, and its result."""

    work: Callable[[Transaction, dict[str, Any]], Any]
    result: Any = None
    error: PitbossError | None = None
    is_done: bool = False


class CommandLog(Generic[State]):
    """Executes commands on states, named by their subjects.  Safe for many threads."""

    def __init__(
        self,
        store: Store,
        load: Callable[[Transaction, str, State | None], State],
        keep: Callable[[str, State], None],
        get_timestamp: Callable[[], str],
        *,
        refused: type[PitbossError],
        forbidden: type[PitbossError],
        finish: Callable[[Transaction, State], State] = lambda _transaction, state: state,
    ) -> None:
        """Load states, after uncommitted commands too, and keep those that were written.

        ``refused`` and ``forbidden`` are the errors of commands that are not executed; the latter is one of the former.
        ``finish`` is called at the end of each transaction with each state, and returns the one to keep.
        """
        self._store, self._load, self._keep, self._get_timestamp = store, load, keep, get_timestamp
        self._refused, self._forbidden, self._finish = refused, forbidden, finish
        self._jobs: list[_PendingWork] = []
        self._busy = False
        self._condition = Condition()

    def execute(
        self, command: LoggedCommand, decide: Callable[[Transaction, State, str], CommandEffect[State]]
    ) -> LoggedResult[State]:
        """Execute a command once, however often it comes with this key.

        ``decide`` is given the transaction, the subject's state and the time.

        Raises:
            PitbossError: of the type ``refused``: it is not allowed, now or when this key first came, or the key was
                used for another command; or what its proof is refused with.
            LedgerError: the ledger cannot be reached or does not hold: nothing was done.
        """
        digest = compute_digest(to_canonical_json(command.content))

        def work(transaction: Transaction, state: State) -> tuple[State, LoggedResult[State] | PitbossError]:
            first_answer = transaction.find_answer(command.key)
            if first_answer is None:
                try:
                    command.verify()
                except self._refused as error:
                    return state, error
            proof_result = command.admit(transaction, first_answer) if command.admit else ProofResult()
            if proof_result.refusal:
                return state, proof_result.refusal  # what the check has counted is written
            if first_answer:
                return state, LoggedResult(state, first_answer, None)
            at = max(self._get_timestamp(), transaction.get_last_time())  # the clock may have been set back
            status, effect = self._try_decide(lambda: decide(transaction, state, at), state)
            message = _write_message(effect.refusal, {**effect.notes, **proof_result.notes})
            answer = CommandAnswer(
                0, command.key, digest, at, command.by, status, message, effect.first, effect.last, "", ""
            )
            return effect.state, LoggedResult(effect.state, transaction.append_answer(answer), effect)

        result: LoggedResult[State] | PitbossError = self.run(command.subject, work)
        if isinstance(result, PitbossError):
            raise result
        if result.answer.command != digest:
            message = f"key {quote(command.key)} was used for another command: choose a new one"
            raise self._refused(message, code="key-used", key=command.key)
        if result.answer.status != DONE:
            kind = self._forbidden if result.answer.status == FORBIDDEN else self._refused
            raise _read_refusal(result.answer.message, kind)
        return result

    def _try_decide(self, decide: Callable[[], CommandEffect[State]], state: State) -> tuple[str, CommandEffect[State]]:
        try:
            effect = decide()
        except LedgerError:
            raise
        except PitbossError as error:
            status = FORBIDDEN if isinstance(error, self._forbidden) else REFUSED
            return status, CommandEffect(state, refusal=error)
        return REFUSED if effect.refusal else DONE, effect

    def run(self, subject: str, work: Callable[[Transaction, State], tuple[State, Any]]) -> Any:
        """Run a job without a key on a subject's state, and return its result.

        ``work`` returns the state after it and its result; it shares a transaction with all jobs that wait for one.

        Raises:
            PitbossError: the job or the ledger failed: nothing was written.
        """

        def load_and_work(transaction: Transaction, fresh: dict[str, State]) -> Any:
            state = self._load(transaction, subject, fresh.get(subject))
            fresh[subject], result = work(transaction, state)
            return result

        mine, waiting = _PendingWork(load_and_work), tuple[_PendingWork, ...]()
        with self._condition:
            self._jobs.append(mine)
            # A thread whose job is done leaves at once; it does not wait for later jobs.
            self._condition.wait_for(lambda: mine.is_done or not self._busy)
            if not mine.is_done:
                waiting, self._jobs, self._busy = tuple(dict.fromkeys((*self._jobs, mine))), [], True
        if waiting:
            try:
                self._transact(waiting)
            finally:
                with self._condition:
                    self._busy = False
                    self._condition.notify_all()
        if mine.error:
            raise mine.error
        return mine.result

    def _transact(self, jobs: Sequence[_PendingWork]) -> None:
        """Run jobs in one transaction; if one of them fails, run each in its own."""

        def run_all(transaction: Transaction) -> tuple[dict[str, State], list[Any]]:
            fresh: dict[str, State] = {}
            results = [job.work(transaction, fresh) for job in jobs]
            return {subject: self._finish(transaction, state) for subject, state in fresh.items()}, results

        try:
            fresh, results = self._store.run_write(run_all)
        except PitbossError as error:
            if len(jobs) > 1:
                for job in jobs:
                    self._transact((job,))
                return
            jobs[0].error = error
        else:
            for subject, state in fresh.items():
                self._keep(subject, state)
            for job, result in zip(jobs, results, strict=True):
                job.result = result
        for job in jobs:
            job.is_done = True


def _write_message(refusal: PitbossError | None, notes: Mapping[str, object]) -> str:
    """Write what an answer keeps: notes, and a refusal for people and programs."""
    written = {"code": refusal.code, "fields": refusal.fields, "message": str(refusal)} if refusal else {}
    return to_canonical_json({**notes, **written}) if notes or written else ""


def read_notes(answer: CommandAnswer) -> dict[str, Any]:
    """Return the notes of an answer; there are none in those of earlier versions."""
    try:
        document = json.loads(answer.message) if answer.message else {}
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _read_refusal(written: str, kind: type[PitbossError]) -> PitbossError:
    """Read a refusal from an answer; version 0.1 kept its message alone."""
    try:
        document = json.loads(written)
    except ValueError:
        return kind(written)
    return kind(document["message"], code=document["code"], **document["fields"])
