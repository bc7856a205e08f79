"""Copies of a running ledger, into an empty database of either kind.

Entries and answers are never changed, so they are read in pages, each in a short transaction; what is left, and all
that changes, is read in the last one.  So a copy is the ledger of one moment, and no writer waits for it.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa

from pitboss.ledger import schema
from pitboss.ledger.chain import LedgerHead
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction

PAGE_ENTRIES = 5_000

Rows = Sequence[Mapping[str, Any]]

_BY_ENTRY = (schema.posting, schema.contribution, schema.entry)
"""The tables of entries, in the order in which their triggers accept rows."""

_OTHERS = tuple(table for table in schema.metadata.sorted_tables if table not in (*_BY_ENTRY, schema.answer))


def copy_ledger(source: Store, target: Store) -> LedgerHead:
    """Copy a ledger into an empty one, and return the head of the copy.

    Raises:
        LedgerError: one of them cannot be reached, or the target is not empty.
    """
    copied = LedgerHead()
    while True:
        with source.begin_read() as transaction:
            page, reached, is_last = read_page(transaction, copied)
        copied = target.run_write(partial(write_page, page=page, copied=copied))
        if is_last:
            return copied
        if (copied.sequence, copied.answers) != (reached.sequence, reached.answers):
            raise LedgerError("the copy has other entries than its ledger", code="copy-failed")


def read_page(transaction: Transaction, copied: LedgerHead) -> tuple[dict[str, Rows], LedgerHead, bool]:
    """Return the rows after those copied, up to where, and whether they are the last."""
    head = transaction.get_head()
    entries = min(head.sequence, copied.sequence + PAGE_ENTRIES)
    answers = min(head.answers, copied.answers + PAGE_ENTRIES)
    rows = {}
    for table in _BY_ENTRY:
        number = table.c["sequence" if table is schema.entry else "entry"]
        rows[table.name] = _read_rows(transaction, table, number, copied.sequence, entries)
    rows[schema.answer.name] = _read_rows(transaction, schema.answer, schema.answer.c.number, copied.answers, answers)
    is_last = (entries, answers) == (head.sequence, head.answers)
    if is_last:
        for table in _OTHERS:
            in_order = sa.select(table).order_by(*table.primary_key.columns)
            rows[table.name] = _to_dicts(transaction.connection.execute(in_order))
    return rows, head._replace(sequence=entries, answers=answers), is_last


def _read_rows(transaction: Transaction, table: sa.Table, number: sa.Column[Any], after: int, last: int) -> Rows:
    rows = sa.select(table).where(number > after, number <= last).order_by(number)
    return _to_dicts(transaction.connection.execute(rows))


def _to_dicts(rows: sa.CursorResult[Any]) -> Rows:
    return [dict(row) for row in rows.mappings()]


def write_page(transaction: Transaction, page: Mapping[str, Rows], copied: LedgerHead) -> LedgerHead:
    """Add rows to the copy, which ends with ``copied``, and return its head.

    Raises:
        LedgerError: the copy ends elsewhere.
    """
    if transaction.get_head()[::2] != copied[::2]:
        raise LedgerError("the database of the copy is not empty: name another", code="ledger-exists")
    for table in (*_BY_ENTRY, schema.answer, *_OTHERS):
        rows = page.get(table.name)
        if rows:
            transaction.connection.execute(sa.insert(table), rows)
    return Transaction(transaction.connection).get_head()
