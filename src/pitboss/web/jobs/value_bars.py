"""The bars of values: from a zero that the actions of a decision share."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pitboss.web.jobs.coach import ActionAdvice

_LEAST_WIDTH = 2


class ValueBar(NamedTuple):
    """A bar in hundredths of its place, from ``start`` on, and where the ``zero`` is.

    ``is_below`` tells that it runs from the zero to the left.
    """

    start: int
    width: int
    zero: int
    is_below: bool


def measure_values(advice: Sequence[ActionAdvice]) -> list[ValueBar]:
    """Return the bar of each action, whose length is proportional to its value.

    It begins at an expected net of 0: what is lost runs to the left, and what is won to the right.

    >>> worths = [("play", Fraction(3, 2)), ("check", Fraction(3, 4)), ("fold", Fraction(-1, 2))]
    >>> for bar in measure_values([ActionAdvice(each, each, (), value, value) for each, value in worths]): print(bar)
    ValueBar(start=25, width=75, zero=25, is_below=False)
    ValueBar(start=25, width=38, zero=25, is_below=False)
    ValueBar(start=0, width=25, zero=25, is_below=True)
    """
    values = [each.value for each in advice]
    low, high = min(Fraction(0), *values), max(Fraction(0), *values)
    return [_place_bar(value, low, (high - low) or Fraction(1)) for value in values]


def describe_bars(bars: Sequence[ValueBar]) -> str:
    """Say how to read the bars of a decision, "" if there is only one.

    >>> left, right = ValueBar(0, 50, 50, is_below=True), ValueBar(50, 50, 50, is_below=False)
    >>> for bars in ([left, right], [left, left], [right, right], [left]): print(describe_bars(bars))
    Bars start at the zero mark: red is lost.
    Bars start at zero, the right edge: shorter loses less.
    Bars start at zero, the left edge: longer wins more.
    <BLANKLINE>
    """
    if len(bars) < 2:
        return ""
    below = {each.is_below for each in bars}
    if len(below) > 1:
        return "Bars start at the zero mark: red is lost."
    if True in below:
        return "Bars start at zero, the right edge: shorter loses less."
    return "Bars start at zero, the left edge: longer wins more."


def _place_bar(value: Fraction, low: Fraction, span: Fraction) -> ValueBar:
    """Place a bar between its value and zero, wide enough to see."""
    width = max(_LEAST_WIDTH, round(100 * abs(value) / span))
    start = round(100 * (min(value, Fraction(0)) - low) / span)
    return ValueBar(max(0, min(start, 100 - width)), width, round(-100 * low / span), value < 0)
