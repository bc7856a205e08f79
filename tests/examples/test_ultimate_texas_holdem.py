"""Ultimate Texas Hold'em: published figures found again from the folder's rules, and its rulings one by one."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from examples.loading import as_percent, compute_nets, compute_side_edge, load_example
from examples.showdowns import DEALER_HANDS, DEALS, HALVES, RIVERS, build_net_table, list_hands, value_flops
from pitboss.cards import DECK_52, parse_cards
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.hands import NO_HAND, load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.table.round import Round, Stake, WagerSettled, open_round

GAME = load_example("ultimate_texas_holdem")
OPTIONS = encode_options(GAME, resolve_options(GAME, {}))
TABLES = load_hand_tables()
PATHS = ((0, 0, 1), (0, 1), (1,), (2,))
"""The actions of each street that lead to a Play bet of one to four Antes."""

# Columns of what is summed over the flops for each two cards, up to suits.
RAISED_4X, RAISED_3X, CHECKED, BETS, FOLDS, ROUNDS = range(6)


def act(actions: tuple[int, ...], deck: Sequence[int] = DECK_52.cards) -> Any:
    """Deal a round and take actions, one of each street."""
    state = GAME.rules.deal(deck, 1, 0, 1)
    for street, action in enumerate(actions):
        state = GAME.rules.act(state, street, action, 0)
    return state


def sum_flops() -> list[list[int]]:
    """Return the columns for each two cards up to suits, of the best play from the flop on."""
    nets = build_net_table(GAME, [act(path) for path in PATHS], OPTIONS)
    pairs = [(max(one % 13, other % 13), min(one % 13, other % 13)) for one, other in product(range(52), repeat=2)]
    suited = [one // 13 == other // 13 for one, other in product(range(52), repeat=2)]
    kinds = np.array([26 * high + 2 * low + same for (high, low), same in zip(pairs, suited, strict=True)])
    totals: list[list[int]] = [[0] * 338 for _ in range(6)]
    for flop, weight, sums in value_flops(nets, -2 * HALVES * DEALER_HANDS, OPTIONS.dealer_qualifies):
        hands = list_hands(flop)
        _, twice, thrice, four_times, late, raised_late = sums[:, hands]
        raised = twice > late
        columns = {
            RAISED_4X: four_times,
            RAISED_3X: thrice,
            CHECKED: np.where(raised, twice, late),
            BETS: np.where(raised, 2 * RIVERS, raised_late),
            FOLDS: np.where(raised, 0, RIVERS - raised_late),
            ROUNDS: np.full(len(hands), RIVERS),
        }
        for column, values in columns.items():
            sums_by_kind = np.zeros(338, np.int64)
            np.add.at(sums_by_kind, kinds[hands], values)
            totals[column] = [
                total + weight * int(each) for total, each in zip(totals[column], sums_by_kind, strict=True)
            ]
    return [list(kind) for kind in zip(*totals, strict=True) if kind[ROUNDS]]


@pytest.mark.long
@pytest.mark.compiled
def test_the_published_figures_of_main_follow_from_its_rules() -> None:
    """Preflop the better of check and 4x is taken for each of 169 kinds of hands; 3x never is better than both."""
    kinds = sum_flops()
    assert len(kinds) == 169
    assert all(kind[RAISED_3X] < max(kind[RAISED_4X], kind[CHECKED]) for kind in kinds)
    total = sum(max(kind[RAISED_4X], kind[CHECKED]) for kind in kinds)
    raised = [kind[RAISED_4X] > kind[CHECKED] for kind in kinds]
    bets = sum(4 * kind[ROUNDS] if early else kind[BETS] for kind, early in zip(kinds, raised, strict=True))
    folds = sum(kind[FOLDS] for kind, early in zip(kinds, raised, strict=True) if not early)
    rounds = sum(kind[ROUNDS] for kind in kinds)
    assert rounds * DEALER_HANDS == DEALS == 27_813_810_024_000
    assert Fraction(total, HALVES) == -607_723_787_676
    assert f"{-100 * total / HALVES / DEALS:.8f}" == "2.18497138"
    assert f"{2 + bets / rounds:.6f}" == "4.152210"
    assert f"{100 * folds / rounds:.4f}" == "19.1858"


@pytest.mark.compiled
@pytest.mark.parametrize(("table", "published"), [("TRIPS-1", "3.50"), ("TRIPS-2", "1.90")])
def test_trips_has_its_published_edges(table: str, published: str) -> None:
    assert as_percent(compute_side_edge(GAME, "trips", table), 2) == published


def test_every_play_bet_is_paid_alike() -> None:
    """Rulings UTH-2 and UTH-3."""
    nets = compute_nets(GAME.main, select_paytables(GAME))
    blinds: list[Fraction | int] = [500, 50, 10, 3, Fraction(3, 2), 1, 0]
    assert nets[0] == -2
    for bet in range(1, 5):
        qualified, unqualified = (nets[1 + 18 * (bet - 1) + odd : 1 + 18 * bet : 2] for odd in (0, 1))
        assert qualified == [*(1 + bet + blind for blind in blinds), 0, -2 - bet]
        assert unqualified == [*(bet + blind for blind in blinds), 0, -1 - bet]


def test_the_rules_number_outcomes_as_they_are_listed() -> None:
    deck = tuple(parse_cards("As Ks 2c 2d Qs Js Ts 3h 4h", DECK_52))
    for bet, path in enumerate(PATHS, start=1):
        outcome = GAME.rules.settle(TABLES, GAME.rules.show_dealer(act(path, deck)), OPTIONS)[0]
        assert GAME.main.outcomes[outcome].name == f"raise-{bet}x-win-qualified-royal-flush"
        taken = [GAME.decisions[street].actions[action].stake for street, action in enumerate(path)]
        assert taken == [*(0 for _ in path[1:]), bet]
    assert GAME.main.outcomes[GAME.rules.settle(TABLES, act((0, 0, 0)), OPTIONS)[0]].name == "fold"


def test_a_seat_raises_once_and_sees_a_street_only_after_a_check() -> None:
    """Ruling UTH-1."""
    open_cards = []
    for street in range(3):
        state = act((0,) * street)
        assert GAME.rules.next_decision(TABLES, state, OPTIONS) == street
        open_cards.append(GAME.rules.view(state).community.bit_count())
        assert (GAME.rules.evaluate_hands(TABLES, state, OPTIONS)[0] == NO_HAND) == (street == 0)
    assert open_cards == [0, 3, 5]
    for path in (*PATHS, (0, 0, 0)):
        assert GAME.rules.next_decision(TABLES, act(path), OPTIONS) == NO_DECISION


def play(player: str, dealer: str, board: str, *actions: str, **options: str) -> Round:
    """Play one seat's round with an Ante of $10 and Trips."""
    cards = parse_cards(f"{player} {dealer} {board}", DECK_52)
    now = open_round(GAME, options=options).place_wager(Stake(0, "main", 1000)).place_wager(Stake(0, "trips", 500))
    now = now.deal((*cards, *(card for card in DECK_52.cards if card not in cards)))
    for action in actions:
        now = now.decide(0, action)
    return now


def list_legs(now: Round, bet: str = "main") -> list[tuple[str, int, int, str]]:
    """Return circle, stake, net and reason of each leg of a settled wager."""
    settled = next(event for event in now.events if isinstance(event, WagerSettled) and event.bet == bet)
    return [(leg.circle, leg.stake_cents, leg.net_cents, leg.reason) for leg in settled.legs]


def test_the_ante_pushes_for_a_hand_that_loses_to_a_dealer_who_does_not_qualify() -> None:
    """Ruling UTH-2."""
    reason = "the dealer's king-queen high beats king-jack high"
    assert list_legs(play("Jc 4d", "Qh 2d", "Ks Td 8c 5h 3s", "check", "raise-2x")) == [
        ("ante", 1000, 0, "dealer does not qualify: king-queen high, below pair of deuces"),
        ("blind", 1000, -1000, reason),
        ("play", 2000, -2000, reason),
    ]


def test_the_blind_pushes_with_less_than_a_straight() -> None:
    """Ruling UTH-3."""
    ante, blind, raised = list_legs(play("As Tc", "Kd 7h", "Ah 9d 7c 4s 2h", "raise-4x"))
    assert (ante[2], raised[2]) == (1000, 4000)
    assert blind[2:] == (0, "won with pair of aces: the Blind is paid on a straight or better")


def test_a_fold_leaves_trips_to_the_end_unless_it_is_lost() -> None:
    """Ruling UTH-4."""
    cards = ("4c 2d", "Qh Ts", "9s 9h 9d Jc 7c", "check", "check", "fold")
    assert list_legs(play(*cards), "trips") == [("trips", 500, 1500, "three of a kind")]
    assert list_legs(play(*cards, trips_after_fold="off"), "trips") == [("trips", 500, -500, "folded")]
    assert GAME.rules.settle(TABLES, act((0, 0, 0)), OPTIONS) == (0, UNSETTLED)


def test_settle_and_the_showdown_are_the_same_rules() -> None:
    chance, showdown = np.random.default_rng(9), GAME.showdown
    assert showdown is not None
    for path in (*PATHS, (0, 0, 0)):
        for _ in range(100):
            state = GAME.rules.show_dealer(act(path, tuple(chance.permutation(52).tolist())))
            mine, theirs = showdown.mine(TABLES, state, OPTIONS), showdown.theirs(TABLES, state, OPTIONS)
            assert GAME.rules.settle(TABLES, state, OPTIONS)[0] == showdown.outcome(state, mine, theirs, OPTIONS)
            assert GAME.rules.evaluate_hands(TABLES, state, OPTIONS) == (mine, theirs)
