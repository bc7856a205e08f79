"""A page as one self-contained HTML file, light or dark as the reader prefers.

Style and pictures are in the file.
"""

from itertools import count

from pitboss.reports.chart_style import to_svg
from pitboss.reports.document import RIGHT, ChartBlock, ListBlock, Section, TableBlock, TextBlock, split_marks

_BLOCK_KINDS = {TextBlock: "words", ListBlock: "items", TableBlock: "table", ChartBlock: "chart"}


def render_html(page: Section) -> str:
    """Return a page as HTML.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    from jinja2 import Environment, PackageLoader

    pictures = count(1)
    loader = PackageLoader("pitboss.reports")
    pages = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    pages.filters.update(
        kind=lambda block: _BLOCK_KINDS[type(block)],
        segments=split_marks,
        svg=lambda chart: to_svg(chart.draw(), f"chart-{next(pictures)}", chart.title),
    )
    tags = {"strong": "strong", "said": "em", "code": "code"}
    return pages.get_template("report.html").render(page=page, right=RIGHT, tags=tags)
