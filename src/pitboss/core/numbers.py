"""Whole numbers that somebody wrote: ASCII digits alone, and never more of them than a record holds."""

import re

from pitboss.core.errors import PitbossError

MOST_DIGITS = 12
"""Digits of a number from outside: converting more of them takes longer than their number grows."""

_WHOLE = re.compile(f"-?[0-9]{{1,{MOST_DIGITS}}}")
_SHOWN = 60


class NumberError(PitbossError):
    """A text that is not a whole number in range."""


def quote(text: str) -> str:
    """Quote what somebody wrote for an error, shortened where it is long.

    >>> quote("seven"), len(quote("9" * 5_000))
    ("'seven'", 65)
    """
    return repr(text) if len(text) <= _SHOWN else repr(text[:_SHOWN] + "...")


def is_whole(text: str) -> bool:
    """Return whether a text is a whole number as this program writes them.

    >>> is_whole("40"), is_whole("-1"), is_whole("\N{FULLWIDTH DIGIT FOUR}0"), is_whole("9" * 13), is_whole("1_000")
    (True, True, False, False, False)
    """
    return _WHOLE.fullmatch(text) is not None


def parse_whole(text: str, least: int, most: int, name: str = "this") -> int:
    """Read a whole number.

    >>> parse_whole("6", 1, 6, "seat")
    6

    Raises:
        NumberError: ``text`` is not one in ASCII digits, or not from ``least`` to ``most``.
    """
    if not is_whole(text) or not least <= int(text) <= most:
        raise NumberError(f"{name}: {quote(text)} is not possible: write a whole number from {least} to {most}")
    return int(text)
