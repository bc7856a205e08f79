"""``pitboss jackpot``: gaming days, their reports and archives."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.jackpot_ledger import LedgerCall, OpenLedger, with_ledger_options
from pitboss.core.files import verify_writable
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.gaming_days import GamingDayClock, load_zone, parse_day
from pitboss.jackpot.lookups import get_settings

if TYPE_CHECKING:
    from pitboss.ledger.entry_pages import EntryRange

FromOption = Annotated[str, typer.Option("--from", metavar="YYYY-MM-DD", help="The first gaming day.")]
ToOption = Annotated[
    str, typer.Option("--to", metavar="YYYY-MM-DD", help="The last gaming day; default: the first, or today.")
]
NOT_RECONCILED = 1
"""The exit status of a report that does not reconcile."""


def register_commands(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(daily)
    app.command()(archive)
    app.command("verify-archive")(verify_archive)


def _get_clock(at: OpenLedger, zone: str = "", hour: int = -1) -> GamingDayClock:
    """Return the clock of the settings, or another one for this report."""
    settings = get_settings(at.controller.state)
    return GamingDayClock(load_zone(zone or settings.day_zone), settings.day_hour if hour < 0 else hour)


def _find_days(clock: GamingDayClock, first: str, last: str) -> tuple[date, date]:
    today = clock.find_day(datetime.now(UTC))
    begin = parse_day(first) if first else today
    return begin, parse_day(last) if last else begin


def verify_days(*days: str) -> None:
    """Check how days are written, before anybody is asked for a password.

    Raises:
        RefusalError: one is not a day.
    """
    for day in days:
        if day:
            parse_day(day)


def find_entries(at: OpenLedger, first: str, last: str) -> "EntryRange":
    """Return the entries of gaming days, of the whole ledger if no day is given."""
    from pitboss.ledger.entry_pages import EntryRange, find_entries_between

    with at.store.begin_read() as transaction:
        end = transaction.get_head().sequence
        if not first and not last:
            return EntryRange(1, end)
        clock = _get_clock(at)
        begins = clock.get_bounds(parse_day(first)).begins if first else ""
        return find_entries_between(transaction, begins, clock.get_bounds(parse_day(last)).ends if last else "9999")


@with_ledger_options("key")
def daily(
    call: LedgerCall,
    day: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="The gaming day; default: today's.")] = "",
    first: FromOption = "",
    last: ToOption = "",
    zone: Annotated[str, typer.Option(help="The time zone; default: that of the settings.")] = "",
    hour: Annotated[
        int,
        typer.Option(
            min=-1, max=23, help="The hour at which a day begins; default: that of the settings.", show_default=False
        ),
    ] = -1,
) -> None:
    """Report one or more gaming days, reconciled to 1/10,000 of a cent.

    For each account, the opening balance and the movements, by purpose and by table, add up to the closing balance.
    Each rise and fall of the meter has its reason.  The exit status is 1 if a report does not reconcile.
    """
    from pitboss.jackpot.day_report import report_days
    from pitboss.jackpot.day_text import format_day

    if day and (first or last):
        raise RefusalError("give --day, or --from and --to", code="day-or-range")
    verify_days(day, first, last)
    if zone:
        load_zone(zone)
    with call.open_as_reader() as at:
        clock = _get_clock(at, zone, hour)
        begin, end = _find_days(clock, day or first, last)
        days, total = report_days(at.store, clock, begin, clock.verify_begun(end, datetime.now(UTC)))
    reports = [*days, total] if len(days) > 1 else days
    if call.as_json:
        one = days[0].model_dump(mode="json")
        several = {"days": [each.model_dump(mode="json") for each in days], "total": total.model_dump(mode="json")}
        typer.echo(json.dumps(several if first or last else one, indent=2))
    else:
        typer.echo("\n\n".join("\n".join(format_day(each)) for each in reports))
    if not all(each.reconciles for each in reports):
        raise typer.Exit(NOT_RECONCILED)


@with_ledger_options("key")
def archive(
    call: LedgerCall,
    output: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")],
    first: FromOption = "",
    last: ToOption = "",
) -> None:
    """Write the entries and answers of gaming days to a signed file.

    `verify-archive` verifies the file without the ledger.  Nothing is removed from the ledger.
    """
    from pitboss.core.cache import atomic_write
    from pitboss.jackpot.archive import write_archive

    verify_days(first, last)
    verify_writable(output, RefusalError)
    with call.open_as_reader() as at, atomic_write(output) as temporary:
        clock = _get_clock(at)
        with temporary.open("w", encoding="ascii") as file:
            written = write_archive(at.store, at.signer, clock, *_find_days(clock, first, last), file)
    call.print(
        {"archive": str(output), **written},
        f"{output}: {written['entries']:,} entries and {written['answers']:,} answers, sha256 {written['digest']}",
    )


@with_ledger_options("ledger", "name", "key")
def verify_archive(
    call: LedgerCall,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The archive, as `archive` wrote it.")],
    public_key: Annotated[str, typer.Option(metavar="HEX", help="The public key that `init` printed.")] = "",
) -> None:
    """Verify an archive without its ledger."""
    from pitboss.jackpot.archive import verify_archive

    found = verify_archive(file, public_key)
    call.print(
        found,
        f"{found['day']} to {found['last_day']}: {found['entries']:,} entries and {found['answers']:,} answers "
        f"verified; last hash {found['hash']}, signed with {found['public_key']}",
    )
