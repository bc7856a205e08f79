"""The marker of a rule: a plain Python function that kernels may also be compiled from."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_RULES: list[Callable[..., Any]] = []


def rule(function: Function) -> Function:
    """Mark ``function`` as a rule and return it unchanged.

    A rule uses only integers, bools, tuples, named tuples built whole, small loops, ``if`` and indexing
    into arrays handed in, so that ``kernels/compile.py`` can hand it to Numba for CPU and GPU.  Until
    then, and always for play, doctest, debugger and coverage, it is the plain function.

    >>> @rule
    ... def doubled(stake: int) -> int:
    ...     return 2 * stake
    >>> doubled(500)
    1000
    """
    _RULES.append(function)
    return function


def list_rules() -> tuple[Callable[..., Any], ...]:
    """Return every function marked so far, in the order in which they were marked."""
    return tuple(_RULES)


@rule
def no_draws(_tables: Any, _state: tuple[int, ...], _options: Any) -> int:
    """Return 0: no seat is owed a card (games without a draw)."""
    return 0


@rule
def no_cards(_state: tuple[int, ...]) -> int:
    """Return no cards: none is owed to the dealer, none given up (games without a draw)."""
    return 0


@rule
def keep_state(state: Any, _drawn: int) -> Any:
    """Return the state as it was (games without a draw)."""
    return state
