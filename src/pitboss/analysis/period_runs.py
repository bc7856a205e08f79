"""The longest runs of periods that the house won or lost, and their exact chance.

The chance that a period is lost follows from the distribution of one wager, convolved with itself by a Fourier
transform for the number of wagers of the period.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from math import gcd, lcm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pitboss.analysis.sequential_test import Floats, KnownDistribution
from pitboss.analysis.table_results import ResultRow

_CLOSE = 1e-10
"""The most probability that may lie outside the values of a convolution."""

_MOST_VALUES = 1 << 18
_TINY = 1e-200

Complexes: TypeAlias = NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class PeriodRun:
    """The longest run of periods that ``winner`` won: "house" or "players".

    ``chance`` is that of at least one run so long among these periods, None where it is not known.
    """

    winner: str
    length: int
    chance: float | None


def find_runs(chances: "PeriodChances | None", periods: Sequence[Sequence[ResultRow]]) -> tuple[PeriodRun, ...]:
    """Find the longest runs that each side won, with their chance if it is known.

    A period without a result ends both.
    """
    nets = [sum(row.net_cents for row in group) for group in periods]
    sides = None if chances is None else _compute_side_chances(chances, periods)
    runs = []
    for side, (sign, winner) in enumerate(((-1, "house"), (1, "players"))):
        wins = groupby(net * sign > 0 for net in nets)
        length = max((sum(1 for _ in run) for is_won, run in wins if is_won), default=0)
        chance = None if sides is None else compute_run_chance([each[side] for each in sides], length)
        runs.append(PeriodRun(winner, length, chance))
    return tuple(runs)


def _compute_side_chances(
    chances: "PeriodChances", periods: Sequence[Sequence[ResultRow]]
) -> list[tuple[float, float]] | None:
    """Compute the chances of both sides in each period, None if one is not known."""
    found = []
    for group in periods:
        wagers: Counter[int] = Counter()
        for row in group:
            wagers[row.stake_cents or 1] += row.rounds
        both = chances.compute(wagers)
        if both is None:
            return None
        found.append(both)
    return found


class PeriodChances:
    """The chances that the house and that the players win the wagers of a period.

    >>> from fractions import Fraction
    >>> coin = KnownDistribution({Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)})
    >>> house, players = PeriodChances(coin).compute({5: 2, 10: 1})
    >>> round(house, 9), round(players, 9)
    (0.375, 0.375)
    """

    def __init__(self, distribution: KnownDistribution) -> None:
        """Take the distribution of one wager's net per unit."""
        self._distribution = distribution
        self._denominator = reduce(lcm, (net.denominator for net in distribution.probabilities))
        self._nets = [int(net * self._denominator) for net in distribution.probabilities]
        self._lowest = min(self._nets)
        self._tilts = np.geomspace(1e-7, 20, 120)
        self._cumulants: dict[tuple[int, int], Floats] = {}
        self._spectra: dict[tuple[int, int, int], Complexes] = {}
        self._known: dict[tuple[tuple[int, int], ...], tuple[float, float] | None] = {}

    def compute(self, wagers: Mapping[int, int]) -> tuple[float, float] | None:
        """Compute the chances; ``wagers`` are their numbers by stake.

        Return None if there would be too many values.
        """
        played = tuple(sorted((stake, number) for stake, number in wagers.items() if number))
        if played not in self._known:
            self._known[played] = self._convolve(played) if played else (0.0, 0.0)
        return self._known[played]

    def _convolve(self, played: Sequence[tuple[int, int]]) -> tuple[float, float] | None:
        step = reduce(gcd, (stake * (net - self._lowest) for stake, _ in played for net in self._nets))
        size = 1 << max(4, int(2 * self._bound_reach(played) * self._denominator / step + 4).bit_length())
        if size > _MOST_VALUES:
            return None
        exponents = sum(number * self._get_log_spectrum(stake, step, size) for stake, number in played)
        folded = np.fft.irfft(np.exp(exponents), size)
        # The values are known up to multiples of the size: take those around the mean.
        start = sum(number * stake * self._lowest for stake, number in played)
        mean = float(self._distribution.mean) * self._denominator * sum(stake * number for stake, number in played)
        first = int(np.floor((mean - start) / step)) - size // 2
        places = np.arange(first, first + size)
        values, chances = start + step * places, folded[places % size]
        return float(chances[values < 0].sum()), float(chances[values > 0].sum())

    def _get_log_spectrum(self, stake: int, step: int, size: int) -> Complexes:
        """Return the logarithm of the transform of one wager's values, in steps."""
        key = (stake, step, size)
        if key not in self._spectra:
            single = np.zeros(size)
            for net, chance in zip(self._nets, self._distribution.probabilities.values(), strict=True):
                single[stake * (net - self._lowest) // step % size] += float(chance)
            spectrum = np.fft.rfft(single)
            self._spectra[key] = np.log(np.where(np.abs(spectrum) > _TINY, spectrum, _TINY))
        return self._spectra[key]

    def _bound_reach(self, played: Sequence[tuple[int, int]]) -> float:
        """Bound how far a sum is from its mean, but for a negligible chance (Chernoff)."""
        tilts = self._tilts / max(stake for stake, _ in played)
        bounds = []
        for sign in (1, -1):
            for stake, _ in played:
                key = (sign * stake, played[-1][0])  # the tilts depend on the highest stake
                if key not in self._cumulants:
                    self._cumulants[key] = self._distribution.compute_cumulants(sign * tilts * stake)
            spent = sum(number * self._cumulants[sign * stake, played[-1][0]] for stake, number in played)
            bounds.append(float(((spent - np.log(_CLOSE)) / tilts).min()))
        return max(bounds)


def compute_run_chance(chances: Sequence[float], length: int) -> float:
    """Compute the chance of a run of at least ``length`` among independent periods.

    >>> compute_run_chance([0.5] * 3, 2)
    0.375
    """
    if not length:
        return 1.0
    # by_run[k]: no run was long enough so far, and the last k periods are won
    by_run = [1.0] + [0.0] * (length - 1)
    reached = 0.0
    for chance in chances:
        reached += by_run[-1] * chance
        by_run = [sum(by_run) * (1 - chance), *(each * chance for each in by_run[:-1])]
    return reached
