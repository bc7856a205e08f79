"""How a database is set, and what is refused; what a signature shows."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.databases import postgresql, sqlite
from pitboss.ledger import database
from pitboss.ledger.chain import LedgerHead
from pitboss.ledger.database import choose_journal, make_engine
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer, read_head, sign_head
from pitboss.ledger.store import Store
from refusals import refusal


def test_the_journal_goes_by_the_version_of_sqlite() -> None:
    assert choose_journal((3, 51, 2)) == ("delete", 3)
    assert choose_journal((3, 52, 0)) == ("wal", 2)


def test_a_new_file_is_its_owners_alone_and_one_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    new, shared = tmp_path / "new.db", tmp_path / "shared.db"
    shared.touch(mode=0o640)
    for path, mode in ((new, 0o600), (shared, 0o640)):
        store = Store.open_or_create(f"sqlite:///{path}")
        with store.engine.begin() as connection:
            connection.exec_driver_sql("INSERT INTO session VALUES ('token', 'ann', 1, 1)")
            kept = {each.stat().st_mode & 0o777 for each in tmp_path.glob(f"{path.name}*")}
        store.close()
        assert kept == {mode}


JOURNALS: dict[tuple[int, ...], tuple[str, int]] = {(0,): ("wal", 2), (99,): ("delete", 3)}
"""What is set where the version of SQLite is late enough for a write-ahead log, and where it is not."""


def set_in(file: Path) -> tuple[str, int, int, int]:
    """Return what a ledger's connection has set, and how its file says it is to be read."""
    store = Store(f"sqlite:///{file}")
    with store.engine.connect() as connection:
        journal, synchronous = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in SET)
    store.close()
    return str(journal), int(synchronous), *file.read_bytes()[18:20]


SET = ("journal_mode", "synchronous")


@pytest.mark.parametrize("since", JOURNALS)
@pytest.mark.parametrize("before", ["wal", "delete", "truncate"])
def test_every_start_sets_the_journal_anew_whatever_the_file_had(
    since: tuple[int, ...], before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAL_SINCE", since)
    file = tmp_path / "ledger.db"
    Store.open_or_create(f"sqlite:///{file}").close()
    with closing(sqlite3.connect(file)) as other:
        other.execute(f"PRAGMA journal_mode={before}")
    written = 2 if JOURNALS[since][0] == "wal" else 1
    assert set_in(file) == (*JOURNALS[since], written, written)


def test_a_ledger_that_another_program_holds_in_another_journal_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAL_SINCE", (99,))
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 1)
    file = tmp_path / "ledger.db"
    Store.open_or_create(f"sqlite:///{file}").close()
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA journal_mode=wal")
        other.execute("SELECT count(*) FROM entry").fetchone()
        with pytest.raises(LedgerError, check=refusal("database-unreachable")):
            Store(f"sqlite:///{file}")
    assert set_in(file) == ("delete", 3, 1, 1)


def test_an_sqlite_that_could_lose_what_was_answered_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = sqlite(tmp_path)
    Store.open_or_create(url).close()

    def careless(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA synchronous=NORMAL")

    monkeypatch.setattr(database, "_set_sqlite", careless)
    with pytest.raises(LedgerError, check=refusal("unsafe-database", name="synchronous", value=3)):
        Store(url)


def test_a_postgresql_that_could_lose_what_was_answered_is_not_opened(tmp_path: Path) -> None:
    url = postgresql(tmp_path)
    Store.open_or_create(url).close()
    engine = make_engine(url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"ALTER DATABASE {engine.url.database} SET synchronous_commit = off")
    engine.dispose()
    with pytest.raises(LedgerError, check=refusal("unsafe-database", name="synchronous_commit", value="on")):
        Store(url)


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", "sqlite+aiosqlite:///x"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(LedgerError, check=refusal("unknown-database")):
        make_engine(url)


def test_a_driver_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(LedgerError, check=refusal("not-installed")):
        make_engine("postgresql+psycopg://nowhere/none")


def test_a_database_that_does_not_answer_closes_the_tables(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, check=refusal("database-unreachable")):
        Store(f"sqlite:///{tmp_path / 'no folder' / 'x.db'}")
    with pytest.raises(LedgerError, check=refusal("database-unreachable")):
        Store.open_or_create(f"sqlite:///{tmp_path / 'no folder' / 'x.db'}")
    (tmp_path / "no.db").write_bytes(b"this is not a database at all, whatever its name may say " * 20)
    with pytest.raises(LedgerError, check=refusal("database-unreachable")):
        Store(f"sqlite:///{tmp_path / 'no.db'}")


def test_a_file_whose_damage_is_told_in_bytes_that_are_no_text_closes_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = sqlite(tmp_path)
    Store.open_or_create(url).close()

    def damaged(_connection: Any, _record: Any) -> None:
        b"malformed \xee".decode("utf-8")

    monkeypatch.setattr(database, "_set_sqlite", damaged)
    with pytest.raises(LedgerError, check=refusal("database-unreachable")):
        Store(url)


def test_a_head_is_signed_and_read_again(tmp_path: Path) -> None:
    signer = Signer.load_or_create(tmp_path / "key")
    assert Signer.load_or_create(tmp_path / "key").public_key == signer.public_key  # an old key is kept
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    head = LedgerHead(7, "a" * 64, 9, "b" * 64)
    text = sign_head(head, "now", signer)
    assert read_head(text, signer.public_key) == head
    other = Signer.load_or_create(tmp_path / "other")
    for spoilt, public in ((text.replace("7", "8", 1), signer.public_key), (text, other.public_key)):
        with pytest.raises(LedgerError, check=refusal("head-not-signed")):
            read_head(spoilt, public)
    for nothing in ("", "{}", "[]", "7"):
        with pytest.raises(LedgerError, check=refusal("invalid-head")):
            read_head(nothing, signer.public_key)


def test_a_key_that_is_missing_or_no_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").touch(mode=0o600)
    (tmp_path / "key").write_text("nonsense")
    for name, code in (("key", "no-signing-key"), ("none", "no-key-file")):
        with pytest.raises(LedgerError, check=refusal(code)):
            Signer(tmp_path / name)
