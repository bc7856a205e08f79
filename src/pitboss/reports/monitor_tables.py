"""What monitoring found, as texts and tables: for a terminal and for a page."""

from collections.abc import Iterator
from math import floor, log10

from pitboss.analysis.monitor_report import BandVerdict, MonitorReport, TableReport
from pitboss.builders import display_name
from pitboss.core.money import format_cents
from pitboss.core.numbers import format_count
from pitboss.reports.document import LEFT, RIGHT, TableBlock
from pitboss.reports.formatting import format_percent

TABLE, HOLD, STAKED, PERIODS, EXPECTED_HOLD = "Table", "Hold", "Staked", "Periods", "Expected hold"
HOUSE_RUN, PLAYERS_RUN = "Longest run, house (chance)", "Longest run, players (chance)"
VERDICT = "Verdict"
OUT, WITHIN = "out of tolerance", "within tolerance"

_HEADINGS = (
    TABLE,
    VERDICT,
    PERIODS,
    "Rounds",
    STAKED,
    "Returned",
    "Expected",
    "Band",
    HOLD,
    EXPECTED_HOLD,
    HOUSE_RUN,
    PLAYERS_RUN,
)
RUNS_NOTE = "A run: periods in a row that one side won; in brackets the chance of one as long. Runs raise no alarm."
_RARE = 1e-12


def describe_verdict(report: MonitorReport) -> str:
    """Say how many tables are out of tolerance, and how sure that is."""
    out, tables = len(report.out_of_tolerance), format_count(len(report.tables), "table")
    summary = f"{out:,} of {tables} {OUT}" if out else f"{tables} {WITHIN}"
    rate = f"{100 * report.false_alarms:g}%"
    return f"{summary}; the chance that honest results ever raise an alarm is at most {rate}"


def make_monitor_table(report: MonitorReport) -> TableBlock:
    """Return a row for each table; a column that no table has is left out."""
    rows = [_make_row(table) for table in report.tables]
    shown = [place for place in range(len(_HEADINGS)) if any(row[place] for row in rows)]
    return TableBlock(
        "",
        tuple(_HEADINGS[place] for place in shown),
        "".join(LEFT if _HEADINGS[place] in (TABLE, VERDICT) else RIGHT for place in shown),
        tuple(tuple(row[place] for place in shown) for row in rows),
    )


def _make_row(table: TableReport) -> tuple[str, ...]:
    result = table.result
    return (
        table.table,
        OUT if table.out_of_tolerance else WITHIN,
        f"{len(table.periods):,}",
        f"{table.rounds:,}",
        format_cents(table.staked_cents),
        _format_part(table.compute_return(table.returned_cents)),
        _format_part(table.compute_return(result.expected)) if result else "",
        _format_return_band(table, result) if result else "not judged",
        _format_part(table.compute_hold(table.returned_cents)),
        _format_part(table.compute_hold(result.expected)) if result else "",
        *(_format_run(run.length, run.chance) for run in table.runs),
    )


def _format_part(part: float | None) -> str:
    return "" if part is None else format_percent(part, 2)


def _format_return_band(table: TableReport, result: BandVerdict) -> str:
    low, high = result.band
    top = _format_part(table.compute_return(high))
    return f"up to {top}" if low is None else f"{_format_part(table.compute_return(low))} to {top}"


def _format_run(length: int, chance: float | None) -> str:
    return f"{length:,}" if chance is None else f"{length:,} ({format_percent(chance, 1)})"


def make_line_table(table: TableReport) -> TableBlock:
    """Return how often each line was hit at a table, with its band."""
    rows = tuple(
        (
            display_name(name),
            f"{int(verdict.observed):,}",
            f"{float(verdict.expected):,.1f}",
            _format_hit_band(verdict),
            OUT if verdict.out_of_tolerance else WITHIN,
        )
        for name, verdict in table.lines.items()
    )
    headings = ("Line", "Hits", "Expected", "Band", VERDICT)
    title = f"Lines at table {table.table}{f': {OUT}' if table.out_of_tolerance else ''}"
    return TableBlock(title, headings, LEFT + 3 * RIGHT + LEFT, rows)


def _format_hit_band(verdict: BandVerdict) -> str:
    return f"{verdict.band[0] or 0:,.0f} to {verdict.band[1]:,.0f}"


def iter_alarms(report: MonitorReport) -> Iterator[str]:
    """Yield a sentence for each alarm, at each table the surest first."""
    for table in report.out_of_tolerance:
        if table.unexplained_since is not None:
            cents = table.unexplained_cents or 0
            difference = (
                "and the differences cancel out"
                if not cents
                else f"{format_cents(abs(cents))} {'more' if cents > 0 else 'less'} than the counted lines pay"
            )
            yield (
                f"table {table.table}: payments and counted lines differ since {table.unexplained_since}: "
                f"{difference}. No chance is involved: a payment, a count or an amount is wrong, or the table pays by "
                "another pay table."
            )
        for verdict in sorted(table.verdicts, key=lambda each: each.chance):
            if verdict.out_of_tolerance:
                yield f"table {table.table}: {_describe_alarm(table, verdict, report.false_alarms)}"


def _describe_alarm(table: TableReport, verdict: BandVerdict, false_alarms: float) -> str:
    side, chance = "high" if verdict.is_high else "low", verdict.compute_report_chance(false_alarms)
    sure = f"the chance of this with honest results is at most {format_chance(chance)}"
    if verdict is table.result:
        returned = f"returned {format_cents(table.returned_cents)}, expected {format_cents(round(verdict.expected))}"
        return f"{returned}: too {side} since {verdict.since}; {sure}"
    hits, expected = f"{int(verdict.observed):,}", f"{float(verdict.expected):,.1f}"
    return (
        f"{display_name(verdict.name)} {hits} times, expected {expected}, band {_format_hit_band(verdict)}: "
        f"too {side} since {verdict.since}; {sure}"
    )


def format_chance(chance: float) -> str:
    """Format a small chance, rounded to two digits.

    >>> format_chance(0.0012), format_chance(1e-30), format_chance(0.0)
    ('1 in 830', '1 in 10^30', 'none')
    """
    if chance < _RARE:
        return f"1 in 10^{-log10(chance):.0f}" if chance else "none"
    digits = max(0, floor(log10(1 / chance)) - 1)
    return f"1 in {round(1 / chance, -digits):,.0f}"


def iter_warnings(report: MonitorReport) -> Iterator[str]:
    """Yield what is not judged."""
    if report.skipped:
        yield f"Not judged, as they play by other rules or pays: {', '.join(report.skipped)}"
    if not report.judges_return:
        missing = (
            "an award depends on the meter"
            if report.get_monitored_bet().has_meter
            else "the stakes are not known (stake_cents)"
        )
        yield f"Neither the return is judged, nor whether the lines explain the payments: {missing}."


def iter_notes(report: MonitorReport, *, with_runs: bool = True) -> Iterator[str]:
    """Yield how to read the figures, and ``with_runs`` the longest runs."""
    if report.get_monitored_bet().depends_on_play:
        yield (
            "Expected is the best play's return. Players' errors lower it, so only a return above it can be out of "
            "tolerance."
        )
    if report.shared > 1:
        yield f"Bands allow for {report.shared} wagers of a round decided by the same cards (--seats)."
    if with_runs and has_run_chances(report):
        yield RUNS_NOTE


def has_run_chances(report: MonitorReport) -> bool:
    """Return whether the chance of a run is shown."""
    return any(run.chance is not None for table in report.tables for run in table.runs)
