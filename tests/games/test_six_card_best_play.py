"""The best play of single hands: what the strength tells, and what is counted, against the solver's own values."""

import random
from itertools import combinations

import numpy as np
import pytest

from oracle.six_card import compute_values
from pitboss.analysis.solutions import build_problem
from pitboss.cards import DECK_52, make_mask, parse_cards
from pitboss.games import load_game
from pitboss.games.six_card.rules import SixCardOptions, SixCardView, rank_hand
from pitboss.games.six_card.solver.best_play import (
    SOME_FOLD,
    SOME_PLAY,
    SixCardBestPlay,
    choose_best,
    compute_play_value,
    index_boards,
    number_board,
    tabulate_best_play,
    tabulate_boards,
)
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.set_numbering import find_sorted
from pitboss.kernels.suit_symmetry import list_suit_classes, list_suit_orders, permute_suits
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables

GAME = load_game("six-card")
PROBLEM = build_problem(GAME, select_paytables(GAME), resolve_options(GAME, {})).problem
WORTH = np.array([net - PROBLEM.nets[0] for net in PROBLEM.nets], np.int64)
BOARDS, _ = list_suit_classes(DECK_52.cards, 3)
BOARD_ROWS = index_boards(BOARDS)
HANDS = 200


@kernel
def chosen(
    tables: HandTables, masks: np.ndarray, exposed: int, best: SixCardBestPlay, options: SixCardOptions
) -> np.ndarray:
    """Ask for the best play of each hand."""
    actions = np.zeros(len(masks), np.int64)
    for hand in range(len(masks)):
        actions[hand] = choose_best(tables, SixCardView(masks[hand], exposed), 0, best, options)[0]
    return actions


@pytest.mark.more
@pytest.mark.compiled
def test_hands_are_played_where_the_solver_values_them_above_a_fold() -> None:
    picked = BOARDS[[0, 555, 1_100, 1_600]]
    told: list[tuple[int, int]] = []
    rows = np.zeros(22_100, np.int16)
    best = tabulate_boards(picked, rows, PROBLEM.options, WORTH, lambda *each: told.append(each))
    assert told[-1] == (4, 4)
    assert set(np.unique(best.bands)) == {0, SOME_FOLD, SOME_PLAY, SOME_FOLD | SOME_PLAY}
    undecided = 0
    random.seed(7)
    for row, exposed in enumerate(picked.tolist()):
        left = [card for card in DECK_52.cards if not exposed >> card & 1]
        masks = [sum(1 << card for card in random.sample(left, 6)) for _ in range(HANDS)]
        rows[:] = row
        values = compute_values(exposed, masks, PROBLEM.options, WORTH.tolist())
        played = chosen(load_hand_tables(), np.array(masks), exposed, best, PROBLEM.options)
        assert played.tolist() == [int(value > 0) for value in values]
        for mask, value in zip(masks, values, strict=True):
            strength = rank_hand(load_hand_tables(), mask, PROBLEM.options)
            place = find_sorted(best.strengths, strength)
            assert best.strengths[place] == strength
            assert best.bands[row, place] & (SOME_PLAY if value > 0 else SOME_FOLD)
            undecided += best.bands[row, place] == SOME_FOLD | SOME_PLAY
    assert undecided > 0


@kernel
def counted(
    tables: HandTables, hands: np.ndarray, boards: np.ndarray, best: SixCardBestPlay, options: SixCardOptions
) -> tuple[int, int]:
    """Count the positions that their strength does not decide, and those of them played otherwise than they should be.

    The rules count each over the completions of the dealer's hand.
    """
    undecided, wrong = 0, 0
    for position in range(len(hands)):
        view = SixCardView(hands[position], boards[position])
        mine = rank_hand(tables, view.player, options)
        row = best.board_rows[number_board(view.dealer)]
        if best.bands[row, find_sorted(best.strengths, mine)] == SOME_FOLD | SOME_PLAY:
            undecided += 1
            plays = compute_play_value(tables, view, mine, best.gains, options) > 0
            wrong += choose_best(tables, view, 0, best, options)[0] != plays
    return undecided, wrong


def deal_positions(count: int, boards: list[int] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return random hands and boards, the boards from a list if one is given."""
    hands, exposed = [], []
    for _ in range(count):
        board = random.choice(boards) if boards else sum(1 << card for card in random.sample(range(52), 3))
        left = [card for card in DECK_52.cards if not board >> card & 1]
        hands.append(sum(1 << card for card in random.sample(left, 6)))
        exposed.append(board)
    return np.array(hands), np.array(exposed)


@pytest.mark.more
@pytest.mark.compiled
def test_hands_of_one_strength_are_told_apart_in_every_suit() -> None:
    # Exposed cards of three suits, two of a suit, three of a suit, and a pair with two of a suit.
    kinds = [make_mask(parse_cards(cards, DECK_52)) for cards in ("Ks 8h 3d", "Ks 8s 3d", "Qs 8s 3s", "9s 9h 4s")]
    rows = BOARD_ROWS[[number_board(kind) for kind in kinds]]
    at = np.zeros(len(BOARDS), np.int16)
    at[rows] = range(len(kinds))
    best = tabulate_boards(BOARDS[rows], at[BOARD_ROWS], PROBLEM.options, WORTH, lambda *_: None)
    random.seed(11)
    alike = [int(permute_suits(kind, order)) for kind in kinds for order in list_suit_orders(DECK_52.mask)]
    undecided, wrong = counted(load_hand_tables(), *deal_positions(30_000, alike), best, PROBLEM.options)
    assert undecided > 300
    assert wrong == 0


@pytest.mark.long
@pytest.mark.compiled
def test_hands_of_one_strength_are_told_apart_on_every_board() -> None:
    best = tabulate_best_play(PROBLEM, lambda *_: None)
    random.seed(5)
    undecided, wrong = counted(load_hand_tables(), *deal_positions(500_000), best, PROBLEM.options)
    assert undecided > 5_000
    assert wrong == 0


@pytest.mark.more
def test_every_board_has_the_row_of_its_kind() -> None:
    numbers = [number_board(sum(1 << card for card in held)) for held in combinations(range(52), 3)]
    assert sorted(numbers) == list(range(22_100))
    random.seed(3)
    for _ in range(200):
        exposed = sum(1 << card for card in random.sample(range(52), 3))
        kind = int(BOARDS[BOARD_ROWS[number_board(exposed)]])
        assert kind == min(permute_suits(exposed, order) for order in list_suit_orders(DECK_52.mask))
