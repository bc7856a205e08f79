"""The report of a gaming day, which reconciles to the unit.

For each account the opening balance and the day's movements add up to the closing balance; the tables' movements add
up to the account's.  Everything is summed from the postings, and compared with the meter and reserve that the entries
state.  Amounts are in units of 1/10,000 cent; what raises an account is positive.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from pydantic import Field

from pitboss.builders import display_name
from pitboss.core.errors import escape_unprintable
from pitboss.core.money import format_cents
from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.accounts import Account, Posting, Purpose
from pitboss.jackpot.entry_shares import EntryShare, EntrySplitter
from pitboss.jackpot.events import (
    AdjustmentMade,
    AwardBackedOut,
    HitEntered,
    OwedAward,
    ProgressiveCreated,
    ProgressiveEvent,
    parse_event,
)
from pitboss.jackpot.gaming_days import GamingDayClock, iter_days, load_zone
from pitboss.jackpot.settings import Settings
from pitboss.ledger.chain import Contribution, Entry, LedgerPosting
from pitboss.ledger.entry_pages import EntryRange, find_entries_between, read_entry_pages, sum_postings_before
from pitboss.ledger.store import Store
from pitboss.meter import UNITS_PER_CENT

MOVEMENTS: dict[Account, tuple[Purpose, ...]] = {
    Account.METER: (Purpose.CONTRIBUTION, Purpose.SEED, Purpose.RELEASE, Purpose.ADJUSTMENT, Purpose.AWARD),
    Account.RESERVE: (Purpose.CONTRIBUTION, Purpose.RELEASE, Purpose.ADJUSTMENT),
    Account.HELD: (Purpose.AWARD, Purpose.CONFIRMED),
    Account.PAYABLE: (Purpose.CONFIRMED, Purpose.TRAY_AWARD, Purpose.AWARD, Purpose.PAID),
    Account.BANK: (Purpose.CONTRIBUTION, Purpose.SEED, Purpose.TRAY_AWARD, Purpose.ADJUSTMENT, Purpose.PAID),
}
"""The accounts of a report, and the purposes that are always listed, also where nothing moved."""

_ASSETS = {Account.BANK}


class AccountDay(StrictModel):
    """An account's day: opening balance, movements by purpose, closing balance."""

    opening_units: int
    movements: dict[str, int]
    closing_units: int


class TableDay(StrictModel):
    """A table's part of the day: wagers, envy, and movements by account and purpose.

    Table 0 is what belongs to no table: the first seed and adjustments.
    """

    in_count: int = 0
    in_cents: int = 0
    envy_cents: int = 0
    movements: dict[str, dict[str, int]] = Field(default_factory=dict)


class MeterChange(StrictModel):
    """A fall or rise of the meter, with its reason.

    It is by one award or adjustment of an entry, for one purpose.  Table and award are 0 where it belongs to none.
    """

    entry: int
    at: str
    units: int
    purpose: str
    table: int
    award: int
    why: str


class CancelledHit(StrictModel):
    """An entered hand that was cancelled, and the entry that says so.

    A fixed award of the tray moves no money until it is confirmed, so no balance would show it.
    """

    entry: int
    at: str
    table: int
    award: int
    seat: int
    hand: str
    cents: int
    by: str


class DayReport(StrictModel):
    """The report of a gaming day, or of several in a row (``day`` to ``last_day``).

    ``faults`` says what does not reconcile.
    """

    day: str
    last_day: str
    zone: str
    hour: int
    begins: str
    ends: str
    hours: int
    first_entry: int
    last_entry: int
    opening_units: int
    closing_units: int
    entries: dict[str, int]
    accounts: dict[str, AccountDay]
    tables: dict[int, TableDay]
    falls: list[MeterChange]
    rises: list[MeterChange]
    cancelled: list[CancelledHit]
    faults: list[str]
    reconciles: bool


class _Days(NamedTuple):
    """What a report is made of: its days, their entries and the balances before them."""

    clock: GamingDayClock
    first: date
    last: date
    entries: EntryRange
    balances: dict[tuple[str, str], int]


def report_days(store: Store, clock: GamingDayClock, first: date, last: date) -> tuple[list[DayReport], DayReport]:
    """Return the report of each gaming day of a range, and that of all together.

    Raises:
        RefusalError: the range is empty or too long.
        LedgerError: the ledger cannot be reached.
    """
    ranges = [*((day, day) for day in iter_days(first, last)), (first, last)]
    *days, total = (_report(store, each) for each in _find_days(store, clock, ranges))
    return days, total


def report_day(store: Store, clock: GamingDayClock, day: date) -> DayReport:
    """Return the report of a gaming day (raises LedgerError)."""
    return _report(store, _find_days(store, clock, [(day, day)])[0])


def _find_days(store: Store, clock: GamingDayClock, ranges: Iterable[tuple[date, date]]) -> list[_Days]:
    """Find the entries of ranges of days.

    All are found at one moment, so that they add up while rounds are played.
    """
    found = []
    with store.begin_read() as transaction:
        for first, last in ranges:
            begins, ends = clock.get_bounds(first).begins, clock.get_bounds(last).ends
            entries = find_entries_between(transaction, begins, ends)
            found.append(_Days(clock, first, last, entries, sum_postings_before(transaction, entries.first)))
    return found


def _report(store: Store, days: _Days) -> DayReport:
    summary = _Summary(EntrySplitter(store))
    stated = _read_stated_meters(store, days.entries.first - 1)
    for entry in read_entry_pages(store, days.entries):
        summary.add(entry)
    accounts = {account.value: _close_account(account, days.balances, summary) for account in MOVEMENTS}
    faults = list(_find_faults(accounts, summary, stated))
    bounds = days.clock.get_bounds(days.first).begins, days.clock.get_bounds(days.last).ends
    return DayReport(
        day=days.first.isoformat(),
        last_day=days.last.isoformat(),
        zone=days.clock.zone.key,
        hour=days.clock.hour,
        begins=bounds[0],
        ends=bounds[1],
        hours=sum(days.clock.count_hours(day) for day in iter_days(days.first, days.last)),
        first_entry=days.entries.first,
        last_entry=days.entries.last,
        opening_units=accounts[Account.METER].opening_units,
        closing_units=accounts[Account.METER].closing_units,
        entries=summary.kinds,
        accounts=accounts,
        tables=dict(sorted(summary.tables.items())),
        falls=summary.falls,
        rises=summary.rises,
        cancelled=summary.cancelled,
        faults=faults,
        reconciles=not faults,
    )


def _read_stated_meters(store: Store, entry: int) -> dict[Account, int]:
    """Return meter and reserve as an entry states them, 0 before the first."""
    found = next(read_entry_pages(store, EntryRange(entry, entry)), None) if entry else None
    return {Account.METER: found.meter_units if found else 0, Account.RESERVE: found.reserve_units if found else 0}


class _Summary:
    """Sums up the entries of a report."""

    def __init__(self, splitter: EntrySplitter) -> None:
        self._splitter = splitter
        self.kinds: dict[str, int] = {}
        self.movements: dict[str, dict[str, int]] = {
            account.value: {purpose.value: 0 for purpose in purposes} for account, purposes in MOVEMENTS.items()
        }
        self.tables: dict[int, TableDay] = {}
        self.falls: list[MeterChange] = []
        self.rises: list[MeterChange] = []
        self.cancelled: list[CancelledHit] = []
        self.stated: dict[Account, int] | None = None

    def add(self, entry: Entry) -> None:
        """Add an entry: to the accounts, and each of its shares to that share's table."""
        self.stated = {Account.METER: entry.meter_units, Account.RESERVE: entry.reserve_units}
        self.kinds[entry.kind] = self.kinds.get(entry.kind, 0) + 1
        if not entry.postings and not entry.contributions and entry.kind != "entered":
            return
        for line in entry.postings:
            if line.account in self.movements:
                _add_movement(self.movements[line.account], line)
        event = parse_event(entry.data)
        for share in self._splitter.split(entry.sequence, event):
            self._add_share(share, entry.contributions)
            self._explain(entry, event, share)
            if share.before and share.after is None:
                self.cancelled.append(_describe_cancelled(entry, share, share.before))

    def _add_share(self, share: EntryShare, contributions: Sequence[Contribution]) -> None:
        of_table = self.tables.setdefault(share.table, TableDay())
        for line in share.postings:
            if line.account in self.movements:
                _add_movement(of_table.movements.setdefault(line.account, {}), line)
        envy = sum(line.units for line in share.postings if (line.account, line.purpose) == ("house", "envy"))
        self.tables[share.table] = of_table.model_copy(
            update={
                "in_count": of_table.in_count + len(contributions),
                "in_cents": of_table.in_cents + sum(each.wager_cents for each in contributions),
                "envy_cents": of_table.envy_cents + envy // UNITS_PER_CENT,
            }
        )

    def _explain(self, entry: Entry, event: ProgressiveEvent, share: EntryShare) -> None:
        """List what a share took from the meter or gave it, except contributions."""
        meter: dict[str, int] = {}
        for line in share.postings:
            if line.account == Account.METER and line.purpose != Purpose.CONTRIBUTION:
                _add_movement(meter, line)
        for purpose, units in meter.items():
            if units:
                change = MeterChange(
                    entry=entry.sequence,
                    at=entry.at,
                    units=abs(units),
                    purpose=purpose,
                    table=share.table,
                    award=share.award,
                    why=explain_change(event, share, purpose, units),
                )
                (self.rises if units > 0 else self.falls).append(change)


def _describe_cancelled(entry: Entry, share: EntryShare, owed: OwedAward) -> CancelledHit:
    return CancelledHit(
        entry=entry.sequence,
        at=entry.at,
        table=share.table,
        award=share.award,
        seat=owed.seat,
        hand=owed.hand,
        cents=owed.cents,
        by=entry.actor,
    )


def _add_movement(movements: dict[str, int], line: LedgerPosting | Posting) -> None:
    """Add a posting to the movements of its account, positive if it raises it."""
    units = line.units if line.account in _ASSETS else -line.units
    movements[line.purpose] = movements.get(line.purpose, 0) + units


def _close_account(account: Account, balances: dict[tuple[str, str], int], summary: _Summary) -> AccountDay:
    before = sum(units for (name, _), units in balances.items() if name == account)
    opening = before if account in _ASSETS else -before
    movements = summary.movements[account]
    return AccountDay(opening_units=opening, movements=movements, closing_units=opening + sum(movements.values()))


def _find_faults(accounts: dict[str, AccountDay], summary: _Summary, stated: dict[Account, int]) -> Iterator[str]:
    """Yield what does not reconcile."""
    after = summary.stated or stated
    for account, units in stated.items():
        day = accounts[account]
        if day.opening_units != units:
            yield f"{account}: the postings before the day are {day.opening_units} units, the entry says {units}"
        if day.closing_units != after[account]:
            yield f"{account}: the postings come to {day.closing_units} units, the last entry says {after[account]}"
    for name, day in accounts.items():
        if _sum_tables(summary.tables.values(), name) != {key: units for key, units in day.movements.items() if units}:
            yield f"{name}: the tables' movements do not add up to those of the account"
    owed = sum(day.closing_units for name, day in accounts.items() if name != Account.BANK)
    if accounts[Account.BANK].closing_units < owed:
        yield f"bank: {accounts[Account.BANK].closing_units} units do not cover the {owed} of all other accounts"


def _sum_tables(tables: Iterable[TableDay], account: str) -> dict[str, int]:
    total = Counter[str]()
    for table in tables:
        total.update(table.movements.get(account, {}))
    return {purpose: units for purpose, units in total.items() if units}


def get_day_clock(settings: Settings) -> GamingDayClock:
    """Return the clock of gaming days that the settings state (raises RefusalError)."""
    return GamingDayClock(load_zone(settings.day_zone), settings.day_hour)


def format_units(units: int) -> str:
    """Format units of a meter as dollars, to the last unit.

    >>> format_units(-12_345_678_900)
    '-$12,345.678900'
    """
    whole = f"{format_cents(abs(units) // UNITS_PER_CENT)}{abs(units) % UNITS_PER_CENT:04}"
    return f"-{whole}" if units < 0 else whole


def format_short_units(units: int) -> str:
    """Format units as dollars: to the cent, unless a part of a cent is left.

    >>> format_short_units(12_340_000), format_short_units(12_340_007)
    ('$12.34', '$12.340007')
    """
    return format_units(units).removesuffix("0000")


def explain_change(event: ProgressiveEvent, share: EntryShare, purpose: str, units: int) -> str:
    """Explain why a share raised or lowered the meter for a purpose (P8, P18)."""
    match event:
        case ProgressiveCreated():
            return "the seed at the start"
        case HitEntered():
            reason = _HIT_REASONS.get((purpose, units > 0), "")
            return f"{share.describe()}, {reason}, by {event.by}" if reason else f"{share.describe()}, by {event.by}"
        case AdjustmentMade():
            change = event.adjustment
            of_award = f", for award {change.award}" if change.award else ""
            text = escape_unprintable(change.text)
            return f"{display_name(change.reason)}: {text}{of_award} ({event.requested_by}, {event.by})"
        case AwardBackedOut():
            text = escape_unprintable(event.text)
            return f"award {event.award} backed out: {text} ({event.requested_by}, {event.by})"
        case _:
            return f"{event.kind}, {purpose}"


_HIT_REASONS = {
    (Purpose.SEED.value, True): "its seed",
    (Purpose.SEED.value, False): "its seed goes back",
    (Purpose.RELEASE.value, True): "its reserve",
    (Purpose.RELEASE.value, False): "its reserve goes back",
}
