"""Display of PAR sheets, in full or side by side, and of their covariances."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.paytable_comparison import name_paytables, name_sheets
from pitboss.cli.terminal_tables import TerminalTable, make_figures_table, make_terminal_table
from pitboss.core.numbers import format_count
from pitboss.reports.comparison_tables import (
    OPTIONS_TITLE,
    SENSITIVITY_TITLE,
    iter_option_notes,
    iter_sensitivity_notes,
    make_option_table,
    make_sensitivity_table,
)
from pitboss.reports.formatting import describe_bounds, describe_played_for, format_changed_options, format_percent
from pitboss.reports.sheet_tables import (
    COVARIANCE_TITLE,
    DIFFERENCE_MARK,
    describe_mix,
    iter_covariance_notes,
    list_columns,
    list_dealt_lines,
    make_covariance_table,
    make_figure_table,
    make_outcome_table,
)

if TYPE_CHECKING:
    # Loaded only where they are printed, so that a sheet alone stays quick.
    from pitboss.analysis.covariance import CovarianceReport
    from pitboss.analysis.option_effects import OptionEffect
    from pitboss.analysis.sensitivity import PaySensitivity

_DROP_ORDER = {"Pays": 0, "Net": 4, "Combinations": 2, "Probability": 1, "Contribution": 3}
_STEP_DROP_ORDER = {"Pays": 0, "House edge": 0, "Standard deviation": 1, "Hit frequency": 2}


def render_par_sheets(sheets: Sequence[ParSheet], *, all_rows: bool = False) -> RenderableType:
    """Draw the sheets of one wager: one in full, several side by side.

    Without ``all_rows``, outcomes that no deal makes are left out.
    """
    names, dealt = name_sheets(sheets), list_dealt_lines(sheets)
    left_out = 0 if all_rows else len(sheets[0].lines) - len(dealt)
    lines = dealt if left_out else None
    notes = [Text(_describe_left_out(left_out, sheets[0]), "dim")] if left_out else []
    heading = _render_heading(sheets, names)
    if len(sheets) > 1:
        outcomes = make_outcome_table(sheets, ("Combinations", "Pays"), names, lines=lines)
        grid = make_terminal_table(replace(outcomes, headings=("Outcome", "Combinations", *names)), {"Combinations": 1})
        grid.ruled_rows.add(len(grid.rows) - 1)
        for label, *figures in make_figure_table(sheets, names).rows:
            grid.add_row(label, "", *figures)
        legend = Text(f"{DIFFERENCE_MARK} differs from {names[0]}", "dim")
        return Group(*heading, _highlight_differences(grid), legend, *notes)
    columns = [each for each in list_columns(sheets) if each in _DROP_ORDER]
    grid = make_terminal_table(make_outcome_table(sheets, columns, lines=lines), _DROP_ORDER)
    return Group(*heading, grid, make_figures_table(make_figure_table(sheets).rows, {0: "bold"}), *notes)


def _describe_left_out(count: int, sheet: ParSheet) -> str:
    """Say how many outcomes are left out, and which command prints them."""
    command = f"pitboss par {sheet.game.id} --bet {sheet.wager.id} --all-rows"
    verb = "is" if count == 1 else "are"
    return f"{format_count(count, 'outcome')} that no deal makes {verb} left out; to see all: {command}"


def _highlight_differences(grid: TerminalTable) -> TerminalTable:
    """Draw marked cells in colour too."""
    for number, row in enumerate(grid.rows):
        grid.rows[number] = tuple(
            Text(cell, "yellow") if isinstance(cell, str) and cell.startswith(DIFFERENCE_MARK) else cell for cell in row
        )
    return grid


def _render_heading(sheets: Sequence[ParSheet], names: Sequence[str]) -> Iterator[Text]:
    """Yield the heading of a sheet.

    It has the game, the bet, the source of each pay table, and the options that are not the default.
    """
    sheet = sheets[0]
    game, wager = sheet.game, sheet.wager
    part = ", part of main, per Ante" if wager in game.main_parts else ""
    method = "bounded" if any(each.bounds for each in sheets) else sheet.method
    yield Text.assemble((f"{game.name}: {wager.name}", "bold"), f"{part}  {method}, {sheet.deals:,} deals")
    tables = [table for each in sheets for table in each.paytables]
    sources = dict(zip(name_paytables(game, tables), (table.source for table in tables), strict=True))
    for name, source in sources.items():
        yield Text.assemble((name, "bold cyan"), (f"  {source}", "dim"))
    if describe_played_for(sheet):
        yield Text(describe_played_for(sheet), style="yellow")
    for each, name in zip(sheets, names, strict=True):
        if each.bounds:
            which = f"{name}: " if len(sheets) > 1 else ""
            yield Text(f"{which}{describe_bounds(each)}; --exact solves again, which may take minutes", style="yellow")
    changed = format_changed_options(game, sheet.options)
    if changed:
        yield Text(f"with {changed}", style="yellow")


def render_steps(effects: Sequence["PaySensitivity"], name: str) -> Group:
    """Draw what one step more on each line changes, under a table of this name."""
    title = f"{SENSITIVITY_TITLE}{', ' * bool(name)}{name}"
    if not effects:
        return Group(Text(title, "bold"), Text("No pay table pays this bet."))
    notes = (Text(note, "dim") for note in iter_sensitivity_notes(effects))
    return Group(Text(title, "bold"), make_terminal_table(make_sensitivity_table(effects), _STEP_DROP_ORDER), *notes)


def render_effects(sheet: ParSheet, effects: Sequence["OptionEffect"], name: str) -> Group:
    """Draw what every other ruling costs or gains the house."""
    title = Text(f"{OPTIONS_TITLE}{', ' * bool(name)}{name}: the others stay, house edge here ", "bold")
    title.append(format_percent(sheet.house_edge))
    table = make_option_table(effects)
    grid = [make_terminal_table(table, {"House edge": 0})] if table.rows else []
    return Group(title, *grid, *(Text(note, "dim") for note in iter_option_notes(sheet.game, effects)))


def render_covariance(report: "CovarianceReport", sheets: Sequence[ParSheet]) -> Group:
    """Draw the variances, covariances and correlations of bets.

    Variances are on the diagonal, covariances below it and correlations above it.  ``~`` marks simulated figures.
    """
    return Group(
        Text(),
        Text(COVARIANCE_TITLE, "bold"),
        *([make_terminal_table(make_covariance_table(report, sheets))] if report.covariances else []),
        *(Text(note, "dim") for note in iter_covariance_notes(report)),
        *([Text(describe_mix(report.mix))] if report.mix else []),
    )
