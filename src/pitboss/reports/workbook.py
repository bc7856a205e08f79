"""Reports as an Excel workbook whose figures are formulas.

If a pay is changed, edge and variance follow.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell

from pitboss.analysis.covariance import CovarianceReport
from pitboss.reports.bet_sheet import BetSheet
from pitboss.reports.document import ListBlock, Section, TableBlock, TextBlock, strip_marks
from pitboss.reports.formatting import format_paytable_ids
from pitboss.reports.page import make_page
from pitboss.reports.report import GameReport

_MAX_NAME_LENGTH = 31
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""In every file, so that the same report makes the same bytes."""

_SUMMARY = {
    "house_edge": "House edge",
    "element_of_risk": "Element of risk",
    "hit_frequency": "Hit frequency",
    "variance": "Variance",
    "standard_deviation": "Standard deviation",
}
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\", " "))


def render_workbook(reports: Sequence[GameReport]) -> bytes:
    """Return reports as a workbook.

    Each report has a summary sheet, a sheet for each bet, and a sheet of text.
    """
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": "PAR sheets", "author": "pitboss", "created": _NO_DATE})
    styles = _make_styles(book)
    used_names: set[str] = set()
    for report in reports:
        prefix = f"{report.game.id} " if len(reports) > 1 else ""
        _write_report(book, report, prefix, styles, used_names)
    book.close()
    return out.getvalue()


def _make_styles(book: Any) -> dict[str, Any]:
    styles = {
        "title": {"bold": True, "font_size": 14},
        "head": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"},
        "number_head": {"bold": True, "bottom": 1, "align": "right"},
        "bold": {"bold": True},
        "remark": {"font_color": "#55635C", "italic": True},
        "input": {"bg_color": "#FFF4CC", "border": 1, "border_color": "#D9C67A", "num_format": "#,##0.######"},
        "dollars": {"bg_color": "#FFF4CC", "border": 1, "border_color": "#D9C67A", "num_format": "$#,##0.00"},
        "count": {"num_format": "#,##0"},
        "text_count": {"align": "right"},
        "net": {"num_format": "#,##0.######"},
        "chance": {"num_format": "0.000000000000"},
        "one_in": {"num_format": "#,##0.00"},
        "signed": {"num_format": "+0.0000000000;-0.0000000000;0"},
        "percent": {"num_format": "0.000000%"},
        "figure": {"num_format": "#,##0.00000000"},
        "money": {"num_format": "$#,##0.00;-$#,##0.00"},
        "wrapped": {"text_wrap": True, "valign": "top"},
    }
    return {name: book.add_format(style) for name, style in styles.items()}


def _add_worksheet(book: Any, name: str, used_names: set[str]) -> Any:
    """Add a worksheet under a unique name that Excel allows."""
    unique = name.translate(_FORBIDDEN).strip()[:_MAX_NAME_LENGTH]
    for number in range(2, 100):
        if unique.lower() not in used_names:
            break
        unique = f"{name[: _MAX_NAME_LENGTH - 3]} {number}"
    used_names.add(unique.lower())
    sheet: Any = book.add_worksheet(unique)
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    return sheet


def _write_report(book: Any, report: GameReport, prefix: str, styles: Mapping[str, Any], used_names: set[str]) -> None:
    """Write a report, its summary first.

    The summary refers to the figures on the sheets of the bets.
    """
    front = _add_worksheet(book, f"{prefix}Summary", used_names)
    bets = [BetSheet(par, _add_worksheet(book, f"{prefix}{par.wager.id}", used_names), styles) for par in report.sheets]
    for bet in bets:
        bet.write(book)
    _write_summary(front, report, bets, styles)
    _write_section(_add_worksheet(book, f"{prefix}About", used_names), make_page(report), styles)


def _write_summary(front: Any, report: GameReport, bets: Sequence[BetSheet], styles: Mapping[str, Any]) -> None:
    front.set_column(0, 1, 26)
    front.set_column(2, 8, 18)
    front.write(0, 0, f"{report.game.name}: PAR sheets", styles["title"])
    advice = "Change a yellow cell here or on a bet's sheet: every figure that depends on it is recomputed."
    front.write(1, 0, advice, styles["remark"])
    front.write(2, 0, "Rounds an hour")
    front.write(2, 1, report.assumptions.rounds_per_hour, styles["input"])
    front.write_row(4, 0, ("Bet", "Pay table", *_SUMMARY.values(), "Average bet", "House win per hour"), styles["head"])
    for row, bet in enumerate(bets, start=5):
        sheet, name = bet.par_sheet, bet.worksheet.get_name()
        front.write(row, 0, sheet.wager.name)
        front.write(row, 1, format_paytable_ids(sheet) or "even money")
        for column, figure in enumerate(_SUMMARY, start=2):
            style = styles["figure" if figure in ("variance", "standard_deviation") else "percent"]
            front.write_formula(row, column, f"='{name}'!{bet.cells[figure]}", style, bet.values[figure])
        if sheet.wager not in report.game.main_parts:
            front.write(row, 7, report.get_bet_cents(sheet.wager) / 100, styles["dollars"])
            stake, wins = xl_rowcol_to_cell(row, 7), float(report.compute_house_win_cents(sheet)) / 100
            front.write_formula(row, 8, f"='{name}'!{bet.cells['house_edge']}*{stake}*$B$3", styles["money"], wins)
    row = 6 + len(bets)
    if report.covariance_report:
        _write_covariances(front, report.covariance_report, row, styles)
    front.freeze_panes(5, 1)


def _write_covariances(front: Any, found: CovarianceReport, row: int, styles: Mapping[str, Any]) -> None:
    """Write each covariance from a row on, and which are missing for what reason."""
    if found.covariances:
        front.write(row, 0, "Covariance, per unit staked on each, under the pays of this report", styles["bold"])
        headings = ("Bet", "and", "Covariance", "Correlation", "Method", "Standard error")
        front.write_row(row + 1, 0, headings, styles["head"])
        row += 2
    for each in found.covariances:
        front.write_row(row, 0, each.bets)
        front.write(row, 2, float(each.covariance), styles["signed"])
        front.write(row, 3, each.correlation, styles["signed"])
        front.write(row, 4, "exact" if each.standard_error is None else f"simulated {each.strategy_id}".strip())
        if each.standard_error is not None:
            front.write(row, 5, each.standard_error, styles["figure"])
        row += 1
    for place, pair in enumerate(found.uncounted, start=row):
        front.write(place, 0, f"{' and '.join(pair.bets)}: covariance not counted, because {pair.reason}")


def _write_section(sheet: Any, section: Section, styles: Mapping[str, Any]) -> None:
    """Write a section as text: rules, strategy, options, claims, method."""
    sheet.set_column(0, 0, 44)
    sheet.set_column(1, 7, 22)
    for row, (cells, style) in enumerate(_iter_rows(section)):
        sheet.write_row(row, 0, cells, styles[style] if style else None)


def _iter_rows(section: Section) -> Iterator[tuple[tuple[str, ...], str]]:
    yield (section.title,), "title"
    for block in section.blocks:
        match block:
            case TextBlock(text=text):
                yield (strip_marks(text),), ""
            case ListBlock(items=items):
                for item in items:
                    yield (f"- {strip_marks(item)}",), ""
            case TableBlock(title=title, headings=headings, rows=rows):
                yield (title,), "bold"
                yield headings, "head"
                for row in rows:
                    yield row, ""
            case _:
                continue
        yield ("",), ""
    for part in section.subsections:
        yield from _iter_rows(part)
