"""Display of tuned pay tables, side by side with the present one."""

from collections.abc import Iterator
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.tuning_report import TunedTable, TuningReport
from pitboss.analysis.tuning_request import describe_range
from pitboss.builders import display_name
from pitboss.cli.terminal_tables import Column, TerminalTable
from pitboss.contract import PayUnit
from pitboss.core.numbers import format_count
from pitboss.reports.formatting import describe_unit, format_percent, format_ratio
from pitboss.reports.sheet_tables import DIFFERENCE_MARK

_TARGET_NAMES = {
    "edge": "house edge",
    "hit": "hit frequency",
    "deviation": "standard deviation",
    "top": "top award",
    "jackpot": "average jackpot",
}
LONG_RUN_EDGE = "Long-run house edge"
METER_NAMES = {"seed": "seed of the meter", "meter": "part to the meter", "reserve": "part to the reserve"}


def render_tuning(report: TuningReport) -> RenderableType:
    """Draw what a tuning search found."""
    return Group(*_render_heading(report), _make_terminal_table(report), *_render_notes(report))


def _render_heading(report: TuningReport) -> Iterator[Text]:
    present = report.present
    yield Text()
    name = f"{present.game_name}: {present.bet_name}"
    yield Text.assemble((name, "bold"), f"  {report.method}, {present.deals:,} deals")
    for table in present.paytables:
        yield Text.assemble((table.id, "bold cyan"), (f"  {table.source}", "dim"))
    yield Text(f"target: {describe_targets(report)}")
    yield Text(describe_found(report), style="yellow" if report.is_nearest else "")


def describe_targets(report: TuningReport) -> str:
    """Return the targets in words."""
    named = report.targets._asdict()
    return ", ".join(
        f"{_TARGET_NAMES[name]} {_describe_target(name, target)}"
        for name, target in named.items()
        if target is not None
    )


def _describe_target(name: str, target: FigureRange) -> str:
    if name == "jackpot":
        return "..".join(dict.fromkeys(f"${float(each):,.0f}" for each in target))
    return describe_range(target, percent=name in {"edge", "hit"})


def describe_found(report: TuningReport) -> str:
    """Return in words how many tables meet the targets."""
    shown = len(report.tables)
    if report.is_nearest:
        most = format_count(len(report.found_by_changes) - 1, "line")
        nearest = "the nearest is" if shown == 1 else f"the nearest {shown} are"
        return f"no table with at most {most} changed has this edge; {nearest} below (--changes N: more lines)"
    by_changes = ", ".join(
        f"{found:,} with {changes or 'none'} changed" for changes, found in enumerate(report.found_by_changes) if found
    )
    found = f"{format_count(report.found, 'table')}: {by_changes}"
    first = "the first is" if shown == 1 else f"the first {shown} are"
    return f"{found}; {first} below" if shown < report.found else found


def _make_terminal_table(report: TuningReport) -> TerminalTable:
    tables = (report.present, *report.tables)
    numbers = (Column(str(table.number), right_aligned=True, splits=True) for table in report.tables)
    grid = TerminalTable([Column("Line", wraps=True), Column("Current", right_aligned=True), *numbers])
    units = _list_units(report.present)
    for line, present in report.present.pays.items():
        grid.add_row(
            display_name(line.replace(":", " ")) + units[line],
            format_ratio(present),
            *(_render_cell(table, line, format_ratio(table.pays[line])) for table in report.tables),
        )
    for name in report.present.meter:
        changed = [_render_cell(table, name, _format_setting(table, name)) for table in report.tables]
        grid.add_row(METER_NAMES[name], _format_setting(report.present, name), *changed)
    grid.ruled_rows.add(len(grid.rows) - 1)
    for name, cells in make_figure_rows(tables):
        grid.add_row(name, *cells, style="bold" if name in {"House edge", LONG_RUN_EDGE} else "")
    return grid


def _list_units(table: TunedTable) -> dict[str, str]:
    """List what each line's pays are in; nothing if all are to 1."""
    pays = table.line_pays
    all_to_one = {pay.unit for pay in pays.values()} == {PayUnit.TO_ONE}
    return {name: "" if all_to_one else f", {describe_unit(pay)}" for name, pay in pays.items()}


def _render_cell(table: TunedTable, name: str, text: str) -> Text:
    """Draw a pay or a setting, with a mark if it is changed."""
    return Text(f"{DIFFERENCE_MARK} {text}", "bold green") if name in table.changes else Text(text, "dim")


def _format_setting(table: TunedTable, name: str) -> str:
    value = table.meter[name]
    return f"${float(value):,.0f}" if name == "seed" else f"{float(value):g}%"


def make_figure_rows(tables: tuple[TunedTable, ...]) -> Iterator[tuple[str, list[str]]]:
    """Yield the figures of tables, a row for each figure."""
    if tables[0].meter:
        yield LONG_RUN_EDGE, [format_percent(table.house_edge) for table in tables]
        yield "House edge at the seed", [format_percent(table.house_edge_at_seed) for table in tables]
    elif any(table.method == "bounded" for table in tables):
        yield "House edge at least", [format_percent(table.edge_bounds[0]) for table in tables]
        yield "House edge at most", [format_percent(table.edge_bounds[1]) for table in tables]
    else:
        yield "House edge", [format_percent(table.house_edge) for table in tables]
    if tables[0].meter:
        jackpots = [table.average_jackpot or 0 for table in tables]
        yield "Average jackpot", [f"${float(each):,.0f}" if each > 0 else "runs dry" for each in jackpots]
        between = [table.wagers_between_jackpots or Fraction(0) for table in tables]
        yield "Wagers between jackpots", [f"{float(each):,.0f}" for each in between]
        yield "Hours between jackpots", [f"{float(each / tables[0].wagers_per_hour):,.0f}" for each in between]
    yield "Hit frequency", [format_percent(table.hit_frequency) for table in tables]
    yield "Standard deviation", [f"{table.standard_deviation:,.4f}" for table in tables]


def _render_notes(report: TuningReport) -> Iterator[Text]:
    if report.method == "bounded":
        yield Text(
            f"The best play depends on these pays, so edges are proved bounds: {report.proved:,} of the tables meet "
            "the target edge whatever the best play is. --exact solves the printed ones, in minutes each.",
            "yellow",
        )
    if report.tables:
        yield Text(f"{DIFFERENCE_MARK} differs from the current table", "dim")
        yield Text("--toml N prints table N as a file for --paytable.", "dim")
