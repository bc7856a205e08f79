"""The picture of monitored results: its rows are what the report says, period by period."""

from math import isclose

import numpy as np
import pytest

from monitored import load_known_bet
from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.monitoring import monitor_results
from pitboss.analysis.results_chart import MOST_PERIODS, MOST_TABLES, make_results_chart
from pitboss.analysis.table_results import ResultRow
from pitboss.core.errors import MonitorError
from pitboss.reports.chart_drawings import draw_chart
from pitboss.reports.chart_style import to_svg
from pitboss.reports.chart_tables import make_chart_table


@pytest.fixture(scope="module")
def bet() -> MonitoredBet:
    return load_known_bet("six-card", "aces-up")


def deal(bet: MonitoredBet, table: str, days: int, seed: int, extra_cents: int = 0) -> list[ResultRow]:
    """Return days of 400 wagers of $5 and 100 of $25, with ``extra_cents`` more returned on each than was won."""
    names = list(bet.nets)
    chances = np.array([float(bet.chances[name]) for name in names])
    rows, random = [], np.random.default_rng(seed)
    for day in range(days):
        for stake, wagers in ((500, 400), (2_500, 100)):
            hits = random.multinomial(wagers, chances / chances.sum())
            returned = sum(int(count) * (bet.nets[name] + 1) * stake for name, count in zip(names, hits, strict=True))
            rows.append(
                ResultRow("row", table, f"day {day}", wagers, wagers * stake, int(returned) + extra_cents, stake)
            )
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_each_row_is_the_verdict_on_the_results_until_then(bet: MonitoredBet, seed: int) -> None:
    """The report of the first days alone is the oracle for a day's band."""
    rows = deal(bet, "1", 12, seed, extra_cents=400_000 * (seed % 2))
    chart = make_results_chart(monitor_results(bet, rows, 0.01, 1))
    assert [record["period"] for record in chart.list_records()] == [f"day {day}" for day in range(12)]
    first_out = None
    for day, record in enumerate(chart.list_records()):
        (table,) = monitor_results(bet, rows[: 2 * (day + 1)], 0.01, 1).tables
        assert table.result
        assert record["rounds"] == table.rounds == 500 * (day + 1)
        low, high = table.result.band
        expected = float(table.result.expected)
        assert low is not None
        assert isclose(record["difference_cents"], table.returned_cents - expected, abs_tol=1e-6)
        lowest = table.staked_cents * (1 + float(min(bet.nets.values()))) - expected
        assert isclose(max(record["low_cents"], lowest), low - expected, rel_tol=1e-9)
        assert isclose(record["high_cents"], high - expected, rel_tol=1e-9)
        first_out = first_out or (record["period"] if record["out_of_tolerance"] else None)
        assert table.result.since == first_out
    assert (first_out is not None) == bool(seed % 2)


def test_tables_out_of_tolerance_come_first_and_a_long_series_keeps_its_ends(bet: MonitoredBet) -> None:
    tables = MOST_TABLES + 3
    rows = [row for number in range(tables) for row in deal(bet, str(number), 3, number)]
    rows += deal(bet, "wrong", 3 * MOST_PERIODS, 1, extra_cents=100_000)
    chart = make_results_chart(monitor_results(bet, rows, 0.01, 1))
    shown = list(dict.fromkeys(chart.get_column("table")))
    assert shown == ["wrong", *map(str, range(MOST_TABLES - 1))]
    assert f"{MOST_TABLES} of {tables + 1} tables" in chart.about
    periods = [record["period"] for record in chart.list_records() if record["table"] == "wrong"]
    assert len(periods) == MOST_PERIODS
    assert (periods[0], periods[-1]) == ("day 0", f"day {3 * MOST_PERIODS - 1}")


def test_a_one_sided_band_has_no_low_end_and_can_be_drawn() -> None:
    bet = load_known_bet("six-card", "main")
    rows = [ResultRow("row", "1", f"day {day}", 1_000, 900_000, 890_000, 500) for day in range(3)]
    chart = make_results_chart(monitor_results(bet, rows, 0.01, 6))
    assert {record["low_cents"] for record in chart.list_records()} == {None}
    assert len(make_chart_table(chart).rows) == 3
    assert "out of tolerance" not in to_svg(draw_chart(chart), "results", chart.title)


def test_every_period_out_of_tolerance_is_marked_in_the_picture(bet: MonitoredBet) -> None:
    chart = make_results_chart(monitor_results(bet, deal(bet, "1", 4, 1, extra_cents=4_000_000), 0.01, 1))
    assert {record["out_of_tolerance"] for record in chart.list_records()} == {True}
    assert "out of tolerance" in to_svg(draw_chart(chart), "results", chart.title)


def test_without_stakes_there_is_no_picture(bet: MonitoredBet) -> None:
    names = dict.fromkeys(bet.nets, 0) | {"lose": 1_000}
    row = ResultRow("row", "1", "day 0", 1_000, 500_000, 0, None, None, names)
    with pytest.raises(MonitorError) as refused:
        make_results_chart(monitor_results(bet, [row], 0.01, 1))
    assert refused.value.code == "no-picture"


@pytest.mark.parametrize("tables", [1, 2, 3, MOST_TABLES])
def test_every_text_of_the_picture_is_within_it_and_the_legend_covers_none(bet: MonitoredBet, tables: int) -> None:
    rows = [row for table in range(tables) for row in deal(bet, str(table), 3, table, 40_000 * (table % 2))]
    figure = draw_chart(make_results_chart(monitor_results(bet, rows, 0.01, 1)))
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.texts]
    assert len(boxes) == 2
    for box in boxes:
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1
    (legend,) = figure.legends
    assert not any(legend.get_window_extent().overlaps(box) for box in boxes)
    labels = [axes.yaxis.get_tightbbox() for axes in figure.axes]
    assert not any(legend.get_window_extent().overlaps(box) for box in labels if box)
