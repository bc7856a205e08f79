"""Text from outside: checked to be text, and shortened in refusals."""

import re

from pitboss.core.errors import PitbossError, quote


def verify_text(value: object, what: str, error_type: type[PitbossError]) -> None:
    """Check that a value is a text.

    >>> from pitboss.core.errors import CardError
    >>> verify_text("As Kd", "a hand", CardError)

    Raises:
        PitbossError: of the type ``error_type``: it is not; the message names ``what`` and the value.
    """
    if not isinstance(value, str):
        raise error_type(f"{what} is {quote(value)}: write a text", code="not-a-text", what=what, value=value)


_LONG_NUMBER = re.compile(r"\d{41,}(?:\.\.\.)?")
_LONG_WORD = re.compile(r"(\S{60})\S{81,}(\S{60})")


def shorten_values(message: str) -> str:
    """Shorten numbers of more than 40 digits and words of more than 200 characters.

    A refusal may repeat what somebody wrote, and only its beginning, and the end of a path, help to find it.

    >>> shorten_values(f"the Ante is {'9' * 300}: write at most 500")
    'the Ante is 99999999999999999999...: write at most 500'
    """
    return _LONG_WORD.sub(r"\1...\2", _LONG_NUMBER.sub(lambda found: f"{found[0][:20]}...", message))
