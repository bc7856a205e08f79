"""A game's report taken home from its PAR sheet in a real browser: each file opens, and holds the figure of the page.

The counts are known beforehand, so that nothing has to be counted.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.jobs.page_jobs import build_report_job, build_sheet_job
from pitboss.web.jobs.queue import JobClient, JobPriority
from pitboss.web.jobs.spec import FILES, JobSpec
from pitboss.web.registry import TableRegistry
from reports.conftest import made
from reports.spreadsheet import Spreadsheet
from web.browsing import PATIENCE
from web.casino import CHROMIUM, NO_BROWSER
from web.chores import hold
from web.served import answering, unlimited

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

GAME, BET, TABLE = "six-card", "aces-up", "SCP-01-edited"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRegistry]:
    """A floor on which a sheet and its game's report have been counted."""
    folder = tmp_path_factory.mktemp("downloads")
    tables = TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key")
    found, report = TableRegistry(tables, limits=unlimited()), made(GAME)
    sheet = next(each for each in report.sheets if each.wager.id == BET)
    found.jobs.store_result(build_sheet_job(report.game, sheet.wager, report.terms), sheet)
    found.jobs.store_result(build_report_job(report.game, report.terms), report)
    yield found
    found.close()


@pytest.fixture(scope="module")
def page(browser: Browser, floor: TableRegistry) -> Iterator[Page]:
    """The page of a PAR sheet on which a pay has been edited."""
    with answering(create_app(None, floor)) as address:
        context = browser.new_context(base_url=address, accept_downloads=True)
        context.set_default_timeout(PATIENCE)
        opened = context.new_page()
        opened.goto(f"/par?game={GAME}&bet={BET}")
        expect(opened.locator("#sheet")).to_contain_text("House edge")
        opened.get_by_label("Flush", exact=True).fill("9")
        expect(opened.locator("#sheet")).to_contain_text(TABLE)
        yield opened
        context.close()


def of_csv(file: Path) -> float:
    """Return the edge that a CSV holds."""
    with file.open(newline="", encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if (row["bet"], row["name"]) == (BET, "house_edge")]
    return 100 * float(rows[0]["value"])


def of_json(file: Path) -> float:
    """Return the edge that a JSON document holds."""
    sheets = json.loads(file.read_text(encoding="utf-8"))["sheets"]
    return 100 * float(next(each for each in sheets if each["bet"] == BET)["house_edge"])


def of_xlsx(file: Path) -> float:
    """Return the edge that a workbook's formulas come to."""
    return 100 * float(Spreadsheet(file.read_bytes()).labelled(BET, "House edge"))


@pytest.mark.more
@pytest.mark.in_turn("kind")
@pytest.mark.parametrize(("kind", "edge_in"), [("csv", of_csv), ("json", of_json), ("xlsx", of_xlsx)])
def test_a_file_holds_the_edge_that_the_page_shows(
    kind: str, edge_in: Callable[[Path], float], page: Page, tmp_path: Path
) -> None:
    shown = page.locator("#sheet tr", has_text="House edge").locator("td").first.inner_text().rstrip("%")
    assert edge_in(taken_home(page, kind, tmp_path)) == pytest.approx(float(shown), abs=10 ** -len(shown.split(".")[1]))


@pytest.mark.more
def test_a_pdf_shows_the_edge_in_the_pages_own_words(page: Page, tmp_path: Path) -> None:
    shown = page.locator("#sheet tr", has_text="House edge").locator("td").first.inner_text()
    text = "\n".join(each.extract_text() for each in PdfReader(taken_home(page, "pdf", tmp_path)).pages)
    assert shown in text
    assert "Aces Up" in text


def test_the_address_keeps_the_pays_for_a_reload_and_for_a_link(page: Page) -> None:
    expect(page).to_have_url(re.compile(r"&pay-flush=9$"))
    page.get_by_role("checkbox", name="SCP-02").check()
    expect(page).to_have_url(re.compile(r"&beside=SCP-02&(.*&)?pay-flush=9$"))
    page.reload()
    heads = page.locator("#sheet table").first.get_by_role("columnheader")
    expect(heads).to_have_text(["Figure", TABLE, "SCP-02"])
    page.get_by_role("checkbox", name="SCP-02").uncheck()
    expect(heads).to_have_text(["Figure", TABLE, "Note"])


def test_a_file_says_that_it_is_being_made_and_why_that_takes_long(
    page: Page, floor: TableRegistry, tmp_path: Path
) -> None:
    page.get_by_label("Rounds per hour").fill("50")  # so that it was not written before
    release = tmp_path / "release"
    other = JobClient("somebody else", "203.0.113.9")
    floor.jobs.submit(other, JobSpec(FILES, "somebody else's file", hold, (str(release),)), JobPriority.FILE)
    try:
        page.get_by_role("button", name="Markdown", exact=True).click()
        said = page.get_by_role("status")
        expect(said).to_contain_text("Markdown is being prepared …")
        page.get_by_role("button", name="CSV", exact=True).click()
        expect(said).to_contain_text("CSV is being prepared")
        title = page.title()
        page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    finally:
        release.touch()
    expect(said).to_contain_text("Markdown is ready")
    expect(said).to_contain_text("CSV is ready")  # each file has its own line
    expect(page).to_have_title(re.compile(" is ready · "))  # for somebody who looks at another tab
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page).to_have_title(title)
    page.get_by_label("Flush", exact=True).fill("9000000")
    page.get_by_role("button", name="Markdown", exact=True).click()
    expect(said.locator("p").last).to_have_text(
        "Flush: line 'flush' pays 9000000: at most 1,000,000, so that cents fit in 64 bits."
    )
    page.get_by_label("Flush", exact=True).fill("9")


def taken_home(page: Page, kind: str, folder: Path) -> Path:
    """Return the file of a format that the page gives."""
    with page.expect_download() as download:
        page.get_by_role("button", name=kind.upper(), exact=True).click()
    assert download.value.suggested_filename == f"{GAME}.{kind}"
    download.value.save_as(folder / download.value.suggested_filename)
    return folder / download.value.suggested_filename
