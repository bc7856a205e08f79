"""Display of monitored tables: a verdict for each, then what is out of tolerance."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.analysis.monitor_report import MonitorReport
from pitboss.cli.terminal_tables import TerminalTable, make_terminal_table
from pitboss.reports.formatting import format_percent
from pitboss.reports.monitor_tables import (
    EXPECTED_HOLD,
    HOLD,
    HOUSE_RUN,
    OUT,
    PERIODS,
    PLAYERS_RUN,
    RUNS_NOTE,
    STAKED,
    describe_verdict,
    has_run_chances,
    iter_alarms,
    iter_notes,
    iter_warnings,
    make_monitor_table,
)

_DROP_ORDER = {HOLD: 1, STAKED: 2, PERIODS: 3, EXPECTED_HOLD: 4, HOUSE_RUN: 5, PLAYERS_RUN: 6}


def render_monitor(report: MonitorReport) -> RenderableType:
    """Draw a report: every table, then what is out of tolerance, line by line."""
    return Group(
        *_render_heading(report),
        _make_table(report),
        *(Text(line, "red") for line in iter_alarms(report)),
        *(Text(line, "yellow") for line in iter_warnings(report)),
        *(Text(line, "dim") for line in iter_notes(report, with_runs=False)),
    )


def _render_heading(report: MonitorReport) -> Iterator[Text]:
    sheet = report.get_monitored_bet().sheet
    yield Text()
    yield Text.assemble(
        (f"{sheet.game.name}: {sheet.wager.name}", "bold"), f"  house edge {format_percent(sheet.house_edge)}"
    )
    for table in sheet.paytables:
        yield Text.assemble((table.id, "bold cyan"), (f"  {table.source}", "dim"))
    yield Text(describe_verdict(report), style="bold red" if report.out_of_tolerance else "green")


def _make_table(report: MonitorReport) -> TerminalTable:
    block = make_monitor_table(report)
    table = make_terminal_table(block, dict.fromkeys(block.headings, 0) | _DROP_ORDER)
    table.column_notes.update(dict.fromkeys((HOUSE_RUN, PLAYERS_RUN), RUNS_NOTE) if has_run_chances(report) else {})
    table.rows[:] = [tuple(Text(cell, "bold red") if cell == OUT else cell for cell in row) for row in block.rows]
    return table
