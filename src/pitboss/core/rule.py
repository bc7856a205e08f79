"""The decorator of rules: Python functions that kernels can compile."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_RULES: list[Callable[..., Any]] = []


def rule(function: Function) -> Function:
    """Mark ``function`` as a rule and return it unchanged.

    A rule uses only integers, bools, tuples, complete named tuples, small loops, ``if`` and indexing
    into arrays that are passed in, so that ``kernels/compile.py`` can compile it with Numba for CPU and GPU.
    Play, doctests, the debugger and coverage always use the plain function.

    >>> @rule
    ... def doubled(stake: int) -> int:
    ...     return 2 * stake
    >>> doubled(500)
    1000
    """
    _RULES.append(function)
    return function


def list_rules() -> tuple[Callable[..., Any], ...]:
    """Return every function marked so far, in the order of marking."""
    return tuple(_RULES)


@rule
def no_draws(_tables: Any, _state: tuple[int, ...], _options: Any) -> int:
    """Return 0: the seat draws no cards (games without a draw)."""
    return 0


@rule
def no_cards(_state: tuple[int, ...]) -> int:
    """Return 0: no cards are drawn or given up (games without a draw)."""
    return 0


@rule
def keep_state(state: Any, _drawn: int) -> Any:
    """Return the state unchanged (games without a draw)."""
    return state
