"""The cards that make a hand, as a seat sees them: five, of the right cards, that the rules rank as all together."""

from collections.abc import Iterable

import pytest

from conformance.drawing import each_game
from pitboss.cards import DECK_54, make_mask, parse_cards
from pitboss.contract import Game
from pitboss.hands import FIVE_FIRST, ROYAL_FIRST, evaluate_strength, load_hand_tables
from pitboss.table.session import Phase, TableSession, TableTerms, TakeAction, build_view
from pitboss.table.session.perspective import CountedHand, Perspective
from table.seated import dealt, done, evening

EVENINGS = 12


def _mask(names: Iterable[str]) -> int:
    return make_mask(parse_cards(" ".join(names), DECK_54))


def _list_possible(now: TableSession, viewer: int, seat: int | None) -> set[str]:
    """Return the cards that a hand may be made of: its own and the shared ones."""
    view = build_view(now, viewer)
    zones = [zone["cards"] for zone in view["zones"] if seat is None or zone["zone"] != "dealer"]
    return {card for cards in zones for card in cards} | set(view["seats"][seat - 1]["cards"] if seat else ())


def _rank(now: TableSession, viewer: int, seat: int | None) -> int:
    """Return the strength of a hand from all of its cards, by the game's rules."""
    assert now.round
    state = Perspective(now, viewer).get_visible_state(None if seat is None else now.round_seats.index(seat))
    mine, dealers = now.round.game.rules.evaluate_hands(load_hand_tables(), state, now.round.option_codes)
    return int(dealers if seat is None else mine)


def _check(now: TableSession, viewer: int, seat: int | None) -> CountedHand:
    """Check the cards that count for one hand, and return them."""
    view = build_view(now, viewer)
    counted = Perspective(now, viewer).find_counted_hand_at(seat)
    if not (view["dealer"] if seat is None else view["seats"][seat - 1]["made"]):
        assert counted == CountedHand()
        return counted
    assert counted.cards <= _list_possible(now, viewer, seat)
    assert len(counted.cards) == 5
    assert set(counted.wild) <= counted.cards
    assert {name for name in counted.cards if name.startswith("Jk")} <= set(counted.wild)
    ranking = FIVE_FIRST if now.terms.game == "wild-52" else ROYAL_FIRST
    natural = counted.cards - set(counted.wild)
    strength = _rank(now, viewer, seat)
    assert evaluate_strength(load_hand_tables(), _mask(natural), len(counted.wild), ranking) == strength
    played = {*natural, *counted.wild.values()}
    if len(played) == 5:  # the cards that wild ones stand for make the same hand without a wild card
        assert evaluate_strength(load_hand_tables(), _mask(played), 0, ranking) == strength
    return counted


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_five_cards_count_and_the_rules_rank_them_alike(game: Game) -> None:
    hands = 0
    wild: list[str] = []
    for seed in range(EVENINGS):
        for now in evening(game, seed, options={}):
            if now.round and now.round.is_closed and now.phase is Phase.WAGERS:
                for seat in set(now.round_seats) & set(now.seats):
                    wild += _check(now, seat, None).wild
                    wild += _check(now, seat, seat).wild
                    hands += 1
    assert hands > EVENINGS
    assert wild or game.id in {"six-card", "lunar"}


def test_nothing_counts_before_the_hand_is_seen() -> None:
    now = dealt(TableTerms(game="six-card"), 2, 5)
    seen = Perspective(now, 2)
    assert seen.find_counted_hand_at(None) == seen.find_counted_hand_at(5) == CountedHand()
    assert seen.find_counted_hand_at(1) == CountedHand()
    assert len(seen.find_counted_hand_at(2).cards) == 5
    now = done(done(now, TakeAction(seat=2, action="fold"), "p2"), TakeAction(seat=5, action="fold"), "p5")
    assert Perspective(now, 2).find_counted_hand_at(5) == CountedHand()
