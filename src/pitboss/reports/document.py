"""The parts of a page, independent of the format it is written in.

Text may have Markdown's marks ``**strong**``, ``*said*`` and ````code````; a table's cells have none.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

LEFT, RIGHT = "l", "r"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph; ``small`` for a remark on the block above it."""

    text: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list, numbered or not."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table: its title, headings, alignment and rows of cells.

    ``alignment`` has a letter for each column.
    """

    title: str
    headings: tuple[str, ...]
    alignment: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """A chart: its title and the function that draws a Matplotlib figure.

    The title is also read to those who do not see the chart.
    """

    title: str
    draw: Callable[[], Any]


PageBlock = TextBlock | ListBlock | TableBlock | ChartBlock


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, the blocks under it, and its subsections."""

    title: str
    blocks: tuple[PageBlock, ...] = ()
    subsections: tuple["Section", ...] = ()


def section_as_json(section: Section) -> dict[str, Any]:
    """Return a section as JSON data; a chart is its title, as its data is in a table."""
    return {
        "title": section.title,
        "blocks": [_block_as_json(block) for block in section.blocks],
        "sections": [section_as_json(part) for part in section.subsections],
    }


def _block_as_json(block: PageBlock) -> dict[str, Any]:
    match block:
        case TextBlock(text=text):
            return {"text": strip_marks(text)}
        case ListBlock(items=items):
            return {"items": [strip_marks(item) for item in items]}
        case TableBlock(title=title, headings=headings, rows=rows):
            return {"table": title, "headings": list(headings), "rows": [list(row) for row in rows]}
        case ChartBlock(title=title):
            return {"chart": title}


_ITEM = re.compile(r"(?:[-*]|(\d+)\.)\s+")
_RULE = re.compile(r"\|[\s:|-]+\|")
_CELLS = re.compile(r"(?<!\\)\|")


def parse_markdown(markdown: str) -> Iterator[PageBlock]:
    r"""Yield the blocks of a text in Markdown: paragraphs, lists and tables.

    Headings become strong text.

    >>> list(parse_markdown("Dealt so:\n1. one\n2. two\n   more"))
    [TextBlock(text='Dealt so:', small=False), ListBlock(items=('one', 'two more'), numbered=True)]
    """
    for part in re.split(r"\n\s*\n", markdown.strip()):
        lines = [line for line in part.splitlines() if line.strip()]
        while lines:
            size = _count_block_lines(lines)
            yield _parse_block(lines[:size])
            lines = lines[size:]


def _classify_line(line: str) -> str:
    return "table" if line.startswith("|") else "item" if _ITEM.match(line) else "words"


def _count_block_lines(lines: list[str]) -> int:
    """Return the number of lines of the first block.

    A list ends where a paragraph or a table begins.
    """
    first = _classify_line(lines[0])
    for place, line in enumerate(lines):
        kind = _classify_line(line)
        if kind != first and not (first == "item" and line.startswith(" ")) and not (first == "words" == kind):
            return place
    return len(lines)


def _parse_block(lines: list[str]) -> PageBlock:
    match _classify_line(lines[0]):
        case "table":
            headings, *rows = [_split_cells(line) for line in lines if not _RULE.fullmatch(line.strip())]
            return TableBlock("", headings, LEFT * len(headings), tuple(rows))
        case "item":
            texts = re.split(r"\n(?=(?:[-*]|\d+\.)\s)", "\n".join(lines))
            items = tuple(" ".join(_ITEM.sub("", text, count=1).split()) for text in texts)
            return ListBlock(items, numbered=lines[0][0].isdigit())
        case _:
            text = " ".join(" ".join(lines).split())
            return TextBlock(re.sub(r"^#+ (.*)$", r"**\1**", text))


def _split_cells(line: str) -> tuple[str, ...]:
    return tuple(strip_marks(cell.strip()) for cell in _CELLS.split(line.strip().strip("|")))


_MARKS = re.compile(
    r"\*\*(?P<strong>.+?)\*\*|(?<![\w*])\*(?P<said>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])|`(?P<code>[^`]+)`"
)


def split_marks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with its mark.

    A mark is ``strong``, ``said`` (emphasis), ``code``, or "".

    >>> list(split_marks("the **Ante** & `main`"))
    [('', 'the '), ('strong', 'Ante'), ('', ' & '), ('code', 'main')]
    """
    end = 0
    for match in _MARKS.finditer(text):
        if end < match.start():
            yield "", text[end : match.start()]
        name = match.lastgroup or ""
        yield name, match[name]
        end = match.end()
    if end < len(text):
        yield "", text[end:]


def strip_marks(text: str) -> str:
    """Return a text without its marks.

    >>> strip_marks("Ante (`main`), *as printed*")
    'Ante (main), as printed'
    """
    return "".join(words for _, words in split_marks(text))
