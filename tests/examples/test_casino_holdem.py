"""Casino Hold'em: published figures found again from the folder's rules, and its rulings one by one."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from examples.loading import compute_nets, compute_side_edge, load_example
from examples.showdowns import DEALER_HANDS, DEALS, HALVES, RIVERS, build_net_table, list_hands, value_flops
from pitboss.cards import DECK_52, parse_cards
from pitboss.contract import UNSETTLED
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.table.round import CardsShown, Round, Stake, WagerSettled, open_round

GAME = load_example("casino_holdem")
OPTIONS = encode_options(GAME, resolve_options(GAME, {}))
CALL = 1


@pytest.mark.long
@pytest.mark.compiled
def test_the_published_edge_of_main_follows_from_its_rules() -> None:
    """Published are a return of 97.84% and 82% of hands called."""
    called = GAME.rules.act(GAME.rules.deal(DECK_52.cards, 1, 0, 1), 0, CALL, 0)
    nets, fold = build_net_table(GAME, [called], OPTIONS), -HALVES * RIVERS * DEALER_HANDS
    total = folded = 0
    for flop, weight, sums in value_flops(nets, 0, OPTIONS.dealer_qualifies):
        calls = sums[0, list_hands(flop)]
        total += weight * int(np.maximum(calls, fold).sum())
        folded += weight * int((calls <= fold).sum())
    assert DEALS == 27_813_810_024_000
    assert Fraction(total, HALVES) == -600_123_513_880
    assert f"{-100 * total / HALVES / DEALS:.8f}" == "2.15764584"
    assert f"{100 * folded * RIVERS * DEALER_HANDS / DEALS:.4f}" == "18.0094"


@pytest.mark.compiled
def test_the_aa_bonus_has_its_exact_edge() -> None:
    """Of 2,598,960 hands 282,660 are a pair of aces or better, 273,144 of these at 7 to 1."""
    win = 100 * 4 + 50 * 36 + 40 * 624 + 30 * 3744 + 20 * 5108 + 7 * (10_200 + 54_912 + 123_552 + 84_480)
    edge = compute_side_edge(GAME, "aa-bonus", "AA-1")
    assert edge == Fraction(2_598_960 - 282_660 - win, 2_598_960) == Fraction(5809, 92_820)


def test_main_is_paid_as_published() -> None:
    nets = compute_nets(GAME.main, select_paytables(GAME))
    assert nets == [-1, 102, 22, 12, 5, 4, 3, 100, 20, 10, 3, 2, 1, 0, -3]


def play(player: str, dealer: str, board: str, action: str = "call", **options: str) -> Round:
    """Play one seat's round with an Ante of $10 and the AA Bonus."""
    cards = parse_cards(f"{player} {dealer} {board}", DECK_52)
    now = open_round(GAME, options=options).place_wager(Stake(0, "main", 1000)).place_wager(Stake(0, "aa-bonus", 500))
    return now.deal((*cards, *(card for card in DECK_52.cards if card not in cards))).decide(0, action)


def list_legs(now: Round, bet: str = "main") -> list[tuple[str, int, int, str]]:
    """Return circle, stake, net and reason of each leg of a settled wager."""
    settled = next(event for event in now.events if isinstance(event, WagerSettled) and event.bet == bet)
    return [(leg.circle, leg.stake_cents, leg.net_cents, leg.reason) for leg in settled.legs]


def test_the_flop_lies_open_from_the_deal_and_the_rest_at_the_end() -> None:
    now = play("As Kd", "Qc Jh", "2s 3d 4c 8h 9s")
    shown = [len(event.cards) for event in now.events if isinstance(event, CardsShown) and event.zone == "community"]
    assert shown == [3, 2]


def test_a_flush_on_the_board_ties() -> None:
    """Rulings CH-1 and CH-3."""
    reason = "both have flush, ace-king-nine-five-deuce high"
    assert list_legs(play("3c 4d", "5c 6d", "As Ks 9s 5s 2s")) == [("ante", 1000, 0, reason), ("call", 2000, 0, reason)]


def test_a_flush_is_paid_where_the_dealer_does_not_qualify() -> None:
    """Rulings CH-1 and CH-2."""
    reason = "dealer does not qualify: pair of threes, below pair of fours"
    legs = [("ante", 1000, 2000, reason), ("call", 2000, 0, reason)]
    assert list_legs(play("As 4s", "3h 2c", "9s 7s 5s Kd 3d")) == legs


def test_a_hand_that_is_behind_is_paid_by_a_dealer_who_does_not_qualify() -> None:
    """Ruling CH-2."""
    reason = "dealer does not qualify: pair of threes, below pair of fours"
    legs = [("ante", 1000, 1000, reason), ("call", 2000, 0, reason)]
    assert list_legs(play("Qh 7d", "3h 2s", "Kd 8s 5c Jh 3d")) == legs


def test_a_fold_leaves_the_aa_bonus_to_the_end_unless_it_is_lost() -> None:
    """Ruling CH-4."""
    cards = ("4c 2d", "Qh Ts", "As Ad 9c 8h 7c")
    assert list_legs(play(*cards, "fold"), "aa-bonus") == [("aa-bonus", 500, 3500, "pair of aces")]
    lost = play(*cards, "fold", aa_bonus_after_fold="off")
    assert list_legs(lost, "aa-bonus") == [("aa-bonus", 500, -500, "folded")]
    late = play("As Kd", "Qc Jh", "2s 3d 4c Ah 9s")
    reason = "less than a pair of aces with the flop"
    assert list_legs(late, "aa-bonus") == [("aa-bonus", 500, -500, reason)]
    state = GAME.rules.act(GAME.rules.deal(range(52), 1, 0, 1), 0, 0, 0)
    assert GAME.rules.settle(load_hand_tables(), state, OPTIONS) == (0, UNSETTLED)


def test_settle_and_the_showdown_are_the_same_rules() -> None:
    chance, tables, showdown = np.random.default_rng(7), load_hand_tables(), GAME.showdown
    assert showdown is not None
    for _ in range(300):
        state: Any = GAME.rules.deal(chance.permutation(52).tolist(), 1, 0, 1)
        state = GAME.rules.show_dealer(GAME.rules.act(state, 0, int(chance.integers(2)), 0))
        mine, theirs = showdown.mine(tables, state, OPTIONS), showdown.theirs(tables, state, OPTIONS)
        assert GAME.rules.settle(tables, state, OPTIONS)[0] == showdown.outcome(state, mine, theirs, OPTIONS)
        assert GAME.rules.evaluate_hands(tables, state, OPTIONS) == (mine, theirs)
