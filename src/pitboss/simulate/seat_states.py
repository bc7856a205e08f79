"""Tuples of the states of seats, and functions that replace one state.

They are for one to six seats.  A kernel may neither allocate nor hold a list, so the states are a tuple of equal types,
and each length has its own functions, made from those of one seat less.
"""

from collections.abc import Callable
from itertools import accumulate
from typing import Any

from pitboss.kernels.compile import inlined_helper

States = tuple[Any, ...]
RepeatState = Callable[[Any], States]
ReplaceState = Callable[[States, int, Any], States]

_FURTHER_SEATS = range(1, 6)


@inlined_helper
def _repeat_once(state: Any) -> States:
    return (state,)


def _repeat_once_more(repeat_fewer: RepeatState, _seat: int) -> RepeatState:
    @inlined_helper
    def repeat_state(state: Any) -> States:
        last = (state,)
        return repeat_fewer(state) + last

    return repeat_state


@inlined_helper
def _replace_in_one(states: States, seat: int, state: Any) -> States:
    return (state if seat == 0 else states[0],)


def _replace_in_one_more(replace_in_fewer: ReplaceState, added: int) -> ReplaceState:
    @inlined_helper
    def replace_state(states: States, seat: int, state: Any) -> States:
        last = (state if seat == added else states[added],)
        return replace_in_fewer(states, seat, state) + last

    return replace_state


REPEAT_STATE: tuple[RepeatState, ...] = tuple(accumulate(_FURTHER_SEATS, _repeat_once_more, initial=_repeat_once))
"""For each number of seats, from one on, the function that repeats a state in a tuple."""

REPLACE_STATE: tuple[ReplaceState, ...] = tuple(
    accumulate(_FURTHER_SEATS, _replace_in_one_more, initial=_replace_in_one)
)
"""For each number of seats, from one on, the function that replaces the state of one seat."""
