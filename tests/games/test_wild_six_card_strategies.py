"""What the written strategies discard, hand by hand."""

import pytest

from pitboss.cards import DECK_54, format_cards, make_mask, parse_cards
from pitboss.games.wild_six_card import GAME, rules
from pitboss.hands import load_hand_tables
from pitboss.strategies import get_strategy

PLAIN = rules.WildSixOptions(stand_pat=0, queens_or_better=0, draw_bonus=0, wild_flush=0)
STAND_PAT = PLAIN._replace(stand_pat=1)


def discarded(strategy: str, first: str) -> str:
    """Return the card that a strategy discards, whether it might stand or not."""
    chosen = get_strategy(GAME, strategy)
    view = rules.WildSixView(make_mask(parse_cards(first, DECK_54)), 0, 0)
    taken = [chosen.choose(load_hand_tables(), view, 0, chosen.numbers, options) for options in (PLAIN, STAND_PAT)]
    assert taken[0] == taken[1]
    assert taken[0][0] == rules.DISCARD
    return format_cards(taken[0][1], DECK_54)


@pytest.mark.parametrize(
    ("first", "card"),
    [
        ("As Kd 7h 7c 2s", "2s"),
        ("Qs Qh Qd 5c 3s", "3s"),
        ("Ks Kh 4d 4c 9s", "9s"),
        ("Jk1 4h 4c Ks 9s", "9s"),
        ("Jk1 Jk2 2s 7h Qd", "2s"),
        ("4s 4h As 9s 6s", "4h"),
        ("5s 5h As 9s 6s", "6s"),
        ("4s 4h Ks 9s 6s", "6s"),
        ("4d 4h As 9s 6s", "6s"),
        ("As 9s 6s 4s Kd", "Kd"),
        ("5s 6h 7d 8c As", "As"),
        ("5s 6h 7d 9c Ks", "Ks"),
        ("5s 6h 7d 9c As", "5s"),
        ("6s 7s 8s 9h 2s", "9h"),
        ("Jk1 6s 7h 8d Kc", "Kc"),
        ("Jk1 6s 7h 8d Ac", "6s"),
        ("Jk1 2s 7s 9s Kd", "Kd"),
        ("Jk1 2s 7s 9s Ad", "2s"),
        ("Jk1 6s 7s 8h 2s", "2s"),
        ("Jk1 6s 7h 9d Kc", "Kc"),
        ("Jk1 6s 7h Td Qc", "Qc"),
        ("Jk1 6s 7h Td Kc", "6s"),
        ("Ks 9h 7d 4c 2s", "2s"),
    ],
)
def test_the_practical_strategy_does_what_its_lines_say(first: str, card: str) -> None:
    assert discarded("practical", first) == card


@pytest.mark.parametrize(
    ("first", "card"),
    [
        ("5s 6h 7d 9c As", "As"),
        ("Jk1 6s 7h Td Ac", "Ac"),
        ("Jk1 2s 7s 9s Ad", "Ad"),
        ("4s 4h As 9s 6s", "6s"),
        ("Ks 9h 7d 4c 2s", "2s"),
    ],
)
def test_every_draw_is_kept_whatever_card_goes(first: str, card: str) -> None:
    assert discarded("every-draw", first) == card


def test_the_simplest_discard_the_lowest_single_card_or_the_lowest() -> None:
    assert discarded("lowest-single", "2s 2h Kd 9c Jk1") == "9c"
    assert discarded("lowest-single", "2s 5s 7s 9s Kd") == "2s"
    assert discarded("lowest", "2s 2h Kh 9c Jk1") == "2h"
