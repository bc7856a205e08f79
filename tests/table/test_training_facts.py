"""What a correction of a step says: a fact that is true of its seat, and the clause of what is done there."""

import re
from collections.abc import Iterator

import pytest

from conformance.drawing import each_game
from pitboss.cards import seeded_bits
from pitboss.contract import Game, HandOwner
from pitboss.games import load_games
from pitboss.table.layout_snapshot import LayoutPlace, build_layout_snapshot
from pitboss.table.round import DecisionMade, Round, WagerSettled, open_round
from pitboss.table.round.wagers import get_wager
from pitboss.table.training.dealer_question import DealerQuestion
from pitboss.table.training.grading import grade_answer
from pitboss.table.training.procedure import load_procedure
from pitboss.table.training.questions import build_questions
from pitboss.table.training.rounds import deal_training_round
from pitboss.table.training.step_texts import describe_ask_step


def steps(game: Game, count: int = 40) -> Iterator[tuple[Round, DealerQuestion]]:
    """Yield the steps of some rounds of a game."""
    for seed in range(count):
        played = deal_training_round(open_round(game, min(3, game.seats)), seeded_bits(seed))
        yield from ((played, task) for task in build_questions(played, seeded_bits(seed)) if task.choices)


def get_seat(text: str) -> int:
    """Return the seat that a step names."""
    found = re.search(r"seat (\d)", text)
    assert found, text
    return int(found[1]) - 1


def has_folded(played: Round, task: DealerQuestion, seat: int) -> bool:
    """Return whether a seat has folded before a step."""
    made = (event for event in played.events[: task.event_count] if isinstance(event, DecisionMade))
    return any((event.seat, event.action) == (seat, "fold") for event in made)


def list_open_bets(played: Round, task: DealerQuestion, seat: int) -> list[str]:
    """List a seat's wagers that are not settled before a step."""
    events = [event for event in played.events[: task.event_count] if isinstance(event, WagerSettled)]
    done = [(event.seat, event.bet, event.on) for event in events]
    return [each.bet for each in played.stakes if each.seat == seat and (seat, each.bet, each.on) not in done]


def get_place(played: Round, task: DealerQuestion, seat: int) -> LayoutPlace:
    """Return a seat of the layout at a step."""
    places = build_layout_snapshot(played, task.event_count, task.mucked)
    return next(each for each in places if each.name == f"Seat {seat + 1}")


@each_game
def test_a_hand_that_is_turned_up_cites_no_clause_of_the_dealers_cards(game: Game) -> None:
    """As it was: a seat's hand was turned up by the clause that turns up the dealer's."""
    of_seats, of_others = set[str](), set[str]()
    for _, task in steps(game):
        if task.case == "turn up":
            (of_others if task.seat is None else of_seats).add(task.clause)
    assert of_others
    assert "" not in of_seats | of_others
    assert not of_seats & of_others


@each_game
def test_a_folded_hand_is_turned_up_by_the_clause_of_what_a_fold_leaves(game: Game) -> None:
    after_fold = {each.clause for each in load_procedure(game).shown if each.after_fold}
    for played, task in steps(game):
        if task.case == "turn up" and task.seat is not None and after_fold:
            assert (task.clause in after_fold) == has_folded(played, task, task.seat)


@pytest.mark.parametrize("name", load_games())
def test_every_clause_of_what_is_turned_up_is_cited(name: str) -> None:
    cited = " | ".join(task.clause for _, task in steps(load_games()[name], 80) if task.case == "turn up")
    for each in load_procedure(load_games()[name]).shown:
        assert each.clause in cited


@each_game
def test_a_wrong_seat_is_refused_by_a_fact_that_is_true_of_it(game: Game) -> None:
    """As it was: a folded seat was refused by the order of the seats."""
    found = 0
    for played, task in steps(game):
        for choice, fact in task.faults if task.case != "deal" else ():
            seat = get_seat(choice)
            assert choice in task.choices
            assert choice != task.answer
            assert f"seat {seat + 1}" in fact
            if fact.startswith("you settle the "):
                continue  # test_a_seat_whose_wager_comes_later_is_refused_by_the_order says what holds
            assert ("folded" in fact.partition("(")[0]) == has_folded(played, task, seat)
            clause = fact.partition(" (")[2].removesuffix(")")
            assert clause in ("", load_procedure(game).settle_fold)
            if "collected" in fact:
                assert not get_place(played, task, seat).cards
            elif "on its hand" in fact or "on the hand" in fact:
                open_bets = [get_wager(game, bet) for bet in list_open_bets(played, task, seat)]
                assert not any(each.hand_owner.is_seat and each.hand_owner.name != "OTHER_SEAT" for each in open_bets)
            elif not choice.startswith("Ask"):
                assert not list_open_bets(played, task, seat)
            found += 1
    assert found


@each_game
def test_no_seat_without_wagers_is_refused_by_the_order_of_the_seats(game: Game) -> None:
    for played, task in steps(game):
        for choice in set(task.choices) - {task.answer}:
            if re.fullmatch(r"Settle seat \d", choice) and not list_open_bets(played, task, get_seat(choice)):
                assert choice in dict(task.faults)


@each_game
def test_a_seat_whose_wager_comes_later_is_refused_by_the_order(game: Game) -> None:
    """As it was: what is left at a third seat did not refute it."""
    found = 0
    for played, task in steps(game, 60):
        for choice in set(task.choices) - {task.answer}:
            fact = grade_answer(task, choice, 0).situation
            first = re.match(r"you settle the (.+) of seat (\d) before that of seat (\d), from your right; ", fact)
            if first:
                assert int(first[2]) - 1 == task.seat
                assert int(first[3]) - 1 == get_seat(choice) < get_seat(task.answer)
                left = {get_wager(game, bet).name for bet in list_open_bets(played, task, get_seat(choice))}
                assert any(name in first[1] for name in left)
                assert "before what is left at" in fact
                found += 1
    assert found or game.id != "lunar"


def test_the_correction_of_a_folded_seat_says_that_it_has_folded() -> None:
    found = 0
    for played, task in steps(load_games()["six-card"]):
        for choice, fact in task.faults if task.case != "deal" else ():
            answer = grade_answer(task, choice, 0)
            assert answer.situation.startswith(fact) or task.situation.startswith("every wager is settled")
            assert task.situation in answer.situation
            assert grade_answer(task, task.answer, 0).situation == task.situation
            if choice.startswith("Settle") and has_folded(played, task, get_seat(choice)):
                assert "no wager of it is left (rule sheet, 6: a fold is collected immediately)" in fact
                found += 1
    assert found


@each_game
def test_a_seat_that_has_just_folded_is_told_with_the_chips_on_its_hand(game: Game) -> None:
    """As it was: Dealer Super was named as if it held the hand, which is collected while it still lies there."""
    folds = any(action.id == "fold" for each in game.decisions for action in each.actions)
    found = 0
    for played, task in steps(game):
        if "has just folded" in task.situation:
            chips = get_place(played, task, get_seat(task.situation)).chips
            assert chips
            said = task.situation.partition(": its ")[2].removesuffix(" still on its hand")
            foreign = {each.name for each in game.wagers if each.hand_owner is not HandOwner.OWN_HAND}
            held = [name for name, _ in chips if name.partition(" on seat ")[0] not in foreign]
            assert re.split(", | and ", said.removesuffix(" are").removesuffix(" is")) == held
            found += 1
    assert bool(found) == (folds and bool(list(game.decisions)))


@each_game
def test_the_order_of_the_seats_names_what_is_still_to_settle_at_the_others(game: Game) -> None:
    """As it was: "before the wagers of seat 2" was said also of a wager of seat 2 that was settled."""
    found = 0
    for played, task in steps(game, 25):
        others = task.situation.partition("before what is left at ")[2]
        for numbers, circles in re.findall(r"seats? ([\d, and]+) \(([^)]*)\)", others):
            for number in re.findall(r"\d", numbers):
                place = get_place(played, task, int(number) - 1)
                lit = {get_wager(game, bet).name for bet in list_open_bets(played, task, int(number) - 1)}
                assert set(circles.split(", ")) <= {name for name, _ in place.chips} | lit
                assert {name for name, _ in place.chips} <= set(circles.split(", "))
                found += 1
        assert "before the wagers of" not in task.situation
    assert found or game.id != "lunar"


@each_game
def test_the_collection_of_a_folded_hand_says_which_wagers_stay_and_why(game: Game) -> None:
    found, of_dealer = 0, any(each.hand_owner is HandOwner.DEALER for each in game.wagers)
    for played, task in steps(game):
        if task.case == "collect a folded hand" and task.seat is not None:
            left = [get_wager(game, bet).name for bet in list_open_bets(played, task, task.seat)]
            assert re.findall(r"; its ([^;]*) stays, because it is on ", task.situation) == left
            found += bool(left)
    assert bool(found) == of_dealer


@each_game
def test_no_correction_says_twice_that_wagers_are_settled(game: Game) -> None:
    for _, task in steps(game, 25):
        for choice in task.choices:
            assert grade_answer(task, choice, 0).situation.count("every wager") <= 1


@each_game
def test_a_wrong_first_deal_is_told_what_is_wrong_with_it(game: Game) -> None:
    """As it was: the correction said that no card was dealt, not why the order or the count was wrong."""
    found = set[str]()
    for _, task in steps(game, 3):
        for choice in set(task.choices) - {task.answer} if task.case == "deal" else ():
            if choice.startswith("Deal "):
                fact = grade_answer(task, choice, 0).situation.partition("; ")[0]
                found.add(fact.partition(" ")[0])
                counts = re.findall(r"(\d+) to each seat", f"{task.answer} {choice}")
                if counts[0] != counts[1]:
                    assert fact == f"each seat is dealt {counts[0]} cards, not {counts[1]}"
                else:
                    assert fact.startswith("the cards are dealt in this order: ")
    assert found == ({"the", "each"} if len(game.deal_order) > 1 else {"each"})


@each_game
def test_a_wrong_question_to_the_right_seat_is_told_why_it_does_not_come_now(game: Game) -> None:
    """As it was: the correction explained the seat alone, not the question."""
    asks, found = load_procedure(game).asks, 0
    for played, task in steps(game):
        for choice in set(task.choices) - {task.answer} if task.case == "ask" else ():
            if choice.startswith("Ask ") and get_seat(choice) == task.seat:
                said = next(each for each in game.decisions if describe_ask_step(each, get_seat(choice)) == choice)
                answered = [
                    event.decision
                    for event in played.events[: task.event_count]
                    if isinstance(event, DecisionMade) and event.seat == task.seat
                ]
                fact = grade_answer(task, choice, 0).situation
                assert ("has answered that question" in fact) == (said.id in answered)
                assert said.id in answered or asks[said.id] in fact
                found += 1
    assert bool(found) == (len(game.decisions) > 1)
