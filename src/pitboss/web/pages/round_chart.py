"""The chart of a round: what each decision of a seat was worth, and the result."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import NamedTuple

from pitboss.reports.formatting import write_minus
from pitboss.web.jobs.player_leaks import ReviewedDecision
from pitboss.web.pages.plot import ChartLabel, ChartPoint, Scale, join_points
from pitboss.web.templating import format_signed_value, format_suited

WIDTH, HEIGHT = 320.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 14.0, 18.0, 36.0
_MOST_TICKS = 6
_MARGIN = 0.08
_ABOVE, _BELOW, _ASIDE = 11.0, 17.0, 4.0


class PlacedValue(NamedTuple):
    """A value next to its point; ``anchor`` is the class of the side where it begins."""

    x: float
    y: float
    text: str
    anchor: str


class ChartColumn(NamedTuple):
    """A decision, or the result: its link, its title and its points.

    ``link`` is the address of the step.  ``best`` is the point of the best choice, None for the result, and ``made``
    that of the choice made.  ``values`` are those of the points, each once.
    """

    link: str
    title: str
    x: float
    best: ChartPoint | None
    made: ChartPoint
    values: tuple[PlacedValue, ...] = ()


class RoundChart(NamedTuple):
    """A chart: its columns, their width, its labels, and the height of zero."""

    columns: tuple[ChartColumn, ...]
    column_width: float
    labels: tuple[ChartLabel, ...]
    zero: float

    @property
    def best_path(self) -> str:
        """The points of the best choices, as the points of a polyline."""
        return join_points(column.best for column in self.columns if column.best)

    @property
    def made_path(self) -> str:
        """The points of the choices made and of the result, as the points of a polyline."""
        return join_points(column.made for column in self.columns)


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
        points = (
            ChartPoint(x, best, format_signed_value(each.best.value, 2), kind="best"),
            ChartPoint(x, own, format_signed_value(each.chosen.value, 2)),
        )
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
    return RoundChart(tuple(_place_values(columns)), width, tuple(labels), upright.place(0.0))


def _place_values(columns: Sequence[ChartColumn]) -> Iterable[ChartColumn]:
    """Place the values of the points where no line runs into them.

    A better choice has its value above its ring, and the choice made below it then.  Else the value is on the side that
    the lines to the columns next to it leave free.
    """
    for place, column in enumerate(columns):
        point, best = column.made, column.best
        before = columns[place - 1].made.y if place else None
        after = columns[place + 1].made.y if place + 1 < len(columns) else None
        if best and best.y < point.y:
            made = _place_value(point, -1 if after is not None and after > point.y else 0, is_above=False)
            yield column._replace(values=(_place_value(best, 0, is_above=True), made))
            continue
        falls = [each > point.y for each in (before, after) if each is not None]
        # A line that comes from one side below and leaves above, or the other way round, leaves two corners free.
        side = 0 if before is None or after is None or len(set(falls)) == 1 else 1 if after > point.y else -1
        yield column._replace(values=(_place_value(point, side, is_above=any(falls)),))


def _place_value(point: ChartPoint, side: int, *, is_above: bool) -> PlacedValue:
    """Place a value above or below its point: left (-1), centred (0) or right."""
    anchor = {-1: "upright", 0: "across", 1: ""}[side]
    return PlacedValue(point.x + side * _ASIDE, point.y + (-_ABOVE if is_above else _BELOW), point.title, anchor)


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
