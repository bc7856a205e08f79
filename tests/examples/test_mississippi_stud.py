"""Mississippi Stud: published figures found again from the folder's rules, and its rulings one by one."""

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from examples.loading import as_percent, compute_nets, compute_side_edge, load_example
from pitboss.cards import DECK_52, parse_cards
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.table.round import CardsShown, Round, Stake, WagerSettled, open_round

GAME = load_example("mississippi_stud")
RESULTS = 11
FOLDS = 1 + 3 + 9
Integers = NDArray[np.int64]


@pytest.mark.compiled
def test_the_3_card_bonus_has_its_published_edge() -> None:
    assert as_percent(compute_side_edge(GAME, "three-card-bonus", "3CB-1"), 1) == "7.1"


def test_every_path_of_bets_is_numbered_and_paid_alike() -> None:
    """A fold loses what lies there; the Ante and all bets are paid on the same line (ruling MS-3)."""
    nets, names = compute_nets(GAME.main, select_paytables(GAME)), [each.name for each in GAME.main.outcomes]
    lines = (500, 100, 40, 10, 6, 4, 3, 2, 1, 0, -1)
    assert nets[:FOLDS] == [-1, -2, -3, -4, *(-1 - sum(bets) for bets in product((1, 2, 3), repeat=2))]
    for number, bets in enumerate(product((1, 2, 3), repeat=3)):
        first = FOLDS + RESULTS * number
        assert nets[first : first + RESULTS] == [(1 + sum(bets)) * line for line in lines]
        assert names[first] == f"bet-{'-'.join(map(str, bets))}-royal-flush"
    assert len(nets) == FOLDS + 27 * RESULTS


def test_the_rules_number_outcomes_as_they_are_listed() -> None:
    options, tables = encode_options(GAME, resolve_options(GAME, {})), load_hand_tables()
    deck = parse_cards("As Ts Ks Qs Js", DECK_52)
    for bets in product((0, 1, 2, 3), repeat=3):
        state: Any = GAME.rules.deal(deck, 1, 0, 1)
        made = []
        while (street := GAME.rules.next_decision(tables, state, options)) >= 0:
            made.append(bets[street])
            state = GAME.rules.act(state, street, bets[street], 0)
        outcome = GAME.rules.settle(tables, GAME.rules.show_dealer(state), options)[0]
        words = [*(("bet",) if made[0] else ()), *(str(bet) for bet in made if bet)]
        assert GAME.main.outcomes[outcome].name == "-".join([*words, "royal-flush" if all(made) else "fold"])


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(("table", "published"), [("MSP-1", "4.9149"), ("MSP-2", "3.7591")])
def test_the_published_edge_of_main_follows_from_its_rules(table: str, published: str) -> None:
    """Visit every deal up to suits; fold, or bet one to three, by what remains."""
    from pitboss.kernels.compile import kernel

    deal, act, show, settle = GAME.rules.deal, GAME.rules.act, GAME.rules.show_dealer, GAME.rules.settle

    @kernel
    def value_hand(tables: Any, hand: Integers, nets: Integers, options: Any) -> int:
        """Return the value of two cards, times 50 x 49 x 48; ``nets`` are those of one Ante and bets of one."""
        deck = np.zeros(5, np.int64)
        deck[:2] = hand
        after_first = np.zeros(4, np.int64)  # the value by the bet on third street
        for first in range(52):
            if first in hand:
                continue
            by_bets = np.zeros((4, 4), np.int64)  # the value of what follows the second card, by two bets
            for second in range(52):
                if second in hand or second == first:
                    continue
                line = 0  # the sum of what one Ante wins over all third cards
                for third in range(52):
                    if third in hand or third in (first, second):
                        continue
                    deck[2], deck[3], deck[4] = first, second, third
                    state = act(act(act(deal(deck, 1, 0, 1), 0, 1, 0), 1, 1, 0), 2, 1, 0)
                    line += nets[settle(tables, show(state), options)[0]]
                for one in range(1, 4):
                    for two in range(1, 4):
                        bets = 1 + one + two
                        by_bets[one, two] += max(-48 * bets, (bets + 1) * line, (bets + 3) * line)
            for one in range(1, 4):
                best = -49 * 48 * (1 + one)
                for two in range(1, 4):
                    best = max(best, by_bets[one, two])
                after_first[one] += best
        best = -50 * 49 * 48
        for one in range(1, 4):
            best = max(best, after_first[one])
        return best

    nets = np.array([int(net) for net in compute_nets(GAME.main, select_paytables(GAME, [f"main={table}"]))])
    nets[FOLDS : FOLDS + RESULTS] //= 4  # an Ante and three bets of one
    options, tables, value = encode_options(GAME, resolve_options(GAME, {})), load_hand_tables(), 0
    for high in range(13):
        for low in range(high + 1):
            if high == low:
                value += 6 * value_hand(tables, np.array([high, 13 + low]), nets, options)
            else:
                value += 4 * value_hand(tables, np.array([high, low]), nets, options)
                value += 12 * value_hand(tables, np.array([high, 13 + low]), nets, options)
    deals = comb(52, 2) * 50 * 49 * 48
    assert as_percent(Fraction(-value, deals), 4) == published
    if table == "MSP-1":
        assert Fraction(-value, deals) == Fraction(7_664_112, 155_937_600)


def play(actions: str, **options: str) -> Round:
    """Play one seat with a pair of aces against three sixes in the community, with the 3 Card Bonus."""
    cards = parse_cards("As Ad 6c 6h 6d", DECK_52)
    now = open_round(GAME, options=options)
    now = now.place_wager(Stake(0, "main", 1000)).place_wager(Stake(0, "three-card-bonus", 500))
    now = now.deal((*cards, *(card for card in DECK_52.cards if card not in cards)))
    for action in actions.split():
        now = now.decide(0, action)
    return now


@pytest.mark.parametrize(
    ("actions", "option", "net"),
    [("fold", "on", 14_000), ("fold", "off", -1_500), ("bet-1 bet-1 bet-1", "off", 4 * 10_000 + 15_000)],
)
def test_the_bonus_after_a_fold_is_as_the_house_decides(actions: str, option: str, net: int) -> None:
    """Ruling MS-4."""
    settled = [event for event in play(actions, bonus_after_fold=option).events if isinstance(event, WagerSettled)]
    assert sum(event.net_cents for event in settled) == net


def test_a_folded_hand_is_not_turned_up_for_the_bonus_that_is_paid() -> None:
    """Ruling MS-4: the wager is on the community cards."""
    folded, played = play("fold"), play("bet-3 bet-3 bet-3")
    assert [event.zone for event in folded.events if isinstance(event, CardsShown)] == ["community"]
    assert "player" in [event.zone for event in played.events if isinstance(event, CardsShown)]
