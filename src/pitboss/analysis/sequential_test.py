"""A test of sums with a known distribution that may be looked at after every sum.

The distribution of one wager is known exactly, so for every tilt t and its cumulant function K(t) = log E exp(tX) the
process exp(t S - n K(t)) is a martingale of mean 1 while results are honest: S is the sum of n wagers.  So is an
average of such processes over tilts that are fixed beforehand.  A nonnegative martingale of mean 1 ever reaches 1/a
with a probability of at most a (Ville 1939).  So the test keeps its rate of false alarms at all looks together, however
many there are (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon 2021).

Where up to k wagers of a round share cards, their sum may be as uncertain as k times one of them.  By Hölder's
inequality E exp(t sum/k) is at most exp(K(t)) for each of them, whatever the cards they share, so all exponents are
divided by k.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

HORIZONS = 4.0 ** np.arange(3, 15)
"""The tilts are chosen for faults that are found after about this many wagers: 64 to 268 million."""

INFORMATION = 8.0
"""The evidence, in natural logarithms, that a fault of a horizon has given by then on average."""

_STEPS = 60
"""Steps of bisection: more than the digits of a double."""

_MAX_EXPONENT = 600.0


@dataclass(frozen=True)
class KnownDistribution:
    """The exact distribution of one wager's result, by value."""

    probabilities: Mapping[Fraction, Fraction]

    @cached_property
    def mean(self) -> Fraction:
        """The expected value."""
        return sum((value * chance for value, chance in self.probabilities.items()), Fraction(0))

    @cached_property
    def _deviations(self) -> Floats:
        return np.array([float(value - self.mean) for value in self.probabilities])

    @cached_property
    def _weights(self) -> Floats:
        return np.array([float(chance) for chance in self.probabilities.values()])

    def compute_cumulants(self, tilts: Floats) -> Floats:
        """Compute log E exp(t (X - mean)) for every tilt t.

        >>> coin = KnownDistribution({Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)})
        >>> coin.compute_cumulants(np.array([0.1])).round(9).tolist()
        [0.004991689]
        """
        exponents = np.multiply.outer(tilts, self._deviations)
        largest = exponents.max(axis=-1)
        # Near 0 the first two terms of exp(z) - 1 - z cancel; the mean of z is 0.
        near = np.log1p((self._weights * (np.expm1(np.minimum(exponents, 1)) - np.minimum(exponents, 1))).sum(axis=-1))
        far = np.log((self._weights * np.exp(exponents - largest[..., None])).sum(axis=-1)) + largest
        chosen: Floats = np.where(largest < 1, near, far)
        return chosen

    def compute_information(self, tilts: Floats) -> Floats:
        """Compute how much evidence a wager of the tilted distribution gives.

        It is the relative entropy, t K'(t) - K(t), in natural logarithms.
        """
        exponents = np.multiply.outer(tilts, self._deviations)
        tilted = self._weights * np.exp(exponents - exponents.max(axis=-1, keepdims=True))
        means = (tilted * self._deviations).sum(axis=-1) / tilted.sum(axis=-1)
        information: Floats = tilts * means - self.compute_cumulants(tilts)
        return information

    def find_tilts(self, sign: int) -> Floats:
        """Find the tilts of the horizons in one direction, the strongest first.

        A horizon is left out if no fault can be found so soon: a line of 1 in a million is not missed in 64 wagers.
        """
        targets = INFORMATION / HORIZONS
        spread = float(np.ptp(self._deviations))
        low = np.full(len(targets), np.log(1e-12 / spread))
        high = np.full(len(targets), np.log(_MAX_EXPONENT / spread))
        reachable = self.compute_information(sign * np.exp(high)) >= targets
        for _ in range(_STEPS):
            middle = (low + high) / 2
            is_low = self.compute_information(sign * np.exp(middle)) < targets
            low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
        tilts: Floats = sign * np.exp(high[reachable])
        return tilts


class SequentialTest:
    """Evidence against a known distribution: an average of martingales over tilts.

    ``sums`` are sums of deviations from the mean.  ``cumulants`` are sums of those of each wager, one for each tilt, in
    the last axis.  With ``shared`` wagers of a round on the same cards the evidence is reduced as the module says.  It
    is one-sided, against high results, unless ``both_sides``: then the distribution may be that of the best play, as
    other plays have smaller cumulants around the best play's mean.
    """

    def __init__(self, distribution: KnownDistribution, *, shared: int = 1, both_sides: bool = True) -> None:
        """Choose the tilts, which depend on the distribution alone."""
        self.distribution, self.shared, self.both_sides = distribution, shared, both_sides
        high, low = distribution.find_tilts(1), distribution.find_tilts(-1)
        # At the strongest tilt a wild play that loses far more on average can exceed the best play's cumulant.
        sides = [side for side in ((high, low) if both_sides else (high[1:],)) if len(side)]
        self.tilts = np.concatenate(sides)
        self._log_weights = np.concatenate([np.full(len(side), -np.log(len(side) * len(sides))) for side in sides])

    def compute_cumulants(self, stake: float = 1.0) -> Floats:
        """Compute the cumulants of one wager of a stake, for each tilt."""
        return self.distribution.compute_cumulants(self.tilts * stake)

    def compute_evidence(self, sums: Any, cumulants: Floats) -> Floats:
        """Compute the logarithm of the martingale after sums of wagers."""
        exponents = self._compute_exponents(np.asarray(sums, np.float64), cumulants)
        largest = exponents.max(axis=-1)
        evidence: Floats = np.log(np.exp(exponents - largest[..., None]).sum(axis=-1)) + largest
        return evidence

    def _compute_exponents(self, sums: Floats, cumulants: Floats) -> Floats:
        exponents: Floats = (self.tilts * sums[..., None] - cumulants) / self.shared + self._log_weights
        return exponents

    def find_band(self, cumulants: Floats, threshold: float) -> tuple[float, float]:
        """Find the lowest and highest sum whose evidence is below a threshold.

        The evidence is convex in the sum and less than 0 at 0.  The lowest is minus infinity in a one-sided test.
        """
        ends = (self.shared * (threshold - self._log_weights) + cumulants) / self.tilts
        return -self._bisect(cumulants, threshold, -ends[self.tilts < 0], -1), self._bisect(
            cumulants, threshold, ends[self.tilts > 0], 1
        )

    def _bisect(self, cumulants: Floats, threshold: float, ends: Floats, sign: int) -> float:
        if not len(ends):
            return float("inf")
        low, high = 0.0, float(ends.min())  # where one of the averaged processes alone reaches the threshold
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if self.compute_evidence(sign * middle, cumulants) < threshold:
                low = middle
            else:
                high = middle
        return high
