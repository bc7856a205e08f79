"""Compute the distribution of a session's result from the nets of one round.

This gives results, the risk of ruin, hours and winnings.  The nets of a round are integer counts, simulated or exact.
Rounds are independent, so nothing is drawn: the distribution after each round follows from the one before.
Probabilities are floating-point numbers.  The tails that are cut off add up to
``SessionDistribution.neglected_probability``, which is far below anything printed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pitboss.core.errors import SMALLER_PAYS_ADVICE, SessionError
from pitboss.core.float_sums import sum_products
from pitboss.core.progress import ProgressCallback, ignore_progress

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MAX_ROUNDS = 100_000

MAX_SPREAD = 10_000_000
"""The most units between the best and the worst round, because a session stores a probability for every result."""

COURSE_PERCENTS = (5, 25, 50, 75, 95)

_COURSE_POINTS = 200
_NEGLIGIBLE_PROBABILITY = 1e-16
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SessionDistribution:
    """A session that ends when the bankroll does not cover another round.

    It has at most ``rounds`` rounds.  ``probabilities[i]`` is the probability of a result of ``lowest + i``, in the
    units of the nets; ``ruined_by[n]`` is the probability of ruin within ``n`` rounds; ``neglected_probability`` is 1
    minus the sum of the probabilities.  ``course`` has a row for each of the rounds ``course_rounds`` with the
    percentiles ``COURSE_PERCENTS``.
    """

    rounds: int
    lowest: int
    probabilities: Floats
    ruined_by: Floats
    course_rounds: Integers
    course: Integers

    @property
    def risk_of_ruin(self) -> float:
        """The probability that the bankroll does not last."""
        return float(self.ruined_by[-1])

    @property
    def neglected_probability(self) -> float:
        """The probability of the results that were cut off as too rare."""
        return 1.0 - float(self.probabilities.sum())

    @property
    def mean(self) -> float:
        """The mean result."""
        return sum_products(self._results, self.probabilities)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the result."""
        return sqrt(sum_products((self._results - self.mean) ** 2, self.probabilities))

    @property
    def probability_ahead(self) -> float:
        """The probability of a result above zero."""
        return float(self.probabilities[self._results > 0].sum())

    @property
    def probability_even(self) -> float:
        """The probability of a result of zero."""
        return float(self.probabilities[self._results == 0].sum())

    def percentile(self, percent: float) -> int:
        """Return the lowest result that at least ``percent`` of sessions do not exceed."""
        return _find_percentile(self.lowest, self.probabilities, percent)

    @cached_property
    def _results(self) -> Floats:
        return self.lowest + np.arange(len(self.probabilities), dtype=np.float64)


def compute_session(
    nets: Mapping[int, int],
    rounds: int,
    bankroll: int | None = None,
    round_cost: int = 1,
    progress: ProgressCallback = ignore_progress,
) -> SessionDistribution:
    """Compute the distribution of the result of a session of ``rounds`` rounds.

    ``nets`` has the weight of each net of a round: the deals that end in it.  With a ``bankroll`` the session ends as
    soon as less than ``round_cost``, the most a round may cost, is left.  Nets, bankroll and round cost are whole
    numbers of one unit, and so are ``lowest`` and the steps of ``probabilities`` in what is returned.

    >>> fair = compute_session({1: 1, -1: 1}, rounds=2)
    >>> fair.lowest, fair.probabilities.tolist()
    (-2, [0.25, 0.0, 0.5, 0.0, 0.25])
    >>> compute_session({1: 1, -1: 1}, rounds=3, bankroll=1).risk_of_ruin  # lost at once, or after a win and two losses
    0.625

    Raises:
        SessionError: there are no rounds, or too many; no nets; or the bankroll does not cover the first round.
    """
    verify_session(rounds, bankroll, round_cost)
    if not any(nets.values()):
        message = "a session needs the nets of simulated rounds: simulate at least one round"
        raise SessionError(message, code="too-few-rounds")
    nets_in_order, probabilities = _sort_nets(nets)
    min_result = None if bankroll is None else round_cost - bankroll  # results below it end the session
    lowest, playing = 0, np.ones(1)
    finished: dict[int, float] = {}
    ruined_by = np.zeros(rounds + 1)
    course_rounds = np.unique(np.linspace(1, rounds, min(rounds, _COURSE_POINTS)).round().astype(np.int64))
    course: list[list[int]] = []
    for done in range(rounds):
        lowest, playing = _convolve_round(lowest, playing, nets_in_order, probabilities)
        if min_result is not None and lowest < min_result:
            ended, playing = playing[: min_result - lowest], playing[min_result - lowest :]
            for result, chance in enumerate(ended.tolist(), start=lowest):
                finished[result] = finished.get(result, 0.0) + chance
            lowest = min_result
        ruined_by[done + 1] = sum(finished.values())
        lowest, playing = _trim_ends(lowest, playing)
        if done + 1 == course_rounds[len(course)]:
            results = _merge_finished(lowest, playing, finished)
            course.append([_find_percentile(*results, percent) for percent in COURSE_PERCENTS])
        progress(done + 1, rounds)
    return SessionDistribution(
        rounds, *_merge_finished(lowest, playing, finished), ruined_by, course_rounds, np.array(course)
    )


def verify_session(
    rounds: int, bankroll: Fraction | int | None, round_cost: Fraction | int, unit: str = "units"
) -> None:
    """Check a session's rounds and bankroll (raises as ``compute_session``).

    This needs no nets yet.  ``unit`` names what bankroll and cost are in.
    """
    if not 1 <= rounds <= MAX_ROUNDS:
        message = f"a session has 1 to {MAX_ROUNDS:,} rounds, not {rounds:,}"
        raise SessionError(message, code="out-of-range", most=MAX_ROUNDS, rounds=rounds)
    if bankroll is not None and bankroll < round_cost:
        message = (
            f"a bankroll of {float(bankroll):g} does not cover the first round, which may cost "
            f"{float(round_cost):g} {unit}: give a larger bankroll"
        )
        raise SessionError(message, code="bankroll-too-small", bankroll=bankroll, round_cost=round_cost)


def _sort_nets(nets: Mapping[int, int]) -> tuple[Sequence[int], Floats]:
    """Return the nets in ascending order, and the probability of each."""
    total = sum(nets.values())
    spread = max(nets) - min(nets)
    if spread > MAX_SPREAD:
        message = f"results {spread:,} units apart are too many for a session ({MAX_SPREAD:,}): {SMALLER_PAYS_ADVICE}"
        raise SessionError(
            message,
            code="results-too-far-apart",
            spread=spread,
            most=MAX_SPREAD,
            smaller_pays_advice=SMALLER_PAYS_ADVICE,
        )
    nets_in_order = sorted(net for net, count in nets.items() if count)
    return nets_in_order, np.array([nets[net] / total for net in nets_in_order])


def _convolve_round(lowest: int, playing: Floats, nets: Sequence[int], probabilities: Floats) -> tuple[int, Floats]:
    """Return the distribution after one more round."""
    after = np.zeros(len(playing) + nets[-1] - nets[0])
    for net, chance in zip(nets, probabilities.tolist(), strict=True):
        first = net - nets[0]
        after[first : first + len(playing)] += chance * playing
    return lowest + nets[0], after


def _trim_ends(lowest: int, playing: Floats) -> tuple[int, Floats]:
    """Cut off the negligible results at each end, by their total probability."""
    if not len(playing):
        return lowest, playing
    first = int(np.searchsorted(np.cumsum(playing), _NEGLIGIBLE_PROBABILITY, side="right"))
    last = int(np.searchsorted(np.cumsum(playing[::-1]), _NEGLIGIBLE_PROBABILITY, side="right"))
    trimmed = playing[first : len(playing) - last]
    return lowest + first, trimmed


def _find_percentile(lowest: int, probabilities: Floats, percent: float) -> int:
    """Return the result at a percentile.

    It is the lowest result that at least ``percent`` of the probability does not exceed.
    """
    below = np.cumsum(probabilities)
    return lowest + int(np.searchsorted(below, percent / 100 * below[-1] - _ROUNDING))


def _merge_finished(lowest: int, playing: Floats, finished: Mapping[int, float]) -> tuple[int, Floats]:
    """Merge the results of sessions still playing with those that ended before."""
    ends = [*finished, *([lowest, lowest + len(playing) - 1] if len(playing) else [])]
    first = min(ends)
    merged = np.zeros(max(ends) - first + 1)
    merged[lowest - first : lowest - first + len(playing)] += playing
    for result, chance in finished.items():
        merged[result - first] += chance
    return first, merged


@dataclass(frozen=True, slots=True)
class Pace:
    """A table's pace: rounds an hour, and the number of seats that play them."""

    rounds_per_hour: int
    seats: int = 1

    def compute_hours(self, rounds: int) -> Fraction:
        """Return the hours that a session takes."""
        return Fraction(rounds, self.rounds_per_hour)

    def compute_house_win(self, mean_net: Fraction) -> Fraction:
        """Return the house's win an hour, in the unit of a seat's mean net per round."""
        return -mean_net * self.rounds_per_hour * self.seats
