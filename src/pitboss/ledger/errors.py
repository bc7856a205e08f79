"""The errors of a ledger."""

from pitboss.core.errors import PitbossError


class LedgerError(PitbossError):
    """An error for a ledger that is unreachable, set up wrongly or damaged.

    The tables stay closed.
    """


class RecordFaultError(LedgerError):
    """An error for a record that is not the one that was written and signed.

    It closes the ledger for every process.
    """
