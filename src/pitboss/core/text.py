"""Text from outside: checked to be text before it is read."""

from pitboss.core.errors import PitbossError, quote


def verify_text(value: object, what: str, error_type: type[PitbossError]) -> None:
    """Check that a value is a text.

    >>> from pitboss.core.errors import CardError
    >>> verify_text("As Kd", "a hand", CardError)

    Raises:
        PitbossError: of the type ``error_type``: it is not; the message names ``what`` and the value.
    """
    if not isinstance(value, str):
        raise error_type(f"{what} is {quote(value)}: write a text", code="not-a-text", what=what)
