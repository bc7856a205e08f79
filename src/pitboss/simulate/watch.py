"""The rounds of a run in the order of play, for what depends on it: a meter that is carried through them.

Pieces are finished in any order, in other processes too; each tells the outcomes of one wager, a line for each block.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.simulate.kernel import strides_of

_QUICKLY = 1


def told_outcomes(cells: Any, outcomes: tuple[int, ...], wager: int) -> str:
    """Return in which outcome a wager ended at every seat of a block's rounds, as a line of text."""
    ended = cells // strides_of(outcomes)[wager] % outcomes[wager]
    return b64encode(zlib.compress(ended.astype(_type_of(outcomes[wager])).tobytes(), _QUICKLY)).decode()


def outcomes_told(line: str, outcomes: int, seats: int) -> NDArray[Any]:
    """Read a line of ``told_outcomes``, of a wager of so many outcomes.

    >>> import numpy as np
    >>> cells = np.array([[4, 5], [0, 3]])
    >>> outcomes_told(told_outcomes(cells, (2, 3), wager=1), 3, seats=2).tolist()
    [[1, 2], [0, 0]]
    """
    return np.frombuffer(zlib.decompress(b64decode(line)), _type_of(outcomes)).reshape(-1, seats)


def _type_of(outcomes: int) -> np.dtype[Any]:
    return np.min_scalar_type(outcomes - 1)


@dataclass(slots=True)
class Watch:
    """Shows the outcomes of a wager, by its index, to ``see``: arrays of shape (rounds, seats) in the order of play."""

    wager: int
    see: Callable[[NDArray[Any]], None]
    _shown: int = 0
    _waiting: dict[int, Iterable[str]] = field(default_factory=dict)

    def add(self, place: int, lines: Iterable[str], outcomes: int, seats: int) -> None:
        """Take what the piece at a place told, and show it as soon as all before it have been shown."""
        self._waiting[place] = lines
        while self._shown in self._waiting:
            for line in self._waiting.pop(self._shown):
                self.see(outcomes_told(line, outcomes, seats))
            self._shown += 1
