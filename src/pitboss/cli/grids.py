"""Tables in a terminal of any width: no name vanishes, no figure is cut.

Where a table is too wide its words take several lines, then the columns least needed are left out, as a line below it
says, then columns that are alike go on in a further table, and at last each row stands as lines of its own.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.table import Table
from rich.text import Text

PROSE_WIDTH = 80
_UNLIMITED_WIDTH = 100_000
_GAP = 3
_MIN_WRAP_WIDTH = 9
_MIN_REMARK_WIDTH = 12

Cell = str | Text


def make_console() -> Console:
    """Return where a command prints: as wide as the terminal, and in a pipe as wide as what is printed needs."""
    console = Console(highlight=False, markup=False, emoji=False)  # what a user has typed is printed as it is
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        console.width = _UNLIMITED_WIDTH
    return console


class Column(NamedTuple):
    """A column: its heading, and what becomes of it where there is no room.

    ``wraps`` may stand in several lines; ``min_width`` words may be parted within, in so many columns at least.
    ``drop_order`` columns are left out, the highest number first; columns ``splits`` go on in a further table.
    """

    name: str = ""
    wraps: bool = False
    right_aligned: bool = False
    min_width: int = 0
    drop_order: int = 0
    splits: bool = False
    style: str = ""


def make_number_columns(*names: str) -> tuple[Column, ...]:
    """Return columns of figures, each with a heading."""
    return tuple(Column(name, right_aligned=True) for name in names)


@dataclass(frozen=True)
class Grid:
    """A table that fits whatever it is printed on; without ``has_header`` it has no line of headings."""

    columns: Sequence[Column]
    has_header: bool = True
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    styles: dict[int, str] = field(default_factory=dict)
    ruled_rows: set[int] = field(default_factory=set)

    def add_row(self, *cells: Cell, style: str = "", rule: bool = False) -> None:
        """Add a row, in a style, with a ``rule`` below it."""
        if style:
            self.styles[len(self.rows)] = style
        if rule:
            self.ruled_rows.add(len(self.rows))
        self.rows.append((*cells, *[""] * (len(self.columns) - len(cells))))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw what fits."""
        width = options.max_width
        # A column with nothing in it says nothing.
        kept = [place for place, column in enumerate(self.columns) if not column.drop_order or self._has_content(place)]
        whole = kept
        while self._compute_min_total(kept) > width and any(self.columns[place].drop_order for place in kept):
            left_out = max(kept, key=lambda place: self.columns[place].drop_order)
            kept = [place for place in kept if place != left_out]
        if self._compute_min_total(kept) > width:
            yield Text("\n").join(self._render_lines(whole))
            return
        for page in self._split_columns(kept, width):
            yield self._render_table(page, width)
        missing = [self.columns[place].name for place in whole if place not in kept]
        if any(missing):
            yield Text(f"Widen the window to {self._compute_min_total(whole)} columns for: {', '.join(missing)}", "dim")

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
        """Return how many columns a table of these takes at least, one of those that are alike standing for all."""
        alone = [self._compute_min_width(place) for place in places if not self.columns[place].splits]
        alike = [self._compute_min_width(place) for place in places if self.columns[place].splits]
        return _compute_total_width([*alone, *([max(alike)] if alike else [])])

    def _split_columns(self, places: Sequence[int], width: int) -> Iterator[list[int]]:
        """Yield the columns of each table: all, or as many of those that are alike as fit beside the others."""
        alone = [place for place in places if not self.columns[place].splits]
        page = list(alone)
        for place in places:
            if place in alone:
                continue
            if (
                len(page) > len(alone)
                and _compute_total_width([self._compute_min_width(each) for each in (*page, place)]) > width
            ):
                yield page
                page = list(alone)
            page.append(place)
        yield page

    def _render_table(self, places: Sequence[int], width: int) -> Table:
        """Draw a table, its words in no more lines than they must take."""
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
        """Yield every row as lines of its own: its name, then what each column says."""
        for number, row in enumerate(self.rows):
            first, *rest = [place for place in places if len(row[place])]
            yield Text.assemble((_get_plain_text(row[first]), self.styles.get(number, "bold")))
            for place in rest:
                name = self.columns[place].name if self.has_header else ""
                yield Text.assemble((f"  {name}: " if name else "  ", "dim"), row[place])


def _get_plain_text(cell: Cell) -> str:
    return cell.plain if isinstance(cell, Text) else cell


def _compute_total_width(widths: Sequence[int]) -> int:
    """Return how many columns a table takes whose own columns are so wide."""
    return sum(widths) + _GAP * len(widths) - 1


def make_figures_grid() -> Grid:
    """Return a table of figures without headings: what each is called, as it is written, what is to be said of it."""
    return Grid(
        (Column(wraps=True), Column(right_aligned=True), Column(wraps=True, min_width=_MIN_REMARK_WIDTH, style="dim")),
        has_header=False,
    )


class _MarkdownTable(TableElement):
    """A table of a document, drawn as every other."""

    def __rich_console__(self, _console: Console, _options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw it."""
        heads = self.header.row.cells if self.header and self.header.row else []
        grid = Grid([Column(cell.content.plain, wraps=True, right_aligned=cell.justify == "right") for cell in heads])
        for row in self.body.rows if self.body else []:
            grid.add_row(*(cell.content for cell in row.cells))
        yield grid


class _MarkdownDocument(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "table_open": _MarkdownTable}


class MarkdownProse:
    """Markdown, in lines that a person can read also where the page is wider."""

    def __init__(self, text: str) -> None:
        """Take the text."""
        self._text = _MarkdownDocument(text)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw it."""
        narrow = options.update(width=min(options.max_width, PROSE_WIDTH))
        lines = console.render_lines(self._text, narrow, pad=False)
        yield Text("\n").join(Text.assemble(*((part.text, part.style or "") for part in line)) for line in lines)
