"""Tables that nobody comes back to are closed: at which time, with which chips, and what of them stays."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.core.errors import IllegalActionError
from pitboss.games import load_games
from pitboss.ledger.chain import Draft
from pitboss.ledger.store import Transaction
from pitboss.table import closing
from pitboss.table.closing import Sweep
from pitboss.table.live import add, newest, opened_by, some
from pitboss.table.service import Tables
from pitboss.table.sitting import HOUSE, CloseTable, Deal, Leave, Link, Phase, Sit, Sitting, Stakes, Terms, Wager
from pitboss.table.sitting.offered import wagers_offered
from pitboss.table.store import moment

HOUR = 3600
BEGINNING = 1_800_000_000


class Hall:
    """Tables whose clock stands until it is moved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seconds = BEGINNING
        self.keys = 0
        self.tables = self.again()

    def again(self) -> Tables:
        """Return the tables as after a start."""
        return Tables.made(f"sqlite:///{self.folder / 'tables.db'}", self.folder / "key", clock=lambda: self.seconds)

    def key(self) -> str:
        """Return a key that was not used yet."""
        self.keys += 1
        return f"key-{self.keys:05}"

    def opened(self, name: str, terms: Terms, by: str = "guest-ann") -> Sitting:
        """Open a table at which somebody sits, with a bot beside."""
        now = self.tables.open(name, terms, self.key(), by)
        stakes = least(now)
        self.tables.do(name, Sit(seat=1, cents=1_000_000, name="Ann"), by, self.key())
        bot = Sit(seat=2, cents=1_000_000, bot="practical", standing=stakes)
        return self.tables.do(name, bot, HOUSE, self.key()).sitting

    def dealt(self, name: str, by: str = "guest-ann") -> Sitting:
        """Have a round dealt, in which the guest has something to decide or not."""
        now = self.tables.sitting(name)
        self.tables.do(name, Wager(seat=1, stakes=least(now)), by, self.key())
        return self.tables.do(name, Deal(), by, self.key()).sitting


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Tables for a test."""
    made = Hall(tmp_path)
    yield made
    made.tables.close()


def least(now: Sitting) -> tuple[Stakes, ...]:
    """Return ten dollars on all that has to be staked."""
    return tuple(Stakes(bet=each["bet"], cents=1_000) for each in wagers_offered(now) if each["status"] == "mandatory")


def balanced(now: Sitting) -> bool:
    """Return whether all chips are with those who bought them, the house or a meter."""
    standing = now.standing
    return standing.bought_cents - standing.changed_cents == standing.house_cents + sum(
        held.chips_cents for held in standing.seats.values()
    )


@pytest.mark.parametrize("seconds", [0, 30])
@pytest.mark.parametrize("game", load_games())
def test_a_round_that_nobody_ends_is_played_out_and_its_table_closed(game: str, seconds: int, hall: Hall) -> None:
    for fair in (False, True):
        name = f"t-{fair}".lower()
        hall.opened(name, Terms(game=game, wager_seconds=seconds, decide_seconds=seconds, fair=fair))
        hall.dealt(name)
    sweep = Sweep(hall.tables)
    hall.seconds += 24 * HOUR - 1
    assert sweep.close_some(hall.seconds) == []
    hall.seconds += 1
    assert sweep.close_some(hall.seconds) == ["t-false", "t-true"]
    assert hall.tables.names() == ()
    hall.tables.verify()
    for tables in (hall.tables, hall.again()):
        for name in ("t-false", "t-true"):
            now = tables.sitting(name)
            assert (now.closed, now.phase, dict(now.seats)) == (True, Phase.WAGERS, {})
            assert balanced(now)
            assert now.standing.number == 2
            steps = tables.sittings(name, 1)  # what was played stays readable
            assert steps[-1].paid
            assert tables.history(name, 1).actions is not None
            with pytest.raises(IllegalActionError, match="this table is closed: open another"):
                tables.do(name, Sit(seat=1, cents=100, name="Bob"), "guest-bob", f"late-{name}-{id(tables)}")
            assert tables.tend(name).closed
    assert hall.tables.opened_by("guest-ann") == ()


def test_a_table_where_nothing_was_ever_played_is_closed_after_an_hour(hall: Hall) -> None:
    hall.opened("unplayed", Terms(game="six-card"))
    hall.opened("played", Terms(game="lunar", decide_seconds=0))
    hall.dealt("played")
    sweep = Sweep(hall.tables)
    hall.seconds += HOUR - 1
    assert sweep.close_some(hall.seconds) == []
    hall.seconds += 1
    assert sweep.close_some(hall.seconds, frozenset({"unplayed"})) == []  # somebody looks at it
    assert sweep.close_some(hall.seconds) == ["unplayed"]
    now = hall.tables.sitting("unplayed")
    assert now.standing.changed_cents == now.standing.bought_cents == 2_000_000


def test_whoever_does_something_keeps_a_table_open(hall: Hall) -> None:
    now = hall.opened("t1", Terms(game="six-card", decide_seconds=0))
    before = now.standing.sequence
    for _ in range(3):
        hall.seconds += 23 * HOUR
        hall.tables.do("t1", Sit(seat=1, cents=100), "guest-ann", hall.key())
    hall.dealt("t1")
    assert Sweep(hall.tables).close_some(hall.seconds) == []
    hall.seconds += 25 * HOUR
    assert not closing.close(hall.tables, "t1", before)  # it has moved on since somebody looked
    assert not hall.tables.sitting("t1").closed


def test_only_the_house_closes_a_table(hall: Hall) -> None:
    hall.opened("t1", Terms(game="six-card", decide_seconds=0))
    with pytest.raises(IllegalActionError, match="only the house closes a table"):
        hall.tables.do("t1", CloseTable(), "guest-ann", hall.key())
    hall.opened("t2", Terms(game="six-card", fair=True))
    stakes = least(hall.tables.sitting("t2"))
    hall.tables.do("t2", Wager(seat=1, stakes=stakes, seed_hash="0" * 64), "guest-ann", hall.key())
    assert hall.tables.do("t2", Deal(), "guest-ann", hall.key()).sitting.phase is Phase.SEEDS
    with pytest.raises(IllegalActionError, match="close the table when it is over"):
        hall.tables.do("t2", CloseTable(), HOUSE, hall.key())
    hall.seconds += 25 * HOUR
    assert Sweep(hall.tables).close_some(hall.seconds) == ["t1", "t2"]  # the seed was never shown
    assert all(balanced(hall.tables.sitting(name)) for name in ("t1", "t2"))


def test_a_table_that_plays_for_a_progressive_is_not_closed_by_time(hall: Hall) -> None:
    terms = Terms(game="six-card", linked=Link(table=1, version=1, ledger="x", dealer="dora"))
    hall.tables.open("linked-1", terms, hall.key())
    hall.tables.open("t1", Terms(game="six-card"), hall.key())
    hall.seconds += 1_000 * HOUR
    assert Sweep(hall.tables).close_some(hall.seconds) == ["t1"]
    assert hall.tables.names() == ("linked-1",)


def test_a_sweep_looks_at_a_few_tables_and_goes_on_where_it_stopped(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closing, "AT_ONCE", 2)
    for number in range(5):
        hall.tables.open(f"t{number}", Terms(game="six-card"), hall.key())
    hall.seconds += 2 * HOUR
    sweep = Sweep(hall.tables)
    found = [sweep.close_some(hall.seconds) for _ in range(4)]
    assert found == [["t0", "t1"], ["t2", "t3"], ["t4"], []]
    assert hall.tables.names() == ()
    hall.tables.verify()


def test_a_table_that_was_left_stays_in_the_lobby_until_it_is_closed_and_is_then_gone(hall: Hall) -> None:
    hall.opened("t1", Terms(game="six-card"))
    hall.tables.do("t1", Leave(seat=1), "guest-ann", hall.key())
    hall.opened("t2", Terms(game="six-card"), "guest-bob")
    assert [now.standing.table for now in hall.tables.latest(9)] == ["t2", "t1"]
    assert hall.tables.opened_by("guest-bob") == ("t2",)
    hall.seconds += HOUR
    Sweep(hall.tables).close_some(hall.seconds, frozenset({"t2"}))
    assert [now.standing.table for now in hall.tables.latest(9)] == ["t2"]


def steps_taken(tables: Tables, most: int) -> int:
    """Return how many steps SQLite takes to answer what a lobby, a guest and a sweep ask."""
    taken = [0]

    def count() -> int:
        taken[0] += 1
        return 0

    with tables.store.reading() as transaction:
        driver = transaction.connection.connection.driver_connection
        assert driver is not None
        driver.set_progress_handler(count, 1)
        newest(transaction, most)
        opened_by(transaction, "guest-ann")
        some(transaction, 5, most)
        driver.set_progress_handler(None, 1)
    return taken[0]


def test_a_lobby_asks_no_more_of_many_tables_than_of_a_few(hall: Hall) -> None:
    for number in range(60):
        hall.tables.open(f"t{number}", Terms(game="six-card"), hall.key(), f"guest-{number}")
    hall.tables.open("own", Terms(game="six-card"), hall.key(), "guest-ann")
    few = steps_taken(hall.tables, 50)

    def many(transaction: Transaction) -> None:
        drafts = [Draft(moment(hall.seconds), HOUSE, "open", "{}", 0, 0)] * 3_000
        for written in transaction.append(drafts):
            name = f"m{written.sequence}"
            transaction.place(name, 1, written.sequence, whole=True)
            add(transaction, name, f"guest-{name}", written.sequence)

    hall.tables.store.writing(many)
    assert len(hall.tables.names()) == 3_061
    assert steps_taken(hall.tables, 50) < few + 500  # 3,000 more tables, and not a step for each


def test_tables_of_an_earlier_version_are_open_still(hall: Hall) -> None:
    for name in ("t1", "linked-1-abc", "t2"):
        hall.tables.open(name, Terms(game="six-card"), hall.key())
    before = hall.tables.names()
    with hall.tables.store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE live")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0003'")
    again = hall.again()
    assert again.names() == before == ("t1", "linked-1-abc", "t2")
    assert again.opened_by(HOUSE) == ("linked-1-abc",)
    assert [now.standing.table for now in again.latest(9)] == ["t2", "linked-1-abc", "t1"]
    again.close()
