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


class SeatCovariance:
    """Counts of the outcomes of every two wagers at every two seats.

    They are added up block by block.
    """

    def __init__(self, outcomes: tuple[int, ...]) -> None:
        """Begin with counts of zero."""
        self._layout = np.array([outcomes, compute_strides(outcomes), compute_offsets(outcomes)], np.int64)
        self._table = np.zeros((sum(outcomes), sum(outcomes)), np.int64)

    def add(self, cells: Any) -> None:
        """Count the rounds of a block, ``cells`` of shape (rounds, seats)."""
        if cells.shape[1] > 1:
            _add(cells, self._layout, self._table)

    def get_pair_counts(self) -> dict[tuple[int, int], int]:
        """Return the counts as in ``OutcomeCounts.seat_pairs``."""
        rows, columns = np.nonzero(self._table)
        times = self._table[rows, columns].tolist()
        return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), times, strict=True))


@kernel
def _add(cells: Any, layout: Integers, table: Integers) -> None:
    """Count each seat's outcomes with those of the seats dealt before it.

    The outcomes of all wagers are numbered consecutively.  The rows of ``layout`` are each wager's number of outcomes,
    its stride in a cell, and its first outcome's number.
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
