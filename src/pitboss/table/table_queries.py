"""Queries on tables: the open ones by opener, newest or idle, and a guest's own.

No query here takes longer when there are, or have been, more tables.
"""

from typing import NamedTuple

import sqlalchemy as sa

from pitboss.ledger.schema import entry, open_table, stream
from pitboss.ledger.store import Transaction

_NUMBER = (
    sa.select(sa.func.max(stream.c.number))
    .where(stream.c.name == open_table.c.name)
    .correlate(open_table)
    .scalar_subquery()
)
_LAST_AT = (
    sa.select(entry.c.at)
    .join(stream, stream.c.entry == entry.c.sequence)
    .where(stream.c.name == open_table.c.name)
    .order_by(stream.c.number.desc())
    .limit(1)
    .correlate(open_table)
    .scalar_subquery()
)
_NEWEST = sa.select(open_table.c.name, _NUMBER).order_by(open_table.c.entry.desc()).limit(sa.bindparam("most"))
_NAMES = sa.select(open_table.c.name).order_by(open_table.c.entry)
_OPENED_BY = _NAMES.where(open_table.c.opener == sa.bindparam("who"))
_OPENED_AFTER = (
    sa.select(open_table.c.name, open_table.c.entry, _LAST_AT.label("at"))
    .where(open_table.c.entry > sa.bindparam("after"))
    .order_by(open_table.c.entry)
    .limit(sa.bindparam("most"))
)
_SAT_DOWN = sa.text("entry.kind = 'sit'")  # in these words the index serves it
_TABLES_OF = (
    sa.select(stream.c.name)
    .join(entry, entry.c.sequence == stream.c.entry)
    .where(entry.c.actor == sa.bindparam("who"), _SAT_DOWN)
    .group_by(stream.c.name)
    .order_by(sa.func.max(entry.c.sequence).desc())
    .limit(sa.bindparam("most"))
)


class OpenTable(NamedTuple):
    """An open table, the entry that opened it, and its last activity (UTC)."""

    name: str
    entry: int
    at: str


def add(transaction: Transaction, name: str, opener: str, sequence: int) -> None:
    """Add a table to the open tables, from entry ``sequence`` on."""
    row = {"name": name, "opener": opener, "entry": sequence}
    transaction.connection.execute(sa.insert(open_table), row)


def remove(transaction: Transaction, name: str) -> None:
    """Remove a table from the open tables."""
    transaction.connection.execute(sa.delete(open_table).where(open_table.c.name == name))


def list_names(transaction: Transaction) -> tuple[str, ...]:
    """Return the names of all open tables, the oldest first."""
    return tuple(transaction.connection.execute(_NAMES).scalars())


def list_opened_by(transaction: Transaction, opener: str) -> tuple[str, ...]:
    """Return the names of the open tables that ``opener`` opened, the oldest first."""
    return tuple(transaction.connection.execute(_OPENED_BY, {"who": opener}).scalars())


def count_entries_of_newest(transaction: Transaction, limit: int) -> dict[str, int]:
    """Count the entries of the most recently opened tables, newest first."""
    return {row[0]: row[1] for row in transaction.connection.execute(_NEWEST, {"most": limit})}


def list_opened_after(transaction: Transaction, after_entry: int, limit: int) -> list[OpenTable]:
    """List up to ``limit`` open tables opened after an entry, oldest first."""
    return [
        OpenTable(*row) for row in transaction.connection.execute(_OPENED_AFTER, {"after": after_entry, "most": limit})
    ]


def list_tables_of(transaction: Transaction, holder: str, limit: int) -> tuple[str, ...]:
    """Return up to ``limit`` tables where a holder sat down, open or closed.

    The latest comes first.
    """
    return tuple(transaction.connection.execute(_TABLES_OF, {"who": holder, "most": limit}).scalars())
