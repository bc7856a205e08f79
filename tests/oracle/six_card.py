"""Single hands of Six Card Poker, valued by the tables of its solver."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitboss.cards import DECK_52
from pitboss.games.six_card.rules import SixCardOptions
from pitboss.games.six_card.solver.dealer_hands import advance_to, make_initial_table
from pitboss.games.six_card.solver.disjoint_weights import (
    HandEntries,
    add_differences,
    compute_plain_value,
    evaluate_states,
    find_entries,
)
from pitboss.games.six_card.solver.hand_classes import HandClasses, _classify_hand, _make_classes, find_suited_groups
from pitboss.games.six_card.solver.play_values import (
    ExposedBoard,
    StateWorkspace,
    make_board,
    make_workspace,
    sort_by_strength,
)
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import list_suit_orders


def classify_hands(masks: Sequence[int]) -> HandClasses:
    """Return the class of each hand, one a row, with the hand itself as its mask."""
    return _make_classes([(*_classify_hand(mask), mask) for mask in masks])


def compute_values(exposed: int, masks: Sequence[int], options: SixCardOptions, gains: Sequence[int]) -> list[int]:
    """Return the gain of playing each hand over folding it.

    It is summed over the 12,341 completions of the exposed cards.  ``gains`` is what each outcome nets beyond a fold.
    A hand is played if its value is above 0.
    """
    hands = classify_hands(masks)
    hands, strengths = sort_by_strength(hands, options)
    nets, identity = np.array(gains, np.int64), list_suit_orders(DECK_52.mask)[:1]
    board = make_board(load_hand_tables(), options, DECK_52.mask, exposed, identity, 0)
    table, values = make_initial_table(board.completions, options, nets), np.zeros(len(strengths), np.int64)
    _fill_values(table, hands, find_entries(hands), strengths, options, nets, board, make_workspace(), values)
    by_mask = dict(zip(hands.masks.tolist(), values.tolist(), strict=True))
    return [by_mask[mask] for mask in masks]


@no_alloc_kernel
def _fill_values(
    table: Any,
    hands: HandClasses,
    entries: HandEntries,
    strengths: IntArray,
    options: SixCardOptions,
    gains: IntArray,
    board: ExposedBoard,
    workspace: StateWorkspace,
    values: IntArray,
) -> None:
    """Value single hands by rising strength.

    Each class of ``hands`` stands for its own mask alone.
    """
    weaker, equal = 0, 0
    for hand in range(len(strengths)):
        weaker, equal = advance_to(board.completions, table, gains, options, strengths[hand], weaker, equal)
        workspace.first_words[0], workspace.second_words[0] = compute_plain_value(table, entries, hand)
        add_differences(
            table, hands, entries, hand, board.difference_mode, workspace.first_words, workspace.second_words
        )
        evaluate_states(workspace.first_words, hands.groups[hand])
        values[hand] = workspace.first_words[find_suited_groups(hands.masks[hand], board.live.suit)] >> 32
