"""PAR sheets over HTTP: what waits for what, what an address asks for, and what is refused."""

import asyncio
import re
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from html import unescape
from itertools import count
from pathlib import Path

import httpx
import pytest
from fastapi.responses import HTMLResponse

from clients import open_client
from pitboss.analysis.hold import PlayerModel
from pitboss.analysis.option_effects import compute_option_effects
from pitboss.analysis.par_sheet import ParSheet
from pitboss.builders import capitalize_first, display_value
from pitboss.games import load_game
from pitboss.paytable_toml import format_paytables
from pitboss.paytables import parse_paytables, select_paytables
from pitboss.reports.comparison_tables import make_option_table
from pitboss.reports.formats import render_reports
from pitboss.reports.paytable_editing import edit_paytable
from pitboss.reports.report import ReportAssumptions, reprice_report
from pitboss.reports.submission import SubmissionSettings, make_submission
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.jobs.page_jobs import build_report_job, build_sheet_job
from pitboss.web.jobs.queue import JobClient, JobPriority
from pitboss.web.jobs.sheet_content import lay_out_options, lay_out_sheet, solve_options
from pitboss.web.jobs.spec import EXACT, RATIONS, SHEETS, SOLVED, JobRation, JobSpec
from pitboss.web.jobs.worker import open_no_progress, pickle_object
from pitboss.web.pages.page_call import PageCall
from pitboss.web.registry import TableRegistry
from reports.conftest import made
from waiting import PATIENT_SECONDS
from web.chores import hold, hold_at
from web.inside import one
from web.served import answering, counted, said, unlimited

GAME, BET = "six-card", "aces-up"
SHEET = f"/par/sheet?game={GAME}&bet={BET}"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRegistry]:
    """A floor on which one sheet has been counted."""
    folder = tmp_path_factory.mktemp("sheets")
    tables = TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key")
    found, report = TableRegistry(tables, limits=unlimited()), made(GAME)
    sheet = next(each for each in report.sheets if each.wager.id == BET)
    found.jobs.store_result(build_sheet_job(report.game, sheet.wager, report.terms), sheet)
    found.jobs.store_result(build_report_job(report.game, report.terms), report)
    yield found
    found.close()


@pytest.fixture(scope="module")
def web(floor: TableRegistry) -> Iterator[httpx.Client]:
    """Somebody who asks for sheets."""
    with (
        answering(create_app(None, floor)) as address,
        open_client(address) as client,
    ):
        yield client


def test_what_is_still_counted_asks_again_and_a_side_wager_waits_for_no_game_that_is_being_solved(
    floor: TableRegistry, web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pitboss.web.jobs.requests.WAIT_SECONDS", "pitboss.web.jobs.queue.PATIENCE_SECONDS"):
        monkeypatch.setattr(name, 0.05)
    release = tmp_path / "release"
    floor.jobs.submit(JobClient("x", "x"), JobSpec(SOLVED, "held", hold, (str(release),)), JobPriority.SHEET)
    try:
        for again, wanted in ((f"/par/sheet?game={GAME}", 202), (SHEET, 200)):
            answer = web.get(again)
            while wanted == 200 and answer.status_code == 202:
                answer = web.get(again)
            assert answer.status_code == wanted
            assert ("hx-get=" in answer.text, answer.headers.get("Retry-After")) == (
                (True, "2") if wanted == 202 else (False, None)
            )
        for lane in ("quick", "long"):
            monkeypatch.setitem(RATIONS, lane, JobRation(0, 32, 256))
        for path in (f"/par/sheet?game={GAME}", f"/open/{GAME}/edges?kind=bad-beat"):
            answer = web.get(path)
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "2")
            assert "0 calculations are already waiting for you: try again in 2 s" in answer.text
        status, line = said(web.get(f"/par/{GAME}.csv"))
        assert (status, line) == (429, "0 calculations are already waiting for you: try again in 2 s")
    finally:
        release.touch()


def test_a_second_tab_of_one_visitor_makes_the_first_ask_again_and_no_more(
    floor: TableRegistry, web: httpx.Client, tmp_path: Path
) -> None:
    release = tmp_path / "release"
    floor.jobs.submit(JobClient("x", "x"), JobSpec(SHEETS, "held", hold, (str(release),)), JobPriority.COACH)
    paths = [f"{SHEET}&pay-flush={pay}" for pay in (21, 22, 23)]
    try:
        with ThreadPoolExecutor() as tabs:
            asked = [tabs.submit(web.get, path) for path in paths]
            replaced = next(as_completed(asked)).result()
            assert (replaced.status_code, replaced.headers["Retry-After"]) == (202, "2")
            release.touch()
            assert {each.result().status_code for each in asked} == {200, 202}
    finally:
        release.touch()


def test_edited_pays_are_solved_in_the_background_with_their_progress(
    web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, asked = tmp_path / "release", {"game": "lunar", "bet": "main", "pay-flush": "6"}
    spec = JobSpec(EXACT, "lunar", hold_at, (str(release), 3, 13))
    monkeypatch.setattr("pitboss.web.pages.par_sheets.build_exact_job", lambda *_arguments: spec)
    answer = web.get("/par/exact", params=asked)
    assert answer.status_code == 202
    while "Finding the best play for these pays: 23%" not in answer.text:
        answer = web.get("/par/exact", params=asked)
    assert 'hx-get="/par/exact"' in answer.text
    release.touch()
    while answer.status_code == 202:
        answer = web.get("/par/exact", params=asked)
    assert (answer.status_code, 'hx-get="/par/sheet"' in answer.text) == (200, True)


def test_who_has_no_cookie_is_one_guest_with_all_others_of_the_network(
    floor: TableRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One visitor who begins again with every request does not keep all others from the exact value."""
    app, release, made_jobs = create_app(None, floor), tmp_path / "release", count()

    def build(*_arguments: object) -> JobSpec:
        return JobSpec(EXACT, f"stranger {next(made_jobs)}", hold, (str(release),))

    monkeypatch.setattr("pitboss.web.pages.par_sheets.build_exact_job", build)
    path = "/par/exact?game=lunar&bet=main&pay-flush=6"
    try:
        mine = [one(app, "GET", path, (f"2001:db8::{number}", 1)) for number in range(4)]
        assert [answer.status_code for answer in mine] == [202, 202, 429, 429]
        assert "2 calculations are already waiting for you: try again in 60 s" in mine[-1].text
        assert one(app, "GET", path, ("2001:db8:0:100::1", 1)).status_code == 202
    finally:
        release.touch()


@pytest.mark.parametrize(
    "asked", [{"bet": "main"}, {"bet": "main", "pay-flush": "5"}, {"bet": "super", "pay-flush": "6"}]
)
def test_only_edited_pays_of_main_are_solved_again(web: httpx.Client, asked: dict[str, str]) -> None:
    answer = web.get("/par/exact", params={"game": "lunar", **asked})
    assert answer.status_code == 409
    assert "Edit a pay of the main wager first" in answer.text


def test_pays_and_the_table_beside_are_read_from_the_address(web: httpx.Client) -> None:
    page = web.get(f"/par?game={GAME}&bet={BET}&pay-flush=9&beside=SCP-02").text
    assert 'name="pay-flush" inputmode="decimal" value="9" data-printed="8"' in page
    assert 'name="beside" value="SCP-02" checked' in page
    shown = web.get(f"{SHEET}&pay-flush=9&beside=SCP-02").text
    assert shown.count("<br>SCP-01-edited") == shown.count("<br>SCP-02") == 2  # pays and contributions side by side
    three = web.get(f"{SHEET}&pay-flush=9&beside=SCP-02&beside=SCP-04").text
    assert three.count("<br>SCP-04") == 2
    assert "* differs from SCP-01-edited" in three
    assert "* 5.1235%" in three
    assert "What one step more on a line changes" in three


def is_on_event_loop() -> bool:
    """Return whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.mark.more
def test_a_counted_sheet_is_priced_by_a_worker_and_drawn_in_a_turn_and_in_a_thread(
    web: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pricing takes a tenth of a second: one visitor who asks again and again must not have it done by the server."""
    found = list[tuple[bool, bool]]()

    def watch(call: PageCall, *_others: object, **_context: object) -> HTMLResponse:
        found.append((call.request.state.turn.is_held, not is_on_event_loop()))
        return HTMLResponse("")

    monkeypatch.delattr("pitboss.web.jobs.sheet_content.reprice_sheet")
    monkeypatch.setattr(PageCall, "render", watch)
    tuned = f"?game={GAME}&bet={BET}&edge=3%25..3.5%25"
    paths = (
        SHEET,
        f"{SHEET}&pay-flush=9",
        f"/open/{GAME}/edges?kind=aces-up",
        f"/design{tuned}",
        f"/design/tables{tuned}",
    )
    monkeypatch.setattr("pitboss.web.jobs.requests.WAIT_SECONDS", PATIENT_SECONDS)
    for path in paths:
        assert web.get(path, timeout=PATIENT_SECONDS).status_code == 200
    assert found == [(True, True)] * len(paths)


def test_tables_of_ones_own_stand_beside_the_printed_one(web: httpx.Client) -> None:
    game = load_game(GAME)
    printed = select_paytables(game)[BET]
    own = [
        format_paytables([edit_paytable(game, printed, {"flush": pay}, f"mine-{pay}") for pay in pays])
        for pays in (("9", "7"), ("10",))
    ]
    page = counted(web, "/par/sheet", {"game": GAME, "bet": BET, "own": [*own, " "]}).text
    headings = re.findall(r'<th scope="col" class="number"[^>]*>([^<]*)</th>', page.partition("</thead>")[0])
    assert headings == ["SCP-01", "own 1: mine-9", "own 2: mine-7", "own 3: mine-10"]
    edges = [float(each) for each in re.findall(r"([\d.]+)%", page.partition("House edge")[2].partition("</tr>")[0])]
    deals = {line.outcome.name: line.probability for line in sheet_of(BET).lines}
    for edge, more in zip(edges[1:], (1, -1, 2), strict=True):
        assert edge == pytest.approx(edges[0] - 100 * more * float(deals["flush"]), abs=2e-4)
    file = unescape(page.partition("<pre")[2].partition(">")[2].partition("</pre>")[0])
    assert parse_paytables(tomllib.loads(file), game, "file")[0].lines == printed.lines


def sheet_of(bet: str) -> ParSheet:
    return next(each for each in made(GAME).sheets if each.wager.id == bet)


@pytest.mark.parametrize(
    ("own", "line"),
    [
        (["not = [toml"], "Your table 1 is not valid TOML"),
        (["x" * 2_501], "Your table 1 has 2,501 characters: at most 2,500"),
        (["other"], "Your table 1 has no pay table for aces-up: it is for bad-beat"),
        (["mine"] * 4, "12 tables of your own: compare at most 8"),
    ],
)
def test_a_table_of_ones_own_that_cannot_be_is_refused_in_words(web: httpx.Client, own: list[str], line: str) -> None:
    game = load_game(GAME)
    tables = select_paytables(game)
    files = {
        "other": format_paytables([tables["bad-beat"]]),
        "mine": format_paytables(
            [edit_paytable(game, tables[BET], {"flush": str(9 + at)}, f"m{at}") for at in range(3)]
        ),
    }
    asked = {"game": GAME, "bet": BET, "own": [files.get(each, each) for each in own]}
    answer = web.get("/par/sheet", params=asked)
    assert answer.status_code == 409
    assert line in unescape(answer.text)
    assert web.get("/par", params={**asked, "own": [*asked["own"], "", "", "", ""]}).status_code == 422  # five at most


@pytest.mark.parametrize("bet", [BET, "progressive"])
def test_each_ruling_is_shown_with_what_it_changes(web: httpx.Client, bet: str) -> None:
    answer = counted(web, "/par/options", {"game": GAME, "bet": bet})
    assert answer.status_code == 200
    report = made(GAME)
    effects = compute_option_effects(report.game, report.terms, [sheet_of(bet)], open_no_progress, full=False)
    assert bool(effects) == (bet == "progressive")
    cells = (re.findall(r"<(?:th|td)[^>]*>([^<]*)<", row) for row in answer.text.split("<tr>")[2:])
    rows = [
        (f"{capitalize_first(each.option.meaning)}: {display_value(each.value)}", *figures)
        for each, (_, *figures) in zip(effects, make_option_table(effects).rows, strict=True)
    ]
    assert [tuple(map(unescape, row)) for row in cells] == rows
    same = (each for each in report.game.options if each.name not in {effect.option.name for effect in effects})
    assert all(capitalize_first(each.meaning) in unescape(answer.text) for each in same)


def test_rulings_that_need_another_best_play_are_named() -> None:
    sheet = sheet_of("main")
    content = lay_out_options(pickle_object(sheet), made(GAME).terms)
    assert (content.table, content.is_complete) == (None, False)
    assert content.notes[0].startswith("not computed yet: The lowest hand with which the dealer qualifies: ")
    assert "dealer_qualifies" not in content.notes[0]


def test_the_best_play_under_every_ruling_is_found_in_the_background(
    floor: TableRegistry, web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, asked = tmp_path / "release", {"game": GAME, "bet": "main"}
    sheet = sheet_of("main")
    floor.jobs.store_result(build_sheet_job(sheet.game, sheet.wager, made(GAME).terms), sheet)
    assert "Find the best play under each ruling" in counted(web, "/par/options", asked).text
    spec = JobSpec(EXACT, "rulings", hold_at, (str(release), 3, 13))
    monkeypatch.setattr("pitboss.web.pages.option_effects.build_option_solutions_job", lambda *_arguments: spec)
    answer = web.get("/par/options/solved", params=asked)
    assert answer.status_code == 202
    while "Finding the best play under each ruling: 23%" not in answer.text:
        answer = web.get("/par/options/solved", params=asked)
    assert "Finding the best play under each ruling: 23%" in web.get("/par/options", params=asked).text  # another visit
    release.touch()
    while answer.status_code == 202:
        answer = web.get("/par/options/solved", params=asked)
    assert (answer.status_code, 'hx-get="/par/options"' in answer.text) == (200, True)


@pytest.mark.more
def test_every_ruling_has_its_figures_once_its_best_play_is_found() -> None:
    report = made("wild-six-card")
    main = next(each for each in report.sheets if each.is_main)
    found = solve_options(pickle_object(main), report.terms)
    effects = compute_option_effects(report.game, report.terms, [main], open_no_progress, full=True)
    assert found.is_complete
    assert found == lay_out_options(pickle_object(main), report.terms)
    assert found.table is not None
    assert [row[1:] for row in found.table.rows] == [row[1:] for row in make_option_table(effects).rows]
    assert {"stand_pat", "wild_flush"} == {each.option.name for each in effects}


@pytest.mark.parametrize(
    ("pay", "line"),
    [
        ("-8", "Flush: '-8' is not a pay: write a whole number up to 1,000,000, or a ratio like '3:2'"),
        ("1:3", "Flush: line 'flush' cannot be paid whole: 1/3 on 100 cents is 100/3 cents"),
        ("12345678901234567890", "Flush: '12345678901234567890' is too long for a pay: write for example 9 or 3:2"),
        ("1000001", "Flush: line 'flush' pays 1000001: at most 1,000,000, so that cents fit in 64 bits"),
    ],
)
def test_a_pay_that_cannot_be_is_refused_in_words(web: httpx.Client, pay: str, line: str) -> None:
    answer = web.get(SHEET, params={"game": GAME, "bet": BET, "pay-flush": pay})
    assert answer.status_code == 409
    assert line in answer.text.replace("&#39;", "'")
    file = web.get(f"/par/{GAME}.csv", params={"bet": BET, "pay-flush": pay})
    assert said(file)[0] == 422
    assert said(file)[1].startswith(line)


def test_a_progressive_is_priced_at_the_meter_that_is_asked_for(web: httpx.Client) -> None:
    asked = {"game": GAME, "bet": "progressive"}
    page = web.get("/par", params=asked).text
    assert re.search(r'<input name="meter"[^>]* value="\$10,000.00"', page)
    assert 'value="$25,000.00"' in web.get("/par", params={**asked, "meter": "25000"}).text
    edges = {
        meter: re.search(
            r"House edge</th>\s*<td[^>]*>([^<]*)<", counted(web, "/par/sheet", {**asked, "meter": meter}).text
        )
        for meter in ("", "10,000", "$25,000.00")
    }
    found = {meter: edge[1] for meter, edge in edges.items() if edge}
    assert found[""] == found["10,000"] != found["$25,000.00"]
    assert web.get("/par", params={**asked, "meter": "much"}).status_code == 422
    assert 'name="meter"' not in web.get("/par", params={"game": GAME, "bet": BET, "meter": "5"}).text


@pytest.mark.more
def test_a_submission_is_that_of_the_library_with_the_edited_pays(web: httpx.Client) -> None:
    asked = {"bet": BET, "pay-flush": "9", "pace": "30", "average": "10"}
    files = {
        purpose: web.get(f"/par/{GAME}.json", params={**asked, "purpose": purpose}, timeout=PATIENT_SECONDS)
        for purpose in ("", "submission")
    }
    for purpose, name in (("", GAME), ("submission", f"{GAME}-submission")):
        assert f'filename="{name}.json"' in files[purpose].headers["Content-Disposition"]
    assert files[""].content != files["submission"].content
    report, stated = made(GAME), ReportAssumptions(30, 1_000)
    edited = edit_paytable(report.game, select_paytables(report.game)[BET], {"flush": "9"})
    priced = reprice_report(replace(report, assumptions=stated), {**report.terms.paytables, BET: edited})
    settings = SubmissionSettings(PlayerModel(1_000, 30))
    added = make_submission(priced.game, priced.terms, priced.sheets, settings, open_no_progress)
    assert files["submission"].content == render_reports((replace(priced, submission=added),), "json")
    assert web.get(f"/par/{GAME}.json", params={**asked, "purpose": "certificate"}).status_code == 422


def test_a_misspelt_line_is_named_with_the_nearest(web: httpx.Client) -> None:
    answer = web.get(f"{SHEET}&pay-flushh=9")
    assert answer.status_code == 409
    assert "Unknown line 'flushh': did you mean 'flush'?" in unescape(answer.text)


def test_what_is_not_there_is_told_and_not_something_else_shown(web: httpx.Client) -> None:
    for path in ("/par/nosuch.pdf", "/par?bet=zzz", "/par?paytable=zzz", "/par?beside=zzz", "/par?game=zzz"):
        status, line = said(web.get(path))
        assert (status, "zzz" in line or "nosuch" in line) == (404, True), path
    assert said(web.get(f"/par/lunar.pdf?game={GAME}")) == (
        404,
        "there is no lunar.pdf here: six-card.pdf is the report of Six Card Poker",
    )
    assert web.get(f"/par?game=lunar&bet={BET}&paytable=SCP-02").status_code == 200  # another game's, by no script
    assert said(web.get("/nowhere")) == (404, "there is nothing at this address: / lists the tables")


def test_the_head_of_every_page_may_be_asked_for_alone(web: httpx.Client) -> None:
    for path in ("/", "/par", "/training"):
        answer = web.head(path)
        assert (answer.status_code, answer.text) == (200, "")


def test_the_page_shows_the_net_where_a_pay_is_not_the_net() -> None:
    """A loss of main is two Antes; every pay of Aces Up is its net."""
    report = made(GAME)
    for sheet in report.sheets[:2]:
        page = lay_out_sheet(pickle_object(sheet), report.terms, [("it", None)], report.assumptions)
        assert ("Net" in page.outcomes.headings) == sheet.is_main
