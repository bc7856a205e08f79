"""Drills: what is asked for, how it is dealt, and how answers are graded.

A drill is stored as its seed: the round and its questions are dealt again from it, so a restart continues at the same
question.  An answer is stored with its question, so later versions can read it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, Self

from pydantic import Field

from pitboss.cards import draw_below, seeded_bits, shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import IllegalActionError, UnknownNameError
from pitboss.core.money import format_cents
from pitboss.core.strict_model import StrictModel
from pitboss.table.round import Round
from pitboss.table.session.terms import TableTerms
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.questions import build_questions
from pitboss.table.training.rare_events import UNSHOWN_EVENT, RareEvent, list_rare_events
from pitboss.table.training.rounds import deal_training_round, open_training_round

UNSHOWN_ONE_IN = 3
"""One round in this many has an unshown hand, if the drill allows it."""

PLANTED_ONE_IN = 3
"""One round in this many has a rare event planted, if they are wanted in some."""

_DEALS_FOR_AN_EVENT = 40
_MS_PER_HOUR = 3_600_000
_TRIES_IF_WANTED = 4

KeySystem = Literal["keypad", "display"]
PlantingRate = Literal["", "some", "every"]


class Standard(StrictModel):
    """The standard to pass: the least rounds an hour, and the most errors."""

    rounds_per_hour: int = Field(20, ge=1, le=500)
    errors: int = Field(3, ge=0, le=100)


class TrainingResult(NamedTuple):
    """A result against a standard: errors, cents mispaid, time and pace."""

    errors: int
    mispaid_cents: int
    seconds: float
    rounds_per_hour: int
    has_passed: bool


class DrillRequest(StrictModel):
    """The request for a drill at a table of these terms, and its deal.

    ``unshown`` says whether a hand may go unshown ("may") or does ("now").  ``rare`` says how often a rare event is
    planted: never, in some rounds or in every round; ``wanted`` is the id of the one that is wanted, "" for any.  The
    trainee is measured by ``standard``.  The deal is ``seed``, ``stacked`` if its shuffle made rare hands likelier, and
    ``planted`` is the event that it holds.
    """

    terms: TableTerms
    keys: KeySystem = "keypad"
    unshown: Literal["", "may", "now"] = ""
    rare: PlantingRate = ""
    wanted: str = ""
    standard: Standard = Standard()
    seed: int = 0
    stacked: bool = False
    planted: str = ""

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.terms.game

    @property
    def expects_unshown(self) -> bool:
        """Whether the dealer has to expect hands that go unshown."""
        return bool(self.unshown or self.rare)

    def without_deal(self) -> Self:
        """Return the request alone, for another deal."""
        asked = {"unshown": "may" if self.unshown else "", "seed": 0, "stacked": False, "planted": ""}
        return self.model_copy(update=asked)


class TraineeAnswer(StrictModel):
    """A trainee's answer to a question.

    ``first`` means that the question was asked for the first time.  ``mispaid_cents`` is the amount in the seat's
    circle after the answer, minus the right amount; ``slip`` names the mistake that leads to it, if it is a known one.
    ``at_ms`` is when it was given, in milliseconds since 1970, 0 in the records of earlier versions.
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
    slip: str = ""
    at_ms: int = 0
    round_number: int = 1


def deal_request(request: DrillRequest) -> tuple[Round, BitSource]:
    """Deal the round of a drill: the same each time.

    The bits for its questions are returned too.
    """
    bits = seeded_bits(request.seed)
    by_chance = request.unshown == "may" and not draw_below(UNSHOWN_ONE_IN, bits)
    unshown = request.unshown == "now" or by_chance
    opened = open_training_round(request.terms)
    return deal_training_round(opened, bits, unshown=unshown, stacked=request.stacked), bits


@lru_cache(maxsize=256)
def deal_drill(request: DrillRequest) -> tuple[Round, tuple[DealerQuestion, ...]]:
    """Deal the round of a drill and build its questions: the same each time."""
    played, bits = deal_request(request)
    return played, build_questions(played, bits, request.keys, expects_unshown=request.expects_unshown)


def draw_deal(request: DrillRequest, bits: BitSource = system_bits) -> DrillRequest:
    """Draw the deal of a drill.

    Where a rare event is to be planted, deals are drawn until it occurs.

    Raises:
        UnknownNameError: no event has the name of the one wanted at this table.
    """
    events = {each.id: each for each in list_rare_events(open_training_round(request.terms))}
    if request.wanted and request.wanted not in events:
        raise UnknownNameError("rare event", request.wanted, events)
    planted_now = request.rare == "every" or (request.rare == "some" and not draw_below(PLANTED_ONE_IN, bits))
    if not (planted_now and events):
        return with_new_seed(request, bits)
    kinds = [events[request.wanted]] * _TRIES_IF_WANTED if request.wanted else list(events.values())
    for place in shuffle_cards(range(len(kinds)), bits):
        found = _find_deal(request, kinds[place], bits)
        if found:
            return found
    return with_new_seed(request, bits)


def _find_deal(request: DrillRequest, event: RareEvent, bits: BitSource) -> DrillRequest | None:
    """Draw deals until an event occurs; None if it does not in so many."""
    unshown = "now" if event.id == UNSHOWN_EVENT else request.unshown
    for _ in range(_DEALS_FOR_AN_EVENT):
        # A plain shuffle in between: an event such as a reshuffle is no matter of strong hands.
        stacked = bool(draw_below(4, bits))
        asked = {"unshown": unshown, "stacked": stacked, "planted": event.id}
        deal = with_new_seed(request.model_copy(update=asked), bits)
        if event.occurs(deal_request(deal)[0]):
            return deal
    return None


def with_new_seed(request: DrillRequest, bits: BitSource = system_bits) -> DrillRequest:
    """Return a request with another seed."""
    return request.model_copy(update={"seed": draw_below(1 << 64, bits)})


@dataclass(frozen=True)
class Drill:
    """A trainee's round and answers.

    Wrong answers are asked again at its end, until they are right.
    """

    name: str
    request: DrillRequest
    answers: tuple[TraineeAnswer, ...] = ()
    begun_ms: int = 0

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

    @property
    def result(self) -> TrainingResult:
        """The result of the first answers against the standard."""
        return measure_training(1, self.first_answers, self.begun_ms, self.request.standard)

    def grade_answer(self, answer: str, cents: int, at_ms: int = 0) -> TraineeAnswer:
        """Grade the answer to the next question, given at ``at_ms``.

        Raises as the function ``grade_answer``.
        """
        is_first = len(self.answers) < len(self.questions)
        known = {"drill": self.name, "game": self.request.game, "first": is_first, "at_ms": at_ms}
        return grade_answer(self.remaining[0], answer, cents).model_copy(update=known)


def measure_training(
    rounds: int, answers: Sequence[TraineeAnswer], begun_ms: int, standard: Standard
) -> TrainingResult:
    """Measure the answers of some rounds against a standard."""
    taken_ms = max(1, answers[-1].at_ms - begun_ms) if answers else 1
    errors = sum(not each.right for each in answers)
    pace = rounds * _MS_PER_HOUR // taken_ms
    mispaid_cents = sum(abs(each.mispaid_cents) for each in answers)
    has_passed = pace >= standard.rounds_per_hour and errors <= standard.errors
    return TrainingResult(errors, mispaid_cents, taken_ms / 1000, pace, has_passed)


def grade_answer(question: DealerQuestion, answer: str, cents: int) -> TraineeAnswer:
    """Grade the answer to a question.

    Raises:
        IllegalActionError: it is not one of the answers, or far more than any hand could win.
    """
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
        drill="",
        game="",
        case=question.case,
        clause=question.clause,
        question=question.question,
        reason=question.reason,
        said=answer if question.choices else _format_answer(answer, paid_cents),
        wanted=question.answer if question.choices else _format_answer(question.answer, question.cents),
        first=False,
        right=answer == question.answer and not mispaid_cents,
        mispaid_cents=mispaid_cents,
        slip=_find_slip(question, answer, paid_cents) if mispaid_cents else "",
    )


def _find_slip(question: DealerQuestion, action: str, cents: int) -> str:
    """Find the mistake that leads to an amount, "" for none that is known."""
    if action != question.answer:
        return ""
    return next((mistake for mistake, paid_cents in question.mispays if paid_cents == cents), "")


_ACTIONS_WITH_AMOUNT = (ChipAction.PAY, ChipAction.COLLECT)


def _compute_chips_left(question: DealerQuestion, action: str, cents: int) -> int:
    """Compute the chips in the circle after an action, in cents.

    Chips that the seat hands over are subtracted.
    """
    change_cents = {ChipAction.TAKE: -question.stake_cents, ChipAction.PAY: cents, ChipAction.COLLECT: -cents}
    return question.stake_cents + change_cents.get(ChipAction(action), 0)


def _format_answer(action: str, cents: int) -> str:
    return f"{action} {format_cents(cents)}" if action in _ACTIONS_WITH_AMOUNT else f"{action} it"
