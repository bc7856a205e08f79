"""The longest runs of periods that the house won or lost, and their exact chance.

The chance that a period is lost follows from the distribution of one wager, convolved with itself by a Fourier
transform for the number of wagers of the period.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from math import gcd, lcm

import numpy as np

from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.sequential_test import Floats, KnownDistribution
from pitboss.analysis.table_results import ResultRow

_CLOSE = 1e-12
"""The most probability that may lie outside the values of a convolution."""

_MOST_VALUES = 1 << 22


@dataclass(frozen=True, slots=True)
class PeriodRun:
    """The longest run of periods that ``winner`` won: "house" or "players".

    ``chance`` is that of at least one run so long among these periods, None where it is not known.
    """

    winner: str
    length: int
    chance: float | None


def find_runs(bet: MonitoredBet, periods: Sequence[Sequence[ResultRow]], *, has_chances: bool) -> tuple[PeriodRun, ...]:
    """Find the longest runs that each side won.

    A period without a result ends both.
    """
    nets = [sum(row.net_cents for row in group) for group in periods]
    runs = []
    for sign, winner in ((-1, "house"), (1, "players")):
        wins = groupby(net * sign > 0 for net in nets)
        length = max((sum(1 for _ in run) for is_won, run in wins if is_won), default=0)
        runs.append(PeriodRun(winner, length, None))
    if not has_chances:
        return tuple(runs)
    known: dict[tuple[tuple[int, int], ...], tuple[float, float] | None] = {}
    chances = []
    for group in periods:
        wagers: Counter[int] = Counter()
        for row in group:
            wagers[row.stake_cents or 1] += row.rounds
        key = tuple(sorted(wagers.items()))
        if key not in known:
            known[key] = compute_win_chances(bet.results, key)
        chances.append(known[key])
    if None in chances:
        return tuple(runs)
    sides = zip(*(each for each in chances if each), strict=True)
    return tuple(
        PeriodRun(run.winner, run.length, compute_run_chance(side, run.length))
        for run, side in zip(runs, sides, strict=True)
    )


def compute_win_chances(
    distribution: KnownDistribution, wagers: Iterable[tuple[int, int]]
) -> tuple[float, float] | None:
    """Compute the chances that the house and that the players win wagers.

    ``wagers`` are stakes with their numbers.  Return None if there would be too many values.

    >>> from fractions import Fraction
    >>> coin = KnownDistribution({Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)})
    >>> house, players = compute_win_chances(coin, [(5, 2), (10, 1)])
    >>> round(house, 9), round(players, 9)
    (0.375, 0.375)
    """
    played = [(stake, number) for stake, number in wagers if number]
    if not played:
        return 0.0, 0.0
    denominator = reduce(lcm, (net.denominator for net in distribution.probabilities))
    nets = [int(net * denominator) for net in distribution.probabilities]
    stakes = [stake for stake, _ in played]
    lowest = min(nets)
    step = reduce(gcd, (stake * (net - lowest) for stake in stakes for net in nets))
    start = sum(number * stake * lowest for stake, number in played)
    mean = float(distribution.mean) * denominator * sum(stake * number for stake, number in played)
    reach = _bound_reach(distribution, played) * denominator
    size = 1 << max(4, int(2 * reach / step + 4).bit_length())
    if size > _MOST_VALUES:
        return None
    weights = [float(chance) for chance in distribution.probabilities.values()]
    spectrum = np.ones(size // 2 + 1, np.complex128)
    for stake, number in played:
        single = np.zeros(size)
        for net, weight in zip(nets, weights, strict=True):
            single[stake * (net - lowest) // step % size] += weight
        spectrum *= np.fft.rfft(single) ** number
    folded = np.fft.irfft(spectrum, size)
    # The values are known up to multiples of the size: take those around the mean.
    first = int(np.floor((mean - start) / step)) - size // 2
    places = np.arange(first, first + size)
    values = start + step * places
    chances = folded[places % size]
    return float(chances[values < 0].sum()), float(chances[values > 0].sum())


def _bound_reach(distribution: KnownDistribution, played: Sequence[tuple[int, int]]) -> float:
    """Bound how far a sum is from its mean, but for a negligible chance (Chernoff)."""

    def bound(sign: int) -> float:
        tilts = np.geomspace(1e-7, 20, 120) / max(stake for stake, _ in played)
        cumulants: Floats = sum(
            (number * distribution.compute_cumulants(sign * tilts * stake) for stake, number in played),
            np.zeros(len(tilts)),
        )
        return float(((cumulants - np.log(_CLOSE)) / tilts).min())

    return max(bound(1), bound(-1))


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
