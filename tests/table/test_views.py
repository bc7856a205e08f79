"""What a seat is sent: never a card that it may not see, and no more to know than from what it may."""

import json
from typing import Any

import pytest

from conformance.drawing import each_game
from pitboss.cards import make_mask, seeded_bits
from pitboss.contract import Game
from pitboss.hands import ROYAL_FIRST, evaluate_strength, format_hand, load_hand_tables
from pitboss.table.round.events import CardsDealt
from pitboss.table.session import HOUSE, DealRound, TableTerms, TakeAction, build_view, handle_command, replay_events
from pitboss.table.session.events import RoundDealt
from pitboss.table.session.perspective import Perspective
from table.seated import dealt, done, evening, lowest_wagers, seated, some_decision


def _seat(sent_view: dict[str, Any], seat: int) -> dict[str, Any]:
    found: dict[str, Any] = sent_view["seats"][seat - 1]
    return found


def test_a_folded_hand_is_never_turned_up_and_one_that_met_the_dealers_is() -> None:
    now = dealt(TableTerms(game="six-card"), 2, 5)
    assert _seat(build_view(now, 2), 5)["cards"] == [None] * 6
    now = done(now, TakeAction(seat=2, action="play"), "p2")
    own = _seat(build_view(now, 2), 2)["cards"]
    assert None not in own
    assert _seat(build_view(now, 5), 2)["cards"] == [None] * 6
    now = done(now, TakeAction(seat=5, action="fold"), "p5")
    assert _seat(build_view(now, 5), 2)["cards"] == own
    assert _seat(build_view(now, None), 2)["made"]
    assert _seat(build_view(now, 2), 5)["cards"] == [None] * 6
    assert _seat(build_view(now, 2), 5)["made"] == ""


def test_a_hand_is_shown_to_all_when_it_is_paid_before_the_dealer_opens() -> None:
    now = seated(TableTerms(game="lunar"), 1, 2)
    for seat in (1, 2):
        now = done(now, lowest_wagers(now, seat), f"p{seat}")
    (deal,) = handle_command(now, DealRound(), HOUSE, 0)
    assert isinstance(deal, RoundDealt)
    first = "As Ah Ad Kc Ks  2c 4d 6h 8s Tc"  # a full house pays Super; the other hand pays nothing
    deck = first.split() + [card for card in deal.deck.split() if card not in first.split()]
    now = replay_events((deal.model_copy(update={"deck": " ".join(deck)}),), now)
    assert _seat(build_view(now, 2), 1)["cards"] == first.split()[:5]
    assert _seat(build_view(now, 2), 1)["made"] == "full house, aces over kings"
    assert _seat(build_view(now, 1), 2)["cards"] == [None] * 5
    won = {each["circle"]: each["result"] for each in _seat(build_view(now, 2), 1)["circles"]}
    assert won == {"ante": None, "super": "win"}


def test_a_drawn_card_is_hidden_from_its_own_seat_until_the_dealer_turns_the_hand() -> None:
    now = dealt(TableTerms(game="wild-six-card"), 1, 2, bits=seeded_bits(5))
    assert now.turn == 1
    now = done(now, some_decision(now, seeded_bits(1)), "p1")
    assert _seat(build_view(now, 1), 1)["cards"].count(None) == 1
    assert len(_seat(build_view(now, 1), 1)["aside"]) == 1
    assert _seat(build_view(now, 2), 1)["aside"] == [None]
    now = done(now, some_decision(now, seeded_bits(1)), "p2")
    assert None not in _seat(build_view(now, 1), 1)["cards"]


def test_each_circle_says_what_became_of_it_and_why() -> None:
    now = dealt(TableTerms(game="six-card"), 1, bets=("aces-up",))
    assert [each["result"] for each in _seat(build_view(now, 1), 1)["circles"]] == [None, None]
    now = done(now, TakeAction(seat=1, action="fold"), "p1")
    circles = _seat(build_view(now, 1), 1)["circles"]
    assert {each["circle"] for each in circles} == {"ante", "aces-up"}
    assert all(each["result"] in {"win", "lose", "push"} and each["reason"] for each in circles)
    assert sum(each["net_cents"] for each in circles) == _seat(build_view(now, 1), 1)["net_cents"]


@pytest.mark.parametrize(
    ("game", "least"),
    [("six-card", "$5"), ("wild-six-card", "$5"), ("wild-52", "$5"), ("shifting-wilds", "$10"), ("lunar", "$10")],
)
def test_the_least_that_is_to_be_placed_is_that_of_all_circles_that_must_be_filled(game: str, least: str) -> None:
    text = build_view(seated(TableTerms(game=game), 1), 1)["next"]["text"]
    assert text == f"Place your wagers: at least {least}, or sit this round out."


def test_the_next_step_is_one_and_clear() -> None:
    now = seated(TableTerms(game="six-card"), 1, 2)
    steps = [build_view(now, 3)["next"]["step"], build_view(now, 1)["next"]]
    assert steps == [
        "sit",
        {"step": "wager", "text": "Place your wagers: at least $5, or sit this round out."},
    ]
    now = done(now, lowest_wagers(now, 1), "p1")
    assert build_view(now, 1)["next"] == {"step": "wait", "text": "Your wagers are placed: $5. Waiting for seat 2, p2."}
    now = done(now, lowest_wagers(now, 2), "p2")
    assert build_view(now, 2)["next"] == {"step": "deal", "text": "All wagers are placed: deal."}
    now = done(now, DealRound(), "p1")
    assert build_view(now, 1)["next"] == {"step": "decide", "text": "Fold, or play for one more Ante?"}
    assert build_view(now, 2)["next"] == {"step": "wait", "text": "Seat 1, p1, is deciding."}
    assert build_view(now, 2)["actions"] == []


def test_a_hand_without_the_indicator_is_that_of_ones_own_and_the_community_cards() -> None:
    same = set()
    for seed in range(12):
        now = dealt(TableTerms(game="shifting-wilds"), 1, bits=seeded_bits(seed))
        perspective = Perspective(now, 1)
        dealt_cards = (each for each in perspective.get_events() if isinstance(each, CardsDealt))
        cards = [
            card
            for each in dealt_cards
            if each.seat == 0 or each.destination.lower() == "community"
            for card in each.cards
        ]
        natural = format_hand(evaluate_strength(load_hand_tables(), make_mask(cards), 0, ROYAL_FIRST))
        assert perspective.name_hand_without("w1") == natural
        same.add(perspective.name_hand(0) == natural)
    assert same == {True, False}


@each_game
def test_a_view_is_of_json_alone(game: Game) -> None:
    for now in evening(game, 3, 2):
        assert json.loads(json.dumps(build_view(now, 1))) == build_view(now, 1)


def test_a_card_given_up_that_comes_to_another_hand_tells_neither_of_the_other() -> None:
    """Six seats that exchange five cards empty the stub, and those behind draw what was given up (LU-11)."""
    now = dealt(TableTerms(game="lunar"), 1, 2, 3, 4, 5, 6, bits=seeded_bits(11))
    given: set[str] = set()
    came_back: set[str] = set()
    while now.turn is not None and now.round is not None:
        legal = [action.id for action in now.round.list_legal_actions()]
        action = next((f"exchange-{n}" for n in (5, 4, 3, 2) if f"exchange-{n}" in legal), legal[0])
        cards = tuple(_seat(build_view(now, now.turn), now.turn)["cards"][: int(action[-1])]) if "-" in action else ()
        seat, given = now.turn, given | set(cards)
        now = done(now, TakeAction(seat=seat, action=action, cards=cards), f"p{seat}")
        own = _seat(build_view(now, seat), seat)
        came_back |= {card for card in own["cards"] if card in given}
        for other in {*range(1, 7)} - {seat}:
            if all(circle["result"] != "win" for circle in _seat(build_view(now, other), seat)["circles"]):
                assert not given & {*_seat(build_view(now, other), seat)["cards"]}
            if all(circle["result"] != "win" for circle in _seat(build_view(now, seat), other)["circles"]):
                assert not given & {*_seat(build_view(now, seat), other)["aside"]}
    assert came_back
