"""Whole numbers from outside: from text in ASCII digits, and from Python."""

import re

from pitboss.core.errors import PitbossError, quote

MAX_DIGITS = 12
"""The most digits of a number from outside: converting long numbers takes more than linear time."""

MAX_BITS = 64
"""The most bits of a number from a caller: the longest that anything here takes is a seed."""

MAX_SEED = (1 << MAX_BITS) - 1
"""The largest seed of a round or a simulation."""

_INTEGER_PATTERN = re.compile(f"-?[0-9]{{1,{MAX_DIGITS}}}")
_SEPARATED_PATTERN = re.compile("[0-9]{1,3}(?:,[0-9]{3})+")


class NumberError(PitbossError):
    """An error for a text that is not a whole number in range."""


def is_integer(text: str) -> bool:
    """Return whether a text is a whole number in the form that this program writes.

    >>> [is_integer(text) for text in ("40", "-1", "\N{FULLWIDTH DIGIT FOUR}0", "9" * 13, "1_000")]
    [True, True, False, False, False]
    """
    return _INTEGER_PATTERN.fullmatch(text) is not None


def format_count(count: int, noun: str) -> str:
    """Format a count of things.

    >>> format_count(1, "wager"), format_count(2_000, "wager")
    ('1 wager', '2,000 wagers')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def strip_separators(text: str) -> str:
    """Return a number without the commas between its thousands; other texts stay.

    >>> strip_separators("1,000,000"), strip_separators("1,3,6")
    ('1000000', '1,3,6')
    """
    return text.replace(",", "") if _SEPARATED_PATTERN.fullmatch(text) else text


def parse_integer(text: str, minimum: int, maximum: int, name: str = "this") -> int:
    """Parse a whole number; commas may stand between its thousands.

    >>> parse_integer("6", 1, 6, "seat"), parse_integer("1,000", 1, 5_000, "rounds")
    (6, 1000)

    Raises:
        NumberError: ``text`` is not a number in ASCII digits from ``minimum`` to ``maximum``.
    """
    digits = strip_separators(text)
    if not is_integer(digits) or not minimum <= int(digits) <= maximum:
        raise NumberError(
            f"{name}: {quote(text)} is not allowed: write a whole number from {minimum:,} to {maximum:,}",
            code="out-of-range",
            name=name,
            text=text,
            minimum=minimum,
        )
    return int(digits)


def verify_integer(value: object, what: str, error_type: type[PitbossError]) -> None:
    """Check that a value is an integer; True and False are not.

    >>> from pitboss.core.errors import CardError
    >>> verify_integer(3, "a card", CardError)

    Raises:
        PitbossError: of the type ``error_type``: it is not; the message names ``what`` and the value.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value.bit_length() > MAX_BITS:
        raise error_type(f"{what} is {quote(value)}: write a whole number", code="not-a-whole-number", what=what)
