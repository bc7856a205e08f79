"""Monitoring on simulated months: no more false alarms than stated, and planted faults are found."""

from collections import Counter
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitboss as pb
from cli.conftest import KNOWN, SOLVED
from monitored import load_known_bet
from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.monitoring import BetTests, monitor_results
from pitboss.analysis.sequential_test import SequentialTest
from pitboss.analysis.table_results import ResultRow
from pitboss.strategies import load_strategies
from tiers import keep_first

ROOT = Path(__file__).parents[2]
DAYS, WAGERS = 30, 2_000
RATES = (0.2, 0.05, 0.01)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module that simulates months, whose figures docs/monitor.md has."""
    monkeypatch.syspath_prepend(str(ROOT))
    return import_module("bench.monitoring")


def count_alarms(bench: Any, tests: BetTests, months: Any) -> list[float]:
    """Return the part of months with an alarm, at each rate."""
    return [float((bench.combine_alarms(bench.find_first_alarms(tests, months, rate)) > 0).mean()) for rate in RATES]


def test_honest_months_raise_no_more_alarms_than_stated(bench: Any) -> None:
    bet = load_known_bet("shifting-wilds", "blackjack-bonus")
    found = count_alarms(bench, bench.make_tests(bet), bench.simulate_months(bet, 2_000, DAYS, seed=1))
    assert all(part <= rate for part, rate in zip(found, RATES, strict=True))
    assert 0 < found[1] < found[0]


@pytest.mark.long
@pytest.mark.parametrize(("game", "bet"), [("six-card", "aces-up"), ("wild-52", "bonus")])
def test_ten_thousand_honest_months_raise_no_more_alarms_than_stated(bench: Any, game: str, bet: str) -> None:
    known = load_known_bet(game, bet)
    found = count_alarms(bench, bench.make_tests(known), bench.simulate_months(known, 10_000, DAYS, bench.SEED))
    assert all(part <= rate for part, rate in zip(found, RATES, strict=True))
    assert 0 < found[2] < found[1] < found[0]


@pytest.mark.long
@pytest.mark.compiled
def test_months_dealt_to_six_seats_raise_no_more_alarms_than_stated(bench: Any) -> None:
    for bet, months in bench.deal_months("six-card", 1_000, bench.SEED).items():
        known = load_known_bet("six-card", bet)
        shared = 6 if bet in {"main", "bad-beat"} else 1
        found = count_alarms(bench, bench.make_tests(known, shared), months)
        assert all(part <= rate for part, rate in zip(found, RATES, strict=True)), bet


def test_the_arrays_of_months_are_judged_as_the_command_judges_rows(bench: Any) -> None:
    bet = load_known_bet("six-card", "aces-up")
    fault = bench.Fault("flush", None, "flush", 1.0, 12)
    months = bench.simulate_months(bet, 3, DAYS, 7, fault)
    tests = bench.make_tests(bet)
    first = bench.find_first_alarms(tests, months, 0.01)
    for month in range(3):
        rows = [
            ResultRow(
                place=f"row {day}",
                table="1",
                period=str(day + 1),
                rounds=WAGERS,
                staked_cents=WAGERS * 500,
                returned_cents=500 * (WAGERS + int(months.nets[month, day])),
                stake_cents=500,
                counts={name: int(hits[month, day]) for name, hits in months.hits.items()},
            )
            for day in range(DAYS)
        ]
        (table,) = monitor_results(bet, rows, 0.01, 1).tables
        assert {verdict.name: int(verdict.since or 0) for verdict in table.verdicts} == {
            name: int(days[month]) for name, days in first.items()
        }
        assert table.unexplained_since == "1"
    assert (first["return"] > 0).any()


def test_planted_faults_are_found_by_what_they_change(bench: Any) -> None:
    aces_up = load_known_bet("six-card", "aces-up")
    as_pair = bench.Fault("paid as a pair", None, "lose", 1 / 100, 2, "pair-of-aces")
    alarms = bench.find_first_alarms(
        bench.make_tests(aces_up), bench.simulate_months(aces_up, 50, 30, 1, as_pair), 0.01
    )
    assert (alarms["pair-of-aces"] > 0).all()
    assert 4 <= np.median(alarms["pair-of-aces"]) <= 12  # docs/monitor.md: 8
    assert not alarms["flush"].any()
    blackjack = load_known_bet("shifting-wilds", "blackjack-bonus")
    biased = bench.Fault("aces", bench.bias_blackjack(Fraction(1, 10)))
    alarms = bench.find_first_alarms(
        bench.make_tests(blackjack), bench.simulate_months(blackjack, 50, 30, 1, biased), 0.01
    )
    first = bench.combine_alarms(alarms)
    assert (first > 0).all()
    assert 4 <= np.median(first) <= 12  # docs/monitor.md: 7


def test_an_unbiased_shuffle_has_the_chances_of_the_sheet(bench: Any) -> None:
    counts = [int(count) for count in KNOWN["shifting-wilds", "blackjack-bonus"].split()]
    assert list(bench.bias_blackjack(Fraction(0)).values()) == pytest.approx([each / sum(counts) for each in counts])


# Plays other than the best one.


def find_highest_excess(bet: MonitoredBet, counts: Counter[str]) -> float:
    """Return how far a play's cumulants around the best play's mean exceed the best play's, relatively, at any tilt."""
    test = SequentialTest(bet.results, both_sides=False)
    mean, total = float(bet.results.mean), sum(counts.values())
    moments = sum(count / total * np.exp(test.tilts * (float(bet.nets[name]) - mean)) for name, count in counts.items())
    return float((np.log(moments) / test.compute_cumulants()).max()) - 1


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("game", keep_first(["wild-six-card", "six-card", "lunar", "shifting-wilds"], 1))
def test_no_strategy_has_larger_cumulants_than_the_best_play(bench: Any, game: str) -> None:
    """So the test stays at its rate however people play; 1 % is the sampling error of the practical strategies."""
    verify_strategies(load_known_bet(game, "main") if game in SOLVED else bench.load_bet(game, "main"))


@pytest.mark.long
@pytest.mark.compiled
def test_no_strategy_of_wild_52_has_larger_cumulants_than_its_best_play(bench: Any) -> None:
    verify_strategies(bench.load_bet("wild-52", "main"))


def verify_strategies(bet: MonitoredBet) -> None:
    """Simulate every named strategy, and compare its cumulants with those of the best play."""
    game = bet.sheet.game
    for strategy in load_strategies(game):
        counts = pb.game(game.id).simulate(1_000_000, strategy.id, seed=3, stakes={"main": 1}).counts["main"]
        assert find_highest_excess(bet, Counter(counts)) < 0.01, strategy.id


def test_a_wilder_play_with_the_same_mean_would_be_seen() -> None:
    """The measure of excess can fail: play that doubles every net around the mean has larger cumulants."""
    bet = load_known_bet("six-card", "main")
    counts = Counter({"play-win-qualified": 49, "play-lose-qualified": 51})
    assert find_highest_excess(bet, counts) > 0.1
