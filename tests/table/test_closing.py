"""Tables that nobody comes back to are closed: at which time, with which chips, and what of them stays."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.core.errors import IllegalActionError
from pitboss.games import load_games
from pitboss.ledger.chain import EntryDraft
from pitboss.ledger.store import Transaction
from pitboss.table import idle_tables
from pitboss.table.idle_tables import IdleTableSweep
from pitboss.table.repository import format_time
from pitboss.table.service import TableService
from pitboss.table.session import (
    HOUSE,
    BetStake,
    CloseTable,
    DealRound,
    LeaveSeat,
    Phase,
    PlaceWagers,
    ProgressiveLink,
    TableSession,
    TableTerms,
    TakeSeat,
)
from pitboss.table.session.available_wagers import list_available_wagers
from pitboss.table.table_queries import (
    add,
    count_entries_of_newest,
    list_opened_after,
    list_opened_by,
    list_tables_of,
)
from refusals import refusal

HOUR = 3600
BEGINNING = 1_800_000_000


class Hall:
    """Tables whose clock stands until it is moved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seconds = BEGINNING
        self.keys = 0
        self.tables = self.again()

    def again(self) -> TableService:
        """Return the tables as after a start."""
        return TableService.connect(
            f"sqlite:///{self.folder / 'tables.db'}", self.folder / "key", clock=lambda: self.seconds
        )

    def key(self) -> str:
        """Return a key that was not used yet."""
        self.keys += 1
        return f"key-{self.keys:05}"

    def opened(self, name: str, terms: TableTerms, by: str = "guest-ann") -> TableSession:
        """Open a table at which somebody sits, with a bot beside."""
        now = self.tables.open_table(name, terms, self.key(), by)
        stakes = least(now)
        self.tables.execute(name, TakeSeat(seat=1, cents=1_000_000, name="Ann"), by, self.key())
        bot = TakeSeat(seat=2, cents=1_000_000, bot="practical", standing=stakes)
        return self.tables.execute(name, bot, HOUSE, self.key()).session

    def dealt(self, name: str, by: str = "guest-ann") -> TableSession:
        """Have a round dealt, in which the guest has something to decide or not."""
        now = self.tables.get_session(name)
        self.tables.execute(name, PlaceWagers(seat=1, stakes=least(now)), by, self.key())
        return self.tables.execute(name, DealRound(), by, self.key()).session


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Tables for a test."""
    made = Hall(tmp_path)
    yield made
    made.tables.close()


def least(now: TableSession) -> tuple[BetStake, ...]:
    """Return ten dollars on all that has to be staked."""
    return tuple(
        BetStake(bet=each["bet"], cents=1_000) for each in list_available_wagers(now) if each["status"] == "mandatory"
    )


def balanced(now: TableSession) -> bool:
    """Return whether all chips are with those who bought them, the house or a meter."""
    standing = now.snapshot
    return standing.bought_cents - standing.changed_cents == standing.house_cents + sum(
        held.chips_cents for held in standing.seats.values()
    )


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("seconds", [0, 30])
@pytest.mark.parametrize("game", load_games())
def test_a_round_that_nobody_ends_is_played_out_and_its_table_closed(game: str, seconds: int, hall: Hall) -> None:
    for fair in (False, True):
        name = f"t-{fair}".lower()
        hall.opened(name, TableTerms(game=game, wager_seconds=seconds, decide_seconds=seconds, fair=fair))
        hall.dealt(name)
    sweep = IdleTableSweep(hall.tables)
    hall.seconds += 24 * HOUR - 1
    assert sweep.close_next_batch(hall.seconds) == []
    hall.seconds += 1
    assert sweep.close_next_batch(hall.seconds) == ["t-false", "t-true"]
    assert hall.tables.list_names() == ()
    hall.tables.verify()
    for tables in (hall.tables, hall.again()):
        for name in ("t-false", "t-true"):
            now = tables.get_session(name)
            assert (now.is_closed, now.phase, dict(now.seats)) == (True, Phase.WAGERS, {})
            assert balanced(now)
            assert now.snapshot.number == 2
            steps = tables.list_round_sessions(name, 1)  # what was played stays readable
            assert steps[-1].is_settled
            assert tables.get_history(name, 1).actions is not None
            with pytest.raises(IllegalActionError, check=refusal("table-closed")):
                tables.execute(name, TakeSeat(seat=1, cents=100, name="Bob"), "guest-bob", f"late-{name}-{id(tables)}")
            assert tables.run_automation(name).is_closed
    assert hall.tables.list_opened_by("guest-ann") == ()


def test_a_table_where_nothing_was_ever_played_is_closed_after_an_hour(hall: Hall) -> None:
    hall.opened("unplayed", TableTerms(game="six-card"))
    hall.opened("played", TableTerms(game="lunar", decide_seconds=0))
    hall.dealt("played")
    sweep = IdleTableSweep(hall.tables)
    hall.seconds += HOUR - 1
    assert sweep.close_next_batch(hall.seconds) == []
    hall.seconds += 1
    assert sweep.close_next_batch(hall.seconds, frozenset({"unplayed"})) == []  # somebody looks at it
    assert sweep.close_next_batch(hall.seconds) == ["unplayed"]
    now = hall.tables.get_session("unplayed")
    assert now.snapshot.changed_cents == now.snapshot.bought_cents == 2_000_000


def test_a_table_whose_game_cannot_be_loaded_is_left_as_it_is_and_stops_no_sweep(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, game in (("a", "lunar"), ("b", "six-card"), ("c", "wild-52")):
        hall.opened(name, TableTerms(game=game))
        hall.dealt(name)
    hall.seconds += 25 * HOUR
    tables, loaded = hall.again(), {name: game for name, game in load_games().items() if name != "six-card"}
    with monkeypatch.context() as patch:
        patch.setattr("pitboss.games.load_games", lambda: loaded)
        patch.setattr("pitboss.games._load_own_game", loaded.get)
        assert IdleTableSweep(tables).close_next_batch(hall.seconds) == ["a", "c"]
    assert IdleTableSweep(hall.again()).close_next_batch(hall.seconds) == ["b"]


def test_whoever_does_something_keeps_a_table_open(hall: Hall) -> None:
    now = hall.opened("t1", TableTerms(game="six-card", decide_seconds=0))
    before = now.snapshot.sequence
    for _ in range(3):
        hall.seconds += 23 * HOUR
        hall.tables.execute("t1", TakeSeat(seat=1, cents=100), "guest-ann", hall.key())
    hall.dealt("t1")
    assert IdleTableSweep(hall.tables).close_next_batch(hall.seconds) == []
    hall.seconds += 25 * HOUR
    assert not idle_tables.close_idle_table(hall.tables, "t1", before)  # it has moved on since somebody looked
    assert not hall.tables.get_session("t1").is_closed


def test_only_the_house_closes_a_table(hall: Hall) -> None:
    hall.opened("t1", TableTerms(game="six-card", decide_seconds=0))
    with pytest.raises(IllegalActionError, check=refusal("house-only")):
        hall.tables.execute("t1", CloseTable(), "guest-ann", hall.key())
    hall.opened("t2", TableTerms(game="six-card", fair=True))
    stakes = least(hall.tables.get_session("t2"))
    hall.tables.execute("t2", PlaceWagers(seat=1, stakes=stakes, seed_hash="0" * 64), "guest-ann", hall.key())
    assert hall.tables.execute("t2", DealRound(), "guest-ann", hall.key()).session.phase is Phase.SEEDS
    with pytest.raises(IllegalActionError, check=refusal("round-waits")):
        hall.tables.execute("t2", CloseTable(), HOUSE, hall.key())
    hall.seconds += 25 * HOUR
    assert IdleTableSweep(hall.tables).close_next_batch(hall.seconds) == ["t1", "t2"]  # the seed was never shown
    assert all(balanced(hall.tables.get_session(name)) for name in ("t1", "t2"))


def test_a_table_that_plays_for_a_progressive_is_not_closed_by_time(hall: Hall) -> None:
    terms = TableTerms(game="six-card", linked=ProgressiveLink(table=1, version=1, ledger="x", dealer="dora"))
    hall.tables.open_table("linked-1", terms, hall.key())
    hall.tables.open_table("t1", TableTerms(game="six-card"), hall.key())
    hall.seconds += 1_000 * HOUR
    assert IdleTableSweep(hall.tables).close_next_batch(hall.seconds) == ["t1"]
    assert hall.tables.list_names() == ("linked-1",)


def test_a_sweep_looks_at_a_few_tables_and_goes_on_where_it_stopped(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idle_tables, "BATCH_SIZE", 2)
    for number in range(5):
        hall.tables.open_table(f"t{number}", TableTerms(game="six-card"), hall.key())
    hall.seconds += 2 * HOUR
    sweep = IdleTableSweep(hall.tables)
    found = [sweep.close_next_batch(hall.seconds) for _ in range(4)]
    assert found == [["t0", "t1"], ["t2", "t3"], ["t4"], []]
    assert hall.tables.list_names() == ()
    hall.tables.verify()


def test_a_table_that_was_left_stays_in_the_lobby_until_it_is_closed_and_is_then_gone(hall: Hall) -> None:
    hall.opened("t1", TableTerms(game="six-card"))
    hall.tables.execute("t1", LeaveSeat(seat=1), "guest-ann", hall.key())
    hall.opened("t2", TableTerms(game="six-card"), "guest-bob")
    assert [now.snapshot.table for now in hall.tables.list_latest(9)] == ["t2", "t1"]
    assert hall.tables.list_opened_by("guest-bob") == ("t2",)
    hall.seconds += HOUR
    IdleTableSweep(hall.tables).close_next_batch(hall.seconds, frozenset({"t2"}))
    assert [now.snapshot.table for now in hall.tables.list_latest(9)] == ["t2"]


def test_a_guest_finds_every_table_where_they_sat_the_latest_first(hall: Hall) -> None:
    for name in ("t1", "t2", "t3"):
        hall.opened(name, TableTerms(game="six-card"))
    hall.opened("t4", TableTerms(game="six-card"), "guest-bob")
    hall.tables.open_table("t5", TableTerms(game="six-card"), hall.key(), "guest-ann")  # opened, but sat nowhere
    hall.tables.execute("t1", TakeSeat(seat=1, cents=500), "guest-ann", hall.key())  # more chips
    hall.seconds += 24 * HOUR
    assert len(IdleTableSweep(hall.tables).close_next_batch(hall.seconds)) == 5
    for tables in (hall.tables, hall.again()):
        assert tables.list_tables_of("guest-ann", 9) == ("t1", "t3", "t2")
        assert tables.list_tables_of("guest-ann", 2) == ("t1", "t3")
        assert tables.list_tables_of("guest-bob", 9) == ("t4",)
        assert tables.list_tables_of("guest-eve", 9) == ()


def steps_taken(tables: TableService, most: int) -> int:
    """Return how many steps SQLite takes to answer what a lobby, a guest and a sweep ask."""
    taken = [0]

    def count() -> int:
        taken[0] += 1
        return 0

    with tables.store.begin_read() as transaction:
        driver = transaction.connection.connection.driver_connection
        assert driver is not None
        driver.set_progress_handler(count, 1)
        count_entries_of_newest(transaction, most)
        list_opened_by(transaction, "guest-ann")
        list_opened_after(transaction, 5, most)
        list_tables_of(transaction, "guest-ann", most)
        driver.set_progress_handler(None, 1)
    return taken[0]


@pytest.mark.more
def test_a_lobby_asks_no_more_of_many_tables_than_of_a_few(hall: Hall) -> None:
    for number in range(60):
        hall.tables.open_table(f"t{number}", TableTerms(game="six-card"), hall.key(), f"guest-{number}")
    hall.tables.open_table("own", TableTerms(game="six-card"), hall.key(), "guest-ann")
    few = steps_taken(hall.tables, 50)

    def many(transaction: Transaction) -> None:
        drafts = [EntryDraft(format_time(hall.seconds), HOUSE, "open", "{}", 0, 0)] * 3_000
        for written in transaction.append_entries(drafts):
            name = f"m{written.sequence}"
            transaction.append_to_stream(name, 1, written.sequence, is_snapshot=True)
            add(transaction, name, f"guest-{name}", written.sequence)
        others = [EntryDraft(format_time(hall.seconds), f"guest-{n}", "sit", "{}", 0, 0) for n in range(3_000)]
        for number, written in enumerate(transaction.append_entries(others), 2):
            transaction.append_to_stream("t1", number, written.sequence, is_snapshot=False)

    hall.tables.store.run_write(many)
    assert len(hall.tables.list_names()) == 3_061
    assert steps_taken(hall.tables, 50) < few + 500  # 3,000 more tables, and not a step for each


def test_tables_of_an_earlier_version_are_open_still(hall: Hall) -> None:
    for name in ("t1", "linked-1-abc", "t2"):
        hall.tables.open_table(name, TableTerms(game="six-card"), hall.key())
    before = hall.tables.list_names()
    with hall.tables.store.engine.begin() as connection:
        for table in ("live", "award_record", "signed_head", "verification"):
            connection.exec_driver_sql(f"DROP TABLE {table}")
        for index in ("ix_entry_at", "ix_answer_at", "ix_entry_sit"):
            connection.exec_driver_sql(f"DROP INDEX {index}")
        connection.exec_driver_sql("ALTER TABLE attempt DROP COLUMN place")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0003'")
    again = hall.again()
    assert again.list_names() == before == ("t1", "linked-1-abc", "t2")
    assert again.list_opened_by(HOUSE) == ("linked-1-abc",)
    assert [now.snapshot.table for now in again.list_latest(9)] == ["t2", "linked-1-abc", "t1"]
    again.close()
