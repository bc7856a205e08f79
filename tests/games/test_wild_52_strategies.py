"""The written strategies of Wild 52: each line of the practical one on hands that meet it, or just miss it."""

from typing import Any

import pytest

from pitboss.cards import DECK_53, make_mask, parse_cards
from pitboss.games import load_game
from pitboss.games.wild_52 import rules
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.strategies import get_strategy, load_strategies

GAME = load_game("wild-52")


def taken(name: str, player: str, community: str = "", **chosen: str) -> str:
    """Return what a strategy does with these cards."""
    strategy = get_strategy(GAME, name)
    options: Any = encode_options(GAME, resolve_options(GAME, chosen))
    five, first = (make_mask(parse_cards(text, DECK_53)) for text in (player, community))
    asked = 1 if community else 0
    action: int
    action, cards = strategy.choose(
        load_hand_tables(), rules.Wild52View(five, first, 0), asked, strategy.numbers, options
    )
    assert cards == 0
    actions = GAME.decisions[asked].actions
    return actions[action].id


@pytest.mark.parametrize(
    ("player", "action"),
    [
        ("Jk 2h 5d 9c Kh", "play"),
        ("2h 2d 5d 9c Kh", "play"),
        ("2h 5h 9h Kh Qd", "play"),
        ("3h 4d 5c 6s Kh", "play"),
        ("2h 3d 4c 5s Jh", "play"),
        ("Ah 2d 3c 4s 9h", "play"),
        ("5h 6d 8c 9s Th", "play"),
        ("2h 5d 6c 8s 9h", "fold"),
        ("Ah Kh Th 6d 2c", "play"),
        ("Ah Kh Th 6d 2h", "play"),
        ("Ah Kh Td 6d 2c", "fold"),
        ("Ah Kh 9h 6d 2c", "fold"),
        ("Kh Qh Th 6d 2c", "fold"),
    ],
)
def test_the_practical_strategy_plays_pairs_draws_and_helped_aces(player: str, action: str) -> None:
    assert taken("practical", player) == action


@pytest.mark.parametrize(
    ("player", "community", "action"),
    [
        ("Jk 2h 5d 9c Kh", "8s", "play-2"),
        ("Ah 2d 5d 9c Kh", "9s", "check"),
        ("Kh 2d 5d 9c 8h", "Ks", "play-2"),
        ("Kh Kd 5d 9c 8h", "2s", "check"),
        ("Kh Kd 5h 9h 8c", "2h", "play-2"),
        ("Kh Kd 5h 9d 8c", "7s", "play-2"),
        ("Qh Qd 5h 9h 8c", "2h", "play-2"),
        ("Qh Qd 5h 9d 8c", "7s", "check"),
        ("Th Td 5h 9h 8c", "2h", "check"),
        ("7h 7d 5h 5c 2c", "Ks", "play-2"),
        ("6h 6d 5h 5c 2c", "Ks", "check"),
        ("6h 6d 5h 3c 2c", "3s", "play-2"),
        ("4h 4d 4c 9h 2c", "Ks", "play-2"),
        ("Ah Kd 9c 6s 2h", "8d", "check"),
        ("7h 7d 9c Ks 2h", "Jk", "play-2"),
        ("6h 6d 9c Ks 2h", "Jk", "check"),
        ("Ah Kd 9c 6s 2h", "Jk", "check"),
        ("3h 4d 5c 6s Kh", "Jk", "play-2"),
    ],
)
def test_the_practical_strategy_plays_again_what_the_board_does_not_give_away(
    player: str, community: str, action: str
) -> None:
    assert taken("practical", player, community) == action


def test_the_simpler_strategies_do_what_they_say() -> None:
    pair, draw, nothing = "2h 2d 5d 9c Kh", "3h 4d 5c 6s Kh", "Ah Kh 9h 6d 2c"
    assert [taken("simple", five) for five in (pair, draw, "2h 5h 9h Kh Qd", nothing)] == ["play"] * 3 + ["fold"]
    assert [taken("simple", pair, first) for first in ("5s", "2s", "7s")] == ["play-2", "play-2", "check"]
    assert [taken("raise-once", five) for five in (pair, draw, nothing)] == ["play", "play", "fold"]
    assert taken("raise-once", "Jk 2h 5d 9c Kh", "8s") == "check"
    assert [taken("always-play", nothing), taken("always-play", "Jk 2h 5d 9c Kh", "8s")] == ["play", "check"]
    assert [taken("always-play-twice", nothing), taken("always-play-twice", nothing, "3s")] == ["play", "play-2"]


def test_mimicking_the_dealer_follows_what_qualifies_him() -> None:
    assert [taken("mimic-the-dealer", five) for five in ("4h 4d 2c 9c Kh", "5h 5d 2c 9c Kh")] == ["fold", "play"]
    assert taken("mimic-the-dealer", "4h 4d 2c 9c Kh", dealer_qualifies="pair-of-4") == "play"
    assert taken("mimic-the-dealer", "4h 4d 2c 9c Kh", "9s") == "play-2"


def test_the_practical_strategy_comes_first() -> None:
    assert next(strategy.id for strategy in load_strategies(GAME)) == "practical"
