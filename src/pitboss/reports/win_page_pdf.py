"""The win page as a PDF, for the people who pay the award and sign the page.

It needs the extra ``reports``.
"""

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.core.errors import ReportError
from pitboss.core.extras import write_install_hint
from pitboss.core.files import verify_writable, write_file
from pitboss.jackpot.win_pages import WinPage

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_MARGIN = 60
_LABEL_WIDTH = 150  # from the margin to the values of the labelled lines
_LINE_HEIGHT = 24
_INK, _RED, _GREY = "#1b2a24", "#b3282d", "#5c6b64"


def verify_pdf_path(path: Path) -> None:
    """Raise ``ReportError`` if no page can be written to ``path``.

    Call this before anything is paid.
    """
    if find_spec("reportlab") is None:
        raise ReportError(f"reportlab is not installed: {write_install_hint('reports')}", code="not-installed")
    if path.suffix.lower() != ".pdf":
        raise ReportError(f"{path} is not a PDF: name a file that ends with .pdf", code="unknown-format", path=path)
    verify_writable(path, ReportError)


def write_win_page(page: WinPage, path: Path) -> None:
    """Write a win page to a PDF file atomically.

    Raises:
        ReportError: the file cannot be written.
    """
    write_file(path, to_pdf(page), ReportError)


def to_pdf(page: WinPage) -> bytes:
    """Return a win page as a PDF of one page."""
    from reportlab.lib.pagesizes import letter
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=letter, invariant=True)  # the same page makes the same bytes
    width, height = letter
    canvas.setTitle(f"{page.heading} {page.mark}".strip())
    canvas.setFillColor(_INK)
    canvas.setFont("Helvetica-Bold", 24)
    canvas.drawString(_MARGIN, height - 90, page.heading)
    canvas.line(_MARGIN, height - 102, width - _MARGIN, height - 102)
    if page.mark:
        _draw_mark(canvas, page.mark, width, height)
    _draw_lines(canvas, page.lines, height - 180)
    _draw_signatures(canvas, page.signatures, width)
    canvas.setFillColor(_GREY)
    canvas.setFont("Helvetica", 7.5)
    canvas.drawString(_MARGIN, 42, page.footer)
    canvas.save()
    return out.getvalue()


def _draw_mark(canvas: "Canvas", mark: str, width: float, height: float) -> None:
    """Mark a reprint twice: on its own line, and across the page behind everything."""
    canvas.saveState()
    canvas.setFillColor(_RED)
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(_MARGIN, height - 128, mark)
    canvas.setFillAlpha(0.12)
    canvas.translate(width / 2, height / 2)
    canvas.rotate(50)
    canvas.setFont("Helvetica-Bold", 28)
    canvas.drawCentredString(0, 0, mark)
    canvas.restoreState()


def _draw_lines(canvas: "Canvas", lines: tuple[tuple[str, str], ...], top: float) -> None:
    """Draw the labelled lines, the first (the amount owed) large."""
    for number, (label, value) in enumerate(lines):
        size = 22 if number == 0 else 12
        y = top - number * _LINE_HEIGHT - (12 if number else 0)
        canvas.setFont("Helvetica", 12)
        canvas.drawString(_MARGIN, y, label)
        canvas.setFont("Helvetica-Bold", size)
        canvas.drawString(_MARGIN + _LABEL_WIDTH, y, value)


def _draw_signatures(canvas: "Canvas", signatures: tuple[str, ...], width: float) -> None:
    """Draw signature lines side by side."""
    column_width = (width - 2 * _MARGIN) / len(signatures)
    canvas.setFont("Helvetica", 10)
    for number, who in enumerate(signatures):
        left = _MARGIN + number * column_width
        canvas.line(left, 150, left + column_width - 20, 150)
        canvas.drawString(left, 135, who)
        canvas.drawString(left, 120, "name, date, time")
