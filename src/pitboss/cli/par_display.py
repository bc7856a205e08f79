"""Display of PAR sheets, in full or side by side, and of their covariances."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.analysis.covariance import CovarianceReport
from pitboss.analysis.par_sheet import ParSheet
from pitboss.cli.grids import make_figures_grid, make_grid
from pitboss.reports.formatting import describe_bounds, describe_played_for, format_changed_options, format_paytable_ids
from pitboss.reports.sheet_tables import (
    COVARIANCE_TITLE,
    describe_mix,
    iter_covariance_notes,
    make_covariance_table,
    make_figure_table,
    make_outcome_table,
    shows_nets,
)

_DROP_ORDER = {"Pays": 0, "Net": 4, "Combinations": 3, "Probability": 1, "Contribution": 2}


def render_par_sheets(sheets: Sequence[ParSheet]) -> RenderableType:
    """Draw the sheets of one wager: one in full, several side by side."""
    heading = _render_heading(sheets)
    if len(sheets) > 1:
        names = [format_paytable_ids(sheet) for sheet in sheets]
        outcomes = make_outcome_table(sheets, ("Combinations", "Pays"), names)
        grid = make_grid(replace(outcomes, headings=("Outcome", "Combinations", *names)), {"Combinations": 1})
        grid.ruled_rows.add(len(grid.rows) - 1)
        for label, *figures in make_figure_table(sheets, names).rows:
            grid.add_row(label, "", *figures)
        return Group(*heading, grid)
    columns = [each for each in _DROP_ORDER if each != "Net" or not shows_nets(sheets[0])]
    grid = make_grid(make_outcome_table(sheets, columns), _DROP_ORDER)
    return Group(*heading, grid, make_figures_grid(make_figure_table(sheets).rows, {0: "bold"}))


def _render_heading(sheets: Sequence[ParSheet]) -> Iterator[Text]:
    """Yield the heading of a sheet.

    It has the game, the bet, the source of each pay table, and the options that are not the default.
    """
    sheet = sheets[0]
    game, wager = sheet.game, sheet.wager
    part = ", part of main, per Ante" if wager in game.main_parts else ""
    yield Text.assemble((f"{game.name}: {wager.name}", "bold"), f"{part}  {sheet.method}, {sheet.deals:,} deals")
    sources = {table.id: table.source for sheet in sheets for table in sheet.paytables}
    for name, source in sources.items():
        yield Text.assemble((name, "bold cyan"), (f"  {source}", "dim"))
    if describe_played_for(sheet):
        yield Text(describe_played_for(sheet), style="yellow")
    if sheet.bounds:
        yield Text(f"{describe_bounds(sheet)}; --exact solves again, which may take minutes", style="yellow")
    changed = format_changed_options(game, sheet.options)
    if changed:
        yield Text(f"with {changed}", style="yellow")


def render_covariance(report: CovarianceReport, sheets: Sequence[ParSheet]) -> Group:
    """Draw the variances, covariances and correlations of bets.

    Variances are on the diagonal, covariances below it and correlations above it.  ``~`` marks simulated figures.
    """
    return Group(
        Text(),
        Text(COVARIANCE_TITLE, "bold"),
        make_grid(make_covariance_table(report, sheets)),
        *(Text(note, "dim") for note in iter_covariance_notes(report)),
        *([Text(describe_mix(report.mix))] if report.mix else []),
    )
