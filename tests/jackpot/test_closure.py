"""A closure is opened by a verification that passed, and by nothing else; nobody without the key closes one quietly."""

import pytest
import sqlalchemy as sa

from jackpot.tellers import step
from jackpot.test_covered import Place, place
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.key_changes import revoke_keys, rotate_keys
from pitboss.jackpot.roles import Actor, Role
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import verification
from pitboss.ledger.store import Store
from refusals import refusal

__all__ = ["place"]

NOT_SIGNED = refusal("verification-not-signed")
DAMAGE = "UPDATE entry SET actor = 'eva' WHERE sequence = 4"
REPAIR = "UPDATE entry SET actor = 'officer' WHERE sequence = 4"
COLUMNS = {
    "number": 99,
    "at": "2026-01-01T00:00:00+00:00",
    "code": "",
    "message": "",
    "head": "0",
    "signature": "00",
}
"""Another value of each column of a row that says that a verification failed."""


def close(place: Place) -> None:
    with place.store.begin_read() as transaction:
        actor = list(transaction.read_entries())[3].actor
    place.alter(DAMAGE)
    with pytest.raises(LedgerError, check=refusal("chain-broken")):
        place.controller.verify()
    place.alter(REPAIR.replace("officer", actor))


def find_faults(place: Place) -> set[str]:
    """Return why the running controller and a new one are closed, "" where one is open."""
    store = Store(place.url)
    faults = (place.controller.find_fault(), Controller(store, place.signer).find_fault())
    store.close()
    return {fault.code if fault else "" for fault in faults}


def test_every_column_of_a_closure_is_signed(place: Place) -> None:
    assert set(COLUMNS) == {column.name for column in verification.c}
    close(place)
    with place.store.begin_read() as transaction:
        row = dict(transaction.connection.execute(sa.select(verification)).mappings().one())
    for name, value in COLUMNS.items():
        place.alter("DELETE FROM verification")
        with place.store.engine.begin() as connection:
            if name != "number":
                connection.execute(sa.insert(verification), {**row, name: value})
        if name == "number":
            place.alter(_insert({**row, name: value}))
        store = Store(place.url)
        fault = Controller(store, place.signer).find_fault()
        store.close()
        assert fault, name
        assert fault.code == "verification-not-signed", name
        assert place.controller.find_fault()


def _insert(row: dict[str, object]) -> str:
    values = ", ".join(f"'{value}'" if isinstance(value, str) else str(value) for value in row.values())
    return "INSERT INTO verification VALUES (ROW)".replace("ROW", values.replace("%", "%%"))


@pytest.mark.parametrize("result", [("", ""), ("chain-broken", "invented")])
def test_a_row_inserted_without_the_key_opens_nothing_and_is_said_to_be_none(
    place: Place, result: tuple[str, str]
) -> None:
    """It closes an open ledger, too: somebody writes to its tables who should not."""
    other = Controller(Store(place.url), place.signer)
    for number in (1, 3):
        row = {"number": number, "at": "2026-01-01T00:00:00+00:00", "head": "", "signature": ""}
        with place.store.engine.begin() as connection:
            connection.execute(sa.insert(verification), {**row, "code": result[0], "message": result[1]})
        assert find_faults(place) == {"verification-not-signed"}
        with pytest.raises(LedgerError, check=NOT_SIGNED):
            other.execute(*step(3), "closed-00001")
        place.controller.verify()
        assert find_faults(place) == {""}
    other.execute(*step(3), "opened-00001")
    other.store.close()


def test_a_signed_row_opens_once_and_at_its_place(place: Place) -> None:
    """A row that once opened the ledger, put behind a later closure, is that of another number."""
    close(place)
    place.controller.verify()
    close(place)
    with place.store.begin_read() as transaction:
        rows = [dict(row) for row in transaction.connection.execute(sa.select(verification)).mappings()]
    assert [row["code"] for row in rows] == ["chain-broken", "", "chain-broken"]
    with place.store.engine.begin() as connection:
        connection.execute(sa.insert(verification), {**rows[1], "number": 4})
    assert "" not in find_faults(place)


def test_rows_that_are_removed_open_no_controller_that_has_seen_them(place: Place) -> None:
    other = Controller(Store(place.url), place.signer)
    close(place)
    assert other.find_fault()
    place.alter("DELETE FROM verification")
    with pytest.raises(LedgerError, check=NOT_SIGNED):
        other.refresh()
    other.verify()
    other.refresh()
    other.store.close()


def test_an_opened_ledger_stays_open_when_its_key_is_rotated_and_revoked(place: Place) -> None:
    close(place)
    place.controller.verify()
    eve = Actor("eve", Role.EXECUTIVE)
    rotate_keys(place.controller, eve)
    revoke_keys(place.controller, eve, 1)
    assert find_faults(place) == {""}


def test_the_database_refuses_a_number_that_does_not_follow(place: Place) -> None:
    row = {**COLUMNS, "number": 2**62}
    with pytest.raises(sa.exc.DBAPIError, match="must follow the last one"), place.store.engine.begin() as connection:
        connection.execute(sa.insert(verification), row)
