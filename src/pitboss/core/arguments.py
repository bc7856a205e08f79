"""Arguments from Python callers: whole numbers in a range, and flags."""

from operator import index
from typing import Any

from pitboss.core.errors import PitbossError, WagerError, quote


def verify_whole(value: Any, what: str, minimum: int, maximum: int, error_type: type[PitbossError] = WagerError) -> int:
    """Return a whole number in a range, also one of NumPy's; True is not one.

    >>> verify_whole(3, "the number of seats", 1, 6)
    3
    >>> verify_whole(2**64, "a seed", 0, 9)
    Traceback (most recent call last):
    pitboss.core.errors.WagerError: a seed is 18446744073709551616: give a whole number from 0 to 9

    Raises:
        PitbossError: of the type ``error_type``: it is not; the message names ``what``, the value and the range.
    """
    number = read_index(value)
    if number is None or not minimum <= number <= maximum:
        raise error_type(
            f"{what} is {quote(value)}: give a whole number from {minimum} to {maximum}",
            code="not-a-whole-number" if number is None else "out-of-range",
            what=what,
            value=value if number is None else number,
            minimum=minimum,
            maximum=maximum,
        )
    return number


def read_index(value: Any) -> int | None:
    """Return a whole number of Python or NumPy; None for True, False and all else.

    >>> read_index(3), read_index(True), read_index(3.0)
    (3, None, None)
    """
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def verify_flag(value: object, name: str, error_type: type[PitbossError]) -> None:
    """Check that an argument is True or False.

    Raises:
        PitbossError: of the type ``error_type``: it is neither.
    """
    if not isinstance(value, bool):
        raise error_type(
            f"{name} is {quote(value)}: write True or False", code="invalid-option", name=name, value=value
        )
