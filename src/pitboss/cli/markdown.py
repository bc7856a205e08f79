"""Markdown in a terminal.

It is a module of its own because Markdown takes long to load, and only ``rules`` prints it.
"""

from collections.abc import Iterator
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.text import Text

from pitboss.cli.terminal_tables import PROSE_WIDTH, Column, TerminalTable


class _MarkdownTable(TableElement):
    """A table of a Markdown document, drawn as a ``TerminalTable``."""

    def __rich_console__(self, _console: Console, _options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw the table."""
        header = self.header.row.cells if self.header and self.header.row else []
        table = TerminalTable(
            [Column(cell.content.plain, wraps=True, right_aligned=cell.justify == "right") for cell in header]
        )
        for row in self.body.rows if self.body else []:
            table.add_row(*(cell.content for cell in row.cells))
        yield table


class _MarkdownDocument(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "table_open": _MarkdownTable}


class MarkdownProse:
    """Markdown in lines of readable length, however wide the console is."""

    def __init__(self, text: str) -> None:
        """Parse the text."""
        self._text = _MarkdownDocument(text)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw the text."""
        narrow = options.update(width=min(options.max_width, PROSE_WIDTH))
        lines = console.render_lines(self._text, narrow, pad=False)
        yield Text("\n").join(Text.assemble(*((part.text, part.style or "") for part in line)) for line in lines)
