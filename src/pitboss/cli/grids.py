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

PROSE_COLUMNS = 80
_ENOUGH = 100_000
_GAP = 3
_LEAST_WORDS = 9
_REMARK = 12

Cell = str | Text


def screen() -> Console:
    """Return where a command prints: as wide as the terminal, and in a pipe as wide as what is printed needs."""
    console = Console(highlight=False, markup=False, emoji=False)  # what a user has typed is printed as it is
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        console.width = _ENOUGH
    return console


class Column(NamedTuple):
    """A column: its heading, and what becomes of it where there is no room.

    ``words`` may stand in several lines; ``parted`` words may be parted within, in so many columns at least.  ``spare``
    columns are left out, the highest number first; columns ``alike`` go on in a further table.
    """

    name: str = ""
    words: bool = False
    right: bool = False
    parted: int = 0
    spare: int = 0
    alike: bool = False
    style: str = ""


def numbers(*names: str) -> tuple[Column, ...]:
    """Return columns of figures, each with a heading."""
    return tuple(Column(name, right=True) for name in names)


@dataclass(frozen=True)
class Grid:
    """A table that fits whatever it is printed on; without ``headed`` it has no line of headings."""

    columns: Sequence[Column]
    headed: bool = True
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    styles: dict[int, str] = field(default_factory=dict)
    ruled: set[int] = field(default_factory=set)

    def add(self, *cells: Cell, style: str = "", rule: bool = False) -> None:
        """Add a row, in a style, with a ``rule`` below it."""
        if style:
            self.styles[len(self.rows)] = style
        if rule:
            self.ruled.add(len(self.rows))
        self.rows.append((*cells, *[""] * (len(self.columns) - len(cells))))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw what fits."""
        width = options.max_width
        # A column with nothing in it says nothing.
        kept = [place for place, column in enumerate(self.columns) if not column.spare or self._has(place)]
        whole = kept
        while self._least(kept) > width and any(self.columns[place].spare for place in kept):
            left_out = max(kept, key=lambda place: self.columns[place].spare)
            kept = [place for place in kept if place != left_out]
        if self._least(kept) > width:
            yield Text("\n").join(self._lines(whole))
            return
        for page in self._pages(kept, width):
            yield self._table(page, width)
        missing = [self.columns[place].name for place in whole if place not in kept]
        if any(missing):
            yield Text(f"Widen the window to {self._least(whole)} columns for: {', '.join(missing)}", "dim")

    def _has(self, place: int) -> bool:
        return any(len(row[place]) for row in self.rows)

    def _cells(self, place: int) -> Iterator[str]:
        if self.headed:
            yield self.columns[place].name
        yield from (_plain(row[place]) for row in self.rows)

    def _natural(self, place: int) -> int:
        return max(map(cell_len, self._cells(place)), default=0)

    def _narrowest(self, place: int) -> int:
        column, natural = self.columns[place], self._natural(place)
        if not column.words:
            return natural
        longest = max((cell_len(word) for cell in self._cells(place) for word in cell.split()), default=0)
        return min(natural, column.parted or max(longest, _LEAST_WORDS))

    def _least(self, places: Sequence[int]) -> int:
        """Return how many columns a table of these takes at least, one of those that are alike standing for all."""
        alone = [self._narrowest(place) for place in places if not self.columns[place].alike]
        alike = [self._narrowest(place) for place in places if self.columns[place].alike]
        return _taken([*alone, *([max(alike)] if alike else [])])

    def _pages(self, places: Sequence[int], width: int) -> Iterator[list[int]]:
        """Yield the columns of each table: all, or as many of those that are alike as fit beside the others."""
        alone = [place for place in places if not self.columns[place].alike]
        page = list(alone)
        for place in places:
            if place in alone:
                continue
            if len(page) > len(alone) and _taken([self._narrowest(each) for each in (*page, place)]) > width:
                yield page
                page = list(alone)
            page.append(place)
        yield page

    def _table(self, places: Sequence[int], width: int) -> Table:
        """Draw a table, its words in no more lines than they must take."""
        widths = {place: self._natural(place) for place in places}
        while _taken(list(widths.values())) > width:
            widest = max(places, key=lambda place: (widths[place] > self._narrowest(place), widths[place]))
            widths[widest] -= 1
        box = SIMPLE_HEAD if self.headed else None
        table = Table(box=box, show_header=self.headed, padding=(0, 1), pad_edge=not self.headed)
        for place in places:
            column = self.columns[place]
            table.add_column(
                column.name,
                width=max(widths[place], 1),
                justify="right" if column.right else "left",
                overflow="fold",
                style=column.style,
            )
        for number, row in enumerate(self.rows):
            cells = [row[place] for place in places]
            table.add_row(*cells, style=self.styles.get(number, ""), end_section=number in self.ruled)
        return table

    def _lines(self, places: Iterable[int]) -> Iterator[Text]:
        """Yield every row as lines of its own: its name, then what each column says."""
        for number, row in enumerate(self.rows):
            first, *rest = [place for place in places if len(row[place])]
            yield Text.assemble((_plain(row[first]), self.styles.get(number, "bold")))
            for place in rest:
                name = self.columns[place].name if self.headed else ""
                yield Text.assemble((f"  {name}: " if name else "  ", "dim"), row[place])


def _plain(cell: Cell) -> str:
    return cell.plain if isinstance(cell, Text) else cell


def _taken(widths: Sequence[int]) -> int:
    """Return how many columns a table takes whose own columns are so wide."""
    return sum(widths) + _GAP * len(widths) - 1


def figures_grid() -> Grid:
    """Return a table of figures without headings: what each is called, as it is written, what is to be said of it."""
    return Grid((Column(words=True), Column(right=True), Column(words=True, parted=_REMARK, style="dim")), headed=False)


class _Table(TableElement):
    """A table of a document, drawn as every other."""

    def __rich_console__(self, _console: Console, _options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw it."""
        heads = self.header.row.cells if self.header and self.header.row else []
        grid = Grid([Column(cell.content.plain, words=True, right=cell.justify == "right") for cell in heads])
        for row in self.body.rows if self.body else []:
            grid.add(*(cell.content for cell in row.cells))
        yield grid


class _Document(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "table_open": _Table}


class Prose:
    """Markdown, in lines that a person can read also where the page is wider."""

    def __init__(self, text: str) -> None:
        """Take the text."""
        self._text = _Document(text)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw it."""
        narrow = options.update(width=min(options.max_width, PROSE_COLUMNS))
        lines = console.render_lines(self._text, narrow, pad=False)
        yield Text("\n").join(Text.assemble(*((part.text, part.style or "") for part in line)) for line in lines)
