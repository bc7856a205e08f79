"""Tables in their ledger: nothing lost by a restart or a kill, each command once, what is secret sealed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event, get_ident
from typing import Any, NamedTuple

import pytest

from jackpot.house import EXECUTIVE
from jackpot.house import settings as progressive_settings
from ledger.databases import DATABASES
from pitboss.cards import seeded_bits
from pitboss.cli.app import run
from pitboss.core.errors import HistoryError, IllegalActionError, UnknownIdError
from pitboss.jackpot.controller import Controller
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.ledger.triggers import TRIGGERS
from pitboss.table import service
from pitboss.table.encryption import KEY_VARIABLE, TableCipher
from pitboss.table.fair_verification import verify_fair_round
from pitboss.table.repository import LoadedSession, SessionCache
from pitboss.table.round.events import DecisionMade
from pitboss.table.round.history import parse_history, replay_history
from pitboss.table.round.history_writer import format_history
from pitboss.table.service import TableService
from pitboss.table.session import (
    HOUSE,
    BetStake,
    CommandForbiddenError,
    DealRound,
    Phase,
    TableSession,
    TableTerms,
    TakeAction,
    TakeSeat,
    build_view,
    handle_command,
    replay_events,
)
from refusals import refusal
from table.seated import CHIPS, lowest_wagers, some_decision
from waiting import PATIENT_SECONDS, wait_until

SIX = TableTerms(game="six-card", decide_seconds=20)


class House(NamedTuple):
    """Where tables are kept, and how to come back to them."""

    url: str
    key: Path
    time: list[int]
    open: list[TableService | Store]

    def tables(self, **more: Any) -> TableService:
        """Start the tables, as a process does."""
        tables = TableService.connect(self.url, self.key, clock=lambda: self.time[0], **more)
        self.open.append(tables)
        return tables


@pytest.fixture(params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """A house without tables."""
    made = House(DATABASES[request.param](tmp_path), tmp_path / "tables.key", [100], [])
    yield made
    for each in made.open:
        each.close()


@pytest.fixture
def small_house(tmp_path: Path) -> Iterator[House]:
    """A house without tables, in SQLite."""
    made = House(DATABASES["sqlite"](tmp_path), tmp_path / "tables.key", [100], [])
    yield made
    for each in made.open:
        each.close()


def people(tables: TableService, terms: TableTerms, *seats: int, name: str = "t1") -> TableSession:
    """Open a table, and have people sit and wager."""
    tables.open_table(name, terms, f"open-{name}")
    for seat in seats:
        tables.execute(name, TakeSeat(seat=seat, cents=CHIPS, name=f"p{seat}"), f"p{seat}", f"{name}-sit-{seat}")
    return wagered(tables, *seats, name=name)


def wagered(tables: TableService, *seats: int, name: str = "t1", bets: tuple[str, ...] = ()) -> TableSession:
    """Have people place their wagers."""
    now = tables.get_session(name)
    for seat in seats:
        key = f"{name}-{now.snapshot.number}-wager-{seat}"
        now = tables.execute(name, lowest_wagers(now, seat, bets), f"p{seat}", key).session
    return now


def played(tables: TableService, name: str = "t1", seed: int = 1, most: int = 99) -> TableSession:
    """Decide at random, so many times at most."""
    now, bits = tables.get_session(name), seeded_bits(seed)
    while now.turn is not None and most:
        most -= 1
        key = f"{name}-{now.snapshot.sequence}"
        now = tables.execute(name, some_decision(now, bits), f"p{now.turn}", key).session
    return now


# Restarts.


@pytest.mark.parametrize("game", ["lunar", "wild-six-card"])
def test_a_restart_goes_on_in_mid_round_with_the_same_cards(game: str, house: House) -> None:
    tables = house.tables()
    people(tables, TableTerms(game=game, fair=game == "lunar"), 2, 5)
    tables.execute("t1", DealRound(), "p2", "deal-1")
    before = played(tables, most=1)
    again = house.tables()
    after = again.get_session("t1")
    assert [build_view(after, seat) for seat in (2, 5)] == [build_view(before, seat) for seat in (2, 5)]
    ended, other = played(again), replay_events((), before)
    bits = seeded_bits(1)
    while other.turn is not None:  # the same decisions, on the sitting that was never read again
        other = replay_events(handle_command(other, some_decision(other, bits), f"p{other.turn}", 100), other)
    assert ended.round is not None
    assert other.round is not None
    assert ended.round.events == other.round.events
    assert build_view(house.tables().get_session("t1"), 2) == build_view(ended, 2)
    assert again.verify() == len(again.list_names()) + 4 + 1 + sum(
        isinstance(event, DecisionMade) for event in ended.round.events
    )


def test_a_table_is_read_from_its_last_round_but_one_and_every_round_can_be_seen_again(house: House) -> None:
    tables = house.tables()
    people(tables, TableTerms(game="lunar", fair=True), 1, 3)
    seen = {}
    for number in range(1, 5):
        tables.execute("t1", DealRound(), "p1", f"deal-{number}")
        now = played(tables, seed=number)
        seen[number] = build_view(now, 3)
        now = wagered(tables, 1, 3)
    again = house.tables()
    assert build_view(again.get_session("t1"), 3) == build_view(now, 3)
    for number in (1, 3):
        steps = [build_view(each, 3) for each in again.list_round_sessions("t1", number)]
        assert steps[-1]["log"] == seen[number]["log"]
        assert [step["round"] for step in steps[:-1]] == [number] * (len(steps) - 1)
        history = again.get_history("t1", number)
        assert all(check.holds for check in verify_fair_round(history))
        assert [record.net_cents for record in history.settlements if record.seat == 2] == [
            each["net_cents"] for each in seen[number]["log"] if each["kind"] == "settled" and each["seat"] == 3
        ]
    with pytest.raises(LedgerError, check=refusal("not-settled", round_number=5, table="t1")):
        again.get_history("t1", 5)
    assert "never" not in str(again.verify())


PLAYER = """
import sys
from pathlib import Path
from pitboss.table.service import TableService
from table.test_tables import people, played
from pitboss.table.session import DealRound, TableTerms, build_view
import json
tables = TableService.connect(sys.argv[1], Path(sys.argv[2]))
people(tables, TableTerms(game="lunar"), 1, 2, 6)
tables.execute("t1", DealRound(), "p1", "deal-1")
now = played(tables, most=1)
print(json.dumps([build_view(now, seat) for seat in (1, 2, 6)]), flush=True)
sys.stdin.read()
"""


def test_the_tables_opened_last_are_seen_as_they_stand_whoever_has_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, other = house.tables(), house.tables()
    for name in ("t1", "t2", "t3"):
        people(tables, SIX, 1, name=name)
    assert [now.snapshot.table for now in tables.list_latest(2)] == ["t3", "t2"]
    other.execute("t2", DealRound(), "p1", "deal-t2")
    assert [now.phase for now in tables.list_latest(50)] == [Phase.WAGERS, Phase.DECISIONS, Phase.WAGERS]
    monkeypatch.setattr(service, "SessionCache", lambda: SessionCache(1))  # what is not kept is read again
    assert [build_view(now, 1) for now in house.tables().list_latest(50)] == [
        build_view(now, 1) for now in tables.list_latest(50)
    ]


def test_the_tables_asked_for_last_are_kept_as_far_as_they_are_known(small_house: House) -> None:
    tables = small_house.tables()
    for name in ("t1", "t2", "t3"):
        tables.open_table(name, SIX, f"open-{name}")
    now = [LoadedSession(tables.get_session(name), number) for number, name in enumerate(("t1", "t2", "t3"), 1)]
    latest = SessionCache(2)
    for known in (now[0], now[1], now[0], now[2]):
        latest.keep(known.session.snapshot.table, known)
    assert [latest.get(name) for name in ("t1", "t2", "t3")] == [now[0], None, now[2]]
    latest.keep("t1", now[0]._replace(entry_number=9))
    latest.keep("t1", now[0])
    assert latest.get("t1") == now[0]._replace(entry_number=9)


@pytest.mark.more
def test_a_process_is_killed_in_mid_round_and_another_goes_on_to_the_same_end(small_house: House) -> None:
    tests = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([tests, *sys.path])}
    arguments = [sys.executable, "-c", PLAYER, small_house.url, str(small_house.key)]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as process:
        assert process.stdout is not None
        seen = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        process.wait()
    tables = small_house.tables()
    assert [build_view(tables.get_session("t1"), seat) for seat in (1, 2, 6)] == seen
    ended = played(tables)
    assert ended.phase is Phase.WAGERS
    assert ended.snapshot.number == 2
    first_cards = next(each["cards"] for each in seen[0]["log"] if each["kind"] == "dealt" and each["seat"] == 1)
    assert tables.get_history("t1", 1).actions[0] == f"d dh p1 {''.join(first_cards)}"
    assert replay_history(tables.get_history("t1", 1)).is_closed


# Each command once.


def test_a_repeat_is_given_the_first_answer_and_changes_nothing(house: House) -> None:
    tables = house.tables()
    people(tables, SIX, 1)
    first = tables.execute("t1", DealRound(), "p1", "deal-1")
    for each in (tables, house.tables()):
        again = each.execute("t1", DealRound(), "p1", "deal-1")
        assert again.is_repeat
        assert build_view(again.session, 1) == build_view(first.session, 1)
    with pytest.raises(IllegalActionError, check=refusal("key-used")):
        tables.execute("t1", TakeAction(seat=1, action="fold"), "p1", "deal-1")
    with pytest.raises(IllegalActionError, check=refusal("wrong-phase")):
        tables.execute("t1", DealRound(), "p1", "deal-2")
    played(tables)
    with pytest.raises(IllegalActionError, check=refusal("wrong-phase")):
        tables.execute("t1", DealRound(), "p1", "deal-2")  # a refusal is a first answer too


def test_what_is_refused_says_why_and_whose_it_is(small_house: House) -> None:
    tables = small_house.tables()
    people(tables, SIX, 1, 2)
    with pytest.raises(CommandForbiddenError, check=refusal("not-your-seat", seat=2)):
        tables.execute("t1", lowest_wagers(tables.get_session("t1"), 2), "p1", "x")
    with pytest.raises(IllegalActionError, check=refusal("table-exists", table="t1")):
        tables.open_table("t1", SIX, "open-again")
    with pytest.raises(IllegalActionError, check=refusal("invalid-table-name", table="T 1")):
        tables.open_table("T 1", SIX, "open-other")
    with pytest.raises(UnknownIdError, check=refusal("unknown-table", kind="table", name="t9")):
        tables.get_session("t9")
    with pytest.raises(IllegalActionError, check=refusal("unknown-table", table="t9")):
        tables.execute("t9", DealRound(), "p1", "y")


def test_a_command_from_an_old_page_is_refused(small_house: House) -> None:
    tables = small_house.tables()
    now = people(tables, SIX, 1)
    old = build_view(now, 1)["sequence"]
    now = tables.execute("t1", DealRound(), "p1", "deal-1", expected=old).session
    with pytest.raises(IllegalActionError, check=refusal("stale-page")):
        tables.execute("t1", TakeAction(seat=1, action="fold"), "p1", "fold-1", expected=old)
    assert tables.execute(
        "t1", TakeAction(seat=1, action="fold"), "p1", "fold-2", expected=build_view(now, 1)["sequence"]
    )


def test_of_commands_at_once_each_is_decided_on_what_the_one_before_has_written(house: House) -> None:
    crew = [house.tables(), house.tables()]  # two processes
    people(crew[0], SIX, 1, 2, 3, 4, 5, 6)
    crew[0].execute("t1", DealRound(), "p1", "deal-1")

    def fold(number: int) -> str:
        seat = 1 + number % 6
        try:
            crew[number % 2].execute("t1", TakeAction(seat=seat, action="fold"), f"p{seat}", f"fold-{number}")
        except IllegalActionError as error:
            return str(error)
        return ""

    said: list[str] = []
    with ThreadPoolExecutor(8) as pool:
        while (now := crew[0].get_session("t1")).turn is not None:
            said += pool.map(fold, range(len(said), len(said) + 12))
    assert said.count("") == 6
    assert all(not why or "turn" in why or "no decision now" in why for why in said)
    assert now.snapshot.house_cents == 6 * 500
    assert build_view(crew[1].get_session("t1"), 4) == build_view(now, 4)
    assert crew[1].verify() > 0


def test_of_commands_written_together_one_that_breaks_is_raised_once_and_the_others_are_done(
    small_house: House,
) -> None:
    begun, go_on, draws, threads = Event(), Event(), seeded_bits(1), set[int]()

    def bits(count: int) -> int:
        threads.add(get_ident())
        if not begun.is_set():  # the first command holds the others up, so that they are written together
            begun.set()
            assert go_on.wait(PATIENT_SECONDS)
        elif len(threads) == 2:
            threads.add(0)
            raise ZeroDivisionError
        return draws(count)

    tables = small_house.tables(bits=bits)
    names = ("t1", "t2", "t3", "t4")
    for name in names:
        people(tables, SIX, 1, name=name)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(tables.execute, "t1", DealRound(), "p1", "deal-t1")]
        assert begun.wait(PATIENT_SECONDS)
        asked += [pool.submit(tables.execute, name, DealRound(), "p1", f"deal-{name}") for name in names[1:]]
        wait_until(lambda: len(vars(vars(tables)["_log"])["_jobs"]) == 3)
        go_on.set()
        broken = [type(each.exception(PATIENT_SECONDS)) for each in asked if each.exception(PATIENT_SECONDS)]
    assert broken == [ZeroDivisionError]
    dealt = [small_house.tables().get_session(name).phase is Phase.DECISIONS for name in names]
    assert dealt.count(True) == 3
    for name in names:
        assert tables.execute(name, DealRound(), "p1", f"deal-{name}").is_repeat == dealt[names.index(name)]
    assert tables.verify() == 4 * 4


def test_time_is_called_and_bots_are_tended_by_the_house(small_house: House) -> None:
    tables = small_house.tables()
    now = people(tables, SIX, 1, 2)
    assert tables.run_automation("t1") == now
    small_house.time[0] = 140
    assert tables.run_automation("t1").turn == 1
    small_house.time[0] = 159
    assert tables.run_automation("t1").turn == 1
    small_house.time[0] = 160
    assert tables.run_automation("t1").turn == 2
    small_house.time[0] = 180
    assert tables.run_automation("t1").snapshot.number == 2
    assert [each["late"] for each in build_view(small_house.tables().get_session("t1"), 1)["seats"][:2]] == 2 * [
        [{"what": "decision", "action": "fold"}]
    ]


def test_a_history_says_for_whom_time_ran_out(
    small_house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = small_house.tables()
    people(tables, SIX, 1, 2)
    for small_house.time[0] in (140, 160):
        tables.run_automation("t1")
    tables.execute("t1", TakeAction(seat=2, action="play"), "p2", "in-time")
    history = tables.get_history("t1", 1)
    assert [history.actions[place - 1] for place in history.late] == ["p1 f"]
    assert parse_history(format_history(history)) == history
    (tmp_path / "round.toml").write_text(format_history(history))
    assert run(["replay", str(tmp_path / "round.toml")]) == 0
    told = capsys.readouterr().out
    assert told.count("(time ran out)") == told.count("fold (time ran out)") == 1
    assert run(["replay", str(tmp_path / "round.toml"), "--toml"]) == 0
    assert f"_late = [\n    {history.late[0]},\n]" in capsys.readouterr().out
    for wrong, why in ((1, "only a decision can time out"), (9, "there are only 5")):
        with pytest.raises(HistoryError, match=why):
            replay_history(history.model_copy(update={"late": [wrong]}))


# What is sealed, and what was altered.


def test_no_card_that_is_to_come_can_be_read_in_the_database(small_house: House) -> None:
    tables = small_house.tables(bits=seeded_bits(5))
    people(tables, TableTerms(game="wild-six-card", fair=True), 1)
    now = tables.execute("t1", DealRound(), "p1", "deal-1").session
    now = tables.execute("t1", some_decision(now, seeded_bits(1)), "p1", "one").session
    kept = Path(small_house.url.removeprefix("sqlite:///")).read_bytes()
    assert b'"kind":"dealt"' in kept
    assert b"Jk" not in kept
    assert b"As " not in kept
    assert now.secret.encode() not in kept
    assert small_house.key.stat().st_mode & 0o777 == 0o600


def test_tables_are_not_opened_without_their_key_or_with_another(
    small_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    people(small_house.tables(), SIX, 1)
    key = small_house.key.read_text(encoding="ascii").strip()
    small_house.key.unlink()
    with pytest.raises(LedgerError, check=refusal("key-missing", key_variable="PITBOSS_TABLE_KEY")):
        small_house.tables()
    monkeypatch.setenv(KEY_VARIABLE, key)
    assert small_house.tables().get_session("t1").seats
    monkeypatch.setenv(KEY_VARIABLE, "ab" * 32)
    with pytest.raises(LedgerError, check=refusal("other-key", key_source="PITBOSS_TABLE_KEY")):
        small_house.tables()
    monkeypatch.setenv(KEY_VARIABLE, "short")
    with pytest.raises(LedgerError, check=refusal("invalid-key")):
        small_house.tables()


def test_what_is_sealed_opens_only_in_its_place(tmp_path: Path) -> None:
    seal = TableCipher.load_or_create(tmp_path / "key")
    sealed = seal.encrypt("As Kd", "t1/3/0/deck")
    assert seal.decrypt(sealed, "t1/3/0/deck") == "As Kd"
    for text, place in ((sealed, "t1/4/0/deck"), (sealed[:-2], "t1/3/0/deck"), ("zz", "t1/3/0/deck")):
        with pytest.raises(LedgerError, check=refusal("other-key")):
            seal.decrypt(text, place)
    with pytest.raises(LedgerError, check=refusal("cannot-write")):
        TableCipher.load_or_create(tmp_path / "no" / "key")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE entry SET data = replace(data, 'p1', 'p9') WHERE sequence = 2", "entry-changed"),
        ("UPDATE stream SET number = 99 WHERE number = 3", "entry-missing"),
    ],
)
def test_what_was_altered_is_found(statement: str, code: str, small_house: House) -> None:
    people(small_house.tables(), SIX, 1, 2)
    path = small_house.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as connection:
        for table in ("entry", "stream"):
            connection.execute(f"DROP TRIGGER {table}_no_update")
        connection.execute(statement)
        for table in ("entry", "stream"):
            connection.execute(TRIGGERS["sqlite"][f"{table}_no_update"])
        connection.commit()
    with pytest.raises(LedgerError, check=refusal(code)):
        small_house.tables().get_session("t1")


def test_a_progressives_ledger_is_not_taken_for_tables(small_house: House) -> None:
    store = Store.open_or_create(small_house.url)
    Controller(store, Signer.load_or_create(small_house.key.with_name("signing"))).create(
        progressive_settings(), EXECUTIVE.name
    )
    store.close()
    with pytest.raises(LedgerError, check=refusal("other-ledger")):
        small_house.tables()


def test_bots_alone_play_a_round_in_one_command(small_house: House) -> None:
    tables = small_house.tables()
    tables.open_table("t1", SIX, "open")
    for seat in range(1, 7):
        standing = (BetStake(bet="main", cents=500),)
        tables.execute("t1", TakeSeat(seat=seat, cents=500, bot="practical", standing=standing), HOUSE, f"sit-{seat}")
    now = tables.execute("t1", DealRound(), HOUSE, "deal-1").session
    assert now.snapshot.number == 2
    kept = now.snapshot
    assert kept.bought_cents == kept.house_cents + sum(seat.chips_cents for seat in now.seats.values())
