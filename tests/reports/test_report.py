"""A report says the same in every format, whole, and nothing that is not known."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pypdf
import pytest

from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.par_sheet import ParSheet
from pitboss.core.errors import PayTableError, ReportError, UnknownNameError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.document import ListBlock, Section, TableBlock, TextBlock, parse_markdown
from pitboss.reports.formats import REPORT_FORMATS, choose_format, combine_pages, render_reports, save_reports
from pitboss.reports.paytable_editing import edit_paytable
from pitboss.reports.pdf import render_pdf
from pitboss.reports.report import GameReport, make_report, reprice_report
from pitboss.reports.sheet_csv import CSV_COLUMNS
from refusals import refusal
from reports.conftest import make_leaks

VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Page(HTMLParser):
    """Reads a page: every element closed in its turn, no id twice, links and cells remembered."""

    def __init__(self, text: str) -> None:
        """Read all of it."""
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element."""
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in {"href", "src", "srcset", "xlink:href", "action", "data", "poster"}:
                self.links.append(value or "")
        if tag not in VOID:
            self.open.append(tag)
        if tag in {"td", "th"}:
            self.cells.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element that closes itself."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Check that what is closed is what was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Remember what a cell says."""
        if self.open and self.open[-1] in {"td", "th"}:
            self.cells[-1] += data


def rows_of(section: Section) -> list[tuple[str, ...]]:
    """Return every row of every table of a page."""
    own = [row for block in section.blocks if isinstance(block, TableBlock) for row in block.rows]
    return own + [row for part in section.subsections for row in rows_of(part)]


@pytest.fixture(scope="module")
def html(six_card: GameReport) -> str:
    return render_reports([six_card], "html").decode()


@pytest.fixture(scope="module")
def data(six_card: GameReport) -> dict[str, object]:
    return dict(json.loads(render_reports([six_card], "json")))


@pytest.mark.more
def test_the_page_is_well_formed_and_needs_nothing_else(html: str) -> None:
    page = Page(html)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert not page.tags & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"@import|url\((?!#)", html)


@pytest.mark.more
def test_the_page_has_every_cell_and_a_chart_of_every_bet(html: str, six_card: GameReport) -> None:
    cells = set(Page(html).cells)
    assert {cell for row in rows_of(combine_pages([six_card])) for cell in row} <= cells
    assert html.count("<svg") == 2 * len(six_card.sheets) + 2  # nets, contributions; a meter; a session


@pytest.mark.more
def test_the_pdf_has_every_figure_on_numbered_pages(six_card: GameReport) -> None:
    content = render_reports([six_card], "pdf")
    pages = pypdf.PdfReader(io.BytesIO(content)).pages
    texts = [page.extract_text() for page in pages]
    said = "".join("".join(texts).split())
    missing = [cell for row in rows_of(combine_pages([six_card])) for cell in row if "".join(cell.split()) not in said]
    assert missing == []
    assert all(str(number) in text.split() for number, text in enumerate(texts, start=1))
    assert sum(len(page.images) for page in pages) == 2 * len(six_card.sheets) + 2


@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", ["html", "pdf", "md", "csv", "json"])
def test_the_same_report_makes_the_same_bytes(name: str, six_card: GameReport) -> None:
    short = GameReport(six_card.game, six_card.terms, six_card.sheets[1:2])
    assert render_reports([short], name) == render_reports([short], name)


def test_a_long_table_repeats_its_heading_and_a_wide_one_is_not_cut() -> None:
    long = TableBlock("Long", ("Heading", "Figure"), "lr", tuple((f"row {row}", f"{row:,}") for row in range(150)))
    wide = TableBlock(
        "Wide", tuple(f"H{n}" for n in range(12)), "l" + "r" * 11, (tuple(f"{10**12 + n:,}" for n in range(12)),)
    )
    pages = pypdf.PdfReader(io.BytesIO(render_pdf(Section("T", (long, wide))))).pages
    texts = [page.extract_text() for page in pages]
    assert len(texts) >= 3
    assert all("Heading" in text for text in texts[:-1])
    said = "".join("".join(texts).split())
    assert all(f"{10**12 + n:,}" in said for n in range(12))


def test_letters_outside_latin_are_printed() -> None:
    content = render_pdf(Section("Łódź", (TextBlock("**żółć** 東"), ListBlock(("ą",)))))
    assert "Łódź" in pypdf.PdfReader(io.BytesIO(content)).pages[0].extract_text()


def test_markdown_has_the_figures_of_the_json(six_card: GameReport, data: dict[str, object]) -> None:
    text = render_reports([six_card], "md").decode()
    tables = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    outcomes = [row for row in tables if len(row) == 7 and row[-1][:1] in "+-" and "%" not in row[2]]
    sheets = data["sheets"]
    assert isinstance(sheets, list)
    known = [outcome for sheet in sheets for outcome in sheet["outcomes"]]
    for row, outcome in zip((row for row in outcomes if row[0] != "---"), known, strict=True):
        assert row[3] == f"{outcome['deals']:,}"
        assert float(row[4]) == pytest.approx(outcome["probability"], rel=1e-4, abs=6e-11)
        assert float(row[6]) == pytest.approx(outcome["contribution"], abs=6e-9)
    for sheet in sheets:
        assert ["House edge", f"{sheet['house_edge']:.4%}"] in [row[:2] for row in tables]


def test_json_has_the_names_of_par(six_card: GameReport, data: dict[str, object]) -> None:
    sheets = data["sheets"]
    assert isinstance(sheets, list)
    for sheet, found in zip(six_card.sheets, sheets, strict=True):
        assert sheet.as_json().items() <= found.items()
    assert {"game", "not_counted", "sheets", "covariance", "best", "strategies", "option_effects", "session"} <= set(
        data
    )
    others = data["other_paytables"]
    assert isinstance(others, dict)
    assert [each["paytable"] for each in others["aces-up"]] == ["SCP-02", "SCP-03", "SCP-04"]


def test_csv_comes_back_as_the_exact_figures(six_card: GameReport, wild_six: GameReport) -> None:
    rows = list(csv.DictReader(io.StringIO(render_reports([six_card, wild_six], "csv").decode())))
    assert tuple(rows[0]) == CSV_COLUMNS
    for report in (six_card, wild_six):
        for sheet in report.sheets:
            mine = [row for row in rows if (row["game"], row["bet"]) == (report.game.id, sheet.wager.id)]
            outcomes = [row for row in mine if row["record"] == "outcome"]
            assert [int(row["deals"]) for row in outcomes] == [line.deals for line in sheet.lines]
            assert [Fraction(row["net"]) for row in outcomes] == [line.net for line in sheet.lines]
            figures = {
                row["name"]: Fraction(row["exact"]) for row in mine if row["record"] == "figure" and row["exact"]
            }
            assert figures["house_edge"] == sheet.house_edge
            assert figures["variance"] == sheet.variance
    plays = {row["name"]: row for row in rows if row["record"] == "play"}
    assert Fraction(plays["best"]["exact"]) == wild_six.sheets[0].house_edge


def test_what_is_not_found_is_said_to_be_so(six_card: GameReport) -> None:
    said = render_reports([six_card], "md").decode()
    assert "main with dealer_qualifies: always, ace-king" in said
    alone = render_reports([replace(six_card, strategy_costs=(), session=None, covariance_report=None)], "md").decode()
    assert "Its cost takes long to compute" in alone
    assert "Covariances and correlations" not in alone


def test_a_game_without_a_solver_has_the_sheets_it_can_have() -> None:
    game = replace(load_game("shifting-wilds"), solver="")
    found = GameReport(
        game, GameTerms(select_paytables(game), resolve_options(game, {})), (), not_counted={"main": "has no solver"}
    )
    said = render_reports([found], "md").decode()
    assert "main: no exact sheet, it has no solver." in said
    assert all(render_reports([found], name) for name in REPORT_FORMATS)


def test_other_pays_are_priced_at_once_on_the_same_deals(six_card: GameReport) -> None:
    sheet = six_card.sheets[1]
    chosen = {
        **six_card.terms.paytables,
        "aces-up": edit_paytable(six_card.game, sheet.paytables[0], {"flush": "10"}, "mine"),
    }
    again = reprice_report(six_card, chosen)
    assert again.sheets[1].house_edge == sheet.house_edge - 2 * sheet.lines[4].probability
    assert again.sheets[0].extras == six_card.sheets[0].extras
    assert again.remark == ""
    assert [each.paytables[0].id for each in again.other_paytables["aces-up"]] == [
        "SCP-01",
        "SCP-02",
        "SCP-03",
        "SCP-04",
    ]
    assert "mine" in render_reports([again], "md").decode()
    assert reprice_sheet(sheet, six_card.terms.paytables) == sheet


def told(report: GameReport, kind: str) -> list[str]:
    """Return every text of a report in a format."""
    file = render_reports([report], kind)
    if kind == "pdf":
        return [" ".join(page.extract_text().split()) for page in pypdf.PdfReader(io.BytesIO(file)).pages]
    if kind == "xlsx":
        with zipfile.ZipFile(io.BytesIO(file)) as book:
            return re.findall(r"<t[^>]*>(.*?)</t>", book.read("xl/sharedStrings.xml").decode())
    return unescape(file.decode()).splitlines()


@pytest.mark.more
@pytest.mark.in_turn("kind")
@pytest.mark.parametrize("kind", REPORT_FORMATS)
def test_what_the_sheet_claims_of_a_table_is_not_said_of_it_once_edited(six_card: GameReport, kind: str) -> None:
    printed = six_card.sheets[1].paytables[0]
    own = edit_paytable(six_card.game, printed, {"flush": "9", "straight": "7"})
    assert (printed.claim, own.claim) == ("expected hold 20%", "")
    assert own.source.endswith("column SCP-01): flush 9 to 1, was 8 to 1")
    again = reprice_report(six_card, {**six_card.terms.paytables, "aces-up": own})
    assert "sheet_hold" not in again.sheets[1].extras
    said = told(again, kind)
    assert any("edited from SCP-01 (sheet, table under rule 15" in line for line in said) or kind == "csv"
    of_own = [said_then for line in said for said_then in line.split("SCP-01-edited")[1:]]
    assert of_own
    assert not any(re.match(r"\W*(is printed|as printed|the sheet says|expected hold)", each) for each in of_own)
    assert not any("printed: expected hold" in line and "SCP-01-edited" in line.split("SCP-02")[0] for line in said)


def test_a_table_with_the_same_pays_keeps_its_source_and_claim(six_card: GameReport) -> None:
    printed = six_card.sheets[1].paytables[0]
    same = edit_paytable(six_card.game, printed, {"flush": "8"})
    assert (same.source, same.claim) == (printed.source, printed.claim)


def test_a_main_that_is_paid_otherwise_is_marked_as_played_as_before() -> None:
    game = load_game("lunar")
    chosen = select_paytables(game)
    terms = GameTerms(chosen, resolve_options(game, {}))
    again = reprice_report(
        GameReport(game, terms, ()), {**chosen, "bet": edit_paytable(game, chosen["bet"], {"flush": "6"})}
    )
    assert "BET-1" in again.remark


@pytest.mark.parametrize("pays", [{"flash": "9"}, {"flush": "-1"}, {"flush": "1:7"}])
def test_a_pay_that_cannot_be_is_refused(pays: dict[str, str]) -> None:
    game = load_game("six-card")
    with pytest.raises(PayTableError):
        edit_paytable(game, select_paytables(game)["aces-up"], pays)


def test_the_house_wins_by_edge_bet_and_pace(six_card: GameReport) -> None:
    main, *_, progressive = six_card.sheets
    assert six_card.compute_house_win_cents(main) == main.house_edge * 2_500 * 40
    assert six_card.compute_house_win_cents(progressive) == progressive.house_edge * 100 * 40


def test_a_readme_is_read_as_it_is_written() -> None:
    text = "A *word*\nmore:\n- one\n  two\n- three\n\n| a | b |\n|---|---|\n| `c` | d |\n\n1. x\n2. y\n"
    words, items, table, numbered = parse_markdown(text)
    assert words == TextBlock("A *word* more:")
    assert items == ListBlock(("one two", "three"))
    assert table == TableBlock("", ("a", "b"), "ll", (("c", "d"),))
    assert numbered == ListBlock(("x", "y"), numbered=True)


def test_the_format_is_the_one_named_or_the_files() -> None:
    assert choose_format(Path("a.PDF")) == "pdf"
    assert choose_format(Path("a.pdf"), "md") == "md"
    with pytest.raises(UnknownNameError, check=refusal("unknown-format", kind="format", name="odt", closest=None)):
        choose_format(Path("a.odt"), "odt")
    with pytest.raises(ReportError, check=refusal("unknown-format")):
        choose_format(Path("report"))


def test_leaks_are_a_section_and_in_the_data_if_they_were_measured(six_card: GameReport) -> None:
    measured = replace(six_card, protection=make_leaks())
    page = render_reports([measured], "md").decode()
    assert page.index("## What a leak is worth") < page.index("dealer-2") < page.index("dealer-1")
    assert all(figure in page for figure in ("50.0000%", "25.0000%", "Detect dealer-1.", "nested"))
    data = json.loads(render_reports([measured], "json"))
    assert data["protection"] == make_leaks().to_dict()
    assert "leak is worth" not in render_reports([six_card], "md").decode()


def test_without_what_writes_it_a_format_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.reports.formats.find_spec", lambda _name: None)
    with pytest.raises(ReportError, check=refusal("not-installed", chosen="xlsx")):
        choose_format(Path("a.xlsx"))
    assert choose_format(Path("a.csv")) == "csv"


def test_a_file_is_replaced_whole(six_card: GameReport, tmp_path: Path) -> None:
    path = tmp_path / "six.json"
    path.write_text("old")
    save_reports([six_card], "json", path)
    assert json.loads(path.read_text())["game"] == "six-card"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_named(six_card: GameReport, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    missing = tmp_path / "none" / "six.json", tmp_path / "file" / "six.json"
    for path, code in ((tmp_path, "is-a-folder"), *((each, "no-such-folder") for each in missing)):
        with pytest.raises(ReportError, check=refusal(code)):
            save_reports([six_card], "json", path)


def sheet_named(report: GameReport, bet: str) -> ParSheet:
    """Return the sheet of a bet."""
    return next(sheet for sheet in report.sheets if sheet.wager.id == bet)


@pytest.mark.compiled
def test_a_report_is_found_from_nothing() -> None:
    from contextlib import nullcontext

    game = replace(load_game("shifting-wilds"), solver="")
    terms = GameTerms(select_paytables(game), resolve_options(game, {}))
    found = make_report(game, terms, lambda _what: nullcontext(ignore_progress))
    assert sheet_named(found, "blackjack-bonus").deals == 270_725
    assert set(found.not_counted) == {"main", "regular-bonus", "bad-beat"}
    assert (found.effects, found.strategy_costs, found.session) == ((), (), None)
