"""What follows from counts: compared with the rounds themselves, listed one by one."""

from fractions import Fraction
from itertools import combinations
from math import isclose, sqrt

import numpy as np
import pytest

from pitboss.simulate.block_kernel import compute_strides
from pitboss.simulate.outcome_counts import OutcomeCounts, SampleStatistics, compute_offsets, parse_counts
from pitboss.simulate.seat_covariance import count_seat_pairs, lay_out_outcomes, list_pair_counts

OUTCOMES = (3, 2, 4)
NETS = [
    [Fraction(-1), Fraction(0), Fraction(7, 2)],
    [Fraction(1), Fraction(-2)],
    [Fraction(10**6), Fraction(-1), Fraction(-1, 3), Fraction(0)],
]
WEIGHTS: list[list[Fraction | int]] = [[1, 0, 0], [0, 0, 1], [Fraction(1), Fraction(1, 2), Fraction(3)]]


def listed(seats: int, rounds: int = 200) -> np.ndarray:
    """List outcomes of shape (rounds, seats, wagers); seats of one round are alike in their last wager."""
    random = np.random.default_rng(5)
    outcomes = random.integers(0, OUTCOMES, (rounds, seats, 3))
    outcomes[:, :, 2] = outcomes[:, :1, 2]
    return outcomes


def counted(outcomes: np.ndarray) -> OutcomeCounts:
    """Count rounds as the kernels do."""
    rounds, seats, _ = outcomes.shape
    cells = (outcomes * compute_strides(OUTCOMES)).sum(axis=2)
    across = np.zeros((sum(OUTCOMES), sum(OUTCOMES)), np.int64)
    count_seat_pairs(cells, lay_out_outcomes(OUTCOMES), across)
    met, times = np.unique(cells, return_counts=True)
    return OutcomeCounts(
        OUTCOMES, seats, rounds, dict(zip(met.tolist(), times.tolist(), strict=True)), list_pair_counts(across)
    )


def nets_of(outcomes: np.ndarray, weights: list[Fraction | int]) -> list[list[Fraction]]:
    """Return what each seat nets in each round."""
    return [
        [sum((x * NETS[w][o] for w, (x, o) in enumerate(zip(weights, seat, strict=True))), Fraction()) for seat in each]
        for each in outcomes.tolist()
    ]


@pytest.mark.compiled
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("seats", [1, 2, 5])
def test_figures_are_those_of_the_rounds(seats: int, weights: list[Fraction | int]) -> None:
    outcomes = listed(seats)
    figures, nets = SampleStatistics(counted(outcomes), NETS), nets_of(outcomes, weights)
    every = [net for each in nets for net in each]
    mean = sum(every, Fraction()) / len(every)
    assert figures.mean(weights) == mean
    assert figures.variance(weights) == sum((net - mean) ** 2 for net in every) / len(every)
    totals = [sum(each, Fraction()) for each in nets]
    spread = sum((total - seats * mean) ** 2 for total in totals) / (len(totals) - 1)
    assert isclose(figures.standard_error(weights), sqrt(spread / len(totals)) / seats, rel_tol=1e-12)
    histogram = figures.histogram(weights)
    assert list(histogram) == sorted(set(every))
    assert all(every.count(net) == times for net, times in histogram.items())


@pytest.mark.compiled
def test_covariances_are_those_of_the_rounds() -> None:
    outcomes = listed(2)
    figures = SampleStatistics(counted(outcomes), NETS)
    for one, other in combinations(WEIGHTS, 2):
        x, y = ([net for each in nets_of(outcomes, weights) for net in each] for weights in (one, other))
        wanted = sum(a * b for a, b in zip(x, y, strict=True)) / len(x) - sum(x) / len(x) * (sum(y) / len(y))
        assert figures.covariance(one, other) == wanted == figures.covariance(other, one)
        assert isclose(figures.correlation(one, other), float(np.corrcoef(np.array([x, y], float))[0, 1]), abs_tol=1e-9)
    assert SampleStatistics(OutcomeCounts((1,), 1, 2, {0: 2}), [[Fraction(1)]]).correlation([1], [1]) == 0


@pytest.mark.compiled
def test_what_two_runs_counted_adds_up_and_survives_as_text() -> None:
    outcomes = listed(3)
    whole, first, rest = counted(outcomes), counted(outcomes[:70]), counted(outcomes[70:])
    assert first + rest == whole == rest + first
    assert parse_counts(first.as_text()) + parse_counts(rest.as_text()) == whole
    assert whole.rounds == 200
    assert [whole.count_wager(w) for w in range(3)] == [
        tuple(np.bincount(outcomes[:, :, w].ravel(), minlength=count).tolist()) for w, count in enumerate(OUTCOMES)
    ]
    joint = whole.count_joint(0, 2)
    assert [sum(row) for row in joint] == list(whole.count_wager(0))
    assert [sum(column) for column in zip(*joint, strict=True)] == list(whole.count_wager(2))
    assert joint[1][3] == int(((outcomes[:, :, 0] == 1) & (outcomes[:, :, 2] == 3)).sum())


def test_a_single_round_has_no_error_yet() -> None:
    assert SampleStatistics(OutcomeCounts((2,), 1, 1, {1: 1}), [[Fraction(0), Fraction(1)]]).standard_error([1]) == 0
    assert compute_offsets(OUTCOMES) == (0, 3, 5)
