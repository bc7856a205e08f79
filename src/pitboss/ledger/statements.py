"""The SQL statements that transactions run.

They are built once: building one takes longer than running it.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pitboss.ledger import schema
from pitboss.ledger.chain import Contribution, LedgerPosting

PAGE_SIZE = 500
"""The entries, or answers, that one short transaction reads."""


def _select_latest(table: sa.Table, number: str) -> sa.Select[Any]:
    columns = table.c
    return sa.select(columns[number], columns.hash).order_by(columns[number].desc()).limit(1)


def _select_page(table: sa.Table, number: str) -> sa.Select[Any]:
    after = table.c[number] > sa.bindparam("after")
    return sa.select(*table.c).where(after).order_by(table.c[number]).limit(PAGE_SIZE)


def _select_parts(table: sa.Table, *fields: str) -> sa.Select[Any]:
    columns = table.c
    within = columns.entry > sa.bindparam("after"), columns.entry <= sa.bindparam("last")
    chosen = sa.select(columns.entry, *(columns[name] for name in fields))
    return chosen.where(*within).order_by(columns.entry, *table.primary_key.columns)


LAST_ENTRY = _select_latest(schema.entry, "sequence")
LAST_TIME = sa.select(schema.entry.c.at).order_by(schema.entry.c.sequence.desc()).limit(1)
LAST_ANSWER = _select_latest(schema.answer, "number")
ENTRIES = _select_page(schema.entry, "sequence")
POSTINGS = _select_parts(schema.posting, "line", *LedgerPosting._fields)
CONTRIBUTIONS = _select_parts(schema.contribution, *Contribution._fields)
ANSWERS = _select_page(schema.answer, "number")
ANSWER = sa.select(*schema.answer.c).where(schema.answer.c.key == sa.bindparam("wanted"))
STREAM_ENTRIES = (
    sa.select(schema.stream.c.number, *schema.entry.c)
    .join(schema.entry, schema.entry.c.sequence == schema.stream.c.entry)
    .where(
        schema.stream.c.name == sa.bindparam("wanted"),
        schema.stream.c.number > sa.bindparam("after"),
        schema.stream.c.number <= sa.bindparam("last"),
    )
    .order_by(schema.stream.c.number)
)
ADD_ENTRY, ADD_POSTING, ADD_CONTRIBUTION, ADD_ANSWER, ADD_TO_STREAM = (
    sa.insert(table) for table in (schema.entry, schema.posting, schema.contribution, schema.answer, schema.stream)
)


def _make_balance_upsert(insert: Any) -> sa.Insert:
    """Return the statement that adds to a balance."""
    statement = insert(schema.balance)
    added = {"units": schema.balance.c.units + statement.excluded.units}
    result: sa.Insert = statement.on_conflict_do_update(index_elements=["account", "purpose"], set_=added)
    return result


ADD_TO_BALANCE = {
    "sqlite": _make_balance_upsert(sqlite.insert),
    "postgresql": _make_balance_upsert(postgresql.insert),
}
