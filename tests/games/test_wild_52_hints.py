"""Hints of Wild 52 against a plain count of every dealer's hand, position by position."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_53, FIRST_JOKER, count_jokers, make_mask, parse_cards
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.decide import decide_second, value_first
from pitboss.games.wild_52.solver.deck import build_deck, map_cells_to_outcomes
from pitboss.games.wild_52.solver.hint_census import count_showdowns, list_multisets
from pitboss.games.wild_52.solver.hints import hint
from pitboss.hands import ANY_CARD_FLUSH, EMPTY_KEY, FIVE_FIRST, HandTables, evaluate_key, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem

GAME = load_game("wild-52")
NETS = compute_main_nets(GAME, select_paytables(GAME))
ODD_NETS = (-2, 7, 1, 1, 0, -4, -1, 12, 1, 2, 0, -8, -2)

# Five cards and the first community card, each kind of position that random cards seldom reach.
AIMED = (
    # The Joker in the hand: high card, straights and flushes to come, trips, two pair, quads.
    ("Jk 2h 7d 9c Qh", "4s"), ("Jk 2h 5d 9c Kh", "Kd"), ("Jk 7s 8s 9s 2d", "Ts"), ("Jk 7s 8s 9s 2d", "2s"),
    ("Jk Ah Kd Qc 2s", "3h"), ("Jk 4h 4d 9c Qh", "9s"), ("Jk 2s 3s 4s 5s", "As"), ("Jk 2s 3s 4s 5s", "6s"),
    ("Jk Th Jh Qh Kh", "Ah"), ("Jk Th Jh Qh Kh", "9h"), ("Jk 8h 8d Tc Ts", "8s"), ("Jk 2h 3d 4c 6s", "7h"),
    # The Joker on the board.
    ("2h 4d 6c 8h Td", "Jk"), ("2s 3s 4s 9h Kd", "Jk"), ("2s 5s 9s Js Kd", "Jk"), ("3h 3d 2c 9d Jh", "Jk"),
    ("As Ah 2c 3d 4h", "Jk"), ("Ts Js Qs Ks 2d", "Jk"), ("7c 7d 9c 9d Kh", "Jk"), ("Kc Kd Kh 4s 9d", "Jk"),
    # Five of a kind, made or to come, and what stands right below it.
    ("7s 7h 7d 7c Jk", "2h"), ("7s 7h 7d 7c 2h", "Jk"), ("As Ah Ad Ac 2h", "Jk"), ("Ks Kh Kd Jk 2h", "Kc"),
    ("Qs Qh Qd Jk 2h", "9c"), ("2s 2h 2d 2c Jk", "3h"), ("As Ah Ad Jk Ks", "Kh"), ("9s 9h 9d 9c Kh", "Qd"),
    ("Ts Js Qs Ks As", "Jk"), ("Ts Js Qs Ks Jk", "As"),
    # A dealer who does not qualify: hands so low that little else wins, ties with the board.
    ("2h 3d 4c 7s 8h", "Td"), ("Ah Kd Qc Js 9h", "2d"), ("2h 3d 5c 6s 8h", "Ad"), ("4h 4d 2c 3s 7h", "8d"),
    ("3h 3d 2c 8s 9h", "Ad"), ("5h 6d 8c 9s Jh", "Kd"), ("Ah Qd Tc 8s 6h", "4d"), ("2h 2d 3c 3s 4h", "4d"),
    # A flush beside a full house or four of a kind.
    ("Ks Qs 7s Kh Qd", "Jk"), ("Ks Qs 7s Kh Jk", "2s"), ("Ks Kh Kd Qs 7s", "Jk"), ("Ks Kh Kd Qs Jk", "2s"),
    ("Ah Kh 9h Ad Kd", "Jk"), ("5c 5d 9c 9d Kc", "Jk"), ("4s 4h 4d 8s Js", "Jk"), ("As Ad 6s 6d Ts", "Jk"),
    # Flushes and straight flushes without it.
    ("2s 5s 9s Js Ks", "3h"), ("4d 5d 6d 7d Kh", "8d"), ("3c 4c 5c 6c 2h", "Ac"), ("Ah 2d 3c 4s 9h", "5h"),
)  # fmt: skip
FIRSTS = ("2h 5d 9c Jd Kh", "Jk 2h 5d 9c Kh", "2s 3s 9s Js Kd", "6h 6d 2c 9d Jh", "7s 7h 7d 7c Jk", "Ah Kd Qc Js 9h")
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"dealer_qualifies": "always"},
    {"dealer_qualifies": "pair-of-A", "ante_when_unqualified": "win"},
    {"dealer_qualifies": "ace-king", "ante_when_unqualified": "push"},
    {"wild_flush": "any_card"},
)


def options_of(**chosen: str) -> Any:
    return encode_options(GAME, resolve_options(GAME, chosen))


def mask(text: str) -> int:
    return make_mask(parse_cards(text, DECK_53))


@kernel
def plain(
    tables: HandTables, ranking: int, five: int, first: int, left: IntArray, lowest: int, cells: IntArray
) -> None:
    """Meet every dealer's hand after every second card of ``left``, one by one."""
    for second in range(len(left)):
        board = 1 << first | 1 << left[second]
        mine_key, board_key = EMPTY_KEY, EMPTY_KEY + tables.card_keys[first] + tables.card_keys[left[second]]
        for card in range(53):
            if (five | board) >> card & 1:
                mine_key += tables.card_keys[card]
        mine = evaluate_key(tables, mine_key, five | board, count_jokers(five | board), ranking)
        cards = np.array([card for card in left if card != left[second]])
        for a in range(4, len(cards)):
            for b in range(3, a):
                for c in range(2, b):
                    three = board | 1 << cards[a] | 1 << cards[b] | 1 << cards[c]
                    key = (
                        board_key + tables.card_keys[cards[a]] + tables.card_keys[cards[b]] + tables.card_keys[cards[c]]
                    )
                    for d in range(1, c):
                        for e in range(d):
                            hand = three | 1 << cards[d] | 1 << cards[e]
                            all_keys = key + tables.card_keys[cards[d]] + tables.card_keys[cards[e]]
                            theirs = evaluate_key(tables, all_keys, hand, count_jokers(hand), ranking)
                            cell = 0 if theirs < mine else 1 if theirs == mine else 2
                            cells[cell if theirs >= lowest else cell + 3] += 1


def counted(five: int, first: int, options: Any) -> IntArray:
    """Return the cells of all second cards and dealer's hands after a first community card."""
    cells = np.zeros(6, np.int64)
    left = np.array([card for card in range(53) if not (five | 1 << first) >> card & 1])
    ranking = FIVE_FIRST + ANY_CARD_FLUSH * options.wild_flush
    plain(load_hand_tables(), ranking, five, first, left, options.dealer_qualifies, cells)
    assert cells.sum() == 47 * comb(46, 5)
    return cells


def values(cells: IntArray, options: Any, nets: Sequence[int]) -> list[int]:
    """Return what a check and a second Play come to, over all showdowns."""
    return [int(cells @ np.array(nets)[map_cells_to_outcomes(options)[raised]]) for raised in (0, 1)]


def told(problem: SolverProblem, five: int, community: int = 0) -> dict[str, Fraction]:
    """Ask for a hint."""
    found = hint(problem, rules.Wild52View(five, community, 0), 1 if community else 0, ignore_progress)
    assert [each.cards for each in found] == [0, 0]
    return {each.action: each.value for each in found}


def check_second(five: int, first: int, options: Any, nets: Sequence[int]) -> None:
    """Compare a hint at the second decision with every showdown met."""
    once, twice = values(counted(five, first, options), options, nets)
    showdowns_there = 47 * comb(46, 5)
    assert told(SolverProblem(options, tuple(nets)), five, 1 << first) == {
        "check": Fraction(once, showdowns_there), "play-2": Fraction(twice, showdowns_there)
    }  # fmt: skip


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("player")
@pytest.mark.parametrize(("player", "first"), AIMED[::2])
def test_a_second_decision_is_worth_what_every_showdown_comes_to(player: str, first: str) -> None:
    check_second(mask(player), parse_cards(first, DECK_53)[0], options_of(), NETS)


@pytest.mark.compiled
@pytest.mark.parametrize("chosen", OPTIONS[1:])
def test_a_hint_follows_the_options_and_what_outcomes_net(chosen: dict[str, str]) -> None:
    check_second(mask("Jk 9s 8s 4d 2d"), parse_cards("Ks", DECK_53)[0], options_of(**chosen), ODD_NETS)


@pytest.mark.long
@pytest.mark.compiled
def test_two_hundred_second_decisions() -> None:
    """All aimed positions under each of the options in turn, and 150 random ones."""
    for number, (player, first) in enumerate(AIMED):
        check_second(mask(player), parse_cards(first, DECK_53)[0], options_of(**OPTIONS[number % 5]), NETS)
    for *five, first in np.random.default_rng(52).random((150, 53)).argsort(axis=1)[:, :6].tolist():
        check_second(make_mask(five), first, options_of(), ODD_NETS)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("player", FIRSTS)
def test_a_first_decision_is_worth_the_best_second_after_every_first_card(player: str) -> None:
    options, five = options_of(), mask(player)
    left = [card for card in range(53) if not five >> card & 1]
    play = sum(max(values(counted(five, card, options), options, NETS)) for card in left)
    assert told(SolverProblem(options, NETS), five) == {"fold": -1, "play": Fraction(play, 48 * 47 * comb(46, 5))}


SMALL = (2, 3, 4, 5)
SMALL_DECK = [*(13 * suit + rank for suit in range(4) for rank in SMALL), FIRST_JOKER]


@pytest.mark.compiled
@pytest.mark.parametrize("chosen", OPTIONS)
def test_hands_of_a_small_deck_meet_every_dealer(chosen: dict[str, str]) -> None:
    options, tables = options_of(**chosen), load_hand_tables()
    made = {
        make_mask(seven): rules.rank_hand(tables, make_mask(seven), options) for seven in combinations(SMALL_DECK, 7)
    }
    for hand in list(combinations(SMALL_DECK, 5))[len(chosen) :: 1237]:
        left = [card for card in SMALL_DECK if card not in hand]
        found = count_showdowns(
            make_mask(hand),
            make_mask(left),
            make_mask(SMALL_DECK),
            list_multisets(SMALL),
            options,
            ignore_progress,
        )
        for first in left:
            cells = [0] * 6
            for second in set(left) - {first}:
                board = 1 << first | 1 << second
                mine = made[make_mask(hand) | board]
                for dealer in combinations(sorted(set(left) - {first, second}), 5):
                    theirs = made[make_mask(dealer) | board]
                    result = 0 if mine > theirs else 1 if mine == theirs else 2
                    cells[result if theirs >= options.dealer_qualifies else result + 3] += 1
            assert found[first].tolist() == cells


@pytest.mark.more
@pytest.mark.compiled
def test_hints_and_the_solution_of_a_small_deck_agree() -> None:
    check_tables(SMALL, ODD_NETS, 5)


@pytest.mark.long
@pytest.mark.compiled
def test_hints_and_the_solution_of_the_whole_deck_agree() -> None:
    check_tables(range(13), NETS, 11_003)


def check_tables(ranks: Sequence[int], nets: Sequence[int], step: int) -> None:
    """Compare the best plays that a solution finds with those of hints, every so many classes of fives."""
    options, deck = options_of(), build_deck(ranks)
    outcomes = map_cells_to_outcomes(options)
    naturals, joker = decide_second(deck, options, np.array(nets)[outcomes], ignore_progress)
    worth = value_first(deck, naturals.values, joker.values)
    held, whole = (
        list_multisets(ranks),
        make_mask([*(13 * suit + rank for suit in range(4) for rank in ranks), 52]),
    )
    for number in range(0, len(deck.masks), step):
        five = int(deck.masks[number])
        cells = count_showdowns(five, whole & ~five, whole, held, options, ignore_progress)
        after = {card: values(cells[card], options, nets) for card in range(53) if (whole & ~five) >> card & 1}
        assert sum(max(each) for each in after.values()) == worth[number]
        for slot, rank in enumerate(ranks):
            if rank in after:
                assert naturals.twice[slot, number] == (after[rank][1] > after[rank][0])
        if FIRST_JOKER in after:
            assert joker.twice[0, number] == (after[FIRST_JOKER][1] > after[FIRST_JOKER][0])
            assert joker.values[number] == max(after[FIRST_JOKER])


BONUS_NETS = (1000, 250, 200, 150, 100, 50, 25, 20, 5, 3, 2, -1)
JOKER_NETS = (30, 12, -3)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("after_fold", ["on", "off"])
@pytest.mark.parametrize(("player", "first"), [("Jk 9s 8s 4d 2d", "Ks"), ("9h 9s 8s 8d 2d", "8c")])
def test_wagers_beside_main_count_with_what_they_bring(player: str, first: str, after_fold: str) -> None:
    options, five = options_of(bonus_after_fold=after_fold), mask(player)
    alone = SolverProblem(options, NETS)
    beside = SolverProblem(options, NETS, {"bonus": BONUS_NETS, "joker": JOKER_NETS})
    for community, played in ((0, "play"), (mask(first), "check"), (mask(first), "play-2")):
        left = [1 << card for card in range(53) if not (five | community) >> card & 1]
        brought = {
            choice: brought_by(five, community, left, choice, options) for choice in (rules.FOLDED, rules.RAISED_ONCE)
        }
        before, after = told(alone, five, community), told(beside, five, community)
        assert after[played] - before[played] == brought[rules.RAISED_ONCE]
        if not community:
            assert after["fold"] - before["fold"] == brought[rules.FOLDED]
            assert (brought[rules.FOLDED] == -4) == (after_fold == "off")


def brought_by(five: int, community: int, left: Sequence[int], choice: int, options: Any) -> Fraction:
    """Settle Bonus and Joker after every community cards that may come, the dealer's hand being no matter."""
    boards = [(community, card) for card in left] if community else list(combinations(left, 2))
    total = 0
    for first, second in boards:
        dealer = make_mask([card for card in range(53) if not (five | first | second) >> card & 1][:5])
        state = rules.Wild52State(five, dealer, first, second, choice, 1)
        _, bonus, joker = rules.settle(load_hand_tables(), state, options)
        total += BONUS_NETS[bonus] + JOKER_NETS[joker]
    return Fraction(total, len(boards))
