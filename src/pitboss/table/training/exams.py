"""Exams: rounds in a row against a clock, with no correction before the end.

An exam is stored with its deals, and each answer with its question: the certificate can be read by later versions too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, NamedTuple

from pydantic import Field

from pitboss.core.errors import IllegalActionError
from pitboss.core.strict_model import StrictModel
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import Round
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.drills import DrillRequest, Standard, TrainingResult, deal_drill, measure_training
from pitboss.table.training.grading import TraineeAnswer, grade_answer
from pitboss.table.training.rounds import find_closing_meter

USUAL_ROUNDS = 5
"""The rounds of an exam, unless others are chosen."""

MAX_ROUNDS = 10
"""The most rounds of an exam."""

MAX_EXAM_NAME = 40
"""The most characters of the name on a certificate."""

_CENTS_PER_DOLLAR = 100
_ESTIMATED_ROUNDS = 8


class ExamRequest(StrictModel):
    """The request for an exam: who takes it, and how many rounds of a drill.

    ``set_by`` is the code of the class that set rounds and standard, "" for the candidate.  ``table_of`` is the code of
    a class that set the table alone.  ``set_by_name`` is the name of either; ``is_table_set`` means that it set the
    table.
    """

    name: Annotated[str, Field(min_length=1, max_length=MAX_EXAM_NAME)]
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    asked: DrillRequest
    set_by: str = ""
    set_by_name: str = ""
    is_table_set: bool = False
    table_of: str = ""


class ExamBegun(StrictModel):
    """An exam began: its deals, and how many questions they ask.

    It is over at ``deadline_ms``, which is 0 in the records of earlier versions: those have no deadline, and no
    certificate for others.  Where disputes alone are asked, ``whole_count`` is how many questions the rounds have
    without any; it is 0 otherwise, and in the records of earlier versions.
    """

    exam: str
    request: ExamRequest
    deals: tuple[DrillRequest, ...]
    question_count: int
    begun_ms: int
    deadline_ms: int = 0
    whole_count: int = 0

    @property
    def standard(self) -> Standard:
        """The standard, with the errors that it allows in what is asked.

        A standard counts errors in whole rounds.  Of disputes alone as large a share has to be right.
        """
        asked = self.request.asked.standard
        if not self.whole_count:
            return asked
        return asked.model_copy(update={"errors": asked.errors * self.question_count // self.whole_count})


class CertificateEntry(StrictModel):
    """What the record says of a certificate: the exam that it is of."""

    exam: str


class CertificateLine(NamedTuple):
    """A question of an exam with its answer, and the seconds that it took."""

    answer: TraineeAnswer
    seconds: float


@dataclass(frozen=True)
class Exam:
    """A trainee's exam: what began at ``at``, and the answers until ``seen_ms``.

    It can go on only if it ``is_current``: another version of the program might ask other questions.
    """

    begun: ExamBegun
    at: str
    is_current: bool
    answers: tuple[TraineeAnswer, ...] = ()
    seen_ms: int = field(default=0, compare=False)

    @property
    def name(self) -> str:
        """The name of the exam."""
        return self.begun.exam

    @property
    def is_finished(self) -> bool:
        """Whether every question is answered, or the time is up."""
        return not self.unanswered or self.is_late(self.seen_ms)

    @property
    def unanswered(self) -> int:
        """How many questions are not answered."""
        return max(0, self.begun.question_count - len(self.answers))

    def is_late(self, now_ms: int) -> bool:
        """Return whether the time is up."""
        return 0 < self.begun.deadline_ms <= now_ms

    def is_open(self, now_ms: int) -> bool:
        """Return whether a question can be answered now."""
        return self.is_current and bool(self.unanswered) and not self.is_late(now_ms)

    @property
    def position(self) -> tuple[int, Round, DealerQuestion]:
        """The number of the current round, the round, and the current question.

        Rounds count from 0.
        """
        left = len(self.answers)
        for number, deal in enumerate(self.begun.deals):
            played, questions = deal_drill(deal)
            if left < len(questions):
                return number, played, questions[left]
            left -= len(questions)
        raise IndexError(left)

    def grade_answer(self, answer: str, cents: int, at_ms: int, cut: str = "") -> TraineeAnswer:
        """Grade the answer to the next question.

        What is paid is cut from the tray, and another cut than that in the fewest chips is an error.

        Raises:
            IllegalActionError: it is not one of the answers, or the payout is not cut.
        """
        number, played, question = self.position
        graded = grade_answer(question, answer, cents, cut)
        is_paid = not question.choices and answer == ChipAction.PAY
        if is_paid and graded.is_house_cut is None and not 0 < cents < _CENTS_PER_DOLLAR:
            raise IllegalActionError("cut the payout from the tray first", code="payout-not-cut")
        known = {
            "drill": self.name,
            "game": self.begun.request.asked.game,
            "first": True,
            "at_ms": at_ms,
            "round_number": number + 1,
            "cards": list_open_cards(played, question),
            "right": graded.right and graded.is_house_cut is not False,
        }
        return graded.model_copy(update=known)

    @property
    def result(self) -> TrainingResult:
        """The result against the standard."""
        begun, unanswered = self.begun, self.unanswered
        ended = self.answers[-1].round_number - 1 if self.answers else 0
        rounds = ended if unanswered else begun.request.rounds
        is_paced = begun.request.asked.disputes != "only"
        end_ms = begun.deadline_ms if unanswered else self.answers[-1].at_ms
        return measure_training(
            rounds if is_paced else None, self.answers, end_ms - begun.begun_ms, begun.standard, unanswered
        )

    @property
    def lines(self) -> Iterator[CertificateLine]:
        """Every question with its answer and its time, in order."""
        before = self.begun.begun_ms
        for answer in self.answers:
            yield CertificateLine(answer, (answer.at_ms - before) / 1000)
            before = answer.at_ms


def carry_meter(deals: Sequence[DrillRequest]) -> tuple[DrillRequest, ...]:
    """Return deals of which each begins with the meter that the one before left."""
    carried = list(deals[:1])
    for deal in deals[1:]:
        meter = find_closing_meter(deal_drill(carried[-1])[0])
        carried.append(deal.model_copy(update={"meter": meter}))
    return tuple(carried)


def count_whole_questions(deals: Sequence[DrillRequest]) -> int:
    """Count the questions of whole rounds, where disputes alone are asked; else 0."""
    alone = [deal for deal in deals if deal.disputes == "only"]
    return sum(len(deal_drill(deal.model_copy(update={"disputes": ""}))[1]) for deal in alone)


@lru_cache(maxsize=64)
def estimate_whole_questions(request: DrillRequest) -> int:
    """Estimate how many questions a whole round asks at a table.

    It is the mean of a few rounds, the same each time.
    """
    deals = (request.model_copy(update={"disputes": "", "seed": seed}) for seed in range(_ESTIMATED_ROUNDS))
    return round(sum(len(deal_drill(deal)[1]) for deal in deals) / _ESTIMATED_ROUNDS)


def list_open_cards(played: Round, question: DealerQuestion) -> str:
    """List all cards that lie open on the table at a question.

    They are by place, as in "Dealer Kh 9c 2d, Seat 1 As Ad, discarded 7h", also of the seats that the question is not
    about.
    """
    shown = []
    for place in build_layout_snapshot(played, question.event_count, question.mucked):
        cards = " ".join(filter(None, place.cards))
        given_up = f"discarded {' '.join(place.given_up)}" if place.given_up else ""
        listed = ", ".join(filter(None, (cards, given_up)))
        if listed:
            replaced = f" (replaced {place.replaced})" if place.replaced else ""
            shown.append(f"{place.name} {listed}{replaced}")
    return ", ".join(shown)
