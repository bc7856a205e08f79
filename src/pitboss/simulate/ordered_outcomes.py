"""Pass on the outcomes of a run in the order of play.

A meter depends on this order.  Shards finish in any order, in other processes too; each returns the outcomes of one
wager, a line for each block.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.simulate.block_kernel import compute_strides

_FASTEST_COMPRESSION = 1


def encode_outcomes(cells: Any, outcomes: tuple[int, ...], wager: int) -> str:
    """Encode a wager's outcomes in a block of rounds as a line of text.

    The line has the outcomes at every seat.
    """
    wager_outcomes = cells // compute_strides(outcomes)[wager] % outcomes[wager]
    return b64encode(
        zlib.compress(wager_outcomes.astype(_get_dtype(outcomes[wager])).tobytes(), _FASTEST_COMPRESSION)
    ).decode()


def decode_outcomes(line: str, outcomes: int, seats: int) -> NDArray[Any]:
    """Decode a line of ``encode_outcomes`` for a wager with ``outcomes`` outcomes.

    >>> import numpy as np
    >>> cells = np.array([[4, 5], [0, 3]])
    >>> decode_outcomes(encode_outcomes(cells, (2, 3), wager=1), 3, seats=2).tolist()
    [[1, 2], [0, 0]]
    """
    return np.frombuffer(zlib.decompress(b64decode(line)), _get_dtype(outcomes)).reshape(-1, seats)


def _get_dtype(outcomes: int) -> np.dtype[Any]:
    return np.min_scalar_type(outcomes - 1)


@dataclass(slots=True)
class OutcomeObserver:
    """Observer that gets the outcomes of a wager in the order of play.

    ``receive`` is called with arrays of shape (rounds, seats).
    """

    wager: int
    receive: Callable[[NDArray[Any]], None]
    _next_place: int = 0
    _pending: dict[int, Iterable[str]] = field(default_factory=dict)

    def add(self, place: int, lines: Iterable[str], outcomes: int, seats: int) -> None:
        """Take the lines of the shard at a place.

        They are passed on as soon as all shards before it were passed on.
        """
        self._pending[place] = lines
        while self._next_place in self._pending:
            for line in self._pending.pop(self._next_place):
                self.receive(decode_outcomes(line, outcomes, seats))
            self._next_place += 1
