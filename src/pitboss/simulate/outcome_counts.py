"""Counts of a simulation, and their statistics for any pay table and stakes.

The statistics are means, errors, covariances and histograms.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, product
from math import lcm, sqrt
from typing import Self

Nets = Sequence[Sequence[Fraction]]
"""The net of each outcome of each wager, per unit staked."""

Weights = Sequence[Fraction | int]
"""The stake on each wager."""


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """Integer counts: the number of rounds, and how often seats ended in each cell.

    A cell is the outcomes of all wagers of a seat as one number, the last wager's outcome as the lowest digit;
    ``outcomes`` has each wager's number of outcomes.  ``seat_pairs`` counts the outcomes of every two wagers for every
    two seats of a round, with the seat dealt first in the row; all outcomes of all wagers are numbered through.  It is
    empty with one seat.  ``reshuffled_rounds`` is the number of rounds in which the stub ran short and was reshuffled
    (LU-11).
    """

    outcomes: tuple[int, ...]
    seats: int
    rounds: int = 0
    cells: Mapping[int, int] = field(default_factory=dict)
    seat_pairs: Mapping[tuple[int, int], int] = field(default_factory=dict)
    reshuffled_rounds: int = 0

    def __add__(self, other: Self) -> Self:
        """Add the counts of two runs of different rounds.

        >>> once = OutcomeCounts((2, 3), seats=1, rounds=1, cells={4: 1})
        >>> (once + once).count_wager(1)
        (0, 2, 0)
        """
        return type(self)(
            self.outcomes,
            self.seats,
            self.rounds + other.rounds,
            Counter(self.cells) + Counter(other.cells),
            Counter(self.seat_pairs) + Counter(other.seat_pairs),
            self.reshuffled_rounds + other.reshuffled_rounds,
        )

    def decode_cell(self, cell: int) -> tuple[int, ...]:
        """Return the outcomes of all wagers in a cell.

        >>> OutcomeCounts((2, 3), seats=1).decode_cell(4)
        (1, 1)
        """
        outcomes = []
        for count in reversed(self.outcomes):
            cell, outcome = divmod(cell, count)
            outcomes.append(outcome)
        return tuple(reversed(outcomes))

    def count_wager(self, wager: int) -> tuple[int, ...]:
        """Count how often a wager ended in each of its outcomes, over all seats."""
        counts = [0] * self.outcomes[wager]
        for cell, times in self.cells.items():
            counts[self.decode_cell(cell)[wager]] += times
        return tuple(counts)

    def count_joint(self, one: int, other: int) -> list[list[int]]:
        """Count each pair of outcomes of two wagers of one seat.

        The outcomes of the first wager are in the rows.
        """
        table = [[0] * self.outcomes[other] for _ in range(self.outcomes[one])]
        for cell, times in self.cells.items():
            outcomes = self.decode_cell(cell)
            table[outcomes[one]][outcomes[other]] += times
        return table

    def as_text(self) -> str:
        """Return the counts as text for ``parse_counts``."""
        cells = [[int(cell), int(times)] for cell, times in self.cells.items()]
        seat_pairs = [[int(row), int(column), int(times)] for (row, column), times in self.seat_pairs.items()]
        return json.dumps([self.outcomes, self.seats, self.rounds, cells, seat_pairs, self.reshuffled_rounds])


def parse_counts(text: str) -> OutcomeCounts:
    """Parse the text of ``OutcomeCounts.as_text``.

    >>> once = OutcomeCounts((2, 3), seats=2, rounds=1, cells={4: 1, 5: 1}, seat_pairs={(1, 0): 1})
    >>> parse_counts(once.as_text()) == once
    True
    """
    outcomes, seats, rounds, cells, pair_rows, reshuffled_rounds = json.loads(text)
    seat_pairs = {(row, column): times for row, column, times in pair_rows}
    return OutcomeCounts(tuple(outcomes), seats, rounds, dict(cells), seat_pairs, reshuffled_rounds)


@dataclass(frozen=True)
class SampleStatistics:
    """The exact statistics of a sample, ``counts``, under the nets ``nets``.

    ``weights`` select a wager or any mix of wagers: the stake on each; nets are per unit staked.
    """

    counts: OutcomeCounts
    nets: Nets

    def mean(self, weights: Weights) -> Fraction:
        """Return the average net of a seat in a round."""
        return self._dot(weights, self._sums) / (self.counts.rounds * self.counts.seats)

    def variance(self, weights: Weights) -> Fraction:
        """Return the variance of the net of a seat in a round.

        It is the sample's own variance: the divisor is the size of the sample, not one less.
        """
        return self.covariance(weights, weights)

    def covariance(self, one: Weights, other: Weights) -> Fraction:
        """Return the covariance of two mixes of wagers of one seat."""
        product_sum = sum((x * self._dot(other, row) for x, row in zip(one, self._products, strict=True)), Fraction())
        return product_sum / (self.counts.rounds * self.counts.seats) - self.mean(one) * self.mean(other)

    def correlation(self, one: Weights, other: Weights) -> float:
        """Return the covariance divided by both standard deviations.

        It is 0 if one of the two mixes of wagers never varies.
        """
        deviations = sqrt(self.variance(one)) * sqrt(self.variance(other))
        return float(self.covariance(one, other)) / deviations if deviations else 0.0

    def standard_error(self, weights: Weights) -> float:
        """Return the standard error of the mean.

        Rounds are independent, the seats of one round are not.  It is 0 after fewer than two rounds.
        """
        rounds, seats = self.counts.rounds, self.counts.seats
        if rounds < 2:
            return 0.0
        squares = sum((x * self._dot(weights, row) for x, row in zip(weights, self._round_products, strict=True)), 0)
        round_variance = Fraction(squares, rounds) - (seats * self.mean(weights)) ** 2
        return sqrt(round_variance / (rounds - 1)) / seats

    def histogram(self, weights: Weights) -> dict[Fraction, int]:
        """Return how often a seat netted each amount, lowest net first."""
        times_by_net: Counter[Fraction] = Counter()
        for cell, times in self.counts.cells.items():
            outcomes = self.counts.decode_cell(cell)
            net = sum(
                (x * nets[outcome] for x, nets, outcome in zip(weights, self.nets, outcomes, strict=True) if x), 0
            )
            times_by_net[Fraction(net)] += times
        return dict(sorted(times_by_net.items()))

    @cached_property
    def _unit(self) -> int:
        return lcm(*(net.denominator for nets in self.nets for net in nets))

    @cached_property
    def _whole_nets(self) -> list[list[int]]:
        return [[int(net * self._unit) for net in nets] for nets in self.nets]

    @cached_property
    def _sums(self) -> list[Fraction]:
        sums = [0] * len(self.nets)
        for cell, times in self.counts.cells.items():
            for wager, outcome in enumerate(self.counts.decode_cell(cell)):
                sums[wager] += self._whole_nets[wager][outcome] * times
        return [Fraction(each, self._unit) for each in sums]

    @cached_property
    def _products(self) -> list[list[Fraction]]:
        """Sums over rounds and seats of the products of every two wagers' nets."""
        wagers = range(len(self.nets))
        sums = [[0] * len(self.nets) for _ in wagers]
        for cell, times in self.counts.cells.items():
            outcomes = self.counts.decode_cell(cell)
            nets = [self._whole_nets[wager][outcomes[wager]] for wager in wagers]
            for one, other in product(wagers, wagers):
                sums[one][other] += nets[one] * nets[other] * times
        return [[Fraction(each, self._unit**2) for each in row] for row in sums]

    @cached_property
    def _round_products(self) -> list[list[Fraction]]:
        """Sums over rounds of the products of every two wagers' nets.

        Each net is summed over all seats.
        """
        wager_of = [wager for wager, nets in enumerate(self.nets) for _ in nets]
        net_of = [net for nets in self._whole_nets for net in nets]
        wagers = range(len(self.nets))
        sums = [[0] * len(self.nets) for _ in wagers]
        for (row, column), times in self.counts.seat_pairs.items():
            sums[wager_of[row]][wager_of[column]] += net_of[row] * net_of[column] * times
        squared = self._unit**2
        return [
            [self._products[one][other] + Fraction(sums[one][other] + sums[other][one], squared) for other in wagers]
            for one in wagers
        ]

    @staticmethod
    def _dot(weights: Weights, values: Sequence[Fraction]) -> Fraction:
        return sum((x * value for x, value in zip(weights, values, strict=True) if x), Fraction())


def compute_offsets(outcomes: Sequence[int]) -> tuple[int, ...]:
    """Return the number of each wager's first outcome.

    The outcomes of all wagers are numbered consecutively.

    >>> compute_offsets((7, 10, 9))
    (0, 7, 17)
    """
    return tuple(accumulate(outcomes, initial=0))[:-1]
