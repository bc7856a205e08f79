"""What a seat is sent: never a card that it may not see, and no more to know than from what it may."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from conformance.drawing import SEEDS, each_game
from pitboss.cards import format_card, parse_cards, reordered, seeded_bits
from pitboss.contract import Game, Place, Verdict
from pitboss.table.domain import Dealt, Decided, Settled
from pitboss.table.domain.wagers import wager_named
from pitboss.table.sitting import HOUSE, Chance, Deal, Decide, Sitting, Terms, do, folded, view
from pitboss.table.sitting.events import DealtOut
from table.seated import dealt, done, evening, lowest_wagers, seated, some_decision

CARD = re.compile(r'"((?:[2-9TJQKA][shdc])|(?:Jk[12]?))"')


Cards = dict[int | None, set[str]]
"""Cards by where they lie: before a seat, or with None in the middle."""


def sent(now: Sitting, seat: int | None) -> set[str]:
    """Return every card in what is sent to a seat."""
    return set(CARD.findall(json.dumps(view(now, seat))))


def sent_where(now: Sitting, seat: int | None) -> Cards:
    """Return every card in what is sent to a seat, by where it lies."""
    sent_view = view(now, seat)
    found: Cards = {place: set() for place in (None, *range(1, 7))}
    for each in (*sent_view["seats"], *sent_view["zones"], *sent_view["log"]):
        found[each.get("seat")] |= {*each.get("cards", ()), *each.get("aside", ())} - {None}
    return found


def _hands_laid_open(now: Sitting) -> Iterator[int]:
    """Yield the places whose hands the rules of the table turn up: paid, or met by the dealer's and not folded."""
    assert now.round is not None
    folded_places = {e.seat for e in now.round.events if isinstance(e, Decided) and e.action == "fold"}
    for event in now.round.events:
        if isinstance(event, Settled) and wager_named(now.round.game, event.bet).place is not Place.DEALER:
            place = event.seat if event.on is None else event.on
            if any(leg.verdict is Verdict.WIN for leg in event.legs) or (
                now.round.closed and place not in folded_places
            ):
                yield place


def may_see(now: Sitting, seat: int | None) -> Cards:
    """Return every card that a seat may see and where, told from the deal and the settlements alone."""
    may: Cards = {place: set() for place in (None, *range(1, 7))}
    if now.round is None:
        return may
    game = now.round.game
    views = [now.round.view(place) for place in range(now.round.seats)]
    dealt_to: dict[int | None, set[int]] = {place: set() for place in (None, *range(now.round.seats))}
    for event in now.round.events:
        if isinstance(event, Dealt):
            dealt_to[event.seat] |= set(event.cards)
    may[None] = {
        format_card(card, game.deck) for card in dealt_to[None] for each in views for cards in each if cards >> card & 1
    }
    own = now.playing.index(seat) if seat in now.playing and seat in now.seats else None
    if own is not None and seat is not None and now.holders[own] != now.seats[seat].holder:
        own = None
    for place in {*_hands_laid_open(now), *(() if own is None else (own,))}:
        held = views[place]
        mine = {card for card in dealt_to[place] for cards in held if cards >> card & 1}
        may[now.playing[place]] = {format_card(card, game.deck) for card in mine}
    return may


def _never_more_than_it_may(game: Game, seed: int, rounds: int) -> int:
    steps = 0
    for now in evening(game, seed, rounds):
        for seat in (None, *range(1, 7)):
            may, where = may_see(now, seat), sent_where(now, seat)
            assert all(where[place] <= may[place] for place in may)
            assert sent(now, seat) == set().union(*where.values())
            assert not now.secret or now.secret not in json.dumps(view(now, seat))
        steps += 1
    return steps


@each_game
@settings(max_examples=6)
@given(seed=SEEDS)
def test_no_seat_is_sent_a_card_that_it_may_not_see(game: Game, seed: int) -> None:
    assert _never_more_than_it_may(game, seed, rounds=3) > 3


@pytest.mark.long
@each_game
def test_no_seat_is_sent_a_card_that_it_may_not_see_in_a_thousand_rounds_of_the_five_games(game: Game) -> None:
    assert _never_more_than_it_may(game, seed=7, rounds=200) > 200


@pytest.mark.parametrize("game", ["six-card", "wild-52", "shifting-wilds"])
@settings(max_examples=8)
@given(seed=SEEDS)
def test_what_a_seat_cannot_see_could_be_any_cards_and_it_would_be_sent_the_same(game: str, seed: int) -> None:
    """Nothing in these games is settled before the first decision, so all that differs is hidden."""
    bits = seeded_bits(seed)
    now = seated(Terms(game=game), 1, 3, 4)
    for seat in (1, 3, 4):
        now = done(now, lowest_wagers(now, seat), f"p{seat}")
    (deal,) = do(now, Deal(), HOUSE, 0, Chance(bits))
    assert isinstance(deal, DealtOut)
    first = folded((deal,), now)
    assert first.round is not None
    deck = parse_cards(deal.deck, first.round.game.deck)
    for watcher in (None, 1, 2, 3, 4):
        seen = sent(first, watcher)
        names = [format_card(card, first.round.game.deck) for card in deck]
        hidden = list(reordered([card for card, name in zip(deck, names, strict=True) if name not in seen], bits))
        other = [name if name in seen else format_card(hidden.pop(), first.round.game.deck) for name in names]
        again = folded((deal.model_copy(update={"deck": " ".join(other)}),), now)
        assert view(again, watcher) == view(first, watcher)


def _seat(sent_view: dict[str, Any], seat: int) -> dict[str, Any]:
    found: dict[str, Any] = sent_view["seats"][seat - 1]
    return found


def test_a_folded_hand_is_never_turned_up_and_one_that_met_the_dealers_is() -> None:
    now = dealt(Terms(game="six-card"), 2, 5)
    assert _seat(view(now, 2), 5)["cards"] == [None] * 6
    now = done(now, Decide(seat=2, action="play"), "p2")
    own = _seat(view(now, 2), 2)["cards"]
    assert None not in own
    assert _seat(view(now, 5), 2)["cards"] == [None] * 6
    now = done(now, Decide(seat=5, action="fold"), "p5")
    assert _seat(view(now, 5), 2)["cards"] == own
    assert _seat(view(now, None), 2)["made"]
    assert _seat(view(now, 2), 5)["cards"] == [None] * 6
    assert _seat(view(now, 2), 5)["made"] == ""


def test_a_hand_is_shown_to_all_when_it_is_paid_before_the_dealer_opens() -> None:
    now = seated(Terms(game="lunar"), 1, 2)
    for seat in (1, 2):
        now = done(now, lowest_wagers(now, seat), f"p{seat}")
    (deal,) = do(now, Deal(), HOUSE, 0)
    assert isinstance(deal, DealtOut)
    first = "As Ah Ad Kc Ks  2c 4d 6h 8s Tc"  # a full house pays Super; the other hand pays nothing
    deck = first.split() + [card for card in deal.deck.split() if card not in first.split()]
    now = folded((deal.model_copy(update={"deck": " ".join(deck)}),), now)
    assert _seat(view(now, 2), 1)["cards"] == first.split()[:5]
    assert _seat(view(now, 2), 1)["made"] == "full house, aces over kings"
    assert _seat(view(now, 1), 2)["cards"] == [None] * 5
    won = {each["circle"]: each["result"] for each in _seat(view(now, 2), 1)["circles"]}
    assert won == {"ante": None, "super": "win"}


def test_a_drawn_card_is_hidden_from_its_own_seat_until_the_dealer_turns_the_hand() -> None:
    now = dealt(Terms(game="wild-six-card"), 1, 2, bits=seeded_bits(5))
    assert now.turn == 1
    now = done(now, some_decision(now, seeded_bits(1)), "p1")
    assert _seat(view(now, 1), 1)["cards"].count(None) == 1
    assert len(_seat(view(now, 1), 1)["aside"]) == 1
    assert _seat(view(now, 2), 1)["aside"] == [None]
    now = done(now, some_decision(now, seeded_bits(1)), "p2")
    assert None not in _seat(view(now, 1), 1)["cards"]


def test_each_circle_says_what_became_of_it_and_why() -> None:
    now = dealt(Terms(game="six-card"), 1, bets=("aces-up",))
    assert [each["result"] for each in _seat(view(now, 1), 1)["circles"]] == [None, None]
    now = done(now, Decide(seat=1, action="fold"), "p1")
    circles = _seat(view(now, 1), 1)["circles"]
    assert {each["circle"] for each in circles} == {"ante", "aces-up"}
    assert all(each["result"] in {"win", "lose", "push"} and each["reason"] for each in circles)
    assert sum(each["net_cents"] for each in circles) == _seat(view(now, 1), 1)["net_cents"]


@pytest.mark.parametrize(
    ("game", "least"),
    [("six-card", "$5"), ("wild-six-card", "$5"), ("wild-52", "$5"), ("shifting-wilds", "$10"), ("lunar", "$10")],
)
def test_the_least_that_is_to_be_placed_is_that_of_all_circles_that_must_be_filled(game: str, least: str) -> None:
    text = view(seated(Terms(game=game), 1), 1)["next"]["text"]
    assert text == f"Place your wagers: at least {least}, or sit this round out."


def test_the_next_step_is_one_and_clear() -> None:
    now = seated(Terms(game="six-card"), 1, 2)
    steps = [view(now, 3)["next"]["step"], view(now, 1)["next"]]
    assert steps == [
        "sit",
        {"step": "wager", "text": "Place your wagers: at least $5, or sit this round out."},
    ]
    now = done(now, lowest_wagers(now, 1), "p1")
    assert view(now, 1)["next"] == {"step": "wait", "text": "Seat 2, p2, is wagering."}
    now = done(now, lowest_wagers(now, 2), "p2")
    assert view(now, 2)["next"] == {"step": "deal", "text": "All wagers are placed: deal."}
    now = done(now, Deal(), "p1")
    assert view(now, 1)["next"] == {"step": "decide", "text": "Fold, or play for one Ante more?"}
    assert view(now, 2)["next"] == {"step": "wait", "text": "Seat 1, p1, is deciding."}
    assert view(now, 2)["actions"] == []


@each_game
def test_a_view_is_of_json_alone(game: Game) -> None:
    for now in evening(game, 3, 2):
        assert json.loads(json.dumps(view(now, 1))) == view(now, 1)


def test_a_card_given_up_that_comes_to_another_hand_tells_neither_of_the_other() -> None:
    """Six seats that exchange five cards empty the stub, and those behind draw what was given up (LU-11)."""
    now = dealt(Terms(game="lunar"), 1, 2, 3, 4, 5, 6, bits=seeded_bits(11))
    given: set[str] = set()
    came_back: set[str] = set()
    while now.turn is not None and now.round is not None:
        legal = [action.id for action in now.round.legal_actions()]
        action = next((f"exchange-{n}" for n in (5, 4, 3, 2) if f"exchange-{n}" in legal), legal[0])
        cards = tuple(_seat(view(now, now.turn), now.turn)["cards"][: int(action[-1])]) if "-" in action else ()
        seat, given = now.turn, given | set(cards)
        now = done(now, Decide(seat=seat, action=action, cards=cards), f"p{seat}")
        came_back |= {card for card in _seat(view(now, seat), seat)["cards"] if card in given}
        for other in range(1, 7):
            assert all(sent_where(now, other)[place] <= may_see(now, other)[place] for place in range(1, 7))
    assert came_back
