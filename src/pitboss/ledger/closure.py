"""The closure of a ledger that failed its verification.

It holds for every process and after every restart.

The failure is stored in the database, so that all processes see it at once.  Only a verification of the whole ledger
that passes opens the ledger again.
"""

from collections.abc import Callable
from contextlib import suppress

import sqlalchemy as sa

from pitboss.ledger import schema
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction

_columns = schema.verification.c
_LATEST = sa.select(*_columns).order_by(_columns.number.desc()).limit(1)


class LedgerClosure:
    """Whether a ledger is closed because a verification failed."""

    def __init__(self, store: Store, get_timestamp: Callable[[], str]) -> None:
        """Use the database of ``store``; ``get_timestamp`` returns the time."""
        self._store, self._get_timestamp = store, get_timestamp
        self._fault: LedgerError | None = None

    def verify_open(self, transaction: Transaction) -> None:
        """Check that no verification has failed since one passed.

        Raises:
            LedgerError: one has: the tables are closed.
        """
        if self._fault:
            raise LedgerError.from_error(self._fault)
        latest = transaction.connection.execute(_LATEST).first()
        if latest and latest.code:
            raise _make_fault(latest.at, latest.code, latest.message)

    def close(self, error: LedgerError) -> LedgerError:
        """Close the ledger because of a fault, and return the refusal of commands."""
        at = self._get_timestamp()
        self._fault = _make_fault(at, error.code, str(error))
        with suppress(LedgerError):  # a database that takes nothing: this process refuses, and a restart finds it
            self._store.run_write(lambda transaction: self._append(transaction, at, error.code, str(error)))
        return self._fault

    def open(self) -> None:
        """Open the ledger after a verification that passed.

        Raises:
            LedgerError: the ledger cannot be reached.
        """

        def work(transaction: Transaction) -> None:
            latest = transaction.connection.execute(_LATEST).first()
            if latest and latest.code:
                self._append(transaction, self._get_timestamp(), "", "")

        with self._store.begin_read() as transaction:
            latest = transaction.connection.execute(_LATEST).first()
        if latest and latest.code:
            self._store.run_write(work)
        self._fault = None

    def _append(self, transaction: Transaction, at: str, code: str, message: str) -> None:
        """Append a result, unless the latest one is the same."""
        latest = transaction.connection.execute(_LATEST).first()
        if latest and (latest.code, latest.message) == (code, message):
            return
        row = {"number": latest.number + 1 if latest else 1, "at": at, "code": code, "message": message}
        transaction.connection.execute(sa.insert(schema.verification), row)


def _make_fault(at: str, code: str, message: str) -> LedgerError:
    return LedgerError(
        f"the ledger failed its verification at {at[:19]}, the tables are closed: {message}",
        code="verification-failed",
        at=at,
        fault=code,
    )
