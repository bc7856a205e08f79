"""A report has the charts that take little time or are kept, with a table of each, and says what is missing."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pitboss.analysis.pay_chart import compute_pay_chart
from pitboss.analysis.strategy_chart import compute_strategy_chart, find_strategy_grid
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.reports import report as report_module
from pitboss.reports.chart_tables import make_pay_summary
from pitboss.reports.document import ChartBlock, Section, TableBlock, TextBlock
from pitboss.reports.formats import render_reports
from pitboss.reports.page import make_page
from pitboss.reports.report import GameReport, reprice_report
from pitboss.strategy_grids import load_strategy_grids
from reports.conftest import made

GRID = "ace-high-low-card"


@contextmanager
def open_progress(_what: str) -> Iterator[ProgressCallback]:
    yield ignore_progress


@pytest.fixture(scope="module")
def charted() -> GameReport:
    """A report with one of its three grids, of known counts."""
    report = made("six-card")
    grid = find_strategy_grid(report.game, GRID)
    return replace(report, charts=(compute_strategy_chart(report.game, report.terms, grid),))


def find_section(page: Section, title: str) -> Section:
    waiting = [page]
    while waiting:
        section = waiting.pop()
        if section.title == title:
            return section
        waiting += section.subsections
    raise AssertionError(title)


def test_a_chart_stands_with_its_answers(charted: GameReport) -> None:
    section = find_section(make_page(charted), "Charts of the best play")
    (chart,) = (block for block in section.blocks if isinstance(block, ChartBlock))
    (table,) = (block for block in section.blocks if isinstance(block, TableBlock))
    assert chart.title == charted.charts[0].title
    assert table.rows[0] == ("Ace-K, 0 of the dealer's ranks", "P", "P", "P", "", "")
    missing = [block.text for block in section.blocks if isinstance(block, TextBlock)][-1]
    assert "`pair-shown`, `ace-high-high-cards`" in missing
    assert GRID not in missing


def test_programs_read_it_and_markdown_has_its_table(charted: GameReport) -> None:
    (data,) = json.loads(render_reports([charted], "json"))["charts"]
    assert data["rows"] == [dict(each) for each in charted.charts[0].list_records()]
    assert "| Ace-K, 3 of the dealer's ranks | P | P | P | P | P |" in render_reports([charted], "md").decode()


def test_other_pays_leave_it_out(charted: GameReport) -> None:
    """Main of Six Card Poker pays even money, so only a table that is not main's can change."""
    other = made("six-card", "aces-up=SCP-02").terms.paytables
    assert reprice_report(charted, other).charts == charted.charts


def test_long_grids_are_only_drawn_if_they_are_kept_or_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    report = made("six-card")
    quick, *others = load_strategy_grids(report.game)
    kept, long = (replace(each, seconds=100) for each in others)
    monkeypatch.setattr(report_module, "load_strategy_grids", lambda _game: (quick, kept, long))
    monkeypatch.setattr(report_module, "is_strategy_chart_cached", lambda *arguments: arguments[-1] is kept)
    monkeypatch.setattr(report_module, "compute_strategy_chart", lambda *arguments: arguments[2].id)
    monkeypatch.setattr(report_module, "compute_ruin_chart", lambda *_arguments: "ruin")
    monkeypatch.setattr(report_module, "compute_pay_chart", lambda *arguments: arguments[1].id)

    def list_charts(*, full: bool) -> list[object]:
        return list(report_module.make_charts(report, open_progress, full=full))

    first = ["ruin", "aces-up", "bad-beat", "progressive", quick.id, kept.id]
    assert list_charts(full=False) == first
    assert list_charts(full=True) == [*first, long.id]


def test_each_line_stands_with_the_edge_of_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    report = made("six-card")
    sheet = next(each for each in report.sheets if each.wager.id == "aces-up")
    monkeypatch.setattr("pitboss.analysis.tuning.compute_par_sheet", lambda *_arguments: sheet)
    data = compute_pay_chart(report.game, sheet.wager, report.terms)
    table = make_pay_summary(data)
    edges = {(each["line"], each["pay"]): f"{each['house_edge']:.4%}" for each in data.list_records()}
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["Flush"] == ("7", edges["flush", "7"], "8", edges["flush", "8"], "9", edges["flush", "9"])
    assert rows["Two pair"] == ("", "", "2", edges["two-pair", "2"], "", "")
    section = find_section(make_page(replace(report, charts=(data,))), "Aces Up")
    assert data.title in {block.title for block in section.blocks if isinstance(block, ChartBlock)}
    assert table in section.blocks
