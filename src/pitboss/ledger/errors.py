"""The error of a ledger."""

from pitboss.core.errors import PitbossError


class LedgerError(PitbossError):
    """A ledger cannot be reached, is set up wrongly, or its record does not hold; the tables stay closed."""
