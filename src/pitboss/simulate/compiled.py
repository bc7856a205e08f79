"""Makes the functions of ``batch`` for kernels."""

from collections.abc import Callable
from typing import Any

from numba.extending import register_jitable
from numba.np.unsafe.ndarray import to_fixed_tuple

from pitboss.contract import RuleFunction
from pitboss.counting.compile import kernel
from pitboss.simulate.making import Making


def part(function: RuleFunction) -> RuleFunction:
    """Make a function part of a kernel, inlined: what it is handed is many arrays, dear to hand over."""
    register_jitable(_nrt=False, forceinline=True)(function)
    return function


def _state_of(kind: Callable[..., Any]) -> RuleFunction:
    """Make the function that reads a row of an array as a named tuple of the kind."""
    fields = len(kind.__annotations__)

    @part
    def state_of(row: Any) -> Any:
        return kind(*to_fixed_tuple(row, fields))

    return state_of


COMPILED = Making(kernel, part, _state_of)
