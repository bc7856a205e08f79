"""Hints of Lunar Poker, compared with every dealer's hand and next card visited by the rules alone."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from oracle.lunar import ending
from pitboss.analysis.solutions import main_nets
from pitboss.cards import DECK_52, mask_of, parse_cards
from pitboss.counting.blocks import Integers, first_set, next_set, silent
from pitboss.counting.compile import kernel, part
from pitboss.games import game_named
from pitboss.games.lunar import rules
from pitboss.games.lunar.rules import AFTER_DRAW, FIRST_DECISION, NOT_QUALIFIED, UNDECIDED, Options, State, View
from pitboss.games.lunar.solver.hints import MOST_NET, hint, hint_from
from pitboss.hands import HandTables, hand_tables
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose
from pitboss.solving import Problem, Valued

LUNAR = game_named("lunar")
NETS = main_nets(LUNAR, choose(LUNAR))
ODD_NETS = tuple(int(net) for net in np.random.default_rng(3).integers(-9, 30, len(NETS)))
DRAWS = ("play", "buy", "exchange-2", "exchange-3", "exchange-4", "exchange-5")

decision, act, receive, show, settle = rules.decision, rules.act, rules.receive, rules.show, rules.settle
dealer_owed, dealer_receives = rules.dealer_owed, rules.dealer_receives


def problem(nets: tuple[int, ...] = NETS, **chosen: str) -> Problem:
    return Problem(option_codes(LUNAR, option_values(LUNAR, chosen)), nets)


def cards(text: str) -> int:
    """Return the set of cards written out."""
    return mask_of(parse_cards(text, DECK_52)) if text else 0


def codes(mask: int) -> list[int]:
    return [code for code in DECK_52.cards if mask >> code & 1]


@part
def holding(state: State, hidden: int) -> State:
    """Give the dealer these hidden cards."""
    return State(
        state.player,
        state.drew,
        state.discarded,
        state.exposed,
        hidden,
        state.force_card,
        state.draw,
        state.choice,
        state.force,
        state.shown,
    )


@kernel
def visit(tables: HandTables, options: Options, nets: Integers, played: State, left: Integers, fold: int) -> int:
    """Visit every hand of the dealer and every next card, for a seat that has played; take the better of two sums.

    ``left`` are the cards that are in no known place, as sets of one; where a fold nets more, that is returned.
    """
    total, dealt = 0, 0
    places = np.zeros(4, np.int64)
    for last in range(3, len(left)):
        for before in range(2, last):
            hidden = first_set(places, left, 4, last, before)
            while hidden:
                opened = show(holding(played, hidden))
                if decision(tables, opened, options) == NOT_QUALIFIED:
                    sums = [0, 0]
                    for action in range(2):
                        chosen = act(opened, NOT_QUALIFIED, action, 0)
                        for card in left:
                            if card & hidden == 0:
                                after = dealer_receives(chosen, card) if dealer_owed(chosen) else chosen
                                sums[action] += nets[settle(tables, after, options)[0]]
                    total += max(sums[0], sums[1])
                else:
                    total += (len(left) - 4) * nets[settle(tables, opened, options)[0]]
                dealt += len(left) - 4
                hidden = next_set(places, left, 4, hidden)
    return max(total, fold * dealt)


def played(view: View, drew: int, discarded: int) -> State:
    """Return the state of a seat that holds these first five, drew and played; the hidden cards still unknown."""
    draw = drew.bit_count()
    state = State(view.player & ~discarded | drew, drew, discarded, view.dealer, 0, 0, draw, UNDECIDED, UNDECIDED, 0)
    return act(state, AFTER_DRAW, 1, 0)


def visited(asked: Problem, deck: int, state: State, fold: int) -> int:
    left = np.array([1 << code for code in codes(deck & ~(state.player | state.discarded | state.exposed))], np.int64)
    return visit(hand_tables(), asked.options, np.array(asked.nets, np.int64), state, left, fold)


def net_of(asked: Problem, name: str) -> int:
    return asked.nets[[outcome.name for outcome in LUNAR.wagers[0].outcomes].index(name)]


def values(valued: Sequence[Valued]) -> dict[tuple[str, int], Fraction]:
    return {(each.action, each.cards): each.value for each in valued}


def after_draw(asked: Problem, player: str, dealer: str, drew: str, discarded: str) -> None:
    """Compare the hint after a draw with a visit."""
    view = View(cards(player), cards(dealer), 0, cards(drew), cards(discarded))
    state = played(View(view.player & ~view.drew | view.discarded, view.dealer, 0, 0, 0), view.drew, view.discarded)
    left = 46 - state.draw
    told = Fraction(visited(asked, DECK_52.mask, state, min(asked.nets)), comb(left, 4) * (left - 4))
    fold = f"{DRAWS[state.draw]}-fold"
    expected = {("fold", 0): Fraction(net_of(asked, fold)), ("play", 0): told}
    assert values(hint(asked, view, AFTER_DRAW, silent)) == expected


AIMED = [
    ("Td Jc Qh Ks Ad", "4h", "Td Jc", "2c 2d"),
    ("5d 6c 7h 8s 9d", "Kh", "5d 6c 7h 8s 9d", "2c 3d 4h Kd Ks"),
    ("5d 6c 7h 8s 9d 9h", "Kh", "9d", ""),  # a straight with a rank paired
    ("5d 6c 7h 8s 9d Td", "Th", "Td", ""),
    ("2h 4h 7h 9h Jh", "3s", "2h 4h 7h", "2s 3h Ks"),
    ("2h 4h 7h 9h Jh Js", "Ah", "2h", ""),  # the dealer can make a flush in the exposed card's suit
    ("2h 4h 7h 9h Jh", "As", "2h 4h 7h 9h", "Ac Ad 5d 6c"),  # in another, the ace replaced
    ("Qh Qd Qs Kh Kd", "2c", "Qs Kd", "3c 4c"),
    ("Qh Qd Qs Kh Kd Kc", "2c", "Kd", ""),
    ("9h 9d 9s 9c Ad Kd", "2c", "Kd", ""),
    ("9h 9d 9s 9c Ad", "2c", "9c Ad", "Ac Kc"),
    ("5h 6h 7h 8h 9h", "3c", "8h 9h", "8c 9c"),
    ("Th Jh Qh Kh Ah 2c", "3c", "Ah", ""),
    ("Th Jh Qh Kh Ah 9h", "9c", "Qh", ""),
    ("Th Jh Qh Kh Ah", "2h", "Th Jh Qh Kh Ah", "2c 3c 4c 5c 7c"),
    ("Ah Ad As Kc 2d", "Kd", "Ad As", "3d 4d"),
    ("Ah Ad Kh Kd 3c 3d", "Kc", "3d", ""),
    ("Ah Kd 9s 7c 2d", "Kc", "Ah 9s 7c", "9d 7d 2c"),
    ("Qh Jd 9s 7c 2d", "Kc", "Qh Jd 9s 7c 2d", "2h 5h 4s 3s 8c"),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("player", "dealer", "drew", "discarded"), AIMED)
def test_after_a_draw(player: str, dealer: str, drew: str, discarded: str) -> None:
    after_draw(problem(), player, dealer, drew, discarded)
