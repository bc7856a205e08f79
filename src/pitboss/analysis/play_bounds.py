"""Bounds of the best play's value under edited pays.

Whatever the play, the expected value of main is linear in the pays: the slope in each pay is how much is staked on that
line in an average round.  So the value of the best play, the highest over all plays, is convex in the pays, and

* a play that is known is still possible: its value under the new pays is a lower bound;
* from pays whose best value is known, no play gains more than the most that a line is paid for each pay raised, and no
  play loses less than the least that it is paid for each pay lowered: that gives an upper bound;
* between two such pays the best value is nowhere above the straight line between them.

docs/decisions/0030 has the derivation and figures.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from pitboss.contract import LegResult, PayTable, PayUnit, Wager
from pitboss.pay_limits import PayLimits, PaysByLine

_LINEAR_UNITS = {PayUnit.TO_ONE, PayUnit.FOR_ONE}


class BestValue(NamedTuple):
    """Pays, and the value of the best play under them (or an upper bound of it)."""

    pays: PaysByLine
    value: Fraction


def list_pays(wager: Wager, paytables: Mapping[str, PayTable]) -> dict[tuple[str, str], Fraction]:
    """Return the pays of all lines that pay a wager."""
    return {(kind, line): pay.amount for kind in wager.paytable_kinds for line, pay in paytables[kind].lines.items()}


def is_linear_in_pays(wager: Wager, previous: Mapping[str, PayTable], paytables: Mapping[str, PayTable]) -> bool:
    """Tell whether all nets of a wager are linear in the pays that differ.

    They are not where the best of several lines is paid, or if a pay has got another unit.
    """
    units, new_units = (
        [(line, pay.unit) for kind in wager.paytable_kinds for line, pay in tables[kind].lines.items()]
        for tables in (previous, paytables)
    )
    legs = [leg for outcome in wager.outcomes for leg in outcome.legs if leg.lines]
    return (
        units == new_units
        and {unit for _, unit in units} <= _LINEAR_UNITS
        and not any(leg.best_only or leg.result is LegResult.LOSE for leg in legs)
    )


def compute_upper_bound(pays: PaysByLine, known: Sequence[BestValue], limits: PayLimits) -> Fraction:
    """Return an upper bound of the best play's value under ``pays``.

    ``known`` are best values under other pays, at least one.

    >>> limits = PayLimits({("bet", "flush"): Fraction(0)}, {("bet", "flush"): Fraction(1, 4)})
    >>> known = [BestValue({("bet", "flush"): Fraction(5)}, Fraction(-1, 8))]
    >>> compute_upper_bound({("bet", "flush"): Fraction(6)}, known, limits)
    Fraction(1, 8)
    >>> compute_upper_bound({("bet", "flush"): Fraction(4)}, known, limits)
    Fraction(-1, 8)
    """
    return min(value + _compute_most_gain(pays, start, limits) for start, value in _iterate_chords(pays, known))


def _iterate_chords(pays: PaysByLine, known: Sequence[BestValue]) -> Iterator[BestValue]:
    """Yield the known values, and upper bounds between every two of them.

    The most gain is linear between the points of the line between two pays at which one of the pays equals the wanted
    one.  So the least bound from the line is at one of these points or at its ends.
    """
    yield from known
    for one, other in combinations(known, 2):
        for line, wanted in pays.items():
            step = other.pays[line] - one.pays[line]
            if step and 0 < (share := (wanted - one.pays[line]) / step) < 1:
                between = {each: pay + share * (other.pays[each] - pay) for each, pay in one.pays.items()}
                yield BestValue(between, one.value + share * (other.value - one.value))


def _compute_most_gain(pays: PaysByLine, start: PaysByLine, limits: PayLimits) -> Fraction:
    """Return the most that any play gains if pays change from ``start`` to ``pays``."""
    gain = Fraction(0)
    for line, pay in pays.items():
        change = pay - start[line]
        gain += change * (limits.most if change > 0 else limits.least)[line]
    return gain
