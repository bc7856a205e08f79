"""The deals of Six Card Poker, counted board by board.

A board is three exposed cards.  On each board, every hand meets every completion of the dealer's hand.  Every class of
hands is valued (``play_values``) and played where that is worth more than a fold, or as a given strategy says.  The
results are tallied by the *line* of the hand in Aces Up; the lines of the other wagers follow from it.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.core.progress import ProgressCallback
from pitboss.games.six_card.rules import EXPOSED, HAND, PAIR_OF_ACES, SixCardOptions, settle_main, settle_ranked_aces_up
from pitboss.games.six_card.solver.dealer_hands import UPPER_UNIT, advance_to, make_initial_table
from pitboss.games.six_card.solver.disjoint_weights import DRAWN, ENTRIES, HandEntries, find_entries
from pitboss.games.six_card.solver.hand_classes import (
    NO_FLUSH,
    NO_SUIT,
    HandClasses,
    LiveCards,
    count_flush_ways,
    count_plain_ways,
    count_state_hands,
    list_hand_classes,
    sort_live_cards,
)
from pitboss.games.six_card.solver.play_values import (
    NO_MINIMUM,
    ExposedBoard,
    StateWorkspace,
    make_board,
    make_workspace,
    sort_by_strength,
    value_states,
    value_with_flush,
    value_without_flush,
)
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray, map_on_threads
from pitboss.kernels.suit_symmetry import list_suit_orders

FOLD = 0
OUTCOME_COUNT = 7
WIN, TIE, LOSE = 1, 3, 5  # with the dealer qualified; add one for not qualified
LINE_COUNT = 10  # lines of Aces Up; the tenth is a hand below a pair of aces
# The columns after the outcomes: positions of equal value, the deals that a folded hand of aces or better would have
# lost, by its own line, and those it would have won against a dealer's aces or better, by the dealer's line.
EQUAL, FOLDED_LOST, FOLDED_WON, COLUMN_COUNT = 7, 8, 9, 10
_BELOW_ACES = LINE_COUNT - 1
_SHARDS = 64

Int8Array = NDArray[np.int8]
Policy = Callable[[IntArray], Int8Array]


class StrengthClasses(NamedTuple):
    """All classes of hands by rising strength.

    There are the strength and line of each class, and its group of mistakes.
    """

    hands: HandClasses
    strengths: IntArray
    lines: Int8Array
    groups: IntArray


class BoardCounts(NamedTuple):
    """The counts of boards, one board per row.

    ``deals`` are by line and column, ``mistakes`` by group.  ``mistakes`` (boards, groups, 2, 2) has the deals and the
    cost of wrong folds and of wrong plays.  Column ``FOLD`` is left empty: it has the deals that no other outcome has.
    """

    deals: IntArray
    mistakes: IntArray


def make_classes(
    options: SixCardOptions, describe: Callable[[int], str] | None = None
) -> tuple[StrengthClasses, list[str]]:
    """Return all classes of hands in groups, and the groups' names.

    Classes are of one group if ``describe`` returns the same for their strengths.
    """
    hands, strengths = sort_by_strength(list_hand_classes(), options)
    lines = np.array([settle_ranked_aces_up(strength) for strength in strengths.tolist()], np.int8)
    groups = np.zeros(len(strengths), np.int64)
    numbers: dict[str, int] = {}
    if describe is not None:
        groups[:] = [numbers.setdefault(describe(strength), len(numbers)) for strength in strengths.tolist()]
    return StrengthClasses(hands, strengths, lines, groups), list(numbers)


def count_hands_by_line(deck: Sequence[int], classes: StrengthClasses) -> list[int]:
    """Return how many hands of the deck make each line."""
    sizes = _count_class_hands(classes.hands, sum(1 << card for card in deck))
    return [int(sizes[classes.lines == line].sum()) for line in range(LINE_COUNT)]


def count_boards(
    deck: Sequence[int],
    boards: IntArray,
    options: SixCardOptions,
    gains: Sequence[int],
    classes: StrengthClasses,
    policy: Policy | None,
    progress: ProgressCallback,
) -> BoardCounts:
    """Count the deals of each board.

    ``policy(boards)``, if given, says which classes are played, (boards, classes).  ``gains`` is what each outcome nets
    beyond a fold.  No number exceeds a board's deals, 1.7e11, or cost, 2**55.
    """
    tables, left = load_hand_tables(), sum(1 << card for card in deck)
    entries, orders, nets = find_entries(classes.hands), list_suit_orders(left), np.array(gains, np.int64)
    completions = comb(len(deck) - HAND - EXPOSED, DRAWN)
    shards = [np.arange(first, len(boards), _SHARDS) for first in range(min(_SHARDS, len(boards)))]
    groups = int(classes.groups.max()) + 1 if policy else 0

    def count_shard(shard: IntArray) -> BoardCounts:
        actions = policy(boards[shard]) if policy else np.zeros((len(shard), 0), np.int8)
        workspace, line_tables = make_workspace(), np.zeros((LINE_COUNT, ENTRIES, 2), np.int64)
        sums = np.zeros((len(shard), LINE_COUNT, COLUMN_COUNT), np.int64)
        mistakes = np.zeros((len(shard), groups, 2, 2), np.int64)
        for row, exposed in enumerate(boards[shard].tolist()):
            board = make_board(tables, options, left, exposed, orders, completions)
            table = make_initial_table(board.completions, options, nets)
            kernel_args = (table, line_tables, classes, entries, options, nets, board, actions[row], workspace)
            _count_board(*kernel_args, sums[row], mistakes[row])
        return BoardCounts(sums, mistakes)

    counts = BoardCounts(
        np.zeros((len(boards), LINE_COUNT, COLUMN_COUNT), np.int64), np.zeros((len(boards), groups, 2, 2), np.int64)
    )
    for shard, result in map_on_threads(count_shard, shards, progress):
        counts.deals[shard], counts.mistakes[shard] = result.deals, result.mistakes
    return counts


@kernel_helper
def _tally_played(sums: IntArray, tie: int, played: int, first: int, second: int) -> None:
    """Add the deals of hands that play.

    ``played`` is hands times completions; ``first`` and ``second`` are the words summed over the hands.  ``tie`` is the
    outcome of a tie.  It tells whether a dealer with the hand's own strength qualifies.  If so, all completions that do
    not qualify are weaker; otherwise all that qualify are stronger.
    """
    not_qualified = first & (UPPER_UNIT - 1)
    weaker = second & (UPPER_UNIT - 1)
    not_stronger = second >> 32
    sums[tie] += not_stronger - weaker
    if tie == TIE:
        sums[WIN] += weaker - not_qualified
        sums[WIN + 1] += not_qualified
        sums[LOSE] += played - not_stronger
    else:
        sums[WIN + 1] += weaker
        sums[LOSE] += played - not_qualified
        sums[LOSE + 1] += not_qualified - not_stronger


@no_alloc_kernel
def _tally_folded(
    line_tables: Any,
    classes: StrengthClasses,
    entries: HandEntries,
    hand: int,
    states: int,
    board: ExposedBoard,
    workspace: StateWorkspace,
    sums: IntArray,
) -> None:
    """Tally what a class of folded hands would have lost and won.

    The class has a pair of aces or better.  The weaker completions of a line are those weaker than the hand, or than
    the next line, less those weaker than the line; ``line_tables`` has the tables as they were where each line began.
    This is a kernel of its own because it is seldom called and would slow down the sweep that calls it.
    """
    own = classes.lines[hand]
    folded, weaker, not_stronger = 0, 0, 0
    for state in range(states):
        folded += workspace.folded_ways[state]
        weaker += workspace.folded_ways[state] * (workspace.second_words[state] & (UPPER_UNIT - 1))
        not_stronger += workspace.folded_ways[state] * (workspace.second_words[state] >> 32)
    sums[own, FOLDED_LOST] += folded * board.completion_count - not_stronger
    for line in range(own, _BELOW_ACES):
        value_states(line_tables[line], classes.hands, entries, hand, board, workspace, NO_MINIMUM)
        below = 0
        for state in range(states):
            below += workspace.folded_ways[state] * (workspace.second_words[state] & (UPPER_UNIT - 1))
        sums[line, FOLDED_WON] += weaker - below
        weaker = below


@kernel_helper
def _note_mistakes(
    mistakes: IntArray, played: int, states: int, board: ExposedBoard, workspace: StateWorkspace
) -> None:
    """Add the hands of a class whose other action is worth more.

    ``mistakes`` has deals and cost by action.
    """
    for state in range(states):
        value = workspace.first_words[state] >> 32
        if value != 0 and (value > 0) != (played > 0):
            mistakes[played, 0] += workspace.ways[state] * board.completion_count
            mistakes[played, 1] += workspace.ways[state] * abs(value)


@kernel_helper
def _apply_action(action: int, states: int, workspace: StateWorkspace) -> None:
    """Replace the values of a class's states by those of one action.

    All states are then tallied as played, or all as folded (below 0).
    """
    for state in range(states):
        workspace.first_words[state] = workspace.first_words[state] & (UPPER_UNIT - 1) | (
            UPPER_UNIT if action else -UPPER_UNIT
        )


@kernel_helper
def _sum_played(states: int, workspace: StateWorkspace) -> tuple[int, int, int, int]:
    """Sum up the hands of a class that are worth more than a fold.

    Return how many they are, the sums of their two words, and how many states are worth the same either way.
    """
    played, first, second, indifferent = 0, 0, 0, 0
    for each in range(states):
        state = np.uint64(each)
        ways, value = workspace.ways[state], workspace.first_words[state]
        indifferent += 0 <= value < UPPER_UNIT
        ways = ways if value >= UPPER_UNIT else 0
        played += ways
        first += ways * value
        second += ways * workspace.second_words[state]
    return played, first, second, indifferent


@kernel_helper
def _mark_folded(states: int, workspace: StateWorkspace) -> int:
    """Store the number of hands of each state that fold, and return their sum."""
    folded = 0
    for each in range(states):
        state = np.uint64(each)
        workspace.folded_ways[state] = workspace.ways[state] if workspace.first_words[state] < UPPER_UNIT else 0
        folded += workspace.folded_ways[state]
    return folded


@kernel_helper
def _copy_table(table: Any, target: Any) -> None:
    """Copy both words of every entry."""
    for entry in range(len(table)):
        target[entry, 0], target[entry, 1] = table[entry, 0], table[entry, 1]


@no_alloc_kernel
def _count_board(
    table: Any,
    line_tables: Any,
    classes: StrengthClasses,
    entries: HandEntries,
    options: SixCardOptions,
    gains: IntArray,
    board: ExposedBoard,
    policy: Any,
    workspace: StateWorkspace,
    sums: IntArray,
    mistakes: IntArray,
) -> None:
    """Decide all hands in order of strength and tally their results."""
    weaker, equal, line = 0, 0, LINE_COUNT
    for hand in range(len(classes.strengths)):
        strength = classes.strengths[hand]
        weaker, equal = advance_to(board.completions, table, gains, options, strength, weaker, equal)
        if classes.lines[hand] != line:
            line = classes.lines[hand]
            _copy_table(table, line_tables[line])
        given = policy[hand] if len(policy) else -1
        aces = strength >= PAIR_OF_ACES
        if classes.hands.flush[hand] == NO_FLUSH:
            least = NO_MINIMUM if aces or given >= 0 else 0
            states = value_without_flush(table, classes.hands, entries, hand, board, workspace, least)
        else:
            states = value_with_flush(table, classes.hands, entries, hand, board, workspace)
        if given >= 0:
            _note_mistakes(mistakes[classes.groups[hand]], given, states, board, workspace)
            _apply_action(given, states, workspace)
        played, first, second, indifferent = _sum_played(states, workspace)
        if played:
            tie = settle_main(strength, strength, options)
            _tally_played(sums[line], tie, played * board.completion_count, first, second)
        if indifferent:
            sums[line, EQUAL] += _count_indifferent(classes.hands, hand, states, board, workspace)
        if aces and _mark_folded(states, workspace):
            _tally_folded(line_tables, classes, entries, hand, states, board, workspace, sums)


@kernel_helper
def _count_indifferent(
    hands: HandClasses, hand: int, states: int, board: ExposedBoard, workspace: StateWorkspace
) -> int:
    """Count the hands of a class that are worth as much folded as played.

    They are counted up to suits.
    """
    kinds = 0
    for state in range(states):
        if workspace.ways[state] > 0 and 0 <= workspace.first_words[state] < UPPER_UNIT:
            kinds += count_state_hands(hands, hand, state, board.live, board.permutations, workspace.scratch)[1]
    return kinds


def _count_class_hands(hands: HandClasses, deck: int) -> IntArray:
    """Return how many hands of the deck each class has."""
    sizes = np.zeros(len(hands.groups), np.int64)
    _fill_class_sizes(hands, sort_live_cards(deck, NO_SUIT), make_workspace().ways, sizes)
    return sizes


@no_alloc_kernel
def _fill_class_sizes(hands: HandClasses, live: LiveCards, ways: IntArray, sizes: IntArray) -> None:
    """Count the live hands of each class; ``ways`` is a scratch array for one class."""
    for hand in range(len(sizes)):
        if hands.flush[hand] == NO_FLUSH:
            count_plain_ways(hands, hand, live, ways)
            sizes[hand] = ways[0]
        else:
            sizes[hand] = count_flush_ways(hands, hand, hands.flush[hand], hands.odd[hand], live)[0]
