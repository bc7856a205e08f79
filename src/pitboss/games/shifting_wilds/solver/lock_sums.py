"""The sums of a suit's role after a Lock.

They are for every state that a hand can have in the suit.
"""

import numpy as np

from pitboss.games.shifting_wilds.solver.lock_events import LockSubsetNumbers
from pitboss.games.shifting_wilds.solver.multisets import STATE_COUNT, TERNARY_COUNT, TERNARY_TABLE
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray


@kernel_helper
def sum_suit_states(
    table: IntArray,
    start: int,
    lock_subsets: LockSubsetNumbers,
    multiset: int,
    slot: int,
    rows: IntArray,
    target: IntArray,
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
