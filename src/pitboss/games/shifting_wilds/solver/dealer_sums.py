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
    is not in this sweep, and ``min_values`` and ``max_values`` bound its value.  ``hand_rows`` (roles x 16, 32) are
    the rows of single states, and ``row_tags`` (roles x 16,) say which multiset's they are.  For one hand,
    ``hand_words``, ``hand_values`` and ``beaten_counts`` (64,) have by lane the dealers it meets, its value and the
    dealers it beats.
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
        hand_rows=np.zeros((MAX_ROLES * STATE_COUNT, 2 * ROW_WIDTH), np.int64),
        row_tags=np.zeros(MAX_ROLES * STATE_COUNT, np.int64),
        hand_words=np.zeros(LANE_COUNT, np.int64),
        hand_values=np.zeros(LANE_COUNT, np.int32),
        beaten_counts=np.zeros(LANE_COUNT, np.int64),
    )


@kernel_helper
def get_wide(workspace: PlayWorkspace) -> Any:
    """Return the length of a wide row, which a narrow row has half of.

    It is read from an array: a loop over so few places of constant number would be unrolled, and not vectorised.
    """
    return workspace.hand_rows.shape[1]


@kernel_helper
def _add_row(table: Any, row: int, sign: int, target: Any, width: int) -> None:
    """Add or subtract a row of the table."""
    at = np.uint64(row)
    if sign > 0:
        for place in range(width):
            target[np.uint64(place)] += table[at + np.uint64(place)]
    else:
        for place in range(width):
            target[np.uint64(place)] -= table[at + np.uint64(place)]


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
    rows, words, wide = workspace.rows, workspace.words, get_wide(workspace)
    for taken in range(STATE_COUNT):
        row, at = np.uint64(start + numbers[multiset, taken] * ROW_WIDTH), np.uint64(taken * ROW_WIDTH)
        for place in range(wide // 2):
            rows[at + np.uint64(place)] = table[row + np.uint64(place)]
    for card in range(HAND):
        for taken in range(STATE_COUNT):
            if taken >> card & 1 == 0:
                continue
            without, at = np.uint64((taken ^ 1 << card) * ROW_WIDTH), np.uint64(taken * ROW_WIDTH)
            for place in range(wide // 2):
                each = np.uint64(place)
                rows[at + each] = rows[without + each] - rows[at + each]
            if naturals >> card & 1 == 0:
                for place in range(wide // 2):
                    rows[without + np.uint64(place)] = rows[at + np.uint64(place)]
    for state in range(STATE_COUNT):
        into, at = np.uint64(offset + state * 2 * ROW_WIDTH), np.uint64(state * ROW_WIDTH)
        none = rows[at + np.uint64(NO_CARD)]
        for place in range(wide // 2):
            words[into + np.uint64(place)] = none + rows[at + np.uint64(place)]
            words[into + np.uint64(ROW_WIDTH + place)] = none
        words[into + np.uint64(ROW_WIDTH + wild_slot)] = none + rows[at + np.uint64(wild_slot)]


@kernel_helper
def _has_all_digits(code: int) -> bool:
    """Tell whether no ternary digit of a code is 0."""
    while code > 0:
        if code % 3 == 0:
            return False
        code //= 3
    return True


@kernel_helper
def _exclude_card(rows: Any, block: int, width: int) -> None:
    """Subtract the sums with a card, in either kind, from those without it.

    These are the second and the third part of a block of three parts, ``width`` places each.
    """
    for digit in range(1, 3):
        none, at = np.uint64(block), np.uint64(block + digit * width)
        for place in range(width):
            each = np.uint64(place)
            rows[at + each] = rows[none + each] - rows[at + each]


@kernel_helper
def _sum_main_rows(
    table: Any, start: int, numbers: Any, multiset: int, wild_slot: int, workspace: PlayWorkspace, offset: int
) -> None:
    """Sum the transfers of a main suit for each state of a hand."""
    rows, words, wide = workspace.rows, workspace.words, get_wide(workspace)
    # The last card first: its digit is the highest, so each card's codes with it are one block for every code above.
    size = TERNARY_COUNT // 3
    for code in range(size):
        none = np.uint64(start + numbers[multiset, code] * 2 * ROW_WIDTH)
        for digit in range(1, 3):
            with_card = code + digit * size
            row = np.uint64(start + numbers[multiset, with_card] * 2 * ROW_WIDTH)
            at = np.uint64(with_card * 2 * ROW_WIDTH)
            for place in range(wide):
                each = np.uint64(place)
                rows[at + each] = table[none + each] - table[row + each]
    while size > 1:
        for block in range(size, TERNARY_COUNT, size):
            if _has_all_digits(block // size):
                _exclude_card(rows, block * 2 * ROW_WIDTH, size // 3 * 2 * ROW_WIDTH)
        size //= 3
    for state in range(STATE_COUNT):
        into, at = (
            np.uint64(offset + state * 2 * ROW_WIDTH),
            np.uint64(TERNARY_TABLE[STATE_COUNT - 1, state] * 2 * ROW_WIDTH),
        )
        none = rows[at + np.uint64(NO_CARD)]
        for place in range(wide):
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
    words, wide = workspace.words, get_wide(workspace)
    for place in range(wide // 2):
        words[place] = 0
    for taken in range(STATE_COUNT):
        row = subsets.by_ranks[multiset, taken] * ROW_WIDTH
        _add_row(dealer_hands.table, row, SUBSET_SIGNS[taken], words, wide // 2)
    none = words[NO_CARD] + own_unit
    for place in range(wide // 2):
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

    Hands of one multiset in one state of a role share its rows, so take a multiset's hands one after another.  Call
    ``invalidate_rows`` when the table has changed.
    """
    multiset, lanes, tags, wide = (
        hands.multisets[hand],
        workspace.hand_words,
        workspace.row_tags,
        get_wide(workspace),
    )
    naturals = find_other_cards(subsets.multisets.slots[multiset], board.wild_slot)
    for role in range(len(board.role_modes)):
        suit = board.role_suits[w2_index, role]
        state = 0 if role == 0 else hands.states[hand] >> HAND * suit & naturals
        rows = workspace.hand_rows[role * STATE_COUNT + state]
        if tags[role * STATE_COUNT + state] != multiset:
            tags[role * STATE_COUNT + state] = multiset
            _sum_hand_rows(subsets, board, dealer_hands, multiset, naturals, role, state, rows)
        for each in range(LANE_COUNT // ROW_WIDTH):
            side = 0 if role == 0 or each == suit else ROW_WIDTH
            to = np.uint64(each * ROW_WIDTH)
            for place in range(wide // 2):
                before = own_unit if role == 0 else lanes[to + np.uint64(place)]
                lanes[to + np.uint64(place)] = before + rows[np.uint64(side + place)]


@kernel_helper
def invalidate_rows(workspace: PlayWorkspace) -> None:
    """Make ``sum_hand_words`` sum all rows again."""
    for each in range(MAX_ROLES * STATE_COUNT):
        workspace.row_tags[each] = -1


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
    start, wide = dealer_hands.starts[role], len(rows)
    for place in range(wide):
        rows[place] = 0
    if board.role_modes[role] == MAIN:
        for taken in range(STATE_COUNT):
            row = start + subsets.suited[multiset, TERNARY_TABLE[taken, state]] * 2 * ROW_WIDTH
            _add_row(dealer_hands.table, row, -SUBSET_SIGNS[taken], rows, wide)
        rows[board.wild_slot] = rows[ROW_WIDTH + board.wild_slot]
    elif board.role_modes[role] == LONE:
        wanted = state | (STATE_COUNT - 1 & ~naturals)
        for taken in range(STATE_COUNT):
            if taken & ~wanted == 0:
                row = start + subsets.by_ranks[multiset, taken] * ROW_WIDTH
                _add_row(dealer_hands.table, row, -SUBSET_SIGNS[taken], rows, wide // 2)
        rows[ROW_WIDTH + board.wild_slot] = rows[board.wild_slot]
    else:
        for taken in range(STATE_COUNT):
            row = start + subsets.by_ranks[multiset, taken] * ROW_WIDTH
            _add_row(dealer_hands.table, row, SUBSET_SIGNS[taken], rows, wide // 2)
    none = rows[NO_CARD]
    for place in range(wide):
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
