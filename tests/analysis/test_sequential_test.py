"""The test of sums: exact cumulants, a martingale of mean 1, and never more alarms than stated."""

from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import product
from math import exp, log, prod
from typing import Any

import numpy as np
import pytest

from monitored import load_known_bet
from pitboss.analysis.sequential_test import HORIZONS, INFORMATION, KnownDistribution, SequentialTest

SMALL = KnownDistribution({Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 3), Fraction(5): Fraction(1, 6)})
COUNTED = [("six-card", "aces-up"), ("wild-52", "bonus"), ("shifting-wilds", "blackjack-bonus")]


def counted(game_id: str, bet: str) -> tuple[dict[Fraction, int], KnownDistribution]:
    """Return the deals by net of a bet, and their distribution."""
    known = load_known_bet(game_id, bet)
    deals: dict[Fraction, int] = {}
    for line in known.sheet.lines:
        deals[line.net] = deals.get(line.net, 0) + line.deals
    return deals, known.results


@pytest.mark.parametrize(("game_id", "bet"), COUNTED)
def test_cumulants_are_those_of_the_integer_counts_in_fifty_digits(game_id: str, bet: str) -> None:
    getcontext().prec = 50
    deals, distribution = counted(game_id, bet)
    total = Decimal(sum(deals.values()))
    mean = sum(Decimal(int(net)) * number for net, number in deals.items()) / total
    tilts = SequentialTest(distribution).tilts
    for tilt, found in zip(tilts, distribution.compute_cumulants(tilts), strict=True):
        exact = Decimal(float(tilt))
        moment = sum(number * (exact * Decimal(int(net))).exp() for net, number in deals.items()) / total
        assert float(moment.ln() - exact * mean) == pytest.approx(found, rel=1e-7)


def test_the_evidence_of_a_horizon_is_known_before() -> None:
    """What a tilt gains is t K' - K, its slope here a difference of cumulants."""
    tilts, step = SMALL.find_tilts(1), 1e-6
    slopes = (SMALL.compute_cumulants(tilts * (1 + step)) - SMALL.compute_cumulants(tilts * (1 - step))) / (
        2 * step * tilts
    )
    gained = tilts * slopes - SMALL.compute_cumulants(tilts)
    assert gained == pytest.approx((INFORMATION / HORIZONS)[-len(tilts) :], rel=1e-3)


def test_a_horizon_too_short_for_a_line_is_left_out() -> None:
    rare = KnownDistribution({Fraction(0): Fraction(999_999, 1_000_000), Fraction(1): Fraction(1, 1_000_000)})
    assert len(rare.find_tilts(1)) == len(HORIZONS)
    assert len(rare.find_tilts(-1)) == sum(1 for wagers in HORIZONS if wagers > INFORMATION * 1_000_000)


@pytest.mark.parametrize("stakes", [(1, 1, 1, 1), (1, 3, 2, 5)])
@pytest.mark.parametrize("both_sides", [True, False])
def test_honest_evidence_has_mean_one_over_every_sequence_of_results(stakes: tuple[int, ...], both_sides: Any) -> None:
    test = SequentialTest(SMALL, both_sides=both_sides)
    cumulants = sum((test.compute_cumulants(stake) for stake in stakes), np.zeros(len(test.tilts)))
    total = 0.0
    for results in product(SMALL.probabilities, repeat=len(stakes)):
        chance = prod((SMALL.probabilities[each] for each in results), start=Fraction(1))
        deviation = sum(stake * (each - SMALL.mean) for stake, each in zip(stakes, results, strict=True))
        total += float(chance) * exp(float(test.compute_evidence(float(deviation), cumulants)))
    assert total == pytest.approx(1, abs=1e-12)


def test_a_day_looked_at_once_or_ten_times_is_ever_out_as_seldom_as_stated() -> None:
    """Every sequence of ten wagers, stopped at the first alarm: the mean stays 1, the chance below the rate."""
    rate = 0.2
    test = SequentialTest(SMALL)
    per_wager, threshold = test.compute_cumulants(), -log(rate)
    chances, stopped, mean = {Fraction(0): Fraction(1)}, Fraction(0), 0.0
    for wagers in range(1, 11):
        after: dict[Fraction, Fraction] = {}
        for total, chance in chances.items():
            for result, part in SMALL.probabilities.items():
                after[total + result] = after.get(total + result, Fraction(0)) + chance * part
        chances = {}
        for total, chance in after.items():
            evidence = float(test.compute_evidence(float(total - wagers * SMALL.mean), wagers * per_wager))
            if evidence >= threshold:
                stopped += chance
                mean += float(chance) * exp(evidence)
            else:
                chances[total] = chance
                mean += float(chance) * exp(evidence) if wagers == 10 else 0
    assert mean == pytest.approx(1, abs=1e-12)
    assert 0 < stopped <= rate


@pytest.mark.parametrize("both_sides", [True, False])
def test_a_band_is_where_the_evidence_is_below_the_threshold(both_sides: Any) -> None:
    test = SequentialTest(counted("wild-52", "bonus")[1], both_sides=both_sides)
    for wagers in (1, 1_000, 10**6, 10**9):
        cumulants = wagers * test.compute_cumulants()
        low, high = test.find_band(cumulants, 5.0)
        assert (low == float("-inf")) is not both_sides
        for end in (low, high) if both_sides else (high,):
            assert float(test.compute_evidence(end, cumulants)) == pytest.approx(5, abs=1e-6)
            assert float(test.compute_evidence(0.99 * end, cumulants)) < 5
            assert float(test.compute_evidence(1.01 * end, cumulants)) > 5


def test_wagers_that_share_their_cards_are_allowed_for() -> None:
    """Six seats that win and lose together: with ``shared`` the mean is at most 1; without, it would be far above."""

    def mean_of_a_round(shared: int) -> float:
        test = SequentialTest(SMALL, shared=shared)
        cumulants = 6 * test.compute_cumulants()
        return sum(
            float(chance) * exp(float(test.compute_evidence(float(6 * (result - SMALL.mean)), cumulants)))
            for result, chance in SMALL.probabilities.items()
        )

    assert mean_of_a_round(6) <= 1 + 1e-12
    assert mean_of_a_round(1) > 1.5
