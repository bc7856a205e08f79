"""Readings of a ledger's past in bounded pages, each in a short transaction.

Entries are never changed, so pages read one after another are as consistent as one long transaction, and no writer
waits for a slow reader.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from pitboss.ledger import schema
from pitboss.ledger.chain import CommandAnswer, Entry, Record
from pitboss.ledger.statements import PAGE_SIZE
from pitboss.ledger.store import Store, Transaction


class EntryRange(NamedTuple):
    """The entries from ``first`` to ``last`` (included); none if ``last`` is less."""

    first: int
    last: int


def find_entries_between(transaction: Transaction, begins: str, ends: str) -> EntryRange:
    """Return the entries from one time (inclusive) to another (exclusive).

    The times are UTC as entries have them.  A range begins with the first entry at or after its time, so ranges that
    follow one another share no entry and leave none out, even where a clock was set back.
    """
    columns, end = schema.entry.c, transaction.get_head().sequence + 1
    return _find_between(transaction, (columns.sequence, columns.at), (begins, ends), end)


def find_answers_between(transaction: Transaction, begins: str, ends: str) -> EntryRange:
    """Return the numbers of the answers from one time to another, like entries."""
    columns, end = schema.answer.c, transaction.get_head().answers + 1
    return _find_between(transaction, (columns.number, columns.at), (begins, ends), end)


def _find_between(
    transaction: Transaction, columns: tuple[sa.Column[Any], sa.Column[Any]], times: tuple[str, str], end: int
) -> EntryRange:
    number, at = columns
    least = sa.type_coerce(sa.func.min(number), sa.BigInteger)  # NULL if there is none
    found = [transaction.connection.execute(sa.select(least).where(at >= time)).scalar() for time in times]
    first, after = (end if each is None else int(each) for each in found)
    return EntryRange(first, after - 1)


def sum_postings_before(transaction: Transaction, entry: int) -> dict[tuple[str, str], int]:
    """Return the balances before an entry, from the nearer end of the ledger."""
    columns = schema.posting.c
    units = sa.select(columns.account, columns.purpose, sa.type_coerce(sa.func.sum(columns.units), sa.BigInteger))
    grouped = (columns.account, columns.purpose)
    if entry <= transaction.get_head().sequence // 2:
        rows = transaction.connection.execute(units.where(columns.entry < entry).group_by(*grouped))
        return {(row[0], row[1]): int(row[2]) for row in rows}
    balances = dict(transaction.read_balances())
    for account, purpose, later in transaction.connection.execute(
        units.where(columns.entry >= entry).group_by(*grouped)
    ):
        balances[account, purpose] = balances.get((account, purpose), 0) - int(later)
    return balances


def read_entry_pages(store: Store, wanted: EntryRange) -> Iterator[Entry]:
    """Yield entries in order, read a page at a time."""
    return read_entries(store, max(0, wanted.first - 1), max(0, wanted.last))


def read_answer_pages(store: Store, wanted: EntryRange) -> Iterator[CommandAnswer]:
    """Yield answers in order, read a page at a time."""
    return read_answers(store, max(0, wanted.first - 1), max(0, wanted.last))


def read_entries(store: Store, after: int = 0, last: int | None = None) -> Iterator[Entry]:
    """Yield the entries after number ``after`` up to ``last``.

    Without ``last``, they are those that exist now.

    Raises:
        LedgerError: the ledger cannot be reached.
    """
    yield from _read_pages(store, Transaction.read_entry_page, lambda entry: entry.sequence, after, last)


def read_answers(store: Store, after: int = 0, last: int | None = None) -> Iterator[CommandAnswer]:
    """Yield the answers after number ``after`` up to ``last``.

    Without ``last``, they are those that exist now.

    Raises:
        LedgerError: the ledger cannot be reached.
    """
    yield from _read_pages(store, Transaction.read_answer_page, lambda answer: answer.number, after, last)


def _read_pages(
    store: Store,
    read: Callable[[Transaction, int], Sequence[Record]],
    get_number: Callable[[Record], int],
    after: int,
    last: int | None,
) -> Iterator[Record]:
    while last is None or after < last:
        with store.begin_read() as transaction:
            if last is None:
                head = transaction.get_head()
                last = head.sequence if read is Transaction.read_entry_page else head.answers
            page = read(transaction, after)
        yield from (record for record in page if get_number(record) <= last)
        if len(page) < PAGE_SIZE:
            return
        after = get_number(page[-1])
