"""Records of trainees: their drills and answers in the tables' ledger.

The entries are append-only.  Each trainee has a stream of their own.  A drill is stored as its seed: the round and its
questions are dealt again from it, so a restart continues at the same question.  An answer is stored with its question,
so later versions can read it.
"""

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from time import time
from types import MappingProxyType
from typing import Literal, NamedTuple

from pitboss.cards import draw_below, seeded_bits
from pitboss.core.errors import IllegalActionError, UnknownIdError
from pitboss.core.money import format_cents
from pitboss.core.strict_model import StrictModel
from pitboss.ledger.chain import Entry, EntryDraft, find_chain_fault, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.software import get_software_id
from pitboss.ledger.store import Store, Transaction
from pitboss.table.repository import TRAINEE_PREFIX, format_time
from pitboss.table.round import Round
from pitboss.table.session.terms import TableTerms, verify_terms
from pitboss.table.training.questions import UNSHOWN_CASE, ChipAction, DealerQuestion, build_questions
from pitboss.table.training.rounds import deal_training_round, open_training_round

UNSHOWN_ONE_IN = 3
"""One round in this many has an unshown hand, if the drill allows it."""

_DEAL_ATTEMPTS = 20
_CACHE_SIZE = 500

KeySystem = Literal["keypad", "display"]


class DrillRequest(StrictModel):
    """The request for a drill at a table of these terms, which ``seed`` deals.

    ``unshown`` says whether a hand may go unshown ("may") or does ("now").
    """

    terms: TableTerms
    keys: KeySystem = "keypad"
    unshown: Literal["", "may", "now"] = ""
    seed: int = 0

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.terms.game


class BegunDrill(StrictModel):
    """What the record says of a drill that began: its name and what it was."""

    drill: str
    asked: DrillRequest


class TraineeAnswer(StrictModel):
    """A trainee's answer to a question.

    ``first`` means that the question was asked for the first time.  ``mispaid_cents`` is the amount in the seat's
    circle after the answer, minus the right amount.
    """

    drill: str
    game: str
    case: str
    clause: str
    question: str
    reason: str
    said: str
    wanted: str
    first: bool
    right: bool
    mispaid_cents: int = 0


@lru_cache(maxsize=256)
def deal_drill(request: DrillRequest) -> tuple[Round, tuple[DealerQuestion, ...]]:
    """Deal the round of a drill and build its questions: the same each time."""
    bits = seeded_bits(request.seed)
    by_chance = request.unshown == "may" and not draw_below(UNSHOWN_ONE_IN, bits)
    unshown = request.unshown == "now" or by_chance
    played = deal_training_round(open_training_round(request.terms), bits, unshown=unshown)
    return played, build_questions(played, bits, request.keys, expects_unshown=bool(request.unshown))


@dataclass(frozen=True)
class Drill:
    """A trainee's round and answers.

    Wrong answers are asked again at its end, until they are right.
    """

    name: str
    request: DrillRequest
    answers: tuple[TraineeAnswer, ...] = ()

    @property
    def played_round(self) -> Round:
        """The round of the drill, played to its end."""
        return deal_drill(self.request)[0]

    @property
    def questions(self) -> tuple[DealerQuestion, ...]:
        """The questions of the drill."""
        return deal_drill(self.request)[1]

    @property
    def remaining(self) -> tuple[DealerQuestion, ...]:
        """The questions that are still to be answered."""
        questions = list(self.questions)
        for answer in self.answers:
            question = questions.pop(0)
            questions += [] if answer.right else [question]
        return tuple(questions)

    @property
    def first_answers(self) -> tuple[TraineeAnswer, ...]:
        """The first answer to each question: the score."""
        return tuple(answer for answer in self.answers if answer.first)

    def grade_answer(self, answer: str, cents: int) -> TraineeAnswer:
        """Grade the answer to the next question.

        Raises:
            IllegalActionError: it is not one of the answers, or far more than any hand could win.
        """
        question = self.remaining[0]
        if answer not in (question.choices or tuple(ChipAction)):
            raise IllegalActionError("choose one of the answers", code="invalid-answer")
        paid_cents = cents if answer in _ACTIONS_WITH_AMOUNT and not question.choices else 0
        if paid_cents > question.max_cents:
            raise IllegalActionError(
                f"{format_cents(paid_cents)} is far more than any hand could win here: check the amount",
                code="amount-too-large",
                paid_cents=paid_cents,
            )
        mispaid_cents = 0
        if not question.choices:
            right_cents = _compute_chips_left(question, question.answer, question.cents)
            mispaid_cents = _compute_chips_left(question, answer, paid_cents) - right_cents
        return TraineeAnswer(
            drill=self.name,
            game=self.request.game,
            case=question.case,
            clause=question.clause,
            question=question.question,
            reason=question.reason,
            said=answer if question.choices else _format_answer(answer, paid_cents),
            wanted=question.answer if question.choices else _format_answer(question.answer, question.cents),
            first=len(self.answers) < len(self.questions),
            right=answer == question.answer and not mispaid_cents,
            mispaid_cents=mispaid_cents,
        )


_ACTIONS_WITH_AMOUNT = (ChipAction.PAY, ChipAction.COLLECT)


def _compute_chips_left(question: DealerQuestion, action: str, cents: int) -> int:
    """Compute the chips in the circle after an action, in cents.

    Chips that the seat hands over are subtracted.
    """
    change_cents = {ChipAction.TAKE: -question.stake_cents, ChipAction.PAY: cents, ChipAction.COLLECT: -cents}
    return question.stake_cents + change_cents.get(ChipAction(action), 0)


def _format_answer(action: str, cents: int) -> str:
    return f"{action} {format_cents(cents)}" if action in _ACTIONS_WITH_AMOUNT else f"{action} it"


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


class TraineeRecords:
    """The records of all trainees of a casino.  Safe for many threads."""

    def __init__(self, store: Store) -> None:
        """Store the records in the tables' ledger."""
        self._store = store
        self._cache: OrderedDict[str, _TraineeStream] = OrderedDict()
        self._lock = Lock()

    def begin_drill(self, holder: str, request: DrillRequest, *, again: bool = False) -> str:
        """Begin a drill and return its name.

        ``again`` deals a round in which the weak cases come up.

        Raises:
            PitbossError: there is no such table, or no wagers can be placed at it.
        """
        verify_terms(request.terms)
        deal = self._choose_deal(holder, request) if again else _with_new_seed(request)
        deal_drill(deal)  # whatever cannot be dealt is refused before it is written
        name = secrets.token_hex(8)

        def work(transaction: Transaction) -> None:
            self._write(transaction, holder, "drill", BegunDrill(drill=name, asked=deal))

        self._store.run_write(work)
        return name

    def _choose_deal(self, holder: str, request: DrillRequest) -> DrillRequest:
        """Choose a deal with all weak cases of the game, else with most of them."""
        weak = {each.case for each in self.list_case_records(holder) if each.weak and each.game == request.game}
        if UNSHOWN_CASE in weak:
            request = request.model_copy(update={"unshown": "now"})
        best, most = _with_new_seed(request), -1
        for _ in range(_DEAL_ATTEMPTS):
            deal = _with_new_seed(request)
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
        with self._store.begin_read() as transaction:
            drills = self._read(transaction, holder).drills
        if name not in drills:
            raise UnknownIdError("drill", name)
        return drills[name]

    def find_last_request(self, holder: str, game: str) -> DrillRequest | None:
        """Return what a trainee's last drill of a game was, None if there is none."""
        with self._store.begin_read() as transaction:
            drills = self._read(transaction, holder).drills
        return next((each.request for each in reversed(tuple(drills.values())) if each.request.game == game), None)

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
                self._write(transaction, holder, "answer", drill.grade_answer(answer, cents))

        self._store.run_write(work)
        return self.get_drill(holder, name)

    def list_case_records(self, holder: str) -> tuple[CaseRecord, ...]:
        """List a trainee's results by game and case.

        A case is weak if it went wrong in the last round that had it.
        """
        with self._store.begin_read() as transaction:
            entries = transaction.read_stream(_get_stream_name(holder))
        answers = [TraineeAnswer.model_validate_json(entry.data) for _, entry in entries if entry.kind == "answer"]
        cases: dict[tuple[str, str], list[TraineeAnswer]] = {}
        for answer in answers:
            if answer.first:
                cases.setdefault((answer.game, answer.case), []).append(answer)
        return tuple(_summarize_case(each) for _, each in sorted(cases.items()))

    # The stream.

    def _read(self, transaction: Transaction, holder: str) -> _TraineeStream:
        known = self._cache.get(holder, _TraineeStream())
        drills = dict(known.drills)
        entries = transaction.read_stream(_get_stream_name(holder), known.entry_number)
        for _, entry in entries:
            _apply_entry(drills, entry)
        stream = _TraineeStream(entries[-1][0] if entries else known.entry_number, drills)
        with self._lock:
            self._cache[holder] = stream
            self._cache.move_to_end(holder)
            if len(self._cache) > _CACHE_SIZE:
                self._cache.popitem(last=False)
        return stream

    def _write(self, transaction: Transaction, holder: str, kind: str, data: StrictModel) -> None:
        number = self._read(transaction, holder).entry_number + 1
        draft = EntryDraft(format_time(int(time())), holder, kind, to_canonical_json(data.model_dump()), 0, 0)
        entry = transaction.append_entries([draft])[0]
        transaction.append_to_stream(_get_stream_name(holder), number, entry.sequence, is_snapshot=False)


def _get_stream_name(holder: str) -> str:
    return f"{TRAINEE_PREFIX}{holder}"


def _with_new_seed(request: DrillRequest) -> DrillRequest:
    return request.model_copy(update={"seed": secrets.randbits(64)})


def _apply_entry(drills: dict[str, Drill], entry: Entry) -> None:
    """Apply an entry, but drop a drill of another version of the program.

    Another version might ask other questions.
    """
    if find_chain_fault(entry, entry.sequence, entry.previous):
        raise LedgerError(
            f"entry {entry.sequence} is not what was written", code="entry-changed", sequence=entry.sequence
        )
    if entry.kind == "drill":
        if entry.software == get_software_id():
            begun = BegunDrill.model_validate_json(entry.data)
            drills[begun.drill] = Drill(begun.drill, begun.asked)
        return
    answer = TraineeAnswer.model_validate_json(entry.data)
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
