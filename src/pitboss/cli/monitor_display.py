"""Display of monitored tables: a verdict for each, then what is out of tolerance."""

from collections.abc import Iterator
from math import floor, log10

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.analysis.monitor_report import BandVerdict, MonitorReport, TableReport
from pitboss.builders import display_name
from pitboss.cli.grids import Column, Grid
from pitboss.core.money import format_cents
from pitboss.core.numbers import format_count
from pitboss.reports.formatting import format_percent

_RARE = 1e-12


def render_monitor(report: MonitorReport) -> RenderableType:
    """Draw a report: every table, then what is out of tolerance, line by line."""
    return Group(*_render_heading(report), _make_table_grid(report), *_render_alarms(report), *_render_notes(report))


def _render_heading(report: MonitorReport) -> Iterator[Text]:
    sheet = report.bet.sheet
    yield Text()
    yield Text.assemble(
        (f"{sheet.game.name}: {sheet.wager.name}", "bold"), f"  house edge {format_percent(sheet.house_edge)}"
    )
    for table in sheet.paytables:
        yield Text.assemble((table.id, "bold cyan"), (f"  {table.source}", "dim"))
    out, tables = len(report.out_of_tolerance), format_count(len(report.tables), "table")
    summary = f"{out:,} of {tables} out of tolerance" if out else f"{tables} within tolerance"
    yield Text(
        f"{summary}; the chance that honest results ever raise an alarm is at most {_format_rate(report.false_alarms)}",
        style="bold red" if out else "green",
    )


def _format_rate(rate: float) -> str:
    return f"{100 * rate:g}%"


def _make_table_grid(report: MonitorReport) -> Grid:
    columns = [
        Column("Table", wraps=True),
        Column("Periods", right_aligned=True, drop_order=3),
        Column("Rounds", right_aligned=True),
        Column("Staked", right_aligned=True, drop_order=2),
        Column("Returned", right_aligned=True),
        Column("Expected", right_aligned=True),
        Column("Band", right_aligned=True),
        Column("Hold", right_aligned=True, drop_order=1),
        Column("Expected hold", right_aligned=True, drop_order=4),
        Column("Longest wins of house, players", right_aligned=True, drop_order=5),
        Column("Verdict", wraps=True),
    ]
    grid = Grid(columns)
    for table in report.tables:
        result = table.result
        grid.add_row(
            table.table,
            f"{len(table.periods):,}",
            f"{table.rounds:,}",
            format_cents(table.staked_cents),
            _format_part(table.compute_return(table.returned_cents)),
            _format_part(table.compute_return(result.expected)) if result else "",
            _format_return_band(table, result) if result else "not judged",
            _format_part(table.compute_hold(table.returned_cents)),
            _format_part(table.compute_hold(result.expected)) if result else "",
            ", ".join(_format_run(run.length, run.chance) for run in table.runs),
            Text("out of tolerance", "bold red") if table.out_of_tolerance else "within tolerance",
        )
    return grid


def _format_part(part: float | None) -> str:
    return "" if part is None else format_percent(part, 2)


def _format_return_band(table: TableReport, result: BandVerdict) -> str:
    low, high = result.band
    top = _format_part(table.compute_return(high))
    return f"up to {top}" if low is None else f"{_format_part(table.compute_return(low))} to {top}"


def _format_run(length: int, chance: float | None) -> str:
    return f"{length:,}" if chance is None else f"{length:,} ({format_percent(chance, 1)})"


def _render_alarms(report: MonitorReport) -> Iterator[Text]:
    """Yield a line for everything out of tolerance, the surest first at each table."""
    for table in report.out_of_tolerance:
        if table.unexplained_since is not None:
            cents = table.unexplained_cents or 0
            difference = (
                "and the differences cancel out"
                if not cents
                else f"{format_cents(abs(cents))} {'more' if cents > 0 else 'less'} than the counted lines pay"
            )
            yield Text(
                f"table {table.table}: payments and counted lines differ since {table.unexplained_since}: "
                f"{difference}. No chance is involved: a payment, a count or an amount is wrong.",
                "red",
            )
        for verdict in sorted(table.verdicts, key=lambda each: each.chance):
            if verdict.out_of_tolerance:
                yield Text(f"table {table.table}: {_describe_alarm(table, verdict, report.false_alarms)}", "red")


def _describe_alarm(table: TableReport, verdict: BandVerdict, false_alarms: float) -> str:
    side, chance = "high" if verdict.is_high else "low", verdict.compute_report_chance(false_alarms)
    sure = f"the chance of this with honest results is at most {_format_chance(chance)}"
    if verdict is table.result:
        returned = f"returned {format_cents(table.returned_cents)}, expected {format_cents(round(verdict.expected))}"
        return f"{returned}: too {side} since {verdict.since}; {sure}"
    hits, expected = f"{int(verdict.observed):,}", f"{float(verdict.expected):,.1f}"
    low, high = verdict.band[0] or 0, verdict.band[1]
    return (
        f"{display_name(verdict.name)} {hits} times, expected {expected}, band {low:,.0f} to {high:,.0f}: "
        f"too {side} since {verdict.since}; {sure}"
    )


def _format_chance(chance: float) -> str:
    """Format a small chance, rounded to two digits.

    >>> _format_chance(0.0012), _format_chance(1e-30), _format_chance(0.0)
    ('1 in 830', '1 in 10^30', 'none')
    """
    if chance < _RARE:
        return f"1 in 10^{-log10(chance):.0f}" if chance else "none"
    digits = max(0, floor(log10(1 / chance)) - 1)
    return f"1 in {round(1 / chance, -digits):,.0f}"


def _render_notes(report: MonitorReport) -> Iterator[Text]:
    if report.skipped:
        yield Text(f"Not judged, as they play by other rules or pays: {', '.join(report.skipped)}", "yellow")
    if not report.judges_return:
        missing = "an award depends on the meter" if report.bet.has_meter else "the stakes are not known (stake_cents)"
        yield Text(f"The return is not judged: {missing}.", "yellow")
    if report.bet.is_played:
        yield Text(
            "Expected is the best play's return. Players' errors lower it, so only a return above it can be out of "
            "tolerance.",
            "dim",
        )
    if report.shared > 1:
        yield Text(f"Bands allow for {report.shared} wagers of a round decided by the same cards (--seats).", "dim")
    if any(run.chance is not None for table in report.tables for run in table.runs):
        yield Text("Runs are of periods; in brackets the chance of one so long. They raise no alarm.", "dim")
