"""The grid of a tuning search: what each pay of each line adds to the nets.

A net is a sum over circles, so the sum of all nets is a sum over lines, and each pay that a line may get adds its own
number.  Where two lines pay one outcome, a table of the pays of both corrects the sums.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.analysis.par_sheet import ParLine, ParSheet, build_par_sheet
from pitboss.contract import Leg, LinePay, PayTable, PayUnit
from pitboss.core.errors import WagerError
from pitboss.outcome_nets import compute_pay
from pitboss.pay_limits import change_pays

LineKey = tuple[str, str]
"""A line of a bet: the kind of its pay table, and its name."""

Integers = NDArray[Any]
"""Whole numbers: int64 where their sums fit, else Python's integers."""

_CENTS = 100
FAR = 1 << 61
"""More than any sum of nets, where sums are 64-bit integers."""

_MOST_TOGETHER = 2


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line whose pay may change, with the other pays that it may get, lowest first.

    It ``must_change`` if its present pay is not within its range.  Unless it ``is_pay``, it is a setting of a meter.
    """

    key: LineKey
    present: Fraction
    pays: tuple[Fraction, ...]
    must_change: bool = False
    is_pay: bool = True


class PayContributions(NamedTuple):
    """What pays add to the sums of nets and of their squares, and to winning deals."""

    nets: Integers
    squares: NDArray[np.float64]
    hits: Integers

    def convert(self, number: type) -> "PayContributions":
        """Return the contributions with whole numbers of another type."""
        return PayContributions(self.nets.astype(number), self.squares, self.hits.astype(number))


@dataclass(frozen=True)
class PayGrid:
    """The tables of a search: the present one, and what each other pay adds to it.

    Nets are multiplied by ``scale``, so that they are whole.  ``columns`` has an entry for each of ``lines``, ``pairs``
    one for two lines that pay one outcome together.  The first line of each of ``orders`` pays at least as much as the
    second.  ``gains`` is, where the play depends on the pays, the most that the best play gains over the present one,
    in units of the nets, and ``gap`` what it may gain under the present pays; elsewhere there is none.
    """

    sheet: ParSheet
    lines: tuple[GridLine, ...]
    scale: int
    columns: tuple[PayContributions, ...]
    pairs: Mapping[tuple[int, int], PayContributions]
    orders: tuple[tuple[int, int], ...]
    gains: tuple[Integers, ...] = ()
    gap: int = 0

    @cached_property
    def present(self) -> tuple[int, int, int]:
        """The sums of the present table: of nets, of their squares, of winning deals."""
        nets = [(int(line.net * self.scale), line.deals) for line in self.sheet.lines]
        return (
            sum(net * deals for net, deals in nets),
            sum(net * net * deals for net, deals in nets),
            sum(deals for net, deals in nets if net > 0),
        )

    @cached_property
    def unvaried_top(self) -> Fraction:
        """The highest pay of the lines that do not vary, in chips."""
        varied = {line.key for line in self.lines}
        pays = (
            pay.amount
            for table in self.sheet.paytables
            for name, pay in table.lines.items()
            if (table.kind, name) not in varied and pay.unit is not PayUnit.PERCENT_OF_METER
        )
        return max(pays, default=Fraction(0))

    def clip(self, total: int) -> int:
        """Return a sum of nets, or one that is beyond all others and fits their type."""
        is_python = any(column.nets.dtype == object for column in self.columns)
        return total if is_python else max(-FAR, min(FAR, total))

    @cached_property
    def heights(self) -> tuple[NDArray[np.float64], ...]:
        """The pays of each line as numbers to compare."""
        return tuple(np.array([float(pay) for pay in line.pays]) for line in self.lines)

    def price(self, changes: Mapping[int, Fraction]) -> ParSheet:
        """Return the sheet with other pays of some lines, played as before."""
        sheet = self.sheet
        tables = change_pays(sheet.tables_by_kind, {self.lines[place].key: pay for place, pay in changes.items()})
        counts = [line.deals for line in sheet.lines]
        return build_par_sheet(sheet.game, sheet.wager, tables, sheet.options, counts, sheet.meter_cents)


def build_grid(sheet: ParSheet, lines: Sequence[GridLine], *, any_order: bool) -> PayGrid:
    """Build the grid of a bet from its present sheet and the lines that vary.

    Unless ``any_order``, pays stay in the printed order of strength; those that the rules need in order always do.

    Raises:
        WagerError: three of the lines, or more, pay one outcome together.
    """
    orders = list(_iterate_orders(sheet, any_order=any_order))
    narrowed = [_narrow_line(line, lines, sheet.tables_by_kind, orders) for line in lines]
    numbers = {line.key: number for number, line in enumerate(narrowed)}
    scale = lcm(
        *(line.net.denominator for line in sheet.lines),
        *(pay.denominator for line in narrowed for pay in (line.present, *line.pays)),
    )
    paid = [_PaidOutcome(line, sheet.tables_by_kind, narrowed, numbers, scale) for line in sheet.lines if line.deals]
    together = [each for each in paid if len(each.places) > 1]
    for each in together:
        if len(each.places) > _MOST_TOGETHER:
            names = ", ".join(lines[place].key[1] for place in each.places)
            raise WagerError(
                f"{names} are paid together on one hand: vary at most {_MOST_TOGETHER} of them",
                code="paid-together",
                lines=names,
            )
    columns = [
        _sum_contributions((len(line.pays),), [each.list_terms(place) for each in paid if place in each.places])
        for place, line in enumerate(narrowed)
    ]
    pairs = {
        (one, other): _sum_contributions(
            (len(narrowed[one].pays), len(narrowed[other].pays)),
            [each.list_pair_terms((one, other)) for each in together if each.places == (one, other)],
        )
        for one, other in {(each.places[0], each.places[1]) for each in together}
    }
    most = sheet.deals * scale * (1 + max(abs(line.net) for line in sheet.lines))
    most += sum(max(map(abs, each.nets.flat), default=0) for each in (*columns, *pairs.values()))
    number = np.int64 if most < FAR else object
    return PayGrid(
        sheet,
        tuple(narrowed),
        scale,
        tuple(column.convert(number) for column in columns),
        {pair: each.convert(number) for pair, each in pairs.items()},
        tuple((numbers[high], numbers[low]) for high, low in orders if high in numbers and low in numbers),
    )


class _PaidLeg(NamedTuple):
    """A circle: what its lines pay now, and what those that vary can pay.

    ``columns`` has the number of a line among those of the circle, its place in the grid, and its pays.  A circle may
    pay one line twice.
    """

    result: int
    best_only: bool
    present: tuple[int, ...]
    columns: tuple[tuple[int, int, Integers], ...]


class _PaidOutcome:
    """An outcome of a sheet, with the net that it has under other pays."""

    def __init__(
        self,
        line: ParLine,
        tables: Mapping[str, PayTable],
        lines: Sequence[GridLine],
        numbers: Mapping[LineKey, int],
        scale: int,
    ) -> None:
        """Read the lines that pay an outcome.

        ``numbers`` are the places in the grid of those that vary.
        """
        self.deals, self.net = line.deals, int(line.net * scale)

        def scale_pay(leg: Leg, pay: LinePay, amount: Fraction) -> int:
            return int(compute_pay(replace(pay, amount=amount), Fraction(_CENTS * leg.paid_stake), 0) * scale / _CENTS)

        self.legs = []
        for leg in line.outcome.legs:
            pays = [tables[leg.paytable_kind].lines[name] for name in leg.lines]
            places = [numbers.get((leg.paytable_kind, name)) for name in leg.lines]
            columns = tuple(
                (entry, place, np.array([scale_pay(leg, pay, each) for each in lines[place].pays], np.int64))
                for entry, (place, pay) in enumerate(zip(places, pays, strict=True))
                if place is not None
            )
            if columns and leg.result:
                present = tuple(scale_pay(leg, pay, pay.amount) for pay in pays)
                self.legs.append(_PaidLeg(int(leg.result), leg.best_only, present, columns))
        self.places = tuple(sorted({place for leg in self.legs for _, place, _ in leg.columns}))

    def _compute_nets(self, *places: int) -> Integers:
        """Return the nets under all pays of these lines, an axis for each line."""
        change: Any = np.int64(0)
        for leg in self.legs:
            paid: list[Any] = list(leg.present)
            for entry, place, column in leg.columns:
                if place in places:
                    shape = [-1 if other == place else 1 for other in places]
                    paid[entry] = column.reshape(shape)
            combine = (lambda pays: reduce(np.maximum, pays)) if leg.best_only else sum
            change = change + leg.result * (combine(paid) - combine(list(leg.present)))
        return np.asarray(self.net + change)

    def list_terms(self, place: int) -> tuple[int, list[Integers]]:
        """Return its deals, and what a line's pays add to net, square and hits."""
        return self.deals, [new - old for new, old in zip(self._measure(place), self._measure(), strict=True)]

    def list_pair_terms(self, pair: tuple[int, ...]) -> tuple[int, list[Integers]]:
        """Return its deals, and what two lines add besides what each adds alone."""
        one, other = pair
        corrections = [
            both - first[:, None] - second + neither
            for both, first, second, neither in zip(
                self._measure(one, other), self._measure(one), self._measure(other), self._measure(), strict=True
            )
        ]
        return self.deals, corrections

    def _measure(self, *places: int) -> tuple[Integers, Integers, Integers]:
        nets = self._compute_nets(*places)
        return nets, nets * nets, (nets > 0).astype(np.int64)


def _sum_contributions(shape: tuple[int, ...], terms: Sequence[tuple[int, list[Integers]]]) -> PayContributions:
    """Add up the terms of several outcomes, each times its deals."""
    nets, hits, squares = np.zeros(shape, object), np.zeros(shape, object), np.zeros(shape)
    for deals, (net, square, hit) in terms:
        nets, hits, squares = (
            nets + net.astype(object) * deals,
            hits + hit.astype(object) * deals,
            squares + square * float(deals),
        )
    return PayContributions(nets, squares, hits)


def _iterate_orders(sheet: ParSheet, *, any_order: bool) -> Iterator[tuple[LineKey, LineKey]]:
    """Yield pairs of lines of which the first pays at least as much as the second.

    A line that pays more than the line above it, now, begins a new order of strength.
    """
    for order in sheet.wager.pay_orders:
        for lower in order.lower_lines:
            yield (order.paytable_kind, order.line), (order.paytable_kind, lower)
    for table in () if any_order else sheet.paytables:
        for (high, first), (low, second) in pairwise(table.lines.items()):
            if first.unit is second.unit and first.amount >= second.amount:
                yield (table.kind, high), (table.kind, low)


def _narrow_line(
    line: GridLine,
    lines: Sequence[GridLine],
    tables: Mapping[str, PayTable],
    orders: Sequence[tuple[LineKey, LineKey]],
) -> GridLine:
    """Return a line without pays that are out of order with a line that stays."""
    if not line.pays:
        return line
    fixed = {(kind, name): pay.amount for kind, table in tables.items() for name, pay in table.lines.items()}
    for each in lines:
        del fixed[each.key]
    most = min((fixed[high] for high, low in orders if low == line.key and high in fixed), default=line.pays[-1])
    least = max((fixed[low] for high, low in orders if high == line.key and low in fixed), default=line.pays[0])
    return replace(line, pays=tuple(pay for pay in line.pays if least <= pay <= most))
