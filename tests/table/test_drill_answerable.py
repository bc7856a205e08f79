"""Whatever a trainee is asked can be answered from what lies on the table then."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from conformance.drawing import each_game
from pitboss.cards import draw_below, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.games import load_game
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import CardsDealt, CardsShown, DecisionMade, Round, open_round
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.procedure import load_procedure
from pitboss.table.training.questions import build_questions
from pitboss.table.training.rounds import _group_draws, deal_training_round
from table.twins import public_events

ASKED = re.compile(r"Seat (\d).*?(?: on seat (\d))?: ")


def seat_of(task: DealerQuestion) -> int:
    """Return the seat on whose hand a payment stands."""
    found = ASKED.match(task.question)
    assert found, task.question
    return int(found[2] or found[1])


def on_closed_hands(game: Game, rounds: int) -> Iterator[bool]:
    """Yield for every payment whether it cannot be known from what lies open: it stands on a hand that lies face down.

    Not so where the fold has lost it, or where its player has turned up no first hand to claim a win.
    """
    on_no_seat = [wager.name for wager in game.wagers if not wager.hand_owner.is_seat]
    for seed in range(rounds):
        played = deal_training_round(open_round(game, 1 + seed % 6), seeded_bits(seed))
        for task in build_questions(played, seeded_bits(seed)):
            if task.choices or "envy" in task.case or any(name in task.question for name in on_no_seat):
                continue
            hand = next(
                each for each in build_layout_snapshot(played, task.event_count) if each.name == f"Seat {seat_of(task)}"
            )
            passed = played.events[: task.event_count]
            decided = any(isinstance(event, DecisionMade) and event.seat == seat_of(task) - 1 for event in passed)
            lost = task.answer != ChipAction.PAY and (task.reason == "folded" or "fee" in task.reason or not decided)
            yield None in hand.cards and not lost


@pytest.mark.in_turn("game")
@each_game
def test_a_hand_that_settles_a_wager_lies_open_or_is_claimed_by_nobody(game: Game) -> None:
    found = list(on_closed_hands(game, rounds=60))
    assert len(found) > 300
    assert not any(found)


def test_a_folded_hand_that_settles_a_wager_face_down_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: Aces Up, Bad Beat and the progressive of a folded seat were asked about with its cards face down."""

    def as_it_was(*, is_paid: bool, dealer_open: bool, is_folded: bool, lost_by_fold: bool) -> bool:
        return is_paid or (dealer_open and not is_folded and not lost_by_fold)

    monkeypatch.setattr("pitboss.table.round.procedure.is_turned_up", as_it_was)
    assert any(on_closed_hands(load_game("six-card"), rounds=60))


def twin(played: Round, upto: int, bits: BitSource) -> Round | None:
    """Return a round in which the cards that lie face down after so many events are others; None where none goes on."""
    open_cards = {card for event in played.events[:upto] if isinstance(event, CardsShown) for card in event.cards}
    unseen = [card for card in played.game.deck.cards if card not in open_cards]
    other = dict(zip(unseen, shuffle_cards(unseen, bits), strict=True))
    dealt = [card for event in played.events if isinstance(event, CardsDealt) for card in event.cards]
    deck = [*dealt, *(card for card in played.game.deck.cards if card not in dealt)]
    now = open_round(played.game, played.seats)
    for stake in played.stakes:
        now = now.place_wager(stake)
    try:
        now = now.deal([other.get(card, card) for card in deck])
        for event in played.events:
            if isinstance(event, DecisionMade):
                now = now.decide(event.seat, event.action, [other.get(card, card) for card in event.cards])
    except PitbossError:
        return None
    together = load_procedure(now.game).draws_together
    return replace(now, events=_group_draws(now.events)) if together and now.is_closed else now


def looks(played: Round, upto: int) -> Any:
    """Return how the table looks after so many events, and what everybody has learnt."""
    return public_events(played.events[:upto]), list(build_layout_snapshot(played, upto))


def told_apart(game: Game, seed: int, twins: int) -> Iterator[tuple[DealerQuestion, DealerQuestion]]:
    """Yield questions of rounds that look alike when they are asked, in pairs."""
    bits = seeded_bits(seed)
    played = deal_training_round(open_round(game, 1 + seed % 3), bits)
    tasks = build_questions(played, seeded_bits(0))
    for _ in range(twins):
        place = draw_below(len(tasks), bits)
        other = twin(played, tasks[place].event_count, bits)
        if other is None or not other.is_closed:
            continue
        theirs = build_questions(other, seeded_bits(0))
        alike = len(theirs) > place and theirs[place].event_count == tasks[place].event_count
        if alike and looks(played, tasks[place].event_count) == looks(other, tasks[place].event_count):
            yield tasks[place], theirs[place]


def answer_of(task: DealerQuestion) -> Any:
    """Return a question, what answers it, what is offered with it, and what is cited."""
    return task.full_text, task.answer, task.cents, task.reason, task.clause, set(task.choices), task.mispays


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_rounds_that_look_alike_are_asked_alike(game: Game) -> None:
    compared = 0
    for seed in range(60):
        for mine, other in told_apart(game, seed, twins=4):
            assert answer_of(mine) == answer_of(other)
            compared += 1
    assert compared > 40


@pytest.mark.more
def test_a_question_that_face_down_cards_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: the dealer is asked to turn up a hand of which only its player knows that it wins."""
    monkeypatch.setattr("pitboss.table.training.questions._QuestionBuilder._is_claim", lambda *_: False)
    pairs = [pair for seed in range(60) for pair in told_apart(load_game("lunar"), seed, twins=4)]
    assert any(answer_of(mine) != answer_of(other) for mine, other in pairs)
