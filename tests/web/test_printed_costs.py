"""Costs as pages print them, next to the values that they are the difference of."""

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from pitboss.web.templating import format_cost, format_signed_value


class Valued(NamedTuple):
    """An action with a value and a cost."""

    value: Fraction
    cost: Fraction


def read_number(text: str) -> Decimal:
    """Read a number that a page prints."""
    return Decimal(text.replace("\N{MINUS SIGN}", "-"))


@given(
    st.fractions(min_value=-200, max_value=200, max_denominator=10**12),
    st.fractions(min_value=0, max_value=20, max_denominator=10**12),
    st.sampled_from([4, 6]),
)
def test_who_subtracts_printed_values_finds_the_printed_cost(value: Fraction, cost: Fraction, places: int) -> None:
    printed, unit = format_cost(Valued(value, cost), places), Decimal(1).scaleb(-places)
    best, chosen = (read_number(format_signed_value(each, places)) for each in (value + cost, value))
    if printed.startswith("under "):
        assert best == chosen
        assert 0 < cost <= unit == Decimal(printed.removeprefix("under "))
    else:
        assert best - chosen == Decimal(printed)
        assert abs(Fraction(printed) - cost) < Fraction(unit) + Fraction(1, 10**9)
        assert (Decimal(printed) == 0) == (cost == 0)
