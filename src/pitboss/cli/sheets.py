"""PAR sheets as people read them: one pay table in full, or several side by side."""

from collections.abc import Iterable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pitboss.analysis.sheet import ParSheet
from pitboss.contract import Unit
from pitboss.describe import spoken
from pitboss.reports.words import Row, changed_options, extras, figures, pays, played_for, rounded, table_name, units

_GAP = 3
_LONGEST_LABEL = 30
_LEAST_LABEL = 14
_NARROW = 90
_NONE = Row("", ""), None


def drawn(sheets: Sequence[ParSheet], width: int) -> RenderableType:
    """Draw the sheets of one wager for a page of ``width`` columns: one in full, several side by side."""
    if len(sheets) == 1:
        return Group(*_heading(sheets), _outcomes(sheets[0], width), _figures(sheets[0]))
    return Group(*_heading(sheets), *_side_by_side(sheets, width))


def _heading(sheets: Sequence[ParSheet]) -> Iterator[Text]:
    """Say what this is a sheet of: game, bet, where each pay table is printed, and options that are not the default."""
    sheet = sheets[0]
    game, wager = sheet.game, sheet.wager
    part = ", part of main, per Ante" if wager in game.parts else ""
    yield Text.assemble((f"{game.name}: {wager.name}", "bold"), f"{part}  exact, {sheet.deals:,} deals")
    sources = {table.id: table.source for sheet in sheets for table in sheet.paytables}
    for name, source in sources.items():
        yield Text.assemble((name, "bold cyan"), (f"  {source}", "dim"))
    if played_for(sheet):
        yield Text(played_for(sheet), style="yellow")
    changed = changed_options(game, sheet.options)
    if changed:
        yield Text(f"with {changed}", style="yellow")


def _outcomes(sheet: ParSheet, width: int) -> Table:
    """Draw every outcome with what it pays, how often it comes and what it adds; the net too where the pay hides it."""
    net = width >= _NARROW and not units([sheet]) <= {Unit.TO_ONE, Unit.DOLLARS}
    table = _table("Pays", *(["Net"] if net else []), "Combinations", "Probability", "Contribution")
    for line in sheet.lines:
        table.add_row(
            spoken(line.outcome.name),
            pays(line, sheet),
            *([rounded(line.net)] if net else []),
            f"{line.deals:,}",
            f"{float(line.probability):.10f}",
            f"{float(line.contribution):+.8f}",
        )
    return table


def _figures(sheet: ParSheet) -> Table:
    """Draw the figures of a sheet, each with a remark."""
    table = Table(box=None, show_header=False, padding=(0, 1))
    for label, written, remark in figures(sheet):
        table.add_row(label, written, remark, style="bold" if label == "House edge" else "")
    table.columns[1].justify = "right"
    table.columns[2].style = "dim"
    return table


def _side_by_side(sheets: Sequence[ParSheet], width: int) -> Iterator[Table]:
    """Draw the outcomes once, and the pays and figures of each pay table in a column; a new table for each pageful."""
    rows = {name: row for sheet in sheets for name, (row, _) in extras(sheet).items()}
    labels = [spoken(line.outcome.name) for line in sheets[0].lines]
    labels += ["House edge", "Hit frequency", "Standard deviation", *(row.label for row in rows.values())]
    deals = [f"{line.deals:,}" for line in sheets[0].lines] + [""] * (3 + len(rows))
    columns = [_column(sheet, rows, numbers=units(sheets) == {Unit.TO_ONE}) for sheet in sheets]
    taken = min(max(map(len, labels)), _LONGEST_LABEL) + max(map(len, deals)) + 2 * _GAP
    each = max(len(cell) for cells in columns for cell in cells) + _GAP
    a_page = max(1, (width - taken) // each)
    for first in range(0, len(columns), a_page):
        page = columns[first : first + a_page]
        table = _table("Combinations", *(table_name(sheet) for sheet in sheets[first : first + a_page]))
        for row, cells in enumerate(zip(labels, deals, *page, strict=True)):
            table.add_row(*cells, end_section=row == len(sheets[0].lines) - 1)
        yield table


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


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("Outcome", min_width=_LEAST_LABEL)
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    return table
