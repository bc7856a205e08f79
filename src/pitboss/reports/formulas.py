"""Spreadsheet formulas of an outcome's net, over the cells of a table's pays.

Each line's pay has its own cell.  Amounts won and lost are sums of these cells, in units of the stake or, if the table
pays dollars, in dollars.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.contract import Leg, LegResult, LinePay, Outcome, PayTable, PayUnit


@dataclass(frozen=True, slots=True)
class PayCells:
    """The cells of a bet's pays, and the cell of the meter if there is one.

    ``pays`` has the cells by the pay table's kind and line.  A percentage is rounded down to a multiple of
    ``award_step_cents``.
    """

    pays: Mapping[tuple[str, str], str]
    meter_cell: str
    award_step_cents: int


def make_net_formula(outcome: Outcome, result: LegResult, tables: Mapping[str, PayTable], cells: PayCells) -> str:
    """Return the formula of what an outcome wins over its stakes, or loses."""
    terms = (_make_leg_formula(leg, tables, cells) for leg in outcome.legs if leg.result is result)
    return "+".join(term for term in terms if term != "0") or "0"


def _make_leg_formula(leg: Leg, tables: Mapping[str, PayTable], cells: PayCells) -> str:
    if not leg.lines:
        return str(leg.stake)
    pays = [
        _make_pay_formula(
            cells.pays[leg.paytable_kind, line], tables[leg.paytable_kind].lines[line], leg.paid_stake, cells
        )
        for line in leg.lines
    ]
    return f"MAX({','.join(pays)})" if leg.best_only and len(pays) > 1 else "+".join(pays)


def _make_pay_formula(cell: str, pay: LinePay, stake: int, cells: PayCells) -> str:
    """Return the formula of a line's pay for a stake.

    It computes the pay as ``paytables.compute_leg_net`` does.
    """
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
    """Return the formula of a percentage of the meter, in dollars.

    It computes in whole cents, and rounds down as a meter's awards are rounded.
    """
    cents = f"ROUND({cells.meter_cell}*100,0)*{cell}/{100 * cells.award_step_cents}"
    return f"INT({cents})*{cells.award_step_cents}/100"


def to_cell_value(value: Fraction) -> float | str:
    """Return a pay as a number if it is a finite decimal, else as a quotient.

    >>> to_cell_value(Fraction(15, 2)), to_cell_value(Fraction(1, 3))
    (7.5, '1/3')
    """
    is_decimal = 10 ** value.denominator.bit_length() % value.denominator == 0
    return float(value) if is_decimal else f"{value.numerator}/{value.denominator}"
