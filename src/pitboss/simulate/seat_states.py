"""Tuples of the states of seats, and functions that replace one state.

They are for one to six seats.  A kernel may neither allocate nor hold a list, so the states are a tuple of equal types,
and each length has its own functions.
"""

from collections.abc import Callable
from typing import Any

from pitboss.kernels.compile import inlined_helper

REPEAT_STATE: tuple[Callable[[Any], tuple[Any, ...]], ...] = tuple(
    inlined_helper(function)
    for function in (
        lambda state: (state,),
        lambda state: (state, state),
        lambda state: (state, state, state),
        lambda state: (state, state, state, state),
        lambda state: (state, state, state, state, state),
        lambda state: (state, state, state, state, state, state),
    )
)
"""For each number of seats, from one on, the function that repeats a state in a tuple."""


@inlined_helper
def _replace_in_one(_states: Any, _seat: int, state: Any) -> Any:
    return (state,)


@inlined_helper
def _replace_in_two(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
    )


@inlined_helper
def _replace_in_three(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
        state if seat == 2 else states[2],
    )


@inlined_helper
def _replace_in_four(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
        state if seat == 2 else states[2],
        state if seat == 3 else states[3],
    )


@inlined_helper
def _replace_in_five(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
        state if seat == 2 else states[2],
        state if seat == 3 else states[3],
        state if seat == 4 else states[4],
    )


@inlined_helper
def _replace_in_six(states: Any, seat: int, state: Any) -> Any:
    return (
        state if seat == 0 else states[0],
        state if seat == 1 else states[1],
        state if seat == 2 else states[2],
        state if seat == 3 else states[3],
        state if seat == 4 else states[4],
        state if seat == 5 else states[5],
    )


REPLACE_STATE: tuple[Callable[[Any, int, Any], tuple[Any, ...]], ...] = (
    _replace_in_one,
    _replace_in_two,
    _replace_in_three,
    _replace_in_four,
    _replace_in_five,
    _replace_in_six,
)
"""For each number of seats, from one on, the function that replaces the state of one seat."""
