"""The search of a tuning: every table that meets the targets, and the best.

Tables are ranked by the number of changed lines, then by how round the changed pays are, then by how far the edge is
from the middle of its range.  All sums are whole numbers; where the deviation of a table is computed in floating point
and is close to a limit, it is computed again in fractions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.meter_grid import MeterGrid
from pitboss.analysis.pay_grid import PayGrid
from pitboss.analysis.pay_halves import (
    PayHalves,
    PayRanges,
    Rows,
    add_terms,
    count_entries,
    count_grid,
    is_in_order,
    list_ranges,
    pick_nets,
)
from pitboss.analysis.pay_ladder import compute_roughness
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.core.errors import MagnitudeError
from pitboss.core.progress import ProgressCallback

_MOST_WORK = 400_000_000
"""The most entries of all halves: about 20 s of processor time."""

MOST_ROWS = 30_000_000
"""The most tables that a search looks at one by one."""

_MOST_SETS = 50_000
"""The most sets of lines that may change."""

_CLOSE = 1e-9
"""How close a deviation is to a limit, in parts of it, to be computed again."""


class RankedPayTable(NamedTuple):
    """A pay table that was found, with its rank: the least comes first.

    ``changes`` are the changed lines, by their place in the grid, and their pays.
    """

    rank: tuple[Any, ...]
    changes: tuple[tuple[int, Fraction], ...]


@dataclass
class FigureSpan:
    """How many tables with the wanted edge meet another target, and their figures."""

    met: int = 0
    low: float = float("inf")
    high: float = float("-inf")

    def add(self, figures: NDArray[Any], met: NDArray[np.bool_]) -> None:
        """Add tables."""
        if len(figures):
            self.met += int(met.sum())
            self.low, self.high = min(self.low, float(figures.min())), max(self.high, float(figures.max()))


@dataclass
class SearchResult:
    """What a search has found.

    ``found`` has the number of tables by the number of changed lines, ``best`` the first of the ranking.  ``proved`` is
    how many of all meet the edge whatever the best play is worth.  ``spans`` are of the tables with the wanted edge.
    """

    found: list[int]
    best: list[RankedPayTable] = field(default_factory=list)
    proved: int = 0
    with_edge: int = 0
    spans: dict[str, FigureSpan] = field(default_factory=dict)


def search_paytables(
    grid: PayGrid,
    targets: TuningTargets,
    changes: int,
    limit: int,
    progress: ProgressCallback,
    nearness: Fraction | None = None,
) -> SearchResult:
    """Find every table that meets the targets, and rank the first.

    At most ``changes`` lines change, and ``limit`` tables are ranked.

    With ``nearness`` the edge may be so far outside its range, and the nearest come first.

    Raises:
        MagnitudeError: the search is too large.
    """
    return _Search(grid, targets, changes, limit, nearness).run(progress)


class _Search:
    """A search as it goes through the sets of changed lines."""

    def __init__(
        self, grid: PayGrid, targets: TuningTargets, changes: int, limit: int, nearness: Fraction | None
    ) -> None:
        self.grid, self.targets, self.limit = grid, targets, limit
        self.is_nearest, edge = nearness is not None, targets.edge
        unit = grid.sheet.deals * grid.scale
        self.wanted = self._to_window(edge, unit)
        self.window = self._to_window(FigureRange(edge.low - (nearness or 0), edge.high + (nearness or 0)), unit)
        self.middle = grid.clip(floor(-2 * edge.middle * unit) - 2 * grid.present[0])  # twice what changes should add
        self.roughness = [np.array([compute_roughness(pay) for pay in line.pays], np.int64) for line in grid.lines]
        self.changes = min(changes, len(grid.lines))
        self.rows_seen = 0
        self.result = SearchResult([0] * (self.changes + 1))
        self.pair_nets = pick_nets(grid.pairs)

    def _to_window(self, edge: FigureRange, unit: int) -> tuple[int, int]:
        """Return the sums of what changes add to the nets so that the edge is in a range."""
        present = self.grid.present[0]
        clip = self.grid.clip
        return clip(ceil(-edge.high * unit) - present), clip(floor(-edge.low * unit) - present)

    def run(self, progress: ProgressCallback) -> SearchResult:
        """Go through the sets of changed lines, the smallest first."""
        sets = list(self._iterate_sets())
        for number, (places, ranges) in enumerate(sets):
            progress(number, len(sets))
            gain = self.grid.gap + sum(int(each.max()) for place, each in enumerate(self.grid.gains) if place in places)
            self._add_set(places, PayHalves(self.grid, places, ranges, self.window[0] - gain, self.window[1]))
        return self.result

    def _iterate_sets(self) -> Iterator[tuple[tuple[int, ...], PayRanges]]:
        """Yield each set of lines that may change, with their pays.

        Raises:
            MagnitudeError: they are too many.
        """
        forced = {place for place, line in enumerate(self.grid.lines) if line.must_change}
        work = tables = tried = 0
        for size in range(len(forced), self.changes + 1):
            for places in combinations(range(len(self.grid.lines)), size):
                tried += 1
                ranges = list_ranges(self.grid, places)
                if forced <= set(places) and all(start < stop for start, stop in ranges.values()):
                    work, tables = work + count_entries(places, ranges), tables + count_grid(ranges)
                    if work > _MOST_WORK or tried > _MOST_SETS:
                        raise MagnitudeError(
                            f"more than {tables:,} tables have up to {size} lines changed, too many to search: narrow "
                            "--vary, change fewer lines with --changes, or give a --ladder with fewer pays",
                            code="search-too-large",
                            tables=tables,
                            changes=size,
                        )
                    yield places, ranges

    def _add_set(self, places: Sequence[int], halves: PayHalves) -> None:
        """Add the tables of one set of changed lines."""
        changes = len(places)
        is_ranked = self.is_nearest or sum(self.result.found[:changes]) < self.limit
        others = any(self.targets[1:]) or isinstance(self.grid, MeterGrid)
        if not is_ranked and not others and halves.is_exact and not self.grid.gains:
            self.result.found[changes] += halves.size
            self.result.with_edge += halves.size
            return
        self.rows_seen += halves.size
        if self.rows_seen > MOST_ROWS:
            raise MagnitudeError(
                f"the search would look at more than {MOST_ROWS:,} tables with {changes} lines changed: "
                "narrow --edge or --vary, or change fewer lines with --changes",
                code="search-too-large",
                tables=MOST_ROWS,
                changes=changes,
            )
        for rows in halves.iterate_rows():
            self._add_rows(places, rows, is_ranked=is_ranked)

    def _add_rows(self, places: Sequence[int], rows: Rows, *, is_ranked: bool) -> None:
        """Add the rows that meet the targets."""
        grid, result = self.grid, self.result
        nets = add_terms(rows, [terms.nets for terms in grid.columns], self.pair_nets)
        most = nets + grid.gap + add_terms(rows, grid.gains, {}) if grid.gains else nets
        keep = (most >= self.window[0]) & (nets <= self.window[1])
        if isinstance(grid, MeterGrid):
            keep &= grid.jackpot + add_terms(rows, grid.jackpots, {}) >= 0  # else the meter runs dry
        in_order = is_in_order(grid, rows)
        rows, nets, most = _pick(rows, nets, most, keep if in_order is None else keep & in_order)
        result.with_edge += len(nets)
        met = np.ones(len(nets), np.bool_)
        for name, figures, meets in self._iterate_figures(places, rows, nets):
            result.spans.setdefault(name, FigureSpan()).add(figures, meets)
            met &= meets
        rows, nets, most = _pick(rows, nets, most, met)
        result.found[len(places)] += len(nets)
        result.proved += int(((nets >= self.wanted[0]) & (most <= self.wanted[1])).sum())
        if is_ranked and len(nets):
            self._rank_rows(places, rows, nets)

    def _iterate_figures(
        self, places: Sequence[int], rows: Rows, nets: Any
    ) -> Iterator[tuple[str, NDArray[Any], NDArray[np.bool_]]]:
        """Yield each other target, the rows' figures, and which rows meet it."""
        grid, targets, deals = self.grid, self.targets, self.grid.sheet.deals
        if targets.hit:
            pairs = {pair: terms.hits for pair, terms in grid.pairs.items()}
            hits = add_terms(rows, [terms.hits for terms in grid.columns], pairs)
            least, most = ceil(targets.hit.low * deals), floor(targets.hit.high * deals)
            met = (hits >= least - grid.present[2]) & (hits <= most - grid.present[2])
            yield "hit", grid.present[2] / deals + hits / deals, met
        if targets.deviation:
            yield "deviation", *self._measure_deviations(targets.deviation, rows, nets)
        if targets.top:
            unchanged = [line.present for place, line in enumerate(grid.lines) if line.is_pay and place not in places]
            tops = np.full(len(nets), float(max(unchanged, default=Fraction(0))))
            tops = np.maximum(tops, float(grid.unvaried_top))
            for place, column in rows.items():
                if grid.lines[place].is_pay:
                    tops = np.maximum(tops, grid.heights[place][column])
            yield "top", tops, (tops >= float(targets.top.low)) & (tops <= float(targets.top.high))
        if targets.jackpot and isinstance(grid, MeterGrid):
            sums = grid.jackpot + add_terms(rows, grid.jackpots, {})
            lowest, highest = (each * grid.jackpot_unit for each in targets.jackpot)
            yield "jackpot", sums / float(grid.jackpot_unit), (sums >= ceil(lowest)) & (sums <= floor(highest))

    def _measure_deviations(
        self, target: FigureRange, rows: Rows, nets: Any
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the standard deviations of rows, and which of them are in the range."""
        grid, deals = self.grid, float(self.grid.sheet.deals)
        pairs = {pair: terms.squares for pair, terms in grid.pairs.items()}
        squares = float(grid.present[1]) + add_terms(rows, [terms.squares for terms in grid.columns], pairs)
        means = (nets.astype(np.float64) + float(grid.present[0])) / deals
        variances = (squares / deals - means * means) / grid.scale**2
        low, high = float(target.low) ** 2, float(target.high) ** 2
        met = (variances >= low) & (variances <= high)
        close = (np.abs(variances - low) <= _CLOSE * (low + variances)) | (
            np.abs(variances - high) <= _CLOSE * (high + variances)
        )
        for row in np.flatnonzero(close):
            variance = grid.price(dict(self._list_changes(rows, int(row)))).variance
            met[row] = target.low**2 <= variance <= target.high**2
        return np.sqrt(np.maximum(variances, 0)), met

    def _list_changes(self, rows: Rows, row: int) -> tuple[tuple[int, Fraction], ...]:
        return tuple((place, self.grid.lines[place].pays[int(column[row])]) for place, column in sorted(rows.items()))

    def _rank_rows(self, places: Sequence[int], rows: Rows, nets: Any) -> None:
        """Put the best of some rows among the best of all.

        The sums are rounded by less than 1, so rows that are as close as 2 to the last are ranked in fractions.
        """
        best = self.result.best
        rough = np.zeros(len(nets), np.int64) + sum(self.roughness[place][column] for place, column in rows.items())
        away = np.abs(2 * nets - self.middle)
        misses = np.maximum(np.maximum(self.wanted[0] - nets, nets - self.wanted[1]), 0)
        keys = (away, rough, misses)
        if len(nets) > self.limit:
            last = np.lexsort(keys)[self.limit - 1]
            is_nearer = (rough < rough[last]) | ((rough == rough[last]) & (away <= away[last] + 2))
            keep = (misses <= misses[last] + 2) if misses[last] else (misses == 0) & is_nearer
        else:
            keep = np.ones(len(nets), np.bool_)
        edge, unit = self.targets.edge, self.grid.sheet.deals * self.grid.scale
        for row in np.flatnonzero(keep):
            changes = self._list_changes(rows, int(row))
            house_edge = Fraction(-self.grid.present[0] - int(nets[row]), unit)
            miss = max(edge.low - house_edge, house_edge - edge.high, Fraction(0))
            rank = (miss, len(places), int(rough[row]), abs(house_edge - edge.middle), changes)
            best.append(RankedPayTable(rank, changes))
        best.sort()
        del best[self.limit :]


def _pick(rows: Rows, nets: Any, most: Any, keep: NDArray[np.bool_]) -> tuple[Rows, Any, Any]:
    """Return some of the rows, with their sums."""
    return {place: column[keep] for place, column in rows.items()}, nets[keep], most[keep]
