"""What the page of charts shows: a picture, its rows as tables, and its files.

A worker draws it: that takes a second.
"""

import json
from typing import NamedTuple

from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.chart_request import ChartRequest
from pitboss.analysis.exact_par_sheet import find_bet
from pitboss.reports.chart_drawings import draw_chart
from pitboss.reports.chart_style import to_png, to_svg, to_svg_file
from pitboss.reports.chart_tables import make_answer_grid, make_chart_table
from pitboss.reports.document import TableBlock
from pitboss.web.jobs.functions import verify_quickly_solved
from pitboss.web.jobs.spec import CHARTS, JobSpec
from pitboss.web.jobs.worker import report_job_progress

CHART_FILES = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv", "json": "application/json"}
"""The files of a chart, with their media types."""

_DOTS_PER_INCH = 150


class ChartContent(NamedTuple):
    """A chart on a page.

    ``grid`` is a strategy chart's table of letters, None for other kinds, and ``table`` has every row.
    """

    title: str
    about: str
    svg: str
    grid: TableBlock | None
    table: TableBlock


def build_chart_job(request: ChartRequest) -> JobSpec:
    """Build the job that draws a chart for a page."""
    return JobSpec(CHARTS, _make_key(request), lay_out_chart, (request,))


def build_chart_file_job(request: ChartRequest, form: str) -> JobSpec:
    """Build the job that writes a chart as a file."""
    return JobSpec(CHARTS, (*_make_key(request), form), write_chart_file, (request, form))


def lay_out_chart(request: ChartRequest) -> ChartContent:
    """Compute a chart and draw it for a page.

    Raises:
        PitbossError: as ``ChartRequest.compute``, or a sheet would take many minutes.
    """
    data = _compute(request)
    figure = draw_chart(data)
    svg = to_svg(figure, "chart", data.title, data.about)
    grid = make_answer_grid(data) if data.kind == "strategy" else None
    return ChartContent(data.title, data.about, svg, grid, make_chart_table(data))


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
    return request.compute(report_job_progress)


def _make_key(request: ChartRequest) -> tuple[object, ...]:
    tables = tuple(table.id for table in request.terms.paytables.values())
    return request.game.id, request.kind, tables, tuple(sorted(request.settings.items()))
