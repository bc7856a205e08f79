"""Points, labels and scales of the charts that templates draw."""

from collections.abc import Iterable
from math import floor, log10
from typing import NamedTuple

from pitboss.reports.formatting import write_minus


class ChartPoint(NamedTuple):
    """A point of a chart: where it is, what it is, and the address that it opens."""

    x: float
    y: float
    title: str
    link: str = ""
    kind: str = ""


class ChartLabel(NamedTuple):
    """A text of an axis."""

    x: float
    y: float
    text: str


def join_points(points: Iterable[ChartPoint]) -> str:
    """Write points as the points of a polyline."""
    return " ".join(f"{point.x:.1f},{point.y:.1f}" for point in points)


class Scale:
    """A straight scale from figures to places."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        """Place ``low`` at ``start`` and ``high`` at ``end``."""
        self._low, self._span = low, (high - low) or 1.0
        self._start, self._length = start, end - start

    def place(self, figure: float) -> float:
        """Return the place of a figure."""
        return self._start + (figure - self._low) / self._span * self._length

    def includes(self, figure: float) -> bool:
        """Tell whether a figure is between the ends."""
        return self._low <= figure <= self._low + self._span

    def list_ticks(self, count: int, *, percent: bool) -> list[tuple[str, float]]:
        """Return evenly spread figures, as texts that differ, and their places."""
        step = self._span / count * (100 if percent else 1)
        decimals = max(0, 1 - floor(log10(step)))
        figures = [self._low + self._span * number / count for number in range(count + 1)]
        texts = [write_minus(f"{figure:.{decimals}{'%' if percent else 'f'}}") for figure in figures]
        return [(text, self.place(figure)) for text, figure in zip(texts, figures, strict=True)]
