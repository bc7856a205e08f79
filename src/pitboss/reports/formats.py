"""The formats of reports: names, requirements, and how reports become bytes."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from pitboss.core.errors import ReportError, UnknownNameError
from pitboss.core.extras import write_install_hint
from pitboss.core.files import write_file
from pitboss.reports.document import Section
from pitboss.reports.report import GameReport

REPORT_FORMATS = ("html", "pdf", "xlsx", "md", "csv", "json")

_REQUIRED_MODULES = {"html": ("jinja2", "matplotlib"), "pdf": ("reportlab", "matplotlib"), "xlsx": ("xlsxwriter",)}


def choose_format(path: Path, name: str = "") -> str:
    """Return the named format, or that of the file's ending, if it can be written.

    What it needs must be installed here.

    Raises:
        UnknownNameError: there is no such format.
        ReportError: the file's ending is not a format, or a module that the format needs is not installed.
    """
    chosen = name or path.suffix.removeprefix(".").lower()
    if not name and chosen not in REPORT_FORMATS:
        raise ReportError(
            f"the extension of {path} is not a known format: give --format, one of {', '.join(REPORT_FORMATS)}",
            code="unknown-format",
            path=path,
            report_formats=REPORT_FORMATS,
        )
    if chosen not in REPORT_FORMATS:
        raise UnknownNameError("format", chosen, REPORT_FORMATS)
    if any(find_spec(module) is None for module in _REQUIRED_MODULES.get(chosen, ())):
        raise ReportError(
            f"a report in {chosen} needs packages that are not installed: {write_install_hint('reports')}",
            code="not-installed",
            chosen=chosen,
        )
    return chosen


def render_reports(reports: Sequence[GameReport], name: str) -> bytes:
    """Return one report or several as bytes in a format.

    Raises:
        UnknownNameError: there is no such format.
        ReportError: a module that the format needs is not installed.
    """
    return _load_writer(choose_format(Path(), name))(reports)


def save_reports(reports: Sequence[GameReport], name: str, path: Path) -> None:
    """Write reports to a file atomically, replacing an existing one.

    Raises:
        UnknownNameError, ReportError: as ``render_reports``; ReportError also if the file cannot be written.
    """
    write_file(path, render_reports(reports, name), ReportError)


def combine_pages(reports: Sequence[GameReport]) -> Section:
    """Return the page of a report, or one page with the pages of several reports."""
    from pitboss.reports.page import make_page

    pages = [make_page(report) for report in reports]
    return pages[0] if len(pages) == 1 else Section("PAR sheets", (), tuple(pages))


def _load_writer(name: str) -> Callable[[Sequence[GameReport]], bytes]:
    """Return the function that writes a format."""
    match name:
        case "html":
            from pitboss.reports.html import render_html

            return lambda reports: render_html(combine_pages(reports)).encode()
        case "pdf":
            from pitboss.reports.pdf import render_pdf

            return lambda reports: render_pdf(combine_pages(reports))
        case "xlsx":
            from pitboss.reports.workbook import render_workbook

            return render_workbook
        case "md":
            from pitboss.reports.markdown import render_markdown

            return lambda reports: render_markdown(combine_pages(reports)).encode()
        case "csv":
            from pitboss.reports.data_export import to_csv

            return lambda reports: to_csv(reports).encode()
        case _:
            from pitboss.reports.data_export import to_json

            return lambda reports: to_json(reports).encode()
