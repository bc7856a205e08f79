"""The events that hands meet after a Lock, summed from a table of events.

A role has a sum for each state of a hand in its suit, one for W1 outside the suit and one for W1 in it.  The sums of
all roles are one flat row: that of the plain role first, then role after role (``locate_sum``).
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import SUIT_COUNT
from pitboss.games.shifting_wilds.rules import HAND
from pitboss.games.shifting_wilds.solver.dealer_hands import ROW_WIDTH, DealerHands
from pitboss.games.shifting_wilds.solver.lock_events import (
    MAX_LOCK_ROLES,
    LockSubsetNumbers,
    Opening,
    sum_plain_role,
)
from pitboss.games.shifting_wilds.solver.multisets import (
    STATE_COUNT,
    SUBSET_SIGNS,
    TERNARY_COUNT,
    TERNARY_TABLE,
    Int32Array,
    OpeningHands,
)
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

SUMS_WIDTH = MAX_LOCK_ROLES * 2 * STATE_COUNT


class LockSums(NamedTuple):
    """Scratch rows of sums, and the sums of events that do not qualify.

    ``low`` has those for each multiset and slot of W1 (``sum_unqualified``).  ``of_states`` is the row of a multiset,
    and ``rows`` (81,) are used on the way to it.  ``of_run`` is the row that flushes of a run share (``find_run``), and
    ``runs`` the run that each of its sums is of.
    """

    low: Int32Array
    rows: IntArray
    of_states: IntArray
    of_run: IntArray
    runs: IntArray


def make_lock_sums(low: Int32Array) -> LockSums:
    """Return the sums of ``sum_unqualified`` with room for others."""
    return LockSums(low, np.zeros(TERNARY_COUNT, np.int64), *(np.zeros(SUMS_WIDTH, np.int64) for _ in range(3)))


@kernel_helper
def locate_sum(opening: Opening, suit: int, state: int) -> Any:
    """Return the place of a suit's sum for a hand of these states.

    It is the sum for W1 outside the suit; that for W1 in it is next.
    """
    return (opening.suit_roles[suit] * STATE_COUNT + (state >> HAND * suit & STATE_COUNT - 1)) * 2


@kernel_helper
def sum_suit_states(
    table: IntArray,
    start: int,
    lock_subsets: LockSubsetNumbers,
    multiset: int,
    slot: int,
    rows: IntArray,
    target: Any,
    offset: int,
) -> None:
    """Sum a suit's role for every state of a hand, into ``target[offset:]``.

    Each state has a sum for W1 outside the suit and one for W1 in it.
    """
    without, suited = lock_subsets.suited, lock_subsets.with_w1.suited
    for side in range(2):
        for code in range(TERNARY_COUNT):
            rows[code] = (
                table[np.uint64(start + without[multiset, code])]
                - table[np.uint64(start + suited[multiset, slot, side, code])]
            )
        for code in range(0, TERNARY_COUNT, 3):
            rows[code + 1], rows[code + 2] = rows[code] - rows[code + 1], rows[code] - rows[code + 2]
        for code in range(0, TERNARY_COUNT, 9):
            for low in range(1, 3):
                none = rows[code + low]
                rows[code + 3 + low], rows[code + 6 + low] = none - rows[code + 3 + low], none - rows[code + 6 + low]
        for code in range(0, TERNARY_COUNT, 27):
            for low in (4, 5, 7, 8):
                none = rows[code + low]
                rows[code + 9 + low], rows[code + 18 + low] = none - rows[code + 9 + low], none - rows[code + 18 + low]
        for state in range(STATE_COUNT):
            at = TERNARY_TABLE[STATE_COUNT - 1, state]
            low = at % 27
            target[offset + 2 * state + side] = rows[low] - rows[at]


@kernel_helper
def sum_all_states(
    lock_subsets: LockSubsetNumbers,
    opening: Opening,
    dealer_hands: DealerHands,
    multiset: int,
    slot: int,
    rows: IntArray,
    sums: Any,
) -> None:
    """Sum every role for every state of a multiset's hands."""
    table, each = dealer_hands.table, 2 * STATE_COUNT
    sums[0] = sum_plain_role(table, lock_subsets.by_ranks, lock_subsets.with_w1.by_ranks, multiset, slot)
    for role in range(1, len(opening.role_suits)):
        sum_suit_states(table, dealer_hands.starts[role], lock_subsets, multiset, slot, rows, sums, role * each)


@kernel
def sum_unqualified(
    lock_subsets: LockSubsetNumbers, hands: OpeningHands, opening: Opening, unqualified: DealerHands
) -> Int32Array:
    """Return the sums of the events that do not qualify.

    The table of ``unqualified`` has these events.  There is a row for each multiset and slot of W1.  The sums are the
    same at every strength, so they are made once, and hands that may be a flush find theirs here.
    """
    slots = len(opening.strengths)
    low_sums, rows = np.zeros((len(hands.starts) * slots, SUMS_WIDTH), np.int32), np.zeros(TERNARY_COUNT, np.int64)
    for multiset in range(len(hands.starts) - 1):
        for slot in range(slots):
            if hands.starts[multiset] < hands.starts[multiset + 1] and opening.strengths[slot, multiset] >= 0:
                low = low_sums[multiset * slots + slot]
                sum_all_states(lock_subsets, opening, unqualified, multiset, slot, rows, low)
    return low_sums


@kernel_helper
def sum_low(low_sums: Int32Array, hands: OpeningHands, opening: Opening, hand: int, lane: int) -> int:
    """Sum the events that do not qualify for one hand and W1."""
    low = low_sums[hands.multisets[hand] * len(opening.strengths) + (lane & ROW_WIDTH - 1)]
    total = int(low[0])
    for suit in range(SUIT_COUNT):
        total -= low[locate_sum(opening, suit, hands.states[hand]) + (1 if lane // ROW_WIDTH == suit else 0)]
    return total


@kernel_helper
def sum_flush(
    table: IntArray,
    starts: IntArray,
    lock_subsets: LockSubsetNumbers,
    hands: OpeningHands,
    opening: Opening,
    hand: int,
    lane: int,
    run: int,
    lock_sums: LockSums,
) -> Any:
    """Sum all roles for one hand and W1, with the sums that its run shares."""
    multiset, slot, sums, runs = hands.multisets[hand], lane & ROW_WIDTH - 1, lock_sums.of_run, lock_sums.runs
    if runs[0] != run:
        runs[0] = run
        sums[0] = sum_plain_role(table, lock_subsets.by_ranks, lock_subsets.with_w1.by_ranks, multiset, slot)
    total = sums[0]
    for suit in range(SUIT_COUNT):
        side = 1 if lane // ROW_WIDTH == suit else 0
        at = locate_sum(opening, suit, hands.states[hand]) + side
        if runs[at] != run:
            runs[at] = run
            state, start = hands.states[hand] >> HAND * suit & STATE_COUNT - 1, starts[opening.suit_roles[suit]]
            sums[at] = _sum_suit(table, start, lock_subsets, multiset, slot, side, state)
        total -= sums[at]
    return total


@kernel_helper
def _sum_suit(
    table: IntArray, start: int, lock_subsets: LockSubsetNumbers, multiset: int, slot: int, side: int, state: int
) -> int:
    """Sum a suit's role for one state of a hand, with W1 on one side."""
    total = 0
    for taken in range(STATE_COUNT):
        code = TERNARY_TABLE[taken, state]
        each = table[np.uint64(start + lock_subsets.suited[multiset, code])]
        each -= table[np.uint64(start + lock_subsets.with_w1.suited[multiset, slot, side, code])]
        total += each if SUBSET_SIGNS[taken] > 0 else -each
    return total
