"""The gain of playing a hand over folding it, on one board.

It is computed for all states of classes of hands.  The classes are taken in order of strength, and the dealer's
completions pass from stronger to equal to weaker (``dealer_hands``).  The tables of ``kernels.disjoint_weights`` then
give the completions that a hand can meet.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.games.six_card.rules import HAND, SixCardOptions, rank_hand
from pitboss.games.six_card.solver.dealer_hands import (
    UPPER_UNIT,
    DealerCompletions,
    find_difference_mode,
    find_flush_suit,
    make_completions,
)
from pitboss.games.six_card.solver.disjoint_weights import (
    PLAIN,
    HandEntries,
    add_differences,
    compute_difference,
    compute_plain_value,
    evaluate_states,
)
from pitboss.games.six_card.solver.hand_classes import (
    NO_FLUSH,
    STATES,
    HandClasses,
    LiveCards,
    count_flush_ways,
    count_plain_ways,
    find_flush_state,
    sort_live_cards,
)
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import permute_suits

NO_MINIMUM = -UPPER_UNIT


class ExposedBoard(NamedTuple):
    """Three exposed cards, and what follows from them.

    There are the live cards, the completions, and the suit orders that leave the board as it is.  ``difference_mode``
    says to which completions a suit can matter.
    """

    live: LiveCards
    difference_mode: int
    completions: DealerCompletions
    permutations: IntArray
    completion_count: int


class StateWorkspace(NamedTuple):
    """Scratch arrays by state of a class.

    They are for its number of hands, both words, and how many of its hands fold.
    """

    ways: IntArray
    first_words: IntArray
    second_words: IntArray
    folded_ways: IntArray
    scratch: IntArray


def sort_by_strength(hands: HandClasses, options: SixCardOptions) -> tuple[HandClasses, IntArray]:
    """Return the classes by rising strength, and their strengths."""
    strengths = np.array([rank_hand(load_hand_tables(), int(mask), options) for mask in hands.masks], np.int64)
    order = np.argsort(strengths, kind="stable")
    return HandClasses._make(column[order] for column in hands), strengths[order]


@kernel_helper
def value_states(
    table: Any,
    hands: HandClasses,
    entries: HandEntries,
    hand: int,
    board: ExposedBoard,
    workspace: StateWorkspace,
    minimum: int,
) -> int:
    """Value all states of a class, and return how many were valued.

    Return 0 if all are below ``minimum``.  ``minimum`` is 0 where only hands that may play matter, and ``NO_MINIMUM``
    where folds matter too.
    """
    if hands.flush[hand] == NO_FLUSH:
        return value_without_flush(table, hands, entries, hand, board, workspace, minimum)
    return value_with_flush(table, hands, entries, hand, board, workspace)


@kernel_helper
def value_without_flush(
    table: Any,
    hands: HandClasses,
    entries: HandEntries,
    hand: int,
    board: ExposedBoard,
    workspace: StateWorkspace,
    minimum: int,
) -> int:
    """Value all states of a class without a flush, and return how many there are.

    Return 0 if all are below ``minimum``.
    """
    groups, states = hands.groups[hand], 1
    workspace.first_words[0], workspace.second_words[0] = compute_plain_value(table, entries, hand)
    if board.difference_mode != PLAIN:
        states = 1 << groups
        add_differences(
            table, hands, entries, hand, board.difference_mode, workspace.first_words, workspace.second_words
        )
        evaluate_states(workspace.first_words, groups)
    best = NO_MINIMUM
    for state in range(states):
        best = max(best, workspace.first_words[np.uint64(state)])
    if best < minimum:
        return 0
    count_plain_ways(hands, hand, board.live, workspace.ways)
    if states > 1:
        evaluate_states(workspace.second_words, groups)
    return states


@kernel_helper
def value_with_flush(
    table: Any, hands: HandClasses, entries: HandEntries, hand: int, board: ExposedBoard, workspace: StateWorkspace
) -> int:
    """Value the three states of a class with a flush.

    Return how many states to read; the others have 0 ways.
    """
    odd, last = hands.odd[hand], find_flush_state(hands, hand)
    plain, mixed, inside = count_flush_ways(hands, hand, hands.flush[hand], odd, board.live)
    workspace.ways[0] = plain
    workspace.first_words[0], workspace.second_words[0] = compute_plain_value(table, entries, hand)
    if mixed + inside == 0:
        return 1
    first, second = compute_difference(table, hands, entries, hand, odd, board.difference_mode)
    if inside:
        add_differences(
            table, hands, entries, hand, board.difference_mode, workspace.first_words, workspace.second_words
        )
        evaluate_states(workspace.first_words, hands.groups[hand])
        evaluate_states(workspace.second_words, hands.groups[hand])
    workspace.ways[1 : last + 1] = 0
    workspace.ways[1 << odd] = mixed
    workspace.first_words[1 << odd], workspace.second_words[1 << odd] = (
        workspace.first_words[0] + first,
        workspace.second_words[0] + second,
    )
    workspace.ways[last] = inside
    return 1 + max(last if inside else 0, int(1 << odd))


def make_workspace() -> StateWorkspace:
    """Return scratch arrays for the states of a class."""
    return StateWorkspace(*(np.zeros(length, np.int64) for length in (STATES, STATES, STATES, STATES, HAND)))


def make_board(
    tables: HandTables, options: SixCardOptions, deck: int, exposed: int, permutations: IntArray, completion_count: int
) -> ExposedBoard:
    """Prepare the board of three exposed cards.

    It keeps those of ``permutations`` that leave the cards as they are.
    """
    live = sort_live_cards(deck & ~exposed, find_flush_suit(exposed))
    fixing = permutations[permute_suits(exposed, permutations.T) == exposed]
    return ExposedBoard(
        live, find_difference_mode(exposed), make_completions(tables, options, exposed, live), fixing, completion_count
    )
