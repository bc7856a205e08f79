"""``pitboss jackpot``: the commands that read: status, win pages, reconciliation, verification, exports, a day."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.arguments import JsonOption
from pitboss.cli.jackpot_ledger import (
    DEFAULT_LEDGER,
    AsOption,
    CodeOption,
    KeyOption,
    LedgerOption,
    PdfOption,
    execute_command,
    open_ledger,
    print_outcome,
    print_win_page,
    verify_win_page_pdf,
    write_win_page_pdf,
)
from pitboss.core.errors import PitbossError
from pitboss.core.files import verify_writable, write_file
from pitboss.core.money import format_cents, parse_cents
from pitboss.jackpot.commands import ReconcileDisplay, ReprintWinPage
from pitboss.jackpot.errors import RefusalError

if TYPE_CHECKING:
    from pitboss.ledger.store import Transaction

EXPORT_FORMATS = ("csv", "journal", "head")


def register_commands(app: typer.Typer) -> None:
    """Add the commands of this module."""
    for command in (status, reprint, reconcile, verify, export, daily):
        app.command()(command)


def status(
    ledger: LedgerOption = DEFAULT_LEDGER, name: AsOption = "", code: CodeOption = "", *, as_json: JsonOption = False
) -> None:
    """Show the display; staff also see reserve, counts, overflow, payable awards and the last 25 hits.

    To see these, give --as or log in first.
    """
    from pitboss.jackpot.reports import summarize_status

    with open_ledger(ledger) as at:
        is_staff = bool(name or os.environ.get("PITBOSS_SESSION"))
        if is_staff:
            at.authenticate_reader(name, code)
        state = at.controller.state
        figures = summarize_status(state, full=is_staff)
        closed = {number: each.text for number, each in state.incidents.items() if not each.table}
    if as_json:
        typer.echo(json.dumps(figures | ({"closed_by": closed} if closed else {}), indent=2))
    else:
        _print_status(figures)
        for number, text in closed.items():
            typer.echo(f"all tables are closed by incident {number}: {text}")


def _print_status(figures: dict[str, Any]) -> None:
    from pitboss.jackpot.reports import format_unit_dollars

    typer.echo(f"display {format_cents(figures['display_cents'])}")
    for table, current in figures["rounds"].items():
        typer.echo(f"table {table}: round {current['round']} {'open' if current['open'] else 'over'}")
    for label in ("meter_units", "reserve_units", "overflow_units", "bank_units"):
        if label in figures:
            typer.echo(f"{label.removesuffix('_units')} ${format_unit_dollars(figures[label])}")
    for label in ("held_cents", "payable_cents"):
        if label in figures:
            typer.echo(f"{label.removesuffix('_cents')} {format_cents(figures[label])}")
    for label, count in figures.get("counts", {}).items():
        is_money = label.endswith("_cents")
        text = format_cents(count) if is_money else f"{count:,}"
        typer.echo(f"{label.removesuffix('_cents').replace('_', ' ')}{' dollars' if is_money else ''} {text}")
    for kind in ("request", "incident"):
        for number, each in figures.get(f"{kind}s", {}).items():
            typer.echo(f"{kind} {number}: {json.dumps(each)}")
    for hit in figures.get("last_hits", []):
        where = f"table {hit['table']} round {hit['round']} seat {hit['seat']}"
        typer.echo(f"award {hit['award']} {where} {hit['hand']} {format_cents(hit['cents'])} {hit['step']}")


def reprint(
    award: Annotated[int, typer.Argument(metavar="AWARD", min=1, help="The award's number.")],
    pdf: PdfOption = None,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Print a win page again, marked and counted as a reprint; --pdf writes a PDF."""
    verify_win_page_pdf(pdf)
    outcome = execute_command(ledger, name, code, key, lambda _at: ReprintWinPage(award=award))
    print_win_page(outcome, award, as_json=as_json)
    write_win_page_pdf(outcome, award, pdf)


def reconcile(
    posted: Annotated[str, typer.Option(metavar="DOLLARS", help="The amount that the display posts.")],
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    key: KeyOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Compare a display's amount with the ledger; a variance that is too large closes all tables (incident)."""
    cents = parse_cents(posted)
    print_outcome(
        execute_command(ledger, name, code, key, lambda _at: ReconcileDisplay(posted_cents=cents)), as_json=as_json
    )


def verify(
    head: Annotated[Path | None, typer.Option(metavar="FILE", help="A head written by `export --format head`.")] = None,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Check the whole ledger: chain, postings, meters, every identity, and with --head an exported head."""
    from pitboss.core.files import read_text
    from pitboss.jackpot.audit import verify_exported_head
    from pitboss.ledger.signing import read_head

    with open_ledger(ledger) as at:
        at.authenticate_reader(name, code)
        exported = read_head(read_text(head, PitbossError), at.signer.public_key) if head else None

        def verify_head(transaction: "Transaction") -> None:
            if exported:
                verify_exported_head(transaction, exported)

        state = at.controller.verify(verify_head)
    if as_json:
        typer.echo(json.dumps({"entries": state.checked_entries, "hash": state.head.hash, "holds": True}, indent=2))
    else:
        typer.echo(f"{state.checked_entries:,} entries hold, the last {state.head.hash}")


def export(
    kind: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(EXPORT_FORMATS),
            help="csv: every entry; journal: plain-text accounting; head: the signed head.",
        ),
    ] = "csv",
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="The file to write; default: the screen.")] = None,
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
) -> None:
    """Export the ledger as CSV or plain-text accounting, or its signed head, to store elsewhere."""
    from pitboss.jackpot.reports import export_csv, export_journal
    from pitboss.ledger.signing import sign_head

    if kind not in EXPORT_FORMATS:
        raise RefusalError(f"{kind!r} is not an export format: choose {', '.join(EXPORT_FORMATS)}")
    if output:
        verify_writable(output, RefusalError)
    with open_ledger(ledger) as at:
        at.authenticate_reader(name, code)
        with at.store.begin_read() as transaction:
            if kind == "head":
                now = datetime.now(UTC).isoformat(timespec="seconds")
                text = sign_head(transaction.get_head(), now, at.signer) + "\n"
            else:
                text = "".join((export_csv if kind == "csv" else export_journal)(transaction.read_entries()))
    if output:
        write_file(output, text.encode(), RefusalError)
    else:
        typer.echo(text, nl=False)


def daily(
    day: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="The day, in UTC; default: today.")] = "",
    ledger: LedgerOption = DEFAULT_LEDGER,
    name: AsOption = "",
    code: CodeOption = "",
    *,
    as_json: JsonOption = False,
) -> None:
    """Report a day: the meter at its start and end, entries by kind, and the reason for each fall of the meter."""
    from pitboss.jackpot.reports import format_unit_dollars, summarize_day

    try:
        date = datetime.fromisoformat(day).date() if day else datetime.now(UTC).date()
    except ValueError:
        raise RefusalError(f"{day!r} is not a day: write it as YYYY-MM-DD, for example 2026-11-21") from None
    with open_ledger(ledger) as at:
        at.authenticate_reader(name, code)
        with at.store.begin_read() as transaction:
            figures = summarize_day(transaction.read_entries(), date.isoformat())
    if as_json:
        typer.echo(json.dumps(figures, indent=2))
        return
    typer.echo(
        f"{figures['day']}: ${format_unit_dollars(figures['opening_units'])} to "
        f"${format_unit_dollars(figures['closing_units'])}"
    )
    for kind, count in figures["entries"].items():
        typer.echo(f"{kind} {count:,}")
    for fall in figures["falls"]:
        typer.echo(f"entry {fall['entry']} {fall['at'][11:19]} -${format_unit_dollars(fall['units'])} {fall['why']}")
