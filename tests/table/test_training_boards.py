"""No two steps of a round look alike on the table and have different answers."""

import re
from itertools import pairwise
from typing import Any

import pytest

from conformance.drawing import each_game
from pitboss.cards import seeded_bits
from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import Round, WagerSettled, open_round
from pitboss.table.training.dealer_question import DealerQuestion
from pitboss.table.training.questions import build_questions
from pitboss.table.training.rounds import deal_training_round


def board(played: Round, task: DealerQuestion) -> tuple[Any, ...]:
    """Return all that a page shows of a step: the layout, the step before, and the question."""
    return tuple(build_layout_snapshot(played, task.event_count, task.mucked)), task.last_step_text, task.question


def find_confusions(game: Game, keys: str, count: int = 40) -> set[tuple[str, str]]:
    """Return the right answers of steps of a round that look alike."""
    found = set[tuple[str, str]]()
    for seed in range(count):
        opened = open_round(game, 1 + seed % min(6, game.seats))
        played = deal_training_round(opened, seeded_bits(seed), stacked=bool(seed % 2))
        answers = dict[tuple[Any, ...], str]()
        for task in build_questions(played, seeded_bits(seed), keys):
            if task.choices:
                first = answers.setdefault(board(played, task), task.answer)
                found |= {(first, task.answer)} if first != task.answer else set()
    return found


@each_game
@pytest.mark.in_turn("game")
@pytest.mark.parametrize("keys", ["keypad", "display"])
def test_no_two_steps_of_a_round_look_alike_with_different_answers(game: Game, keys: str) -> None:
    assert find_confusions(game, keys) == set()


def test_steps_that_look_alike_without_the_step_before_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: the key that opens the round and the wagers on the sensors had the same board."""
    monkeypatch.setattr(DealerQuestion, "last_step_text", "")
    found = find_confusions(load_game("six-card"), "keypad")
    assert ("Press COIN IN", "Take the progressive wagers off the sensors") in found


def test_a_seat_that_checked_says_so_on_the_layout() -> None:
    game, said = load_game("shifting-wilds"), set[str]()
    for seed in range(20):
        played = deal_training_round(open_round(game, 3), seeded_bits(seed))
        for task in build_questions(played, seeded_bits(seed)):
            places = build_layout_snapshot(played, task.event_count, task.mucked)
            said |= {place.choice for place in places}
    assert said == {"", "checked", "locked", "played"}


def test_the_record_of_an_answer_has_the_step_before() -> None:
    played = deal_training_round(open_round(load_game("shifting-wilds"), 3), seeded_bits(1))
    steps = [task for task in build_questions(played, seeded_bits(1)) if task.choices]
    assert [task.last_step for task in steps] == ["", *(task.answer for task in steps[:-1])]
    assert steps[1].full_text.startswith("Last step: Deal ")
    assert steps[1].full_text.endswith(". What do you do next?")
    assert "fold?. " not in " ".join(task.full_text for task in steps)


@each_game
@pytest.mark.parametrize("keys", ["keypad", "display"])
def test_every_step_says_what_on_the_table_makes_it_right(game: Game, keys: str) -> None:
    for seed in range(12):
        opened = open_round(game, 1 + seed % min(6, game.seats))
        played = deal_training_round(opened, seeded_bits(seed), unshown=seed % 3 == 0, stacked=bool(seed % 2))
        for task in build_questions(played, seeded_bits(seed), keys, expects_unshown=True):
            assert bool(task.situation) == bool(task.choices), task
            assert not task.situation.endswith(".")
            if "from your right the next to settle" in task.situation:
                left = [each.seat for each in played.events[task.event_count :] if isinstance(each, WagerSettled)]
                assert task.seat is not None
                assert max(left) == task.seat


def test_a_step_counts_the_cards_and_names_the_seats_that_have_not_acted() -> None:
    played = deal_training_round(open_round(load_game("six-card"), 3), seeded_bits(1))
    steps = {task.answer: task.situation for task in build_questions(played, seeded_bits(1)) if task.choices}
    asked = [situation for answer, situation in steps.items() if answer.startswith("Ask seat 2")]
    assert asked == ["seat 1 has answered this question, seat 3 has not, and seat 2 is the next one"]
    assert steps["Turn up 3 of your own cards"] == "no seat has been asked yet, and of your own cards none of 6 is open"
    rest = steps["Turn up the rest of your own cards"]
    assert rest == "no seat has still to act, and of your own cards 3 of 6 are open"
    settle = steps["Settle seat 3"]
    assert settle.startswith(
        "all of your 6 cards and all of the 6 cards of seat 3 are open, and from your right the next to settle is its "
    )


def count_chips(played: Round, task: DealerQuestion, seat: int) -> int:
    """Count the cents that lie before a seat when a question is asked."""
    places = build_layout_snapshot(played, task.event_count, task.mucked, task.cleared)
    return sum(cents for each in places if each.name == f"Seat {seat + 1}" for _, cents in each.chips)


@each_game
def test_chips_that_were_taken_or_paid_no_longer_lie_at_the_next_question(game: Game) -> None:
    """As it was: they lay until the last wager of the seat was settled, through all keys of its progressive."""
    moved, through_keys = 0, 0
    for seed in range(40):
        played = deal_training_round(open_round(game, min(3, game.seats)), seeded_bits(seed), stacked=bool(seed % 2))
        tasks = build_questions(played, seeded_bits(seed))
        for task, following in pairwise(tasks):
            if task.stake_cents and task.seat is not None:
                left = count_chips(played, task, task.seat) - task.stake_cents
                assert count_chips(played, following, task.seat) == left, (task, following)
                moved += 1
                through_keys += following.case == "the progressive's keys"
    assert moved
    assert bool(through_keys) == (game.id == "six-card")


@each_game
def test_a_circle_says_whether_the_hand_is_turned_up_while_players_claim(game: Game) -> None:
    """As it was: nothing said that a hand of Super lay face down, and why such a wager is lost."""
    found = set[str]()
    for seed in range(40):
        played = deal_training_round(open_round(game, min(3, game.seats)), seeded_bits(seed), stacked=bool(seed % 2))
        for task in build_questions(played, seeded_bits(seed)):
            if said := re.search(r"; the hand of seat (\d) is (not )?turned up$", task.question):
                places = build_layout_snapshot(played, task.event_count, task.mucked)
                hand = next(each.cards for each in places if each.name == f"Seat {said[1]}")
                assert any(hand) == (said[2] is None)
                assert said[2] is None or task.answer == "take"
                found.add(said[2] or "")
            is_lost = "was not turned up" in task.reason
            assert is_lost == ("(ALL-6)" in task.clause) == bool(said and said[2])
    early = {"lunar": {"", "not "}, "wild-six-card": {"", "not "}}
    assert found == early.get(game.id, set())
