"""The data of a picture of monitored results: returns in their bands."""

from collections.abc import Sequence
from math import log

from pitboss.analysis.bet_charts import name_bet
from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.monitor_report import MonitorReport, TableReport
from pitboss.analysis.monitoring import BetTests, group_periods, sum_returns
from pitboss.analysis.table_results import ResultRow
from pitboss.core.errors import MonitorError
from pitboss.core.numbers import format_count

RESULTS = "results"

RESULT_COLUMNS = ("table", "period", "rounds", "difference_cents", "low_cents", "high_cents", "out_of_tolerance")

MOST_TABLES, MOST_PERIODS = 12, 40
"""The most tables in a picture, and the most periods of each."""


def make_results_chart(report: MonitorReport) -> ChartData:
    """Return what tables returned beyond the expectation, in their bands.

    Differences and bands are of all rounds since the first.  Tables out of tolerance come first; of a long series the
    periods are evenly spread, with the last.

    Raises:
        MonitorError: the return is not judged.
    """
    if not report.judges_return:
        raise MonitorError(
            "there is no chart: the return can be tested only if stakes and awards are known",
            code="no-picture",
        )
    tests = BetTests(report.get_monitored_bet(), report.shared, (), has_return=True)
    chosen = sorted(report.tables, key=lambda table: not table.out_of_tolerance)[:MOST_TABLES]
    records = [record for table in chosen for record in _trace_table(tests, table, report.rows)]
    about = (
        "What each table returned beyond its expectation, in dollars, and the band in which honest results stay. "
        f"The chance that they ever leave a band of this report is at most {100 * report.false_alarms:g}%."
    )
    if any(table.result and not table.result.out_of_tolerance for table in chosen if table.out_of_tolerance):
        about += " A table may also be out of tolerance for its lines, or for payments that they do not explain."
    if len(chosen) < len(report.tables):
        about += f" These are {len(chosen)} of {format_count(len(report.tables), 'table')}."
    sheet = report.get_monitored_bet().sheet
    title = f"{name_bet(sheet)}: results against the expectation"
    out = [table.table for table in chosen if table.out_of_tolerance]
    labels = {"bet": report.bet, "false_alarms": report.false_alarms, "out_of_tolerance": out}
    return ChartData(RESULTS, sheet.game.id, title, about, RESULT_COLUMNS, tuple(records), labels)


def _trace_table(
    tests: BetTests, table: TableReport, rows: Sequence[ResultRow]
) -> list[tuple[str, str, int, float, float | None, float, bool]]:
    periods = group_periods(row for row in rows if row.table == table.table)
    series, test = sum_returns(tests, periods), tests.result
    if series is None or test is None or table.result is None:
        return []
    last, count, threshold = len(periods) - 1, min(len(periods), MOST_PERIODS), -log(table.result.rate)
    shown = {round(last * place / max(1, count - 1)) for place in range(count)}
    records, rounds = [], 0
    for place, (period, group) in enumerate(periods):
        rounds += sum(row.rounds for row in group)
        if place in shown:
            total, cumulants = float(series.sums[place]), series.cumulants[place]
            low, high = (end * series.unit for end in test.find_band(cumulants, threshold))
            is_out = bool(test.compute_evidence(total, cumulants) >= threshold)
            band = (low if test.both_sides else None, high)
            records.append((table.table, period, rounds, total * series.unit, *band, is_out))
    return records
