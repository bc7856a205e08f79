"""Caribbean Stud: published figures found again from the folder's rules, and its rulings one by one."""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from examples.loading import compute_nets, load_example
from examples.showdowns import HALVES, Integers, build_net_table, sum_nets
from pitboss.analysis.census import count_outcomes
from pitboss.analysis.par_sheet import build_par_sheet
from pitboss.cards import DECK_52, bit, parse_cards
from pitboss.contract import UNSETTLED
from pitboss.core.progress import ignore_progress
from pitboss.hands import ROYAL_FIRST, evaluate_strength, find_five_card_line, load_hand_tables
from pitboss.kernels.compile import kernel, register_rules
from pitboss.kernels.set_numbering import build_set_steps
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.table.round import Round, Stake, WagerSettled, open_round

GAME = load_example("caribbean_stud")
OPTIONS = encode_options(GAME, resolve_options(GAME, {}))
FOLD, RAISE = 0, 1
HIDDEN_HANDS = comb(46, 4)
ALL_DEALS = 52 * comb(51, 5) * HIDDEN_HANDS


@kernel
def list_hands(tables: Any, free: int, cards: int, number: int, with_card: int) -> Any:
    """Return every set of free cards and the strength that it has with another card, in the order of strength."""
    masks, strengths = np.zeros(number, np.int64), np.zeros(number, np.int64)
    mask = first_subset(free, cards)
    for place in range(number):
        masks[place], strengths[place] = mask, evaluate_strength(tables, mask | with_card, 0, ROYAL_FIRST)
        mask = next_subset(free, mask)
    order = np.argsort(strengths, kind="mergesort")
    return masks[order], strengths[order]


@kernel
def number_subsets(mask: int, steps: Integers, numbers: Integers, sizes: Integers) -> int:
    """Number every subset of a hand, and return how many there are."""
    count = 1
    numbers[0] = sizes[0] = 0
    for card in range(52):
        if mask >> card & 1:
            for subset in range(count):
                if sizes[subset] < steps.shape[1]:
                    numbers[count + subset] = numbers[subset] + steps[card, sizes[subset]]
                sizes[count + subset] = sizes[subset] + 1
            count *= 2
    return count


@kernel
def sum_raises(mine: Any, theirs: Any, steps: Integers, sets: int, nets: Integers, fold: int, qualifier: int) -> Any:
    """Return the sum of the better of raise and fold over all hands of the player, and how many are folded.

    Of the dealer's hands those that share a card with mine are left out by inclusion and exclusion: ``held`` counts the
    dealer's hands that hold a set of up to four cards.
    """
    held, weak_held = np.zeros(sets, np.int64), np.zeros(sets, np.int64)
    numbers, sizes, queries = np.zeros(32, np.int64), np.zeros(32, np.int64), np.zeros((len(mine[0]), 3), np.int64)
    for place in range(len(theirs[0])):
        if theirs[1][place] < qualifier:
            for subset in range(number_subsets(theirs[0][place], steps, numbers, sizes)):
                weak_held[numbers[subset]] += 1
    entered, first, total, folded = 0, 0, 0, 0
    while first < len(mine[0]):
        strength = mine[1][first]
        end = first
        while end < len(mine[0]) and mine[1][end] == strength:
            end += 1
        for up_to in range(2):
            while entered < len(theirs[0]) and theirs[1][entered] < strength + up_to:
                for subset in range(number_subsets(theirs[0][entered], steps, numbers, sizes)):
                    held[numbers[subset]] += 1
                entered += 1
            for place in range(first, end):
                for subset in range(number_subsets(mine[0][place], steps, numbers, sizes) - 1):
                    sign = 1 - 2 * (sizes[subset] & 1)
                    queries[place, up_to] += sign * held[numbers[subset]]
                    if up_to:
                        queries[place, 2] += sign * weak_held[numbers[subset]]
        for place in range(first, end):
            below, at_most, weak = queries[place]
            net = sum_nets(below, at_most, weak, HIDDEN_HANDS, nets[find_five_card_line(strength)])
            total += max(net, fold)
            folded += 1 if net <= fold else 0
        first = end
    return total, folded


@pytest.mark.long
@pytest.mark.compiled
def test_the_published_edge_of_main_follows_from_its_rules() -> None:
    """Every hand of the player meets every hand of the dealer, for each rank of the exposed card."""
    register_rules()
    tables, (steps, sets) = load_hand_tables(), build_set_steps(52, 5)
    raised = GAME.rules.act(GAME.rules.deal(DECK_52.cards, 1, 0, 1), 0, RAISE, 0)
    (nets,) = build_net_table(GAME, [raised], OPTIONS)
    total = folded = 0
    for exposed in range(13):
        free = (1 << 52) - 1 & ~bit(exposed)
        mine = list_hands(tables, free, 5, comb(51, 5), 0)
        theirs = list_hands(tables, free, 4, comb(51, 4), bit(exposed))
        sums = sum_raises(mine, theirs, steps, sets, nets, -HALVES * HIDDEN_HANDS, OPTIONS.dealer_qualifies)
        total, folded = total + 4 * sums[0], folded + 4 * sums[1]
    assert Fraction(total, HALVES) == -1_041_372_912_372
    assert ALL_DEALS == 19_933_230_517_200
    assert f"{-100 * total / HALVES / ALL_DEALS:.8f}" == "5.22430577"
    assert f"{100 * folded * HIDDEN_HANDS / ALL_DEALS:.4f}" == "47.7745"


@pytest.mark.compiled
@pytest.mark.parametrize(("table", "published"), [("PROG-1", 263_205), ("PROG-2", 246_784), ("PROG-3", 218_047)])
def test_the_progressive_has_its_published_break_even_meters(table: str, published: int) -> None:
    """One copy of the article has $217,047 for PROG-3."""
    counts = count_outcomes(GAME, GAME.wagers[1], resolve_options(GAME, {}), ignore_progress)
    assert list(counts) == [4, 36, 624, 3744, 5108, 2_589_444]
    tables = select_paytables(GAME, [table])
    sheet = build_par_sheet(GAME, GAME.wagers[1], tables, resolve_options(GAME, {}), counts)
    meter = sheet.extras["break_even_meter"]
    assert isinstance(meter, Fraction)
    assert int(meter) == published
    pays = [int(pay.amount) for pay in tables["progressive"].lines.values()]
    fixed = sum(pay * hands for pay, hands in zip(pays[2:], counts[2:], strict=False))
    assert meter == (comb(52, 5) - fixed) / (4 + Fraction(36, 10))


def test_main_is_paid_as_published() -> None:
    nets = compute_nets(GAME.main, select_paytables(GAME))
    assert nets == [-1, 201, 101, 41, 15, 11, 9, 7, 5, 3, 0, -3, 1]


def play(player: str, dealer: str, action: str = "raise", **options: str) -> Round:
    """Play one seat's round with an Ante of $10 and the progressive."""
    cards = parse_cards(f"{player} {dealer}", DECK_52)
    now = (
        open_round(GAME, options=options).place_wager(Stake(0, "main", 1000)).place_wager(Stake(0, "progressive", 100))
    )
    return now.deal((*cards, *(card for card in DECK_52.cards if card not in cards))).decide(0, action)


def list_legs(now: Round, bet: str = "main") -> list[tuple[str, int, int, str]]:
    """Return circle, stake, net and reason of each leg of a settled wager."""
    settled = next(event for event in now.events if isinstance(event, WagerSettled) and event.bet == bet)
    return [(leg.circle, leg.stake_cents, leg.net_cents, leg.reason) for leg in settled.legs]


def test_the_dealers_last_card_is_exposed() -> None:
    """Ruling CS-1."""
    state = GAME.rules.deal(range(52), 2, 1, 1)
    assert GAME.rules.view(state) == (0b11111 << 5, 1 << 14)
    assert GAME.rules.view(GAME.rules.show_dealer(state)) == (0b11111 << 5, 0b11111 << 10)


def test_a_hand_that_is_behind_wins_the_ante_from_a_dealer_who_does_not_qualify() -> None:
    """Ruling CS-2."""
    reason = "dealer does not qualify: ace-queen high, below ace-king"
    legs = [("ante", 1000, 1000, reason), ("raise", 2000, 0, reason)]
    assert list_legs(play("Ts 7d 6h 4c 2s", "As Qd Jc 9h 8s")) == legs


def test_an_ace_king_that_beats_an_ace_king_is_paid_as_a_pair() -> None:
    """Ruling CS-3."""
    reason = "ace-king-nine-five high beats the dealer's ace-king-nine-four high"
    legs = [("ante", 1000, 1000, reason), ("raise", 2000, 2000, reason)]
    assert list_legs(play("Ad Ks 9s 5c 3h", "Ah Kc 9d 4s 2c")) == legs


def test_a_fold_leaves_the_progressive_to_the_end_unless_it_is_lost() -> None:
    """Ruling CS-4."""
    flush, dealer = "Ks Js 9s 7s 2s", "Ac Kd 9h 5c 3d"
    assert list_legs(play(flush, dealer, "fold"), "progressive") == [("progressive", 100, 4900, "flush")]
    lost = play(flush, dealer, "fold", progressive_after_fold="off")
    assert list_legs(lost, "progressive") == [("progressive", 100, -100, "folded")]
    tables, state = load_hand_tables(), GAME.rules.act(GAME.rules.deal(range(52), 1, 0, 1), 0, FOLD, 0)
    assert GAME.rules.settle(tables, state, OPTIONS) == (0, UNSETTLED)


def test_settle_and_the_showdown_are_the_same_rules() -> None:
    chance, tables, showdown = np.random.default_rng(5), load_hand_tables(), GAME.showdown
    assert showdown is not None
    for _ in range(300):
        state: Any = GAME.rules.deal(chance.permutation(52).tolist(), 1, 0, 1)
        state = GAME.rules.show_dealer(GAME.rules.act(state, 0, int(chance.integers(2)), 0))
        mine, theirs = showdown.mine(tables, state, OPTIONS), showdown.theirs(tables, state, OPTIONS)
        assert GAME.rules.settle(tables, state, OPTIONS)[0] == showdown.outcome(state, mine, theirs, OPTIONS)
        assert GAME.rules.evaluate_hands(tables, state, OPTIONS) == (mine, theirs)
