"""Refusals of commands: one line that says what is wrong and what would be right; nothing has changed."""

from pitboss.core.errors import PitbossError


class RefusalError(PitbossError):
    """A command that the procedure, the settings or a role does not allow now."""


class ForbiddenError(RefusalError):
    """A command of a person whose role may not do it, or who did the other half of it."""


class TooManyAttemptsError(ForbiddenError):
    """An authentication that is not even tried, because too many have failed recently."""

    def __init__(self, message: str, seconds: int) -> None:
        """Take the message and how many seconds to wait."""
        super().__init__(message)
        self.seconds = seconds


class WagerOutOfRangeError(RefusalError):
    """A contribution out of the configured range (P13): refused, and an incident opens at its table."""

    def __init__(self, message: str, table: int) -> None:
        """Take the message and the table."""
        super().__init__(message)
        self.table = table
