"""Display of monitored tables: a verdict for each, then what is out of tolerance."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.analysis.monitor_report import MonitorReport
from pitboss.cli.grids import Grid, make_grid
from pitboss.reports.formatting import format_percent
from pitboss.reports.monitor_tables import (
    EXPECTED_HOLD,
    HOLD,
    OUT,
    PERIODS,
    RUNS,
    RUNS_NOTE,
    STAKED,
    describe_verdict,
    has_run_chances,
    iter_alarms,
    iter_notes,
    iter_warnings,
    make_monitor_table,
)

_DROP_ORDER = {HOLD: 1, STAKED: 2, PERIODS: 3, EXPECTED_HOLD: 4, RUNS: 5}


def render_monitor(report: MonitorReport) -> RenderableType:
    """Draw a report: every table, then what is out of tolerance, line by line."""
    return Group(
        *_render_heading(report),
        _make_table_grid(report),
        *(Text(line, "red") for line in iter_alarms(report)),
        *(Text(line, "yellow") for line in iter_warnings(report)),
        *(Text(line, "dim") for line in iter_notes(report, with_runs=False)),
    )


def _render_heading(report: MonitorReport) -> Iterator[Text]:
    sheet = report.bet.sheet
    yield Text()
    yield Text.assemble(
        (f"{sheet.game.name}: {sheet.wager.name}", "bold"), f"  house edge {format_percent(sheet.house_edge)}"
    )
    for table in sheet.paytables:
        yield Text.assemble((table.id, "bold cyan"), (f"  {table.source}", "dim"))
    yield Text(describe_verdict(report), style="bold red" if report.out_of_tolerance else "green")


def _make_table_grid(report: MonitorReport) -> Grid:
    block = make_monitor_table(report)
    grid = make_grid(block, dict.fromkeys(block.headings, 0) | _DROP_ORDER)
    grid.column_notes.update({RUNS: RUNS_NOTE} if has_run_chances(report) else {})
    grid.rows[:] = [tuple(Text(cell, "bold red") if cell == OUT else cell for cell in row) for row in block.rows]
    return grid
