"""Charts of a session and of a meter, drawn by Matplotlib.

They need the extra ``charts``.
"""

from typing import TYPE_CHECKING

import numpy as np

from pitboss.reports.chart_style import GAIN, INK, LOSS, make_figure
from pitboss.simulate.meter_simulation import MeterHistory
from pitboss.simulate.session_distribution import COURSE_PERCENTS, SessionDistribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BANDS = ((0, 4, 0.18), (1, 3, 0.35))
_MAX_BARS = 60


def draw_session_chart(session: SessionDistribution, unit: int, title: str) -> "Figure":
    """Draw the course of a session, its end and its risk of ruin.

    ``unit`` is how many of the session's units are one Ante.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    figure, axes = make_figure(2 if session.risk_of_ruin == 0 else 3, title)
    _draw_course(axes[0], session, unit)
    _draw_end(axes[1], session, unit)
    if session.risk_of_ruin:
        _draw_ruin(axes[2], session)
    return figure


def draw_meter_chart(history: MeterHistory, title: str) -> "Figure":
    """Draw the distribution of a progressive's displayed meter, with its mean.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    figure, (axes,) = make_figure(1, title)
    dollars = history.bin_cents / 100
    occupied = np.flatnonzero(history.display_histogram)
    end = int(occupied[-1]) + 1
    bins = -(-(end - int(occupied[0])) // _MAX_BARS)
    first = int(occupied[0]) // bins * bins
    heights = np.add.reduceat(history.display_histogram[first:end], range(0, end - first, bins))
    left = (first + bins * np.arange(len(heights))) * dollars
    axes.bar(
        left, 100 * heights / history.display_histogram.sum(), bins * dollars, align="edge", color=GAIN, alpha=0.75
    )
    mean = float(history.mean_display_cents) / 100
    axes.axvline(mean, color=INK, lw=1, ls="--", label=f"mean ${mean:,.0f}")
    axes.set(xlabel="meter in dollars", ylabel="% of rounds")
    axes.legend(frameon=False, labelcolor=INK, fontsize="small")
    return figure


def _draw_course(axes: "Axes", session: SessionDistribution, unit: int) -> None:
    """Draw the bands of half and of nine tenths of all sessions, round by round."""
    rounds, results = session.course_rounds, session.course / unit
    for low, high, shade in _BANDS:
        label = f"{COURSE_PERCENTS[high] - COURSE_PERCENTS[low]} % of sessions"
        axes.fill_between(rounds, results[:, low], results[:, high], color=GAIN, alpha=shade, lw=0, label=label)
    axes.plot(rounds, results[:, len(COURSE_PERCENTS) // 2], color=GAIN, label="median")
    axes.axhline(0, color=INK, lw=0.8)
    axes.set(xlabel="rounds played", ylabel="result in Antes")
    axes.legend(frameon=False, labelcolor=INK, loc="upper left", fontsize="small")


def _draw_end(axes: "Axes", session: SessionDistribution, unit: int) -> None:
    """Draw the results of sessions without the rarest at each end, losses in red."""
    low, high = session.percentile(0.1), session.percentile(99.5)
    width = -(-(high + 1 - low) // _MAX_BARS)  # every bar has the same number of results
    edges = np.arange(low, high + 1 + width, width)
    below = np.concatenate(([0.0], np.cumsum(session.probabilities)))
    heights = np.diff(below[np.clip(edges - session.lowest, 0, len(session.probabilities))])
    colours = [LOSS if edge < 0 else GAIN for edge in edges[:-1]]
    axes.bar(edges[:-1] / unit, 100 * heights, np.diff(edges) / unit, align="edge", color=colours, alpha=0.75)
    axes.axvline(session.mean / unit, color=INK, lw=1, ls="--", label=f"mean {session.mean / unit:+.2f}")
    axes.set(xlabel="result in Antes", ylabel="% of sessions")
    axes.legend(frameon=False, labelcolor=INK, fontsize="small")


def _draw_ruin(axes: "Axes", session: SessionDistribution) -> None:
    axes.plot(range(len(session.ruined_by)), 100 * session.ruined_by, color=LOSS)
    axes.set(xlabel="rounds played", ylabel="% of sessions ruined", ylim=(0, None), xlim=(0, session.rounds))
