"""Sessions against every path written out, against closed forms, and cut short."""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb, sqrt

import pytest

from pitboss.core.errors import SessionError
from pitboss.simulate.session_distribution import (
    COURSE_PERCENTS,
    MAX_ROUNDS,
    Pace,
    SessionDistribution,
    compute_session,
)
from refusals import refusal

UNEVEN = {-3: 5, -1: 11, 0: 4, 2: 9, 40: 1}


def every_path(
    nets: Mapping[int, int], rounds: int, bankroll: int | None, needed: int
) -> tuple[dict[int, Fraction], list[Fraction]]:
    """Write out every path: the probability of each result, and of being ruined by each round."""
    total = sum(nets.values())
    results: dict[int, Fraction] = defaultdict(Fraction)
    ruined = [Fraction()] * (rounds + 1)
    for path in product(nets, repeat=rounds):
        chance, result = Fraction(1), 0
        for net in path:
            chance *= Fraction(nets[net], total)
        for done, net in enumerate(path, start=1):
            result += net
            if bankroll is not None and bankroll + result < needed:
                for later in range(done, rounds + 1):
                    ruined[later] += chance
                break
        results[result] += chance
    return results, ruined


def as_dict(found: SessionDistribution) -> dict[int, float]:
    return {found.lowest + i: chance for i, chance in enumerate(found.probabilities.tolist()) if chance}


@pytest.mark.parametrize(("bankroll", "needed"), [(None, 1), (3, 1), (3, 3), (7, 2), (1000, 5)])
@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_it_is_the_sum_over_every_path(rounds: int, bankroll: int | None, needed: int) -> None:
    results, ruined = every_path(UNEVEN, rounds, bankroll, needed)
    found = compute_session(UNEVEN, rounds, bankroll, needed)
    assert as_dict(found) == pytest.approx({result: float(chance) for result, chance in results.items()}, abs=1e-15)
    assert found.ruined_by.tolist() == pytest.approx([float(each) for each in ruined], abs=1e-15)
    mean = sum(result * chance for result, chance in results.items())
    spread = sum((result - mean) ** 2 * chance for result, chance in results.items())
    assert found.mean == pytest.approx(float(mean))
    assert found.standard_deviation == pytest.approx(sqrt(spread))
    assert found.probability_ahead == pytest.approx(
        float(sum(chance for result, chance in results.items() if result > 0))
    )
    assert found.probability_even == pytest.approx(float(results[0]))
    for percent in (1, 25, 50, 90, 99.9):
        at = found.percentile(percent)
        assert sum(chance for result, chance in results.items() if result <= at) >= Fraction(percent) / 100
        assert sum(chance for result, chance in results.items() if result < at) < Fraction(percent) / 100


def test_its_course_is_that_of_the_sessions_that_end_there() -> None:
    found = compute_session(UNEVEN, 300, bankroll=20, round_cost=2)
    assert found.course_rounds[0] == 1
    assert found.course_rounds[-1] == 300
    for at, percentiles in list(zip(found.course_rounds.tolist(), found.course.tolist(), strict=True))[::40]:
        shorter = compute_session(UNEVEN, at, bankroll=20, round_cost=2)
        assert percentiles == [shorter.percentile(percent) for percent in COURSE_PERCENTS]


def test_a_long_run_of_even_chances_is_binomial() -> None:
    found = as_dict(compute_session({1: 1, -1: 1}, 1000))
    exact = {2 * wins - 1000: comb(1000, wins) / 2**1000 for wins in range(1001)}
    assert all(abs(found.get(result, 0.0) - chance) < 1e-13 for result, chance in exact.items())


@pytest.mark.parametrize("bankroll", [1, 5])
def test_a_gambler_with_an_edge_is_ruined_as_huygens_says(bankroll: int) -> None:
    found = compute_session({1: 6, -1: 4}, 3000, bankroll)
    assert found.risk_of_ruin == pytest.approx((4 / 6) ** bankroll, abs=1e-12)


def test_what_is_cut_off_is_told_and_too_small_to_print() -> None:
    found = compute_session({-2: 60_000, 2: 58_000, 500: 1}, 500, bankroll=60)
    assert abs(found.neglected_probability) < 1e-11
    assert 0 < found.risk_of_ruin < 1


def test_one_that_is_always_ruined_leaves_nobody_playing() -> None:
    found = compute_session({-1: 1}, 10, bankroll=4)
    assert as_dict(found) == {-4: 1.0}
    assert found.ruined_by.tolist() == [0.0] * 4 + [1.0] * 7


@pytest.mark.parametrize(
    ("nets", "rounds", "bankroll", "needed", "code"),
    [
        (UNEVEN, 0, None, 1, "out-of-range"),
        (UNEVEN, MAX_ROUNDS + 1, None, 1, "out-of-range"),
        ({1: 0}, 1, None, 1, "too-few-rounds"),
        (UNEVEN, 1, 1, 2, "bankroll-too-small"),
    ],
)
def test_what_cannot_be_a_session_is_refused(
    nets: Mapping[int, int], rounds: int, bankroll: int | None, needed: int, code: str
) -> None:
    with pytest.raises(SessionError, check=refusal(code)):
        compute_session(nets, rounds, bankroll, needed)


def test_a_pace_makes_rounds_hours_and_what_the_house_wins_in_one() -> None:
    pace = Pace(rounds_per_hour=40, seats=6)
    assert pace.compute_hours(100) == Fraction(5, 2)
    assert pace.compute_house_win(Fraction(-1, 80)) == 3


LONG_SESSION = """
from pitboss.simulate.session_distribution import compute_session
session = compute_session({-1_000: 700, 1_000: 250, -500: 120, 7_300: 20}, 120, 50_000, 1_000)
print(session.mean.hex(), session.standard_deviation.hex())
"""


@pytest.mark.more
def test_no_digit_depends_on_how_many_cores_there_are() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", LONG_SESSION],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(printed) == 1
