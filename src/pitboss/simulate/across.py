"""How often every two seats of a round ended which way: what the error of a mean over seats needs.

Seats share a dealer, so what they net in one round moves together.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.counting.compile import kernel
from pitboss.simulate.kernel import strides_of
from pitboss.simulate.result import offsets_of

Integers = NDArray[np.int64]


class Across:
    """Counts of every two seats' outcomes of every two wagers, added up block by block."""

    def __init__(self, outcomes: tuple[int, ...]) -> None:
        """Begin with nothing."""
        self._about = np.array([outcomes, strides_of(outcomes), offsets_of(outcomes)], np.int64)
        self._table = np.zeros((sum(outcomes), sum(outcomes)), np.int64)

    def add(self, cells: Any) -> None:
        """Count the rounds of a block, ``cells`` of shape (rounds, seats)."""
        if cells.shape[1] > 1:
            _add(cells, self._about, self._table)

    def counts(self) -> dict[tuple[int, int], int]:
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
