"""Records of trainees: their drills and answers in the tables' ledger.

The entries are append-only.  Each trainee has a stream of their own.
"""

import json
import secrets
from collections import Counter, OrderedDict
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
from pitboss.table.training.drills import Drill, DrillRequest, deal_drill, draw_deals
from pitboss.table.training.exams import (
    CertificateEntry,
    Exam,
    ExamBegun,
    ExamRequest,
    carry_meter,
    count_whole_questions,
)
from pitboss.table.training.grading import TraineeAnswer

CERTIFICATE_PREFIX = "certificate/"
"""The prefix of the names of certificates' streams."""

_CACHE_SIZE = 500


class DrillBegun(StrictModel):
    """A drill began; ``asked`` is what is dealt and asked in it."""

    drill: str
    asked: DrillRequest
    begun_ms: int = 0


class ClauseCount(NamedTuple):
    """How often questions of a clause were asked, and answered rightly."""

    clause: str
    asked: int
    right: int


class CaseRecord(NamedTuple):
    """A trainee's results for a case over all first answers.

    ``clauses`` are those by which its questions were decided.  ``mispaid_cents`` is 0 where no chips were asked about,
    which ``is_about_chips`` says.  ``weak`` means that the case should be drilled again.
    """

    game: str
    case: str
    clauses: tuple[ClauseCount, ...]
    asked: int
    right: int
    mispaid_cents: int
    is_about_chips: bool
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

    def begin_drill(
        self, holder: str, request: DrillRequest, *, again: bool = False, deal: DrillRequest | None = None
    ) -> str:
        """Begin a drill and return its name.

        Its deal is drawn here unless it is given; ``again`` draws one in which the weak cases come up.

        Raises:
            PitbossError: there is no such table, or no wagers can be placed at it.
        """
        verify_terms(request.terms)
        weak = self.find_weak_cases(holder, request.game) if again else frozenset[str]()
        chosen = deal or draw_deals(request, 1, weak)[0]
        deal_drill(chosen)  # whatever cannot be dealt is refused before it is written
        name = secrets.token_hex(8)

        def work(transaction: Transaction) -> None:
            self._write(transaction, holder, "drill", DrillBegun(drill=name, asked=chosen, begun_ms=self.clock()))

        self.store.run_write(work)
        return name

    def find_weak_cases(self, holder: str, game: str) -> frozenset[str]:
        """Find the cases of a game that went wrong in the last round that had them."""
        return frozenset(each.case for each in self.list_case_records(holder) if each.weak and each.game == game)

    def get_drill(self, holder: str, name: str) -> Drill:
        """Return a trainee's own drill.

        Raises:
            UnknownIdError: there is no drill of that name, or another version of the program dealt it.
        """
        with self.store.begin_read() as transaction:
            drill = self._read(transaction, holder).drills.get(name)
        if drill is None or not drill.is_current:
            raise UnknownIdError("drill", name)
        return drill

    def list_drills(self, holder: str) -> tuple[Drill, ...]:
        """List a trainee's drills, newest first, those of other versions too."""
        with self.store.begin_read() as transaction:
            return tuple(self._read(transaction, holder).drills.values())[::-1]

    def find_last_request(self, holder: str, game: str) -> DrillRequest | None:
        """Return what a trainee's last drill of a game was, None if there is none."""
        with self.store.begin_read() as transaction:
            drills = self._read(transaction, holder).drills
        requests = [each.request for each in drills.values() if each.is_current and each.request.game == game]
        return requests[-1].without_deal() if requests else None

    def record_answer(self, holder: str, name: str, number: int, answer: str, cents: int = 0, cut: str = "") -> None:
        """Record the answer to question ``number`` of a drill or an exam, counted from 0.

        ``cut`` are the chips of the amount.  An outdated page changes nothing, and neither does an answer after the
        time of an exam.

        Raises:
            IllegalActionError: it is not one of the answers.
            UnknownIdError: there is no such drill or exam.
        """

        def work(transaction: Transaction) -> bool:
            stream, now_ms = self._read(transaction, holder), self.clock()
            drill = stream.drills.get(name)
            course = drill if drill and drill.is_current else stream.exams.get(name)
            if course and course.is_open(now_ms) and number == len(course.answers):
                self._write(transaction, holder, "answer", course.grade_answer(answer, cents, now_ms, cut))
            return course is not None

        if not self.store.run_write(work):
            raise UnknownIdError("drill", name)

    # Exams.

    def begin_exam(self, holder: str, request: ExamRequest, deals: tuple[DrillRequest, ...] = ()) -> str:
        """Begin an exam and return its name.

        Its deals are drawn here unless they are given.

        Raises:
            PitbossError: there is no such table, or no wagers can be placed at it.
        """
        verify_terms(request.asked.terms)
        chosen = carry_meter(deals or draw_deals(request.asked, request.rounds))
        count, whole_count = sum(len(deal_drill(deal)[1]) for deal in chosen), count_whole_questions(chosen)
        name, limit_ms = secrets.token_hex(8), request.asked.standard.compute_limit_ms(request.rounds)

        def work(transaction: Transaction) -> None:
            now_ms = self.clock()
            begun = ExamBegun(
                exam=name,
                request=request,
                deals=chosen,
                question_count=count,
                begun_ms=now_ms,
                deadline_ms=now_ms + limit_ms,
                whole_count=whole_count,
            )
            self._write(transaction, holder, "exam", begun)
            certificate = CertificateEntry(exam=name)
            self._append(transaction, holder, f"{CERTIFICATE_PREFIX}{name}", 1, "certificate", certificate)

        self.store.run_write(work)
        return name

    def get_certificate(self, name: str) -> Exam:
        """Return a finished exam to anybody who knows its name.

        Raises:
            UnknownIdError: no finished exam has that name.
        """
        with self.store.begin_read() as transaction:
            entries = transaction.read_stream(f"{CERTIFICATE_PREFIX}{name}")
        exam = self.get_exam(entries[0][1].actor, name) if entries else None
        if exam is None or not exam.is_finished:
            raise UnknownIdError("certificate", name)
        return exam

    def list_exams(self, holder: str) -> tuple[Exam, ...]:
        """List a trainee's exams, newest first."""
        with self.store.begin_read() as transaction:
            exams = self._read(transaction, holder).exams.values()
        now_ms = self.clock()
        return tuple(replace(each, seen_ms=now_ms) for each in exams)[::-1]

    def get_exam(self, holder: str, name: str) -> Exam:
        """Return a trainee's own exam.

        Raises:
            UnknownIdError: there is no exam of that name.
        """
        with self.store.begin_read() as transaction:
            exams = self._read(transaction, holder).exams
        if name not in exams:
            raise UnknownIdError("exam", name)
        return replace(exams[name], seen_ms=self.clock())

    def list_case_records(self, holder: str) -> tuple[CaseRecord, ...]:
        """List a trainee's results by game and case.

        A case is weak if it went wrong in the last round that had it.  An exam counts once it is finished.
        """
        with self.store.begin_read() as transaction:
            entries = transaction.read_stream(_get_stream_name(holder))
            exams = self._read(transaction, holder).exams.values()
        answers = [TraineeAnswer.model_validate_json(entry.data) for _, entry in entries if entry.kind == "answer"]
        now_ms = self.clock()
        running = {each.name for each in exams if each.unanswered and not each.is_late(now_ms)}
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
    """Apply an entry, and mark what another version of the program began.

    Another version might ask other questions.
    """
    if find_chain_fault(entry, entry.sequence, entry.previous):
        raise LedgerError(
            f"entry {entry.sequence} is not what was written", code="entry-changed", sequence=entry.sequence
        )
    is_current = entry.software == get_software_id()
    match entry.kind:
        case "exam":
            started = ExamBegun.model_validate_json(entry.data)
            exams[started.exam] = Exam(started, entry.at, is_current)
        case "drill":
            begun = DrillBegun.model_validate_json(entry.data)
            drills[begun.drill] = Drill(begun.drill, begun.asked, begun_ms=begun.begun_ms, is_current=is_current)
        case "answer":
            answer = TraineeAnswer.model_validate_json(entry.data)
            if exam := exams.get(answer.drill):
                exams[answer.drill] = replace(exam, answers=(*exam.answers, answer))
            if drill := drills.get(answer.drill):
                drills[answer.drill] = replace(drill, answers=(*drill.answers, answer))


def _summarize_case(answers: Sequence[TraineeAnswer]) -> CaseRecord:
    last = [answer for answer in answers if answer.drill == answers[-1].drill]
    return CaseRecord(
        answers[-1].game,
        answers[-1].case,
        _count_clauses(answers),
        len(answers),
        sum(answer.right for answer in answers),
        sum(abs(answer.mispaid_cents) for answer in answers),
        any(answer.is_about_chips for answer in answers),
        weak=not all(answer.right for answer in last),
    )


def _count_clauses(answers: Sequence[TraineeAnswer]) -> tuple[ClauseCount, ...]:
    """Count answers by clause, the clauses with the most errors first."""
    asked = Counter(answer.clause for answer in answers)
    right = Counter(answer.clause for answer in answers if answer.right)
    counts = (ClauseCount(clause, count, right[clause]) for clause, count in asked.items())
    return tuple(sorted(counts, key=lambda each: each.right - each.asked))
