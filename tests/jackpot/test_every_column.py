"""Every column of the database that says anything is covered: another value in it is found."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from jackpot.test_covered import Place, place
from pitboss.jackpot import controller
from pitboss.jackpot.controller import Controller
from pitboss.ledger.column_types import WholeNumber
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import metadata
from pitboss.ledger.store import Store

__all__ = ["place"]

ELSEWHERE = {"stream", "live", "verification"}
"""No progressive writes to the first two tables; ``test_closure`` changes each column of the third."""

UNCOVERED = {
    # A code works again within its 90 seconds, for who has the password too; or the next codes of a minute are refused.
    "credential.last_code",
    # A session lives on without being used, for at most its 12 hours, for who has its token.
    "session.used",
    # More guesses of a password; or a dealer or auditor who waits 15 minutes.
    "attempt.number",
    "attempt.name",
    "attempt.at",
    "attempt.place",
}
"""What a forger can change unseen, and what comes of it: nothing that moves money or gives anybody a role."""


Row = dict[str, Any]


def quote(value: object) -> str:
    return f"'{value}'".replace("%", "%%") if isinstance(value, str) else str(value)


def write_update(table: sa.Table, before: Row, after: Row) -> str:
    """Return the statement that makes one row of another."""
    sets = ", ".join(f"{name} = {quote(value)}" for name, value in after.items() if value != before[name])
    where = " AND ".join(f"{column.name} = {quote(before[column.name])}" for column in table.primary_key.columns)
    return (
        "UPDATE TABLE SET VALUES WHERE KEYS".replace("TABLE", table.name).replace("VALUES", sets).replace("KEYS", where)
    )


def read_first_row(place: Place, table: sa.Table) -> Row:
    with place.store.begin_read() as transaction:
        query = sa.select(table).order_by(*table.primary_key.columns).limit(1)
        return dict(transaction.connection.execute(query).mappings().one())


def fill(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a row in every table."""
    monkeypatch.setattr(controller, "CHECKPOINT_EVERY", 1)
    place.alter("UPDATE balance SET units = units + 1")
    with pytest.raises(LedgerError):
        place.controller.verify()
    place.alter("UPDATE balance SET units = units - 1")
    place.controller.verify()


def find_fault(place: Place) -> bool:
    """Return whether a verification finds a fault, or a start does."""
    other = Controller(Store(place.url), place.signer, may_be_closed=True)
    fault = other.find_fault()
    try:
        other.verify()
    except LedgerError:
        return True
    finally:
        other.store.close()
    return fault is not None


@pytest.mark.more
def test_another_value_in_any_column_is_found(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(place, monkeypatch)
    tables = [table for table in metadata.sorted_tables if table.name not in ELSEWHERE]
    columns = [column for table in tables for column in table.columns if str(column) not in UNCOVERED]
    assert len(columns) > 50
    for column in columns:
        row = read_first_row(place, column.table)
        other = f"x{row[column.name]}" if isinstance(row[column.name], str) else row[column.name] + 1_000_000
        forged = {**row, column.name: other}
        place.alter(write_update(column.table, row, forged))
        assert find_fault(place), column
        place.alter(write_update(column.table, forged, row))
        place.controller.verify()


def spoil(place: Place, column: sa.Column[Any], value: str) -> None:
    """Write what the database itself would refuse into a column, as changed bits of its file do."""
    name = column.table.name
    with closing(sqlite3.connect(place.url.removeprefix("sqlite:///"))) as file, file:
        (written,) = file.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    loose = written.replace("NOT NULL", "").replace("STRICT", "")
    rewrite_schema(place, name, loose)
    update = "UPDATE TABLE SET COLUMN = VALUE WHERE rowid = (SELECT min(rowid) FROM TABLE)"
    place.alter(update.replace("TABLE", name).replace("COLUMN", column.name).replace("VALUE", value))
    rewrite_schema(place, name, written)


def rewrite_schema(place: Place, name: str, written: str) -> None:
    with closing(sqlite3.connect(place.url.removeprefix("sqlite:///"))) as file, file:
        file.execute("PRAGMA writable_schema = ON")
        file.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (written, name))


@pytest.mark.more
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.parametrize("value", ["NULL", "7", "x'ff'"])
def test_what_no_column_can_hold_is_damage(place: Place, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    fill(place, monkeypatch)
    whole = Path(place.url.removeprefix("sqlite:///")).read_bytes()
    tables = [table for table in metadata.sorted_tables if table.name not in ELSEWHERE]
    for column in (column for table in tables for column in table.columns if str(column) not in UNCOVERED):
        whole_number = isinstance(column.type, WholeNumber)
        if whole_number and (value == "7" or column.primary_key):  # the latter are row numbers, which are numbers
            continue
        spoil(place, column, value)
        assert find_fault(place), column
        place.store.engine.dispose()
        Path(place.url.removeprefix("sqlite:///")).write_bytes(whole)
