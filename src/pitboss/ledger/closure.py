"""The closure of a ledger that failed its verification.

It holds for every process and after every restart.

The failure is stored in the database, so that all processes see it at once.  Only a verification of the whole ledger
that passes opens the ledger again.  Each row is signed by a key outside the database: a forged one neither opens a
ledger nor passes for a verification that failed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import sqlalchemy as sa

from pitboss.ledger import schema
from pitboss.ledger.availability import UNREACHABLE
from pitboss.ledger.chain import to_canonical_json
from pitboss.ledger.errors import LedgerError, RecordFaultError
from pitboss.ledger.public_keys import is_signed_by
from pitboss.ledger.signed_head import format_head
from pitboss.ledger.signing import OTHER_RING, Signer
from pitboss.ledger.store import Store, Transaction

_columns = schema.verification.c
_SIGNED = tuple(column.name for column in _columns if column.name != "signature")
_LATEST = sa.select(*_columns).order_by(_columns.number.desc()).limit(1)
_Row = dict[str, Any]

NO_FAULTS = frozenset({UNREACHABLE, OTHER_RING})
"""The codes of errors that say nothing of the record, so that they do not close it for others."""


class LedgerClosure:
    """Whether a ledger is closed because a verification failed."""

    def __init__(self, store: Store, signer: Signer, get_timestamp: Callable[[], str]) -> None:
        """Use the database of ``store``; ``get_timestamp`` returns the time."""
        self._store, self._signer, self._get_timestamp = store, signer, get_timestamp
        self._fault: LedgerError | None = None
        self._believed: _Row = {}  # the latest row that was found to be signed

    def verify_open(self, transaction: Transaction) -> None:
        """Check that no verification has failed since one passed.

        Raises:
            LedgerError: one has, or the rows that say so are not those that were signed: the tables are closed.
        """
        if self._fault:
            raise LedgerError.from_error(self._fault)
        latest = _read_latest(transaction)
        if latest != self._believed:
            is_cut = latest.get("number", 0) < self._believed.get("number", 0)
            if is_cut or not self._signer.has_signed(_write_content(latest), latest["signature"]):
                raise LedgerError(
                    "the latest verification was added, changed or removed without the key, the tables are closed: "
                    "pitboss jackpot verify",
                    code="verification-not-signed",
                )
            self._believed = latest
        if latest.get("code"):
            raise _make_fault(latest["at"], latest["code"], latest["message"])

    @contextmanager
    def closing_on_fault(self) -> Iterator[None]:
        """Close the ledger, after a call, if it found a fault in the record."""
        try:
            yield
        except RecordFaultError as error:
            self.close(error)
            raise

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
        with self._store.begin_read() as transaction:
            latest = _read_latest(transaction)
        if (latest or self._believed) and not self._says(latest, "", ""):
            self._store.run_write(lambda transaction: self._append(transaction, self._get_timestamp(), "", ""))
        self._fault, self._believed = None, {}

    def _append(self, transaction: Transaction, at: str, code: str, message: str) -> None:
        """Append a result, unless the latest one is the same."""
        latest = _read_latest(transaction)
        if self._says(latest, code, message):
            return
        head = format_head(transaction.get_head())
        row = {"number": latest.get("number", 0) + 1, "at": at, "code": code, "message": message, "head": head}
        signature = self._signer.sign(_write_content(row))
        transaction.connection.execute(sa.insert(schema.verification), {**row, "signature": signature})

    def _says(self, row: _Row, code: str, message: str) -> bool:
        """Return whether a row has this result, signed by the active version of the key."""
        if not row or (row["code"], row["message"]) != (code, message):
            return False
        return is_signed_by(self._signer.public_key, _write_content(row).encode(), row["signature"])


def _read_latest(transaction: Transaction) -> _Row:
    """Return the latest row, an empty one if there is none."""
    return dict(transaction.connection.execute(_LATEST).mappings().first() or {})


def _write_content(row: _Row) -> str:
    """Return what is signed of a row."""
    return "verification " + to_canonical_json({name: row[name] for name in _SIGNED})


def _make_fault(at: str, code: str, message: str) -> LedgerError:
    return LedgerError(
        f"the ledger failed its verification at {at[:19]}, the tables are closed: {message}",
        code="verification-failed",
        at=at,
        fault=code,
    )
