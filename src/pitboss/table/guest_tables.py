"""A query on the tables where somebody sat down, open or closed."""

import sqlalchemy as sa

from pitboss.ledger.schema import entry, stream
from pitboss.ledger.store import Transaction

_SAT_DOWN = sa.text("entry.kind = 'sit'")  # in these words the index serves it
_LAST = sa.func.max(entry.c.sequence)
_TABLES = (
    sa.select(stream.c.name)
    .join(entry, entry.c.sequence == stream.c.entry)
    .where(entry.c.actor == sa.bindparam("who"), _SAT_DOWN)
    .group_by(stream.c.name)
    .order_by(_LAST.desc())
    .limit(sa.bindparam("most"))
)


def list_tables_of(transaction: Transaction, holder: str, limit: int) -> tuple[str, ...]:
    """Return up to ``limit`` tables where a holder sat down, the latest first."""
    return tuple(transaction.connection.execute(_TABLES, {"who": holder, "most": limit}).scalars())
