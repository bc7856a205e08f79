"""Refusals of commands.

A refusal is one line that says what is wrong and what would be right; nothing has changed.
"""

from pitboss.core.errors import PitbossError


class RefusalError(PitbossError):
    """An error for a command that procedure, settings or role do not allow now."""


class ForbiddenError(RefusalError):
    """An error for a command that this person may not give.

    The person's role may not do it, or the person did the other half of it.
    """


class WrongProofError(ForbiddenError):
    """An error for a wrong name, password or code, or a code used before.

    Only the former is counted as a failed attempt: it alone may be a guess.
    """

    def __init__(self, message: str, /, *, code: str = "", is_counted: bool = True, **fields: object) -> None:
        """Take the message, the code, whether it was counted, and the fields."""
        super().__init__(message, code=code, **fields)
        self.is_counted = is_counted


class TooManyAttemptsError(ForbiddenError):
    """An error for an authentication not tried, as too many failed recently."""

    def __init__(self, message: str, seconds: int, /, *, code: str = "", **fields: object) -> None:
        """Take the message, how many seconds to wait, the code and the fields."""
        super().__init__(message, code=code, **{**fields, "seconds": seconds})
        self.seconds = seconds


class WagerOutOfRangeError(RefusalError):
    """An error for a contribution out of the configured range (P13).

    It is refused, and an incident opens at its table.
    """

    def __init__(self, message: str, table: int, /, *, code: str = "", **fields: object) -> None:
        """Take the message, the table, the code and the other fields."""
        super().__init__(message, code=code, **{**fields, "table": table})
        self.table = table
