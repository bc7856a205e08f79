"""Count the outcomes of every two seats of a round.

The standard error of a mean over seats needs them.  Seats share a dealer, so their nets in one round are correlated.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.kernels.compile import kernel
from pitboss.simulate.block_kernel import compute_strides
from pitboss.simulate.outcome_counts import compute_offsets

Integers = NDArray[np.int64]


def lay_out_outcomes(outcomes: tuple[int, ...]) -> Integers:
    """Return the layout of cells and tables, a column for each wager.

    The rows are each wager's number of outcomes, its stride in a cell, and its first outcome's number.  The outcomes of
    all wagers are numbered consecutively.
    """
    return np.array([outcomes, compute_strides(outcomes), compute_offsets(outcomes)], np.int64)


@kernel
def count_seat_pairs(cells: Any, layout: Integers, table: Integers) -> None:
    """Count each seat's outcomes with those of the seats dealt before it.

    ``cells``, of shape (rounds, seats), are those of a block.  ``table`` has a row and a column for every outcome.
    """
    wagers, seats = layout.shape[1], cells.shape[1]
    outcomes = np.zeros((seats, wagers), np.int64)
    for i in range(len(cells)):
        for seat in range(seats):
            for wager in range(wagers):
                outcomes[seat, wager] = layout[2, wager] + cells[i, seat] // layout[1, wager] % layout[0, wager]
            for other in range(seat):
                for row in range(wagers):
                    for column in range(wagers):
                        table[outcomes[other, row], outcomes[seat, column]] += 1


def list_pair_counts(table: Integers) -> dict[tuple[int, int], int]:
    """Return the counts of a table as in ``OutcomeCounts.seat_pairs``."""
    rows, columns = np.nonzero(table)
    return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), table[rows, columns].tolist(), strict=True))
