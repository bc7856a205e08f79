"""A report, or several, in a format: what each is called, what it needs, and how it becomes bytes."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from pitboss.core.errors import ReportError, UnknownNameError
from pitboss.core.files import write_file
from pitboss.reports.document import Section
from pitboss.reports.report import GameReport

REPORT_FORMATS = ("html", "pdf", "xlsx", "md", "csv", "json")

_REQUIRED_MODULES = {"html": ("jinja2", "matplotlib"), "pdf": ("reportlab", "matplotlib"), "xlsx": ("xlsxwriter",)}


def choose_format(path: Path, name: str = "") -> str:
    """Return the format that is named, else the one a file's name ends with, if it can be written here.

    Raises:
        UnknownNameError: there is no such format.
        ReportError: the file's name says none, or what writes it is not installed.
    """
    wanted = name or path.suffix.removeprefix(".").lower()
    if not name and wanted not in REPORT_FORMATS:
        raise ReportError(f"{path} does not say its format: give --format, one of {', '.join(REPORT_FORMATS)}")
    if wanted not in REPORT_FORMATS:
        raise UnknownNameError("format", wanted, REPORT_FORMATS)
    if any(find_spec(module) is None for module in _REQUIRED_MODULES.get(wanted, ())):
        raise ReportError(f"a report in {wanted} needs more than is installed: pip install 'pitboss[reports]'")
    return wanted


def render_reports(reports: Sequence[GameReport], name: str) -> bytes:
    """Return one report or several in a format.

    Raises:
        UnknownNameError: there is no such format.
        ReportError: what writes it is not installed.
    """
    return _load_writer(choose_format(Path(), name))(reports)


def save_reports(reports: Sequence[GameReport], name: str, path: Path) -> None:
    """Write a file whole, in the place of one that is there, or not at all.

    Raises:
        UnknownNameError, ReportError: as ``render_reports``; ReportError too where the file cannot be written.
    """
    write_file(path, render_reports(reports, name), ReportError)


def combine_pages(reports: Sequence[GameReport]) -> Section:
    """Return the page of a report, or one with the pages of several."""
    from pitboss.reports.sections import make_page

    pages = [make_page(report) for report in reports]
    return pages[0] if len(pages) == 1 else Section("PAR sheets", (), tuple(pages))


def _load_writer(name: str) -> Callable[[Sequence[GameReport]], bytes]:
    """Load what writes a format."""
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
