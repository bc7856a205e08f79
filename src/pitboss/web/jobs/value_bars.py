"""The bars of values: from a zero that the actions of a decision share."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pitboss.web.jobs.coach import ActionAdvice

_LEAST_WIDTH = 2


class ValueBar(NamedTuple):
    """A bar in hundredths of its place, from ``start`` on.

    ``is_below`` tells that it runs from the zero to the left.
    """

    start: int
    width: int
    is_below: bool


def measure_values(advice: Sequence[ActionAdvice]) -> list[ValueBar]:
    """Return the bar of each action, whose length is proportional to its value.

    The zero of the bars is an expected net of 0, or the value of a fold if every action loses.

    >>> worths = [("play", Fraction(3, 2)), ("check", Fraction(3, 4)), ("fold", Fraction(-1, 2))]
    >>> for bar in measure_values([ActionAdvice(each, each, (), value, value) for each, value in worths]): print(bar)
    ValueBar(start=25, width=75, is_below=False)
    ValueBar(start=25, width=38, is_below=False)
    ValueBar(start=0, width=25, is_below=True)
    """
    zero = Fraction(0)
    if all(each.value < 0 for each in advice):
        zero = next((each.value for each in advice if each.action == "fold"), zero)
    above_zero = [each.value - zero for each in advice]
    low, high = min(Fraction(0), *above_zero), max(Fraction(0), *above_zero)
    return [_place_bar(value, low, (high - low) or Fraction(1)) for value in above_zero]


def _place_bar(value: Fraction, low: Fraction, span: Fraction) -> ValueBar:
    """Place a bar between its value and zero, wide enough to see."""
    width = max(_LEAST_WIDTH, round(100 * abs(value) / span))
    start = round(100 * (min(value, Fraction(0)) - low) / span)
    return ValueBar(max(0, min(start, 100 - width)), width, value < 0)
