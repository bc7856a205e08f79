"""A report, or several, in a format: what each is called, what it needs, and how it becomes bytes."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from pitboss.core.errors import ReportError, UnknownNameError
from pitboss.core.files import write_file
from pitboss.reports.document import Section
from pitboss.reports.report import Report

FORMATS = ("html", "pdf", "xlsx", "md", "csv", "json")

_NEEDS = {"html": ("jinja2", "matplotlib"), "pdf": ("reportlab", "matplotlib"), "xlsx": ("xlsxwriter",)}


def format_of(path: Path, name: str = "") -> str:
    """Return the format that is named, else the one a file's name ends with, if it can be written here.

    Raises:
        UnknownNameError: there is no such format.
        ReportError: the file's name says none, or what writes it is not installed.
    """
    wanted = name or path.suffix.removeprefix(".").lower()
    if not name and wanted not in FORMATS:
        raise ReportError(f"{path} does not say its format: give --format, one of {', '.join(FORMATS)}")
    if wanted not in FORMATS:
        raise UnknownNameError("format", wanted, FORMATS)
    if any(find_spec(module) is None for module in _NEEDS.get(wanted, ())):
        raise ReportError(f"a report in {wanted} needs more than is installed: pip install 'pitboss[reports]'")
    return wanted


def written(reports: Sequence[Report], name: str) -> bytes:
    """Return one report or several in a format.

    Raises:
        UnknownNameError: there is no such format.
        ReportError: what writes it is not installed.
    """
    return _writer(format_of(Path(), name))(reports)


def save(reports: Sequence[Report], name: str, path: Path) -> None:
    """Write a file whole, in the place of one that is there, or not at all.

    Raises:
        UnknownNameError, ReportError: as ``written``; ReportError too where the file cannot be written.
    """
    write_file(path, written(reports, name), ReportError)


def page_of(reports: Sequence[Report]) -> Section:
    """Return the page of a report, or one with the pages of several."""
    from pitboss.reports.sections import page

    pages = [page(report) for report in reports]
    return pages[0] if len(pages) == 1 else Section("PAR sheets", (), tuple(pages))


def _writer(name: str) -> Callable[[Sequence[Report]], bytes]:
    """Load what writes a format."""
    match name:
        case "html":
            from pitboss.reports.html import html

            return lambda reports: html(page_of(reports)).encode()
        case "pdf":
            from pitboss.reports.pdf import pdf

            return lambda reports: pdf(page_of(reports))
        case "xlsx":
            from pitboss.reports.workbook import workbook

            return workbook
        case "md":
            from pitboss.reports.markdown import markdown

            return lambda reports: markdown(page_of(reports)).encode()
        case "csv":
            from pitboss.reports.data import as_csv

            return lambda reports: as_csv(reports).encode()
        case _:
            from pitboss.reports.data import as_json

            return lambda reports: as_json(reports).encode()
