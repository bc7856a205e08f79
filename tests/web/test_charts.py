"""The page *Charts* over HTTP: a picture with its rows, as a page, as a part of it and as files."""

import json
import re
from collections.abc import Iterator
from html import unescape
from itertools import product
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import parse_qsl, urlencode

import httpx
import pytest

from clients import open_client
from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.chart_request import ChartRequest
from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.strategy_chart import COLUMNS
from pitboss.cards.notation import RANK_LETTERS
from pitboss.contract import Game
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.reports.formatting import write_minus
from pitboss.strategy_grids import load_strategy_grids
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.jobs.chart_content import (
    _make_turns,
    build_chart_file_job,
    build_chart_job,
    lay_out_chart,
    lay_out_grid,
    write_chart_file,
)
from pitboss.web.jobs.queue import JobClient, JobPriority
from pitboss.web.jobs.spec import CHARTS, JobSpec
from pitboss.web.jobs.worker import JobPauseError
from pitboss.web.pages.charts import list_charted_games, parse_chart_query
from pitboss.web.registry import TableRegistry
from pitboss.web.templating import format_signed_value, format_suited
from waiting import PATIENT_SECONDS
from web.chores import hold, hold_at
from web.served import answering, counted, unlimited

GAME, GRID = "six-card", "ace-high-low-card"
ASKED = {"game": GAME, "kind": "strategy", "grid": GRID}


@pytest.fixture(scope="module")
def asked() -> ChartRequest:
    """A chart of 66 cells, each of half a millisecond."""
    return parse_chart_query(GAME, "strategy", GRID).request


@pytest.fixture(scope="module")
def data(asked: ChartRequest) -> ChartData:
    return asked.compute(ignore_progress)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory, asked: ChartRequest) -> Iterator[TableRegistry]:
    """A floor on which a chart and its CSV are drawn already."""
    folder = tmp_path_factory.mktemp("charts")
    found = TableRegistry(TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key"), limits=unlimited())
    found.jobs.store_result(build_chart_job(asked), lay_out_chart(asked))
    for form in ("csv", "json", "svg", "png"):
        found.jobs.store_result(build_chart_file_job(asked, form), write_chart_file(asked, form))
    yield found
    found.close()


@pytest.fixture(scope="module")
def web(floor: TableRegistry) -> Iterator[httpx.Client]:
    with (
        answering(create_app(None, floor)) as address,
        open_client(address) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/charts", "/charts/picture"])
def test_a_picture_stands_with_its_rows(web: httpx.Client, data: ChartData, path: str) -> None:
    answer = counted(web, path, ASKED)
    assert answer.status_code == 200
    assert ("<html" in answer.text) == (path == "/charts")
    svg = answer.text[answer.text.index("<svg role") : answer.text.index("</svg>")]
    assert f'<title id="chart-title">{data.title}</title>' in svg
    assert "style=" not in svg  # the page forbids it
    page = unescape(answer.text)
    for record in data.list_records():
        assert format_suited(record["cards"]) in page
    assert '<th scope="col">10</th>' in page
    assert "Ace-10, 2 of the dealer's ranks" in page
    words = re.sub(r"<[^>]+>", " ", page.replace(page[page.index("<svg role") : page.index("</svg>")], ""))
    assert not re.search(r"(?<![A-Za-z])T(?![A-Za-z])", words)
    assert page.count("<tr") == 1 + len(data.labels["row_names"]) + 1 + len(data.rows)


@pytest.mark.parametrize("game", list_charted_games(), ids=lambda game: game.id)
def test_every_cell_of_every_game_is_a_position_to_study(game: Game) -> None:
    """What a cell opens is the position that the chart values: the same decision, cards that the rules can deal."""
    for grid in load_strategy_grids(game):
        placed = [(row, column, grid.place(row, column)) for row in grid.rows for column in grid.columns]
        cells = [(row, column, cards) for row, column, cards in placed if cards]
        action = next(action.id for decision in game.decisions for action in decision.actions)
        rows = tuple((row, column, "", action, action, "", 0.5, "1/2", "fold", 1.0, "") for row, column, _ in cells)
        labels = {"chart": grid.id, "down": grid.down, "across": grid.across, "answers": [action]}
        labels |= {"row_names": list(grid.rows), "column_names": list(grid.columns)}
        laid = lay_out_grid(game, ChartData("strategy", game.id, "", "", COLUMNS, rows, labels))
        found = [(each.row, each.column, dict(each.cards)) for _, row in laid.rows for each in row if each]
        assert found == cells
        for _, _, cards in found[:: max(1, len(found) // 5)]:
            terms = parse_chart_query(game.id, "strategy", grid.id).request.terms
            assert parse_hint_request(game, terms, cards).position.legal


@pytest.mark.parametrize("chart", ["inside-straight", "joker-in-a-row"])
def test_the_name_of_a_discard_is_of_one_card_of_its_cell(chart: str) -> None:
    grid = next(each for each in load_strategy_grids(load_game("wild-six-card")) if each.id == chart)
    assert grid.name_answer
    for row, column in product(grid.rows, grid.columns):
        cards = grid.place(row, column)
        ranks = [card[0] for card in cards["player"].split() if card != "Jk1"] if cards else []
        names = [grid.name_answer(row, column, rank) for rank in ranks]
        named = dict(zip(names, ranks, strict=True))
        assert all(names.count(each) == 1 for each in named if each != "Middle card")
        others = sorted((rank for rank in ranks if rank != column), key=RANK_LETTERS.index)
        assert not ranks or (named["Fifth card"], named["Lowest card"]) == (column, others[0])
        assert not ranks or named["Highest of the four"] == others[-1]


def test_a_cell_opens_its_value_and_its_position(web: httpx.Client, data: ChartData, asked: ChartRequest) -> None:
    page = unescape(counted(web, "/charts", ASKED).text)
    links = re.findall(r'<a class="fill f\d" href="(/charts\?\S+)#cell"[^>]* aria-label="([^"]*)">(\w)</a>', page)
    assert len(links) == len(data.rows)
    record = data.list_records()[7]
    address, name, letter = links[7]
    value = format_signed_value(record["expected_value"])
    assert name == f"{record['row']}, {record['column']}: {record['answer']}, {value}"
    assert letter == record["answer"][0].upper()
    opened = unescape(counted(web, address).text)
    assert f'<span class="exact">{write_minus(record["expected_value_exact"].removesuffix("/1"))}</span>' in opened
    assert opened.count('aria-current="true"') == 1
    position = re.search(r'hx-get="/study/values\?([^"]*)"', opened)
    assert position
    cards = dict(parse_qsl(position[1]))
    assert cards.pop("game") == asked.game.id
    assert "; ".join(cards.values()) == record["cards"]
    for cell in ("99.0", "0.99"):
        assert 'class="exact"' not in counted(web, f"/charts?{urlencode(ASKED)}&cell={cell}").text
    assert web.get("/charts", params={**ASKED, "cell": "x"}).status_code == 422


def test_every_game_is_offered_and_the_grids_of_the_chosen_one(web: httpx.Client) -> None:
    page = counted(web, "/charts", ASKED).text
    for game in ("wild-six-card", "shifting-wilds", "lunar", "six-card", "wild-52"):
        assert f'<option value="{game}"' in page
    assert f'<option value="{GRID}" selected>' in page
    assert '<option value="draw"' not in page


@pytest.mark.parametrize(
    ("form", "media", "start"),
    [("svg", "image/svg+xml", b"<?xml"), ("png", "image/png", b"\x89PNG"), ("csv", "text/csv", b"row,column")],
)
def test_it_is_a_file_too(web: httpx.Client, form: str, media: str, start: bytes) -> None:
    answer = web.get(f"/charts/{GAME}-strategy.{form}", params=ASKED)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media)
    assert answer.headers["content-disposition"] == f'attachment; filename="{GAME}-strategy.{form}"'
    assert answer.content.startswith(start)


def test_its_json_is_that_of_the_command(web: httpx.Client, data: ChartData) -> None:
    assert web.get(f"/charts/{GAME}-strategy.json", params=ASKED).json() == json.loads(json.dumps(data.as_json()))


@pytest.mark.parametrize("name", ["none", f"{GAME}-pay", "lunar-strategy", f"{GAME}-strategy-2"])
def test_a_chart_has_no_file_of_another_name(web: httpx.Client, name: str) -> None:
    answer = web.get(f"/charts/{name}.csv", params=ASKED)
    assert answer.status_code == 404
    assert f"its file is {GAME}-strategy.csv" in answer.text


def test_a_chart_that_is_computed_asks_again(
    floor: TableRegistry, web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pitboss.web.jobs.requests.WAIT_SECONDS", "pitboss.web.jobs.queue.PATIENCE_SECONDS"):
        monkeypatch.setattr(name, 0.05)
    release = tmp_path / "release"
    floor.jobs.submit(JobClient("x", "x"), JobSpec(CHARTS, "held", hold, (str(release),)), JobPriority.SHEET)
    try:
        other = {**ASKED, "grid": "pair-shown"}
        part, page = web.get("/charts/picture", params=other), web.get("/charts", params=other)
        assert (part.status_code, part.headers["Retry-After"], page.status_code) == (202, "2", 200)
        for answer in (part, page):
            assert 'hx-get="/charts/picture?game=six-card&amp;kind=strategy&amp;grid=pair-shown"' in answer.text
    finally:
        release.touch()


@pytest.mark.more
def test_a_chart_that_takes_minutes_says_how_far_it_is_and_how_long_it_takes(
    web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.web.jobs.requests.WAIT_SECONDS", 0.05)
    monkeypatch.setattr("pitboss.web.pages.charts.PAGE_SECONDS", 0.05)
    release = tmp_path / "slow"
    spec = JobSpec(CHARTS, "slow", hold_at, (str(release), 3, 13))
    monkeypatch.setattr("pitboss.web.pages.charts.build_chart_job", lambda _request: spec)
    try:
        for path in ("/charts", "/charts/picture"):
            while "3 of 13 rows" not in (text := web.get(path, params=ASKED).text):
                pass
            assert re.search(
                r"Computing the chart of Six Card Poker: 3 of 13 rows, \d:\d\d so far, about \d+ \w+ left</label>", text
            )
            assert '<progress id="computing" value="3" max="13">' in text
    finally:
        release.touch()


def test_no_chart_is_computed_that_nobody_asked_for(
    floor: TableRegistry, web: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = Mock(wraps=floor.jobs.submit)
    monkeypatch.setattr(floor.jobs, "submit", submit)
    page = web.get("/charts").text
    submit.assert_not_called()
    assert "hx-trigger" not in page.partition('id="chart"')[2]
    assert "Choose a game and a picture" in page


@pytest.mark.more
def test_a_chart_that_waits_names_the_one_before_it(
    floor: TableRegistry, web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.web.jobs.requests.WAIT_SECONDS", 0.05)
    release = tmp_path / "first"
    first = JobSpec(CHARTS, ("lunar", "strategy", (), ()), hold_at, (str(release), 3, 13))
    running = floor.jobs.submit(JobClient("x", "x"), first, JobPriority.SHEET)
    try:
        while not Path(f"{release}.begun").exists():
            pass
        # A chart that no other test of this floor asks for, so that it cannot be there already.
        text = unescape(web.get("/charts/picture", params={"game": "wild-52", "kind": "strategy"}).text)
        assert re.search(r"It waits for the chart of Lunar Poker, best play, about \d+ seconds? a row\. Charts", text)
        # A picture that is drawn from a sheet waits for no row of best play, which takes minutes.
        drawn = {"game": "six-card", "kind": "contribution", "bet": "aces-up"}
        while (answer := web.get("/charts/picture", params=drawn)).status_code == 202:
            assert "It waits for" not in answer.text
        assert "<svg" in answer.text
        assert not running.done()
    finally:
        release.touch()
    running.result(PATIENT_SECONDS)


def test_a_chart_pauses_after_a_row_that_is_kept(asked: ChartRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.jobs.worker._turn_ends", [0.0])
    kept = [0]
    monkeypatch.setattr("pitboss.web.jobs.chart_content.count_cached_rows", lambda *_: kept[0])
    report = _make_turns(asked)
    report(2, 5)  # a turn computes a row at least
    report(3, 5)  # a row that is not kept must not be lost
    kept[0] = 4
    with pytest.raises(JobPauseError):
        report(4, 5)
    report(5, 5)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"game": "none"}, "unknown game 'none'"),
        ({"kind": "pie"}, "unknown kind of chart 'pie'"),
        ({"grid": "none"}, "unknown grid 'none'"),
        ({"kind": "band", "bet": "none"}, "unknown bet 'none'"),
        ({"kind": "band", "paytable": "none"}, "unknown pay table 'none'"),
    ],
)
def test_what_is_not_there_is_refused_in_a_line(web: httpx.Client, change: dict[str, str], line: str) -> None:
    answer = web.get("/charts", params={**ASKED, **change})
    assert answer.status_code in {404, 422}
    assert line in unescape(answer.text)


def test_a_grid_of_another_game_is_ignored() -> None:
    """Without a script, a form still names the grid of the game shown before."""
    assert parse_chart_query(GAME, "strategy", "draw").request.settings == {"grid": "pair-shown"}


def test_a_bet_and_its_table_are_chosen() -> None:
    query = parse_chart_query(GAME, "band", "", "aces-up", "SCP-02")
    assert query.request.settings == {"bet": "aces-up"}
    assert query.request.terms.paytables["aces-up"].id == "SCP-02"
    assert query.address == "game=six-card&kind=band&bet=aces-up&paytable=SCP-02"
    assert parse_chart_query(GAME, "band", "", "bonus", "W52-1").request.settings == {"bet": "main"}
