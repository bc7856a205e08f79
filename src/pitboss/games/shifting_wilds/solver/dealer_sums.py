"""The dealers that a hand meets, summed from the table of a board.

The sums are for all states of a multiset, or for one hand.  A row of sums has a place for the slot of each W1; in some
roles a second row is for W1 outside the suit.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.shifting_wilds.rules import HAND
from pitboss.games.shifting_wilds.solver.boards import LONE, MAIN, MAX_ROLES, PlayBoard
from pitboss.games.shifting_wilds.solver.dealer_hands import INDEX_BITS, NO_CARD, ROW_WIDTH, DealerHands
from pitboss.games.shifting_wilds.solver.multisets import (
    EXCLUSION_STEPS,
    STATE_COUNT,
    SUBSET_SIGNS,
    TERNARY_COUNT,
    TERNARY_TABLE,
    HandMultisets,
    Int32Array,
    OpeningHands,
    find_other_cards,
)
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import permute_suits

LANE_COUNT = SUIT_COUNT * ROW_WIDTH
"""One lane for each W1: suit after suit, a place for each slot."""

SKIPPED = -1


class SubsetNumbers(NamedTuple):
    """The multisets of a deck, and the numbers of the sets within them.

    The sets are numbered by their ranks and by their kinds in a suit.
    """

    multisets: HandMultisets
    by_ranks: Int32Array
    suited: Int32Array


class PlayWorkspace(NamedTuple):
    """Scratch arrays for one multiset, flat except for ``hand_rows``.

    ``rows`` (81, 32), ``words`` and ``row_values`` (roles, 16, 32), ``lane_values`` and ``play_counts`` (roles, 16,
    64), ``summed_counts`` (plays, roles, 16, 32), ``has_counts`` (plays,) where that is not all zero.  For each hand of
    the multiset (256), ``role_states`` are its states in the suits' roles, four bits each, or ``SKIPPED`` if the hand
    is not in this sweep, and ``min_values`` and ``max_values`` bound its value.  For one hand, ``hand_rows`` (roles,
    32) are its rows and ``row_tags`` (roles,) say which hand's they are; ``hand_words``, ``hand_values`` and
    ``beaten_counts`` (64,) have by lane the dealers it meets, its value and the dealers it beats.
    """

    rows: IntArray
    words: IntArray
    row_values: Int32Array
    lane_values: Int32Array
    play_counts: NDArray[np.int16]
    summed_counts: Int32Array
    has_counts: Int32Array
    role_states: Int32Array
    min_values: Int32Array
    max_values: Int32Array
    hand_rows: IntArray
    row_tags: IntArray
    hand_words: IntArray
    hand_values: Int32Array
    beaten_counts: IntArray


def make_workspace(plays: int = 1) -> PlayWorkspace:
    """Return scratch arrays for one thread that counts this many plays side by side."""
    hands = SUIT_COUNT**HAND
    return PlayWorkspace(
        rows=np.zeros(TERNARY_COUNT * 2 * ROW_WIDTH, np.int64),
        words=np.zeros(MAX_ROLES * STATE_COUNT * 2 * ROW_WIDTH, np.int64),
        row_values=np.zeros(MAX_ROLES * STATE_COUNT * 2 * ROW_WIDTH, np.int32),
        lane_values=np.zeros(MAX_ROLES * STATE_COUNT * LANE_COUNT, np.int32),
        play_counts=np.zeros(MAX_ROLES * STATE_COUNT * LANE_COUNT, np.int16),
        summed_counts=np.zeros(plays * MAX_ROLES * STATE_COUNT * 2 * ROW_WIDTH, np.int32),
        has_counts=np.zeros(plays, np.int32),
        role_states=np.zeros(hands, np.int32),
        min_values=np.zeros(hands, np.int32),
        max_values=np.zeros(hands, np.int32),
        hand_rows=np.zeros((MAX_ROLES, 2 * ROW_WIDTH), np.int64),
        row_tags=np.zeros(MAX_ROLES, np.int64),
        hand_words=np.zeros(LANE_COUNT, np.int64),
        hand_values=np.zeros(LANE_COUNT, np.int32),
        beaten_counts=np.zeros(LANE_COUNT, np.int64),
    )


@kernel_helper
def _add_row(table: IntArray, row: int, sign: int, target: IntArray) -> None:
    """Add or subtract a narrow row of the table."""
    at = np.uint64(row)
    if sign > 0:
        for place in range(ROW_WIDTH):
            target[place] += table[at + np.uint64(place)]
    else:
        for place in range(ROW_WIDTH):
            target[place] -= table[at + np.uint64(place)]


@kernel_helper
def _add_wide_row(table: IntArray, row: int, sign: int, target: IntArray) -> None:
    """Add or subtract a wide row of the table."""
    at = np.uint64(row)
    if sign > 0:
        for place in range(2 * ROW_WIDTH):
            target[place] += table[at + np.uint64(place)]
    else:
        for place in range(2 * ROW_WIDTH):
            target[place] -= table[at + np.uint64(place)]


@kernel_helper
def _sum_lone_rows(
    table: Any,
    start: int,
    numbers: Any,
    multiset: int,
    naturals: int,
    wild_slot: int,
    workspace: PlayWorkspace,
    offset: int,
) -> None:
    """Sum the transfers of a lone suit for each state of a hand."""
    rows, words = workspace.rows, workspace.words
    for taken in range(STATE_COUNT):
        row, at = np.uint64(start + numbers[multiset, taken] * ROW_WIDTH), np.uint64(taken * ROW_WIDTH)
        for place in range(ROW_WIDTH):
            rows[at + np.uint64(place)] = table[row + np.uint64(place)]
    for card in range(HAND):
        for taken in range(STATE_COUNT):
            if taken >> card & 1 == 0:
                continue
            without, at = np.uint64((taken ^ 1 << card) * ROW_WIDTH), np.uint64(taken * ROW_WIDTH)
            for place in range(ROW_WIDTH):
                each = np.uint64(place)
                rows[at + each] = rows[without + each] - rows[at + each]
            if naturals >> card & 1 == 0:
                for place in range(ROW_WIDTH):
                    rows[without + np.uint64(place)] = rows[at + np.uint64(place)]
    for state in range(STATE_COUNT):
        into, at = np.uint64(offset + state * 2 * ROW_WIDTH), np.uint64(state * ROW_WIDTH)
        none = rows[at + np.uint64(NO_CARD)]
        for place in range(ROW_WIDTH):
            words[into + np.uint64(place)] = none + rows[at + np.uint64(place)]
            words[into + np.uint64(ROW_WIDTH + place)] = none
        words[into + np.uint64(ROW_WIDTH + wild_slot)] = none + rows[at + np.uint64(wild_slot)]


@kernel_helper
def _sum_main_rows(
    table: Any, start: int, numbers: Any, multiset: int, wild_slot: int, workspace: PlayWorkspace, offset: int
) -> None:
    """Sum the transfers of a main suit for each state of a hand."""
    rows, words = workspace.rows, workspace.words
    for code in range(TERNARY_COUNT):
        row, at = np.uint64(start + numbers[multiset, code] * 2 * ROW_WIDTH), np.uint64(code * 2 * ROW_WIDTH)
        for place in range(2 * ROW_WIDTH):
            rows[at + np.uint64(place)] = table[row + np.uint64(place)]
    for step in range(len(EXCLUSION_STEPS)):
        at, without = (
            np.uint64(EXCLUSION_STEPS[step, 0] * 2 * ROW_WIDTH),
            np.uint64(EXCLUSION_STEPS[step, 1] * 2 * ROW_WIDTH),
        )
        for place in range(2 * ROW_WIDTH):
            each = np.uint64(place)
            rows[at + each] = rows[without + each] - rows[at + each]
    for state in range(STATE_COUNT):
        into, at = (
            np.uint64(offset + state * 2 * ROW_WIDTH),
            np.uint64(TERNARY_TABLE[STATE_COUNT - 1, state] * 2 * ROW_WIDTH),
        )
        none = rows[at + np.uint64(NO_CARD)]
        for place in range(2 * ROW_WIDTH):
            words[into + np.uint64(place)] = none + rows[at + np.uint64(place)]
        words[into + np.uint64(wild_slot)] = words[into + np.uint64(ROW_WIDTH + wild_slot)]


@kernel_helper
def sum_all_rows(
    subsets: SubsetNumbers,
    board: PlayBoard,
    dealer_hands: DealerHands,
    multiset: int,
    own_unit: int,
    workspace: PlayWorkspace,
) -> None:
    """Sum every role for every state of a multiset's hands."""
    naturals = find_other_cards(subsets.multisets.slots[multiset], board.wild_slot)
    words = workspace.words
    for place in range(ROW_WIDTH):
        words[place] = 0
    for taken in range(STATE_COUNT):
        _add_row(dealer_hands.table, subsets.by_ranks[multiset, taken] * ROW_WIDTH, SUBSET_SIGNS[taken], words)
    none = words[NO_CARD] + own_unit
    for place in range(ROW_WIDTH):
        words[place] += none
    for role in range(1, len(board.role_modes)):
        to, start = role * STATE_COUNT * 2 * ROW_WIDTH, dealer_hands.starts[role]
        if board.role_modes[role] == LONE:
            _sum_lone_rows(
                dealer_hands.table, start, subsets.by_ranks, multiset, naturals, board.wild_slot, workspace, to
            )
        else:
            _sum_main_rows(dealer_hands.table, start, subsets.suited, multiset, board.wild_slot, workspace, to)


@kernel_helper
def sum_hand_words(
    subsets: SubsetNumbers,
    board: PlayBoard,
    w2_index: int,
    dealer_hands: DealerHands,
    hands: OpeningHands,
    hand: int,
    own_unit: int,
    workspace: PlayWorkspace,
) -> None:
    """Sum the dealers that one hand meets with each W1 into ``workspace.hand_words``.

    A role's rows are reused until a hand needs others.  Call ``invalidate_rows`` when the table has changed.
    """
    multiset, lanes, tags = hands.multisets[hand], workspace.hand_words, workspace.row_tags
    naturals = find_other_cards(subsets.multisets.slots[multiset], board.wild_slot)
    for role in range(len(board.role_modes)):
        suit = board.role_suits[w2_index, role]
        state = 0 if role == 0 else hands.states[hand] >> HAND * suit & naturals
        if tags[role] != multiset * STATE_COUNT + state:
            tags[role] = multiset * STATE_COUNT + state
            _sum_hand_rows(subsets, board, dealer_hands, multiset, naturals, role, state, workspace.hand_rows[role])
        rows = workspace.hand_rows[role]
        for each in range(LANE_COUNT // ROW_WIDTH):
            side = 0 if role == 0 or each == suit else ROW_WIDTH
            to = np.uint64(each * ROW_WIDTH)
            for place in range(ROW_WIDTH):
                before = own_unit if role == 0 else lanes[to + np.uint64(place)]
                lanes[to + np.uint64(place)] = before + rows[np.uint64(side + place)]


@kernel_helper
def invalidate_rows(workspace: PlayWorkspace) -> None:
    """Make ``sum_hand_words`` sum all rows again."""
    for role in range(MAX_ROLES):
        workspace.row_tags[role] = -1


@kernel_helper
def _sum_hand_rows(
    subsets: SubsetNumbers,
    board: PlayBoard,
    dealer_hands: DealerHands,
    multiset: int,
    naturals: int,
    role: int,
    state: int,
    rows: IntArray,
) -> None:
    """Sum what a role adds to or takes away from a hand, with each W1.

    The plain role adds, a suit's role takes away from a hand of ``state``.
    """
    start = dealer_hands.starts[role]
    for place in range(2 * ROW_WIDTH):
        rows[place] = 0
    if board.role_modes[role] == MAIN:
        for taken in range(STATE_COUNT):
            row = start + subsets.suited[multiset, TERNARY_TABLE[taken, state]] * 2 * ROW_WIDTH
            _add_wide_row(dealer_hands.table, row, -SUBSET_SIGNS[taken], rows)
        rows[board.wild_slot] = rows[ROW_WIDTH + board.wild_slot]
    elif board.role_modes[role] == LONE:
        wanted = state | (STATE_COUNT - 1 & ~naturals)
        for taken in range(STATE_COUNT):
            if taken & ~wanted == 0:
                row = start + subsets.by_ranks[multiset, taken] * ROW_WIDTH
                _add_row(dealer_hands.table, row, -SUBSET_SIGNS[taken], rows)
        rows[ROW_WIDTH + board.wild_slot] = rows[board.wild_slot]
    else:
        for taken in range(STATE_COUNT):
            row = start + subsets.by_ranks[multiset, taken] * ROW_WIDTH
            _add_row(dealer_hands.table, row, SUBSET_SIGNS[taken], rows)
    none = rows[NO_CARD]
    for place in range(2 * ROW_WIDTH):
        rows[place] += none


@kernel_helper
def get_lane(multisets: HandMultisets, indicator: int, wild_slot: int) -> int:
    """Return the lane of an indicator."""
    suit = 0
    while indicator >> (RANK_COUNT * suit + multisets.ranks[wild_slot]) & 1 == 0:
        suit += 1
    return suit * ROW_WIDTH + wild_slot


@kernel_helper
def get_w1(subsets: SubsetNumbers, lane: int) -> Any:
    """Return the W1 of a lane, as a set."""
    return 1 << (RANK_COUNT * (lane // ROW_WIDTH) + subsets.multisets.ranks[lane & ROW_WIDTH - 1])


@kernel_helper
def is_least(mask: int, first: int, second: int, permutations: IntArray) -> bool:
    """Tell whether a position is the least of its images.

    The images are those under exchanges of suits that leave the hand as it is.
    """
    for order in range(len(permutations)):
        image = permute_suits(mask, permutations[order])
        if image == mask:
            one, two = permute_suits(first, permutations[order]), permute_suits(second, permutations[order])
            if one < first or (one == first and two < second):
                return False
    return True


def sort_by_strength(rank_strengths: IntArray) -> IntArray:
    """Return the possible multisets by rising strength of their ranks.

    Strength and number of a multiset are in one word.
    """
    words = rank_strengths << INDEX_BITS | np.arange(len(rank_strengths))
    return np.sort(words[rank_strengths >= 0])
