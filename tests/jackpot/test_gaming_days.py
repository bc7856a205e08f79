"""Gaming days that reconcile to the unit, in every time zone, through changes of the clocks and random procedures."""

import csv
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache
from io import StringIO
from itertools import count, pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from jackpot.house import DEALER, EXECUTIVE, SECOND_EXECUTIVE, SUPERVISOR, settings
from ledger.databases import DATABASES, FillLedger, copy_ledger, empty_ledger
from pitboss.jackpot import day_report
from pitboss.jackpot.accounts import Account, Purpose
from pitboss.jackpot.archive import verify_archive, write_archive
from pitboss.jackpot.award_history import read_last_hits
from pitboss.jackpot.commands import (
    ApproveRequest,
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    PayAward,
    ProgressiveCommand,
    RequestAdjustment,
    RequestBackOut,
)
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.day_report import MOVEMENTS, DayReport, report_day, report_days
from pitboss.jackpot.day_text import OF_TABLES, format_day, list_meter_changes
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import Adjustment, BackOut, ProgressiveWager
from pitboss.jackpot.gaming_days import GamingDayClock, iter_days, load_zone, parse_day
from pitboss.jackpot.reports import export_csv
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state_parts import Hit
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal
from tiers import keep_first

UNITS = 10_000
STEPS = ("pending", "confirmed", "paid")
NEW_YORK = GamingDayClock(ZoneInfo("America/New_York"), 6)


class Diary:
    """A progressive whose clock is set by the test, created unless the ledger is a copy of one that was."""

    def __init__(self, url: str, folder: Path, moment: datetime, *, copied: bool = False, **changes: Any) -> None:
        self.now, self.sent = moment, 0
        self.store = Store.open_or_create(url)
        self.signer = Signer.load_or_create(folder / "key")
        self.controller = Controller(self.store, self.signer, lambda: self.now)
        if not copied:
            self.controller.create(settings(tables=2, **changes), EXECUTIVE.name)

    def give(self, command: ProgressiveCommand, actor: Actor) -> bool:
        """Give a command; return whether it was accepted."""
        self.sent += 1
        try:
            self.controller.execute(command, actor, f"command-{self.sent}")
        except RefusalError:
            return False
        return True

    def round(self, table: int, number: int, *seats: int) -> None:
        """Open a round."""
        wagers = tuple(ProgressiveWager(seat=seat, cents=100) for seat in seats)
        assert self.give(OpenRound(table=table, round=number, wagers=wagers), DEALER)

    def entries(self) -> list[Any]:
        """Return all entries."""
        with self.store.begin_read() as transaction:
            return list(transaction.read_entries())


@pytest.fixture(params=DATABASES)
def make_diary(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    made: list[Diary] = []

    def make(moment: datetime, **changes: Any) -> Diary:
        made.append(Diary(empty_ledger(request.param, tmp_path), tmp_path, moment, **changes))
        return made[-1]

    yield make
    for each in made:
        each.store.close()


MakeDiary = Callable[..., Diary]
CopyFortnight = Callable[[str, int], Diary]


def balance(report: DayReport, account: str) -> tuple[int, dict[str, int], int]:
    """Return an account's opening balance, what moved, and its closing balance."""
    day = report.accounts[account]
    return day.opening_units, {name: units for name, units in day.movements.items() if units}, day.closing_units


def test_a_royal_that_reseeds_is_a_fall_a_seed_and_a_release(make_diary: MakeDiary) -> None:
    diary = make_diary(datetime(2026, 11, 20, 12, tzinfo=UTC))
    diary.now += timedelta(days=1)
    diary.round(2, 1, 2, 5)
    diary.give(EnterHit(table=2, round=1, seat=5, hand="royal-flush"), DEALER)
    diary.give(ConfirmAward(award=1), EXECUTIVE)
    diary.give(PayAward(award=1), DEALER)
    diary.give(CloseRound(table=2, round=1), DEALER)
    day = report_day(diary.store, GamingDayClock(ZoneInfo("UTC")), date(2026, 11, 21))
    moved = {"contribution": 280_000, "seed": 1_000_000 * UNITS, "release": 40_000, "award": -1_000_028 * UNITS}
    assert balance(day, "meter") == (1_000_000 * UNITS, moved, 1_000_004 * UNITS)
    assert balance(day, "reserve") == (0, {"contribution": 40_000, "release": -40_000}, 0)
    assert [(each.units, each.purpose, each.why) for each in day.falls] == [
        (1_000_028 * UNITS, "award", "award 1 table 2 seat 5 royal flush $10,000.28 entered, by dealer"),
    ]
    assert [(each.units, each.purpose, each.why) for each in day.rises] == [
        (1_000_000 * UNITS, "seed", "award 1 table 2 seat 5 royal flush $10,000.28 entered, its seed, by dealer"),
        (
            40_000,
            "release",
            "award 1 table 2 seat 5 royal flush $10,000.28 entered, its reserve, by dealer",
        ),
    ]
    assert day.tables.keys() == {2}
    assert (day.tables[2].in_count, day.tables[2].in_cents, day.tables[2].envy_cents) == (2, 200, 10_000)
    assert (day.reconciles, day.faults) == (True, [])


def test_the_meters_changes_are_told_in_the_order_of_entries(make_diary: MakeDiary) -> None:
    diary = make_diary(datetime(2026, 11, 20, 12, tzinfo=UTC))
    diary.now += timedelta(days=1)
    for number in (1, 2):
        diary.round(1, number, 1, 2)
        diary.give(EnterHit(table=1, round=number, seat=1, hand="royal-flush"), DEALER)
        diary.give(ConfirmAward(award=number), EXECUTIVE)
        diary.give(CloseRound(table=1, round=number), DEALER)
    day = report_day(diary.store, GamingDayClock(ZoneInfo("UTC")), date(2026, 11, 21))
    changes = list_meter_changes(day)
    assert [change.purpose for change, _ in changes] == ["award", "seed", "release"] * 2
    assert [is_fall for _, is_fall in changes] == [True, False, False] * 2
    told = [line for line in format_day(day) if line.startswith("entry ")]
    assert [line.split()[1] for line in told] == [str(change.entry) for change, _ in changes]


def test_an_award_that_another_tables_entry_figured_again_stays_its_own_tables(make_diary: MakeDiary) -> None:
    diary = make_diary(datetime(2026, 11, 20, 12, tzinfo=UTC))
    diary.round(1, 1, 1, 2)
    diary.round(2, 1, 1, 2)
    diary.give(EnterHit(table=1, round=1, seat=1, hand="royal-flush"), DEALER)
    diary.give(EnterHit(table=2, round=1, seat=1, hand="straight-flush"), DEALER)
    diary.now += timedelta(days=1)
    diary.give(CancelHit(award=1), DEALER)  # which figures award 2 again (SC-9)
    diary.now += timedelta(days=1)
    diary.give(ConfirmAward(award=2), EXECUTIVE)
    day = report_day(diary.store, GamingDayClock(ZoneInfo("UTC")), date(2026, 11, 22))
    assert day.tables.keys() == {2}
    both = report_days(diary.store, GamingDayClock(ZoneInfo("UTC")), date(2026, 11, 21), date(2026, 11, 22))[1]
    assert both.tables[2].movements["payable"] == day.tables[2].movements["payable"]
    assert both.reconciles


def play_at_random(diary: Diary, chance: random.Random, steps: int) -> None:
    """Give random commands, mostly sensible, hours apart."""
    for _ in range(steps):
        diary.now += timedelta(minutes=chance.choice([0, 1, 90, 400]))
        state = diary.controller.state
        table, seat = chance.randint(1, 2), chance.randint(1, 6)
        last = state.rounds.get(table)
        number = last.number if last else 0
        award = chance.randint(1, max(1, state.last_award))
        hand = chance.choice(["royal-flush", "straight-flush", "flush"])
        account: Any = chance.choice(["meter", "reserve"])
        change = Adjustment(account=account, cents=chance.randint(-90, 90), reason="malfunction", text="as counted")
        choices: list[tuple[ProgressiveCommand, Actor]] = [
            (
                OpenRound(
                    table=table,
                    round=number + 1,
                    wagers=tuple(ProgressiveWager(seat=each, cents=100) for each in range(1, 7)),
                ),
                DEALER,
            ),
            (EnterHit(table=table, round=max(1, number), seat=seat, hand=hand), DEALER),
            (EnterHit(table=table, round=max(1, number), seat=seat, hand=hand), DEALER),
            (CancelHit(award=award), DEALER),
            (ConfirmAward(award=award), EXECUTIVE),
            (PayAward(award=award), DEALER),
            (CloseRound(table=table, round=max(1, number)), DEALER),
            (RequestAdjustment(change=change), SUPERVISOR),
            (RequestBackOut(change=BackOut(award=award, text="misread hand")), SUPERVISOR),
            (ApproveRequest(request=max(1, state.last_request)), SECOND_EXECUTIVE),
        ]
        diary.give(*chance.choice(choices))


@cache
def build_fortnight(source: str, seed: int) -> FillLedger[datetime]:
    """Return what fills a ledger with a random fortnight and says when it ended."""

    def fill(url: str, folder: Path) -> datetime:
        moment = datetime(2026, 10, 25, 9, tzinfo=UTC)
        diary = Diary(url, folder, moment, reserve_bps=200, fixed_awards_from=source)
        play_at_random(diary, random.Random(seed), 250)
        diary.store.close()
        return diary.now

    return fill


@pytest.fixture(params=DATABASES)
def copy_fortnight(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CopyFortnight]:
    """Return a random fortnight of a source of awards and a seed, played once for every test that reads it."""
    made: list[Diary] = []

    def copy(source: str, seed: int) -> Diary:
        url, ended = copy_ledger(request.param, tmp_path, build_fortnight(source, seed))
        made.append(Diary(url, tmp_path, ended, copied=True))
        return made[-1]

    yield copy
    for each in made:
        each.store.close()


@pytest.mark.more
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("seed", range(4))
def test_every_day_of_a_random_fortnight_reconciles_and_begins_where_the_last_one_ended(
    seed: int, copy_fortnight: CopyFortnight
) -> None:
    diary = copy_fortnight("meter", seed)
    entries = diary.entries()
    kinds = {entry.kind for entry in entries}
    assert {"entered", "confirmed", "adjusted"} <= kinds
    first, last = NEW_YORK.find_day(diary.now) - timedelta(days=30), NEW_YORK.find_day(diary.now)
    days, total = report_days(diary.store, NEW_YORK, first, last)
    assert sum(sum(day.entries.values()) for day in days) == len(entries) == sum(total.entries.values())
    for before, after in pairwise(days):
        assert after.first_entry == before.last_entry + 1
        assert {name: each.closing_units for name, each in before.accounts.items()} == {
            name: each.opening_units for name, each in after.accounts.items()
        }
    for day in [*days, total]:
        assert day.faults == []
        inside = [entry for entry in entries if day.begins <= entry.at < day.ends]
        assert sum(day.entries.values()) == len(inside)
        for name, account in day.accounts.items():
            assert account.opening_units + sum(account.movements.values()) == account.closing_units
            of_tables = [table.movements.get(name, {}) for table in day.tables.values()]
            assert sum(sum(each.values()) for each in of_tables) == account.closing_units - account.opening_units
        changes = sum(each.units for each in day.rises) - sum(each.units for each in day.falls)
        meter = day.accounts["meter"]
        assert changes == meter.closing_units - meter.opening_units - meter.movements["contribution"]
    state = diary.controller.state
    cancelled = {award for award, hit in state.hits.items() if hit.step == "cancelled"}
    assert {hit.award for day in days for hit in day.cancelled} == {hit.award for hit in total.cancelled} == cancelled
    assert cancelled
    assert total.closing_units == state.meter_units
    for kept in MOVEMENTS:
        sign = 1 if kept is Account.BANK else -1
        assert total.accounts[kept].closing_units == sign * state.get_balance(kept)
    for table, counts in state.counts.items():
        assert (total.tables[table].in_count, total.tables[table].in_cents, total.tables[table].envy_cents) == (
            counts.in_count,
            counts.in_cents,
            counts.envy_cents,
        )


@pytest.mark.more
@pytest.mark.parametrize("awards_from", ["tray", "meter"])
def test_the_lines_of_the_tables_add_up_to_the_accounts_by_hand(
    awards_from: str, copy_fortnight: CopyFortnight
) -> None:
    """Whoever reads the text alone can add it up, and sees each cancelled hand, also one of the tray."""
    diary = copy_fortnight(awards_from, 3)
    last = NEW_YORK.find_day(diary.now)
    _, total = report_days(diary.store, NEW_YORK, last - timedelta(days=30), last)
    lines = list(format_day(total))
    moved = Counter[tuple[str, str]]()
    for line in lines:
        if line.startswith(("table ", "no table")):
            for account, purpose, sign, dollars in re.findall(r", (\w+) ([a-z ]+) (-?)\$([\d,]+\.\d+)", line):
                units = int(dollars.replace(",", "").replace(".", ""))
                moved[account, purpose.replace(" ", "-")] += -units if sign else units
    for account in OF_TABLES:
        for purpose, units in total.accounts[account].movements.items():
            assert moved[account, purpose] == units, (account, purpose)
    assert ("payable", "tray-award") in moved or awards_from == "meter"
    assert sum(" cancelled: award " in line for line in lines) == len(total.cancelled) > 0


def read_all_hits(diary: Diary) -> tuple[Hit, ...]:
    """Return every hit that was not cancelled, from the ledger."""
    with diary.store.begin_read() as transaction:
        return read_last_hits(transaction, count=10_000)


def sum_by_table(diary: Diary) -> Counter[tuple[str, str, str]]:
    """Return what the exported CSV comes to, by table, account and purpose."""
    sums = Counter[tuple[str, str, str]]()
    for row in csv.DictReader(StringIO("".join(export_csv(diary.store, diary.entries())))):
        if row["account"] in MOVEMENTS:
            sign = 1 if row["account"] == Account.BANK else -1
            sums[row["table"], row["account"], row["purpose"]] += sign * int(row["units"])
    return Counter({place: units for place, units in sums.items() if units})


@pytest.mark.more
@pytest.mark.parametrize("seed", keep_first(range(3), 1))
@pytest.mark.parametrize("source", ["tray", "meter"])
def test_reports_and_exports_give_each_table_and_award_what_its_own_hits_won(
    seed: int, source: str, copy_fortnight: CopyFortnight
) -> None:
    diary = copy_fortnight(source, seed)
    first, last = NEW_YORK.find_day(diary.now) - timedelta(days=30), NEW_YORK.find_day(diary.now)
    total, hits = report_days(diary.store, NEW_YORK, first, last)[1], read_all_hits(diary)
    for number in (1, 2):
        moved = {account: Counter(total.tables[number].movements.get(account, {})) for account in MOVEMENTS}
        won = {step: [hit for hit in hits if (hit.table, hit.step) == (number, step)] for step in STEPS}
        held = sum(hit.owed.meter_cents for step in STEPS for hit in won[step])
        assert moved[Account.HELD].total() == sum(hit.owed.meter_cents for hit in won["pending"]) * UNITS
        assert moved[Account.PAYABLE].total() == sum(hit.cents for hit in won["confirmed"]) * UNITS
        assert moved[Account.METER]["award"] == -held * UNITS
        assert moved[Account.BANK]["paid"] == -sum(hit.cents for hit in won["paid"]) * UNITS
    by_award = Counter[int]()
    for sign, changes in ((1, total.rises), (-1, total.falls)):
        for change in changes:
            by_award[change.award] += sign * change.units * (change.purpose == Purpose.AWARD)
    assert +by_award == Counter()
    assert {award: -units for award, units in by_award.items() if units} == {
        hit.owed.award: hit.owed.meter_cents * UNITS for hit in hits if hit.step in STEPS and hit.owed.meter_cents
    }
    assert sum_by_table(diary) == {
        (str(number or ""), account, purpose): units
        for number, table in total.tables.items()
        for account, purposes in table.movements.items()
        for purpose, units in purposes.items()
        if units
    }


@pytest.mark.more
def test_every_purpose_that_moves_an_account_of_the_report_is_listed(make_diary: MakeDiary) -> None:
    diary = make_diary(datetime(2026, 10, 25, 9, tzinfo=UTC), reserve_bps=200)
    play_at_random(diary, random.Random(9), 300)
    moved = {(line.account, line.purpose) for entry in diary.entries() for line in entry.postings}
    assert {each for each in moved if each[0] in MOVEMENTS} <= {
        (account.value, purpose.value) for account, purposes in MOVEMENTS.items() for purpose in purposes
    }
    assert {Purpose.SEED, Purpose.RELEASE, Purpose.AWARD} <= {purpose for account, purpose in moved}


@pytest.mark.parametrize("hour", [0, 1, 2, 3, 6, 23])
@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"])
def test_gaming_days_follow_one_another_whatever_the_clocks_do(zone: str, hour: int) -> None:
    clock = GamingDayClock(ZoneInfo(zone), hour)
    days = list(iter_days(date(2026, 1, 1), date(2026, 12, 31)))
    for day in days:
        bounds = clock.get_bounds(day)
        assert bounds.ends == clock.get_bounds(day + timedelta(days=1)).begins
        begins = clock.find_beginning(day)
        assert clock.find_day(begins) == day
        assert clock.find_day(begins - timedelta(microseconds=1)) == day - timedelta(days=1)
    hours = {clock.count_hours(day) for day in days}
    assert hours == ({24} if zone in {"UTC", "Asia/Kolkata", "Australia/Lord_Howe"} else {23, 24, 25})


def test_days_of_23_and_25_hours_have_their_own_entries(make_diary: MakeDiary) -> None:
    clock = GamingDayClock(ZoneInfo("America/New_York"), 0)
    diary = make_diary(datetime(2026, 10, 31, 12, tzinfo=UTC))
    moments = ["2026-11-01T03:59", "2026-11-01T04:00", "2026-11-02T04:59", "2026-11-02T05:00"]
    for number, moment in enumerate(moments, 1):  # midnight is 04:00 UTC before the clocks change, 05:00 after
        diary.now = datetime.fromisoformat(moment + "+00:00")
        diary.round(1, number, 1)
        diary.give(CloseRound(table=1, round=number), DEALER)
    days, total = report_days(diary.store, clock, date(2026, 10, 31), date(2026, 11, 2))
    assert [(day.hours, day.tables[1].in_count) for day in days] == [(24, 1), (25, 2), (24, 1)]
    assert (total.hours, total.tables[1].in_count) == (73, 4)


def test_a_clock_set_back_leaves_no_entry_out_and_counts_none_twice(make_diary: MakeDiary) -> None:
    clock = GamingDayClock(ZoneInfo("UTC"))
    diary = make_diary(datetime(2026, 11, 1, 12, tzinfo=UTC))
    for number, hours in enumerate([24, -20, 1, 40], 1):
        diary.now += timedelta(hours=hours)
        diary.round(1, number, 1)
        diary.give(CloseRound(table=1, round=number), DEALER)
    days, total = report_days(diary.store, clock, date(2026, 11, 1), date(2026, 11, 5))
    assert sum(sum(day.entries.values()) for day in days) == len(diary.entries())
    assert all(day.reconciles for day in [*days, total])


def test_a_posting_that_was_altered_does_not_reconcile(tmp_path: Path) -> None:
    diary = Diary(empty_ledger("sqlite", tmp_path), tmp_path, datetime(2026, 11, 1, 12, tzinfo=UTC))
    diary.round(1, 1, 1)
    with diary.store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER posting_no_update")
        connection.exec_driver_sql("UPDATE posting SET units = units - 1 WHERE entry = 3 AND account = 'meter'")
    day = report_day(diary.store, GamingDayClock(ZoneInfo("UTC")), date(2026, 11, 1))
    assert not day.reconciles
    assert {fault.partition(":")[0] for fault in day.faults} == {"meter", "bank"}
    diary.store.close()


def test_what_is_no_day_no_range_and_no_zone_is_refused() -> None:
    for written in ("tomorrow", "20261121", "2026-W47-6", "2026-02-30", "\u0662026-11-21", ""):
        with pytest.raises(RefusalError, check=refusal("invalid-day", day=written)):
            parse_day(written)
    with pytest.raises(RefusalError, check=refusal("too-many-days", days=0)):
        iter_days(date(2026, 1, 2), date(2026, 1, 1))
    with pytest.raises(RefusalError, check=refusal("unknown-time-zone", zone="Mars/Base")):
        load_zone("Mars/Base")
    with pytest.raises(RefusalError, check=refusal("unknown-time-zone", zone="Mars/Base")):
        settings(day_zone="Mars/Base")


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati"])
def test_every_day_of_the_calendar_has_bounds_or_is_refused(tmp_path: Path, zone: str) -> None:
    diary = Diary(empty_ledger("sqlite", tmp_path), tmp_path, datetime(2026, 11, 1, 12, tzinfo=UTC))
    refused = []
    for day in (date.min, date.min + timedelta(days=1), date.max - timedelta(days=1), date.max):
        for hour in (0, 12, 23):
            try:
                assert report_days(diary.store, GamingDayClock(ZoneInfo(zone), hour), day, day)[1].reconciles
            except RefusalError as error:
                refused.append((day.isoformat(), error.code, error.fields["day"]))
    assert {(day, "invalid-day", day) for day, *_ in refused} == set(refused)
    assert ("9999-12-31", "invalid-day", "9999-12-31") in refused
    diary.store.close()


def test_settings_without_a_gaming_day_are_written_as_ever() -> None:
    assert {"day_zone", "day_hour"} & settings().model_dump().keys() == set()
    chosen = settings(day_zone="America/New_York", day_hour=6)
    assert Settings.model_validate_json(chosen.model_dump_json()) == chosen


def archived(diary: Diary, path: Path, first: date, last: date) -> dict[str, Any]:
    with path.open("w") as file:
        return write_archive(diary.store, diary.signer, NEW_YORK, first, last, file)


@pytest.mark.more
def test_archives_of_all_days_hold_alone_and_follow_one_another(make_diary: MakeDiary, tmp_path: Path) -> None:
    diary = make_diary(datetime(2026, 10, 30, 9, tzinfo=UTC), reserve_bps=200)
    play_at_random(diary, random.Random(5), 200)
    entries = answers = 0
    for day in iter_days(date(2026, 10, 29), NEW_YORK.find_day(diary.now)):
        written = archived(diary, tmp_path / "day.jsonl", day, day)
        found = verify_archive(tmp_path / "day.jsonl", diary.signer.public_key)
        assert (found["entries"], found["answers"]) == (written["entries"], written["answers"])
        entries, answers = entries + found["entries"], answers + found["answers"]
    assert found["hash"] == diary.controller.head.hash
    assert (entries, answers) == (len(diary.entries()), diary.controller.verify().head.answers)


def test_an_archive_that_was_altered_anywhere_is_found(tmp_path: Path) -> None:
    diary = Diary(empty_ledger("sqlite", tmp_path), tmp_path, datetime(2026, 10, 30, 12, tzinfo=UTC))
    play_at_random(diary, random.Random(1), 40)
    path = tmp_path / "days.jsonl"
    archived(diary, path, date(2026, 10, 30), date(2026, 11, 30))
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert verify_archive(path)["holds"]
    chance = random.Random(2)
    altered = [
        whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in chance.sample(range(len(whole) - 1), 150)
    ]
    altered += [b"".join(lines[:each] + lines[each + 1 :]) for each in range(len(lines))]
    altered += [b"".join([*lines, lines[-1]]), b"".join(lines[:-1]), b"", b"[]", b"null\n"]
    for each in altered:
        path.write_bytes(each)
        with pytest.raises(LedgerError):
            verify_archive(path, diary.signer.public_key)
    path.write_bytes(whole)
    with pytest.raises(LedgerError, check=refusal("archive-other-key")):
        verify_archive(path, Signer.load_or_create(tmp_path / "other").public_key)
    with pytest.raises(LedgerError, check=refusal("invalid-key")):
        verify_archive(path, "00" * 32)
    with pytest.raises(LedgerError, check=refusal("cannot-read")):
        verify_archive(tmp_path / "missing")
    diary.store.close()


def test_the_days_add_up_to_their_total_while_rounds_are_played(
    make_diary: MakeDiary, monkeypatch: pytest.MonkeyPatch
) -> None:
    diary = make_diary(datetime(2026, 11, 21, 9, tzinfo=UTC))
    numbers = count(1)
    diary.round(1, next(numbers), 1, 2)
    read_meters = vars(day_report)["_read_stated_meters"]

    def read_and_play(store: Store, entry: int) -> Any:
        assert diary.give(CloseRound(table=1), DEALER)
        diary.round(1, next(numbers), 1, 2)
        return read_meters(store, entry)

    monkeypatch.setattr(day_report, "_read_stated_meters", read_and_play)
    clock, day = GamingDayClock(ZoneInfo("UTC")), date(2026, 11, 21)
    days, total = report_days(diary.store, clock, day - timedelta(days=1), day)
    assert next(numbers) > 3
    assert total.reconciles
    assert total.accounts["meter"].movements["contribution"] == sum(
        each.accounts["meter"].movements["contribution"] for each in days
    )
    assert total.last_entry == days[-1].last_entry


def test_a_day_that_has_not_begun_is_refused() -> None:
    clock, now = GamingDayClock(ZoneInfo("America/New_York"), 6), datetime(2026, 11, 21, 9, tzinfo=UTC)
    assert clock.verify_begun(date(2026, 11, 20), now) == clock.find_day(now)
    with pytest.raises(RefusalError, check=refusal("day-not-begun", day="2026-11-21")):
        clock.verify_begun(date(2026, 11, 21), now)
