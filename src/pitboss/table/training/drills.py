"""Drills: what is asked for, how it is dealt, and how it is measured.

A drill is stored as its seed: the round and its questions are dealt again from it, so a restart continues at the same
question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, Self

from pydantic import Field

from pitboss.cards import draw_below, seeded_bits, shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import UnknownNameError
from pitboss.core.strict_model import StrictModel
from pitboss.meter import Meter
from pitboss.table.round import Round
from pitboss.table.session.terms import TableTerms
from pitboss.table.training.console_steps import find_meter_bet
from pitboss.table.training.dealer_question import DealerQuestion
from pitboss.table.training.disputes import DISPUTE_CASE, DisputedClaim, DisputedClaimCounts, draw_claims
from pitboss.table.training.grading import TraineeAnswer, grade_answer
from pitboss.table.training.questions import UNSHOWN_CASE, DisputeRate, build_questions
from pitboss.table.training.rare_events import UNSHOWN_EVENT, RareEvent, iter_rare_events
from pitboss.table.training.rounds import deal_training_round, open_training_round

UNSHOWN_ONE_IN = 3
"""One round in this many has an unshown hand, if the drill allows it."""

PLANTED_ONE_IN = 3
"""One round in this many has a rare event planted, if they are wanted in some."""

MAX_COUNTED_MS = 60_000
"""The most time that counts for a question of a drill, in milliseconds: a trainee who takes longer is away."""

_COUNTED_HANDS = 240
_DEALS_FOR_AN_EVENT = 40
_DEALS_FOR_WEAK_CASES = 20
_MS_PER_HOUR = 3_600_000
_TRIES_IF_WANTED = 4

KeySystem = Literal["keypad", "display"]
PlantingRate = Literal["", "some", "every"]


class Standard(StrictModel):
    """The standard to pass: pace, errors and cents mispaid.

    The pace is a minimum, in rounds an hour; the others are maxima.  Without ``mispaid_cents`` no amount
    mispaid fails.
    """

    rounds_per_hour: int = Field(20, ge=1, le=500)
    errors: int = Field(3, ge=0, le=100)
    mispaid_cents: int | None = Field(None, ge=0)

    def compute_limit_ms(self, rounds: int) -> int:
        """Return the milliseconds after which this number of rounds is too slow."""
        return -(-rounds * _MS_PER_HOUR // self.rounds_per_hour)


USUAL_STANDARD = Standard(mispaid_cents=10_000)
"""The standard of a drill for which nobody chose another."""


class TrainingResult(NamedTuple):
    """A result against a standard, with the questions that were not answered.

    Disputes alone have no pace: ``rounds_per_hour`` is None.
    """

    errors: int
    unanswered: int
    mispaid_cents: int
    seconds: float
    rounds_per_hour: int | None
    has_passed: bool


class DrillRequest(StrictModel):
    """The request for a drill at a table of these terms, and its deal.

    ``unshown`` says whether a hand may go unshown ("may") or does ("now").  ``rare`` says how often a rare event is
    planted: never, in some rounds or in every round; ``wanted`` is the id of the one that is wanted, "" for any.
    ``disputes`` says how players dispute.  The trainee is measured by ``standard``.  The deal is ``seed``, ``stacked``
    if its shuffle made rare hands likelier, and ``planted`` is the event that it holds.  ``meter`` has the units of the
    progressive's meter and reserve that the round before left, None at the seed.  ``standard_set_by`` is the class that
    set the standard, "" for none.
    """

    terms: TableTerms
    keys: KeySystem = "keypad"
    unshown: Literal["", "may", "now"] = ""
    rare: PlantingRate = ""
    wanted: str = ""
    disputes: DisputeRate = ""
    standard: Standard = USUAL_STANDARD
    seed: int = 0
    stacked: bool = False
    planted: str = ""
    meter: tuple[int, int] | None = None
    standard_set_by: str = ""

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
        asked = {"unshown": "may" if self.unshown else "", "seed": 0, "stacked": False, "planted": "", "meter": None}
        return self.model_copy(update=asked)


def deal_request(request: DrillRequest) -> tuple[Round, BitSource]:
    """Deal the round of a drill: the same each time.

    The bits for its questions are returned too.
    """
    bits = seeded_bits(request.seed)
    by_chance = request.unshown == "may" and not draw_below(UNSHOWN_ONE_IN, bits)
    unshown = request.unshown == "now" or by_chance
    opened = open_training_round(request.terms, Meter(*request.meter) if request.meter else None)
    return deal_training_round(opened, bits, unshown=unshown, stacked=request.stacked), bits


@lru_cache(maxsize=256)
def deal_drill(request: DrillRequest) -> tuple[Round, tuple[DealerQuestion, ...]]:
    """Deal the round of a drill and build its questions: the same each time."""
    played, bits = deal_request(request)
    counts = count_claims(request.terms, stacked=request.stacked) if request.disputes else None
    asked = build_questions(
        played, bits, request.keys, expects_unshown=request.expects_unshown, disputes=request.disputes, counts=counts
    )
    return played, asked


@lru_cache(maxsize=64)
def count_claims(terms: TableTerms, *, stacked: bool) -> DisputedClaimCounts:
    """Count the claims of rounds at a table: the same rounds each time."""
    opened, claims = open_training_round(terms), list[DisputedClaim]()
    for seed in range(-(-_COUNTED_HANDS // terms.seats)):
        bits = seeded_bits(seed)
        played = deal_training_round(opened, bits, stacked=stacked)
        claims += draw_claims(played, find_meter_bet(played), bits)
    return DisputedClaimCounts(claims)


def draw_deal(request: DrillRequest, bits: BitSource = system_bits) -> DrillRequest:
    """Draw the deal of a drill.

    Where a rare event is to be planted, deals are drawn until it occurs; for disputes alone, until there are some.

    Raises:
        UnknownNameError: no event has the name of the one wanted at this table.
    """
    deal = _draw_deal(request, bits)
    if request.disputes == "only":
        for _ in range(_DEALS_FOR_AN_EVENT):
            if any(question.case == DISPUTE_CASE for question in deal_drill(deal)[1]):
                break
            deal = _draw_deal(request, bits)
    return deal


def _draw_deal(request: DrillRequest, bits: BitSource) -> DrillRequest:
    """Draw a deal, of a round with a rare event where one is to be planted."""
    events = {each.id: each for each in iter_rare_events(open_training_round(request.terms))}
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
    """Draw deals until an event occurs; None if it does not within the limit."""
    unshown = "now" if event.id == UNSHOWN_EVENT else request.unshown
    for _ in range(_DEALS_FOR_AN_EVENT):
        # A plain shuffle in between: an event such as a reshuffle does not depend on strong hands.
        stacked = bool(draw_below(4, bits))
        asked = {"unshown": unshown, "stacked": stacked, "planted": event.id}
        deal = with_new_seed(request.model_copy(update=asked), bits)
        if event.occurs(deal_request(deal)[0]):
            return deal
    return None


def draw_deals(request: DrillRequest, count: int, weak: frozenset[str] = frozenset()) -> tuple[DrillRequest, ...]:
    """Draw a number of deals of a drill, if any with the ``weak`` cases.

    Raises as ``draw_deal``.
    """
    return tuple(_choose_deal(request, weak) if weak else draw_deal(request) for _ in range(count))


def _choose_deal(request: DrillRequest, weak: frozenset[str]) -> DrillRequest:
    """Choose a deal with all weak cases of the game, else with most of them."""
    if UNSHOWN_CASE in weak:
        request = request.model_copy(update={"unshown": "now"})
    best, most = with_new_seed(request), -1
    for number in range(_DEALS_FOR_WEAK_CASES):
        deal = with_new_seed(request.model_copy(update={"stacked": bool(number % 2)}))
        count = len(weak & {question.case for question in deal_drill(deal)[1]})
        if count > most:
            best, most = deal, count
        if count == len(weak):
            break
    return best


def with_new_seed(request: DrillRequest, bits: BitSource = system_bits) -> DrillRequest:
    """Return a request with another seed."""
    return request.model_copy(update={"seed": draw_below(1 << 64, bits)})


@dataclass(frozen=True)
class Drill:
    """A trainee's round and answers.

    Wrong answers are asked again at its end, until they are right.  It can go on only if it ``is_current``: another
    version of the program might ask other questions.
    """

    name: str
    request: DrillRequest
    answers: tuple[TraineeAnswer, ...] = ()
    begun_ms: int = 0
    is_current: bool = True

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
        answers = self.first_answers
        taken_ms = self._count_time(answers)
        return measure_training(1 if self.is_paced else None, answers, taken_ms, self.request.standard)

    @property
    def is_paced(self) -> bool:
        """Whether it has a pace and a standard: disputes alone have none."""
        return self.request.disputes != "only"

    def measure_pace(self, now_ms: int) -> int | None:
        """Measure the rounds an hour so far; None before the first answer.

        It is the share of the round that is dealt over the time taken.  Questions that are asked again take no time.
        """
        answered, count = len(self.first_answers), len(self.questions)
        if not answered or not self.is_paced:
            return None
        if answered == count:
            return self.result.rounds_per_hour
        return answered * _MS_PER_HOUR // (count * max(1, self.measure_time(now_ms)))

    def measure_time(self, now_ms: int) -> int:
        """Measure the time so far, in milliseconds, also of what is asked again.

        As in the result, a question counts ``MAX_COUNTED_MS`` at most.
        """
        return self._count_time(self.answers) + self._count_wait(now_ms)

    def measure_time_left(self, now_ms: int) -> int:
        """Measure the milliseconds that still count for the current question."""
        return MAX_COUNTED_MS - self._count_wait(now_ms)

    def _count_wait(self, now_ms: int) -> int:
        before = self.answers[-1].at_ms if self.answers else self.begun_ms
        return _count_gap(before, now_ms)

    def _count_time(self, answers: Sequence[TraineeAnswer]) -> int:
        """Count the time that answers took, without that of a trainee who was away."""
        times = (self.begun_ms, *(each.at_ms for each in answers))
        return sum(_count_gap(before, after) for before, after in pairwise(times))

    def is_open(self, now_ms: int) -> bool:
        """Return whether a question is left; a drill has no deadline."""
        del now_ms
        return self.is_current and bool(self.remaining)

    def grade_answer(self, answer: str, cents: int, at_ms: int = 0, cut: str = "") -> TraineeAnswer:
        """Grade the answer to the next question, given at ``at_ms``.

        Raises as the function ``grade_answer``.
        """
        is_first = len(self.answers) < len(self.questions)
        known = {"drill": self.name, "game": self.request.game, "first": is_first, "at_ms": at_ms}
        return grade_answer(self.remaining[0], answer, cents, cut).model_copy(update=known)


def _count_gap(before_ms: int, after_ms: int) -> int:
    """Count the time of one question."""
    return min(max(0, after_ms - before_ms), MAX_COUNTED_MS)


def measure_training(
    rounds: int | None, answers: Sequence[TraineeAnswer], taken_ms: int, standard: Standard, unanswered: int = 0
) -> TrainingResult:
    """Measure the answers of some rounds against a standard.

    ``rounds`` is None where there is no pace.
    """
    taken_ms = max(1, taken_ms)
    errors = sum(not each.right for each in answers)
    pace = None if rounds is None else rounds * _MS_PER_HOUR // taken_ms
    mispaid_cents = sum(abs(each.mispaid_cents) for each in answers)
    most_cents = mispaid_cents if standard.mispaid_cents is None else standard.mispaid_cents
    is_fast = pace is None or pace >= standard.rounds_per_hour
    has_passed = is_fast and errors <= standard.errors and mispaid_cents <= most_cents and not unanswered
    return TrainingResult(errors, unanswered, mispaid_cents, taken_ms / 1000, pace, has_passed)
