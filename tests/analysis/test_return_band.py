"""Bands of the return agree with whole-number convolution, with sessions, with the binomial and with simulation."""

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import pitboss
from pitboss.analysis.return_band import CONFIDENCES, MAX_POINTS, ReturnBand, compute_return_bands
from pitboss.core.errors import SessionError
from pitboss.simulate.session_distribution import compute_session

from .test_round_exposure import make_sheet

Nets = Mapping[Fraction, int]

ACES_UP = {
    Fraction(net): deals
    for net, deals in (
        (500, 188),
        (100, 1656),
        (30, 14664),
        (9, 165984),
        (8, 205792),
        (7, 361620),
        (4, 732160),
        (2, 2532816),
        (1, 751332),
        (-1, 15592308),
    )
}
METER = {
    Fraction(1234567, 100) - 1: 188,
    Fraction(123456, 100) - 1: 1656,
    Fraction(99): 14664,
    Fraction(24): 165984,
    Fraction(14): 205792,
    Fraction(9): 361620,
    Fraction(-1): 19608616,
}
"""A progressive of $1 whose meter stands at $12,345.67."""


def convolve(nets: Nets, rounds: int) -> dict[Fraction, int]:
    """Return the weight of each sum of the nets of some rounds, in whole numbers."""
    sums = {Fraction(0): 1}
    for _ in range(rounds):
        after: dict[Fraction, int] = {}
        for before, weight in sums.items():
            for net, times in nets.items():
                after[before + net] = after.get(before + net, 0) + weight * times
        sums = after
    return sums


def find_quantile(sums: Mapping[Fraction, int], level: Fraction) -> Fraction:
    """Return the least sum that is not exceeded with a probability of at least ``level``."""
    total, below = sum(sums.values()), 0
    for each in sorted(sums):
        below += sums[each]
        if below >= level * total:
            return each
    raise AssertionError(level)


def holds(band: ReturnBand, sums: Mapping[Fraction, int], rounds: int) -> bool:
    """Tell whether the exact quantiles are within the band's brackets."""
    tail = (1 - band.confidence) / 2
    low, high = (find_quantile(sums, level) / rounds for level in (tail, 1 - tail))
    return band.low.least <= low <= band.low.most and band.high.least <= high <= band.high.most


rounds_and_nets = st.tuples(
    st.integers(1, 7),
    st.dictionaries(st.fractions(-3, 40, max_denominator=4), st.integers(1, 10**6), min_size=1, max_size=5),
)


@given(rounds_and_nets, st.sampled_from([MAX_POINTS, 24]))
@settings(max_examples=60, deadline=None)
def test_bands_hold_the_quantiles_of_whole_number_convolution(
    given_: tuple[int, dict[Fraction, int]], max_points: int
) -> None:
    rounds, nets = given_
    sums = convolve(nets, rounds)
    for band in compute_return_bands(nets, rounds, max_points=max_points):
        assert holds(band, sums, rounds)
        total = sum(sums.values())
        within = sum(each for net, each in sums.items() if band.low.least <= net / rounds <= band.high.most)
        assert within >= band.confidence * total


@given(rounds_and_nets)
@settings(max_examples=30, deadline=None)
def test_the_normal_band_has_its_true_probability(given_: tuple[int, dict[Fraction, int]]) -> None:
    rounds, nets = given_
    sums = convolve(nets, rounds)
    for band in compute_return_bands(nets, rounds):
        inside = sum(each for net, each in sums.items() if band.normal_low <= net / rounds <= band.normal_high)
        edge = min(abs(float(net / rounds) - end) for net in sums for end in (band.normal_low, band.normal_high))
        if edge > 1e-9:  # else rounding decides on which side a sum lies
            assert band.normal_probability == pytest.approx(inside / sum(sums.values()), abs=2 * band.error)


def test_every_limit_of_aces_up_is_certain_and_that_of_a_session() -> None:
    session = compute_session({int(net): deals for net, deals in ACES_UP.items()}, 400)
    for band in compute_return_bands(ACES_UP, 400):
        percent = float((1 - band.confidence) / 2 * 100)
        assert band.low.least == band.low.most == Fraction(session.percentile(percent), 400)
        assert band.high.least == band.high.most == Fraction(session.percentile(100 - percent), 400)


def test_ten_million_even_money_rounds_are_binomial() -> None:
    rounds, wins = 10**7, Fraction(493, 1000)
    nets = {Fraction(1): wins.numerator, Fraction(-1): wins.denominator - wins.numerator}
    for band in compute_return_bands(nets, rounds):
        tail = float((1 - band.confidence) / 2)
        ends = (2 * int(binom.ppf(level, rounds, float(wins))) - rounds for level in (tail, 1 - tail))
        assert [end.least * rounds for end in (band.low, band.high)] == list(ends)
        assert band.low.least == band.low.most
        assert band.error < 1e-6


@pytest.mark.parametrize("nets", [ACES_UP, METER], ids=["aces-up", "meter"])
def test_simulated_results_are_within_the_band_as_often_as_it_says(nets: Nets) -> None:
    rounds, tries = 100_000, 40_000
    chances = np.array([float(Fraction(deals, sum(nets.values()))) for deals in nets.values()])
    counts = np.random.default_rng(18).multinomial(rounds, chances / chances.sum(), tries)
    results = counts @ np.array([float(net) for net in nets]) / rounds
    for band in compute_return_bands(nets, rounds):
        inside = np.mean((results >= float(band.low.least) - 1e-12) & (results <= float(band.high.most) + 1e-12))
        confidence = float(band.confidence)
        assert abs(inside - confidence) < 5 * (confidence * (1 - confidence) / tries) ** 0.5 + 0.001
        for ends, level in ((band.low, (1 - confidence) / 2), (band.high, (1 + confidence) / 2)):
            deviation = (level * (1 - level) / tries) ** 0.5
            least, most = np.quantile(results, [level - 5 * deviation, level + 5 * deviation])
            assert least - 1e-12 <= float(ends.most)
            assert float(ends.least) <= most + 1e-12


def test_a_coarser_lattice_brackets_what_a_fine_one_finds() -> None:
    rounds = 10_000
    fine = compute_return_bands(METER, rounds, max_points=1 << 23)
    coarse = compute_return_bands(METER, rounds, max_points=1 << 16)
    for one, other in zip(fine, coarse, strict=True):
        assert other.low.least < other.low.most
        assert other.low.least <= one.low.least <= one.low.most <= other.low.most
        assert other.high.least <= one.high.least <= one.high.most <= other.high.most


def test_a_huge_award_still_has_a_band() -> None:
    nets = {Fraction(10**9): 1, Fraction(1): 10**9, Fraction(-1): 11 * 10**8}
    (band,) = compute_return_bands(nets, 10**7, CONFIDENCES[1:2])
    assert band.low.least <= Fraction(-1, 21) <= band.high.most
    assert band.normal_low < -1  # less than can be lost
    assert band.normal_misses > 1


def test_one_net_has_a_band_of_one_value() -> None:
    (band,) = compute_return_bands({Fraction(-3, 2): 7}, isqrt(10**8), CONFIDENCES[:1])
    assert (*band.low, *band.high) == (Fraction(-3, 2),) * 4
    assert band.normal_misses == 0


@pytest.mark.parametrize(("nets", "rounds"), [({}, 1), ({Fraction(1): 0}, 1), ({Fraction(1): 1}, 0)])
def test_no_rounds_or_no_nets_have_no_band(nets: Nets, rounds: int) -> None:
    with pytest.raises(SessionError, match="at least one round and one net"):
        compute_return_bands(nets, rounds)


@pytest.mark.more
def test_rounds_that_are_really_dealt_return_what_the_band_says() -> None:
    """500 simulated runs of 20,000 rounds of Aces Up, each from a seed of its own."""
    game, rounds, runs = pitboss.game("six-card"), 20_000, 500
    nets = {line.outcome.name: line.net for line in make_sheet("six-card", "aces-up").lines}
    averages = []
    for seed in range(runs):
        counts = game.simulate(rounds, seed=seed, stakes={"aces-up": 1}).counts["aces-up"]
        averages.append(sum((nets[name] * times for name, times in counts.items()), Fraction(0)) / rounds)
    for band in compute_return_bands(ACES_UP, rounds):
        confidence = float(band.confidence)
        inside = sum(band.low.least <= average <= band.high.most for average in averages) / runs
        assert abs(inside - confidence) < 4 * (confidence * (1 - confidence) / runs) ** 0.5
