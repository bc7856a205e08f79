"""What a page is made of, whatever format it is written in.

Words may have Markdown's marks ``**strong**``, ``*said*`` and ````code````; a table's cells have none.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

LEFT, RIGHT = "l", "r"


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; ``small`` is a remark on what stands above it."""

    text: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list, numbered or not."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it shows, its columns' headings, their alignment (a letter each), its rows of cells."""

    title: str
    heads: tuple[str, ...]
    align: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture: what it shows, for those who do not see it too, and what draws it (a Matplotlib figure)."""

    title: str
    draw: Callable[[], Any]


Block = Words | Items | Table | Chart


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, what stands under it, and the sections within."""

    title: str
    blocks: tuple[Block, ...] = ()
    parts: tuple["Section", ...] = ()


_ITEM = re.compile(r"(?:[-*]|(\d+)\.)\s+")
_RULE = re.compile(r"\|[\s:|-]+\|")
_CELLS = re.compile(r"(?<!\\)\|")


def blocks_of(markdown: str) -> Iterator[Block]:
    r"""Yield the blocks of a text in Markdown: paragraphs, lists and tables; headings become strong words.

    >>> list(blocks_of("Dealt so:\n1. one\n2. two\n   more"))
    [Words(text='Dealt so:', small=False), Items(items=('one', 'two more'), numbered=True)]
    """
    for part in re.split(r"\n\s*\n", markdown.strip()):
        lines = [line for line in part.splitlines() if line.strip()]
        while lines:
            taken = _taken(lines)
            yield _block(lines[:taken])
            lines = lines[taken:]


def _kind(line: str) -> str:
    return "table" if line.startswith("|") else "item" if _ITEM.match(line) else "words"


def _taken(lines: list[str]) -> int:
    """Return how many lines belong to the block that begins here: a list ends where a paragraph or a table begins."""
    first = _kind(lines[0])
    for place, line in enumerate(lines):
        kind = _kind(line)
        if kind != first and not (first == "item" and line.startswith(" ")) and not (first == "words" == kind):
            return place
    return len(lines)


def _block(lines: list[str]) -> Block:
    match _kind(lines[0]):
        case "table":
            heads, *rows = [_cells(line) for line in lines if not _RULE.fullmatch(line.strip())]
            return Table("", heads, LEFT * len(heads), tuple(rows))
        case "item":
            found = re.split(r"\n(?=(?:[-*]|\d+\.)\s)", "\n".join(lines))
            items = tuple(" ".join(_ITEM.sub("", item, count=1).split()) for item in found)
            return Items(items, numbered=lines[0][0].isdigit())
        case _:
            text = " ".join(" ".join(lines).split())
            return Words(re.sub(r"^#+ (.*)$", r"**\1**", text))


def _cells(line: str) -> tuple[str, ...]:
    return tuple(plain(cell.strip()) for cell in _CELLS.split(line.strip().strip("|")))


_MARKS = re.compile(
    r"\*\*(?P<strong>.+?)\*\*|(?<![\w*])\*(?P<said>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])|`(?P<code>[^`]+)`"
)


def segments(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with its mark: ``strong``, ``said``, ``code``, or none.

    >>> list(segments("the **Ante** & `main`"))
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


def plain(text: str) -> str:
    """Return a text without marks.

    >>> plain("Ante (`main`), *as printed*")
    'Ante (main), as printed'
    """
    return "".join(words for _, words in segments(text))
