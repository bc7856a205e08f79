"""PAR sheets as people read them: one pay table in full, or several side by side."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.analysis.par_sheet import ParSheet
from pitboss.builders import display_name
from pitboss.cli.grids import Column, Grid, figures_grid
from pitboss.contract import PayUnit
from pitboss.reports.words import Row, changed_options, extras, figures, pays, played_for, rounded, table_name, units

_NONE = Row("", ""), None


def drawn(sheets: Sequence[ParSheet]) -> RenderableType:
    """Draw the sheets of one wager: one in full, several side by side."""
    if len(sheets) == 1:
        return Group(*_heading(sheets), _outcomes(sheets[0]), _figures(sheets[0]))
    return Group(*_heading(sheets), _side_by_side(sheets))


def _heading(sheets: Sequence[ParSheet]) -> Iterator[Text]:
    """Say what this is a sheet of: game, bet, where each pay table is printed, and options that are not the default."""
    sheet = sheets[0]
    game, wager = sheet.game, sheet.wager
    part = ", part of main, per Ante" if wager in game.main_parts else ""
    yield Text.assemble((f"{game.name}: {wager.name}", "bold"), f"{part}  exact, {sheet.deals:,} deals")
    sources = {table.id: table.source for sheet in sheets for table in sheet.paytables}
    for name, source in sources.items():
        yield Text.assemble((name, "bold cyan"), (f"  {source}", "dim"))
    if played_for(sheet):
        yield Text(played_for(sheet), style="yellow")
    changed = changed_options(game, sheet.options)
    if changed:
        yield Text(f"with {changed}", style="yellow")


def _outcomes(sheet: ParSheet) -> Grid:
    """Draw every outcome with what it pays, how often it comes and what it adds; the net too where the pay hides it."""
    hidden = not units([sheet]) <= {PayUnit.TO_ONE, PayUnit.DOLLARS}
    grid = Grid(
        (
            Column("Outcome", words=True),
            Column("Pays", right=True),
            Column("Net", right=True, spare=4),
            Column("Combinations", right=True, spare=3),
            Column("Probability", right=True, spare=1),
            Column("Contribution", right=True, spare=2),
        )
    )
    for line in sheet.lines:
        grid.add(
            display_name(line.outcome.name),
            pays(line, sheet),
            rounded(line.net) if hidden else "",
            f"{line.deals:,}",
            f"{float(line.probability):.10f}",
            f"{float(line.contribution):+.8f}",
        )
    return grid


def _figures(sheet: ParSheet) -> Grid:
    """Draw the figures of a sheet, each with a remark."""
    grid = figures_grid()
    for label, written, remark in figures(sheet):
        grid.add(label, written, remark, style="bold" if label == "House edge" else "")
    return grid


def _side_by_side(sheets: Sequence[ParSheet]) -> Grid:
    """Draw the outcomes once, and the pays and figures of each pay table in a column."""
    rows = {name: row for sheet in sheets for name, (row, _) in extras(sheet).items()}
    labels = [display_name(line.outcome.name) for line in sheets[0].lines]
    labels += ["House edge", "Hit frequency", "Standard deviation", *(row.label for row in rows.values())]
    deals = [f"{line.deals:,}" for line in sheets[0].lines] + [""] * (3 + len(rows))
    columns = [_column(sheet, rows, numbers=units(sheets) == {PayUnit.TO_ONE}) for sheet in sheets]
    tables = (Column(table_name(sheet), right=True, alike=True) for sheet in sheets)
    grid = Grid((Column("Outcome", words=True), Column("Combinations", right=True, spare=1), *tables))
    for row, cells in enumerate(zip(labels, deals, *columns, strict=True)):
        grid.add(*cells, rule=row == len(sheets[0].lines) - 1)
    return grid


def _column(sheet: ParSheet, names: Iterable[str], *, numbers: bool) -> list[str]:
    """Write the pays of a sheet and its figures, those named last."""
    of_sheet = extras(sheet)
    return [
        *(pays(line, sheet, numbers=numbers) for line in sheet.lines),
        f"{float(sheet.house_edge):.4%}",
        f"{float(sheet.hit_frequency):.4%}",
        f"{sheet.standard_deviation:,.4f}",
        *(row.written(figure) for row, figure in (of_sheet.get(name, _NONE) for name in names)),
    ]
