"""Records of trainees: their drills and answers in the tables' ledger.

The entries are append-only.  Each trainee has a stream of their own.
"""

import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from time import time_ns
from types import MappingProxyType
from typing import NamedTuple

from pitboss.core.errors import UnknownIdError
from pitboss.core.strict_model import StrictModel
from pitboss.ledger.chain import Entry, EntryDraft, find_chain_fault, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.software import get_software_id
from pitboss.ledger.store import Store, Transaction
from pitboss.table.repository import TRAINEE_PREFIX, format_time
from pitboss.table.session.terms import verify_terms
from pitboss.table.training.drills import Drill, DrillRequest, TraineeAnswer, deal_drill, draw_deal, with_new_seed
from pitboss.table.training.exams import BegunExam, Exam, ExamRequest
from pitboss.table.training.questions import UNSHOWN_CASE

_DEAL_ATTEMPTS = 20
_CACHE_SIZE = 500


class BegunDrill(StrictModel):
    """What the record says of a drill that began: its name and what it was."""

    drill: str
    asked: DrillRequest
    begun_ms: int = 0


class CaseRecord(NamedTuple):
    """A trainee's results for a case over all first answers.

    ``weak`` means that the case should be drilled again.
    """

    game: str
    case: str
    clause: str
    asked: int
    right: int
    mispaid_cents: int
    weak: bool


class _TraineeStream(NamedTuple):
    """A trainee's stream up to an entry."""

    entry_number: int = 0
    drills: Mapping[str, Drill] = MappingProxyType({})
    exams: Mapping[str, Exam] = MappingProxyType({})


def read_milliseconds() -> int:
    """Return the milliseconds since 1970."""
    return time_ns() // 1_000_000


class TraineeRecords:
    """The records of all trainees of a casino.  Safe for many threads."""

    def __init__(self, store: Store, clock: Callable[[], int] = read_milliseconds) -> None:
        """Store the records in the tables' ledger.

        ``clock`` returns the milliseconds since 1970.
        """
        self.store, self.clock = store, clock
        self._cache: OrderedDict[str, _TraineeStream] = OrderedDict()
        self._lock = Lock()

    def begin_drill(self, holder: str, request: DrillRequest, *, again: bool = False) -> str:
        """Begin a drill and return its name.

        ``again`` deals a round in which the weak cases come up.

        Raises:
            PitbossError: there is no such table, or no wagers can be placed at it.
        """
        verify_terms(request.terms)
        deal = self._choose_deal(holder, request) if again else draw_deal(request)
        deal_drill(deal)  # whatever cannot be dealt is refused before it is written
        name = secrets.token_hex(8)

        def work(transaction: Transaction) -> None:
            self._write(transaction, holder, "drill", BegunDrill(drill=name, asked=deal, begun_ms=self.clock()))

        self.store.run_write(work)
        return name

    def _choose_deal(self, holder: str, request: DrillRequest) -> DrillRequest:
        """Choose a deal with all weak cases of the game, else with most of them."""
        weak = {each.case for each in self.list_case_records(holder) if each.weak and each.game == request.game}
        if UNSHOWN_CASE in weak:
            request = request.model_copy(update={"unshown": "now"})
        best, most = with_new_seed(request), -1
        for number in range(_DEAL_ATTEMPTS):
            deal = with_new_seed(request.model_copy(update={"stacked": bool(number % 2)}))
            count = len(weak & {question.case for question in deal_drill(deal)[1]})
            if count > most:
                best, most = deal, count
            if count == len(weak):
                break
        return best

    def get_drill(self, holder: str, name: str) -> Drill:
        """Return a trainee's own drill.

        Raises:
            UnknownIdError: there is no drill of that name, or another version of the program dealt it.
        """
        with self.store.begin_read() as transaction:
            drills = self._read(transaction, holder).drills
        if name not in drills:
            raise UnknownIdError("drill", name)
        return drills[name]

    def find_last_request(self, holder: str, game: str) -> DrillRequest | None:
        """Return what a trainee's last drill of a game was, None if there is none."""
        with self.store.begin_read() as transaction:
            drills = self._read(transaction, holder).drills
        requests = [each.request for each in drills.values() if each.request.game == game]
        return requests[-1].without_deal() if requests else None

    def record_answer(self, holder: str, name: str, number: int, answer: str, cents: int = 0) -> Drill:
        """Record the answer to question ``number`` of a drill, counted from 0.

        An outdated page changes nothing.

        Raises:
            IllegalActionError: it is not one of the answers.
            UnknownIdError: there is no such drill.
        """

        def work(transaction: Transaction) -> None:
            drill = self._read(transaction, holder).drills.get(name)
            if drill and drill.remaining and number == len(drill.answers):
                self._write(transaction, holder, "answer", drill.grade_answer(answer, cents, self.clock()))

        self.store.run_write(work)
        return self.get_drill(holder, name)

    # Exams.

    def begin_exam(self, holder: str, request: ExamRequest) -> str:
        """Begin an exam and return its name.

        Raises:
            PitbossError: there is no such table, or no wagers can be placed at it.
        """
        verify_terms(request.asked.terms)
        deals = tuple(draw_deal(request.asked) for _ in range(request.rounds))
        count = sum(len(deal_drill(deal)[1]) for deal in deals)
        name = secrets.token_hex(8)

        def work(transaction: Transaction) -> None:
            begun = BegunExam(exam=name, request=request, deals=deals, question_count=count, begun_ms=self.clock())
            self._write(transaction, holder, "exam", begun)

        self.store.run_write(work)
        return name

    def list_exams(self, holder: str) -> tuple[Exam, ...]:
        """List a trainee's exams, newest first."""
        with self.store.begin_read() as transaction:
            return tuple(self._read(transaction, holder).exams.values())[::-1]

    def get_exam(self, holder: str, name: str) -> Exam:
        """Return a trainee's own exam.

        Raises:
            UnknownIdError: there is no exam of that name.
        """
        with self.store.begin_read() as transaction:
            exams = self._read(transaction, holder).exams
        if name not in exams:
            raise UnknownIdError("exam", name)
        return exams[name]

    def record_exam_answer(self, holder: str, name: str, number: int, answer: str, cents: int = 0) -> Exam:
        """Record the answer to question ``number`` of an exam, counted from 0.

        An outdated page changes nothing.

        Raises:
            IllegalActionError: it is not one of the answers.
            UnknownIdError: there is no such exam.
        """

        def work(transaction: Transaction) -> None:
            exam = self._read(transaction, holder).exams.get(name)
            if exam and exam.is_current and not exam.is_finished and number == len(exam.answers):
                self._write(transaction, holder, "answer", exam.grade_answer(answer, cents, self.clock()))

        self.store.run_write(work)
        return self.get_exam(holder, name)

    def list_case_records(self, holder: str) -> tuple[CaseRecord, ...]:
        """List a trainee's results by game and case.

        A case is weak if it went wrong in the last round that had it.  An exam counts once it is finished.
        """
        with self.store.begin_read() as transaction:
            entries = transaction.read_stream(_get_stream_name(holder))
            exams = self._read(transaction, holder).exams
        answers = [TraineeAnswer.model_validate_json(entry.data) for _, entry in entries if entry.kind == "answer"]
        running = {name for name, exam in exams.items() if not exam.is_finished}
        answers = [answer for answer in answers if answer.drill not in running]
        cases: dict[tuple[str, str], list[TraineeAnswer]] = {}
        for answer in answers:
            if answer.first:
                cases.setdefault((answer.game, answer.case), []).append(answer)
        return tuple(_summarize_case(each) for _, each in sorted(cases.items()))

    # The stream.

    def _read(self, transaction: Transaction, holder: str) -> _TraineeStream:
        known = self._cache.get(holder, _TraineeStream())
        drills, exams = dict(known.drills), dict(known.exams)
        entries = transaction.read_stream(_get_stream_name(holder), known.entry_number)
        for _, entry in entries:
            _apply_entry(drills, exams, entry)
        stream = _TraineeStream(entries[-1][0] if entries else known.entry_number, drills, exams)
        with self._lock:
            self._cache[holder] = stream
            self._cache.move_to_end(holder)
            if len(self._cache) > _CACHE_SIZE:
                self._cache.popitem(last=False)
        return stream

    def _write(self, transaction: Transaction, holder: str, kind: str, data: StrictModel) -> None:
        number = self._read(transaction, holder).entry_number + 1
        self._append(transaction, holder, _get_stream_name(holder), number, kind, data)

    def _append(
        self, transaction: Transaction, holder: str, stream: str, number: int, kind: str, data: StrictModel
    ) -> None:
        at = format_time(self.clock() // 1_000)
        draft = EntryDraft(at, holder, kind, to_canonical_json(data.model_dump()), 0, 0)
        entry = transaction.append_entries([draft])[0]
        transaction.append_to_stream(stream, number, entry.sequence, is_snapshot=False)

    # What is in a trainee's stream and in another one, as of a class.

    def append_shared(
        self, transaction: Transaction, holder: str, stream: str, number: int, kind: str, data: StrictModel
    ) -> None:
        """Append an entry to a trainee's stream, and the same to another one.

        ``number`` is its number there.
        """
        self._write(transaction, holder, kind, data)
        self._append(transaction, holder, stream, number, kind, data)

    def read_classes(self, transaction: Transaction, holder: str, kind: str) -> tuple[str, ...]:
        """Return the codes of the classes in a trainee's entries of a kind."""
        entries = transaction.read_stream(_get_stream_name(holder))
        return tuple(json.loads(entry.data)["code"] for _, entry in entries if entry.kind == kind)


def _get_stream_name(holder: str) -> str:
    return f"{TRAINEE_PREFIX}{holder}"


def _apply_entry(drills: dict[str, Drill], exams: dict[str, Exam], entry: Entry) -> None:
    """Apply an entry, but drop a drill of another version of the program.

    Another version might ask other questions.
    """
    if find_chain_fault(entry, entry.sequence, entry.previous):
        raise LedgerError(
            f"entry {entry.sequence} is not what was written", code="entry-changed", sequence=entry.sequence
        )
    is_current = entry.software == get_software_id()
    if entry.kind == "exam":
        started = BegunExam.model_validate_json(entry.data)
        exams[started.exam] = Exam(started, entry.at, is_current)
        return
    if entry.kind == "drill":
        if is_current:
            begun = BegunDrill.model_validate_json(entry.data)
            drills[begun.drill] = Drill(begun.drill, begun.asked, begun_ms=begun.begun_ms)
        return
    if entry.kind != "answer":
        return
    answer = TraineeAnswer.model_validate_json(entry.data)
    if answer.drill in exams:
        exam = exams[answer.drill]
        exams[answer.drill] = replace(exam, answers=(*exam.answers, answer))
    if answer.drill in drills:
        drill = drills[answer.drill]
        drills[answer.drill] = replace(drill, answers=(*drill.answers, answer))


def _summarize_case(answers: Sequence[TraineeAnswer]) -> CaseRecord:
    last = [answer for answer in answers if answer.drill == answers[-1].drill]
    return CaseRecord(
        answers[-1].game,
        answers[-1].case,
        answers[-1].clause,
        len(answers),
        sum(answer.right for answer in answers),
        sum(abs(answer.mispaid_cents) for answer in answers),
        weak=not all(answer.right for answer in last),
    )
