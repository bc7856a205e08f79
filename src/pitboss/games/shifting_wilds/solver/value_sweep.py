"""The sweep of a board for the values of Plays alone.

It is ``play_sweep`` where no dealers are tallied.  Then their counts are not needed, only what they are worth together:
a linear form of the counts, the same for all strengths of a group.  So the table itself is kept in values of 32 bits,
which are summed twice as fast as words of three counts, and no sum has to be turned into a value.

Sums of values may overflow on the way.  They are exact modulo 2**32, and the value of a position fits 32 bits
(``bound_values``).

The counts behind the table are needed where another group starts.  They are moved then, for all strengths passed.
"""

from typing import Any

import numpy as np

from pitboss.games.shifting_wilds.solver.boards import PlayBoard, RankStrengths
from pitboss.games.shifting_wilds.solver.dealer_hands import (
    BELOW_UNIT,
    INDEX_BITS,
    INDEX_MASK,
    UP_TO_UNIT,
    DealerHands,
    DealerTransfers,
    add_transfer,
    make_dealer_hands,
    take_due_transfer,
)
from pitboss.games.shifting_wilds.solver.dealer_sums import (
    LANE_COUNT,
    PlayWorkspace,
    SubsetNumbers,
    get_lane,
    invalidate_rows,
    make_workspace,
    sort_by_strength,
    sum_all_rows,
    sum_hand_words,
)
from pitboss.games.shifting_wilds.solver.flush_plays import add_bad_beats, add_lanes
from pitboss.games.shifting_wilds.solver.multisets import BONUS_MASK, Int32Array, OpeningHands
from pitboss.games.shifting_wilds.solver.play_bad_beat import PlayBadBeats, add_bad_beat_values, fill_hand_bad_beats
from pitboss.games.shifting_wilds.solver.play_sweep import (
    STRENGTH_SHIFT,
    get_flush_hand,
    get_flush_image,
)
from pitboss.games.shifting_wilds.solver.play_values import (
    CheckValues,
    Payoffs,
    add_play_values,
    fill_last_places,
    get_base_value,
    get_group,
    spread_rows,
    store_role_states,
)
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.sorted_strengths import read_strength

_FIELD_BITS = 21
_ABOVE_FIELD = 64 - _FIELD_BITS
_NO_GROUP = -1


def make_value_workspace() -> PlayWorkspace:
    """Return scratch arrays for sums of values.

    A sum is its own value, so words and values share arrays.
    """
    words: Any = make_workspace(0)
    values: PlayWorkspace = words._replace(
        rows=np.zeros_like(words.rows, np.int32),
        words=words.row_values,
        hand_rows=np.zeros_like(words.hand_rows, np.int32),
        hand_words=words.hand_values,
    )
    return values


def sweep_board_values(
    subsets: SubsetNumbers,
    tables: HandTables,
    options: Any,
    hands: OpeningHands,
    board: PlayBoard,
    flushes: IntArray,
    rank_strengths: RankStrengths,
    bad_beats: PlayBadBeats,
    payoffs: Payoffs,
    transfers: DealerTransfers,
    table: IntArray,
    value_table: Int32Array,
    workspace: PlayWorkspace,
    check_values: CheckValues,
) -> None:
    """Add the values of a board's Plays to ``check_values``.

    ``flushes`` are those of ``list_play_flushes``.  ``table`` and ``value_table`` are scratch, as ``workspace`` is
    (``make_value_workspace``).
    """
    strengths = rank_strengths.strengths
    counted = make_dealer_hands(
        subsets.multisets, tables, options, board, strengths, payoffs.qualifying_strength, transfers, table
    )
    valued = counted._replace(table=value_table, cursors=counted.cursors.copy())
    order = sort_by_strength(strengths)
    workspace.words[:] = 0
    workspace.lane_values[:] = 0
    board_args = (board, order, flushes, rank_strengths.bonuses, bad_beats, payoffs, transfers, counted, valued)
    _sweep_by_strength(subsets, hands, *board_args, workspace, check_values)


@no_alloc_kernel
def _sweep_by_strength(
    subsets: SubsetNumbers,
    hands: OpeningHands,
    board: PlayBoard,
    order: IntArray,
    flushes: IntArray,
    bonuses: IntArray,
    bad_beats: PlayBadBeats,
    payoffs: Payoffs,
    transfers: DealerTransfers,
    counted: DealerHands,
    valued: DealerHands,
    workspace: PlayWorkspace,
    check_values: CheckValues,
) -> None:
    """Sweep a board's multisets and flushes by strength.

    The table of ``counted`` has counts, that of ``valued`` their values in the group at hand.
    """
    each, flush, group = 0, 0, _NO_GROUP
    while each < len(order) or flush < len(flushes):
        strength = min(read_strength(order, each, INDEX_BITS), read_strength(flushes, flush, STRENGTH_SHIFT))
        if get_group(strength, payoffs.qualifying_strength) != group:
            group = get_group(strength, payoffs.qualifying_strength)
            _start_group(transfers, counted, valued, payoffs.group_values, group, strength)
        _advance_values(transfers, valued, payoffs.group_values, group, strength)
        while read_strength(order, each, INDEX_BITS) == strength:
            multiset = order[each] & INDEX_MASK
            each += 1
            if hands.starts[multiset] < hands.starts[multiset + 1]:
                own_value = _get_own_value(payoffs, strength, group, bonuses[multiset])
                sum_all_rows(subsets, board, valued, multiset, own_value, workspace)
                _add_multiset(subsets, hands, board, bad_beats, payoffs, multiset, workspace, check_values)
        if read_strength(flushes, flush, STRENGTH_SHIFT) == strength:
            invalidate_rows(workspace)
        while read_strength(flushes, flush, STRENGTH_SHIFT) == strength:
            word = flushes[flush]
            own_value = _get_own_value(payoffs, strength, group, word & BONUS_MASK)
            hand, image = get_flush_hand(word), get_flush_image(word)
            sum_hand_words(subsets, board, image, valued, hands, hand, own_value, workspace)
            add_bad_beats(payoffs, fill_hand_bad_beats(board, image, bad_beats, hands, hand, workspace), workspace)
            own = get_lane(subsets.multisets, board.indicators[image], board.wild_slot)
            add_lanes(hand * LANE_COUNT, own, workspace, check_values)
            flush += 1


@kernel_helper
def _get_own_value(payoffs: Payoffs, strength: int, group: int, bonus: int) -> Any:
    """Return the value of a position of which nothing has been summed yet.

    A hand itself is not below its own strength, but counts among those up to it.
    """
    values = payoffs.group_values
    own = get_base_value(payoffs, group, bonus) + values[group, 2]
    return own + (values[group, 3] if strength < payoffs.qualifying_strength else 0)


@kernel_helper
def _add_multiset(
    subsets: SubsetNumbers,
    hands: OpeningHands,
    board: PlayBoard,
    bad_beats: PlayBadBeats,
    payoffs: Payoffs,
    multiset: int,
    workspace: PlayWorkspace,
    check_values: CheckValues,
) -> None:
    """Add the values of a multiset's hands that are not a flush, with each W2."""
    beat = payoffs.bad_beat_values[bad_beats.outcomes[multiset]]
    if beat:
        add_bad_beat_values(board, bad_beats, multiset, beat, workspace)
    fill_last_places(board, workspace)
    for image in range(len(board.indicators)):
        spread_rows(board, image, workspace)
        store_role_states(board, image, hands, multiset, subsets.multisets.slots[multiset], workspace)
        own = get_lane(subsets.multisets, board.indicators[image], board.wild_slot)
        add_play_values(hands, multiset, own, workspace, check_values)


@kernel_helper
def _start_group(
    transfers: DealerTransfers,
    counted: DealerHands,
    valued: DealerHands,
    group_values: IntArray,
    group: int,
    strength: int,
) -> None:
    """Count all lower strengths, and value the counts in a group."""
    for which in (0, 2):
        unit = (BELOW_UNIT | UP_TO_UNIT) if which == 0 else -(BELOW_UNIT | UP_TO_UNIT)
        transfer = take_due_transfer(counted, which, strength)
        while transfer >= 0:
            add_transfer(transfers, transfer, counted.table, unit)
            transfer = take_due_transfer(counted, which, strength)
        valued.cursors[which], valued.cursors[which + 1] = counted.cursors[which], counted.cursors[which]
    values = group_values[group]
    one, two, three = np.int32(values[1]), np.int32(values[2]), np.int32(values[3])
    for each in range(counted.starts[-1]):
        # Counts that lie in the places of cards are negative, so each field borrows from the next.
        word = counted.table[np.uint64(each)]
        below = word << _ABOVE_FIELD >> _ABOVE_FIELD
        word = (word - below) >> _FIELD_BITS
        up_to = word << _ABOVE_FIELD >> _ABOVE_FIELD
        low = (word - up_to) >> _FIELD_BITS
        value = np.int32(np.int32(one * np.int32(below)) + np.int32(two * np.int32(up_to)))
        valued.table[np.uint64(each)] = np.int32(value + np.int32(three * np.int32(low)))


@kernel_helper
def _advance_values(
    transfers: DealerTransfers, valued: DealerHands, group_values: IntArray, group: int, strength: int
) -> None:
    """Advance the values to a strength, as ``advance_to`` does."""
    for which in range(4):
        unit = group_values[group, 1 + (which & 1)]
        if which > 1:
            unit = -unit
        transfer = take_due_transfer(valued, which, strength)
        while transfer >= 0:
            add_transfer(transfers, transfer, valued.table, unit)
            transfer = take_due_transfer(valued, which, strength)
