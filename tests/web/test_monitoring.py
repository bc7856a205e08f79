"""The page *Monitor* over HTTP: results of tables judged, as a page, as a part of it and as files."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path

import httpx
import pytest

import pitboss as pb
from clients import open_client
from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.table_results import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from pitboss.contract import PayTable
from pitboss.games import load_games
from pitboss.options import resolve_options
from pitboss.paytable_toml import format_paytables
from pitboss.paytables import select_paytables
from pitboss.reports.paytable_editing import edit_paytable
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.jobs.queue import JobClient, JobPriority
from pitboss.web.jobs.spec import MONITORED, RATIONS, JobSpec
from pitboss.web.pages.monitoring import list_monitored_wagers
from pitboss.web.registry import TableRegistry
from web.chores import hold
from web.served import answering, unlimited
from web.visits import token_of

GAME, BET = "shifting-wilds", "blackjack-bonus"
COLUMNS = ("table", "period", "rounds", "stake_cents", "staked_cents", "returned_cents")


def write_results(*returned: int) -> str:
    """Return days of 900 wagers of $5 at table 7, with what each day returned."""
    days = [f"7,2026-10-{day:02},900,500,450000,{cents}" for day, cents in enumerate(returned, start=1)]
    return "\n".join([",".join(COLUMNS), *days])


HONEST, OVERPAID = write_results(440_000, 430_000), write_results(440_000, 632_500, 700_000)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRegistry]:
    """A floor without tables."""
    folder = tmp_path_factory.mktemp("monitor")
    found = TableRegistry(TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key"), limits=unlimited())
    yield found
    found.close()


@pytest.fixture(scope="module")
def web(floor: TableRegistry) -> Iterator[httpx.Client]:
    """Somebody who monitors tables."""
    with (
        answering(create_app(None, floor)) as address,
        open_client(address) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def csrf(web: httpx.Client) -> str:
    return token_of(web.get("/monitor").text)


def send(web: httpx.Client, csrf: str, path: str, results: str, **changes: str) -> httpx.Response:
    """Send results, and go on asking while they are judged."""
    form = {"csrf": csrf, "game": GAME, "bet": BET, "results": results, "judge": "yes", **changes}
    answer = web.post(path, data=form, headers={"Accept": "text/html"})
    while "Judging" in answer.text:
        answer = web.post(path, data=form, headers={"Accept": "text/html"})
    return answer


@pytest.mark.parametrize("path", ["/monitor", "/monitor/results"])
def test_the_verdict_stands_over_every_table_and_its_picture(web: httpx.Client, csrf: str, path: str) -> None:
    answer = send(web, csrf, path, OVERPAID)
    assert answer.status_code == 200
    assert ("<html" in answer.text) == (path == "/monitor")
    page = unescape(answer.text)
    assert "1 of 1 table out of tolerance" in page
    assert "too high since 2026-10-02" in page
    assert re.search(r'<svg role="img"[^>]*>.*?</svg>', page, re.DOTALL)
    assert "style=" not in page[page.index("<svg role") : page.index("</svg>")]
    (row,) = re.findall(r'<tr[^>]*><th scope="row"[^>]*>7</th>(.*?)</tr>', page)
    assert '<strong class="bad">out of tolerance</strong>' in row
    assert "$13,500.00" in row
    assert "2,700" in row


def edit_bonus(pays: Mapping[str, str]) -> PayTable:
    """Return the default table of the bet with some pays edited."""
    game = load_games()[GAME]
    return edit_paytable(game, select_paytables(game)[BET], pays)


@pytest.mark.parametrize("pay", ["3", "4"])
def test_a_pay_table_of_ones_own_pays(web: httpx.Client, csrf: str, pay: str) -> None:
    """Two tables with the same name and other pays are told apart."""
    edited = edit_bonus({list(edit_bonus({}).lines)[-1]: pay})
    own = format_paytables([edited])
    page = unescape(send(web, csrf, "/monitor/results", OVERPAID, own_table=own).text)
    assert f", {edited.id}</h2>" in page
    report = send(web, csrf, "/monitor/results.json", OVERPAID, own_table=own).json()
    assert report["paytable"] == edited.id
    assert report["expected_value"] == float(pb.game(GAME).par(BET, paytables=edited).expected_value)


@pytest.mark.parametrize(
    ("own_table", "said"),
    [
        ("no = toml = file", "Your pay table"),
        ("#" * 2_501, "Your pay table has 2,501 characters: at most 2,500"),
        (format_paytables([edit_bonus({}), edit_bonus({})]).replace("-edited", "", 1), "2 tables are for"),
    ],
)
def test_what_is_no_pay_table_is_refused(web: httpx.Client, csrf: str, own_table: str, said: str) -> None:
    answer = send(web, csrf, "/monitor", OVERPAID, own_table=own_table)
    assert answer.status_code == 409
    assert said in unescape(answer.text)


def test_honest_results_raise_no_alarm(web: httpx.Client, csrf: str) -> None:
    page = send(web, csrf, "/monitor/results", HONEST).text
    assert "1 table within tolerance" in page
    assert "notice bad" not in page


def test_the_files_are_what_the_library_finds(web: httpx.Client, csrf: str, tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(OVERPAID, encoding="utf-8")
    report = pb.monitor(GAME, tmp_path / "results.csv", BET, false_alarms="5%", seats=2)
    found = {
        kind: send(web, csrf, f"/monitor/results.{kind}", OVERPAID, false_alarms="5%", seats="2")
        for kind in ("json", "csv", "svg", "png")
    }
    assert {answer.status_code for answer in found.values()} == {200}
    assert found["json"].json() == json.loads(json.dumps(report.to_dict()))
    chart = pb.chart_results(report)
    rows = list(csv.DictReader(io.StringIO(found["csv"].text)))
    assert rows == [{name: str(value) for name, value in record.items()} for record in chart.rows]
    assert found["svg"].content == chart.to_svg()
    assert found["png"].content.startswith(b"\x89PNG")
    for kind, answer in found.items():
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{GAME}-results.{kind}"'


def test_results_without_stakes_have_no_picture_and_say_why(web: httpx.Client, csrf: str) -> None:
    lines = [outcome.name for outcome in find_bet(load_games()[GAME], BET).outcomes]
    columns = (*REQUIRED_COLUMNS, *lines)
    values = ("7", "Monday", "900", "450000", "440000", *("900" if name == lines[-1] else "0" for name in lines))
    text = f"{','.join(columns)}\n{','.join(values)}"
    page = unescape(send(web, csrf, "/monitor/results", text).text)
    assert "Neither the return is judged, nor" in page
    assert "<svg role" not in page
    assert 'formaction="/monitor/results.json"' in page
    assert 'formaction="/monitor/results.svg"' not in page
    refused = send(web, csrf, "/monitor/results.svg", text)
    assert (refused.status_code, "There is no chart" in refused.text) == (422, True)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"results": ""}, "There are no results: paste them, or choose a file"),
        ({"results": "table,period\n7,Monday"}, "Column rounds is missing"),
        ({"results": HONEST.replace("900", "-900")}, "Row 2 (table 7, 2026-10-01)"),
        ({"results": HONEST.replace("440000", "99999999999")}, "more than the highest pay on every wager"),
        ({"results": f"{HONEST}\x00"}, "returned_cents: "),
        ({"false_alarms": "100%"}, "The rate of false alarms is"),
        ({"false_alarms": "٣%"}, "The rate of false alarms is"),
    ],
)
def test_results_that_cannot_be_judged_are_refused_whole_in_a_line(
    web: httpx.Client, csrf: str, changes: dict[str, str], line: str
) -> None:
    form = {"results": HONEST, **changes}
    results = form.pop("results")
    for path in ("/monitor", "/monitor/results"):
        answer = send(web, csrf, path, results, **form)
        assert answer.status_code == 409, path
        (problem,) = re.findall(r'role="alert">(.*?)</p>', unescape(answer.text), re.DOTALL)
        assert line in problem
        assert "\n" not in problem
        assert "<svg" not in answer.text


def test_each_sides_longest_run_has_a_column_of_its_own(web: httpx.Client, csrf: str) -> None:
    page = send(web, csrf, "/monitor/results", HONEST).text
    for side in ("house", "players"):
        assert re.search(rf'data-label="Longest run, {side} \(chance\)"[^>]*>[0-9]+ \([0-9.]+%\)<', page), side
    assert "A run: periods in a row that one side won" in page


def test_another_game_is_chosen_without_losing_the_results(web: httpx.Client, csrf: str) -> None:
    answer = send(web, csrf, "/monitor", HONEST, game="lunar", judge="")
    assert answer.status_code == 200
    assert HONEST.splitlines()[1] in answer.text
    assert '<option value="lunar" selected>' in answer.text
    assert "within tolerance" not in answer.text


def test_every_bet_that_can_be_judged_is_offered_with_its_columns(web: httpx.Client) -> None:
    for game in load_games().values():
        options = resolve_options(game, {})
        for wager in list_monitored_wagers(game):
            page = web.get("/monitor", params={"game": game.id, "bet": wager.id}).text
            assert f'<option value="{wager.id}" selected>' in page
            named = set(re.findall(r"<code>([a-z0-9][a-z0-9_-]*)</code>", page))
            lines = set() if depends_on_play(game, wager, options) else {each.name for each in wager.outcomes}
            assert named == {*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS, *lines}, (game.id, wager.id)


def test_results_that_wait_ask_again_with_and_without_a_script(
    floor: TableRegistry, web: httpx.Client, csrf: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pitboss.web.jobs.requests.WAIT_SECONDS", "pitboss.web.jobs.queue.PATIENCE_SECONDS"):
        monkeypatch.setattr(name, 0.05)
    release = tmp_path / "release"
    floor.jobs.submit(JobClient("x", "x"), JobSpec(MONITORED, "held", hold, (str(release),)), JobPriority.SHEET)
    form = {"csrf": csrf, "game": GAME, "bet": BET, "results": write_results(1), "judge": "yes"}
    try:
        part, page = web.post("/monitor/results", data=form), web.post("/monitor", data=form)
        assert (part.status_code, part.headers["Retry-After"], page.status_code) == (202, "2", 200)
        for answer in (part, page):
            assert 'hx-post="/monitor/results" hx-include="#asked"' in answer.text
            assert "press Judge again" in answer.text
        monkeypatch.setitem(RATIONS, MONITORED.lane.name, RATIONS[MONITORED.lane.name]._replace(guest=0))
        refused = web.post("/monitor/results", data=form)
        assert (refused.status_code, "0 calculations are already waiting for you" in refused.text) == (429, True)
    finally:
        release.touch()
