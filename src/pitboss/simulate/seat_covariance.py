"""How often every two seats of a round ended which way: what the error of a mean over seats needs.

Seats share a dealer, so what they net in one round moves together.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.kernels.compile import kernel
from pitboss.simulate.block_kernel import compute_strides
from pitboss.simulate.outcome_counts import compute_offsets

Integers = NDArray[np.int64]


class SeatCovariance:
    """Counts of every two seats' outcomes of every two wagers, added up block by block."""

    def __init__(self, outcomes: tuple[int, ...]) -> None:
        """Begin with nothing."""
        self._layout = np.array([outcomes, compute_strides(outcomes), compute_offsets(outcomes)], np.int64)
        self._table = np.zeros((sum(outcomes), sum(outcomes)), np.int64)

    def add(self, cells: Any) -> None:
        """Count the rounds of a block, ``cells`` of shape (rounds, seats)."""
        if cells.shape[1] > 1:
            _add(cells, self._layout, self._table)

    def get_pair_counts(self) -> dict[tuple[int, int], int]:
        """Return what has been counted, as ``Counted.across``."""
        rows, columns = np.nonzero(self._table)
        times = self._table[rows, columns].tolist()
        return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), times, strict=True))


@kernel
def _add(cells: Any, about: Integers, table: Integers) -> None:
    """Number each seat's outcomes through, and count each against those of the seats dealt before it."""
    wagers, seats = about.shape[1], cells.shape[1]
    ended = np.zeros((seats, wagers), np.int64)
    for i in range(len(cells)):
        for seat in range(seats):
            for wager in range(wagers):
                ended[seat, wager] = about[2, wager] + cells[i, seat] // about[1, wager] % about[0, wager]
            for other in range(seat):
                for row in range(wagers):
                    for column in range(wagers):
                        table[ended[other, row], ended[seat, column]] += 1
