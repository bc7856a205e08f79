"""Upgrades of a ledger's tables, and a check that the record stays the same."""

from collections.abc import Iterator
from typing import NamedTuple

import sqlalchemy as sa
from alembic.migration import MigrationContext

from pitboss.ledger.chain import CommandAnswer, LedgerHead, iter_verified_chain
from pitboss.ledger.database import make_engine
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction


class RecordFingerprint(NamedTuple):
    """What tells records apart: the version of the tables, the head, the balances."""

    version: str
    head: LedgerHead
    balances: dict[tuple[str, str], int]


def fingerprint_record(url: str) -> RecordFingerprint:
    """Follow the whole chain of a ledger of any version, and return its fingerprint.

    Raises:
        LedgerError: there is no ledger, or an entry or answer was changed.
    """
    engine = make_engine(url)
    try:
        with engine.connect().execution_options(reading=True) as connection, connection.begin():
            version = MigrationContext.configure(connection).get_current_revision()
            if version is None:
                raise LedgerError("there is no ledger here: create one with pitboss jackpot init", code="no-ledger")
            transaction, head = Transaction(connection), LedgerHead()
            for entry in iter_verified_chain(transaction.read_entries()):
                head = head._replace(sequence=entry.sequence, hash=entry.hash)
            for answer in iter_verified_chain(_read_answers(transaction)):
                head = head._replace(answers=answer.number, answers_hash=answer.hash)
            return RecordFingerprint(version, head, transaction.read_balances())
    except sa.exc.DBAPIError as error:
        line = str(error.orig).strip().partition("\n")[0]
        raise LedgerError(f"the ledger does not answer: {line}", code="database-unreachable") from None
    finally:
        engine.dispose()


def _read_answers(transaction: Transaction) -> Iterator[CommandAnswer]:
    after = 0
    while page := transaction.read_answer_page(after):
        yield from page
        after = page[-1].number


def upgrade_ledger(url: str) -> tuple[RecordFingerprint, RecordFingerprint]:
    """Bring a ledger's tables up to date; return the fingerprints before and after.

    Raises:
        LedgerError: the record does not hold, or is another one after the upgrade.
    """
    before = fingerprint_record(url)
    Store.open_or_create(url).close()
    after = fingerprint_record(url)
    if before[1:] != after[1:]:
        raise LedgerError(
            f"the record was entry {before.head.sequence} before the upgrade and is {after.head.sequence} after it: "
            "restore the backup",
            code="upgrade-changed-record",
            before=before.head.sequence,
            after=after.head.sequence,
        )
    return before, after
