"""The charts of the page *Design*: coordinates that its template draws.

A chart has an upright axis of edges or deviations and an axis of pays or edges; points are in units of its view box.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from pitboss.analysis.edge_curves import EdgeCurves
from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.meter_grid import METER_KEYS, METER_TITLES
from pitboss.analysis.pay_grid import LineKey
from pitboss.analysis.tuning_report import TunedTable, TuningReport
from pitboss.builders import capitalize_first, display_name
from pitboss.paytable_toml import format_pay_input
from pitboss.web.pages.plot import ChartLabel, ChartPoint, Scale, join_points

_CURVE_WIDTH, _CURVE_HEIGHT = 200.0, 110.0
_SCATTER_WIDTH, _SCATTER_HEIGHT = 400.0, 260.0
_LEFT, _BOTTOM, _TOP, _RIGHT = 44.0, 26.0, 8.0, 8.0
_MARGIN = 0.04
_MOST_CURVE_POINTS = 25
_TICKS = 4


class Chart(NamedTuple):
    """A chart: its size, its points, its labels, and the band of the target edge."""

    name: str
    width: float
    height: float
    points: tuple[ChartPoint, ...]
    band: tuple[float, float]
    labels: tuple[ChartLabel, ...]

    @property
    def path(self) -> str:
        """The points as the points of a polyline."""
        return join_points(self.points)

    @property
    def own(self) -> int:
        """The number of the current table's point, from 0."""
        return next(number for number, point in enumerate(self.points) if point.kind == "own")


def draw_curves(
    curves: EdgeCurves, edge: FigureRange, present: Fraction, link: Callable[[LineKey, Fraction], str]
) -> list[Chart]:
    """Return a chart for each line: house edge against pay, near the current one."""
    low, high = (float(pick(edge.low, edge.high, present)) for pick in (min, max))
    scale = Scale(low - _MARGIN, high + _MARGIN, _CURVE_HEIGHT - _BOTTOM, _TOP)
    return [_draw_curve(key, points, scale, edge, present, link) for key, points in curves.items()]


def _draw_curve(
    key: LineKey,
    points: Sequence[tuple[Fraction, Fraction]],
    scale: Scale,
    edge: FigureRange,
    present: Fraction,
    link: Callable[[LineKey, Fraction], str],
) -> Chart:
    own = next(number for number, (_, each) in enumerate(points) if each == present)
    near = range(max(0, own - _MOST_CURVE_POINTS), own + _MOST_CURVE_POINTS + 1)
    shown = [point for number, point in enumerate(points) if number in near and scale.includes(float(point[1]))]
    across = Scale(float(shown[0][0]), float(shown[-1][0]), _LEFT, _CURVE_WIDTH - _RIGHT)
    drawn = []
    for pay, each in shown:
        kind = "own" if each == present else "met" if edge.low <= each <= edge.high else ""
        title = f"{format_pay_input(pay)}: house edge {float(each):.4%}"
        drawn.append(ChartPoint(across.place(float(pay)), scale.place(float(each)), title, link(key, pay), kind))
    ends = [ChartLabel(drawn[end].x, _CURVE_HEIGHT - 8, format_pay_input(shown[end][0])) for end in (0, -1)]
    upright = [ChartLabel(_LEFT - 5, place + 3, text) for text, place in scale.list_ticks(2, percent=True)]
    return Chart(
        METER_TITLES[key[1]] if key in METER_KEYS else capitalize_first(display_name(key[1])),
        _CURVE_WIDTH,
        _CURVE_HEIGHT,
        tuple(drawn),
        _make_band(scale, edge),
        (*ends, *upright),
    )


def _make_band(scale: Scale, edge: FigureRange) -> tuple[float, float]:
    """Return where the band of the target edge begins, and how wide it is."""
    ends = sorted(scale.place(float(each)) for each in edge)
    return ends[0], max(ends[1] - ends[0], 1.0)


def draw_scatter(report: TuningReport, link: Callable[[TunedTable], str]) -> Chart:
    """Return the chart of the found tables: standard deviation against house edge.

    Tables of the frontier are marked: no other has both a higher edge and a lower deviation.
    """
    tables = (report.present, *report.tables)
    edges, deviations = [float(each.house_edge) for each in tables], [each.standard_deviation for each in tables]
    shown_edges = [*edges[1:], *map(float, report.targets.edge)]
    across = Scale(min(shown_edges), max(shown_edges), _LEFT, _SCATTER_WIDTH - _RIGHT)
    upright = Scale(min(deviations[1:]), max(deviations[1:]), _SCATTER_HEIGHT - _BOTTOM, _TOP)
    points = []
    for table, edge, deviation in zip(tables, edges, deviations, strict=True):
        is_best = not any(
            other_edge >= edge and other <= deviation and (other_edge, other) != (edge, deviation)
            for other_edge, other in zip(edges[1:], deviations[1:], strict=True)
        )
        kind = "best" if is_best else ""
        title = f"Table {table.number}: house edge {edge:.4%}, standard deviation {deviation:.4f}"
        if table.number:
            points.append(ChartPoint(across.place(edge), upright.place(deviation), title, link(table), kind))
    labels = [ChartLabel(place, _SCATTER_HEIGHT - 8, text) for text, place in across.list_ticks(_TICKS, percent=True)]
    labels += [ChartLabel(_LEFT - 5, place + 3, text) for text, place in upright.list_ticks(_TICKS, percent=False)]
    return Chart(
        "", _SCATTER_WIDTH, _SCATTER_HEIGHT, tuple(points), _make_band(across, report.targets.edge), tuple(labels)
    )
