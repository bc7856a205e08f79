"""A page as a PDF for print.

Pages are numbered, table headings are repeated on every page, and no column is cut off.

The font is DejaVu, which comes with Matplotlib, so that a page and its charts look alike and no character is missing.
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

from pitboss.reports.chart_style import to_png
from pitboss.reports.document import LEFT, ChartBlock, ListBlock, PageBlock, Section, TableBlock, TextBlock, split_marks

_MARGIN = 16 * mm
_WIDTH = A4[0] - 2 * _MARGIN
_INK, _DIM, _LINE, _BAND, _FELT = map(colors.HexColor, ("#1b2a24", "#55635c", "#c4cdc8", "#f3f6f4", "#17603c"))
_FONT_FILES = {
    "Page": "DejaVuSans",
    "Page-Bold": "DejaVuSans-Bold",
    "Page-Said": "DejaVuSans-Oblique",
    "Page-Code": "DejaVuSansMono",
}
_MARKUP = {
    "": "{}",
    "strong": '<font name="Page-Bold">{}</font>',
    "said": '<font name="Page-Said">{}</font>',
    "code": '<font name="Page-Code">{}</font>',
}
_HEADING_SIZES = (18, 13, 10.5, 9)
_MIN_ROOM = (0, 75 * mm, 30 * mm)  # the height that a heading needs below it on a page
_FONT_SIZES = (7.5, 7, 6.5, 6, 5.5, 5)
_PADDING = 3
_ENOUGH_WIDTH = 110  # points
_SHORT_TABLE_ROWS = 14
_BASE = ParagraphStyle("base", fontName="Page", fontSize=8.5, leading=12, textColor=_INK, spaceAfter=5)
_REMARK = ParagraphStyle("remark", _BASE, fontSize=7, leading=9.5, textColor=_DIM)
_TITLE = ParagraphStyle("title", _BASE, fontName="Page-Bold", fontSize=8, leading=11, spaceBefore=4, spaceAfter=2)


def render_pdf(page: Section) -> bytes:
    """Return a page as a PDF; the same page makes the same bytes.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    _register_fonts()
    out = io.BytesIO()
    frame = Frame(_MARGIN, _MARGIN, _WIDTH, A4[1] - 2 * _MARGIN, 0, 0, 0, 0)
    document = BaseDocTemplate(out, pagesize=A4, title=page.title, author="pitboss", invariant=1)
    template = PageTemplate("page", frame, onPage=lambda canvas, _document: _draw_footer(canvas, page.title))
    document.addPageTemplates(template)
    document.afterFlowable = lambda flowable: _add_outline_entry(document.canv, flowable)
    document.build(list(_render_section(page, 0)))
    return out.getvalue()


@cache
def _register_fonts() -> None:
    """Register the fonts with ReportLab."""
    import matplotlib as mpl

    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    for name, face in _FONT_FILES.items():
        pdfmetrics.registerFont(TTFont(name, folder / f"{face}.ttf"))


def _draw_footer(canvas: Any, title: str) -> None:
    """Draw the title and the page number at the foot of a page."""
    canvas.setFont("Page", 7)
    canvas.setFillColor(_DIM)
    canvas.drawString(_MARGIN, _MARGIN / 2, title)
    canvas.drawRightString(A4[0] - _MARGIN, _MARGIN / 2, str(canvas.getPageNumber()))


def _add_outline_entry(canvas: Any, flowable: Any) -> None:
    """Add a heading to the outline that PDF readers show next to the pages."""
    level = getattr(flowable, "outlined", None)
    if level is not None:
        key = f"{canvas.getPageNumber()}-{id(flowable)}"
        canvas.bookmarkPage(key)
        canvas.addOutlineEntry(flowable.getPlainText(), key, level, closed=level > 0)


def _render_section(section: Section, level: int) -> Iterator[Any]:
    """Yield the flowables of a section; a heading stays with the block below it."""
    size = _HEADING_SIZES[min(level, len(_HEADING_SIZES) - 1)]
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
    yield CondPageBreak(_MIN_ROOM[min(level, len(_MIN_ROOM) - 1)])
    yield heading
    for block in section.blocks:
        yield from _render_block(block)
    for part in section.subsections:
        yield from _render_section(part, level + 1)


def _render_block(block: PageBlock) -> Iterator[Any]:
    match block:
        case TextBlock(text=text, small=small):
            yield Paragraph(_to_markup(text), _REMARK if small else _BASE)
        case ListBlock(items=items, numbered=numbered):
            paragraphs = [Paragraph(_to_markup(item), ParagraphStyle("item", _BASE, spaceAfter=1)) for item in items]
            kind = {"bulletType": "1", "bulletFormat": "%s."} if numbered else {"bulletType": "bullet", "start": "•"}
            yield ListFlowable(
                paragraphs, bulletFontName="Page", bulletFontSize=8.5, leftIndent=16, spaceAfter=5, **kind
            )
        case ChartBlock(title=title, draw=draw):
            yield KeepTogether([_make_image(draw()), Paragraph(escape(title), _REMARK)])
        case TableBlock(title=title, rows=rows):
            heading = [Paragraph(escape(title), ParagraphStyle("over", _TITLE, keepWithNext=1))] if title else []
            flowables = [*heading, _make_table(block)]
            yield from [KeepTogether(flowables)] if len(rows) <= _SHORT_TABLE_ROWS else flowables


def _to_markup(text: str) -> str:
    """Return text with its marks as Platypus markup."""
    return "".join(_MARKUP[mark].format(escape(words)) for mark, words in split_marks(text))


def _make_image(figure: Any) -> Any:
    wide, high = figure.get_size_inches()
    width = min(_WIDTH, 60 * mm * wide / 3)
    return Image(io.BytesIO(to_png(figure)), width=width, height=width * high / wide)


def _make_table(table: TableBlock) -> Any:
    """Return a table in the largest font that fits.

    A font fits if it leaves every number unbroken, and enough of the text.
    """
    size, widths = _fit_table(table)
    rows = [
        _make_cells(table.headings, table.alignment, size, "Page-Bold"),
        *(_make_cells(row, table.alignment, size) for row in table.rows),
    ]
    flowable = LongTable(rows, colWidths=widths, repeatRows=1, hAlign="LEFT", spaceAfter=7)
    flowable.setStyle(
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
    return flowable


def _make_cells(cells: Sequence[str], align: str, size: float, font: str = "Page") -> list[Any]:
    style = ParagraphStyle("cell", fontName=font, fontSize=size, leading=1.25 * size, textColor=_INK, splitLongWords=1)
    right = ParagraphStyle("number", style, alignment=TA_RIGHT)
    return [Paragraph(escape(cell), style if side == LEFT else right) for cell, side in zip(cells, align, strict=True)]


def _fit_table(table: TableBlock) -> tuple[float, list[float]]:
    """Return the font size of a table and the widths of its columns."""
    for size in _FONT_SIZES:
        natural = [_measure_natural_width(table, column, size) for column in range(len(table.headings))]
        least = [_measure_min_width(table, column, size, width) for column, width in enumerate(natural)]
        if sum(natural) <= _WIDTH:
            return size, natural
        if sum(least) <= _WIDTH:
            return size, _share_width(natural, least)
    scale = _WIDTH / sum(least)
    return _FONT_SIZES[-1], [width * scale for width in least]


def _share_width(natural: list[float], least: list[float]) -> list[float]:
    """Distribute the rest of the page's width among the narrow columns.

    These are the columns that are narrower than their natural width.
    """
    share = (_WIDTH - sum(least)) / sum(want - have for want, have in zip(natural, least, strict=True))
    return [have + (want - have) * share for want, have in zip(natural, least, strict=True)]


def _measure_natural_width(table: TableBlock, column: int, size: float) -> float:
    """Return the width of a column whose cells do not wrap; its heading may."""
    return _measure_width(table.headings[column].split(), (row[column] for row in table.rows), size)


def _measure_min_width(table: TableBlock, column: int, size: float, natural: float) -> float:
    """Return the least width of a column.

    It is the natural one for numbers, and for text that of unbroken words.
    """
    if table.alignment[column] != LEFT:
        return natural
    word = _measure_width(
        table.headings[column].split(), (word for row in table.rows for word in row[column].split()), size
    )
    return max(word, min(natural / 2, _ENOUGH_WIDTH))


def _measure_width(bold: Iterable[str], plain: Iterable[str], size: float) -> float:
    """Return the width of a column in which each of these texts fits on one line."""
    texts = [*((text, "Page-Bold") for text in bold), *((text, "Page") for text in plain)]
    widths = (pdfmetrics.stringWidth(text, font, size) for text, font in texts)
    return float(max(widths, default=0)) + 2 * _PADDING + 1
