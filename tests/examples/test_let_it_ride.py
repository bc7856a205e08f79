"""Let It Ride: published figures found again from the folder's rules, and its rulings one by one."""

from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from examples.loading import as_percent, compute_nets, compute_side_edge, load_example
from pitboss.analysis.solutions import compute_average_wager
from pitboss.cards import DECK_52, parse_cards
from pitboss.contract import LegResult
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.table.round import CardsShown, Stake, WagerSettled, open_round

GAME = load_example("let_it_ride")
LINES = 10
AVERAGE_WAGER = Fraction(331_288, 270_725)
DEALS = comb(52, 3) * 49 * 48
PATHS = (("pull-both", 1), ("pull-first", 2), ("pull-second", 2), ("ride-both", 3))
Integers = NDArray[np.int64]


@pytest.mark.compiled
@pytest.mark.parametrize(("table", "published", "digits"), [("3CB-1", "7.1", 1), ("3CB-2", "2.14", 2)])
def test_the_3_card_bonus_has_its_published_edges(table: str, published: str, digits: int) -> None:
    assert as_percent(compute_side_edge(GAME, "three-card-bonus", table), digits) == published


def test_every_choice_of_bets_is_paid_alike() -> None:
    nets = compute_nets(GAME.main, select_paytables(GAME))
    assert [outcome.name for outcome in GAME.main.outcomes[::LINES]] == [f"{path}-royal-flush" for path, _ in PATHS]
    for number, (_, bets) in enumerate(PATHS):
        assert nets[LINES * number : LINES * (number + 1)] == [bets * net for net in nets[:LINES]]
    assert nets[:LINES] == [1000, 200, 50, 11, 8, 5, 3, 2, 1, -1]


def classify_hands(cards: int) -> dict[tuple[int, ...], int]:
    """Return one hand for each class of hands that are alike up to suits, and the size of the class."""
    classes: dict[tuple[int, ...], int] = {}
    for held in combinations(range(52), cards):
        alike = min(tuple(sorted(suits[c // 13] * 13 + c % 13 for c in held)) for suits in permutations(range(4)))
        classes[alike] = classes.get(alike, 0) + 1
    return classes


@pytest.mark.more
@pytest.mark.compiled
def test_the_published_edge_of_main_follows_from_its_rules() -> None:
    """Visit every deal up to suits; each bet rides where it wins more than it loses."""
    from pitboss.kernels.compile import kernel

    deal, act, show, settle = GAME.rules.deal, GAME.rules.act, GAME.rules.show_dealer, GAME.rules.settle

    @kernel
    def sum_nets(tables: Any, hands: Integers, nets: Integers, options: Any) -> Integers:
        # Nets of the third bet, of the second and of the first; then how often the second and the first ride.
        sums = np.zeros((len(hands), 5), np.int64)
        deck = np.zeros(5, np.int64)
        for number, hand in enumerate(hands):
            deck[:3] = hand
            for first in range(52):
                if first in hand:
                    continue
                after_first = 0
                for second in range(52):
                    if second in hand or second == first:
                        continue
                    deck[3], deck[4] = first, second
                    state = show(act(act(deal(deck, 1, 0, 1), 0, 0, 0), 1, 0, 0))
                    after_first += nets[settle(tables, state, options)[0]]
                sums[number, 0] += after_first
                if after_first > 0:
                    sums[number, 1] += after_first
                    sums[number, 3] += 48
            if sums[number, 0] > 0:
                sums[number, 2] = sums[number, 0]
                sums[number, 4] = 49 * 48
        return sums

    classes = classify_hands(3)
    nets = np.array([int(net) for net in compute_nets(GAME.main, select_paytables(GAME))])
    options = encode_options(GAME, resolve_options(GAME, {}))
    sums = sum_nets(load_hand_tables(), np.array(list(classes)), nets, options)
    third, second, first, second_rides, first_rides = (int(total) for total in np.array(list(classes.values())) @ sums)
    edge = Fraction(-(third + second + first), DEALS)
    assert as_percent(edge, 4) == "3.5057"
    assert edge == Fraction(1_822_224, 51_979_200)
    assert f"{first / DEALS:.8f}" == "0.10912580"
    assert 1 + Fraction(second_rides + first_rides, DEALS) == AVERAGE_WAGER


def test_bets_pulled_back_are_no_part_of_the_average_wager() -> None:
    """The action per round: one bet always rides."""
    for number, (_, bets) in enumerate(PATHS):
        one_deal = tuple(int(outcome == LINES * number) for outcome in range(len(GAME.main.outcomes)))
        assert compute_average_wager(GAME, one_deal) == bets


def test_a_bet_pulled_back_is_a_push_and_the_last_card_stays_down_to_the_end() -> None:
    """Ruling LIR-1."""
    cards = parse_cards("Ts Th 3d Kc 5s", DECK_52)
    now = open_round(GAME).place_wager(Stake(0, "main", 500))
    now = now.deal((*cards, *(card for card in DECK_52.cards if card not in cards)))
    assert now.sum_staked_cents(0) == 1500
    assert now.get_view(0).community == 0
    now = now.decide(0, "pull-back")
    assert now.get_view(0).community == 1 << cards[3]
    now = now.decide(0, "let-it-ride")
    shown = [event.cards for event in now.events if isinstance(event, CardsShown) and event.zone == "community"]
    assert shown == [(cards[3],), (cards[4],)]
    (settled,) = (event for event in now.events if isinstance(event, WagerSettled))
    assert [(leg.circle, leg.result, leg.net_cents, leg.reason) for leg in settled.legs] == [
        ("bet-1", LegResult.PUSH, 0, "pulled back"),
        ("bet-2", LegResult.WIN, 500, "pair of tens"),
        ("bet-3", LegResult.WIN, 500, "pair of tens"),
    ]
