"""The chart of a round: what each decision of a seat was worth, and the result."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import NamedTuple

from pitboss.reports.formatting import write_minus
from pitboss.web.jobs.leaks import ReviewedDecision
from pitboss.web.pages.plot import ChartLabel, ChartPoint, Scale
from pitboss.web.templating import format_signed_value, format_suited

WIDTH, HEIGHT = 320.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 14.0, 18.0, 26.0
_MOST_TICKS = 6
_MARGIN = 0.08


class ChartColumn(NamedTuple):
    """A decision, or the result: its link, its title and its points.

    ``link`` is the address of the step.  ``best`` is the point of the best choice, None for the result, and ``made``
    that of the choice made.
    """

    link: str
    title: str
    x: float
    best: ChartPoint | None
    made: ChartPoint


class RoundChart(NamedTuple):
    """A chart: its columns, their width, its labels, and the height of zero."""

    columns: tuple[ChartColumn, ...]
    column_width: float
    labels: tuple[ChartLabel, ...]
    zero: float

    @property
    def best_path(self) -> str:
        """The points of the best choices, as the points of a polyline."""
        return _join(column.best for column in self.columns if column.best)

    @property
    def made_path(self) -> str:
        """The points of the choices made and of the result, as the points of a polyline."""
        return _join(column.made for column in self.columns)


def _join(points: Iterable[ChartPoint]) -> str:
    return " ".join(f"{point.x:.1f},{point.y:.1f}" for point in points)


def draw_round(
    decisions: Sequence[tuple[str, ReviewedDecision]], result: Fraction, result_link: str, unit: str
) -> RoundChart:
    """Draw the values of a seat's decisions and the result, in Antes.

    Each decision comes with the address of its step.
    """
    values = [float(value) for _, each in decisions for value in (each.best.value, each.chosen.value)]
    values += [float(result), 0.0]
    margin = _MARGIN * (max(values) - min(values) or 1.0)
    low, high = min(values) - margin, max(values) + margin
    upright = Scale(low, high, HEIGHT - _BOTTOM, _TOP)
    width = (WIDTH - _LEFT - _RIGHT) / (len(decisions) + 1)
    columns = []
    for place, (link, each) in enumerate(decisions):
        x = _LEFT + width * (place + 0.5)
        chosen, best_name = _name_choices(each)
        made = f"Decision {place + 1}: {chosen}, worth {format_signed_value(each.chosen.value)} {unit}"
        better = (
            f"; {best_name}, {format_signed_value(each.best.value)}, was better" if each.chosen.cost else ", the best"
        )
        best, own = (upright.place(float(value)) for value in (each.best.value, each.chosen.value))
        points = ChartPoint(x, best, "", kind="best"), ChartPoint(x, own, format_signed_value(each.chosen.value, 2))
        columns.append(ChartColumn(link, made + better, x, *points))
    x = _LEFT + width * (len(decisions) + 0.5)
    end = ChartPoint(x, upright.place(float(result)), format_signed_value(result, 2), kind="end")
    columns.append(ChartColumn(result_link, f"Result: {format_signed_value(result)} {unit}", x, None, end))
    names = [*map(str, range(1, len(decisions) + 1)), "Result"]
    labels = [ChartLabel(column.x, HEIGHT - 8, name) for column, name in zip(columns, names, strict=True)]
    labels += [
        ChartLabel(_LEFT - 5, upright.place(each) + 4, write_minus(f"{each:+g}") if each else "0")
        for each in choose_ticks(low, high)
    ]
    return RoundChart(tuple(columns), width, tuple(labels), upright.place(0.0))


def _name_choices(made: ReviewedDecision) -> list[str]:
    """Name the chosen and the best action, with cards if the names are equal."""
    pair = made.chosen, made.best
    if made.chosen.name != made.best.name:
        return [each.name for each in pair]
    return [format_suited(" ".join((each.name, *each.cards))) for each in pair]


def choose_ticks(low: float, high: float) -> list[float]:
    """Choose round figures between two others, a few, with 0 if it is between them.

    >>> choose_ticks(-3.4, 5.0)
    [-2.0, 0.0, 2.0, 4.0]
    """
    tenth = 10.0 ** floor(log10(high - low) - 1)
    step = next(each * tenth for each in (1, 2, 5, 10, 20, 50) if (high - low) / (each * tenth) < _MOST_TICKS)
    return [step * number for number in range(ceil(low / step), floor(high / step) + 1)]
