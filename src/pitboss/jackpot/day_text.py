"""The text of a gaming day's report, which its page shows too."""

from collections.abc import Callable, Iterator
from datetime import datetime

from pitboss.builders import display_name
from pitboss.core.money import format_cents
from pitboss.core.numbers import format_count
from pitboss.jackpot.accounts import Account
from pitboss.jackpot.day_report import CancelledHit, DayReport, MeterChange, TableDay, format_units
from pitboss.jackpot.gaming_days import load_zone

OF_TABLES = (Account.METER, Account.RESERVE, Account.HELD, Account.PAYABLE)
"""The accounts whose movements are listed for each table."""

_KIND_LABELS = {"founded": "set up", "staff-changed": "first executives", "entered": "hands entered or cancelled"}
"""Kinds of entries that have other names in the ledger."""


def format_day(report: DayReport) -> Iterator[str]:
    """Yield the lines of a report for people."""
    days = report.day if report.day == report.last_day else f"{report.day} to {report.last_day}"
    entries = f"{report.first_entry} to {report.last_entry}" if report.last_entry >= report.first_entry else "none"
    yield f"{days} ({report.zone} from {report.hour:02}:00, {report.hours} hours), entries {entries}"
    for name, account in report.accounts.items():
        moved = "".join(
            f", {display_name(purpose)} {format_units(units)}" for purpose, units in account.movements.items() if units
        )
        opening, closing = format_units(account.opening_units), format_units(account.closing_units)
        yield f"{name} opening {opening}{moved}, closing {closing}"
    for number, table in report.tables.items():
        moved = "".join(f", {line}" for line in iter_table_movements(table))
        wagers = f"{format_count(table.in_count, 'wager')} {format_cents(table.in_cents)}"
        yield f"table {number}: {wagers}{moved}" if number else f"no table{moved}"
    yield f"entries: {', '.join(f'{label} {count:,}' for label, count in count_kinds(report).items()) or 'none'}"
    for change, is_fall in list_meter_changes(report):
        amount = f"{'-' if is_fall else '+'}{format_units(change.units)}"
        yield f"entry {change.entry} {format_time(report, change.at)} {amount} {change.purpose}: {change.why}"
    for hit in report.cancelled:
        yield f"entry {hit.entry} {format_time(report, hit.at)} cancelled: {describe_cancelled(hit)}"
    yield from (f"DOES NOT RECONCILE: {fault}" for fault in report.faults)
    if report.reconciles:
        yield "reconciles"


def list_meter_changes(report: DayReport) -> list[tuple[MeterChange, bool]]:
    """Return what changed the meter but contributions, and whether it fell.

    They are in the order of entries; an award comes before the seed that its entry adds.
    """
    changes = [(change, True) for change in report.falls] + [(change, False) for change in report.rises]
    return sorted(changes, key=lambda each: each[0].entry)


def iter_table_movements(table: TableDay, format_amount: Callable[[int], str] = format_units) -> Iterator[str]:
    """Yield the movements of a table by account and purpose, and its envy."""
    for name in OF_TABLES:
        for purpose, units in table.movements.get(name, {}).items():
            if units:
                yield f"{name} {display_name(purpose)} {format_amount(units)}"
    if table.envy_cents:
        yield f"envy {format_cents(table.envy_cents)}"


def count_kinds(report: DayReport) -> dict[str, int]:
    """Return the number of entries of each kind, in words."""
    return {_KIND_LABELS.get(kind, kind.replace("-", " ")): count for kind, count in report.entries.items()}


def format_time(report: DayReport, at: str) -> str:
    """Format the time of an entry in the time zone of the report's days."""
    return f"{datetime.fromisoformat(at).astimezone(load_zone(report.zone)):%H:%M:%S %Z}"


def describe_cancelled(hit: CancelledHit) -> str:
    """Describe a hand that was cancelled in a few words."""
    where, hand = f"award {hit.award} table {hit.table} seat {hit.seat}", display_name(hit.hand)
    return f"{where} {hand} {format_cents(hit.cents)}, by {hit.by}"
