"""Results of the tables in a database: every settled wager once, and monitoring of them."""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import pitboss as pb
from monitored import load_known_bet
from pitboss.cards import seeded_bits
from pitboss.cli.app import run
from pitboss.ledger.chain import Entry
from pitboss.ledger.store import Store, Transaction
from pitboss.table.encryption import TableCipher
from pitboss.table.round.events import WagerSettled
from pitboss.table.service import TableService
from pitboss.table.session import BetStake, DealRound, PlaceWagers, TableTerms, TakeSeat
from pitboss.table.settled_results import collect_table_results
from refusals import refusal
from table.seated import some_decision

DAY = 86_400
STAKES = (500, 1_000)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[int, WagerSettled]]]:
    """Play six rounds of Six Card over three days at a table of two seats, and open a table of other rules."""
    folder, time, bits = tmp_path_factory.mktemp("tables"), [0], seeded_bits(5)
    path = folder / "tables.db"
    tables = TableService.connect(f"sqlite:///{path}", folder / "tables.db.key", clock=lambda: time[0], bits=bits)
    tables.open_table("t1", TableTerms(game="six-card"), "open-t1")
    tables.open_table("t2", TableTerms(game="lunar"), "open-t2")
    tables.open_table("t3", TableTerms(game="six-card", paytables=("aces-up=SCP-02",)), "open-t3")
    settled = []
    for seat in (1, 2):
        tables.execute("t1", TakeSeat(seat=seat, cents=500_000, name=f"p{seat}"), f"p{seat}", f"sit-{seat}")
    for number in range(6):
        time[0] = DAY * (number // 2) + 100 + number
        for seat, cents in zip((1, 2), STAKES, strict=True):
            stakes = (BetStake(bet="main", cents=500), BetStake(bet="aces-up", cents=cents))
            tables.execute("t1", PlaceWagers(seat=seat, stakes=stakes), f"p{seat}", f"wager-{number}-{seat}")
        now = tables.execute("t1", DealRound(), "p1", f"deal-{number}").session
        while now.turn is not None:
            key = f"act-{now.snapshot.sequence}"
            now = tables.execute("t1", some_decision(now, bits), f"p{now.turn}", key).session
        assert now.round
        settled += [(number // 2, event) for event in now.round.events if isinstance(event, WagerSettled)]
    tables.close()
    return path, settled


@pytest.fixture
def monitor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """Monitor tables with known sheets, so that nothing is counted; return the status and what is written."""
    monkeypatch.setattr("pitboss.cli.monitor.prepare_bet", lambda game, wager, *_: load_known_bet(game.id, wager.id))

    def monitored(*words: object) -> tuple[int, str, str]:
        status = run(["monitor", *map(str, words)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return monitored


@pytest.mark.parametrize("bet", ["aces-up", "main"])
def test_every_settled_wager_is_counted_once(database: tuple[Path, list[tuple[int, WagerSettled]]], bet: str) -> None:
    path, settled = database
    store = Store(f"sqlite:///{path}")
    try:
        cipher = TableCipher.load(Path(f"{path}.key"))
        found = collect_table_results(store, cipher, load_known_bet("six-card", bet))
    finally:
        store.close()
    own = [(day, event) for day, event in settled if event.bet == bet]
    assert set(found.skipped) == ({"t2", "t3"} if bet == "aces-up" else {"t2"})
    assert {row.table for row in found.rows} == {"t1"}
    assert sum(row.rounds for row in found.rows) == len(own) == 12
    assert sum(row.net_cents for row in found.rows) == sum(event.net_cents for _, event in own)
    days = Counter(f"1970-01-0{day + 1}" for day, _ in own)
    assert (
        Counter({row.period: 0 for row in found.rows})
        + sum((Counter({row.period: row.rounds}) for row in found.rows), Counter())
        == days
    )
    if bet == "main":
        assert {row.stake_cents for row in found.rows} == {500}
        assert sum(row.staked_cents for row in found.rows) > 12 * 500
        return
    assert {row.stake_cents for row in found.rows} == set(STAKES)
    assert all(row.staked_cents == row.rounds * (row.stake_cents or 0) for row in found.rows)
    outcomes = Counter(event.outcome for _, event in own)
    assert sum((Counter(row.counts) for row in found.rows), Counter()) == outcomes


@pytest.mark.parametrize("size", [1, 7])
def test_entries_read_in_pages_are_those_read_at_once(
    database: tuple[Path, list[tuple[int, WagerSettled]]], monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path, _ = database
    bet, cipher = load_known_bet("six-card", "main"), TableCipher.load(Path(f"{path}.key"))
    pages, read = list[int](), Transaction.read_stream

    def read_noted(self: Transaction, stream: str, after: int = 0, last: int = 2**62) -> list[tuple[int, Entry]]:
        found = read(self, stream, after, last)
        pages.extend([len(found)] if last == after + size else [])
        return found

    with closing(Store(f"sqlite:///{path}")) as store:
        whole = collect_table_results(store, cipher, bet)
        monkeypatch.setattr("pitboss.table.settled_results.PAGE_SIZE", size)
        monkeypatch.setattr(Transaction, "read_stream", read_noted)
        assert collect_table_results(store, cipher, bet) == whole
    assert max(pages) == size
    assert pages.count(0) == 2  # after the last entry of each table with these rules


def test_a_database_of_tables_is_monitored(
    database: tuple[Path, list[tuple[int, WagerSettled]]], monitor: Callable[..., tuple[int, str, str]]
) -> None:
    path, _ = database
    status, out, err = monitor("six-card", "--bet", "aces-up", "--ledger", path, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    (table,) = found["tables"]
    assert (table["table"], table["rounds"], table["periods"], table["unexplained_cents"]) == ("t1", 12, 3, 0)
    assert found["skipped_tables"] == ["t2", "t3"]
    assert table["staked_cents"] == 6 * sum(STAKES)
    status, out, err = monitor("six-card", "--ledger", path)
    assert (status, err) == (0, "")
    assert "Not judged, as they play by other rules or pays: t2" in out


def test_a_database_without_such_wagers_says_so(
    database: tuple[Path, list[tuple[int, WagerSettled]]], monitor: Callable[..., tuple[int, str, str]]
) -> None:
    status, out, err = monitor("wild-52", "--bet", "bonus", "--ledger", database[0])
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "has settled a wager on bonus with these pay tables and options" in err


def test_another_key_cannot_read_it(database: tuple[Path, list[tuple[int, WagerSettled]]], tmp_path: Path) -> None:
    path, _ = database
    store = Store(f"sqlite:///{path}")
    try:
        cipher = TableCipher.load_or_create(tmp_path / "other.key")
        with pytest.raises(pb.Error, check=refusal("other-key")):
            collect_table_results(store, cipher, load_known_bet("six-card", "aces-up"))
    finally:
        store.close()
