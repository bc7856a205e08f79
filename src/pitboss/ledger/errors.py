"""The error of a ledger."""

from pitboss.core.errors import PitbossError


class LedgerError(PitbossError):
    """The error for a ledger that is unreachable, set up wrongly or damaged.

    The tables stay closed.
    """
