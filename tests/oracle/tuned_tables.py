"""Every pay table within ranges, one after another, priced in fractions: what a tuning search must find."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

from pitboss.analysis.par_sheet import ParSheet, build_par_sheet
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.contract import PayTable, PayUnit
from pitboss.pay_limits import change_pays

Key = tuple[str, str]


class PricedTable(NamedTuple):
    """A table: its changed lines, and its figures."""

    changes: dict[Key, Fraction]
    edge: Fraction
    hit: Fraction
    variance: Fraction
    top: Fraction


def list_tables(
    sheet: ParSheet, pays: Mapping[Key, Sequence[Fraction]], changes: int, *, any_order: bool
) -> Iterator[PricedTable]:
    """Yield every table with at most so many changed lines; ``pays`` are all that each line may pay."""
    before = sheet.tables_by_kind
    for chosen in product(*pays.values()):
        table = dict(zip(pays, chosen, strict=True))
        changed = {key: pay for key, pay in table.items() if pay != before[key[0]].lines[key[1]].amount}
        if len(changed) <= changes:
            after = change_pays(before, changed)
            if (any_order or keep_strength(before, after, changed)) and keep_rules(sheet, after, changed):
                yield price(sheet, after, changed)


def keep_strength(
    before: Mapping[str, PayTable], after: Mapping[str, PayTable], changed: Mapping[Key, Fraction]
) -> bool:
    """Tell whether no changed line breaks an order of neighbours that the present table has."""
    return all(
        after[kind].lines[high].amount >= after[kind].lines[low].amount
        for kind, table in before.items()
        for (high, first), (low, second) in pairwise(table.lines.items())
        if first.unit is second.unit and first.amount >= second.amount and {(kind, high), (kind, low)} & changed.keys()
    )


def keep_rules(sheet: ParSheet, after: Mapping[str, PayTable], changed: Mapping[Key, Fraction]) -> bool:
    """Tell whether the pays are in the order that the rules rely on."""
    return all(
        after[order.paytable_kind].lines[order.line].amount >= after[order.paytable_kind].lines[lower].amount
        for order in sheet.wager.pay_orders
        for lower in order.lower_lines
        if {(order.paytable_kind, order.line), (order.paytable_kind, lower)} & changed.keys()
    )


def price(sheet: ParSheet, after: Mapping[str, PayTable], changed: dict[Key, Fraction]) -> PricedTable:
    """Price a table like any other, by a sheet of its own."""
    counts = [line.deals for line in sheet.lines]
    priced = build_par_sheet(sheet.game, sheet.wager, after, sheet.options, counts)
    pays = [
        pay.amount
        for table in after.values()
        for pay in table.lines.values()
        if pay.unit is not PayUnit.PERCENT_OF_METER
    ]
    return PricedTable(changed, priced.house_edge, priced.hit_frequency, priced.variance, max(pays))


def meets(table: PricedTable, targets: TuningTargets, *, edge: bool = True) -> bool:
    """Tell whether a table meets the targets, all or all but the edge."""
    return (
        (not edge or targets.edge.low <= table.edge <= targets.edge.high)
        and (targets.hit is None or targets.hit.low <= table.hit <= targets.hit.high)
        and (targets.deviation is None or targets.deviation.low**2 <= table.variance <= targets.deviation.high**2)
        and (targets.top is None or targets.top.low <= table.top <= targets.top.high)
    )


def measure_roughness(pay: Fraction) -> int:
    """Count half digits: of each number up to its last that is not 0, a 5 that ends several counts half."""
    numbers = [pay.numerator] if pay.denominator == 1 else [pay.numerator, pay.denominator]
    digits = [str(number).rstrip("0") or "0" for number in numbers]
    return sum(2 * len(each) - (len(each) > 1 and each[-1] == "5") for each in digits) + 2 * (len(digits) > 1)


def rank(table: PricedTable, targets: TuningTargets) -> tuple[int, int, Fraction]:
    """Return the place of a table in the stated order: changes, roundness, distance from the middle of the edge."""
    rough = sum(map(measure_roughness, table.changes.values()))
    return len(table.changes), rough, abs(table.edge - (targets.edge.low + targets.edge.high) / 2)
