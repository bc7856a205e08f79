"""The best play of single hands: what the strength tells, and what is counted, against the solver's own values."""

import random
from itertools import combinations

import numpy as np
import pytest

from pitboss.analysis.solutions import question
from pitboss.cards import DECK_52
from pitboss.counting.compile import kernel
from pitboss.counting.numbers import place_among
from pitboss.counting.suits import exchanged, exchanges, sets_up_to_suits
from pitboss.games import game_named
from pitboss.games.six_card.rules import Options, View, hand_strength
from pitboss.games.six_card.solver.bands import (
    SOME_FOLD,
    SOME_PLAY,
    BestPlay,
    bands_of_boards,
    board_number,
    choose_best,
    rows_of,
)
from pitboss.games.six_card.solver.values import values_of
from pitboss.hands import HandTables, load_hand_tables
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables

GAME = game_named("six-card")
PROBLEM = question(GAME, select_paytables(GAME), resolve_options(GAME, {})).problem
WORTH = np.array([net - PROBLEM.nets[0] for net in PROBLEM.nets], np.int64)
BOARDS, _ = sets_up_to_suits(DECK_52.cards, 3)
HANDS = 200


@kernel
def chosen(tables: HandTables, masks: np.ndarray, exposed: int, best: BestPlay, options: Options) -> np.ndarray:
    """Ask for the best play of each hand."""
    actions = np.zeros(len(masks), np.int64)
    for hand in range(len(masks)):
        actions[hand] = choose_best(tables, View(masks[hand], exposed), 0, best, options)[0]
    return actions


@pytest.mark.compiled
def test_hands_are_played_where_the_solver_values_them_above_a_fold() -> None:
    picked = BOARDS[[0, 555, 1_100, 1_600]]
    told: list[tuple[int, int]] = []
    strengths, actions = bands_of_boards(picked, PROBLEM.options, WORTH, lambda *each: told.append(each))
    assert told[-1] == (4, 4)
    assert set(np.unique(actions)) == {0, SOME_FOLD, SOME_PLAY, SOME_FOLD | SOME_PLAY}
    random.seed(7)
    for row, exposed in enumerate(picked.tolist()):
        left = [card for card in DECK_52.cards if not exposed >> card & 1]
        masks = [sum(1 << card for card in random.sample(left, 6)) for _ in range(HANDS)]
        rows = np.full(22_100, row, np.int16)
        best = BestPlay(rows, strengths, actions, WORTH)
        values = values_of(exposed, masks, PROBLEM.options, WORTH.tolist())
        played = chosen(load_hand_tables(), np.array(masks), exposed, best, PROBLEM.options)
        assert played.tolist() == [int(value > 0) for value in values]
        for mask, value in zip(masks, values, strict=True):
            strength = hand_strength(load_hand_tables(), mask, PROBLEM.options)
            place = place_among(strengths, strength)
            assert strengths[place] == strength
            assert actions[row, place] & (SOME_PLAY if value > 0 else SOME_FOLD)


def test_every_board_has_the_row_of_its_kind() -> None:
    rows = rows_of(BOARDS)
    numbers = [board_number(sum(1 << card for card in held)) for held in combinations(range(52), 3)]
    assert sorted(numbers) == list(range(22_100))
    random.seed(3)
    for _ in range(200):
        exposed = sum(1 << card for card in random.sample(range(52), 3))
        kind = int(BOARDS[rows[board_number(exposed)]])
        assert kind == min(exchanged(exposed, order) for order in exchanges(DECK_52.mask))
