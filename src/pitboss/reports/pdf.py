"""A page as a PDF for print: numbered pages, headings over every page of a table, no column cut off.

The letters are DejaVu's, which come with Matplotlib, so that a page and its charts look alike and no letter is missing.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Frame,
    Image,
    KeepTogether,
    ListFlowable,
    LongTable,
    PageTemplate,
    Paragraph,
    TableStyle,
)

from pitboss.reports.charts import png_of
from pitboss.reports.document import LEFT, Block, Chart, Items, Section, Table, Words, segments

_MARGIN = 16 * mm
_WIDTH = A4[0] - 2 * _MARGIN
_INK, _DIM, _LINE, _BAND, _FELT = map(colors.HexColor, ("#1b2a24", "#55635c", "#c4cdc8", "#f3f6f4", "#17603c"))
_FACES = {
    "Page": "DejaVuSans",
    "Page-Bold": "DejaVuSans-Bold",
    "Page-Said": "DejaVuSans-Oblique",
    "Page-Code": "DejaVuSansMono",
}
_MARKED = {
    "": "{}",
    "strong": '<font name="Page-Bold">{}</font>',
    "said": '<font name="Page-Said">{}</font>',
    "code": '<font name="Page-Code">{}</font>',
}
_HEADINGS = (18, 13, 10.5, 9)
_ROOM = (0, 75 * mm, 30 * mm)  # what must be left of a page for a heading to stand on it
_SIZES = (7.5, 7, 6.5, 6, 5.5, 5)
_PADDING = 3
_ENOUGH_WORDS = 110  # points
_SHORT = 14
_BASE = ParagraphStyle("base", fontName="Page", fontSize=8.5, leading=12, textColor=_INK, spaceAfter=5)
_REMARK = ParagraphStyle("remark", _BASE, fontSize=7, leading=9.5, textColor=_DIM)
_TITLE = ParagraphStyle("title", _BASE, fontName="Page-Bold", fontSize=8, leading=11, spaceBefore=4, spaceAfter=2)


def pdf(page: Section) -> bytes:
    """Return a page as a PDF; the same page makes the same bytes.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    _fonts()
    out = io.BytesIO()
    frame = Frame(_MARGIN, _MARGIN, _WIDTH, A4[1] - 2 * _MARGIN, 0, 0, 0, 0)
    made = BaseDocTemplate(out, pagesize=A4, title=page.title, author="pitboss", invariant=1)
    made.addPageTemplates(PageTemplate("page", frame, onPage=lambda canvas, _made: _number(canvas, page.title)))
    made.afterFlowable = lambda flowable: _outlined(made.canv, flowable)
    made.build(list(_section(page, 0)))
    return out.getvalue()


@cache
def _fonts() -> None:
    """Make the letters known."""
    import matplotlib as mpl

    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    for name, face in _FACES.items():
        pdfmetrics.registerFont(TTFont(name, folder / f"{face}.ttf"))


def _number(canvas: Any, title: str) -> None:
    """Write the title and the number of the page at its foot."""
    canvas.setFont("Page", 7)
    canvas.setFillColor(_DIM)
    canvas.drawString(_MARGIN, _MARGIN / 2, title)
    canvas.drawRightString(A4[0] - _MARGIN, _MARGIN / 2, str(canvas.getPageNumber()))


def _outlined(canvas: Any, flowable: Any) -> None:
    """Put a heading into the outline that readers show beside the pages."""
    level = getattr(flowable, "outlined", None)
    if level is not None:
        key = f"{canvas.getPageNumber()}-{id(flowable)}"
        canvas.bookmarkPage(key)
        canvas.addOutlineEntry(flowable.getPlainText(), key, level, closed=level > 0)


def _section(section: Section, level: int) -> Iterator[Any]:
    """Yield what a section is made of; a heading stays with what stands under it."""
    size = _HEADINGS[min(level, len(_HEADINGS) - 1)]
    style = ParagraphStyle(
        f"heading {level}",
        _BASE,
        fontName="Page-Bold",
        fontSize=size,
        leading=1.25 * size,
        spaceBefore=0.9 * size,
        spaceAfter=0.45 * size,
        keepWithNext=1,
        textColor=_FELT if level == 1 else _INK,
    )
    heading = Paragraph(escape(section.title), style)
    heading.outlined = level
    yield CondPageBreak(_ROOM[min(level, len(_ROOM) - 1)])
    yield heading
    for block in section.blocks:
        yield from _block(block)
    for part in section.parts:
        yield from _section(part, level + 1)


def _block(block: Block) -> Iterator[Any]:
    match block:
        case Words(text=text, small=small):
            yield Paragraph(_rich(text), _REMARK if small else _BASE)
        case Items(items=items, numbered=numbered):
            listed = [Paragraph(_rich(item), ParagraphStyle("item", _BASE, spaceAfter=1)) for item in items]
            kind = {"bulletType": "1", "bulletFormat": "%s."} if numbered else {"bulletType": "bullet", "start": "•"}
            yield ListFlowable(listed, bulletFontName="Page", bulletFontSize=8.5, leftIndent=16, spaceAfter=5, **kind)
        case Chart(title=title, draw=draw):
            yield KeepTogether([_picture(draw()), Paragraph(escape(title), _REMARK)])
        case Table(title=title, rows=rows):
            title_over = [Paragraph(escape(title), ParagraphStyle("over", _TITLE, keepWithNext=1))] if title else []
            drawn = [*title_over, _table(block)]
            yield from [KeepTogether(drawn)] if len(rows) <= _SHORT else drawn


def _rich(text: str) -> str:
    """Return words with their marks as Platypus reads them."""
    return "".join(_MARKED[mark].format(escape(words)) for mark, words in segments(text))


def _picture(figure: Any) -> Any:
    wide, high = figure.get_size_inches()
    width = min(_WIDTH, 60 * mm * wide / 3)
    return Image(io.BytesIO(png_of(figure)), width=width, height=width * high / wide)


def _table(table: Table) -> Any:
    """Return a table in the largest letters that leave room for every number unbroken and for some of the words."""
    size, widths = _fitted(table)
    rows = [
        _cells(table.heads, table.align, size, "Page-Bold"),
        *(_cells(row, table.align, size) for row in table.rows),
    ]
    drawn = LongTable(rows, colWidths=widths, repeatRows=1, hAlign="LEFT", spaceAfter=7)
    drawn.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
                ("LINEBELOW", (0, 0), (-1, 0), 0.8, _FELT),
                ("LINEBELOW", (0, 1), (-1, -1), 0.25, _LINE),
                ("ROWBACKGROUNDS", (0, 1), (-1, -1), (colors.white, _BAND)),
                ("LEFTPADDING", (0, 0), (-1, -1), _PADDING),
                ("RIGHTPADDING", (0, 0), (-1, -1), _PADDING),
                ("TOPPADDING", (0, 0), (-1, -1), 1.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ]
        )
    )
    return drawn


def _cells(cells: Sequence[str], align: str, size: float, font: str = "Page") -> list[Any]:
    style = ParagraphStyle("cell", fontName=font, fontSize=size, leading=1.25 * size, textColor=_INK, splitLongWords=1)
    right = ParagraphStyle("number", style, alignment=TA_RIGHT)
    return [Paragraph(escape(cell), style if side == LEFT else right) for cell, side in zip(cells, align, strict=True)]


def _fitted(table: Table) -> tuple[float, list[float]]:
    """Return the size of a table's letters and the widths of its columns."""
    for size in _SIZES:
        natural = [_natural(table, column, size) for column in range(len(table.heads))]
        least = [_least(table, column, size, width) for column, width in enumerate(natural)]
        if sum(natural) <= _WIDTH:
            return size, natural
        if sum(least) <= _WIDTH:
            return size, _shared(natural, least)
    scale = _WIDTH / sum(least)
    return _SIZES[-1], [width * scale for width in least]


def _shared(natural: list[float], least: list[float]) -> list[float]:
    """Share what is left of the page's width among the columns that want more than the least."""
    left = (_WIDTH - sum(least)) / sum(want - have for want, have in zip(natural, least, strict=True))
    return [have + (want - have) * left for want, have in zip(natural, least, strict=True)]


def _natural(table: Table, column: int, size: float) -> float:
    """Return how wide a column is with no line broken but between the words of its heading."""
    return _widest(table.heads[column].split(), (row[column] for row in table.rows), size)


def _least(table: Table, column: int, size: float, natural: float) -> float:
    """Return how narrow a column may be: that of numbers as it is, that of words with no word broken."""
    if table.align[column] != LEFT:
        return natural
    word = _widest(table.heads[column].split(), (word for row in table.rows for word in row[column].split()), size)
    return max(word, min(natural / 2, _ENOUGH_WORDS))


def _widest(bold: Iterable[str], plain: Iterable[str], size: float) -> float:
    """Return how wide a column must be for each of these to stand in a line."""
    texts = [*((text, "Page-Bold") for text in bold), *((text, "Page") for text in plain)]
    widths = (pdfmetrics.stringWidth(text, font, size) for text, font in texts)
    return float(max(widths, default=0)) + 2 * _PADDING + 1
