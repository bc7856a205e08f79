"""Display of PAR sheets: one pay table in full, or several side by side."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.analysis.par_sheet import ParSheet
from pitboss.builders import display_name
from pitboss.cli.grids import Column, Grid, make_figures_grid
from pitboss.contract import PayUnit
from pitboss.reports.formatting import (
    FigureFormat,
    collect_units,
    describe_pays,
    describe_played_for,
    format_changed_options,
    format_paytable_ids,
    format_rounded,
    iter_figures,
    list_extra_figures,
)

_MISSING = FigureFormat("", ""), None


def render_par_sheets(sheets: Sequence[ParSheet]) -> RenderableType:
    """Draw the sheets of one wager: one in full, several side by side."""
    if len(sheets) == 1:
        return Group(*_render_heading(sheets), _render_outcomes(sheets[0]), _render_figures(sheets[0]))
    return Group(*_render_heading(sheets), _render_side_by_side(sheets))


def _render_heading(sheets: Sequence[ParSheet]) -> Iterator[Text]:
    """Yield the heading of a sheet: game, bet, source of each pay table, options that are not the default."""
    sheet = sheets[0]
    game, wager = sheet.game, sheet.wager
    part = ", part of main, per Ante" if wager in game.main_parts else ""
    yield Text.assemble((f"{game.name}: {wager.name}", "bold"), f"{part}  exact, {sheet.deals:,} deals")
    sources = {table.id: table.source for sheet in sheets for table in sheet.paytables}
    for name, source in sources.items():
        yield Text.assemble((name, "bold cyan"), (f"  {source}", "dim"))
    if describe_played_for(sheet):
        yield Text(describe_played_for(sheet), style="yellow")
    changed = format_changed_options(game, sheet.options)
    if changed:
        yield Text(f"with {changed}", style="yellow")


def _render_outcomes(sheet: ParSheet) -> Grid:
    """Draw every outcome with its pay, probability and contribution, and its net where the pay does not show it."""
    hidden = not collect_units([sheet]) <= {PayUnit.TO_ONE, PayUnit.DOLLARS}
    grid = Grid(
        (
            Column("Outcome", wraps=True),
            Column("Pays", right_aligned=True),
            Column("Net", right_aligned=True, drop_order=4),
            Column("Combinations", right_aligned=True, drop_order=3),
            Column("Probability", right_aligned=True, drop_order=1),
            Column("Contribution", right_aligned=True, drop_order=2),
        )
    )
    for line in sheet.lines:
        grid.add_row(
            display_name(line.outcome.name),
            describe_pays(line, sheet),
            format_rounded(line.net) if hidden else "",
            f"{line.deals:,}",
            f"{float(line.probability):.10f}",
            f"{float(line.contribution):+.8f}",
        )
    return grid


def _render_figures(sheet: ParSheet) -> Grid:
    """Draw the figures of a sheet, each with a remark."""
    grid = make_figures_grid()
    for label, written, remark in iter_figures(sheet):
        grid.add_row(label, written, remark, style="bold" if label == "House edge" else "")
    return grid


def _render_side_by_side(sheets: Sequence[ParSheet]) -> Grid:
    """Draw the outcomes once, and the pays and figures of each pay table in a column."""
    rows = {name: row for sheet in sheets for name, (row, _) in list_extra_figures(sheet).items()}
    labels = [display_name(line.outcome.name) for line in sheets[0].lines]
    labels += ["House edge", "Hit frequency", "Standard deviation", *(row.label for row in rows.values())]
    deals = [f"{line.deals:,}" for line in sheets[0].lines] + [""] * (3 + len(rows))
    columns = [_make_column(sheet, rows, numbers=collect_units(sheets) == {PayUnit.TO_ONE}) for sheet in sheets]
    tables = (Column(format_paytable_ids(sheet), right_aligned=True, splits=True) for sheet in sheets)
    grid = Grid((Column("Outcome", wraps=True), Column("Combinations", right_aligned=True, drop_order=1), *tables))
    for row, cells in enumerate(zip(labels, deals, *columns, strict=True)):
        grid.add_row(*cells, rule=row == len(sheets[0].lines) - 1)
    return grid


def _make_column(sheet: ParSheet, names: Iterable[str], *, numbers: bool) -> list[str]:
    """Return the column of a sheet: its pays, its main figures, then the extra figures with these names."""
    of_sheet = list_extra_figures(sheet)
    return [
        *(describe_pays(line, sheet, numbers=numbers) for line in sheet.lines),
        f"{float(sheet.house_edge):.4%}",
        f"{float(sheet.hit_frequency):.4%}",
        f"{sheet.standard_deviation:,.4f}",
        *(row.format_figure(figure) for row, figure in (of_sheet.get(name, _MISSING) for name in names)),
    ]
