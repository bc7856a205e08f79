"""Judge actual results of tables against the exact distribution of a bet.

The stated rate of false alarms is that of the whole report: the chance that honest results of all tables ever make any
test leave its band.  It is divided equally over the tables.  At each table half of it is the return's and half the
lines', equally; if only one of them is judged, it has all.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from math import exp, log
from typing import NamedTuple

import numpy as np

from pitboss.analysis.exact_par_sheet import compute_par_sheet, get_bounded_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.monitor_report import BandVerdict, MonitorReport, TableReport
from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.period_runs import PeriodChances, find_runs
from pitboss.analysis.sequential_test import Floats, SequentialTest
from pitboss.analysis.table_results import ResultRow, compute_line_net_cents
from pitboss.contract import Game, Wager
from pitboss.core.errors import MonitorError, quote
from pitboss.core.progress import ProgressCallback

FALSE_ALARMS = 0.01
"""The default rate: one honest report in a hundred, at most, ever raises an alarm."""

_MOST_FALSE_ALARMS = 0.5
_RETURN = "return"
_RATE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,9})?)(%?)")


def parse_false_alarms(text: str) -> float:
    """Parse a rate of false alarms.

    >>> parse_false_alarms("1%"), parse_false_alarms("0.001")
    (0.01, 0.001)

    Raises:
        MonitorError: it is not above 0 and at most 50%.
    """
    match = _RATE.fullmatch(text)
    rate = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    return verify_false_alarms(rate, text)


def verify_false_alarms(rate: float, given: object) -> float:
    """Return a rate of false alarms that is possible, or raise MonitorError."""
    if not 1e-12 <= rate <= _MOST_FALSE_ALARMS:
        raise MonitorError(
            f"the rate of false alarms is {quote(given)}: write more than 0 and at most 50%, for example 1%",
            code="invalid-rate",
            rate=quote(given),
        )
    return rate


def prepare_bet(game: Game, wager: Wager, terms: GameTerms, progress: ProgressCallback) -> MonitoredBet:
    """Return a bet with its exact sheet.

    Raises:
        MonitorError: its best play is not known, and finding it takes minutes.
        WagerError: it has no exact sheet.
    """
    sheet = get_bounded_sheet(game, wager, terms, progress) or compute_par_sheet(game, wager, terms, progress)
    return MonitoredBet(sheet)


class BetTests:
    """The tests of a bet, made once for all tables: of its return and its lines."""

    def __init__(self, bet: MonitoredBet, shared: int, lines: Iterable[str], *, has_return: bool) -> None:
        """Make the tests of ``lines``, and with ``has_return`` that of the return."""
        self.bet = bet
        possible = [name for name in lines if 0 < bet.chances[name] < 1]
        self.lines = {name: SequentialTest(bet.get_line_distribution(name), shared=shared) for name in possible}
        self.result = (
            SequentialTest(bet.results, shared=shared, both_sides=not bet.depends_on_play) if has_return else None
        )
        # What wagers that share cards or plays win together is not known.
        is_known = has_return and shared == 1 and not bet.depends_on_play
        self.periods = PeriodChances(bet.results) if is_known else None

    def divide(self, rate: float) -> tuple[float, float]:
        """Divide a table's rate of false alarms: the return's part, and each line's."""
        if not self.lines:
            return rate, 0.0
        if self.result is None:
            return 0.0, rate / len(self.lines)
        return rate / 2, rate / 2 / len(self.lines)


def monitor_results(
    bet: MonitoredBet, rows: Sequence[ResultRow], false_alarms: float, shared: int, skipped: tuple[str, ...] = ()
) -> MonitorReport:
    """Judge results (``table_results.verify_result_rows``) at a rate of false alarms.

    Up to ``shared`` wagers of a round depend on the same cards.  ``skipped`` are tables of a ledger with other rules.
    """
    by_table: dict[str, list[ResultRow]] = {}
    for row in rows:
        by_table.setdefault(row.table, []).append(row)
    has_return = not bet.has_meter and all(row.stake_cents is not None for row in rows)
    tests = BetTests(bet, shared, rows[0].counts, has_return=has_return)
    tables = [_judge_table(tests, table, false_alarms, len(by_table)) for table in by_table.values()]
    return MonitorReport(bet, false_alarms, shared, has_return, tuple(rows), tuple(tables), skipped)


def _judge_table(tests: BetTests, rows: Sequence[ResultRow], false_alarms: float, tables: int) -> TableReport:
    periods = group_periods(rows)
    return_rate, line_rate = tests.divide(false_alarms / tables)
    lines = {name: _judge_line(test, name, periods, line_rate) for name, test in tests.lines.items()}
    unexplained, since = _find_unexplained(tests.bet, periods)
    drops = [row.drop_cents for row in rows]
    return TableReport(
        table=rows[0].table,
        periods=tuple(period for period, _ in periods),
        rounds=sum(row.rounds for row in rows),
        staked_cents=sum(row.staked_cents for row in rows),
        returned_cents=sum(row.returned_cents for row in rows),
        drop_cents=None if None in drops else sum(drop for drop in drops if drop is not None),
        result=_judge_return(tests, periods, return_rate),
        lines=lines,
        unexplained_cents=unexplained,
        unexplained_since=since,
        runs=find_runs(tests.periods, [group for _, group in periods]),
        false_alarms=false_alarms,
    )


Periods = Sequence[tuple[str, Sequence[ResultRow]]]


def group_periods(rows: Iterable[ResultRow]) -> list[tuple[str, list[ResultRow]]]:
    """Return the periods of a table with their rows."""
    return [(period, list(group)) for period, group in groupby(rows, key=lambda row: row.period)]


class TestedSeries(NamedTuple):
    """What a test has seen after each period.

    ``sums`` are deviations from the mean, in units, with their cumulants.  ``expected`` is the expected value at the
    end, and ``possible`` are the lowest and the highest that there can be.
    """

    sums: Sequence[Fraction]
    cumulants: Sequence[Floats]
    expected: Fraction
    possible: tuple[Fraction, Fraction]
    unit: int = 1


def _judge_return(tests: BetTests, periods: Periods, rate: float) -> BandVerdict | None:
    """Judge what a table returned, in cents."""
    series = sum_returns(tests, periods)
    return _judge(tests.result, _RETURN, periods, series, rate) if tests.result and series else None


def sum_returns(tests: BetTests, periods: Periods) -> TestedSeries | None:
    """Return what a table returned beyond its expectation after each period.

    Stakes weigh as they are, in units of the table's first stake, which is known before any result.  Return None if
    the return cannot be judged.
    """
    test = tests.result
    unit = next((row.stake_cents for _, group in periods for row in group if row.stake_cents and row.rounds), None)
    if test is None or unit is None:
        return None
    mean, nets = test.distribution.mean, tests.bet.nets.values()
    per_wager: dict[int, Floats] = {}
    sums, cumulants = list[Fraction](), list[Floats]()
    total, stakes, staked, spent = Fraction(0), 0, 0, np.zeros(len(test.tilts))
    for _, group in periods:
        for row in group:
            stake = row.stake_cents or unit
            if stake not in per_wager:
                per_wager[stake] = test.compute_cumulants(stake / unit)
            stakes, staked = stakes + row.rounds * stake, staked + row.staked_cents
            total += row.net_cents - row.rounds * stake * mean
            spent = spent + row.rounds * per_wager[stake]
        sums.append(total / unit)
        cumulants.append(spent)
    possible = (staked + stakes * min(nets), staked + stakes * max(nets))
    return TestedSeries(sums, cumulants, staked + stakes * mean, possible, unit)


def _judge_line(test: SequentialTest, name: str, periods: Periods, rate: float) -> BandVerdict:
    """Judge how often a line was hit."""
    mean, per_wager = test.distribution.mean, test.compute_cumulants()
    rounds = np.cumsum([sum(row.rounds for row in group) for _, group in periods])
    hits = np.cumsum([sum(row.counts[name] for row in group) for _, group in periods])
    sums = [int(hit) - int(number) * mean for hit, number in zip(hits, rounds, strict=True)]
    cumulants = [number * per_wager for number in rounds]
    number = int(rounds[-1])
    series = TestedSeries(sums, cumulants, number * mean, (Fraction(0), Fraction(number)))
    return _judge(test, name, periods, series, rate)


def _judge(test: SequentialTest, name: str, periods: Periods, series: TestedSeries, rate: float) -> BandVerdict:
    """Judge a series, and find the band at its end."""
    threshold = -log(rate)
    evidence = test.compute_evidence(np.array([float(each) for each in series.sums]), np.array(series.cumulants))
    outside = np.flatnonzero(evidence >= threshold)
    low, high = (float(series.expected) + end * series.unit for end in test.find_band(series.cumulants[-1], threshold))
    lowest, highest = (float(end) for end in series.possible)
    first = int(outside[0]) if len(outside) else None
    return BandVerdict(
        name=name,
        observed=series.expected + series.sums[-1] * series.unit,
        expected=series.expected,
        band=(max(lowest, low) if test.both_sides else None, min(highest, high)),
        chance=min(1.0, exp(-float(evidence.max()))),
        rate=rate,
        since=None if first is None else periods[first][0],
        is_high=None if first is None else series.sums[first] > 0,
    )


def _find_unexplained(bet: MonitoredBet, periods: Periods) -> tuple[int | None, str | None]:
    """Return what was returned beyond what the counted lines pay, and since when.

    The difference is None where the lines do not say what is paid.
    """
    total, since = Fraction(0), None
    for period, group in periods:
        for row in group:
            paid = compute_line_net_cents(row, bet)
            if paid is None:
                return None, None
            total += row.net_cents - paid
            if row.net_cents != paid and since is None:
                since = period
    return int(total) if total.denominator == 1 else round(total), since
