"""A command that is refused: one line that says what is wrong and what would be right; nothing has changed."""

from pitboss.core.errors import PitbossError


class RefusalError(PitbossError):
    """A command that the procedure, the settings or a role does not allow now."""


class ForbiddenError(RefusalError):
    """A command of somebody whose role does not have it, or who did the other half of it."""


class TooManyAttemptsError(ForbiddenError):
    """A proof of who one is that is not even tried: too many have failed of late."""

    def __init__(self, message: str, seconds: int) -> None:
        """Say who must wait, and how many seconds."""
        super().__init__(message)
        self.seconds = seconds


class WagerOutOfRangeError(RefusalError):
    """A contribution out of the configured range (P13): refused, and a fault is raised at its table."""

    def __init__(self, message: str, table: int) -> None:
        """Say what is wrong, and at which table."""
        super().__init__(message)
        self.table = table
