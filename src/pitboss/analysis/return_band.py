"""The band of the return of a bet after many rounds, from its exact distribution.

The nets of a round are whole multiples of a unit.  Modulo M units, the distribution of the sum of n rounds is the
inverse Fourier transform of the n-th power of that of one round.  M is chosen so large that the sum leaves a window of
M units with a probability below ``TAIL_PROBABILITY`` (Chernoff), so nothing else is neglected.  Rare nets off a coarser
lattice, as of a meter in cents, may be rounded to it; Bernstein's inequality bounds what that adds up to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count
from math import ceil, exp, floor, gcd, lcm, log, log2, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.core.errors import SessionError
from pitboss.core.float_sums import sum_products

CONFIDENCES = (Fraction(90, 100), Fraction(95, 100), Fraction(99, 100))
"""The probabilities of the bands that laboratories ask for."""

ROUND_COUNTS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)

TAIL_PROBABILITY = 1e-10
"""The most probability outside the window, and the most of a greater rounding."""

MAX_POINTS = 3 << 19
"""The most points of a transform; a finer lattice is made coarser."""

_ROUNDING = 2.0**-53
_NEGLIGIBLE_LOG = 60.0  # a coefficient below exp(-60) is left out
_SLOPES = np.geomspace(1e-7, 1e2, 400)  # of Chernoff's bound, per standard deviation; any slope gives a valid bound

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Bracket(NamedTuple):
    """What a quantile is proved to lie between; both ends are equal if it is certain."""

    least: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class ReturnBand:
    """The central band of the average net of a round, per unit staked.

    The average is below ``low`` with at most half of 1 - ``confidence``, and above ``high`` with at most that too.
    ``normal_low`` and ``normal_high`` are those of the normal approximation, ``normal_probability`` is the true
    probability of that band.  ``error`` bounds the error of every probability used.
    """

    rounds: int
    confidence: Fraction
    low: Bracket
    high: Bracket
    normal_low: float
    normal_high: float
    normal_probability: float
    error: float

    @property
    def normal_misses(self) -> float:
        """How far the worse limit of the normal approximation is from the exact one."""
        misses = (self.normal_low, self.low), (self.normal_high, self.high)
        return max(max(float(ends.least) - normal, normal - float(ends.most), 0.0) for normal, ends in misses)

    def as_json(self) -> dict[str, object]:
        """Return the band with its names in JSON; limits have a least and a most."""
        return {
            "rounds": self.rounds,
            "confidence": float(self.confidence),
            "low": [float(end) for end in self.low],
            "high": [float(end) for end in self.high],
            "normal_low": self.normal_low,
            "normal_high": self.normal_high,
            "normal_probability": self.normal_probability,
            "error": self.error,
        }


def compute_return_bands(
    nets: Mapping[Fraction, int],
    rounds: int,
    confidences: Sequence[Fraction] = CONFIDENCES,
    max_points: int = MAX_POINTS,
) -> tuple[ReturnBand, ...]:
    """Compute the bands of the average net after ``rounds`` rounds.

    Each net, per unit staked, has the weight ``nets[net]``.

    >>> (band,) = compute_return_bands({Fraction(1): 1, Fraction(-1): 1}, 4, [Fraction(1, 2)])
    >>> band.low.least, band.high.most
    (Fraction(-1, 2), Fraction(1, 2))

    Raises:
        SessionError: there are no rounds or no nets.
    """
    if rounds < 1 or not any(nets.values()):
        raise SessionError("a band needs at least one round and one net", code="too-few-rounds")
    weights = {net: count for net, count in nets.items() if count}
    total = sum(weights.values())
    mean = sum((net * count for net, count in weights.items()), Fraction(0)) / total
    variance = sum((net * net * count for net, count in weights.items()), Fraction(0)) / total - mean * mean
    sums = _SumDistribution(_choose_lattice(weights, rounds, max_points), rounds)
    middle, spread = float(mean), sqrt(variance / rounds)
    bands = []
    for confidence in confidences:
        tail = (1 - confidence) / 2
        reach = NormalDist().inv_cdf(float(1 - tail)) * spread
        low, high = middle - reach, middle + reach
        bands.append(
            ReturnBand(
                rounds,
                confidence,
                sums.find_quantile(float(tail)),
                sums.find_quantile(float(1 - tail)),
                low,
                high,
                sums.compute_probability(low, high),
                sums.error,
            )
        )
    return tuple(bands)


@dataclass(frozen=True, eq=False)
class _Lattice:
    """Nets as whole multiples of a step, and the window of their sum.

    The net of an outcome is ``base + step * points + rest``; the sum of ``points`` over all rounds is from ``first`` to
    ``first + size - 1`` but for ``TAIL_PROBABILITY``.
    """

    base: Fraction
    step: Fraction
    points: Integers
    probabilities: Floats
    rest_mean: Fraction
    rest_variance: Fraction
    first: int
    size: int


def _choose_lattice(weights: Mapping[Fraction, int], rounds: int, max_points: int) -> _Lattice:
    """Choose the lattice of all nets, or a coarser one of the most frequent nets."""
    by_frequency = sorted(weights, key=lambda net: (-weights[net], net))
    steps = dict.fromkeys(_find_step(by_frequency[:kept]) for kept in range(len(by_frequency), 1, -1))
    coarsest = max(steps, default=Fraction(1))
    for step in chain(steps, (coarsest * 2**power for power in count(1))):
        lattice = _make_lattice(weights, by_frequency[0], step, rounds)
        if lattice.size <= max_points:
            return lattice
    raise AssertionError("unreachable: the window shrinks with every step")


def _find_step(nets: Sequence[Fraction]) -> Fraction:
    """Find the greatest step of which all differences of nets are multiples."""
    unit = lcm(*(net.denominator for net in nets))
    differences = gcd(*(int((net - nets[0]) * unit) for net in nets))
    return Fraction(differences or unit, unit)


def _make_lattice(weights: Mapping[Fraction, int], base: Fraction, step: Fraction, rounds: int) -> _Lattice:
    total = sum(weights.values())
    points = [round((net - base) / step) for net in weights]
    rests = [(net - base - step * point, times) for (net, times), point in zip(weights.items(), points, strict=True)]
    rest_mean = sum((rest * times for rest, times in rests), Fraction(0)) / total
    squares = sum((rest * rest * times for rest, times in rests), Fraction(0)) / total
    numbers, chances = np.array(points, np.int64), np.array([times / total for times in weights.values()])
    first, size = _find_window(numbers, chances, rounds)
    return _Lattice(base, step, numbers, chances, rest_mean, squares - rest_mean**2, first, size)


def _find_window(points: Integers, chances: Floats, rounds: int) -> tuple[int, int]:
    """Find a window that the sum leaves with at most ``TAIL_PROBABILITY`` (Chernoff).

    P(sum >= a) <= E[exp(s * net)]^n / exp(s * a) for every slope s > 0; the least such a of many slopes is taken.
    """
    mean = sum_products(points, chances)
    deviation = sqrt(sum_products((points - mean) ** 2, chances))
    least, most = int(points.min()) * rounds, int(points.max()) * rounds
    if not deviation:
        return least, 1
    needed = log(2 / TAIL_PROBABILITY)
    reaches = []
    for sign in (-1, 1):
        slopes = _SLOPES / deviation
        exponents = np.outer(slopes, sign * (points - mean))
        highest = exponents.max(axis=1)
        logs = highest + np.log((np.exp(exponents - highest[:, None]) * chances).sum(axis=1))
        reaches.append(float(((rounds * logs + needed) / slopes).min()))
    first = max(least, floor(mean * rounds - reaches[0]) - 1)
    last = min(most, ceil(mean * rounds + reaches[1]) + 1)
    return first, last - first + 1


class _SumDistribution:
    """The distribution of the sum of the nets of independent rounds."""

    def __init__(self, lattice: _Lattice, rounds: int) -> None:
        """Compute it by Fourier transforms, with a bound of every error."""
        self._lattice, self._rounds = lattice, rounds
        self._below, transform_error = _transform_power(lattice, rounds)
        scale = log(2 / TAIL_PROBABILITY)
        step = float(lattice.step) if lattice.rest_variance else 0.0
        variance = rounds * float(lattice.rest_variance)
        self._slack = Fraction(step * scale / 3 + sqrt((step * scale / 3) ** 2 + 2 * variance * scale))
        self.error = transform_error + TAIL_PROBABILITY * (2 if lattice.rest_variance else 1)

    def _to_average(self, point: int, slack: Fraction) -> Fraction:
        """Return the average net of a round whose points sum to ``point``."""
        lattice = self._lattice
        total = self._rounds * (lattice.base + lattice.rest_mean) + lattice.step * point + slack
        return total / self._rounds

    def find_quantile(self, probability: float) -> Bracket:
        """Find the least average that is not exceeded with ``probability``."""
        least, most = (
            self._lattice.first + min(int(np.searchsorted(self._below, level)), len(self._below) - 1)
            for level in (probability - self.error, probability + self.error)
        )
        return Bracket(self._to_average(least, -self._slack), self._to_average(most, self._slack))

    def compute_probability(self, low: float, high: float) -> float:
        """Compute the probability of an average from ``low`` to ``high``."""
        lattice = self._lattice

        def count_points(average: float) -> Fraction:
            base = self._rounds * (lattice.base + lattice.rest_mean)
            return (Fraction(average) * self._rounds - base) / lattice.step - lattice.first

        upper, lower = floor(count_points(high)), ceil(count_points(low)) - 1
        return self._get_below(upper) - self._get_below(lower)

    def _get_below(self, place: int) -> float:
        return 0.0 if place < 0 else float(self._below[min(place, len(self._below) - 1)])


def _transform_power(lattice: _Lattice, rounds: int) -> tuple[Floats, float]:
    """Return the probability of at most each sum, and a bound of their error.

    Only coefficients whose power is not negligible are used.  A first transform finds them; each is then summed term by
    term with a phase that is reduced in whole numbers, so its error is a few roundings whatever the size.
    """
    size = _choose_size(lattice.size)
    centre = round(sum_products(lattice.points, lattice.probabilities))
    points = lattice.points - centre
    weights = np.zeros(size)
    np.add.at(weights, points % size, lattice.probabilities)
    screened = np.abs(np.fft.rfft(weights)) > exp(-_NEGLIGIBLE_LOG / rounds) - 1e-11
    used = np.flatnonzero(screened)
    coefficients = np.zeros(len(used), dtype=np.complex128)
    for point, chance in zip((points % size).tolist(), lattice.probabilities.tolist(), strict=True):
        turns = used * point % size
        turns[turns > size // 2] -= size
        coefficients += chance * np.exp((-2j * np.pi / size) * turns)
    powers = np.zeros(size // 2 + 1, dtype=np.complex128)
    magnitudes = np.abs(coefficients)
    safe = magnitudes > 0
    powers[used[safe]] = np.exp(rounds * np.log(coefficients[safe]))
    masses = np.fft.irfft(powers, size)
    first = lattice.first - rounds * centre
    below = np.cumsum(np.roll(masses, -(first % size))[: lattice.size])
    return below, _bound_error(len(points), rounds, size, used, magnitudes, masses)


def _choose_size(least: int) -> int:
    """Choose a size of at least ``least`` that is fast to transform."""
    power = 1 << max(1, (least - 1).bit_length())
    return power * 3 // 4 if power >= 4 and power * 3 // 4 >= least else power


def _bound_error(terms: int, rounds: int, size: int, used: Integers, magnitudes: Floats, masses: Floats) -> float:
    """Bound the error of a sum of probabilities.

    A coefficient of ``terms`` terms errs by at most ``terms + 10`` roundings, its power by ``rounds`` times that.  In a
    sum of consecutive probabilities the coefficient of frequency w counts at most min(size, 1 / |sin(w / 2)|) / size.
    The inverse transform and the sum add roundings of their own.
    """
    each = rounds * (terms + 10) * _ROUNDING * np.minimum(1.0, magnitudes) ** max(0, rounds - 1)
    sines = np.maximum(np.abs(np.sin(np.pi * used / size)), 1 / size)
    power_error = 2 * float((each / (sines * size)).sum())
    inverse_error = sqrt(size) * 8 * _ROUNDING * log2(size) * sqrt(sum_products(masses, masses))
    return power_error + inverse_error + size * _ROUNDING * float(np.abs(masses).max()) * 2 + 2 * _ROUNDING * size
