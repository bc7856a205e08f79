"""The states of one to six seats as a tuple of that length, of which one can be replaced.

A kernel may neither allocate nor hold a list, so seats are a tuple of equal types, and each length has its functions.
"""

from collections.abc import Callable
from typing import Any

from pitboss.counting.compile import inner_part

ALIKE: tuple[Callable[[Any], tuple[Any, ...]], ...] = tuple(
    inner_part(function)
    for function in (
        lambda state: (state,),
        lambda state: (state, state),
        lambda state: (state, state, state),
        lambda state: (state, state, state, state),
        lambda state: (state, state, state, state, state),
        lambda state: (state, state, state, state, state, state),
    )
)
"""For each number of seats, from one on, what makes a tuple of one state."""


@inner_part
def _of_one(_states: Any, _seat: int, state: Any) -> Any:
    return (state,)


@inner_part
def _of_two(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
    )


@inner_part
def _of_three(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
        state if seat == 2 else states[2],
    )


@inner_part
def _of_four(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
        state if seat == 2 else states[2],
        state if seat == 3 else states[3],
    )


@inner_part
def _of_five(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
        state if seat == 2 else states[2],
        state if seat == 3 else states[3],
        state if seat == 4 else states[4],
    )


@inner_part
def _of_six(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
        state if seat == 2 else states[2],
        state if seat == 3 else states[3],
        state if seat == 4 else states[4],
        state if seat == 5 else states[5],
    )


REPLACED: tuple[Callable[[Any, int, Any], tuple[Any, ...]], ...] = (
    _of_one,
    _of_two,
    _of_three,
    _of_four,
    _of_five,
    _of_six,
)
"""For each number of seats, from one on, what replaces the state of one seat."""
