"""Every SQL call of a round fails once, or from then on; every kind of alteration of what is kept is found."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy
from typing import Any, NamedTuple

import numpy as np
import pytest
import sqlalchemy as sa

from jackpot.house import DEALER, EXECUTIVE, settings
from jackpot.tellers import STEPS, step
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.errors import RefusalError
from pitboss.ledger import schema
from pitboss.ledger.chain import Entry, LedgerHead
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

BY_ENTRY = (schema.posting, schema.contribution, schema.award_record)
ALTERED = ("entry", "answer", "balance")
ROW = sa.literal_column("rowid", sa.Integer).label("rowid")


class LostError(Exception):
    """What a driver says, with the state that databases give."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__("the link is lost")
        self.sqlstate = sqlstate


class Failing:
    """The SQL calls of an engine: counted, and those from number ``first`` to ``last`` fail."""

    def __init__(self, engine: sa.Engine) -> None:
        self.calls = 0
        self.first = self.last = 0
        self.why = ""
        sa.event.listen(engine, "before_cursor_execute", self._call)
        sa.event.listen(engine, "commit", self._call)

    def _call(self, *_arguments: Any) -> None:
        self.calls += 1
        if self.first <= self.calls <= self.last:
            raise sa.exc.OperationalError("a call", {}, LostError(self.why))

    @contextmanager
    def failing(self, first: int, last: int, why: str = "") -> Iterator[None]:
        """Let calls fail, counted from now."""
        self.calls, self.first, self.last, self.why = 0, first, last, why
        yield
        self.first = self.last = 0


class Bench(NamedTuple):
    """A progressive in memory whose calls can fail."""

    store: Store
    signer: Signer
    controller: Controller
    calls: Failing

    def round(self) -> None:
        """Play a round; where the ledger does not answer, ask again with the same key from another process."""
        for number in range(STEPS):
            try:
                self.controller.execute(*step(number), f"step-{number}")
            except LedgerError:
                Controller(self.store, self.signer).execute(*step(number), f"step-{number}")


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer.load_or_create(tmp_path / "key")


def bench(signer: Signer) -> Bench:
    """Set a progressive up."""
    store = Store.open_or_create("sqlite://")
    controller = Controller(store, signer)
    controller.create(settings(), EXECUTIVE.name)
    return Bench(store, signer, controller, Failing(store.engine))


@pytest.fixture
def calls_of_a_round(signer: Signer) -> int:
    at = bench(signer)
    at.round()
    at.store.close()
    return at.calls.calls


def final(at: Bench) -> Any:
    """Return what is true in the end, times left out."""
    state = Controller(at.store, at.signer).verify().state
    at.store.close()
    return state


@pytest.mark.more
@pytest.mark.parametrize(("why", "every"), [("", 1), ("40001", 5)])
def test_a_round_in_which_one_call_fails_once_is_completed(
    signer: Signer, calls_of_a_round: int, why: str, every: int
) -> None:
    right = bench(signer)
    right.round()
    expected = final(right)
    for number in range(1, calls_of_a_round + 1, every):
        at = bench(signer)
        with at.calls.failing(number, number, why):
            at.round()
        assert final(at) == expected


@pytest.mark.more
def test_a_call_that_fails_for_good_leaves_the_state_before_or_after_its_command(
    signer: Signer, calls_of_a_round: int
) -> None:
    states = [bench(signer)]
    expected = [Controller(states[0].store, signer).state]
    for number in range(STEPS):
        Controller(states[0].store, signer).execute(*step(number), f"step-{number}")
        expected.append(Controller(states[0].store, signer).state)
    states[0].store.close()
    for first in range(1, calls_of_a_round + 1, 3):
        at = bench(signer)
        with at.calls.failing(first, 10**9), pytest.raises(LedgerError):
            at.round()
        assert final(at) in expected


def test_a_refusal_that_could_not_be_written_is_no_answer(signer: Signer) -> None:
    at = bench(signer)
    controller = Controller(at.store, signer)
    with at.calls.failing(1, 10**9), pytest.raises(LedgerError, check=refusal("database-unreachable")):
        controller.execute(step(1)[0], DEALER, "too-early")
    with pytest.raises(RefusalError):
        controller.execute(step(1)[0], DEALER, "too-early")
    at.store.close()


class Kept(NamedTuple):
    """A ledger in a file, with a head that was exported and its entries as they were."""

    file: Path
    signer: Signer
    head: LedgerHead
    entries: tuple[Entry, ...]

    def found(self, file: Path) -> bool:
        """Return whether the whole check finds that something is wrong."""
        try:
            store = Store(f"sqlite:///{file}")
        except LedgerError:
            return True
        try:
            Controller(store, self.signer).verify(self.head)
        except LedgerError:
            return True
        finally:
            store.close()
        return False


@pytest.fixture
def kept(tmp_path: Path, signer: Signer) -> Kept:
    file = tmp_path / "ledger.db"
    store = Store.open_or_create(f"sqlite:///{file}")
    controller = Controller(store, signer)
    controller.create(settings(), EXECUTIVE.name)
    for number in range(2 * STEPS):
        controller.execute(*step(number), f"step-{number:04}")
    with store.begin_read() as transaction:
        made = Kept(file, signer, transaction.get_head(), tuple(transaction.read_entries()))
    store.close()
    assert not made.found(file)
    return made


def cut_tail(database: sa.Connection, last: int) -> int:
    """Take everything after an entry away, so that what is left is in order."""
    numbers = {schema.entry: "sequence", **dict.fromkeys(BY_ENTRY, "entry")}
    for table, number in numbers.items():
        database.execute(sa.delete(table).where(table.c[number] > last))
    database.execute(sa.delete(schema.answer).where(schema.answer.c.last > last))
    database.execute(sa.delete(schema.balance))
    columns = schema.posting.c
    sums = sa.select(columns.account, columns.purpose, sa.func.sum(columns.units)).group_by(
        columns.account, columns.purpose
    )
    database.execute(sa.insert(schema.balance).from_select(["account", "purpose", "units"], sums))
    return last


def altered(file: Path, chance: np.random.Generator) -> str:
    """Alter something that is kept, as somebody could who has all rights; say what."""
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as database:
        database.exec_driver_sql("PRAGMA synchronous=OFF")
        guards = database.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
        for guard in guards:
            database.exec_driver_sql(f"DROP TRIGGER {guard.name}")
        table = schema.metadata.tables[str(chance.choice([*ALTERED, *(each.name for each in BY_ENTRY)]))]
        rows = database.execute(sa.select(ROW, *table.columns)).all()
        entries = database.execute(sa.select(sa.func.max(schema.entry.c.sequence))).scalar_one()
        row, other = (rows[int(chance.integers(len(rows)))] for _ in range(2))
        column = list(table.columns)[int(chance.integers(len(table.columns)))]
        value, others = (each._asdict()[column.name] for each in (row, other))
        where = f"{table.name} row {row.rowid} {column.name}"
        match int(chance.integers(6)):
            case 0:
                database.execute(sa.delete(table).where(row.rowid == ROW))
                where = f"deleted {where}"
            case 1:
                where = f"cut at entry {cut_tail(database, int(chance.integers(1, entries)))}"
            case 2:
                fresh = next(iter(table.primary_key.columns)).name
                added = {**row._asdict(), fresh: 10**6 if isinstance(row._asdict()[fresh], int) else "more"}
                database.execute(sa.insert(table), {**added, **({"key": "more"} if "key" in added else {})})
                where = f"inserted another {where}"
            case 3 if value != others and not column.primary_key and not column.unique:
                for to, new in ((row, others), (other, value)):
                    database.execute(sa.update(table).where(to.rowid == ROW).values({column: new}))
                where = f"swapped {where} with row {other.rowid}"
            case _:
                new = value + 1_000 if isinstance(value, int) else f"{value[:-1]}~"
                database.execute(sa.update(table).where(row.rowid == ROW).values({column: new}))
        for guard in guards:
            database.exec_driver_sql(guard.sql)
    engine.dispose()
    return where


def all_are_found(kept: Kept, edits: int, seed: int) -> None:
    """Alter copies of a ledger."""
    chance = np.random.default_rng(seed)
    for _ in range(edits):
        copied = kept.file.with_name("altered.db")
        copy(kept.file, copied)
        what = altered(copied, chance)
        assert kept.found(copied), what


@pytest.mark.more
def test_whatever_is_altered_is_found(kept: Kept) -> None:
    all_are_found(kept, 80, seed=1)


@pytest.mark.long
def test_ten_thousand_alterations_are_found(kept: Kept) -> None:
    all_are_found(kept, 10_000, seed=2)


def flipped_bytes_are_found_or_change_no_entry(kept: Kept, flips: int, seed: int) -> None:
    """Flip bytes of the file."""
    chance = np.random.default_rng(seed)
    content = kept.file.read_bytes()
    for _ in range(flips):
        spoilt = bytearray(content)
        place = int(chance.integers(len(spoilt)))
        spoilt[place] ^= 1 << int(chance.integers(8))
        copied = kept.file.with_name("flipped.db")
        copied.write_bytes(spoilt)
        if kept.found(copied):
            continue
        store = Store(f"sqlite:///{copied}")
        with store.begin_read() as transaction:
            assert tuple(transaction.read_entries()) == kept.entries, place
        store.close()


@pytest.mark.more
def test_a_byte_of_the_file_that_is_flipped_is_found_or_changes_no_entry(kept: Kept) -> None:
    flipped_bytes_are_found_or_change_no_entry(kept, 100, seed=3)


@pytest.mark.long
def test_ten_thousand_flipped_bytes_are_found_or_change_no_entry(kept: Kept) -> None:
    flipped_bytes_are_found_or_change_no_entry(kept, 10_000, seed=4)


def test_a_ledger_written_anew_is_found_by_the_head_that_was_exported(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / "anew.db"
    store = Store.open_or_create(f"sqlite:///{file}")
    controller = Controller(store, kept.signer)
    controller.create(settings(seed_cents=2_000_000), EXECUTIVE.name)
    for number in range(2 * STEPS):
        controller.execute(*step(number), f"step-{number:04}")
    assert controller.verify().checked_entries == len(kept.entries)  # by itself it holds
    store.close()
    assert kept.found(file)
