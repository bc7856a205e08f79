"""The signed head in the database: entries and answers end where the key says.

Everybody can compute the hashes of a chain, and so rewrite it.  Nobody can sign its head without the key, which is
outside the database.  An older copy of everything, its signed head included, is found only by heads kept elsewhere.
"""

import sqlalchemy as sa

from pitboss.ledger.chain import LedgerHead
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import signed_head
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Transaction

_ONLY = 1
_READ = sa.select(signed_head.c.head, signed_head.c.signature).where(signed_head.c.number == _ONLY)
_REPLACE = (
    sa.update(signed_head)
    .where(signed_head.c.number == _ONLY)
    .values(head=sa.bindparam("new_head"), signature=sa.bindparam("new_signature"))
)
_ADD = sa.insert(signed_head)


def write_signed_head(transaction: Transaction, signer: Signer) -> None:
    """Sign the head that a transaction leaves."""
    head = format_head(transaction.get_head())
    signature = signer.sign(f"head {head}")
    if not transaction.connection.execute(_REPLACE, {"new_head": head, "new_signature": signature}).rowcount:
        transaction.connection.execute(_ADD, {"number": _ONLY, "head": head, "signature": signature})


def verify_signed_head(transaction: Transaction, signer: Signer) -> None:
    """Check that the ledger's head is the one that was signed last.

    Raises:
        LedgerError: entries or answers were added, cut or rewritten without the key.
    """
    head = format_head(transaction.get_head())
    row = transaction.connection.execute(_READ).first()
    if row is None or row.head != head or not signer.has_signed(f"head {head}", row.signature):
        raise LedgerError(
            "the ledger's head is not the one that was signed: entries or answers were added, cut or rewritten",
            code="head-not-signed-here",
            sequence=transaction.get_head().sequence,
        )


def format_head(head: LedgerHead) -> str:
    """Return a head as it is signed."""
    return " ".join(map(str, head))
