"""``pitboss jackpot``: status, win pages, reconciliation, verification, exports."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.arguments import parse_dollars
from pitboss.cli.jackpot_days import FromOption, ToOption, find_entries, verify_days
from pitboss.cli.jackpot_ledger import (
    LedgerCall,
    PdfOption,
    align_columns,
    print_outcome,
    verify_win_page_pdf,
    with_ledger_options,
    write_win_page_pdf,
)
from pitboss.core.errors import PitbossError, escape_unprintable
from pitboss.core.files import verify_writable, write_file
from pitboss.core.money import format_cents
from pitboss.jackpot.commands import ReconcileDisplay, ReprintWinPage
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.plain_text import describe_entries

if TYPE_CHECKING:
    from pitboss.jackpot.state import ProgressiveState

EXPORT_FORMATS = ("csv", "journal", "head")


def register_commands(app: typer.Typer) -> None:
    """Add the commands of this module."""
    for command in (status, settings, reprint, reconcile, verify, export):
        app.command()(command)


@with_ledger_options("key")
def status(
    call: LedgerCall,
    before: Annotated[
        int, typer.Option(min=0, help="Show the 25 hits before this award instead of the last 25.", show_default=False)
    ] = 0,
) -> None:
    """Show the progressive's displayed amount and the rounds of the tables.

    Staff also see the meter, reserve, overflow, bank, held, payable, counts and the last 25 hits.  To see these, give
    `--as` or log in first.
    """
    from pitboss.jackpot.reports import summarize_status

    with call.open() as at:
        is_staff = bool(call.name or os.environ.get("PITBOSS_SESSION"))
        if is_staff:
            call.authenticate_reader(at)
        state = at.controller.state
        last_hits = at.controller.list_last_hits(before) if is_staff else ()
        figures = summarize_status(state, full=is_staff, last_hits=last_hits)
        clock = at.controller.find_clock_fault()
        closed = {number: each.text for number, each in state.incidents.items() if not each.table}
    if call.as_json:
        more = ({"closed_by": closed} if closed else {}) | ({"clock": clock} if clock else {})
        typer.echo(json.dumps(figures | more, indent=2))
    else:
        _print_status(figures, state)
        for number, text in closed.items():
            typer.echo(f"all tables are closed by incident {number}: {text}")
        if clock:
            typer.echo(clock)


@with_ledger_options("key")
def settings(call: LedgerCall) -> None:
    """Show the current settings: rates, pay table, limits, tables and seats.

    `pitboss jackpot configure` changes them.  A change applies from each table's next round.
    """
    from pitboss.jackpot.lookups import get_settings
    from pitboss.jackpot.request_review import iter_settings

    with call.open_as_reader() as at:
        in_force = get_settings(at.controller.state)
    shown = list(iter_settings(in_force))
    width = max(len(line.label) for line in shown)
    lines = (f"{label:{width}}  {value}" for label, value in shown)
    call.print(in_force.model_dump(mode="json"), "\n".join(lines))


_COUNT_LABELS = {
    "in_count": "wagers",
    "in_cents": "wagered",
    "hits": "hits entered",
    "wins": "wins confirmed",
    "won_cents": "won",
    "backed_out_cents": "backed out",
    "paid_cents": "paid",
    "envy_cents": "envy",
}


def _print_status(figures: dict[str, Any], state: "ProgressiveState") -> None:
    from pitboss.jackpot.day_report import format_units
    from pitboss.jackpot.request_review import format_review

    pending = ", jackpot pending" if figures["jackpot_pending"] else ""
    typer.echo(f"display {format_cents(figures['display_cents'])}{pending}")
    for table, current in figures["rounds"].items():
        typer.echo(f"table {table}: round {current['round']} {'open' if current['open'] else 'over'}")
    if "counts" not in figures:
        return
    rows = [(label, format_units(figures[f"{label}_units"])) for label in ("meter", "reserve", "overflow", "bank")]
    rows += [(label, format_cents(figures[f"{label}_cents"])) for label in ("held", "payable")]
    counts = figures["counts"]
    rows += [
        (label, format_cents(counts[name]) if name.endswith("_cents") else f"{counts[name]:,}")
        for name, label in _COUNT_LABELS.items()
    ]
    typer.echo(align_columns(rows))
    for number in state.requests:
        typer.echo(format_review(state, number))
    for number, incident in state.incidents.items():
        where = f"table {incident.table}" if incident.table else "all tables"
        signed = f", signed by {incident.signed_by}" if incident.signed_by else ""
        typer.echo(f"incident {number}: {where}, {incident.what}, {escape_unprintable(incident.text)}{signed}")
    for hit in figures["last_hits"]:
        where = f"table {hit['table']} round {hit['round']} seat {hit['seat']}"
        notes = f", provisional until award {hit['waits_for']} is decided" if hit["waits_for"] else ""
        notes += f", award {hit['lost_award']} entered again" if hit["lost_award"] else ""
        typer.echo(f"award {hit['award']} {where} {hit['hand']} {format_cents(hit['cents'])} {hit['step']}{notes}")


@with_ledger_options()
def reprint(
    call: LedgerCall,
    award: Annotated[int, typer.Argument(metavar="AWARD", min=1, help="The award's number.")],
    pdf: PdfOption = None,
) -> None:
    """Print a win page again, marked and counted as a reprint."""
    verify_win_page_pdf(pdf)
    outcome = call.execute(ReprintWinPage(award=award))
    print_outcome(outcome, as_json=call.as_json, shows_page=pdf is None)
    write_win_page_pdf(outcome, pdf)


@with_ledger_options()
def reconcile(
    call: LedgerCall, posted: Annotated[str, typer.Option(metavar="DOLLARS", help="The amount that the display shows.")]
) -> None:
    """Compare the amount on a display with the ledger.

    A variance that is too large opens an incident, which closes all tables.
    """
    cents = parse_dollars(posted, "--posted")
    call.run(ReconcileDisplay(posted_cents=cents))


@with_ledger_options("key")
def verify(
    call: LedgerCall,
    head: Annotated[Path | None, typer.Option(metavar="FILE", help="A head written by `export --format head`.")] = None,
) -> None:
    """Check the whole ledger.

    This checks its chain, postings, balances and meters.  With `--head`, the ledger is also checked against an
    exported head.
    """
    from pitboss.core.files import read_text
    from pitboss.ledger.signing import read_own_head

    with call.open_as_reader(may_be_closed=True) as at:
        exported = read_own_head(read_text(head, PitbossError), at.signer) if head else None
        state = at.controller.verify(exported)
    call.print(
        {"entries": state.checked_entries, "hash": state.head.hash, "holds": True},
        f"{describe_entries(state.checked_entries)}; last hash {state.head.hash}",
    )


@with_ledger_options("key", "as_json")
def export(
    call: LedgerCall,
    kind: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(EXPORT_FORMATS),
            help="csv: every entry; journal: a plain-text accounting journal; head: the signed head.",
        ),
    ] = "csv",
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file to write; default: standard output.")
    ] = None,
    first: FromOption = "",
    last: ToOption = "",
) -> None:
    """Export the ledger, or its signed head to store elsewhere.

    The ledger is exported as CSV or as a plain-text accounting journal, either whole or for some gaming days.
    """
    from pitboss.jackpot.reports import export_csv, export_journal
    from pitboss.ledger.entry_pages import read_entry_pages
    from pitboss.ledger.signing import sign_head

    if kind not in EXPORT_FORMATS:
        raise RefusalError(
            f"{kind!r} is not an export format: choose {', '.join(EXPORT_FORMATS)}",
            code="unknown-format",
            kind=kind,
            export_formats=EXPORT_FORMATS,
        )
    verify_days(first, last)
    if output:
        verify_writable(output, RefusalError)
    with call.open_as_reader() as at:
        if kind == "head":
            now = datetime.now(UTC).isoformat(timespec="seconds")
            with at.store.begin_read() as transaction:
                text = sign_head(transaction.get_head(), now, at.signer) + "\n"
        else:
            entries = read_entry_pages(at.store, find_entries(at, first, last))
            text = "".join((export_csv if kind == "csv" else export_journal)(at.store, entries))
    if output:
        write_file(output, text.encode(), RefusalError)
    else:
        typer.echo(text, nl=False)
