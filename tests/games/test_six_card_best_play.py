"""The best play of single hands: what the strength tells, and what is counted, against the solver's own values."""

import random
from itertools import combinations

import numpy as np
import pytest

from pitboss.analysis.solutions import build_problem
from pitboss.cards import DECK_52
from pitboss.games import load_game
from pitboss.games.six_card.rules import SixCardOptions, SixCardView, rank_hand
from pitboss.games.six_card.solver.best_play import (
    SOME_FOLD,
    SOME_PLAY,
    BestPlay,
    choose_best,
    find_strength_bands,
    index_boards,
    number_board,
)
from pitboss.games.six_card.solver.play_values import compute_values
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
HANDS = 200


@kernel
def chosen(tables: HandTables, masks: np.ndarray, exposed: int, best: BestPlay, options: SixCardOptions) -> np.ndarray:
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
    strengths, actions = find_strength_bands(picked, PROBLEM.options, WORTH, lambda *each: told.append(each))
    assert told[-1] == (4, 4)
    assert set(np.unique(actions)) == {0, SOME_FOLD, SOME_PLAY, SOME_FOLD | SOME_PLAY}
    random.seed(7)
    for row, exposed in enumerate(picked.tolist()):
        left = [card for card in DECK_52.cards if not exposed >> card & 1]
        masks = [sum(1 << card for card in random.sample(left, 6)) for _ in range(HANDS)]
        rows = np.full(22_100, row, np.int16)
        best = BestPlay(rows, strengths, actions, WORTH)
        values = compute_values(exposed, masks, PROBLEM.options, WORTH.tolist())
        played = chosen(load_hand_tables(), np.array(masks), exposed, best, PROBLEM.options)
        assert played.tolist() == [int(value > 0) for value in values]
        for mask, value in zip(masks, values, strict=True):
            strength = rank_hand(load_hand_tables(), mask, PROBLEM.options)
            place = find_sorted(strengths, strength)
            assert strengths[place] == strength
            assert actions[row, place] & (SOME_PLAY if value > 0 else SOME_FOLD)


@pytest.mark.more
def test_every_board_has_the_row_of_its_kind() -> None:
    rows = index_boards(BOARDS)
    numbers = [number_board(sum(1 << card for card in held)) for held in combinations(range(52), 3)]
    assert sorted(numbers) == list(range(22_100))
    random.seed(3)
    for _ in range(200):
        exposed = sum(1 << card for card in random.sample(range(52), 3))
        kind = int(BOARDS[rows[number_board(exposed)]])
        assert kind == min(permute_suits(exposed, order) for order in list_suit_orders(DECK_52.mask))
