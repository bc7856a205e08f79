"""The records of awards: how each stood after every entry that changed it.

A state in memory holds few finished awards; the others are read here.  The records follow from the entries, are written
in their transaction, and the audit compares them with the entries.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from pitboss.ledger.schema import award_record, entry
from pitboss.ledger.store import Transaction

_NO_AWARD = 2**63
"""A number that no award can have, and no database compares."""


class AwardRevision(NamedTuple):
    """An award after an entry: its table and round, its step, and all of it as JSON."""

    award: int
    entry: int
    table_number: int
    round_number: int
    step: str
    data: str


def _select_latest(*conditions: sa.ColumnElement[bool], before: int = 0) -> sa.Select[Any]:
    """Return the statement for the latest record of each award, newest first.

    With ``before``, it is the latest before that entry.
    """
    later = award_record.alias()
    wanted = [later.c.award == award_record.c.award, *([later.c.entry < before] if before else [])]
    last = sa.select(sa.func.max(later.c.entry)).where(*wanted).scalar_subquery()
    chosen = sa.select(*award_record.c).where(award_record.c.entry == last, *conditions)
    return chosen.order_by(award_record.c.award.desc())


def append_award_records(transaction: Transaction, records: Sequence[AwardRevision]) -> None:
    """Append records; their entries must have been appended."""
    if records:
        transaction.connection.execute(sa.insert(award_record), [record._asdict() for record in records])


def find_awards(transaction: Transaction, awards: Collection[int], *, before: int = 0) -> tuple[AwardRevision, ...]:
    """Return the latest records of awards, with ``before`` those before an entry.

    Unknown ones are left out.
    """
    rows = transaction.connection.execute(_select_latest(award_record.c.award.in_(sorted(awards)), before=before))
    return tuple(AwardRevision(*row) for row in rows)


def list_awards_of_round(transaction: Transaction, table: int, round_number: int) -> tuple[AwardRevision, ...]:
    """Return the latest records of a round's awards, the newest first."""
    columns = award_record.c
    of_round = columns.table_number == table, columns.round_number == round_number
    return tuple(AwardRevision(*row) for row in transaction.connection.execute(_select_latest(*of_round)))


def list_newest_awards(
    transaction: Transaction, count: int, *, before: int = 0, without_step: str = ""
) -> tuple[AwardRevision, ...]:
    """Return the latest records of the ``count`` newest awards, the newest first.

    ``before`` is an award that is newer than all of them, 0 for none; awards at ``without_step`` are left out.
    """
    columns = award_record.c
    is_bounded = 0 < before < _NO_AWARD
    conditions = [columns.step != without_step, *([columns.award < before] if is_bounded else [])]
    return tuple(
        AwardRevision(*row) for row in transaction.connection.execute(_select_latest(*conditions).limit(count))
    )


def read_entry_data(transaction: Transaction, entries: Collection[int]) -> dict[int, str]:
    """Return what entries say, by their numbers; unknown ones are left out."""
    query = sa.select(entry.c.sequence, entry.c.data).where(entry.c.sequence.in_(sorted(entries)))
    return {number: str(data) for number, data in transaction.connection.execute(query)}


def lacks_award_records(transaction: Transaction) -> bool:
    """Return whether a ledger has hits but no records.

    It was written before there were any.
    """
    a_record = transaction.connection.execute(sa.select(award_record.c.award).limit(1)).first()
    a_hit = sa.select(entry.c.sequence).where(entry.c.kind == "entered").limit(1)
    return a_record is None and transaction.connection.execute(a_hit).first() is not None


def read_award_records(transaction: Transaction, after: int = 0) -> Iterator[AwardRevision]:
    """Yield the records after entry ``after``, by entry and award."""
    columns = award_record.c
    query = sa.select(*columns).where(columns.entry > after).order_by(columns.entry, columns.award)
    for row in transaction.connection.execute(query):
        yield AwardRevision(*row)
