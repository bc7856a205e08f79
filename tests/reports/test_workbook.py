"""The workbook's formulas reckon what the report says, exactly, and follow a pay that is changed."""

from fractions import Fraction
from itertools import takewhile

import pytest

from conformance.drawing import each_game
from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.par_sheet import ParSheet, build_par_sheet
from pitboss.builders import display_name
from pitboss.contract import Game, PayUnit
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.bet_sheet import MAX_DIGITS
from pitboss.reports.paytable_editing import edit_paytable
from pitboss.reports.report import GameReport
from pitboss.reports.workbook import render_workbook
from reports.conftest import made
from reports.spreadsheet import Spreadsheet

PAID_BY_STAKE = {PayUnit.TO_ONE, PayUnit.FOR_ONE, PayUnit.DOLLARS}
FIGURES = {
    "Expected value": "expected_value",
    "House edge": "house_edge",
    "Hit frequency": "hit_frequency",
    "Variance": "variance",
}


@pytest.fixture(scope="module")
def six(six_card: GameReport) -> Spreadsheet:
    return Spreadsheet(render_workbook([six_card]))


@pytest.fixture(scope="module")
def wild(wild_six: GameReport) -> Spreadsheet:
    return Spreadsheet(render_workbook([wild_six]))


def reckons(book: Spreadsheet, sheet: ParSheet, name: str = "") -> None:
    """Check every figure of a bet: exactly where its counts are numbers, else to 14 digits."""
    name = name or sheet.wager.id
    whole = len(str(sheet.deals)) <= MAX_DIGITS
    for label, figure in FIGURES.items():
        found, exact = book.labelled(name, label), getattr(sheet, figure)
        assert found == exact if whole else float(found) == pytest.approx(float(exact), rel=1e-12), label
    assert book.labelled(name, "Standard deviation") == pytest.approx(sheet.standard_deviation, rel=1e-12)


@pytest.mark.parametrize("bet", ["main", "aces-up", "bad-beat", "progressive"])
def test_formulas_of_six_card_reckon_the_exact_figures(bet: str, six: Spreadsheet, six_card: GameReport) -> None:
    reckons(six, next(sheet for sheet in six_card.sheets if sheet.wager.id == bet))


@pytest.mark.parametrize("bet", ["main", "queens-or-better", "taxpayers-fortune", "draw-bonus"])
def test_formulas_of_wild_six_reckon_the_exact_figures(bet: str, wild: Spreadsheet, wild_six: GameReport) -> None:
    reckons(wild, next(sheet for sheet in wild_six.sheets if sheet.wager.id == bet))


def test_every_cell_keeps_what_its_formula_comes_to(six: Spreadsheet, wild: Spreadsheet) -> None:
    checked = 0
    for book in (six, wild):
        for sheet in book.book.worksheets:
            for cell in (cell for row in sheet.iter_rows() for cell in row):
                if isinstance(cell.value, str) and cell.value.startswith("="):
                    kept = book.kept[sheet.title][cell.coordinate].value
                    found = float(book.value(sheet.title, cell.coordinate))
                    assert kept == pytest.approx(found, rel=1e-12, abs=1e-13), (sheet.title, cell.coordinate)
                    checked += 1
    assert checked > 400


def test_counts_of_any_size_stand_there_to_the_last_digit(six: Spreadsheet, six_card: GameReport) -> None:
    assert len(str(six_card.sheets[0].deals)) > MAX_DIGITS
    for sheet in six_card.sheets:
        for line in sheet.lines:
            places = [place for place in (1, 2) if _row_of(six, sheet, line.outcome.name, place)]
            cell = _row_of(six, sheet, line.outcome.name, places[-1])
            assert int(six.book[sheet.wager.id][cell].value) == line.deals


def _row_of(book: Spreadsheet, sheet: ParSheet, outcome: str, nth: int) -> str:
    """Return the cell of an outcome's count: the second row of its name where a pay has that name too."""
    try:
        return book.find(sheet.wager.id, display_name(outcome), column=5, nth=nth)
    except IndexError:
        return ""


@pytest.mark.parametrize(("line", "pay"), [("flush", "9"), ("straight", "15:2"), ("royal-flush", "0")])
def test_a_pay_that_is_changed_changes_every_figure(line: str, pay: str, six_card: GameReport) -> None:
    sheet = six_card.sheets[1]
    table = edit_paytable(six_card.game, sheet.paytables[0], {line: pay})
    book = Spreadsheet(render_workbook([six_card]))
    book.set("aces-up", book.find("aces-up", display_name(line)), float(table.lines[line].amount))
    changed = reprice_sheet(sheet, {"aces-up": table})
    assert changed.house_edge != sheet.house_edge
    reckons(book, changed)
    assert book.value("Summary", "C7") == changed.house_edge


def test_a_tax_or_a_pay_in_dollars_changes_the_hold(wild_six: GameReport) -> None:
    sheet = next(sheet for sheet in wild_six.sheets if sheet.wager.id == "taxpayers-fortune")
    assert {pay.unit for pay in sheet.paytables[0].lines.values()} == {PayUnit.DOLLARS}
    book = Spreadsheet(render_workbook([wild_six]))
    assert book.labelled("taxpayers-fortune", "Hold, of the tax") == sheet.extras["hold"]
    book.set("taxpayers-fortune", book.find("taxpayers-fortune", "tax on two pair"), 3)
    changed = reprice_sheet(
        sheet, {"taxpayers-fortune": edit_paytable(wild_six.game, sheet.paytables[0], {"tax-two-pair": "3"})}
    )
    reckons(book, changed)
    assert book.labelled("taxpayers-fortune", "Hold, of the tax") == changed.extras["hold"]
    assert book.labelled("taxpayers-fortune", "Expected tax") == changed.extras["expected_tax_dollars"]


@pytest.mark.parametrize("rounding", ["cent", "dollar"])
def test_the_meter_and_its_percentages_are_reckoned_as_awards_are(rounding: str, six_card: GameReport) -> None:
    sheet = six_card.sheets[-1]
    options = {**sheet.options, "award_rounding": rounding}
    chosen = {"progressive": edit_paytable(six_card.game, sheet.paytables[0], {"straight-flush": "15"})}
    changed = reprice_sheet(_under(sheet, options), chosen, meter_cents=1_234_567)
    report = _only(six_card, _under(sheet, options))
    book = Spreadsheet(render_workbook([report]))
    book.set("progressive", book.find("progressive", "Meter"), 12345.67)
    book.set("progressive", book.find("progressive", "straight flush"), 15)
    reckons(book, changed)
    for label, name in (
        ("Fixed awards return", "fixed_return"),
        ("A meter dollar returns", "meter_return_per_dollar"),
        ("Break-even meter", "break_even_meter"),
        ("Reseeding costs", "reseed_cost"),
        ("Long-run house edge", "long_run_house_edge"),
    ):
        assert book.labelled("progressive", label) == changed.extras[name]


def test_what_the_house_wins_follows_pace_and_bet(six_card: GameReport) -> None:
    book = Spreadsheet(render_workbook([six_card]))
    book.set("Summary", "B3", 60)
    book.set("Summary", "H7", 40)
    assert book.value("Summary", "I7") == six_card.sheets[1].house_edge * 2_400


def test_several_games_share_a_workbook(six_card: GameReport, wild_six: GameReport) -> None:
    book = Spreadsheet(render_workbook([six_card, wild_six]))
    names = book.book.sheetnames
    assert len(names) == len(set(names)) == 12
    reckons(book, wild_six.sheets[1], "wild-six-card queens-or-better")


def test_a_pay_that_is_a_ratio_is_kept_exactly() -> None:
    report = made("six-card")
    sheet = report.sheets[1]
    table = edit_paytable(report.game, sheet.paytables[0], {"flush": "22:25"})
    book = Spreadsheet(render_workbook([_only(report, reprice_sheet(sheet, {"aces-up": table}))]))
    assert book.labelled("aces-up", "flush") == Fraction(22, 25)


def _under(sheet: ParSheet, options: dict[str, str]) -> ParSheet:
    return ParSheet(sheet.game, sheet.wager, sheet.paytables, options, sheet.lines, sheet.extras)


def _only(report: GameReport, sheet: ParSheet) -> GameReport:
    return GameReport(report.game, report.terms, (sheet,), report.assumptions)


@each_game
def test_every_wager_of_every_game_is_reckoned_under_other_pays(game: Game) -> None:
    chosen = select_paytables(game)
    options = resolve_options(game, {})
    wagers = [*game.wagers, *game.main_parts]
    sheets = tuple(build_par_sheet(game, wager, chosen, options, range(1, len(wager.outcomes) + 1)) for wager in wagers)
    book = Spreadsheet(render_workbook([GameReport(game, GameTerms(chosen, options), sheets)]))
    for sheet in sheets:
        reckons(book, sheet)
        changed = dict(chosen)
        for table in sheet.paytables:
            raised = {line: str(pay.amount + 1) for line, pay in table.lines.items() if pay.unit in PAID_BY_STAKE}
            changed[table.kind] = edit_paytable(game, table, raised)
            for line, pay in changed[table.kind].lines.items():
                cell = book.find(sheet.wager.id, display_name(line), nth=1 + _before(sheet, table.kind, line))
                book.set(sheet.wager.id, cell, int(pay.amount))
        reckons(book, reprice_sheet(sheet, changed))


def _before(sheet: ParSheet, kind: str, line: str) -> int:
    """Return how many tables that stand above one of a kind have a line of this name too."""
    above = takewhile(lambda table: table.kind != kind, sheet.paytables)
    return sum(line in table.lines for table in above)
