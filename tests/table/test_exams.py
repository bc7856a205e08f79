"""Exams: a clock, a standard, no corrections before the end, and a record that is only added to."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from conformance.drawing import each_game
from pitboss.cards import format_card, seeded_bits
from pitboss.contract import Game
from pitboss.core.errors import IllegalActionError, UnknownIdError
from pitboss.games import load_game
from pitboss.ledger.store import Store
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import CardsDealt, WagerSettled, open_round
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.table.training import records
from pitboss.table.training.chips import break_down
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.drills import MAX_COUNTED_MS, DrillRequest, Standard, deal_drill
from pitboss.table.training.exams import Exam, ExamRequest, list_open_cards
from pitboss.table.training.grading import grade_answer
from pitboss.table.training.questions import build_questions
from pitboss.table.training.records import TraineeRecords
from pitboss.table.training.rounds import deal_training_round
from refusals import refusal

START = 1_800_000_000_000


class Clock:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.ms = START

    def __call__(self) -> int:
        """Return the time in milliseconds."""
        return self.ms


@pytest.fixture
def clock() -> Clock:
    """A clock."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The ledger of a house's tables."""
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    yield tables.store
    tables.close()


def asked(rounds: int = 2, **standard: int) -> ExamRequest:
    """Return a request for an exam at a small table."""
    drill = DrillRequest(
        terms=TableTerms(game="six-card", seats=1, paytables=("aces-up=SCP-03",)), standard=Standard(**standard)
    )
    return ExamRequest(name="Ann", rounds=rounds, asked=drill)


def fewest(cents: int) -> str:
    """Return the fewest chips of an amount, as a form has them."""
    return " ".join(f"{count}x{dollars}" for count, dollars in break_down(cents))


def taken(trainees: TraineeRecords, clock: Clock, name: str, *, wrong: int = 0, ms: int = 2_500) -> Exam:
    """Take an exam to its end: so many answers wrong, and so many milliseconds for each."""
    exam = trainees.get_exam("ann", name)
    while not exam.is_finished:
        _, _, question = exam.position
        clock.ms += ms
        said, cents = question.answer, question.cents
        if len(exam.answers) < wrong:
            said = next((each for each in question.choices if each != said), ChipAction.PAY)
            cents += 7
        trainees.record_answer("ann", name, len(exam.answers), said, cents, fewest(cents))
        exam = trainees.get_exam("ann", name)
    return exam


def come_to_chips(trainees: TraineeRecords, name: str) -> Exam:
    """Answer steps rightly until the chips of a circle are asked about."""
    exam = trainees.get_exam("ann", name)
    while exam.position[2].choices:
        trainees.record_answer("ann", name, len(exam.answers), exam.position[2].answer)
        exam = trainees.get_exam("ann", name)
    return exam


def test_an_exam_is_measured_and_its_certificate_lists_every_question(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_exam("ann", asked())
    exam = taken(trainees, clock, name, wrong=1)
    count = exam.begun.question_count
    lines = list(exam.lines)
    assert [line.seconds for line in lines] == [2.5] * count
    assert [line.answer.right for line in lines] == [False] + [True] * (count - 1)
    assert sorted({line.answer.round_number for line in lines}) == [1, 2]
    assert (exam.result.errors, exam.result.seconds) == (1, 2.5 * count)
    assert exam.result.rounds_per_hour == 2 * 3_600_000 // (2_500 * count)
    assert TraineeRecords(store, clock).get_exam("ann", name) == exam  # as after a restart


@pytest.mark.parametrize(
    ("wrong", "ms", "passes"), [(0, 1_000, True), (2, 1_000, True), (3, 1_000, False), (0, 60_000, False)]
)
def test_an_exam_is_passed_with_enough_rounds_an_hour_and_few_errors(
    store: Store, clock: Clock, wrong: int, ms: int, *, passes: bool
) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_exam("ann", asked(rounds_per_hour=30, errors=2))
    assert taken(trainees, clock, name, wrong=wrong, ms=ms).result.has_passed == passes


def test_nothing_of_an_exam_is_in_the_record_before_its_end(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_exam("ann", asked(rounds=1))
    first = trainees.get_exam("ann", name).position[2]
    wrong = next(each for each in first.choices if each != first.answer)
    trainees.record_answer("ann", name, 0, wrong)
    assert trainees.list_case_records("ann") == ()
    exam = taken(trainees, clock, name)
    assert sum(each.asked for each in trainees.list_case_records("ann")) == exam.begun.question_count
    assert sum(each.right for each in trainees.list_case_records("ann")) == exam.begun.question_count - 1


def test_no_answer_is_taken_twice_or_changed(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_exam("ann", asked(rounds=1))
    with pytest.raises(IllegalActionError, check=refusal("invalid-answer")):
        trainees.record_answer("ann", name, 0, "nonsense")
    exam = taken(trainees, clock, name)
    trainees.record_answer("ann", name, 0, exam.answers[0].wanted)
    again = trainees.get_exam("ann", name)
    assert again == exam
    trainees.record_answer("ann", name, len(exam.answers), "take")
    assert trainees.get_exam("ann", name) == exam
    for holder, wanted in (("bob", name), ("ann", "0" * 16)):
        with pytest.raises(UnknownIdError):
            trainees.get_exam(holder, wanted)


def test_a_certificate_outlives_the_version_and_a_running_exam_does_not_go_on_in_another(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainees = TraineeRecords(store, clock)
    done = taken(trainees, clock, trainees.begin_exam("ann", asked(rounds=1)))
    running = trainees.begin_exam("ann", asked(rounds=1))
    monkeypatch.setattr(records, "get_software_id", lambda: "another")
    later = TraineeRecords(store, clock)
    kept = later.get_exam("ann", done.name)
    assert (list(kept.lines), kept.result, kept.is_current) == (list(done.lines), done.result, False)
    later.record_answer("ann", running, 0, "take")
    assert later.get_exam("ann", running).answers == ()
    assert [each.name for each in later.list_exams("ann")] == [running, done.name]


def test_a_drill_is_timed_too(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_drill("ann", asked().asked)
    drill = trainees.get_drill("ann", name)
    while drill.remaining:
        clock.ms += 4_000
        task = drill.remaining[0]
        trainees.record_answer("ann", name, len(drill.answers), task.answer, task.cents)
        drill = trainees.get_drill("ann", name)
    assert drill.result.seconds == 4 * len(drill.questions)
    assert (drill.result.errors, drill.result.has_passed) == (0, True)


# The standard and the end of the time.


@pytest.mark.parametrize(("most", "passes"), [(None, True), (1_000_000, True), (1_000, False)])
def test_an_exam_is_passed_with_few_dollars_mispaid(
    store: Store, clock: Clock, most: int | None, *, passes: bool
) -> None:
    trainees = TraineeRecords(store, clock)
    request = asked(rounds=1)
    standard = Standard(rounds_per_hour=1, errors=3, mispaid_cents=most)
    request = request.model_copy(update={"asked": request.asked.model_copy(update={"standard": standard})})
    name = trainees.begin_exam("ann", request)
    exam = come_to_chips(trainees, name)
    cents = max(exam.position[2].cents, 0) + 2_000
    trainees.record_answer("ann", name, len(exam.answers), ChipAction.PAY, cents, fewest(cents))
    exam = taken(trainees, clock, name)
    assert exam.result.mispaid_cents > 1_000
    assert (exam.result.errors, exam.result.has_passed) == (1, passes)


def test_an_exam_ends_with_its_time_and_takes_no_answer_after_it(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_exam("ann", asked(rounds=2, rounds_per_hour=20, errors=99))
    exam = trainees.get_exam("ann", name)
    assert exam.begun.deadline_ms - exam.begun.begun_ms == 6 * 60_000  # two rounds at 20 an hour
    clock.ms = exam.begun.deadline_ms - 1
    trainees.record_answer("ann", name, 0, exam.position[2].answer)
    late = trainees.get_exam("ann", name)
    assert (len(late.answers), late.is_finished) == (1, False)
    with pytest.raises(UnknownIdError):
        trainees.get_certificate(name)
    clock.ms += 1
    trainees.record_answer("ann", name, 1, late.position[2].answer)
    over = trainees.get_certificate(name)
    assert (len(over.answers), over.is_finished) == (1, True)
    assert (over.result.unanswered, over.result.errors, over.result.has_passed) == (
        over.begun.question_count - 1,
        0,
        False,
    )
    assert (over.result.seconds, over.result.rounds_per_hour) == (360, 0)
    assert sum(each.asked for each in trainees.list_case_records("ann")) == 1


def test_a_certificate_has_the_open_cards_of_each_question(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    request = asked(rounds=1)  # its deal is that of seed 0: of a hand that folds without a side wager no card is shown
    exam = taken(trainees, clock, trainees.begin_exam("ann", request, (request.asked,)))
    cards = [each.cards for each in exam.answers]
    assert cards[0] == ""  # nothing is dealt yet
    assert cards[-1].startswith("Dealer ")
    assert len(cards[-1].split(",")[0].split()) == 7  # all six of the dealer's
    assert any("Seat 1" in each for each in cards)


def test_the_pace_of_a_drill_is_that_of_the_share_which_is_dealt(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_drill("ann", asked().asked)
    drill = trainees.get_drill("ann", name)
    count = len(drill.questions)
    assert drill.measure_pace(clock.ms + 9_000) is None
    while drill.remaining:
        question, clock.ms = drill.remaining[0], clock.ms + 2_000
        wrong = next((each for each in question.choices if each != question.answer), "")
        said = wrong if wrong and not drill.answers else question.answer
        trainees.record_answer("ann", name, len(drill.answers), said, question.cents)
        drill = trainees.get_drill("ann", name)
        assert drill.measure_pace(clock.ms) == 3_600_000 // (2_000 * count)  # asked again, the first one takes no time
    assert len(drill.answers) == count + 1


def test_the_clock_of_a_drill_pauses_while_the_trainee_is_away(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_drill("ann", asked().asked)
    questions = trainees.get_drill("ann", name).questions
    for number, question in enumerate(questions):
        clock.ms += 600_000 if number == 1 else 2_000  # ten minutes in an exam
        drill = trainees.get_drill("ann", name)
        away_ms = MAX_COUNTED_MS if number else 0
        if number == 1:
            assert (drill.measure_time(clock.ms), drill.measure_time_left(clock.ms)) == (2_000 + away_ms, 0)
            assert drill.measure_pace(clock.ms) == 3_600_000 // (len(questions) * (2_000 + away_ms))
        trainees.record_answer("ann", name, number, question.answer, question.cents)
    drill = trainees.get_drill("ann", name)
    taken_ms = 2_000 * (len(questions) - 1) + MAX_COUNTED_MS
    assert drill.result.seconds == taken_ms / 1_000
    assert drill.result.rounds_per_hour == drill.measure_pace(clock.ms) == 3_600_000 // taken_ms


@pytest.mark.parametrize(("cut", "is_house_cut"), [("4x5 1x5", False), ("1x25", True), ("25x1", False)])
def test_a_payout_of_an_exam_is_cut_and_other_chips_than_the_fewest_are_an_error(
    store: Store, clock: Clock, cut: str, *, is_house_cut: bool
) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_exam("ann", asked(rounds=1))
    exam = come_to_chips(trainees, name)
    for wrong in ("", "2x25", "nothing", "1x20 1x5"):
        with pytest.raises(IllegalActionError, check=refusal("payout-not-cut")):
            trainees.record_answer("ann", name, len(exam.answers), ChipAction.PAY, 2_500, wrong)
    trainees.record_answer("ann", name, len(exam.answers), ChipAction.PAY, 2_500, cut)
    assert trainees.get_exam("ann", name).answers[-1].is_house_cut is is_house_cut


def test_a_right_payout_in_too_many_chips_is_an_error_in_an_exam_alone() -> None:
    question = DealerQuestion("Seat 1", ChipAction.PAY, "a", "b", 0, cents=2_550, stake_cents=500, max_cents=9_900)
    spoiled, right = (grade_answer(question, ChipAction.PAY, 2_550, cut) for cut in ("5x5", "1x25"))
    assert (spoiled.is_house_cut, right.is_house_cut) == (False, True)
    assert (spoiled.mispaid_cents, spoiled.right) == (0, True)  # as in a drill
    assert right.said == "pay $25.50 (1 x $25, and 50¢)"
    assert grade_answer(question, ChipAction.PAY, 2_550).is_house_cut is None  # typed


def test_the_meter_of_an_exam_goes_on_from_round_to_round(store: Store, clock: Clock) -> None:
    drill = DrillRequest(terms=TableTerms(game="six-card", seats=4), rare="every", wanted="meter-percent")
    trainees = TraineeRecords(store, clock)
    exam = trainees.get_exam("ann", trainees.begin_exam("ann", ExamRequest(name="Ann", rounds=3, asked=drill)))
    rounds = [deal_drill(deal)[0] for deal in exam.begun.deals]
    for earlier, later in pairwise(rounds):
        assert later.opening_meter == earlier.meter
    assert rounds[0].opening_meter != rounds[1].opening_meter


def test_the_display_falls_with_each_award_of_a_round() -> None:
    terms = TableTerms(game="six-card", seats=6)
    for seed in range(400):
        played, questions = deal_drill(DrillRequest(terms=terms, seed=seed, stacked=True))
        paid = [each for each in questions if each.case == "Progressive: pay"]
        percents = [each.meter_cents for each in played.events if isinstance(each, WagerSettled) and each.meter_cents]
        if len(paid) > 1 and percents and paid[0].cents in percents:
            displays = [re.findall(r"display shows \$([\d,.]+)", each.question)[0] for each in paid]
            shown = [int(each.replace(",", "").replace(".", "")) for each in displays]
            assert all("of it is rounded down to a cent" in each.question for each in paid if each.cents in percents)
            if paid[0].cents < 1_000_000:
                assert shown[1] - shown[0] in (-paid[0].cents, -paid[0].cents + 1, -paid[0].cents - 1)
                return
    pytest.fail("no such round")


def test_disputes_alone_have_no_pace(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    name = trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="six-card", seats=3), disputes="only"))
    drill = trainees.get_drill("ann", name)
    while drill.remaining:
        clock.ms += 1_000
        trainees.record_answer("ann", name, len(drill.answers), drill.remaining[0].answer)
        drill = trainees.get_drill("ann", name)
        assert drill.measure_pace(clock.ms) is None
    assert drill.result.rounds_per_hour is None


@pytest.mark.more
def test_the_card_that_force_replaces_lies_aside_and_a_draw_is_named() -> None:
    request = DrillRequest(terms=TableTerms(game="lunar", seats=4), rare="every", wanted="force")
    draws, found = set[str](), 0
    for seed in range(400):
        played, questions = deal_drill(request.model_copy(update={"seed": seed, "stacked": True}))
        dealer, *seats = build_layout_snapshot(played, len(played.events))
        draws |= {each.draw for each in seats}
        dealt = [each for each in played.events if isinstance(each, CardsDealt) and each.destination == "dealer"]
        if len(dealt) > 1:
            assert (len(dealer.cards), bool(dealer.replaced)) == (5, True)
            first = [format_card(card, played.game.deck) for card in dealt[0].cards]
            assert "23456789TJQKA".index(dealer.replaced[0]) == max("23456789TJQKA".index(each[0]) for each in first)
            assert f"(replaced {dealer.replaced})" in list_open_cards(played, questions[-1])
            found += 1
        else:
            assert not dealer.replaced
    assert found
    assert {"bought a card", "exchanged 2 cards"} <= draws


@each_game
def test_a_certificate_lists_all_cards_that_lie_open_at_a_question(game: Game) -> None:
    """As it was: a step that names no seat listed the dealer's cards alone."""
    found = 0
    for seed in range(12):
        played = deal_training_round(open_round(game, min(3, game.seats)), seeded_bits(seed))
        for question in build_questions(played, seeded_bits(seed)):
            places = build_layout_snapshot(played, question.event_count, question.mucked)
            lying = {(each.name, card) for each in places for card in (*each.cards, *each.given_up) if card}
            listed = re.sub(r" \(replaced \w+\)", "", list_open_cards(played, question))
            listed = listed.replace(", discarded", "").replace(" discarded", "")
            rows = [re.split(r"(?<=Seat \d) |(?<!Seat) ", row) for row in listed.split(", ") if row]
            assert {(name, card) for name, *cards in rows for card in cards} == lying
            found += question.case == "collect the cards" and any(name.startswith("Seat") for name, _ in lying)
    assert found


@pytest.mark.parametrize("name", ["lunar", "wild-six-card"])
def test_a_certificate_tells_discards_apart_from_the_hand(name: str) -> None:
    """As it was: eight cards of a seat were listed without a word between them."""
    found, game = 0, load_game(name)
    for seed in range(12):
        played = deal_training_round(open_round(game, min(3, game.seats)), seeded_bits(seed))
        for question in build_questions(played, seeded_bits(seed)):
            listed = list_open_cards(played, question)
            for place in build_layout_snapshot(played, question.event_count, question.mucked):
                if place.given_up and all(place.cards):
                    hand = " ".join(filter(None, place.cards))
                    assert f"{place.name} {hand}, discarded {' '.join(place.given_up)}" in listed
                    found += 1
    assert found


def test_disputes_alone_need_as_large_a_share_right_as_whole_rounds(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    drill = DrillRequest(terms=TableTerms(game="six-card", seats=3), standard=Standard(errors=10), disputes="only")
    asked = ExamRequest(name="Ann", rounds=1, asked=drill)
    begun = trainees.get_exam("ann", trainees.begin_exam("ann", asked, (drill.model_copy(update={"seed": 1}),))).begun
    whole = deal_drill(begun.deals[0].model_copy(update={"disputes": ""}))[1]
    assert begun.whole_count == len(whole) > begun.question_count
    most = 10 * begun.question_count // len(whole)
    assert begun.standard.errors == most < begun.question_count // 2
    for wrong in (most, most + 1):
        name = trainees.begin_exam("ann", begun.request, begun.deals)
        assert taken(trainees, clock, name, wrong=wrong).result.has_passed == (wrong == most)


def test_an_exam_of_an_earlier_version_keeps_its_standard(store: Store, clock: Clock) -> None:
    trainees = TraineeRecords(store, clock)
    begun = trainees.get_exam("ann", trainees.begin_exam("ann", asked(rounds=1, errors=2))).begun
    assert (begun.whole_count, begun.standard.errors) == (0, 2)
    drill = begun.request.asked.model_copy(update={"disputes": "only"})
    earlier = begun.model_copy(update={"request": begun.request.model_copy(update={"asked": drill})})
    assert earlier.standard.errors == 2
