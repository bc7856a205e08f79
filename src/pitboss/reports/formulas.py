"""What an outcome nets as a spreadsheet reckons it: formulas over the cells that hold a pay table's pays.

Each line's pay lies in a cell of its own.  What is won and what is taken are sums of them, in units of the stake or,
where the table pays dollars, in dollars.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.contract import Leg, LegResult, LinePay, Outcome, PayTable, PayUnit


@dataclass(frozen=True, slots=True)
class PayCells:
    """Where the pays of a bet lie: the cell of each line by its table's kind, and of the meter, if there is one.

    ``award_step_cents`` is to how many cents a percentage is rounded down.
    """

    pays: Mapping[tuple[str, str], str]
    meter_cell: str
    award_step_cents: int


def make_won_formula(outcome: Outcome, tables: Mapping[str, PayTable], cells: PayCells) -> str:
    """Return the formula of what an outcome brings over its stakes, without the equals sign."""
    return _join_terms(_make_leg_formula(leg, tables, cells) for leg in outcome.legs if leg.result is LegResult.WIN)


def make_lost_formula(outcome: Outcome, tables: Mapping[str, PayTable], cells: PayCells) -> str:
    """Return the formula of what an outcome takes."""
    return _join_terms(_make_leg_formula(leg, tables, cells) for leg in outcome.legs if leg.result is LegResult.LOSE)


def _join_terms(terms: Iterable[str]) -> str:
    return "+".join(term for term in terms if term != "0") or "0"


def _make_leg_formula(leg: Leg, tables: Mapping[str, PayTable], cells: PayCells) -> str:
    if not leg.lines:
        return str(leg.stake)
    paid = [
        _make_pay_formula(cells.pays[leg.paytable_kind, line], tables[leg.paytable_kind].lines[line], leg.stake, cells)
        for line in leg.lines
    ]
    return f"MAX({','.join(paid)})" if leg.best_only and len(paid) > 1 else "+".join(paid)


def _make_pay_formula(cell: str, pay: LinePay, stake: int, cells: PayCells) -> str:
    """Return what a line pays for a stake, as ``paytables.compute_leg_net`` does."""
    match pay.unit:
        case PayUnit.DOLLARS:
            return cell
        case PayUnit.PERCENT_OF_METER:
            return f"({_make_award_formula(cell, cells)}-{stake})"
        case PayUnit.FOR_ONE:
            return f"({cell}-1)*{stake}" if stake != 1 else f"({cell}-1)"
        case _:
            return f"{cell}*{stake}" if stake != 1 else cell


def _make_award_formula(cell: str, cells: PayCells) -> str:
    """Return a percentage of the meter in dollars, rounded down as a meter's awards are; cents are whole numbers."""
    cents = f"ROUND({cells.meter_cell}*100,0)*{cell}/{100 * cells.award_step_cents}"
    return f"INT({cents})*{cells.award_step_cents}/100"


def to_cell_value(value: Fraction) -> float | str:
    """Return a pay as a spreadsheet keeps it: the number where a decimal says it all, else a quotient.

    >>> to_cell_value(Fraction(15, 2)), to_cell_value(Fraction(1, 3))
    (7.5, '=1/3')
    """
    shortened = value.denominator
    for prime in (2, 5):
        while shortened % prime == 0:
            shortened //= prime
    return float(value) if shortened == 1 else f"={value.numerator}/{value.denominator}"
