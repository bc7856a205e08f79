"""Reports of a progressive: status, win pages, a day's summary, and exports of the ledger for accountants."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pitboss.core.money import format_cents
from pitboss.core.version import __version__
from pitboss.jackpot.accounts import Account
from pitboss.jackpot.events import (
    AdjustmentMade,
    AwardBackedOut,
    AwardConfirmed,
    AwardPaid,
    DisplayReconciled,
    HitEntered,
    ProgressiveEvent,
    RoundEnded,
    RoundOpened,
    parse_event,
)
from pitboss.jackpot.state import Hit, ProgressiveState, TableCounts, get_display_cents, get_display_overflow_units
from pitboss.ledger.chain import Entry
from pitboss.meter import UNITS_PER_CENT

LAST_HITS = 25
_UNIT_DIGITS = 6  # of a dollar: a unit is 1/10,000 cent
_DOLLAR_UNITS = 100 * UNITS_PER_CENT

ReportFields = dict[str, Any]


def summarize_status(state: ProgressiveState, *, full: bool) -> ReportFields:
    """Return the figures of a progressive: what a display shows, or with ``full`` those of the books too."""
    public: ReportFields = {
        "display_cents": get_display_cents(state),
        "rounds": {table: {"round": each.number, "open": each.running} for table, each in sorted(state.rounds.items())},
    }
    if not full:
        return public
    counts = state.counts.values()
    hits = [hit for _, hit in sorted(state.hits.items()) if hit.step != "cancelled"]
    return public | {
        "meter_units": state.meter_units,
        "reserve_units": state.reserve_units,
        "overflow_units": get_display_overflow_units(state),
        "held_cents": -state.get_balance(Account.HELD) // UNITS_PER_CENT,
        "payable_cents": -state.get_balance(Account.PAYABLE) // UNITS_PER_CENT,
        "bank_units": state.get_balance(Account.BANK),
        "counts": {name: sum(getattr(each, name) for each in counts) for name in TableCounts.model_fields},
        "settings_version": state.version,
        "requests": {number: each.model_dump(mode="json") for number, each in state.requests.items()},
        "incidents": {number: each.model_dump(mode="json") for number, each in state.incidents.items()},
        "last_hits": [summarize_hit(hit) for hit in hits[-LAST_HITS:]],
        "entries": state.entries,
    }


def summarize_hit(hit: Hit) -> ReportFields:
    """Return the fields of a hit for reports."""
    owed = hit.owed
    return {
        "award": owed.award,
        "table": hit.table,
        "round": hit.round,
        "seat": owed.seat,
        "hand": owed.hand,
        "cards": owed.cards,
        "cents": hit.cents,
        "step": hit.step,
        "entered_by": owed.by,
        "confirmed_by": hit.confirmed_by,
        "paid_by": hit.paid_by,
    }


class WinPage(NamedTuple):
    """The page that goes with a payment: its heading, the mark of a reprint, labelled lines, and its signatures."""

    heading: str
    mark: str
    lines: tuple[tuple[str, str], ...]
    signatures: tuple[str, ...] = ("dealer", "supervisor", "winner")


def make_win_page(state: ProgressiveState, award: int) -> WinPage:
    """Return the win page of an award; a reprint is marked and numbered."""
    hit = state.hits[award]
    of_round = [other.owed for other in state.hits.values() if (other.table, other.round) == (hit.table, hit.round)]
    before = [owed for owed in of_round if owed.seat > hit.owed.seat and state.hits[owed.award].step != "cancelled"]
    lines = (
        ("amount owed", format_cents(hit.cents)),
        ("from the meter", format_cents(hit.owed.meter_cents)),
        ("from the tray", format_cents(hit.owed.tray_cents)),
        ("meter before", _format_to_unit(hit.before_units)),
        ("meter after", _format_to_unit(hit.after_units)),
        ("where", f"table {hit.table}, round {hit.round}, seat {hit.owed.seat}, number {len(before) + 1} of the round"),
        ("hand", f"{hit.owed.hand} {hit.owed.cards}".rstrip()),
        ("entered by", hit.owed.by),
        ("confirmed by", hit.confirmed_by),
    )
    return WinPage(f"PROGRESSIVE WIN {award}", f"REPRINT {hit.copies}: NOT FOR PAYMENT" if hit.copies else "", lines)


def _format_to_unit(units: int) -> str:
    return f"{format_cents(units // UNITS_PER_CENT)}{units % UNITS_PER_CENT:04}"


def format_win_page(page: WinPage) -> str:
    """Format a win page as lines of text."""
    lines = [f"{page.heading}   {page.mark}".rstrip(), *(f"{label:<14}  {value}" for label, value in page.lines)]
    return "\n".join([*lines, "", "  ".join(f"{who} {'_' * 20}" for who in page.signatures)])


def format_page_footer(state: ProgressiveState, now: datetime) -> str:
    """Return a page's footer: when it was printed, by which version, and at which entry of the ledger."""
    return f"printed {now:%Y-%m-%d %H:%M:%S} UTC by pitboss {__version__}, the ledger at entry {state.entries}"


def describe_event(event: ProgressiveEvent) -> str:
    """Describe an event in one line.

    >>> describe_event(AwardPaid(by="ann", award=3, cents=1500))
    'paid by ann: award 3, $15.00'
    """
    return f"{event.kind} by {event.by}: {_describe_details(event)}"


def _describe_details(event: ProgressiveEvent) -> str:
    match event:
        case RoundOpened():
            cents = sum(wager.cents for wager in event.wagers)
            return f"table {event.table} round {event.round}, {len(event.wagers)} wagers, {format_cents(cents)}"
        case HitEntered():
            owed = ", ".join(
                f"award {each.award} seat {each.seat} {each.hand} {format_cents(each.meter_cents + each.tray_cents)}"
                for each in event.owed
            )
            return f"table {event.table} round {event.round}: {owed or 'nothing is owed'}"
        case AwardConfirmed():
            cents = event.meter_cents + event.tray_cents
            return f"award {event.award}, {format_cents(cents)}, entered by {event.entered_by}"
        case AwardPaid():
            return f"award {event.award}, {format_cents(event.cents)}"
        case RoundEnded():
            envy = "".join(f", envy of seat {each.seat} {format_cents(each.cents)}" for each in event.envy)
            return f"table {event.table} round {event.round}{envy}"
        case AdjustmentMade():
            change = event.adjustment
            return f"{change.account} {format_cents(change.cents)}, {change.reason}: {change.text}"
        case DisplayReconciled():
            return f"posted {format_cents(event.posted_cents)}, computed {format_cents(event.computed_cents)}"
        case _:
            fields = event.model_dump(mode="json", exclude={"kind", "by", "settings", "change", "back"})
            return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in fields.items() if value)


def summarize_day(entries: Iterable[Entry], day: str) -> ReportFields:
    """Return a day's summary (UTC, as 2026-11-21): the meter's start and end, and why it fell each time (P8, P18)."""
    opening_units = closing_units = units = 0
    kinds: dict[str, int] = {}
    falls = []
    for entry in entries:
        if entry.at[:10] < day:
            opening_units = units = entry.meter_units
        elif entry.at[:10] == day:
            kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
            if entry.meter_units < units:
                why = _explain_fall(parse_event(entry.data))
                falls.append({"entry": entry.sequence, "at": entry.at, "units": units - entry.meter_units, "why": why})
            units = entry.meter_units
    closing_units = units
    return {
        "day": day,
        "opening_units": opening_units,
        "closing_units": closing_units,
        "entries": kinds,
        "falls": falls,
    }


def _explain_fall(event: ProgressiveEvent) -> str:
    match event:
        case HitEntered():
            if event.owed:
                return "awards held: " + ", ".join(str(owed.award) for owed in event.owed)
            return "seed and reserve of a cancelled award returned"
        case AdjustmentMade():
            change = event.adjustment
            return f"{change.reason}: {change.text} ({event.requested_by}, {event.by})"
        case AwardBackedOut():
            return f"award {event.award} backed out: {event.text} ({event.requested_by}, {event.by})"
        case _:
            return event.kind


def export_csv(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the ledger as CSV, a line for each posting, or one line for an entry that moves no money."""
    header = ("entry", "at", "actor", "kind", "account", "purpose", "units", "meter_units", "reserve_units", "hash")
    yield _format_csv_row(header)
    for entry in entries:
        ends = (entry.meter_units, entry.reserve_units, entry.hash)
        for line in entry.postings or (("", "", ""),):
            yield _format_csv_row((entry.sequence, entry.at, entry.actor, entry.kind, *line, *ends))


def _format_csv_row(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


_JOURNAL_ACCOUNTS: Mapping[str, str] = {
    "bank": "assets:bank",
    "cage": "assets:cage",
    "meter": "liabilities:meter",
    "reserve": "liabilities:reserve",
    "held": "liabilities:held",
    "payable": "liabilities:payable",
    "house": "equity:house",
}


def export_journal(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the ledger as plain-text accounting (hledger): a transaction for each entry that moves money."""
    for entry in entries:
        if entry.postings:
            yield f"{entry.at[:10]} ({entry.sequence}) {entry.kind} by {entry.actor}\n"
            for line in entry.postings:
                account, amount = _JOURNAL_ACCOUNTS[line.account], format_unit_dollars(line.units)
                yield f"    {account}:{line.purpose:<14}  {amount} USD\n"
            yield "\n"


def format_unit_dollars(units: int) -> str:
    """Format units as dollars, to the last unit.

    >>> format_unit_dollars(-1_234_567)
    '-1.234567'
    """
    sign = "-" if units < 0 else ""
    return f"{sign}{abs(units) // _DOLLAR_UNITS}.{abs(units) % _DOLLAR_UNITS:0{_UNIT_DIGITS}}"
