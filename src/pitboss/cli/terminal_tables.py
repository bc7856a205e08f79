"""Tables for a terminal of any width: no name vanishes, no figure is cut.

A table that is too wide is narrowed in steps.  Its words wrap over several lines; then the least needed columns are
left out, which a line below the table says; then similar columns continue in another table; at last each row is
printed as lines of its own.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from pitboss.reports.document import LEFT, TableBlock

PROSE_WIDTH = 80
_UNLIMITED_WIDTH = 100_000
_GAP = 3
_MIN_WRAP_WIDTH = 9
_MIN_REMARK_WIDTH = 12

Cell = str | Text


def make_console() -> Console:
    """Return the console of a command.

    It is as wide as the terminal, or in a pipe as wide as the output needs.
    """
    console = Console(highlight=False, markup=False, emoji=False)  # prints what a user has typed unchanged
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        console.width = _UNLIMITED_WIDTH
    return console


class Column(NamedTuple):
    """A column: its heading, and how it adapts to a narrow terminal.

    A column that ``wraps`` may take several lines; with ``min_width`` it may be narrowed to that width, breaking words.
    Columns with a ``drop_order`` are left out, the highest number first.  Columns with ``splits`` continue in another
    table.
    """

    name: str = ""
    wraps: bool = False
    right_aligned: bool = False
    min_width: int = 0
    drop_order: int = 0
    splits: bool = False
    style: str = ""


def make_number_columns(*names: str) -> tuple[Column, ...]:
    """Return right-aligned columns of figures with these headings."""
    return tuple(Column(name, right_aligned=True) for name in names)


@dataclass(frozen=True)
class TerminalTable:
    """A table that adapts to the width it is printed at.

    Without ``has_header`` it has no line of headings.  ``column_notes`` explain columns by name, where they are shown.
    """

    columns: Sequence[Column]
    has_header: bool = True
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    styles: dict[int, str] = field(default_factory=dict)
    ruled_rows: set[int] = field(default_factory=set)
    column_notes: dict[str, str] = field(default_factory=dict)

    def add_row(self, *cells: Cell, style: str = "", rule: bool = False) -> None:
        """Add a row, with an optional style and an optional ``rule`` below it."""
        if style:
            self.styles[len(self.rows)] = style
        if rule:
            self.ruled_rows.add(len(self.rows))
        self.rows.append((*cells, *[""] * (len(self.columns) - len(cells))))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw the table at the console's width."""
        width = options.max_width
        # An empty column that may be left out always is.
        places = [
            place for place, column in enumerate(self.columns) if not column.drop_order or self._has_content(place)
        ]
        shown = places
        while self._compute_min_total(shown) > width and any(self.columns[place].drop_order for place in shown):
            left_out = max(shown, key=lambda place: self.columns[place].drop_order)
            shown = [place for place in shown if place != left_out]
        if self._compute_min_total(shown) > width:
            yield Text("\n").join(self._render_lines(places))
            return
        for page in self._split_columns(shown, width):
            yield self._render_table(page, width)
        missing = [self.columns[place].name for place in places if place not in shown]
        if any(missing):
            needed = self._compute_min_total(places)
            yield Text(f"Widen the window to {needed} columns for: {', '.join(missing)}", "dim")
        notes = (self.column_notes.get(self.columns[place].name) for place in shown)
        yield from (Text(note, "dim") for note in dict.fromkeys(notes) if note)

    def _has_content(self, place: int) -> bool:
        return any(len(row[place]) for row in self.rows)

    def _iter_cells(self, place: int) -> Iterator[str]:
        if self.has_header:
            yield self.columns[place].name
        yield from (_get_plain_text(row[place]) for row in self.rows)

    def _compute_natural_width(self, place: int) -> int:
        return max(map(cell_len, self._iter_cells(place)), default=0)

    def _compute_min_width(self, place: int) -> int:
        column, natural = self.columns[place], self._compute_natural_width(place)
        if not column.wraps:
            return natural
        longest = max((cell_len(word) for cell in self._iter_cells(place) for word in cell.split()), default=0)
        return min(natural, column.min_width or max(longest, _MIN_WRAP_WIDTH))

    def _compute_min_total(self, places: Sequence[int]) -> int:
        """Return the least width of a table of these columns.

        Of the columns that split, the table needs only one.
        """
        fixed = [self._compute_min_width(place) for place in places if not self.columns[place].splits]
        splitting = [self._compute_min_width(place) for place in places if self.columns[place].splits]
        return _compute_total_width([*fixed, *([max(splitting)] if splitting else [])])

    def _split_columns(self, places: Sequence[int], width: int) -> Iterator[list[int]]:
        """Yield the columns of each table.

        Each has the fixed columns, and as many as fit of those that split.
        """
        fixed = [place for place in places if not self.columns[place].splits]
        page = list(fixed)
        for place in places:
            if place in fixed:
                continue
            if (
                len(page) > len(fixed)
                and _compute_total_width([self._compute_min_width(each) for each in (*page, place)]) > width
            ):
                yield page
                page = list(fixed)
            page.append(place)
        yield page

    def _render_table(self, places: Sequence[int], width: int) -> Table:
        """Draw a table; wrap its words over as few lines as the width allows."""
        widths = {place: self._compute_natural_width(place) for place in places}
        while _compute_total_width(list(widths.values())) > width:
            widest = max(places, key=lambda place: (widths[place] > self._compute_min_width(place), widths[place]))
            widths[widest] -= 1
        box = SIMPLE_HEAD if self.has_header else None
        table = Table(box=box, show_header=self.has_header, padding=(0, 1), pad_edge=not self.has_header)
        for place in places:
            column = self.columns[place]
            table.add_column(
                column.name,
                width=max(widths[place], 1),
                justify="right" if column.right_aligned else "left",
                overflow="fold",
                style=column.style,
            )
        for number, row in enumerate(self.rows):
            cells = [row[place] for place in places]
            table.add_row(*cells, style=self.styles.get(number, ""), end_section=number in self.ruled_rows)
        return table

    def _render_lines(self, places: Iterable[int]) -> Iterator[Text]:
        """Yield every row as lines of its own: its name, then a line for each column."""
        for number, row in enumerate(self.rows):
            first, *rest = [place for place in places if len(row[place])]
            yield Text.assemble((_get_plain_text(row[first]), self.styles.get(number, "bold")))
            for place in rest:
                name = self.columns[place].name if self.has_header else ""
                yield Text.assemble((f"  {name}: " if name else "  ", "dim"), row[place])


def _get_plain_text(cell: Cell) -> str:
    return cell.plain if isinstance(cell, Text) else cell


def _compute_total_width(widths: Sequence[int]) -> int:
    """Return the width of a table whose columns have these widths."""
    return sum(widths) + _GAP * len(widths) - 1


def make_terminal_table(table: TableBlock, drop_order: Mapping[str, int] | None = None) -> TerminalTable:
    """Return a report's table.

    Columns of figures after the first split unless they have a drop order.
    """
    drops, pairs = drop_order or {}, zip(table.headings, table.alignment, strict=True)
    columns = (
        Column(heading, wraps=True)
        if side == LEFT
        else Column(
            heading, right_aligned=True, drop_order=drops.get(heading, 0), splits=bool(place) and heading not in drops
        )
        for place, (heading, side) in enumerate(pairs)
    )
    return TerminalTable(tuple(columns), rows=list(table.rows))


def make_figures_table(rows: Iterable[tuple[Cell, ...]] = (), styles: Mapping[int, str] | None = None) -> TerminalTable:
    """Return a table of figures without headings: label, value, remark."""
    columns = (
        Column(wraps=True),
        Column(right_aligned=True),
        Column(wraps=True, min_width=_MIN_REMARK_WIDTH, style="dim"),
    )
    return TerminalTable(columns, has_header=False, rows=list(rows), styles=dict(styles or {}))
