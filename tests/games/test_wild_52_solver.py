"""The exact solution of Wild 52: small decks deal by deal, then what the whole deck's solution must agree with."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from pitboss.analysis.solutions import main_nets
from pitboss.cards import mask_of
from pitboss.contract import Solution
from pitboss.counting.evaluate import strengths
from pitboss.games import game_named
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver import deck_of, first_decisions, second_decisions, solve, solve_deck
from pitboss.games.wild_52.solver import outcome_of_cells as cells_of
from pitboss.hands import ANY_CARD_FLUSH, FIVE_FIRST, hand_tables
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose

GAME = game_named("wild-52")
NETS = main_nets(GAME, choose(GAME))
JOKER = 52
# Pays that make every path and every equal value matter: a hand folds for less, and ties are not worth nothing.
ODD_NETS = (-2, 7, 1, 1, 0, -4, -1, 12, 1, 2, 0, -8, -2)
ALL_EQUAL = (-1,) * 13


def options_of(**chosen: str) -> Any:
    return option_codes(GAME, option_values(GAME, chosen))


def deck_cards(ranks: Sequence[int]) -> list[int]:
    return [*(13 * suit + rank for suit in range(4) for rank in ranks), JOKER]


def quiet(_done: int, _total: int) -> None:
    """Tell nobody."""


def deal_by_deal(ranks: Sequence[int], options: Any, nets: Sequence[int]) -> tuple[list[int], int, int]:
    """Play every deal by the rules: counts, equal first decisions and equal second ones of hands that play."""
    tables, deck = hand_tables(), deck_cards(ranks)
    made = {mask_of(seven): rules.hand_strength(tables, mask_of(seven), options) for seven in combinations(deck, 7)}
    counts, equal_first, equal_second = [0] * 13, 0, 0
    for five in combinations(deck, 5):
        value, equal, found, deals = 0, 0, [0] * 13, 0
        for first in (card for card in deck if card not in five):
            paths = ([0] * 13, [0] * 13)
            left = [card for card in deck if card not in (*five, first)]
            for second in left:
                mine = made[mask_of((*five, first, second))]
                for dealer in combinations([card for card in left if card != second], 5):
                    dealers = made[mask_of((*dealer, first, second))]
                    deals += 1
                    for raised, path in enumerate(paths):
                        path[rules.main_outcome(mine, dealers, raised, options)] += 1
            once, twice = (sum(net * count for net, count in zip(nets, path, strict=True)) for path in paths)
            value += max(once, twice)
            equal += once == twice
            found = [one + more for one, more in zip(found, paths[twice > once], strict=True)]
        equal_first += value == nets[0] * deals
        if value > nets[0] * deals:
            counts = [one + more for one, more in zip(counts, found, strict=True)]
            equal_second += equal
        else:
            counts[0] += deals
    return counts, equal_first, equal_second


SMALL = [
    ({}, NETS),
    ({}, ODD_NETS),
    ({"dealer_qualifies": "always"}, NETS),
    ({"ante_when_unqualified": "win", "dealer_qualifies": "pair-of-6"}, NETS),
    ({"ante_when_unqualified": "push", "dealer_qualifies": "pair-of-6"}, ODD_NETS),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("chosen", "nets"), SMALL[:3])
def test_three_ranks_and_a_joker_are_played_out_deal_by_deal(chosen: dict[str, str], nets: tuple[int, ...]) -> None:
    options, ranks = options_of(**chosen), (2, 3, 4)
    solution = solve_deck(ranks, options, nets, quiet)
    counts, _, _ = deal_by_deal(ranks, options, nets)
    assert list(solution.counts) == counts
    assert sum(counts) == comb(13, 5) * 8 * 7 * comb(6, 5)


def in_arrays(ranks: Sequence[int], options: Any, nets: Sequence[int]) -> list[int]:
    """Count every deal of a deck, all community cards and dealers of one hand at a time."""
    deck = deck_cards(ranks)
    size = len(deck)
    sevens = list(combinations(range(size), 7))
    ranking = FIVE_FIRST + ANY_CARD_FLUSH * options.wild_flush
    made = np.zeros(1 << size, np.int64)
    masks = [sum(1 << place for place in seven) for seven in sevens]
    made[masks] = strengths(np.array(deck)[np.array(sevens)], ranking=ranking)
    left = size - 5
    chance = [
        (first, second, sum(1 << place for place in dealer))
        for first, second in permutations(range(left), 2)
        for dealer in combinations(sorted({*range(left)} - {first, second}), 5)
    ]
    firsts, seconds, dealers = (np.array(column) for column in zip(*chance, strict=True))
    outcomes = cells_of(options)
    lowest = options.dealer_qualifies
    counts = np.zeros(13, np.int64)
    for five in combinations(range(size), 5):
        others = np.array([1 << place for place in range(size) if place not in five])
        spread = np.zeros(1 << left, np.int64)
        for place in range(left):
            spread[1 << place : 2 << place] = spread[: 1 << place] + others[place]
        board = others[firsts] | others[seconds]
        mine = made[board | sum(1 << place for place in five)]
        theirs = made[board | spread[dealers]]
        cells = 3 * (theirs < lowest) + np.where(mine > theirs, 0, np.where(mine == theirs, 1, 2))
        by_first = np.bincount(firsts * 6 + cells, minlength=left * 6).reshape(left, 6)
        once, twice = (by_first @ np.array(nets)[outcomes[raised]] for raised in (0, 1))
        if int(np.maximum(once, twice).sum()) > nets[0] * len(chance):
            for raised, chosen in ((0, twice <= once), (1, twice > once)):
                np.add.at(counts, outcomes[raised], by_first[chosen].sum(axis=0))
        else:
            counts[0] += len(chance)
    return [int(count) for count in counts]


@pytest.mark.compiled
@pytest.mark.parametrize(("chosen", "nets"), [SMALL[1]])
def test_four_ranks_and_a_joker_are_played_out(chosen: dict[str, str], nets: tuple[int, ...]) -> None:
    options = options_of(**chosen)
    assert list(solve_deck((2, 3, 4, 5), options, nets, quiet).counts) == in_arrays((2, 3, 4, 5), options, nets)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize(("chosen", "nets"), SMALL)
def test_four_ranks_and_a_joker_under_every_option(chosen: dict[str, str], nets: tuple[int, ...]) -> None:
    for ranks, wild_flush in (((0, 3, 4, 12), "highest_missing"), ((8, 9, 10, 12), "any_card")):
        options = options_of(**chosen, wild_flush=wild_flush)
        assert list(solve_deck(ranks, options, nets, quiet).counts) == in_arrays(ranks, options, nets)


@pytest.mark.compiled
def test_where_all_is_worth_the_same_every_position_is_equal_and_every_hand_folds() -> None:
    solution = solve_deck((2, 3, 4), options_of(), ALL_EQUAL, quiet)
    deals = comb(13, 5) * 8 * 7 * comb(6, 5)
    assert solution.counts == (deals, *[0] * 12)
    assert dict(solution.actions) == {"fold": deals, "raise-once": 0, "raise-twice": 0}
    assert solution.equal_value_positions == hands_up_to_suits(0)


@pytest.mark.compiled
def test_a_second_play_worth_a_check_is_a_check_and_counts_once_up_to_suits() -> None:
    solution = solve_deck((2, 3, 4), options_of(), (-1, *[0] * 12), quiet)
    deals = comb(13, 5) * 8 * 7 * comb(6, 5)
    assert dict(solution.actions) == {"fold": 0, "raise-once": deals, "raise-twice": 0}
    assert solution.equal_value_positions == hands_up_to_suits(1)


def hands_up_to_suits(community: int) -> int:
    """Count fives of the small deck, with so many community cards, up to the names of the suits."""
    deck = deck_cards((2, 3, 4))
    seen = set()
    for five in combinations(deck, 5):
        for board in combinations([card for card in deck if card not in five], community):
            seen.add(min(renamed(five, board, suits) for suits in permutations(range(4))))
    return len(seen)


def renamed(five: Sequence[int], board: Sequence[int], suits: Sequence[int]) -> tuple[int, int]:
    cards = [[card if card == JOKER else 13 * suits[card // 13] + card % 13 for card in part] for part in (five, board)]
    return mask_of(cards[0]), mask_of(cards[1])


def test_nets_too_large_for_exact_values_are_refused() -> None:
    with pytest.raises(OverflowError, match="larger unit"):
        solve_deck((2, 3, 4), options_of(), (1 << 60,) * 13, quiet)


def test_progress_ends_at_all_boards() -> None:
    told: list[tuple[int, int]] = []
    solve_deck((2, 3, 4), options_of(), NETS, lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    assert told == sorted(told)


COUNTS = (
    2871164484574848, 734033325578304, 716847412766232, 3430399039620, 521995512600, 1827507269265372, 70692857424960,
    1444521915805272, 658930416833736, 4429182726804, 0, 542194966729692, 0,
)  # fmt: skip
EXPECTED_VALUE = Fraction(-1550308324459, 41084602899340)


@pytest.mark.long
@pytest.mark.compiled
def test_the_whole_deck_is_solved_to_the_last_deal() -> None:
    solution: Solution = solve(options_of(), NETS, quiet)
    assert solution.counts == COUNTS
    deals = sum(COUNTS)
    assert deals == comb(53, 5) * 48 * 47 * comb(46, 5)
    assert Fraction(sum(net * count for net, count in zip(NETS, COUNTS, strict=True)), deals) == EXPECTED_VALUE
    assert solution.actions == {
        "fold": COUNTS[0], "raise-once": sum(COUNTS[1:7]), "raise-twice": sum(COUNTS[7:])
    }  # fmt: skip
    assert solution.equal_value_positions == 0
