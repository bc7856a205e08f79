"""Meet in the middle: find sums of nets in a window without trying each.

The lines are divided into two halves.  Each half has a list of its own pays with their sums, one of them sorted; then
the window of the one is looked up for each entry of the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.analysis.pay_grid import PayContributions, PayGrid

_MOST_OF_HALF = 2_000_000
_CHUNK = 500_000

PayRanges = Mapping[int, tuple[int, int]]
"""Which pays of each changed line are tried: from a number up to another, not included."""

Rows = dict[int, NDArray[np.int64]]
"""Tables: for each changed line, the numbers of its pays."""


def list_ranges(grid: PayGrid, places: Sequence[int]) -> PayRanges:
    """Return the pays of changed lines that are in order with the other lines."""
    ranges = {}
    for place in places:
        heights = grid.heights[place]
        start, stop = 0, len(heights)
        for high, low in grid.orders:
            if high == place and low not in places:
                start = max(start, int(np.searchsorted(heights, float(grid.lines[low].present), "left")))
            if low == place and high not in places:
                stop = min(stop, int(np.searchsorted(heights, float(grid.lines[high].present), "right")))
        ranges[place] = (start, max(start, stop))
    return ranges


def count_grid(ranges: PayRanges) -> int:
    """Return the number of tables with these pays, in any order."""
    return prod(stop - start for start, stop in ranges.values())


def count_entries(places: Sequence[int], ranges: PayRanges) -> int:
    """Return how many entries the halves have.

    A half that is too long for the memory counts many times.
    """
    sizes = [count_grid({place: ranges[place] for place in half}) for half in _divide(places)]
    return sum(sizes) * (_MOST_OF_HALF if max(sizes) > _MOST_OF_HALF else 1)


def _divide(places: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    middle = len(places) // 2
    return places[:middle], places[middle:]


def _list_half(grid: PayGrid, places: Sequence[int], ranges: PayRanges) -> tuple[Rows, Any]:
    """Return all pays of some changed lines, in order, with their sums of nets."""
    axes = np.meshgrid(*(np.arange(*ranges[place]) for place in places), indexing="ij")
    rows: Rows = {place: axis.ravel() for place, axis in zip(places, axes, strict=True)}
    keep = is_in_order(grid, rows)
    if keep is not None:
        rows = {place: column[keep] for place, column in rows.items()}
    return rows, add_terms(rows, [terms.nets for terms in grid.columns], pick_nets(grid.pairs))


def pick_nets(pairs: Mapping[tuple[int, int], PayContributions]) -> dict[tuple[int, int], Any]:
    """Return what two lines add together to the sum of nets, where it is anything."""
    return {pair: terms.nets for pair, terms in pairs.items() if terms.nets.any()}


def add_terms(rows: Rows, columns: Sequence[Any], pairs: Mapping[tuple[int, int], Any]) -> Any:
    """Return what the changed pays of each row add to a sum.

    Without changed lines there is one row.
    """
    kind = columns[0].dtype if columns else np.int64
    total: Any = np.zeros(len(next(iter(rows.values()))) if rows else 1, kind)
    for place, column in rows.items():
        total = total + columns[place][column]
    for (one, other), table in pairs.items():
        if one in rows and other in rows:
            total = total + table[rows[one], rows[other]]
    return total


def is_in_order(grid: PayGrid, rows: Rows) -> NDArray[np.bool_] | None:
    """Tell which rows have their changed lines in order; None if all have."""
    keep = None
    for high, low in grid.orders:
        if high in rows and low in rows:
            holds = grid.heights[high][rows[high]] >= grid.heights[low][rows[low]]
            keep = holds if keep is None else keep & holds
    return keep


class PayHalves:
    """The two halves of the changed lines, joined by a window of the sum of nets."""

    def __init__(self, grid: PayGrid, places: Sequence[int], ranges: PayRanges, low: int, high: int) -> None:
        """Find for each entry of one half those of the other within the window.

        The window, from ``low`` to ``high``, is of what the changes add.  It is widened by what two lines add together
        if they are in different halves: so rows are to be checked again, unless ``is_exact``.
        """
        one, other = _divide(places)
        (self._one, nets), (self._other, other_nets) = (_list_half(grid, each, ranges) for each in (one, other))
        across = [
            pair
            for pair in product(one, other)
            if pair in grid.pairs or pair in grid.orders or pair[::-1] in grid.orders
        ]
        self.is_exact = not across
        for pair in across:
            added = grid.pairs[pair].nets if pair in grid.pairs else np.zeros(1, np.int64)
            low, high = low - max(int(added.max()), 0), high - min(int(added.min()), 0)
        self._sorting = np.argsort(other_nets, kind="stable")
        in_order = other_nets[self._sorting]
        low, high = grid.clip(low), grid.clip(high)
        self._first = np.searchsorted(in_order, low - nets, "left")
        self._counts = np.maximum(np.searchsorted(in_order, high - nets, "right") - self._first, 0)

    @property
    def size(self) -> int:
        """The number of rows in the window."""
        return int(self._counts.sum())

    def iterate_rows(self) -> Iterator[Rows]:
        """Yield the rows in the window, some at a time."""
        ends = np.cumsum(self._counts)
        start = 0
        while start < len(ends):
            done = int(ends[start - 1]) if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, done + _CHUNK, "right")))
            counts = self._counts[start:stop]
            one = np.repeat(np.arange(start, stop), counts)
            within = np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
            other = self._sorting[self._first[one] + within]
            if len(one):
                yield {
                    **{place: column[one] for place, column in self._one.items()},
                    **{place: column[other] for place, column in self._other.items()},
                }
            start = stop
