"""Tell whether two rules do the same with cards in different fields of the state."""

from collections.abc import Sequence
from types import FunctionType
from typing import Any

from pitboss.contract import RuleFunction


def is_same_rule(mine: RuleFunction, theirs: RuleFunction, own: Sequence[str], hidden: Sequence[str]) -> bool:
    """Tell whether two rules are the same but for the fields that they read.

    ``own`` are fields that only ``mine`` reads, in the places where ``theirs`` reads ``hidden``.  The instructions of
    the two must be the same, and so must what their names stand for: then they give the same strength wherever these
    fields hold the same cards.

    >>> def rank(tables, state, options):
    ...     return state.player | state.board
    >>> def rank_dealer(tables, state, options):
    ...     return state.dealer | state.board
    >>> is_same_rule(rank, rank_dealer, ["player"], ["dealer"]), is_same_rule(rank, rank_dealer, ["board"], ["dealer"])
    (True, False)
    """
    if not (isinstance(mine, FunctionType) and isinstance(theirs, FunctionType) and len(own) == len(hidden)):
        return False
    one, other = mine.__code__, theirs.__code__
    renamed = dict(zip(own, hidden, strict=True))
    if set(hidden) & set(one.co_names) or set(own) & set(other.co_names):
        return False
    return (
        (one.co_code, _list_constants(mine), one.co_argcount)
        == (other.co_code, _list_constants(theirs), other.co_argcount)
        and tuple(renamed.get(name, name) for name in one.co_names) == other.co_names
        and all(mine.__globals__.get(name) is theirs.__globals__.get(name) for name in other.co_names)
        and (mine.__closure__, mine.__defaults__, mine.__kwdefaults__) == (None, None, None)
        and (theirs.__closure__, theirs.__defaults__, theirs.__kwdefaults__) == (None, None, None)
    )


def _list_constants(function: FunctionType) -> tuple[Any, ...]:
    """Return the constants of a function, without its description."""
    constants = function.__code__.co_consts
    return constants[1:] if function.__doc__ and constants[0] == function.__doc__ else constants
