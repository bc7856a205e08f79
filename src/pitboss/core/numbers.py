"""Whole numbers from text: ASCII digits only, and no more digits than a record holds."""

import re

from pitboss.core.errors import PitbossError

MAX_DIGITS = 12
"""The most digits of a number from outside: converting long numbers takes more than linear time."""

_INTEGER_PATTERN = re.compile(f"-?[0-9]{{1,{MAX_DIGITS}}}")
_MAX_SHOWN = 60


class NumberError(PitbossError):
    """A text that is not a whole number in range."""


def quote(text: str) -> str:
    """Quote input for an error message, shortened if it is long.

    >>> quote("seven"), len(quote("9" * 5_000))
    ("'seven'", 65)
    """
    return repr(text) if len(text) <= _MAX_SHOWN else repr(text[:_MAX_SHOWN] + "...")


def is_integer(text: str) -> bool:
    """Return whether a text is a whole number in the form that this program writes.

    >>> [is_integer(text) for text in ("40", "-1", "\N{FULLWIDTH DIGIT FOUR}0", "9" * 13, "1_000")]
    [True, True, False, False, False]
    """
    return _INTEGER_PATTERN.fullmatch(text) is not None


def parse_integer(text: str, minimum: int, maximum: int, name: str = "this") -> int:
    """Parse a whole number.

    >>> parse_integer("6", 1, 6, "seat")
    6

    Raises:
        NumberError: ``text`` is not a number in ASCII digits from ``minimum`` to ``maximum``.
    """
    if not is_integer(text) or not minimum <= int(text) <= maximum:
        raise NumberError(f"{name}: {quote(text)} is not possible: write a whole number from {minimum} to {maximum}")
    return int(text)
