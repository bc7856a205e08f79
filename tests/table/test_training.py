"""Dealer training: what is asked in which order, hands that go unshown (W6-8), and what is kept of a trainee."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pitboss.cards import parse_cards, seeded_bits
from pitboss.core.errors import IllegalActionError, UnknownIdError
from pitboss.core.money import format_cents, parse_cents
from pitboss.games import load_game, load_games
from pitboss.games.wild_six_card import rules
from pitboss.hands import load_hand_tables
from pitboss.ledger.errors import LedgerError
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import (
    CardsDealt,
    CardsShown,
    DecisionMade,
    Round,
    RoundClosed,
    Stake,
    WagerSettled,
    open_round,
)
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.table.training.console_steps import ENVY_HAND_CASE
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.drills import Drill, DrillRequest, deal_drill
from pitboss.table.training.grading import TraineeAnswer
from pitboss.table.training.procedure import load_procedure
from pitboss.table.training.questions import UNSHOWN_CASE, build_questions
from pitboss.table.training.records import TraineeRecords
from pitboss.table.training.rounds import UnshownHandRound, deal_training_round
from refusals import refusal

SEEDS = range(40)
SEAT = re.compile(r"seat (\d)", re.IGNORECASE)
LIES = re.compile(r": (\$[\d,.]+) on the circle")


def rounds(game: str, seats: int = 3) -> Iterator[tuple[Round, tuple[DealerQuestion, ...]]]:
    """Yield rounds of a game with what is asked in them."""
    for seed in SEEDS:
        played = deal_training_round(open_round(load_game(game), seats), seeded_bits(seed))
        yield played, build_questions(played, seeded_bits(seed))


def steps(tasks: tuple[DealerQuestion, ...], *cases: str) -> list[tuple[int, str]]:
    """Return place and words of every step of these cases."""
    return [(place, task.answer) for place, task in enumerate(tasks) if task.choices and task.case in cases]


def seat_of(text: str) -> int:
    """Return the seat that words are about."""
    found = SEAT.search(text)
    assert found, text
    return int(found[1])


# The procedure.


@pytest.mark.parametrize("game", load_games())
def test_what_the_dealer_moves_is_what_the_seats_win_and_lose(game: str) -> None:
    for played, tasks in rounds(game):
        closed = played.events[-1]
        assert isinstance(closed, RoundClosed)
        moved = -sum(stake.cents for stake in played.stakes if stake.bet == "progressive")  # COIN IN takes them
        for task in tasks:
            if task.answer == ChipAction.TAKE:
                found = LIES.search(task.question)
                assert found
                moved -= parse_cents(found[1])
            elif not task.choices:
                moved += -task.cents if task.answer == ChipAction.COLLECT else task.cents
        assert moved == sum(closed.nets_cents)


@pytest.mark.parametrize("game", load_games())
def test_seats_are_asked_from_the_left_and_settled_at_the_showdown_from_the_right(game: str) -> None:
    for played, tasks in rounds(game):
        assert steps(tasks, "deal")
        for decision in played.game.decisions:
            asked = [seat_of(said) for _, said in steps(tasks, "ask") if decision.question in said]
            assert asked == sorted(asked)
        last = max((place for place, _ in steps(tasks, "ask")), default=-1)
        at_showdown = [
            seat_of(task.question)
            for task in tasks[last + 1 :]
            if task.case.split(":")[0] in {"Ante", "Poker"} and task.reason != "folded"
        ]
        assert at_showdown == sorted(at_showdown, reverse=True)
        assert tasks[-1].answer.startswith("Collect the cards")


@pytest.mark.parametrize("game", load_games())
def test_every_question_names_its_clause_and_has_its_answer_among_the_choices(game: str) -> None:
    for _, tasks in rounds(game):
        for task in tasks:
            assert task.clause
            assert task.case
            assert not task.choices or (task.answer in task.choices and len(set(task.choices)) == len(task.choices))


def test_automatic_winners_are_paid_and_taxed_before_anybody_draws() -> None:
    seen = 0
    for played, tasks in rounds("wild-six-card"):
        drawn = min((place for place, _ in steps(tasks, "ask", "draw")), default=len(tasks))
        winners = {
            event.seat
            for event in played.events
            if isinstance(event, WagerSettled) and event.outcome == "automatic-win"
        }
        for seat in winners:
            of_seat = f"Seat {seat + 1}, "
            poker = next(p for p, task in enumerate(tasks) if task.question.startswith(f"{of_seat}Poker"))
            assert tasks[poker].answer == ChipAction.PAY
            assert poker < drawn
            if any((stake.seat, stake.bet) == (seat, "taxpayers-fortune") for stake in played.stakes):
                tax = next(
                    p for p, task in enumerate(tasks) if task.question.startswith(of_seat) and "tax" in task.case
                )
                assert (tasks[tax].cents, poker < tax < drawn) == (500, True)
        seen += len(winners)
    assert seen


def test_the_tax_is_asked_for_once_of_every_seat_that_placed_it() -> None:
    for played, tasks in rounds("wild-six-card"):
        placed = sorted(stake.seat + 1 for stake in played.stakes if stake.bet == "taxpayers-fortune")
        assert sorted(seat_of(task.question) for task in tasks if task.answer == ChipAction.COLLECT) == placed


def test_all_choose_a_discard_before_the_first_card_is_given() -> None:
    for _, tasks in rounds("wild-six-card"):
        asked = [place for place, _ in steps(tasks, "ask")]
        drawn = [place for place, _ in steps(tasks, "draw")]
        assert not asked or max(asked) < min(drawn)
        assert tasks[max(drawn)].answer == "Give yourself a card from the stub"


def test_community_cards_and_w1_are_one_step() -> None:
    for _, tasks in rounds("shifting-wilds"):
        turned = [said for _, said in steps(tasks, "turn up")]
        assert turned[0] == "Turn up the community cards and W1"
        assert turned[1].startswith("Turn up W2")


@pytest.mark.more
@pytest.mark.parametrize(
    ("keys", "first", "last"), [("keypad", "COIN IN", "GAME OVER"), ("display", "START GAME", "END GAME")]
)
def test_the_progressives_keys_stand_around_the_round(keys: str, first: str, last: str) -> None:
    winners = 0
    for seed in range(150):
        played = deal_training_round(open_round(load_game("six-card"), 6), seeded_bits(seed))
        tasks = build_questions(played, seeded_bits(seed), keys)
        pressed = steps(tasks, "the progressive's keys")
        if not played.has_meter_wager:
            assert not pressed
            continue
        dealt = steps(tasks, "deal")[0][0]
        assert pressed[0] == (0, f"Press {first}")
        assert pressed[1][0] < dealt
        assert pressed[-1] == (len(tasks) - 2, f"Press {last}")
        won = [event for event in played.events if isinstance(event, WagerSettled) and event.bet == "progressive"]
        won = [event for event in won if event.net_cents > 0]
        paid = [task for task in tasks if task.case == "Progressive: pay"]
        assert [task.cents for task in paid] == [event.net_cents + 100 for event in won]  # for one: the $1 is taken
        assert len(pressed) == 3 + (3 if keys == "keypad" else 2) * len(won)  # a key that goes back to RUN
        winners += len(won)
    assert winners


def test_envy_is_paid_last_and_an_award_is_asked_off_the_display() -> None:
    game = load_game("six-card")
    cards = parse_cards("9s 8s 7s 6s 5s 2d", game.deck)
    now = open_round(game, 2)
    for seat in range(2):
        now = now.place_wager(Stake(seat, "main", 1_000)).place_wager(Stake(seat, "progressive", 100))
    now = now.deal(cards + tuple(card for card in game.deck.cards if card not in cards))
    tasks = build_questions(now.decide(0, "play").decide(1, "play"))
    award = next(task for task in tasks if task.question.startswith("Seat 1, Progressive"))
    envy = next(task for task in tasks if task.case == "envy: pay")
    assert (award.cents, "$10,000.28" in award.question) == (100_002, True)  # a tenth of the display
    assert (envy.question, envy.cents) == ("Seat 2, envy: seat 1 has a straight flush", 1_000)
    assert tasks.index(envy) == len(tasks) - 3  # then GAME OVER and the cards
    assert tasks.index(award) < tasks.index(envy)


@pytest.mark.parametrize(
    ("others", "together", "paid"),
    [
        ("9h 8h 7h 6h 5h 2h", 20, [100_002, 100_002]),
        ("Ah Kh Qh Jh Th 2h", 110, [1_000_028 * 10 // 110, 1_000_028 - 1_000_028 * 10 // 110]),
        ("Ah Kh 9d 4c 3c 2h", 10, [100_001]),
    ],
)
def test_shares_of_a_split_meter_follow_from_what_the_question_says(
    others: str, together: int, paid: list[int]
) -> None:
    """A hand that takes a share may still lie face down: the question says what all take together (SC-6)."""
    game = load_game("six-card")
    cards = parse_cards(f"9s 8s 7s 6s 5s 2d {others}", game.deck)
    now = open_round(game, 2, options={"award_order": "split"})
    stakes = 2 if len(paid) > 1 else 1
    for seat in range(2):
        now = now.place_wager(Stake(seat, "main", 1_000))
        now = now.place_wager(Stake(seat, "progressive", 100)) if seat < stakes else now
    now = now.deal(cards + tuple(card for card in game.deck.cards if card not in cards))
    tasks = build_questions(now.decide(0, "play").decide(1, "play"))
    awards = {task.seat: task for task in tasks if task.case == "Progressive: pay"}
    assert [awards[seat].cents for seat in range(len(paid))] == paid
    for task in awards.values():
        assert f"with every hand entered, {together}% of it is won in this round" in task.question
    share = "10 parts in 110" if together > 100 else "10%"
    shown = format_cents(1_000_000 + 14 * stakes)
    assert awards[0].reason == f"straight flush, {share} of {shown}, rounded down to a cent"


# An unshown hand.


def planted(seed: int, seats: int = 3) -> UnshownHandRound:
    """Return a round in which a winning first hand is not shown."""
    played = deal_training_round(open_round(load_game("wild-six-card"), seats), seeded_bits(seed), unshown=True)
    assert isinstance(played, UnshownHandRound)
    return played


def settled(played: UnshownHandRound, bet: str) -> list[WagerSettled]:
    """Return how a wager of the hidden seat ended."""
    return [
        event
        for event in played.events
        if isinstance(event, WagerSettled) and (event.seat, event.bet) == (played.hidden_seat, bet)
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_unshown_hand_loses_queens_or_better_and_meets_the_dealer_on_four_cards_and_the_draw(seed: int) -> None:
    played = planted(seed)
    seat, tables = played.hidden_seat, load_hand_tables()
    first = next(event for event in played.events if isinstance(event, CardsDealt) and event.seat == seat)
    made = sum(1 << card for card in first.cards)
    assert rules.settle_queens_or_better(tables, made, played.option_codes) < 11  # it would have won
    (queens,) = settled(played, "queens-or-better")
    assert (queens.outcome, queens.net_cents < 0) == ("lose", True)
    (discarded,) = [event for event in played.events if isinstance(event, DecisionMade) and event.seat == seat]
    assert len(discarded.cards) == 1
    state = played.states[seat]
    dealers = rules.rank_hand(tables, state.dealer | state.dealers_sixth, played.option_codes)
    mine = rules.rank_hand(tables, made & ~(1 << discarded.cards[0]) | state.drawn, played.option_codes)
    (poker,) = settled(played, "main")
    assert (poker.net_cents > 0) == (mine > dealers)
    for event in settled(played, "taxpayers-fortune"):
        assert event.legs[0].net_cents == -(500, 200, 100, 0)[rules.find_tax(tables, made, played.option_codes)]
    before = played.events[: played.events.index(poker)]
    assert not any(isinstance(event, CardsShown) and event.seat == seat for event in before[:-1])


def test_a_straight_or_better_may_go_unshown() -> None:
    hands = [planted(seed) for seed in SEEDS]
    assert any(
        rules.is_automatic_winner(load_hand_tables(), played.states[played.hidden_seat], played.option_codes)
        for played in hands
    )
    assert {settled(played, "main")[0].outcome.split("-")[0] for played in hands} == {"discard"}


@pytest.mark.parametrize("seed", range(10))
def test_the_dealer_is_asked_to_notice_once_all_cards_lie_open(seed: int) -> None:
    played = planted(seed)
    tasks = build_questions(played, seeded_bits(seed), expects_unshown=True)
    (noticed,) = [task for task in tasks if task.case == UNSHOWN_CASE]
    seat = played.hidden_seat + 1
    assert noticed.clause == load_procedure(played.game).unshown
    assert {f"Settle seat {seat}", f"Pay seat {seat} its Queens Or Better after all"} < set(noticed.choices)
    place = next(place for place in build_layout_snapshot(played, noticed.event_count) if place.name == f"Seat {seat}")
    assert len(place.cards) + len(place.given_up) == 6  # all that count, the discard aside
    assert None not in place.cards
    for task in tasks:
        assert any("was not shown" in choice for choice in task.choices) == (task.case in {"settle", UNSHOWN_CASE})
    before = [task for task in tasks[: tasks.index(noticed)] if task.question.startswith(f"Seat {seat}, Queens")]
    assert [(task.answer, task.reason) for task in before] == [
        (ChipAction.TAKE, f"the hand of seat {played.hidden_seat + 1} was not turned up, so it is not paid")
    ]


def test_a_wary_dealer_is_offered_it_where_there_is_none() -> None:
    played = deal_training_round(open_round(load_game("wild-six-card"), 2), seeded_bits(1))
    settling = [task for task in build_questions(played, seeded_bits(1), expects_unshown=True) if task.case == "settle"]
    assert settling
    assert all(any("was not shown" in choice for choice in task.choices) for task in settling)
    assert not any("was not shown" in choice for task in build_questions(played) for choice in task.choices)


def test_other_games_have_no_unshown_hands() -> None:
    played, tasks = deal_drill(DrillRequest(terms=TableTerms(game="six-card", seats=2), unshown="now", seed=1))
    assert not isinstance(played, UnshownHandRound)
    assert UNSHOWN_CASE not in {task.case for task in tasks}


# What is kept.


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[TableService]:
    """A house's tables."""
    made = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    yield made
    made.close()


def again(tmp_path: Path) -> TableService:
    """Return the same tables after a restart."""
    return TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")


def answered(trainees: TraineeRecords, name: str, *, wrong: str = "") -> Drill:
    """Answer a drill to its end; each question of the case ``wrong`` first with nonsense."""
    drill = trainees.get_drill("ann", name)
    while drill.remaining:
        task, first = drill.remaining[0], len(drill.answers) < len(drill.questions)
        said, cents = task.answer, task.cents
        if first and task.case == wrong:
            said = next(
                choice for choice in task.choices or (ChipAction.PAY,) if choice != task.answer or not task.choices
            )
            cents += 7
        trainees.record_answer("ann", name, len(drill.answers), said, cents)
        drill = trainees.get_drill("ann", name)
    return drill


def test_a_drill_goes_on_after_a_restart_at_the_same_question(tables: TableService, tmp_path: Path) -> None:
    trainees = TraineeRecords(tables.store)
    name = trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="lunar", seats=2)))
    first = trainees.get_drill("ann", name)
    trainees.record_answer(
        "ann", name, 0, next(choice for choice in first.remaining[0].choices if choice != first.remaining[0].answer)
    )
    trainees.record_answer("ann", name, 1, first.remaining[1].answer, first.remaining[1].cents)
    before = trainees.get_drill("ann", name)
    deal_drill.cache_clear()
    anew = again(tmp_path)
    after = TraineeRecords(anew.store).get_drill("ann", name)
    anew.close()
    assert (after, after.remaining) == (before, before.remaining)
    assert after.remaining[-1] == first.remaining[0]  # what went wrong is asked again
    assert [answer.right for answer in after.answers] == [False, True]


def test_an_old_page_changes_nothing_and_nonsense_is_refused(tables: TableService) -> None:
    trainees = TraineeRecords(tables.store)
    name = trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="six-card", seats=1)))
    task = trainees.get_drill("ann", name).remaining[0]
    trainees.record_answer("ann", name, 0, task.answer)
    now = trainees.get_drill("ann", name)
    trainees.record_answer("ann", name, 0, task.answer)
    assert trainees.get_drill("ann", name) == now
    with pytest.raises(IllegalActionError, check=refusal("invalid-answer")):
        trainees.record_answer("ann", name, 1, "nonsense")
    assert trainees.get_drill("ann", name) == now


def test_nobody_sees_another_trainees_drill(tables: TableService) -> None:
    trainees = TraineeRecords(tables.store)
    name = trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="six-card", seats=1)))
    for call in (trainees.get_drill, lambda holder, drill: trainees.record_answer(holder, drill, 0, "")):
        with pytest.raises(UnknownIdError):
            call("bob", name)
    assert trainees.list_case_records("bob") == ()


def test_what_went_wrong_is_told_and_comes_up_again_until_it_is_right_at_once(tables: TableService) -> None:
    trainees = TraineeRecords(tables.store)
    asked = DrillRequest(terms=TableTerms(game="wild-six-card", seats=3), unshown="now")
    answered(trainees, trainees.begin_drill("ann", asked), wrong=UNSHOWN_CASE)
    record = {each.case: each for each in trainees.list_case_records("ann")}
    assert {case for case, each in record.items() if each.weak} == {UNSHOWN_CASE}
    assert (record[UNSHOWN_CASE].asked, record[UNSHOWN_CASE].right) == (1, 0)
    name = trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="wild-six-card", seats=3)), again=True)
    assert UNSHOWN_CASE in {task.case for task in trainees.get_drill("ann", name).questions}
    answered(trainees, name)
    assert not any(each.weak for each in trainees.list_case_records("ann"))


@pytest.mark.parametrize("game", load_games())
def test_the_record_counts_each_clause_of_a_case_and_dollars_of_chips_alone(tables: TableService, game: str) -> None:
    """As it was: it showed the last clause of a case alone, and $0 mispaid for steps and disputes."""
    trainees = TraineeRecords(tables.store)
    asked = DrillRequest(terms=TableTerms(game=game, seats=2), disputes="also", seed=3)
    name = trainees.begin_drill("ann", asked, deal=asked)
    drill = trainees.get_drill("ann", name)
    wrong = {"turn up", "a dispute"}
    for place, task in enumerate(drill.questions):
        said = next(each for each in task.choices if each != task.answer) if task.case in wrong else task.answer
        trainees.record_answer("ann", name, place, said, task.cents)
    records = {each.case: each for each in trainees.list_case_records("ann")}
    for case, each in records.items():
        tasks = [task for task in drill.questions if task.case == case]
        assert {clause.clause: clause.asked for clause in each.clauses} == Counter(task.clause for task in tasks)
        assert sum(clause.right for clause in each.clauses) == each.right
        assert each.is_about_chips == any(not task.choices for task in tasks)
    assert len(records["turn up"].clauses) > 1


def test_a_case_that_was_renamed_counts_with_its_new_name() -> None:
    known = {"drill": "", "game": "six-card", "clause": "", "question": "", "reason": "", "said": "", "wanted": ""}
    answer = TraineeAnswer.model_validate({**known, "case": "a hand that pays envy", "first": True, "right": True})
    assert answer.case == ENVY_HAND_CASE == "whether a hand pays envy"


def test_what_lies_there_less_what_should_is_mispaid() -> None:
    seen = set()
    for seed in SEEDS:
        drill = Drill("drill", DrillRequest(terms=TableTerms(game="wild-six-card", seats=3), seed=seed))
        while drill.remaining:
            task = drill.remaining[0]
            if not task.choices and task.answer != ChipAction.COLLECT:
                should = {
                    ChipAction.TAKE: 0,
                    ChipAction.PUSH: task.stake_cents,
                    ChipAction.PAY: task.stake_cents + task.cents,
                }[ChipAction(task.answer)]
                wrong = {
                    said: drill.grade_answer(said, 700).mispaid_cents
                    for said in (ChipAction.TAKE, ChipAction.PUSH, ChipAction.PAY)
                }
                does = {ChipAction.TAKE: 0, ChipAction.PUSH: task.stake_cents, ChipAction.PAY: task.stake_cents + 700}
                assert wrong == {said: lies - should for said, lies in does.items()}
                seen.add(task.answer)
            right = drill.grade_answer(task.answer, task.cents)
            assert (right.right, right.mispaid_cents) == (True, 0)
            drill = replace(drill, answers=(*drill.answers, right))
    assert seen == {ChipAction.TAKE, ChipAction.PUSH, ChipAction.PAY}


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_no_payout_that_is_right_is_absurd_and_absurd_ones_do_not_count(game: str) -> None:
    for _, tasks in rounds(game, 6):
        assert all(task.cents <= task.max_cents // 2 for task in tasks if not task.choices)
    drill = Drill("drill", DrillRequest(terms=TableTerms(game=game, seats=1)))
    while drill.remaining[0].choices:
        drill = replace(drill, answers=(*drill.answers, drill.grade_answer(drill.remaining[0].answer, 0)))
    with pytest.raises(IllegalActionError, check=refusal("amount-too-large")):
        drill.grade_answer(ChipAction.PAY, 999_999_900)


def test_a_payment_that_is_wrong_is_told_by_how_much(tables: TableService) -> None:
    trainees = TraineeRecords(tables.store)
    case = "Taxpayer's Fortune, tax"
    while True:
        name = trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="wild-six-card", seats=6)))
        if any(task.case == case for task in trainees.get_drill("ann", name).questions):
            break
    drill = trainees.get_drill("ann", name)
    while drill.remaining[0].case != case:
        task = drill.remaining[0]
        trainees.record_answer("ann", name, len(drill.answers), task.answer, task.cents)
        drill = trainees.get_drill("ann", name)
    due = drill.remaining[0].cents
    trainees.record_answer("ann", name, len(drill.answers), ChipAction.COLLECT, due + 300)
    drill = trainees.get_drill("ann", name)
    last = drill.answers[-1]
    assert (last.right, last.mispaid_cents) == (False, -300)  # the seat is three dollars short
    assert next(each for each in trainees.list_case_records("ann") if each.case == case).mispaid_cents == 300


def test_trainees_lie_beside_tables_and_the_record_holds(tables: TableService, tmp_path: Path) -> None:
    trainees = TraineeRecords(tables.store)
    answered(trainees, trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="six-card", seats=1))))
    again(tmp_path).close()  # also where no table was ever opened
    tables.open_table("t1", TableTerms(game="six-card"), "open-t1")
    assert tables.list_names() == ("t1",)
    with tables.store.begin_read() as transaction:
        entries = transaction.get_head().sequence
    assert tables.verify() == entries
    with pytest.raises(UnknownIdError, check=refusal("unknown-table", kind="table")):
        tables.get_session("trainee/ann")


def test_an_answer_that_was_altered_is_not_believed(tables: TableService) -> None:
    trainees = TraineeRecords(tables.store)
    name = trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="six-card", seats=1)))
    trainees.record_answer("ann", name, 0, trainees.get_drill("ann", name).remaining[0].answer)
    with tables.store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER entry_no_update")
        connection.exec_driver_sql("UPDATE entry SET data = replace(data, 'true', 'false') WHERE kind = 'answer'")
    with pytest.raises(LedgerError, check=refusal("entry-changed", sequence=2)):
        TraineeRecords(tables.store).get_drill("ann", name)


def test_a_drill_that_another_program_dealt_is_over_and_its_answers_count(
    tables: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainees = TraineeRecords(tables.store)
    name = trainees.begin_drill("ann", DrillRequest(terms=TableTerms(game="six-card", seats=1)))
    trainees.record_answer("ann", name, 0, trainees.get_drill("ann", name).remaining[0].answer)
    monkeypatch.setattr("pitboss.table.training.records.get_software_id", lambda: "another")
    with pytest.raises(UnknownIdError):
        TraineeRecords(tables.store).get_drill("ann", name)
    assert sum(each.asked for each in TraineeRecords(tables.store).list_case_records("ann")) == 1


# Folded hands.


@pytest.mark.parametrize("game", load_games())
def test_a_folded_hand_is_collected_once_no_wager_is_on_it_and_nothing_is_asked_of_it_after_that(game: str) -> None:
    collected = 0
    for played, tasks in rounds(game):
        for place, text in steps(tasks, "collect a folded hand"):
            seat, task = seat_of(text), tasks[place]
            name = f"Seat {seat}"
            hand, after = (
                next(each for each in build_layout_snapshot(played, now.event_count, now.mucked) if each.name == name)
                for now in (task, tasks[place + 1])
            )
            assert (hand.is_folded, bool(hand.cards), after.cards) == (True, True, ())
            later = [each.question for each in tasks[place + 1 :] if not each.choices] + [
                each.answer for each in tasks[place + 1 :] if each.choices
            ]
            assert not any(f"the hand of seat {seat}" in each or f"on seat {seat}:" in each for each in later)
            elsewhere = ("envy", *(each.name for each in played.game.wagers if not each.hand_owner.is_seat))
            own = [each for each in later if f"eat {seat}," in each]
            assert all(any(words in each for words in elsewhere) for each in own)
            collected += 1
        folds = {event.seat for event in played.events if isinstance(event, DecisionMade) and event.action == "fold"}
        assert len(folds) == len(steps(tasks, "collect a folded hand"))
    assert collected or not any(action.id == "fold" for each in load_game(game).decisions for action in each.actions)


@pytest.mark.parametrize("game", load_games())
def test_a_folded_hand_with_no_wager_on_it_is_never_turned_up(game: str) -> None:
    for played, tasks in rounds(game):
        folded = {event.seat for event in played.events if isinstance(event, DecisionMade) and event.action == "fold"}
        for seat in folded - {stake.seat for stake in played.stakes if stake.bet != "main"}:
            assert not any(f"Turn up the hand of seat {seat + 1}" in task.answer for task in tasks if task.choices)
            shown = {card for event in played.events if isinstance(event, CardsShown) for card in event.cards}
            dealt = [each for each in played.events if isinstance(each, CardsDealt) and each.seat == seat]
            mine = {card for each in dealt for card in each.cards}
            assert not shown & mine
