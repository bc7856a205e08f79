"""How the functions that play rounds are made: for plain Python here, for kernels in ``compiled``."""

from collections.abc import Callable
from typing import Any, NamedTuple

from pitboss.contract import RuleFunction


class Making(NamedTuple):
    """How functions are made: ``whole`` makes the one that is called, ``part`` what that one calls.

    ``state_of(kind)`` makes the function that reads a row of integers as a named tuple.
    """

    whole: Callable[[RuleFunction], RuleFunction]
    part: Callable[[RuleFunction], RuleFunction]
    state_of: Callable[[Callable[..., Any]], RuleFunction]


PLAIN = Making(lambda function: function, lambda function: function, lambda kind: lambda row: kind(*row))
"""Plain Python, over lists of integers."""
