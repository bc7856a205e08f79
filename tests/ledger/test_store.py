"""What a ledger must do on SQLite and on PostgreSQL alike."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from pitboss.ledger import schema
from pitboss.ledger.award_records import AwardRevision, append_award_records
from pitboss.ledger.chain import (
    GENESIS_HASH,
    Checkpoint,
    CommandAnswer,
    Contribution,
    EntryDraft,
    LedgerHead,
    LedgerPosting,
    compute_hash,
    find_chain_fault,
)
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction, _get_latest_version
from refusals import refusal

BALANCED = (LedgerPosting("bank", "seed", 5), LedgerPosting("cage", "seed", -5))
WAGER = Contribution(1, 1, 3, 100)


def draft(*postings: LedgerPosting, kind: str = "seed", contributions: tuple[Contribution, ...] = ()) -> EntryDraft:
    """Return an entry to add."""
    return EntryDraft("2026-01-01T00:00:00.000000+00:00", "ann", kind, '{"a":1}', 5, 2, postings, contributions)


def add(store: Store, *drafts: EntryDraft) -> None:
    """Add entries in one transaction."""
    store.run_write(lambda transaction: transaction.append_entries(drafts))


def answer(key: str) -> CommandAnswer:
    """Return an answer to keep."""
    return CommandAnswer(0, key, "c" * 64, "now", "ann", "done", "", 0, 0, "", "")


def test_entries_come_back_as_they_were_written_each_behind_the_one_before(store: Store) -> None:
    add(store, draft(*BALANCED), draft(kind="empty"))
    add(store, draft(LedgerPosting("a", "b", 2**62), LedgerPosting("a", "c", -(2**62)), contributions=(WAGER,)))
    with store.begin_read() as transaction:
        entries = tuple(transaction.read_entries())
        head = transaction.get_head()
        later = tuple(transaction.read_entries(after=2))
    assert [entry.sequence for entry in entries] == [1, 2, 3]
    assert entries[0].postings == BALANCED
    assert entries[2].contributions == (WAGER,)
    assert later == entries[2:]
    previous = GENESIS_HASH
    for place, entry in enumerate(entries, 1):
        assert find_chain_fault(entry, place, previous) == ""
        previous = entry.hash
    assert head == LedgerHead(3, entries[2].hash)


def test_a_long_ledger_is_read_in_pieces(store: Store) -> None:
    add(store, *(draft(*BALANCED) for _ in range(1_002)))
    with store.begin_read() as transaction:
        assert [entry.sequence for entry in transaction.read_entries(1)] == list(range(2, 1_003))
        assert transaction.read_balances() == {("bank", "seed"): 5_010, ("cage", "seed"): -5_010}


def test_an_empty_ledger_has_the_head_of_the_beginning(store: Store) -> None:
    with store.begin_read() as transaction:
        assert (transaction.get_head(), tuple(transaction.read_entries()), transaction.read_balances()) == (
            LedgerHead(),
            (),
            {},
        )
        assert transaction.find_answer("none") is None


def count_parts(transaction: Transaction) -> tuple[int, int]:
    """Return the numbers of postings and contributions."""
    postings, contributions = (
        int(transaction.connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
        for table in (schema.posting, schema.contribution)
    )
    return postings, contributions


def test_an_entry_that_does_not_balance_is_refused_by_the_database(store: Store) -> None:
    with pytest.raises(LedgerError, check=refusal("database-unreachable")):
        add(store, draft(*BALANCED), draft(LedgerPosting("bank", "seed", 5), LedgerPosting("cage", "seed", -4)))
    with store.begin_read() as transaction:
        assert transaction.get_head() == LedgerHead()  # nor was the one before it written
        assert count_parts(transaction) == (0, 0)


def test_a_wager_is_taken_once_for_a_seat_of_a_round_of_a_table(store: Store) -> None:
    add(store, draft(contributions=(WAGER,)))
    with pytest.raises(LedgerError, check=refusal("database-unreachable")):
        add(store, draft(contributions=(WAGER,)))
    add(store, draft(contributions=(WAGER._replace(seat=4),)))
    with store.begin_read() as transaction:
        assert count_parts(transaction) == (0, 2)


@pytest.mark.parametrize("table", schema.APPEND_ONLY_TABLES)
@pytest.mark.parametrize("act", ["UPDATE {} SET {} = {}", "DELETE FROM {}"])
def test_rows_are_only_added(store: Store, table: str, act: str) -> None:
    add(store, draft(*BALANCED, contributions=(WAGER,)))
    store.run_write(lambda transaction: transaction.append_answer(answer("key-0001")))
    store.run_write(lambda transaction: transaction.append_checkpoint(Checkpoint(1, "head", "state", "signature")))
    store.run_write(lambda transaction: transaction.append_to_stream("table-1", 1, 1, is_snapshot=True))
    record = AwardRevision(1, 1, 1, 1, "pending", "{}")
    store.run_write(lambda transaction: append_award_records(transaction, [record]))
    unverified = {"number": 1, "at": "", "code": "", "message": ""}
    store.run_write(lambda transaction: transaction.connection.execute(sa.insert(schema.verification), unverified))
    column = next(iter(schema.metadata.tables[table].columns)).name
    with pytest.raises(sa.exc.DBAPIError, match="rows are only added"), store.engine.begin() as connection:
        connection.exec_driver_sql(act.format(table, column, column))


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("INSERT INTO posting VALUES (1, 9, 'bank', 'seed', 0)", "nothing is added to an entry that stands"),
        ("INSERT INTO contribution VALUES (9, 9, 9, 100, 1)", "nothing is added to an entry that stands"),
        ("INSERT INTO entry VALUES (3, '', '', '', '', 0, 0, '', '{hash}', '')", "an entry must follow the last one"),
        ("INSERT INTO entry VALUES (2, '', '', '', '', 0, 0, '', 'x', '')", "an entry must follow the last one"),
        ("INSERT INTO answer VALUES (1, 'k', '', '', '', '', '', 0, 0, 'x', '')", "an answer must follow the last one"),
    ],
)
def test_what_does_not_follow_is_refused_by_the_database(store: Store, statement: str, why: str) -> None:
    add(store, draft(*BALANCED))
    with store.begin_read() as transaction:
        text = statement.format(hash=transaction.get_head().hash)
    with pytest.raises(sa.exc.DBAPIError, match=why), store.engine.begin() as connection:
        connection.exec_driver_sql(text)


def test_a_posting_of_no_entry_is_refused_by_the_database(store: Store) -> None:
    with pytest.raises(sa.exc.IntegrityError), store.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO posting VALUES (7, 1, 'bank', 'seed', 0)")


def test_work_that_fails_leaves_nothing(store: Store) -> None:
    def fails(transaction: Transaction) -> None:
        transaction.append_entries([draft(*BALANCED)])
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.run_write(fails)
    with store.begin_read() as transaction:
        assert count_parts(transaction) == (0, 0)


def test_answers_are_chained_and_kept_once_for_a_key(store: Store) -> None:
    first = store.run_write(lambda transaction: transaction.append_answer(answer("key-0001")))
    second = store.run_write(lambda transaction: transaction.append_answer(answer("key-0002")))
    assert (first.number, second.number, second.previous) == (1, 2, first.hash)
    assert second.hash == compute_hash(second)
    with store.begin_read() as transaction:
        assert transaction.find_answer("key-0002") == second
        assert transaction.read_answer_page(1) == [second]
    with pytest.raises(LedgerError):
        store.run_write(lambda transaction: transaction.append_answer(answer("key-0001")))


def test_writers_stand_in_a_queue_and_none_is_turned_away(store: Store) -> None:
    def write(_number: int) -> None:
        add(store, draft(*BALANCED))

    with ThreadPoolExecutor(8) as crew:
        list(crew.map(write, range(80)))
    with store.begin_read() as transaction:
        assert transaction.get_head().sequence == 80
        assert transaction.read_balances()["bank", "seed"] == 400


def test_a_ledger_is_found_again_and_made_again_without_harm(store: Store, url: str) -> None:
    add(store, draft(*BALANCED))
    for again in (Store(url), Store.open_or_create(url)):
        with again.begin_read() as transaction:
            assert transaction.get_head().sequence == 1
        again.close()


def test_the_migrations_make_the_tables_that_the_program_knows(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []


def test_a_ledger_of_another_version_is_not_opened(store: Store, url: str) -> None:
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(LedgerError, check=refusal("other-version", current="9999", latest=_get_latest_version())):
        Store(url)


def test_there_must_be_a_ledger(url: str) -> None:
    with pytest.raises(LedgerError, check=refusal("no-ledger")):
        Store(url)
