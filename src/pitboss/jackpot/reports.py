"""Reports of a progressive: status and ledger exports."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitboss.builders import display_name
from pitboss.core.errors import escape_unprintable
from pitboss.core.money import format_cents
from pitboss.core.numbers import format_count
from pitboss.jackpot.accounts import Account
from pitboss.jackpot.award_history import LAST_HITS
from pitboss.jackpot.display import get_display_cents, get_display_overflow_units, is_jackpot_pending
from pitboss.jackpot.entry_shares import EntryShare, EntrySplitter
from pitboss.jackpot.events import (
    Adjustment,
    AdjustmentMade,
    AwardConfirmed,
    AwardPaid,
    BackOut,
    Change,
    ChangeRequested,
    DisplayReconciled,
    HitEntered,
    ProgressiveEvent,
    RoundEnded,
    RoundOpened,
    WinPageReprinted,
    parse_event,
)
from pitboss.jackpot.staff_events import StaffRequest
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit, TableCounts
from pitboss.ledger.chain import Entry
from pitboss.ledger.store import Store
from pitboss.meter import UNITS_PER_CENT

_UNIT_DIGITS = 6  # of a dollar: a unit is 1/10,000 cent
_DOLLAR_UNITS = 100 * UNITS_PER_CENT

_NOT_DESCRIBED = {"kind", "by", "at", "settings", "change", "back", "credential", "credentials", "salt", "session"}

ReportFields = dict[str, Any]


def summarize_status(state: ProgressiveState, *, full: bool, last_hits: Iterable[Hit] | None = None) -> ReportFields:
    """Return the figures of a progressive that a display shows.

    With ``full`` those of the books are included: ``last_hits`` from the ledger, by default what the state holds.
    """
    public: ReportFields = {
        "display_cents": get_display_cents(state),
        "jackpot_pending": is_jackpot_pending(state),
        "rounds": {table: {"round": each.number, "open": each.running} for table, each in sorted(state.rounds.items())},
    }
    if not full:
        return public
    counts = state.counts.values()
    if last_hits is None:
        last_hits = [hit for _, hit in sorted(state.hits.items()) if hit.step != "cancelled"][-LAST_HITS:]
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
        "last_hits": [summarize_hit(state, hit) for hit in last_hits],
        "entries": state.entries,
    }


def summarize_hit(state: ProgressiveState, hit: Hit) -> ReportFields:
    """Return the fields of a hit for reports.

    ``waits_for`` is the earlier award that makes this one provisional (SC-9), 0 if it is final.
    """
    owed, earlier = hit.owed, state.find_earlier_hit(hit) if hit.step == "pending" else None
    return {
        "award": owed.award,
        "table": hit.table,
        "round": hit.round,
        "seat": owed.seat,
        "hand": owed.hand,
        "cards": owed.cards,
        "lost_award": owed.lost_award,
        "cents": hit.cents,
        "step": hit.step,
        "waits_for": earlier.owed.award if earlier else 0,
        "entered_by": owed.by,
        "confirmed_by": hit.confirmed_by,
        "paid_by": hit.paid_by,
    }


def describe_event(event: ProgressiveEvent, shares: Iterable[EntryShare] = ()) -> str:
    """Describe an event in one line.

    ``shares`` are those of a hit, or of its cancellation.

    >>> describe_event(AwardPaid(by="ann", award=3, cents=1500))
    'paid by ann: award 3, $15.00'
    """
    if isinstance(event, HitEntered):
        return _describe_hit(event, tuple(shares))
    return escape_unprintable(f"{event.kind} by {event.by}: {_describe_details(event)}")


def _describe_hit(event: HitEntered, shares: tuple[EntryShare, ...]) -> str:
    """Describe which award was entered or cancelled, and what changed with it."""
    causes, effects, step = [], [], "entered"
    for share in shares:
        owed = share.after or share.before
        if owed and share.before and share.after:
            if share.before.cents != share.after.cents:
                effects.append(f"; {share.describe()}")
        elif owed:
            step = "entered" if share.after else "cancelled"
            hand = f"seat {owed.seat} {display_name(owed.hand)}"
            causes.append(f"award {share.award} {hand} {format_cents(owed.cents)}{owed.lost_note}")
    return f"{step} by {event.by}: table {event.table} round {event.round}: {', '.join(causes)}{''.join(effects)}"


def describe_change(change: Change) -> str:
    """Describe a requested change in a few words.

    >>> describe_change(BackOut(award=3, text="misread hand"))
    'back out award 3: misread hand'
    """
    match change:
        case Adjustment():
            of_award = f" for award {change.award}" if change.award else ""
            text = escape_unprintable(change.text)
            return f"{change.account} {format_cents(change.cents)}{of_award}, {change.reason}: {text}"
        case BackOut():
            return f"back out award {change.award}: {escape_unprintable(change.text)}"
        case StaffRequest():
            return f"{change.act} {change.name}, {change.role}"
        case _:
            return f"new settings: {escape_unprintable(change.text)}"


def _describe_details(event: ProgressiveEvent) -> str:
    match event:
        case RoundOpened():
            cents = sum(wager.cents for wager in event.wagers)
            wagers = format_count(len(event.wagers), "wager")
            return f"table {event.table} round {event.round}, {wagers}, {format_cents(cents)}"
        case AwardConfirmed():
            cents = event.meter_cents + event.tray_cents
            return f"award {event.award}, {format_cents(cents)}, entered by {event.entered_by}"
        case AwardPaid():
            return f"award {event.award}, {format_cents(event.cents)}"
        case RoundEnded():
            envy = "".join(f", envy of seat {each.seat} {format_cents(each.cents)}" for each in event.envy)
            return f"table {event.table} round {event.round}{envy}"
        case AdjustmentMade():
            asked = f"requested by {event.requested_by}, request {event.request}"
            return f"{asked}, {describe_change(event.adjustment)}"
        case WinPageReprinted():
            return f"award {event.award}, print {event.copy_number + 1}"
        case ChangeRequested(change=StaffRequest() as account):
            return f"request {event.request}, {describe_change(account)}"
        case DisplayReconciled():
            return f"posted {format_cents(event.posted_cents)}, computed {format_cents(event.computed_cents)}"
        case _:
            fields = event.model_dump(mode="json", exclude=_NOT_DESCRIBED)
            return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in fields.items() if value)


CSV_COLUMNS = (
    *("entry", "at", "actor", "kind", "table", "round", "award", "account", "purpose", "units"),
    *("meter_units", "reserve_units", "hash"),
)


def export_csv(store: Store, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the ledger as CSV, a line for each posting.

    Table, round and award are empty where it belongs to none.  An entry that moves no money has a line for each of its
    awards, or one.
    """
    splitter = EntrySplitter(store)
    yield _format_csv_row(CSV_COLUMNS)
    for entry in entries:
        begins = (entry.sequence, entry.at, entry.actor, entry.kind)
        ends = (entry.meter_units, entry.reserve_units, entry.hash)
        for share in splitter.split(entry.sequence, parse_event(entry.data)):
            where = [number or "" for number in (share.table, share.round, share.award)]
            for line in share.postings or (("", "", ""),):
                yield _format_csv_row((*begins, *where, *line, *ends))


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


def export_journal(store: Store, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the ledger as plain-text accounting (hledger).

    Each entry that moves money is a transaction.  Each posting has the tags ``table``, ``round`` and ``award`` of what
    it belongs to.
    """
    splitter = EntrySplitter(store)
    for entry in entries:
        if not entry.postings:
            continue
        yield f"{entry.at[:10]} ({entry.sequence}) {entry.kind} by {entry.actor}\n"
        for share in splitter.split(entry.sequence, parse_event(entry.data)):
            numbers = {"table": share.table, "round": share.round, "award": share.award}
            tags = ", ".join(f"{name}:{number}" for name, number in numbers.items() if number)
            for line in share.postings:
                account, amount = _JOURNAL_ACCOUNTS[line.account], format_unit_dollars(line.units)
                yield f"    {account}:{line.purpose:<14}  {amount} USD{f'  ; {tags}' if tags else ''}\n"
        yield "\n"


def format_unit_dollars(units: int) -> str:
    """Format units as dollars, to the last unit.

    >>> format_unit_dollars(-1_234_567)
    '-1.234567'
    """
    sign = "-" if units < 0 else ""
    return f"{sign}{abs(units) // _DOLLAR_UNITS}.{abs(units) % _DOLLAR_UNITS:0{_UNIT_DIGITS}}"
