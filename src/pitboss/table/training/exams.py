"""Exams: rounds in a row against a clock, with no correction before the end.

An exam is stored with its deals, and each answer with its question: the certificate can be read by later versions too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic import Field

from pitboss.core.strict_model import StrictModel
from pitboss.table.round import Round
from pitboss.table.training.dealer_question import DealerQuestion
from pitboss.table.training.drills import (
    DrillRequest,
    TraineeAnswer,
    TrainingResult,
    deal_drill,
    grade_answer,
    measure_training,
)

MAX_ROUNDS = 10
"""The most rounds of an exam."""

MAX_EXAM_NAME = 40
"""The most characters of the name on a certificate."""


class ExamRequest(StrictModel):
    """The request for an exam: who takes it, and how many rounds of a drill."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_EXAM_NAME)]
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    asked: DrillRequest


class BegunExam(StrictModel):
    """What the record says of an exam: its deals and how many questions they ask."""

    exam: str
    request: ExamRequest
    deals: tuple[DrillRequest, ...]
    question_count: int
    begun_ms: int


class CertificateLine(NamedTuple):
    """A question of an exam with its answer, and the seconds that it took."""

    answer: TraineeAnswer
    seconds: float


@dataclass(frozen=True)
class Exam:
    """A trainee's exam: what began at ``at``, and the answers until now.

    It can go on only if it ``is_current``: another version of the program might ask other questions.
    """

    begun: BegunExam
    at: str
    is_current: bool
    answers: tuple[TraineeAnswer, ...] = ()

    @property
    def name(self) -> str:
        """The name of the exam."""
        return self.begun.exam

    @property
    def is_finished(self) -> bool:
        """Whether every question is answered."""
        return len(self.answers) >= self.begun.question_count

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

    def grade_answer(self, answer: str, cents: int, at_ms: int) -> TraineeAnswer:
        """Grade the answer to the next question (raises IllegalActionError)."""
        number, _, question = self.position
        game = self.begun.request.asked.game
        known = {"drill": self.name, "game": game, "first": True, "at_ms": at_ms, "round_number": number + 1}
        return grade_answer(question, answer, cents).model_copy(update=known)

    @property
    def result(self) -> TrainingResult:
        """The result against the standard."""
        begun = self.begun
        return measure_training(begun.request.rounds, self.answers, begun.begun_ms, begun.request.asked.standard)

    @property
    def lines(self) -> Iterator[CertificateLine]:
        """Every question with its answer and its time, in order."""
        before = self.begun.begun_ms
        for answer in self.answers:
            yield CertificateLine(answer, (answer.at_ms - before) / 1000)
            before = answer.at_ms
