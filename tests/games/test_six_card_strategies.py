"""What the written strategies do, line by line."""

import pytest

from pitboss.cards import DECK_52, make_mask, parse_cards
from pitboss.games import load_game
from pitboss.games.six_card.rules import SixCardView
from pitboss.games.six_card.strategies import FOLD, PLAY
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.strategies import get_strategy

SIX_CARD = load_game("six-card")


def cards(text: str) -> int:
    """Return the set of cards written out."""
    return make_mask(parse_cards(text, DECK_52))


def action(name: str, exposed: str, hand: str, value: str = "ace-king") -> int:
    """Return what a strategy does with a hand against three exposed cards."""
    strategy = get_strategy(SIX_CARD, name)
    options = encode_options(SIX_CARD, resolve_options(SIX_CARD, {"dealer_qualifies": value}))
    taken, given = strategy.choose(
        load_hand_tables(), SixCardView(cards(hand), cards(exposed)), 0, strategy.numbers, options
    )
    assert given == 0
    return int(taken)


@pytest.mark.parametrize(
    ("exposed", "hand", "taken"),
    [
        ("7s 7h 7d", "8s 8h 8d 2c 3c 4h", PLAY),
        ("7s 7h 7d", "6s 6h 6d Ac Kc Jh", FOLD),
        ("7s 7h 7d", "As Ah Kd Kc Qs Qh", FOLD),
        ("7s 7h 7d", "9s Th Jd Qc Ks 2h", PLAY),
        ("7s 7h 4d", "2s 2h 3d 3c 9s Th", PLAY),
        ("7s 7h 4d", "8s 8h 3d 2c 9s Th", PLAY),
        ("7s 7h 4d", "6s 6h Ad Kc Qs Jh", FOLD),
        ("7s 7h 4d", "As Kh Qd Jc 9s 8h", FOLD),
        ("7s 7h 4d", "7d 7c Qd Jc 9s 8h", PLAY),
        ("7s 7h 4d", "7d 7c Jd Tc 9s 2h", FOLD),
        ("7s 7h Kd", "7d 7c Qd Jc 9s 8h", FOLD),
        ("7s Kh Ad", "2d 2c 3d 4c 9s 8h", PLAY),
        ("7s 8h 9d", "Kd Qc Jd 5c 3s 2h", FOLD),
        # ace-king
        ("9s 8h 7d", "Ad Kc Qd Jc 9d 2h", PLAY),
        ("9s 8h 7d", "Ad Kc Qd Jc 5s 2h", FOLD),
        ("Qs 8h 6d", "Ad Kc Jd Tc 7s 2h", PLAY),
        ("9s 8s 7s", "Ad Kc Qd Jc 9d 8h", FOLD),
        ("9s 8s 7s", "Ad Kc Qd 9c 8d 7h", PLAY),
        ("9s 8s 6s", "Ad Kc Qd Jc 9d 8h", PLAY),
        ("As Js 6h", "Ad Kc Qd 9c 8d 7h", PLAY),
        ("Ks Js 6h", "Ad Kc Jd 9c 8d 7h", PLAY),
        ("Ks Js 6h", "Ad Kc Td 9c 8d 7h", FOLD),
        ("As Ks 6h", "Ad Kc Jd 9c 8d 7h", PLAY),
        ("As Ks 6h", "Ad Kc Td 9c 8d 7h", FOLD),
        ("As Ks Qh", "Ad Kc Jd 9c 8d 7h", FOLD),
        # ace-queen
        ("9s 8h 7d", "Ad Qc Jd 9c 8d 2h", PLAY),
        ("9s 8h 7d", "Ad Qc Jd 9c Td 2h", FOLD),
        ("9s 8h 6d", "Ad Qc Jd 9c Td 2h", PLAY),
        ("Ks 8h 6d", "Ad Qc Jd 8c 6h 2h", FOLD),
        # lower aces
        ("Ts 9h 7d", "Ad Jc Td 9c 7h 2h", PLAY),
        ("Ts 9h 7d", "Ad Jc Td 9c 8h 2h", FOLD),
        ("Qs 9h 6d", "Ad Jc Td 9c 6h 2h", PLAY),
        ("Ts 9h 4d", "Ad Jc Td 8c 6h 2h", PLAY),
        ("Qs 9h 4d", "Ad Jc Td 9c 6h 2h", FOLD),
        ("Ts 9h 4d", "Ad Td 8c 6h 3h 2h", FOLD),
    ],
)
def test_the_practical_strategy_does_what_its_lines_say(exposed: str, hand: str, taken: int) -> None:
    assert action("practical", exposed, hand) == taken


@pytest.mark.parametrize(
    ("name", "exposed", "hand", "taken"),
    [
        ("beat-the-board", "Ks Js 6h", "Ad Kc 9d 8c 7d 5h", PLAY),
        ("beat-the-board", "As Ks 9h", "Ad Kc 8d 7c 5d 3h", FOLD),
        ("beat-the-board", "Ts 8s 6h", "Ad Qc 9d 8c 7d 5h", FOLD),
        ("beat-the-board", "7s 7h 4d", "7d 7c 5d 2c 9s Th", PLAY),
        ("beat-the-board", "7s 7h 4d", "7d 7c 2d 3c 4s 9h", PLAY),
        ("beat-the-board", "7s 7h Td", "7d 7c 2d 3c 4s 9h", FOLD),
        ("any-pair", "7s 7h 7d", "2s 2h 4d 6c 9s Th", PLAY),
        ("any-pair", "7s 8h 9d", "As Kh Qd Jc 9c 8s", FOLD),
        ("mimic-the-dealer", "As Ah Ad", "Ac Kh 3d 4c 9c 8s", PLAY),
        ("mimic-the-dealer", "7s 8h 9d", "Ac Qh Jd 4c 9c 8s", FOLD),
        ("always-play", "As Ah Ad", "2c 3h 4d 5c 7c 8s", PLAY),
    ],
)
def test_simpler_strategies_do_what_their_lines_say(name: str, exposed: str, hand: str, taken: int) -> None:
    assert action(name, exposed, hand) == taken


def test_a_dealer_who_qualifies_with_less_or_more_is_mimicked() -> None:
    assert action("mimic-the-dealer", "7s 8h 9d", "Ac Qh Jd 4c 9c 8s", "always") == PLAY
    assert action("mimic-the-dealer", "7s 8h 9d", "2c 2h Jd 4c 9c 8s", "pair-of-3") == FOLD
