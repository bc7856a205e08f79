"""The page *Design* over HTTP: the tables that a form asks for, as a page, as a part of it and as files."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

from clients import open_client
from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.tuning import build_tuning_grid, search_grid
from pitboss.analysis.tuning_report import TuningReport
from pitboss.core.progress import ignore_progress
from pitboss.paytables import parse_paytables
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.jobs.page_jobs import build_tuning_job
from pitboss.web.jobs.queue import JobClient, JobPriority
from pitboss.web.jobs.spec import RATIONS, TUNED, JobSpec
from pitboss.web.pages.design import DesignQuery, parse_design_query
from pitboss.web.registry import TableRegistry
from reports.conftest import made
from web.chores import hold
from web.served import answering, counted, said, unlimited

GAME, BET = "six-card", "aces-up"
ASKED = {"game": GAME, "bet": BET, "edge": "3%..3.5%", "vary-flush": "6..9", "vary-full-house": "7..12"}


class _Asked:
    """A request with these fields, for the page's own reader of queries."""

    def __init__(self, fields: dict[str, str]) -> None:
        self.query_params = fields


def read_query(fields: dict[str, str]) -> DesignQuery:
    request: Any = _Asked(fields)
    return parse_design_query(request, GAME, BET)


@pytest.fixture(scope="module")
def report() -> TuningReport:
    """What the form asks for, from a sheet that is known."""
    query, known = read_query(ASKED), made(GAME)
    sheet = next(each for each in known.sheets if each.wager.id == BET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pitboss.analysis.tuning.compute_par_sheet", lambda *_arguments: sheet)
        grid = build_tuning_grid(query.game, query.wager, query.terms, query.build_request(), ignore_progress)
    return search_grid(grid, query.terms, query.build_request(), ignore_progress)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory, report: TuningReport) -> Iterator[TableRegistry]:
    """A floor on which one search has ended."""
    folder = tmp_path_factory.mktemp("design")
    found = TableRegistry(TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key"), limits=unlimited())
    query = read_query(ASKED)
    job = build_tuning_job(query.game, query.wager, query.terms, query.build_request())
    curves = {("aces-up", "flush"): ((report.present.pays["flush"], report.present.house_edge),) * 2}
    found.jobs.store_result(job, (report, curves))
    yield found
    found.close()


@pytest.fixture(scope="module")
def web(floor: TableRegistry) -> Iterator[httpx.Client]:
    """Somebody who designs."""
    with (
        answering(create_app(None, floor)) as address,
        open_client(address) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/design", "/design/tables"])
def test_the_tables_stand_side_by_side_with_the_present_one(web: httpx.Client, path: str) -> None:
    answer = counted(web, path, ASKED)
    assert answer.status_code == 200
    assert "2 tables." in answer.text
    (flush,) = re.findall(r"<tr><th scope=\"row\">Flush</th>(.*?)</tr>", answer.text)
    assert re.findall(r">(\d+)<", flush) == ["8", "7", "8"]
    assert "<mark>7</mark>" in flush
    assert answer.text.count('<svg viewBox="0 0 400') == 1
    assert ("<html" in answer.text) == (path == "/design")


def test_each_table_opens_as_a_sheet_and_as_a_file(web: httpx.Client, report: TuningReport) -> None:
    page = counted(web, "/design", ASKED).text
    sheets = [unescape(each) for each in re.findall(r'<a href="(/par[^"]*)" aria-label="PAR sheet of table', page)]
    assert [re.findall(r"pay-[^&]*", each) for each in sheets] == [["pay-flush=7"], ["pay-full-house=8"]]
    assert web.get(sheets[0]).status_code == 200
    files = [unescape(each) for each in re.findall(r'href="(/design/table.toml[^"]*)"', page)]
    assert len(files) == 3
    for address, table in zip(files, (report.present, *report.tables), strict=True):
        document = tomllib.loads(web.get(address).text)
        (read,) = parse_paytables(document, find_game(), "file")
        assert read.lines == table.paytables[0].lines


def find_game() -> Any:
    return read_query(ASKED).game


def test_a_search_that_goes_on_asks_again_with_and_without_a_script(
    floor: TableRegistry, web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pitboss.web.jobs.requests.WAIT_SECONDS", "pitboss.web.jobs.queue.PATIENCE_SECONDS"):
        monkeypatch.setattr(name, 0.05)
    release = tmp_path / "release"
    floor.jobs.submit(JobClient("x", "x"), JobSpec(TUNED, "held", hold, (str(release),)), JobPriority.SHEET)
    try:
        asked = {**ASKED, "edge": "1%..2%"}
        part, page = web.get("/design/tables", params=asked), web.get("/design", params=asked)
        assert (part.status_code, part.headers["Retry-After"], page.status_code) == (202, "2", 200)
        for answer in (part, page):
            assert 'hx-get="/design/tables"' in answer.text
            assert '<noscript><meta http-equiv="refresh"' in answer.text
        assert said(web.get("/design/table.toml", params=asked)) == (429, "still searching: try again in 2 s")
        monkeypatch.setitem(RATIONS, TUNED.lane.name, RATIONS[TUNED.lane.name]._replace(guest=0))
        refused = web.get("/design/tables", params=asked)
        assert (refused.status_code, "0 calculations are already waiting for you" in refused.text) == (429, True)
    finally:
        release.touch()


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"edge": "soon"}, "House edge is 'soon': write a range like 4.0%..4.2%"),
        ({"deviation": "5..4"}, "Standard deviation is '5..4', an empty range"),
        ({"vary-flush": "much"}, "'much' is not a range of pays of 'flush': write a range"),
        ({"ladder": "5 16:0"}, "Pays to choose from: '16:0' is not a pay of a ladder"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_line(web: httpx.Client, asked: dict[str, str], problem: str) -> None:
    answer = web.get("/design/tables", params={**ASKED, **asked})
    assert answer.status_code == 409
    assert problem in unescape(answer.text)


def test_only_pays_of_the_ladder_are_chosen(web: httpx.Client) -> None:
    found = unescape(counted(web, "/design/tables", {**ASKED, "ladder": "6 7"}).text)
    assert "One table." in found
    assert "ladder=6+7" in found  # in the links to its files


def test_searches_that_differ_in_anything_are_told_apart() -> None:
    query = read_query(ASKED)
    request = query.build_request()
    others: dict[str, Any] = {
        "targets": request.targets._replace(hit=FigureRange(Fraction(0), Fraction(1))),
        "vary": {},
        "changes": request.changes + 1,
        "ladder": request.ladder[1:],
        "any_order": not request.any_order,
        "limit": request.limit + 1,
        "exact": not request.exact,
        "between_hours": FigureRange(Fraction(1), Fraction(2)),
        "wagers_per_hour": request.wagers_per_hour + 1,
    }
    assert [each.name for each in fields(request)] == list(others)
    keys = {
        build_tuning_job(query.game, query.wager, query.terms, replace(request, **{name: other})).key
        for name, other in others.items()
    }
    assert len(keys | {build_tuning_job(query.game, query.wager, query.terms, request).key}) == 1 + len(others)


def test_without_an_edge_the_page_asks_for_one(web: httpx.Client) -> None:
    assert "Enter the house edge you want" in web.get("/design").text
    assert said(web.get("/design/table.toml"))[0] == 404
    assert said(web.get("/design/table.toml", params={**ASKED, "number": "9"})) == (
        404,
        "there is no table 9 here: 2 were found",
    )


def test_names_that_are_nowhere_are_refused_and_those_of_another_game_are_not(web: httpx.Client) -> None:
    for query in ("game=zzz", "bet=zzz", "paytable=zzz"):
        status, line = said(web.get(f"/design?{query}"))
        assert (status, "zzz" in line) == (404, True)
    assert web.get(f"/design?game=lunar&bet={BET}&paytable=SCP-02&vary-flush=3").status_code == 200
