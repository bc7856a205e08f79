"""What can be wrong with a ledger."""

from pitboss.core.errors import PitbossError


class LedgerError(PitbossError):
    """A ledger that cannot be reached, is set up wrongly, or whose record does not hold.  The tables stay closed."""
