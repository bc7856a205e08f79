"""Three Card Poker: published figures found again from the folder's rules, and its rulings one by one."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from examples.loading import as_percent, compute_nets, compute_side_edge, load_example
from pitboss.cards import DECK_52, make_mask, parse_cards, seeded_bits
from pitboss.contract import LegResult, Showdown
from pitboss.core.errors import PayTableError
from pitboss.hands import MINI_ROYAL, THREE_CARD_HIGH, evaluate_three_cards, load_hand_tables, pack_strength
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import parse_paytables, select_paytables
from pitboss.reports.formulas import PayCells, make_net_formula
from pitboss.table.round import Round, Stake, WagerSettled, open_round
from pitboss.table.training.dealer_question import ChipAction
from pitboss.table.training.questions import build_questions
from refusals import refusal

GAME = load_example("three_card_poker")
OPTIONS = encode_options(GAME, resolve_options(GAME, {}))
ALL_DEALS = comb(52, 3) * comb(49, 3)
QUEEN_SIX_FOUR = pack_strength(THREE_CARD_HIGH, 12, 6, 4, 0, 0)
Integers = NDArray[np.int64]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("bet", "table", "published"),
    [("pair-plus", "PP-1", "7.28"), ("pair-plus", "PP-2", "2.32"), ("pair-plus", "PP-3", "5.39")],
)
def test_side_wagers_have_their_published_edges(bet: str, table: str, published: str) -> None:
    assert as_percent(compute_side_edge(GAME, bet, table), 2) == published


@pytest.mark.compiled
def test_the_6_card_bonus_is_counted_exactly() -> None:
    """One table is published with 10.23 %, rounded up; the other with just over 8.5 %."""
    assert compute_side_edge(GAME, "six-card-bonus", "6CB-1") == Fraction(15_306, 149_695)
    assert as_percent(compute_side_edge(GAME, "six-card-bonus", "6CB-2"), 2) == "8.56"


def get_showdown() -> Showdown:
    assert GAME.showdown is not None
    return GAME.showdown


@cache
def count_dealer_hands() -> tuple[Integers, Integers]:
    """Return the strengths there are, and how often each pair of (mine, dealer's) is dealt."""
    masks = np.array([make_mask(cards) for cards in combinations(range(52), 3)])
    each = np.array([evaluate_three_cards(int(mask)) for mask in masks])
    strengths, index = np.unique(each, return_inverse=True)
    pairs = np.zeros((len(strengths), len(strengths)), np.int64)
    for mask, mine in zip(masks, index, strict=True):
        pairs[mine] += np.bincount(index[masks & mask == 0], minlength=len(strengths))
    assert pairs.sum() == ALL_DEALS
    return strengths, pairs


@cache
def net_of_play(*, with_bonus: bool) -> Integers:
    """Return the sum of the nets of playing each strength, over all deals, as the rules settle them."""
    strengths, pairs = count_dealer_hands()
    state = GAME.rules.act(GAME.rules.deal(GAME.deck.cards, 1, 0, 1), 0, 1, 0)
    nets = np.array([int(net) for net in compute_nets(GAME.main, select_paytables(GAME))])
    if not with_bonus:
        nets = np.array([sum(leg.result * leg.stake for leg in each.legs) for each in GAME.main.outcomes])
    outcome = get_showdown().outcome
    outcomes = [[outcome(state, int(mine), int(theirs), OPTIONS) for theirs in strengths] for mine in strengths]
    totals: Integers = (pairs * nets[np.array(outcomes)]).sum(axis=1)
    return totals


def compute_edge(played: Callable[[Integers], NDArray[np.bool_]], *, with_bonus: bool = True) -> Fraction:
    """Return the exact edge per Ante where some strengths are played and the others folded."""
    strengths, pairs = count_dealer_hands()
    total = np.where(played(strengths), net_of_play(with_bonus=with_bonus), -pairs.sum(axis=1)).sum()
    return Fraction(-int(total), ALL_DEALS)


@pytest.mark.more
def test_the_published_edges_of_main_follow_from_its_rules() -> None:
    edge = compute_edge(lambda strengths: strengths >= QUEEN_SIX_FOUR)
    assert edge == Fraction(13_733_780, 407_170_400)
    assert as_percent(edge, 4) == "3.3730"
    assert as_percent(compute_edge(lambda strengths: strengths >= OPTIONS.dealer_qualifies), 2) == "3.45"
    assert as_percent(compute_edge(lambda strengths: strengths >= 0), 2) == "7.65"
    without = compute_edge(lambda strengths: strengths >= QUEEN_SIX_FOUR, with_bonus=False)
    assert as_percent(without, 4) == "8.6580"


@pytest.mark.more
def test_queen_six_four_is_the_lowest_hand_that_is_better_played() -> None:
    strengths, pairs = count_dealer_hands()
    better = net_of_play(with_bonus=True) > -pairs.sum(axis=1)
    assert strengths[better].min() == QUEEN_SIX_FOUR
    assert better.tolist() == (strengths >= QUEEN_SIX_FOUR).tolist()
    played = pairs.sum(axis=1)[better].sum()
    edge = compute_edge(lambda strengths: strengths >= QUEEN_SIX_FOUR)
    assert as_percent(edge / (1 + Fraction(int(played), ALL_DEALS)), 2) == "2.01"


def play(player: str, dealer: str, action: str = "play", **stakes: int) -> Round:
    """Play one seat's round with an Ante of $10."""
    cards = parse_cards(f"{player} {dealer}", DECK_52)
    now = open_round(GAME).place_wager(Stake(0, "main", 1000))
    for bet, cents in stakes.items():
        now = now.place_wager(Stake(0, bet.replace("_", "-"), cents))
    return now.deal((*cards, *(card for card in DECK_52.cards if card not in cards))).decide(0, action)


def list_legs(now: Round, bet: str = "main") -> list[tuple[str, int, int, str]]:
    """Return circle, stake, net and reason of each leg of a settled wager."""
    settled = next(event for event in now.events if isinstance(event, WagerSettled) and event.bet == bet)
    return [(leg.circle, leg.stake_cents, leg.net_cents, leg.reason) for leg in settled.legs]


def test_the_ante_bonus_is_paid_on_a_hand_that_loses() -> None:
    """Ruling TCP-3; there are no chips in the circle of the bonus."""
    reason = "the dealer's straight flush, king high, beats three of a kind, aces"
    assert list_legs(play("As Ah Ad", "Jh Qh Kh")) == [
        ("ante", 1000, -1000, reason),
        ("play", 1000, -1000, reason),
        ("ante-bonus", 0, 4000, "three of a kind"),
    ]


def test_the_ante_wins_without_a_dealer_who_qualifies() -> None:
    """Ruling TCP-2."""
    reason = "dealer does not qualify: jack-ten high, below queen high"
    legs = [("ante", 1000, 1000, reason), ("play", 1000, 0, reason)]
    assert list_legs(play("2s 3h 5d", "Js Th 8c")) == legs


def test_a_fold_is_settled_without_the_dealers_hand() -> None:
    """Rulings TCP-4 and TCP-5."""
    now = play("4s 4d 9h", "4c 9d Kc", "fold", pair_plus=500, six_card_bonus=500)
    assert list_legs(now) == [("ante", 1000, -1000, "folded")]
    assert list_legs(now, "pair-plus") == [("pair-plus", 500, 500, "pair")]
    assert list_legs(now, "six-card-bonus") == [("six-card-bonus", 500, 12_500, "full house")]


def test_settle_and_the_showdown_are_the_same_rules() -> None:
    chance, tables, showdown = np.random.default_rng(3), load_hand_tables(), get_showdown()
    for _ in range(300):
        state: Any = GAME.rules.deal(chance.permutation(52).tolist(), 1, 0, 1)
        state = GAME.rules.show_dealer(GAME.rules.act(state, 0, int(chance.integers(2)), 0))
        mine, theirs = showdown.mine(tables, state, OPTIONS), showdown.theirs(tables, state, OPTIONS)
        assert GAME.rules.settle(tables, state, OPTIONS)[0] == showdown.outcome(state, mine, theirs, OPTIONS)
        assert GAME.rules.evaluate_hands(tables, state, OPTIONS) == (mine, theirs)


def test_a_dealer_is_asked_to_pay_the_ante_bonus() -> None:
    asked = build_questions(play("As Ah Ad", "Jh Qh Kh"), seeded_bits(1))
    (bonus,) = [task for task in asked if task.case == "Ante and Play, ante bonus"]
    assert (bonus.question, bonus.answer, bonus.cents) == ("Seat 1, ante bonus: three of a kind", ChipAction.PAY, 4000)


def test_a_workbook_adds_the_ante_bonus_per_ante() -> None:
    outcome = next(each for each in GAME.main.outcomes if each.name == "play-win-qualified-straight")
    cells = PayCells({("ante-bonus", "straight"): "B4"}, meter_cell="", award_step_cents=1)
    assert make_net_formula(outcome, LegResult.WIN, select_paytables(GAME), cells) == "1+1+B4"


def test_a_mini_royal_is_the_highest_straight_flush() -> None:
    held = [evaluate_three_cards(make_mask(parse_cards(cards, DECK_52))) for cards in ("Qs Ks As", "Js Qs Ks")]
    assert held[0] >= MINI_ROYAL > held[1]


def test_an_ante_bonus_for_one_is_refused() -> None:
    lines = {"straight-flush": 5, "three-of-a-kind": 4, "straight": 1}
    table = {"id": "mine", "bet": "main", "unit": "for_one", "lines": lines}
    with pytest.raises(PayTableError, check=refusal("wrong-unit")) as refused:
        parse_paytables({"paytable": [table]}, GAME, "mine.toml")
    assert "ante-bonus is paid where no chips lie, write them to_one" in str(refused.value)
