"""Charts of a bet's outcomes, a session and a meter, drawn by Matplotlib.

They need the extra ``charts``.
"""

import io
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.return_band import ReturnBand
from pitboss.core.errors import ReportError
from pitboss.core.files import verify_writable, write_file
from pitboss.simulate.meter_simulation import MeterHistory
from pitboss.simulate.session_distribution import COURSE_PERCENTS, SessionDistribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHART_FORMATS = ("pdf", "png", "svg")

_INK, _FELT, _CARD_RED, _GREY = "#1b2a24", "#1f7a4d", "#b3282d", "#7b8580"
_BANDS = ((0, 4, 0.18), (1, 3, 0.35))
_MAX_BARS = 60
_MAX_LABELS = 16


def draw_session_chart(session: SessionDistribution, unit: int, title: str) -> "Figure":
    """Draw the course of a session, its end and its risk of ruin.

    ``unit`` is how many of the session's units are one Ante.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    figure, axes = _make_figure(2 if session.risk_of_ruin == 0 else 3, title)
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
    figure, (axes,) = _make_figure(1, title)
    dollars = history.bin_cents / 100
    occupied = np.flatnonzero(history.display_histogram)
    end = int(occupied[-1]) + 1
    bins = -(-(end - int(occupied[0])) // _MAX_BARS)
    first = int(occupied[0]) // bins * bins
    heights = np.add.reduceat(history.display_histogram[first:end], range(0, end - first, bins))
    left = (first + bins * np.arange(len(heights))) * dollars
    axes.bar(
        left, 100 * heights / history.display_histogram.sum(), bins * dollars, align="edge", color=_FELT, alpha=0.75
    )
    mean = float(history.mean_display_cents) / 100
    axes.axvline(mean, color=_INK, lw=1, ls="--", label=f"mean ${mean:,.0f}")
    axes.set(xlabel="meter in dollars", ylabel="% of rounds")
    axes.legend(frameon=False, labelcolor=_INK, fontsize="small")
    return figure


def draw_outcome_chart(sheet: ParSheet) -> "Figure":
    """Draw the probability of each net of a bet and its contribution to the return.

    Losses are red.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    figure, (probability_axes, return_axes) = _make_figure(2, "")
    chances: dict[Fraction, Fraction] = {}
    for line in sheet.lines:
        if line.deals:
            chances[line.net] = chances.get(line.net, Fraction(0)) + line.probability
    nets = sorted(chances)
    places = range(len(nets))
    colours = [_CARD_RED if net < 0 else _FELT if net > 0 else _GREY for net in nets]
    probability_axes.bar(places, [float(chances[net]) for net in nets], color=colours)
    probability_axes.set(yscale="log", ylabel="probability")
    return_axes.bar(places, [float(net * chances[net]) for net in nets], color=colours)
    return_axes.axhline(0, color=_INK, lw=0.8)
    return_axes.set(ylabel="contribution to the return")
    ticks = places[:: -(-len(nets) // _MAX_LABELS)]
    for axes in (probability_axes, return_axes):
        axes.set_xlabel("net of a unit staked")
        axes.set_xticks(ticks, [f"{float(nets[place]):,g}" for place in ticks], rotation=60)
    return figure


def draw_band_chart(bands: Sequence[ReturnBand]) -> "Figure":
    """Draw the bands of the return by rounds, the normal approximation as dashes.

    The second panel shows the greater numbers of rounds again, closer.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    figure, panels = _make_figure(2, "", height=2.6)
    counts = sorted({band.rounds for band in bands})
    for axes, least in zip(panels, (counts[0], counts[len(counts) // 2]), strict=True):
        _draw_bands(axes, [band for band in bands if band.rounds >= least])
    panels[0].legend(frameon=False, labelcolor=_INK, fontsize="x-small")
    return figure


def _draw_bands(axes: "Axes", bands: Sequence[ReturnBand]) -> None:
    for place, confidence in enumerate(sorted({band.confidence for band in bands}, reverse=True)):
        chosen = sorted((band for band in bands if band.confidence == confidence), key=lambda band: band.rounds)
        rounds = [band.rounds for band in chosen]
        low = [100 + 100 * float(band.low.least) for band in chosen]
        high = [100 + 100 * float(band.high.most) for band in chosen]
        name = f"{float(confidence):.0%} of results"
        axes.fill_between(rounds, low, high, color=_FELT, alpha=0.15 + 0.15 * place, lw=0, label=name)
        for side in ("normal_low", "normal_high"):
            limits = [100 + 100 * getattr(band, side) for band in chosen]
            label = "normal approximation" if place == 2 and side == "normal_low" else None
            axes.plot(rounds, limits, "--", color=_CARD_RED, lw=0.8, label=label)
    axes.set(xscale="log", xlabel="rounds played", ylabel="return, %")


def to_svg(figure: Any, name: str, description: str) -> str:
    """Return a figure as an inline ``<svg>`` in the page's font and text colour.

    ``name`` is the prefix of every id in it, so that a page can have several pictures; screen readers read the
    ``description``.
    """
    from matplotlib import rc_context

    out = io.StringIO()
    no_metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", transparent=True, metadata=no_metadata)
    svg = out.getvalue().partition("<svg")[2]
    for before, after in (('id="', f'id="{name}-'), ("url(#", f"url(#{name}-"), ('href="#', f'href="#{name}-')):
        svg = svg.replace(before, after)
    return f'<svg role="img" aria-label="{escape(description)}"' + svg.replace(_INK, "currentColor")


def to_png(figure: Any, dots_per_inch: int = 220) -> bytes:
    """Return a figure as a PNG suitable for print."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=dots_per_inch, metadata={"Software": None})
    return out.getvalue()


def _make_figure(panels: int, title: str, height: float = 3.6) -> tuple["Figure", Sequence["Axes"]]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ReportError("a chart needs Matplotlib: pip install 'pitboss[charts]'", code="not-installed") from None
    figure = Figure(figsize=(4.2 * panels, height), layout="constrained")
    if title:
        figure.suptitle(title, color=_INK)
    axes = np.atleast_1d(figure.subplots(1, panels)).tolist()
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
        each.set_axisbelow(True)
        each.grid(axis="y", alpha=0.25)
        each.tick_params(which="both", color=_INK, labelcolor=_INK)
        each.spines[:].set_color(_INK)
        each.xaxis.label.set_color(_INK)
        each.yaxis.label.set_color(_INK)
    return figure, axes


def _draw_course(axes: "Axes", session: SessionDistribution, unit: int) -> None:
    """Draw the bands of half and of nine tenths of all sessions, round by round."""
    rounds, results = session.course_rounds, session.course / unit
    for low, high, shade in _BANDS:
        label = f"{COURSE_PERCENTS[high] - COURSE_PERCENTS[low]} % of sessions"
        axes.fill_between(rounds, results[:, low], results[:, high], color=_FELT, alpha=shade, lw=0, label=label)
    axes.plot(rounds, results[:, len(COURSE_PERCENTS) // 2], color=_FELT, label="median")
    axes.axhline(0, color=_INK, lw=0.8)
    axes.set(xlabel="rounds played", ylabel="result in Antes")
    axes.legend(frameon=False, labelcolor=_INK, loc="upper left", fontsize="small")


def _draw_end(axes: "Axes", session: SessionDistribution, unit: int) -> None:
    """Draw the results of sessions without the rarest at each end, losses in red."""
    low, high = session.percentile(0.1), session.percentile(99.5)
    width = -(-(high + 1 - low) // _MAX_BARS)  # every bar has the same number of results
    edges = np.arange(low, high + 1 + width, width)
    below = np.concatenate(([0.0], np.cumsum(session.probabilities)))
    heights = np.diff(below[np.clip(edges - session.lowest, 0, len(session.probabilities))])
    colours = [_CARD_RED if edge < 0 else _FELT for edge in edges[:-1]]
    axes.bar(edges[:-1] / unit, 100 * heights, np.diff(edges) / unit, align="edge", color=colours, alpha=0.75)
    axes.axvline(session.mean / unit, color=_INK, lw=1, ls="--", label=f"mean {session.mean / unit:+.2f}")
    axes.set(xlabel="result in Antes", ylabel="% of sessions")
    axes.legend(frameon=False, labelcolor=_INK, fontsize="small")


def _draw_ruin(axes: "Axes", session: SessionDistribution) -> None:
    axes.plot(range(len(session.ruined_by)), 100 * session.ruined_by, color=_CARD_RED)
    axes.set(xlabel="rounds played", ylabel="% of sessions ruined", ylim=(0, None), xlim=(0, session.rounds))


def verify_chart(path: Path) -> None:
    """Check that a chart can be written to a file.

    Raises:
        ReportError: the file's ending is not a chart format, the file cannot be written, or Matplotlib is not
            installed.
    """
    if _get_format(path) not in CHART_FORMATS:
        kind = path.suffix or "without an extension"
        message = f"a chart is written as {', '.join(CHART_FORMATS)}, not {kind}: {path}"
        raise ReportError(message, code="unknown-format", chart_formats=CHART_FORMATS, path=path)
    verify_writable(path, ReportError)
    _make_figure(1, "")


def _get_format(path: Path) -> str:
    return path.suffix.removeprefix(".").lower()


def write_chart(figure: Any, path: Path) -> None:
    """Write a chart to a file atomically, in the format of the file's ending.

    Raises:
        ReportError: as ``verify_chart``, or the file cannot be written.
    """
    verify_chart(path)
    out = io.BytesIO()
    figure.savefig(out, format=_get_format(path), dpi=144)
    write_file(path, out.getvalue(), ReportError)
