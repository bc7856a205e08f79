"""The states of one to six seats as a tuple of that length, which kernels change in place.

A kernel may neither allocate nor hold a list, so seats are a tuple of equal types; Python makes a new one.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload

from pitboss.counting.compile import part

ALIKE: tuple[Callable[[Any], tuple[Any, ...]], ...] = tuple(
    part(function)
    for function in (
        lambda state: (state,),
        lambda state: (state, state),
        lambda state: (state, state, state),
        lambda state: (state, state, state, state),
        lambda state: (state, state, state, state, state),
        lambda state: (state, state, state, state, state, state),
    )
)
"""For each number of seats, from one on, the tuple that has one state so many times."""


def with_state(states: tuple[Any, ...], seat: int, state: Any) -> tuple[Any, ...]:
    """Return the states with that of one seat replaced.

    >>> with_state((0, 0, 0), 1, 7)
    (0, 7, 0)
    """
    return *states[:seat], state, *states[seat + 1 :]


@overload(with_state)
def _with_state(states: Any, seat: Any, state: Any) -> Any:
    def in_place(states: Any, seat: Any, state: Any) -> Any:
        return tuple_setitem(states, seat, state)

    alike = isinstance(states, types.UniTuple) and states.dtype == state
    return in_place if alike and isinstance(seat, types.Integer) else None


def place_of(place: int) -> int:
    """Return an index that is not negative, which compiled code then need not look at."""
    return place


@overload(place_of)
def _place_of(place: Any) -> Any:
    def unsigned(place: Any) -> Any:
        return np.uint64(place)

    return unsigned if isinstance(place, types.Integer) else None
