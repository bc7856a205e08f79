"""What the page *Monitor* shows: verdicts, alarms, a picture, and files.

A worker judges and draws them: that takes a second.
"""

import json
from hashlib import sha256
from typing import NamedTuple

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.monitor_report import MonitorReport
from pitboss.analysis.monitored_bet import count_shared_wagers
from pitboss.analysis.monitoring import monitor_results, prepare_bet
from pitboss.analysis.results_chart import make_results_chart
from pitboss.analysis.table_results import list_csv_columns, parse_results_csv, verify_line_columns
from pitboss.contract import Game, Wager
from pitboss.core.progress import ignore_progress
from pitboss.reports.chart_drawings import draw_chart
from pitboss.reports.chart_style import to_svg
from pitboss.reports.document import TableBlock
from pitboss.reports.monitor_tables import (
    describe_verdict,
    iter_alarms,
    iter_notes,
    iter_warnings,
    make_line_table,
    make_monitor_table,
)
from pitboss.web.jobs.chart_content import write_chart_data
from pitboss.web.jobs.page_jobs import make_paytable_key, verify_quickly_solved
from pitboss.web.jobs.spec import MONITORED, JobSpec


class MonitorRequest(NamedTuple):
    """Results in CSV, the bet that they are of, and how they are judged.

    ``seats`` is how many wagers of a round the same cards may decide, 0 for as many as the rules allow.
    """

    game: Game
    wager: Wager
    terms: GameTerms
    false_alarms: float
    seats: int
    results: str


class MonitorContent(NamedTuple):
    """Judged results on a page; ``svg`` is "" if the return is not judged."""

    heading: str
    verdict: str
    is_alarm: bool
    table: TableBlock
    alarms: tuple[str, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    lines: tuple[TableBlock, ...]
    title: str
    about: str
    svg: str


def build_monitor_job(request: MonitorRequest) -> JobSpec:
    """Build the job that judges results for a page."""
    return JobSpec(MONITORED, _make_key(request), lay_out_results, (request,))


def build_monitor_file_job(request: MonitorRequest, form: str) -> JobSpec:
    """Build the job that writes judged results, or their picture, as a file."""
    return JobSpec(MONITORED, (*_make_key(request), form), write_results_file, (request, form))


def lay_out_results(request: MonitorRequest) -> MonitorContent:
    """Judge results and draw them for a page.

    Raises:
        PitbossError: the results cannot be judged, or a sheet would take many minutes.
    """
    report = _judge(request)
    title, about, svg = "", "", ""
    if report.judges_return:
        data = make_results_chart(report)
        title, about, svg = data.title, data.about, to_svg(draw_chart(data), "results", data.title, data.about)
    tables = [request.terms.paytables[kind].id for kind in request.wager.paytable_kinds]
    return MonitorContent(
        ", ".join((request.wager.name, *tables)),
        describe_verdict(report),
        bool(report.out_of_tolerance),
        make_monitor_table(report),
        tuple(iter_alarms(report)),
        tuple(iter_warnings(report)),
        tuple(note.replace(" (--seats)", "") for note in iter_notes(report)),
        tuple(
            make_line_table(table)
            for table in sorted(report.tables, key=lambda table: not table.out_of_tolerance)
            if table.lines
        ),
        title,
        about,
        svg,
    )


def write_results_file(request: MonitorRequest, form: str) -> bytes:
    """Judge results and write their picture, or in JSON all that was judged."""
    report = _judge(request)
    if form == "json":
        return json.dumps(report.to_dict(), indent=2).encode()
    return write_chart_data(make_results_chart(report), form)


def _judge(request: MonitorRequest) -> MonitorReport:
    game, wager, terms = request.game, request.wager, request.terms
    verify_line_columns(list_csv_columns(request.results), game, wager)
    verify_quickly_solved(game, wager, terms)
    bet = prepare_bet(game, wager, terms, ignore_progress)
    rows = parse_results_csv(request.results, bet)
    return monitor_results(bet, rows, request.false_alarms, request.seats or count_shared_wagers(game, wager))


def _make_key(request: MonitorRequest) -> tuple[object, ...]:
    tables = tuple(make_paytable_key(table) for table in request.terms.paytables.values())
    options = tuple(request.terms.options.items())
    results = sha256(request.results.encode()).digest()
    return request.game.id, request.wager.id, tables, options, request.false_alarms, request.seats, results
