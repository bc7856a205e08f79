"""Long readings of a ledger in pages, each in a short transaction of its own.

A reader that is slow, or that stops, therefore never holds a transaction that writers wait for.  Entries and answers
are only appended, so pages read one after another are what one long transaction would have read.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pitboss.ledger.chain import CommandAnswer, Entry
from pitboss.ledger.statements import PAGE_SIZE
from pitboss.ledger.store import Store, Transaction

Record = TypeVar("Record", Entry, CommandAnswer)


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
