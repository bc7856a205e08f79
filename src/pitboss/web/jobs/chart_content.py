"""What the page of charts shows: a picture, its rows as tables, and its files.

A worker draws it: that takes a second.
"""

import json
from typing import NamedTuple

from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.chart_request import ChartRequest
from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.strategy_chart import STRATEGY, count_cached_rows, find_strategy_grid
from pitboss.builders import display_name
from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback
from pitboss.reports.chart_drawings import draw_chart
from pitboss.reports.chart_style import RAMP, choose_fills, to_png, to_svg, to_svg_file
from pitboss.reports.chart_tables import abbreviate_answers, make_chart_table
from pitboss.reports.document import TableBlock
from pitboss.web.jobs.page_jobs import verify_quickly_solved
from pitboss.web.jobs.spec import CHARTS, PICTURES, JobKind, JobSpec
from pitboss.web.jobs.worker import end_turn, report_job_progress

CHART_FILES = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv", "json": "application/json"}
"""The files of a chart, with their media types."""

_DOTS_PER_INCH = 150


class GridCell(NamedTuple):
    """A cell of a strategy chart: its position, by name, and the best answer.

    ``fill`` is the number of its fill in ``RAMP``.  ``value`` and ``costs`` are in Antes; ``exact`` is a fraction.
    """

    row: str
    column: str
    cards: tuple[tuple[str, str], ...]
    letter: str
    fill: int
    answer: str
    gives_up: str
    value: float
    exact: str
    next_best: str
    costs: float
    next_gives_up: str


class AnswerGrid(NamedTuple):
    """A strategy chart as rows of cells; a cell is None if there is no such position.

    ``key`` has the letter, the fill and the name of each answer.
    """

    down: str
    across: str
    columns: tuple[str, ...]
    key: tuple[tuple[str, int, str], ...]
    rows: tuple[tuple[str, tuple[GridCell | None, ...]], ...]


class ChartContent(NamedTuple):
    """A chart on a page.

    ``grid`` is a strategy chart as cells to open, None for other kinds, and ``table`` has every row.
    """

    title: str
    about: str
    svg: str
    grid: AnswerGrid | None
    table: TableBlock


def build_chart_job(request: ChartRequest) -> JobSpec:
    """Build the job that draws a chart for a page."""
    return JobSpec(_choose_kind(request), _make_key(request), lay_out_chart, (request,))


def build_chart_file_job(request: ChartRequest, form: str) -> JobSpec:
    """Build the job that writes a chart as a file."""
    return JobSpec(_choose_kind(request), (*_make_key(request), form), write_chart_file, (request, form))


def _choose_kind(request: ChartRequest) -> JobKind:
    """Choose the kind of a chart, which has a worker.

    A picture of a sheet must not wait for a row of the best play, which takes minutes.
    """
    return CHARTS if request.kind == STRATEGY else PICTURES


def lay_out_chart(request: ChartRequest) -> ChartContent:
    """Compute a chart and draw it for a page.

    Raises:
        PitbossError: as ``ChartRequest.compute``, or a sheet would take many minutes.
    """
    data = _compute(request)
    figure = draw_chart(data)
    svg = to_svg(figure, "chart", data.title, data.about)
    grid = lay_out_grid(request.game, data) if data.kind == STRATEGY else None
    return ChartContent(data.title, data.about, svg, grid, make_chart_table(data))


def lay_out_grid(game: Game, data: ChartData) -> AnswerGrid:
    """Lay out a strategy chart as cells to open."""
    answers, place = data.labels["answers"], find_strategy_grid(game, data.labels["chart"]).place
    letters = abbreviate_answers(answers)
    fills = {answer: RAMP.index(fill) for answer, fill in zip(answers, choose_fills(len(answers)), strict=True)}
    cells = {
        (each["row"], each["column"]): GridCell(
            each["row"],
            each["column"],
            tuple((place(each["row"], each["column"]) or {}).items()),
            letters[each["answer"]],
            fills[each["answer"]],
            each["answer"],
            each["gives_up"],
            each["expected_value"],
            each["expected_value_exact"],
            each["next_best"],
            each["costs"],
            each["next_gives_up"],
        )
        for each in data.list_records()
    }
    columns = tuple(data.labels["column_names"])
    rows = tuple((row, tuple(cells.get((row, column)) for column in columns)) for row in data.labels["row_names"])
    key = tuple((letters[answer], fills[answer], display_name(answer)) for answer in answers)
    return AnswerGrid(data.labels["down"], data.labels["across"], columns, key, rows)


def write_chart_file(request: ChartRequest, form: str) -> bytes:
    """Compute a chart and write it in one of ``CHART_FILES``."""
    return write_chart_data(_compute(request), form)


def write_chart_data(data: ChartData, form: str) -> bytes:
    """Write a chart in one of ``CHART_FILES``."""
    match form:
        case "csv":
            return data.to_csv().encode()
        case "json":
            return json.dumps(data.as_json(), indent=2).encode()
        case "png":
            return to_png(draw_chart(data), _DOTS_PER_INCH)
        case _:
            return to_svg_file(draw_chart(data), data.title, data.about)


def _compute(request: ChartRequest) -> ChartData:
    bet = request.settings.get("bet")
    if bet:
        verify_quickly_solved(request.game, find_bet(request.game, bet), request.terms)
    return request.compute(_make_turns(request) if request.kind == STRATEGY else report_job_progress)


def _make_turns(request: ChartRequest) -> ProgressCallback:
    """Return a progress that ends the turn of the job after a row that is kept.

    Some charts take minutes, others seconds: so they take turns, row by row.
    """
    grid, first = find_strategy_grid(request.game, request.settings["grid"]), list[int]()

    def report(done: int, total: int) -> None:
        report_job_progress(done, total)
        first.append(done)
        if first[0] < done < total and count_cached_rows(request.game, request.terms, grid) >= done:
            end_turn()

    return report


def _make_key(request: ChartRequest) -> tuple[object, ...]:
    tables = tuple(table.id for table in request.terms.paytables.values())
    return request.game.id, request.kind, tables, tuple(sorted(request.settings.items()))
