"""The strategies of Shifting Wilds line by line, each at positions where the exact values say the same."""

import pytest

from pitboss.analysis.solutions import main_nets
from pitboss.cards import DECK_52, mask_of, parse_cards
from pitboss.games import game_named
from pitboss.games.shifting_wilds import rules
from pitboss.games.shifting_wilds.solver.hints import hint
from pitboss.hands import hand_tables
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose
from pitboss.solving import Problem
from pitboss.strategies import strategies, strategy_named

GAME = game_named("shifting-wilds")
PROBLEM = Problem(option_codes(GAME, option_values(GAME, {})), main_nets(GAME, choose(GAME)))


def view(text: str) -> tuple[rules.View, int]:
    """Read the own four cards, the community cards, W1 and, if it lies open, W2; and which decision is asked."""
    codes = parse_cards(text, DECK_52)
    w2 = mask_of(codes[7:])
    return rules.View(mask_of(codes[:4]), 0, mask_of(codes[4:6]), 1 << codes[6], w2), 1 if w2 else 0


def taken(strategy: str, text: str) -> str:
    """Return what a strategy does at a position."""
    seen, asked = view(text)
    written = strategy_named(GAME, strategy)
    action, cards = written.choose(hand_tables(), seen, asked, written.numbers, PROBLEM.options)
    assert cards == 0
    found: str = GAME.decisions[asked].actions[action].id
    return found


# The own four cards, the community cards, W1 and then W2.
PRACTICAL = {
    # W1 makes another sort of hand.
    "Kd 9s 7h 2c Qh 4s 9d": "lock",  # with a wild card a pair of kings
    "Kd Ks 7h 2c Qh 4s Qd": "lock",  # two pair
    "9s 9c 7h 2c Qh 4s 9d": "lock",  # three of a kind
    "9s 8c 7h 2c 6h Ks Td": "lock",  # a straight
    "9s 8s 7s 2c 3s Kd Ts": "lock",  # a flush
    "9s 9c 7h 7c 4h 7d 9d": "lock",  # four of a kind of a full house
    # A pair is locked from sevens up, beside a draw from kings up.
    "Kd 8s 6h 2c Jh 4s Jd": "lock",
    "Kd Js 7h 2c Qh 4s 4d": "check",
    "9s 3c 2h 8c Jh 4s Jd": "lock",
    "9s 8c 6h 2c Jh 5s Jd": "check",  # four to a straight
    "As 3c 2h Jc 8h 4s 8d": "check",  # four to the lowest straight
    "9s 8s 6s 2c Js 4h Jd": "check",  # four to a flush
    "Qs 9s 6s 2c Ks 4h Kd": "lock",
    # What one holds without W1 is not locked.
    "Kd Ks 7h 2c Qh 4s Td": "check",
    "9s 8c 7h 2c 6h 5s Kd": "check",  # a straight
    "9s 8s 7s 2s 3s Kd Kc": "check",  # a flush
    "Ad Kd 9s 7h 5h 3c Qc": "check",
    # A pair or better of one's own is played.
    "Kd 9s 7h 2c Qh 4s Jd Kc": "play",
    "Kd Ks 7h 2c Qh 4s Jd 8c": "play",
    "Kd 9s 8h 3c Qh 4s Jd 3h": "play",
    "Kd 9s 7h 2c Qh Qs Jd 7c": "play",  # two pair, one of them on the table
    "Kd 9s 7h 2c Th Js Ad Qc": "play",  # a straight
    # A pair below the table is played from sixes up.
    "7s 7c Kd Qh 9h Js 3d 8c": "play",
    "4s 4c Ad Kh 9h Js 3d 8c": "fold",
    # A pair on the table needs the highest card beside it.
    "Ad 9s 7h 2c Qh Qs Jd 8c": "play",
    "Kd Ts 7h 2c Qh Qs Jd 8c": "fold",
    "Kd Ts 7h 2c Qh Qs Jd Ac": "play",
    "Jd 9s 7h 2c Qh Qs 3d 8c": "fold",
    # Three of a kind on the table, too, or a king.
    "Ad 9s 7h 2c Qh Qs Jd Qc": "play",
    "Kd 9s 7h 2c Qh Qs Jd Qc": "play",
    "Jd 9s 7h 2c Qh Qs 3d Qc": "fold",
    # Less than a pair is folded.
    "Ad Ks 9h 2c Qh 8s 3d 4c": "fold",
}


@pytest.mark.parametrize(("text", "action"), PRACTICAL.items())
def test_the_practical_strategy_does_what_its_lines_say(text: str, action: str) -> None:
    assert taken("practical", text) == action


@pytest.mark.compiled
@pytest.mark.parametrize(("text", "action"), PRACTICAL.items())
def test_there_the_exact_values_say_the_same(text: str, action: str) -> None:
    valued = hint(PROBLEM, *view(text), lambda _done, _total: None)
    assert max(valued, key=lambda each: each.value).action == action


def test_simpler_strategies_do_what_their_lines_say() -> None:
    locked, low_pair, nothing = "9s 9c 7h 2c Qh 4s 9d", "Kd Js 7h 2c Qh 4s 4d", "Ad Kd 9s 7h 5h 3c Qc"
    on_table, high_card = "Jd 9s 7h 2c Qh Qs 3d 8c", "Ad Ks 9h 2c Qh 8s 3d 4c"
    asked = (locked, low_pair, nothing, on_table, high_card)
    expected = {
        "simple": ["lock", "lock", "check", "play", "fold"],
        "mimic-the-dealer": ["check", "check", "check", "play", "fold"],
        "always-play": ["check", "check", "check", "play", "play"],
        "always-lock": ["lock", "lock", "lock"],
    }
    for strategy, actions in expected.items():
        assert [taken(strategy, text) for text in asked[: len(actions)]] == actions
    assert {strategy.id for strategy in strategies(GAME)} == {"practical", *expected}


def test_who_mimics_the_dealer_minds_what_the_dealer_qualifies_with() -> None:
    written = strategy_named(GAME, "mimic-the-dealer")
    seen, asked = view("Kd 9s 7h 2c Qh 7s Jd Tc")
    for lowest, action in (("pair-of-7", "play"), ("pair-of-8", "fold")):
        codes = option_codes(GAME, option_values(GAME, {"dealer_qualifies": lowest}))
        index = written.choose(hand_tables(), seen, asked, written.numbers, codes)[0]
        assert GAME.decisions[asked].actions[index].id == action
