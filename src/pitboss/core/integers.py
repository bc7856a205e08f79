"""A run-time check that a caller passed an integer, for callers without a type checker."""

from pitboss.core.errors import PitbossError


def verify_integer(value: object, what: str, error_type: type[PitbossError]) -> None:
    """Check that a value is an integer; True and False are not.

    >>> from pitboss.core.errors import CardError
    >>> verify_integer(3, "a card", CardError)

    Raises:
        PitbossError: of the type ``error_type``: it is not; the message names ``what`` and the value.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise error_type(f"{what} is {value!r}: write a whole number")
