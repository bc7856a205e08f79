"""Which decision a person is at is told by the cards, and nothing is valued that no round comes to."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.drawing import draw_trail, each_game
from pitboss.analysis.position import Position, find_position, format_view_cards, list_card_names
from pitboss.cards import parse_cards
from pitboss.contract import Game
from pitboss.core.errors import CardError, IllegalActionError
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables


def at(name: str, cards: Mapping[str, str], **options: str) -> Position:
    """Return the position of a game in which these cards are seen."""
    game = load_game(name)
    given_cards = {field: parse_cards(text, game.deck) for field, text in cards.items()}
    return find_position(game, select_paytables(game), resolve_options(game, options), given_cards)


@each_game
@settings(max_examples=25)
@given(data=st.data())
def test_every_position_of_a_round_is_found_by_its_cards(game: Game, data: st.DataObject) -> None:
    trail = draw_trail(data.draw, game, seats=1)
    for now in trail[1:-1]:
        assert now.turn is not None
        asked, view = now.turn[1], now.get_view(0)
        named = format_view_cards(view, game.decisions[asked], game.deck)
        found = find_position(
            game, now.paytables, now.options, {name: parse_cards(text, game.deck) for name, text in named.items()}
        )
        assert (found.decision_index, found.view, found.legal) == (asked, view, now.list_legal_actions())


@pytest.mark.parametrize(
    "cards",
    [
        {"player": "As Ks Qs Js Jd", "drew": "Js Jd", "discarded": "Th 2d"},
        {"player": "As Ks Qs", "drew": "Js Jd", "discarded": "Th 2d"},
        {"player": "As Ks Qs Th 2d", "drew": "Js Jd", "discarded": "Th 2d"},
    ],
    ids=["held", "kept", "first"],
)
def test_after_a_draw_a_hand_is_told_by_what_is_held_kept_or_was_dealt(cards: dict[str, str]) -> None:
    found = at("lunar", {**cards, "dealer": "3c"})
    assert found.decision.id == "fold-or-play"
    assert format_view_cards(found.view, found.decision, load_game("lunar").deck) == {
        "player": "As Ks Qs Js Jd",
        "dealer": "3c",
        "drew": "Js Jd",
        "discarded": "Th 2d",
    }


def test_five_cards_and_one_drawn_are_a_bought_sixth() -> None:
    kept = {"player": "As Ks Qs Ts 2d", "dealer": "3c", "drew": "Js"}
    without, among = at("lunar", kept), at("lunar", {**kept, "player": "As Ks Qs Ts 2d Js"})
    assert without == among
    assert without.view.player.bit_count() == 6


def test_the_dealers_open_hand_asks_for_the_ante_or_force() -> None:
    found = at("lunar", {"player": "As Ks Qs 2d 2c", "dealer": "3c 4c 6c 7d 9h"})
    assert [action.id for action in found.legal] == ["take-ante", "force"]


def test_what_an_option_allows_is_legal() -> None:
    hand = {"player": "As Ks Qs 2d Jk1"}
    assert [action.id for action in at("wild-six-card", hand).legal] == ["discard"]
    assert [action.id for action in at("wild-six-card", hand, stand_pat="on").legal] == ["discard", "stand"]


def test_indicators_are_w1_and_w2_in_this_order() -> None:
    game = load_game("shifting-wilds")
    seen = {"player": "As Ks Qs 2d", "community": "3d 4d"}
    one, two = (at("shifting-wilds", {**seen, "indicators": cards}) for cards in ("2c", "2c 3c"))
    assert (one.decision.id, two.decision.id) == ("check-or-lock", "play-or-fold")
    assert one.view.w1 == two.view.w1 != two.view.w2
    assert list_card_names(game) == ("player", "community", "indicators")


@pytest.mark.parametrize(
    ("game", "cards", "said"),
    [
        ("six-card", {"player": "As", "dealer": "2c 3c As"}, "As is in --player and in --dealer"),
        (
            "six-card",
            {"player": "As Ks Qs 2d 3d 4d", "dealer": "2c"},
            "at the decision fold-or-play, --dealer needs 3 cards, not 1",
        ),
        ("six-card", {"player": "As", "dealer": ""}, "--player needs 6 cards, not 1; --dealer needs 3 cards, not 0"),
        ("six-card", {"player": "As", "community": "2c"}, "shows no community cards .* give --player, --dealer"),
        (
            "wild-52",
            {"player": "As Ks Qs 2d Jk", "community": "2c 3c"},
            "check-or-play, --community needs 1 card, not 2",
        ),
        ("lunar", {"player": "As Ks 2d 3c 4c", "dealer": "9c", "drew": "2h 2s", "discarded": "2h 5c"}, "2h is in"),
        ("lunar", {"player": "As Ks 2d 3c", "dealer": "9c", "drew": "2h 2s", "discarded": "2d 5c"}, "--player must be"),
        ("lunar", {"player": "As Ks 2d", "dealer": "9c", "drew": "2h", "discarded": "5d 5c"}, "each card given up is"),
    ],
)
def test_cards_that_fit_no_decision_are_refused_with_what_would(game: str, cards: dict[str, str], said: str) -> None:
    with pytest.raises(CardError, match=said) as refused:
        at(game, cards)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("game", "options", "cards", "said"),
    [
        ("lunar", {}, {"player": "As Ks Qs Js Ts", "dealer": "2c"}, "Instant Cash: royal flush, net .1,000 in Antes$"),
        (
            "lunar",
            {},
            {"player": "2s 3s 4s 9d 9h", "dealer": "2c", "drew": "9d 9h", "discarded": "5s 6s"},
            "Instant Cash: straight flush, net .250 in Antes$",
        ),
        ("wild-six-card", {}, {"player": "As Ks Qs Ts Jk1"}, "Poker: automatic win, net .1 in Poker bets$"),
        (
            "lunar",
            {},
            {"player": "As Ks Qs 2d 2c", "dealer": "3c 4c 6c 7d 7h"},
            "play: lose, dealer qualified, net -3 in Antes$",
        ),
        (
            "lunar",
            {},
            {"player": "As Ks Qs 2d 2c", "dealer": "3c", "drew": "2d", "discarded": "4c"},
            "no round reaches fold-or-play with these numbers of cards: buy draws 1 and gives up 0, exchange-2 draws 2",
        ),
        (
            "lunar",
            {"dealer_qualifies": "always"},
            {"player": "As Ks Qs 2d 2c", "dealer": "3c 4c 6c 7d 9h"},
            "no round reaches take-ante-or-force with these options$",
        ),
    ],
)
def test_a_round_that_is_over_or_never_comes_about_is_said_to_be(
    game: str, options: dict[str, str], cards: dict[str, str], said: str
) -> None:
    with pytest.raises(IllegalActionError, match=said):
        at(game, cards, **options)
