"""Draw a chart from its data, in the style of all charts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.par_sheet import ParSheet
from pitboss.builders import display_name
from pitboss.reports.chart_style import (
    GAIN,
    INK,
    LOSS,
    LOSS_HATCH,
    NARROW_WIDTH,
    NEUTRAL,
    RAMP,
    choose_fills,
    choose_text_colour,
    make_figure,
    write_chart,
)
from pitboss.reports.chart_tables import abbreviate_answers
from pitboss.reports.document import ChartBlock, PageBlock, TableBlock, TextBlock
from pitboss.reports.formatting import write_minus

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

_CELL, _LETTER_WIDTH, _EDGES = 0.34, 0.075, 1.0  # inches
_PANEL = 2.3
_TICK_RATIO = 1.4

_MOST_BARS = 14
_MOST_LABELS = 16
_CURVES = (("-", "o"), ("--", "s"), ("-.", "^"), (":", "D"), ((0, (6, 1, 1, 1)), "v"))

BAND_FILLS = RAMP[1:4]
"""The fills of nested bands, the widest first."""


def draw_chart(data: ChartData) -> "Figure":
    """Draw a chart.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    return _DRAWINGS[data.kind](data)


def save_chart(data: ChartData, path: Path) -> None:
    """Draw a chart to a file (raises as ``write_chart``)."""
    write_chart(draw_chart(data), path, data.title, data.about)


def make_chart_blocks(data: ChartData, table: TableBlock) -> tuple[PageBlock, ...]:
    """Return a chart, how to read it, and a table of its data."""
    return ChartBlock(data.title, partial(draw_chart, data)), TextBlock(data.about, small=True), table


def draw_outcome_chart(sheet: ParSheet) -> "Figure":
    """Draw the probability of each net of a bet; losses are red and hatched.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    figure, (axes,) = make_figure(1, "", height=2.4, width=4.0)
    nets = sorted(sheet.deals_by_net)
    places = range(len(nets))
    for place, net in enumerate(nets):
        colour, hatch = (LOSS, LOSS_HATCH) if net < 0 else (GAIN if net else NEUTRAL, "")
        chance = float(Fraction(sheet.deals_by_net[net], sheet.deals))
        axes.bar(place, chance, facecolor="none" if hatch else colour, edgecolor=colour, hatch=hatch, lw=0.8)
    axes.set(yscale="log", ylabel="probability", xlabel="net of a unit staked")
    ticks = places[:: -(-len(nets) // _MOST_LABELS)]
    axes.set_xticks(ticks, [f"{float(nets[place]):,g}" for place in ticks], rotation=60)
    return figure


def _draw_strategy(data: ChartData) -> "Figure":
    """Draw a grid of cells with a fill and a letter for each answer."""
    from matplotlib.patches import Patch, Rectangle

    rows, columns, answers = (data.labels[name] for name in ("row_names", "column_names", "answers"))
    fills, letters = dict(zip(answers, choose_fills(len(answers)), strict=True)), abbreviate_answers(answers)
    names = max(map(len, rows)) * _LETTER_WIDTH
    width, height = len(columns) * _CELL + names + _EDGES / 2, len(rows) * _CELL * 0.8 + _EDGES
    figure, (axes,) = make_figure(1, "", height, max(width, NARROW_WIDTH))
    for row, column, answer in zip(*map(data.get_column, ("row", "column", "answer")), strict=True):
        x, y, fill = columns.index(column), rows.index(row), fills[answer]
        axes.add_patch(Rectangle((x + 0.03, y + 0.03), 0.94, 0.94, facecolor=fill, edgecolor=INK, linewidth=0.4))
        colour = choose_text_colour(fill)
        axes.text(x + 0.5, y + 0.5, letters[answer], ha="center", va="center", color=colour, fontsize=9)
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0), xlabel=data.labels["across"], ylabel=data.labels["down"])
    axes.set_xticks([place + 0.5 for place in range(len(columns))], columns)
    axes.set_yticks([place + 0.5 for place in range(len(rows))], rows)
    axes.tick_params(length=0, labelsize=9)
    axes.xaxis.set_label_position("top")
    axes.xaxis.tick_top()
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
    patches = [
        Patch(facecolor=fills[each], edgecolor=INK, linewidth=0.4, label=f"{letters[each]}  {display_name(each)}")
        for each in answers
    ]
    _add_legend(figure, patches, [str(each.get_label()) for each in patches], min(len(answers), int(width / 1.1)))
    return figure


def _draw_band(data: ChartData) -> "Figure":
    """Draw the bands as a fan over rounds, then the greater numbers again, closer."""
    figure, panels = make_figure(2, "", _PANEL, NARROW_WIDTH, columns=1)
    counts = sorted(set(data.get_column("rounds")))
    for axes, least in zip(panels, (counts[0], counts[len(counts) // 2]), strict=True):
        _draw_fan(axes, [record for record in data.list_records() if record["rounds"] >= least])
        axes.axhline(100 * data.labels["return"], color=INK, lw=1, label="expected return")
        format_counts(axes.xaxis)
    panels[-1].set_xlabel("rounds played")
    _add_legend(figure, *panels[0].get_legend_handles_labels(), columns=2)
    return figure


def _draw_fan(axes: "Axes", records: Sequence[Mapping[str, Any]]) -> None:
    confidences = sorted({record["confidence"] for record in records}, reverse=True)
    for confidence, fill in zip(confidences, BAND_FILLS, strict=False):
        chosen = [record for record in records if record["confidence"] == confidence]
        rounds = [record["rounds"] for record in chosen]
        low, high = ([100 * record[side] for record in chosen] for side in ("low", "high"))
        axes.fill_between(
            rounds, low, high, facecolor=fill, edgecolor=INK, lw=0.4, label=f"{confidence:.0%} of results"
        )
    for confidence in confidences:
        chosen = [record for record in records if record["confidence"] == confidence]
        for side in ("normal_low", "normal_high"):
            limits = [100 * record[side] for record in chosen]
            label = "normal approximation" if (confidence, side) == (confidences[0], "normal_low") else None
            axes.plot([record["rounds"] for record in chosen], limits, "--", color=LOSS, lw=1, label=label)
    axes.set(xscale="log", ylabel="return, %", xlim=(records[0]["rounds"], records[-1]["rounds"]))


def format_counts(axis: "Axis") -> None:
    """Label an axis of counts with whole numbers."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda count, _place: write_minus(f"{count:,.0f}")))
    axis.set_minor_formatter(NullFormatter())


def _add_legend(figure: "Figure", handles: Sequence[Any], labels: Sequence[str], columns: int) -> None:
    options = {"frameon": False, "labelcolor": INK, "fontsize": 8, "handlelength": 1.6, "columnspacing": 1.2}
    figure.legend(handles, labels, loc="outside lower left", ncols=columns, **options)


def _draw_contribution(data: ChartData) -> "Figure":
    """Draw the largest contributions to both sides of zero, and what they add up to.

    A name stands on the side without a bar.
    """
    bars = [
        (display_name(name), share)
        for name, share in zip(*map(data.get_column, ("outcome", "contribution")), strict=True)
        if share
    ]
    bars = [*bars[:_MOST_BARS], *_sum_others(bars[_MOST_BARS:])]
    bars.append(("expected net", data.labels["expected_value"]))
    figure, (axes,) = make_figure(1, "", 0.7 + 0.24 * len(bars), NARROW_WIDTH)
    widest = max(abs(share) for _, share in bars) * 1.35
    for place, (name, share) in enumerate(bars):
        total = place == len(bars) - 1
        colour, hatch = (NEUTRAL, "") if total else (LOSS, LOSS_HATCH) if share < 0 else (GAIN, "")
        facecolor = "none" if hatch else colour
        axes.barh(place, share, 0.72, facecolor=facecolor, edgecolor=colour, hatch=hatch, lw=0.8)
        side = -1 if share < 0 else 1
        beside, opposite = ("right", "left") if share < 0 else ("left", "right")
        text: dict[str, Any] = {"va": "center", "color": INK, "fontsize": 7.5, "weight": "bold" if total else "normal"}
        axes.text(share + 0.02 * widest * side, place, write_minus(f"{share:+.4f}"), ha=beside, **text)
        axes.text(-0.02 * widest * side, place, name, ha=opposite, **text)
    axes.axvline(0, color=INK, lw=0.8)
    axes.axhline(len(bars) - 1.5, color=INK, lw=0.4)
    axes.set(xlim=(-widest, widest), ylim=(len(bars) - 0.4, -0.6), xlabel="per unit staked")
    axes.set_yticks([])
    axes.spines[["left"]].set_visible(False)
    axes.grid(visible=False)
    return figure


def _sum_others(bars: Sequence[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    """Yield the gains and the losses that have no bar of their own."""
    for word, others in (
        ("gains", [share for _, share in bars if share > 0]),
        ("losses", [share for _, share in bars if share < 0]),
    ):
        if others:
            yield f"other {word}: {len(others)}", sum(others)


def _draw_pay(data: ChartData) -> "Figure":
    """Draw a small panel for each line, all on one scale of edges."""
    records = data.list_records()
    lines = list(dict.fromkeys(record["line"] for record in records))
    columns = min(2, len(lines))
    figure, panels = make_figure(len(lines), "", 1.35 if columns > 1 else _PANEL, NARROW_WIDTH / columns, columns)
    low, high = (pick(100 * record["house_edge"] for record in records) for pick in (min, max))
    margin = max(0.05 * (high - low), 0.02)
    for axes, line in zip(panels, lines, strict=True):
        chosen = [record for record in records if record["line"] == line]
        pays, edges = [record["pay_value"] for record in chosen], [100 * record["house_edge"] for record in chosen]
        axes.plot(pays, edges, "o-", color=INK, markersize=2.5, lw=1)
        for pay, edge, record in zip(pays, edges, chosen, strict=True):
            if record["present"]:
                axes.plot([pay], [edge], "o", markersize=8, markerfacecolor="none", markeredgecolor=INK)
        if len(chosen) == 1:
            options: dict[str, Any] = {"transform": axes.transAxes, "ha": "center", "color": INK, "fontsize": 7}
            axes.text(0.5, 0.86, "other pays are off this scale", **options)
            axes.set_xticks(pays)
        else:
            axes.locator_params(nbins=4)
        axes.axhline(0, color=INK, lw=0.8, ls=":")
        axes.set_title(data.labels["line_names"][line], color=INK, fontsize=8, loc="left")
        axes.set_ylim(low - margin, high + margin)
        axes.margins(x=0.08)
    figure.supylabel("house edge, %", color=INK, fontsize=9)
    figure.supxlabel("pay (ringed: the current one)", color=INK, fontsize=9)
    return figure


def _draw_ruin(data: ChartData) -> "Figure":
    """Draw a curve for each length of a session, with dashes and markers of its own."""
    figure, (axes,) = make_figure(1, "", 3.2, NARROW_WIDTH)
    lengths = sorted(set(data.get_column("rounds")), reverse=True)
    for rounds, (dashes, marker) in zip(lengths, _CURVES, strict=False):
        chosen = [record for record in data.list_records() if record["rounds"] == rounds]
        axes.plot(
            [record["bankroll"] for record in chosen],
            [100 * record["risk_of_ruin"] for record in chosen],
            linestyle=dashes,
            marker=marker,
            color=INK,
            markersize=4,
            lw=1.1,
            label=f"{rounds:,} round{'s' if rounds > 1 else ''}",
        )
    axes.set(xscale="log", xlabel=f"bankroll in {data.labels['unit']}", ylabel="risk of ruin, %", ylim=(0, None))
    axes.set_xticks(_choose_ticks(sorted(set(data.get_column("bankroll")))))
    format_counts(axes.xaxis)
    _add_legend(figure, *axes.get_legend_handles_labels(), columns=3)
    return figure


def _choose_ticks(values: Sequence[int]) -> list[int]:
    """Choose values that are far enough apart on a logarithmic axis for labels."""
    chosen = list(values[:1])
    for value in values[1:]:
        if value >= _TICK_RATIO * chosen[-1]:
            chosen.append(value)
    return chosen


def _draw_meter(data: ChartData) -> "Figure":
    """Draw the meter by wagers, and below how likely no jackpot has been won."""
    figure, (meter, chance) = make_figure(2, "", _PANEL, NARROW_WIDTH, columns=1)
    wagers = data.get_column("wagers")
    meter.plot(wagers, data.get_column("if_nothing_is_won"), "--", color=INK, lw=1.2, label="if nothing is won")
    meter.plot(wagers, data.get_column("mean"), "-", color=GAIN, lw=1.8, label="on average")
    levels = (("average_jackpot", "average jackpot", "-."), ("break_even", "break-even", ":"))
    for name, label, dashes in levels:
        if data.labels[name] is not None:
            meter.axhline(data.labels[name], color=INK, lw=0.9, ls=dashes, label=f"{label} ${data.labels[name]:,.0f}")
    chance.plot(wagers, [100 * each for each in data.get_column("no_jackpot_yet")], color=INK, lw=1.2)
    meter.set(ylabel="meter in dollars", ylim=(0, None), xlim=(0, wagers[-1]))
    chance.set(ylabel="no jackpot yet, %", xlabel="dollars wagered", ylim=(0, 105), xlim=(0, wagers[-1]))
    for axis in (meter.xaxis, meter.yaxis, chance.xaxis):
        format_counts(axis)
    chance.locator_params(axis="x", nbins=5)
    meter.locator_params(axis="x", nbins=5)
    _add_legend(figure, *meter.get_legend_handles_labels(), columns=2)
    return figure


def _draw_results(data: ChartData) -> "Figure":
    """Draw a panel for each table: its return in its band."""
    records = data.list_records()
    tables = list(dict.fromkeys(record["table"] for record in records))
    columns = min(2, len(tables))
    figure, panels = make_figure(len(tables), "", 1.6 if columns > 1 else _PANEL, NARROW_WIDTH / columns, columns)
    for axes, table in zip(panels, tables, strict=True):
        title = f"table {table[:16]}{': alarm' if table in data.labels['out_of_tolerance'] else ''}"
        _draw_table_results(axes, title, [record for record in records if record["table"] == table])
    figure.suptitle("returned beyond the expectation, $", x=0.01, ha="left", color=INK, fontsize=9)  # longer than high
    figure.supxlabel("rounds", x=0.99, ha="right", color=INK, fontsize=9)  # apart from the legend
    _add_legend(figure, *panels[0].get_legend_handles_labels(), columns=2)
    return figure


def _draw_table_results(axes: "Axes", title: str, records: Sequence[Mapping[str, Any]]) -> None:
    rounds = [0, *(record["rounds"] for record in records)]
    actual, high = ([0.0, *(record[name] / 100 for record in records)] for name in ("difference_cents", "high_cents"))
    lows = [record["low_cents"] for record in records]
    floor = min(*actual, -max(high)) * 1.05
    low = [floor if None in lows else 0.0, *(floor if each is None else each / 100 for each in lows)]
    axes.fill_between(rounds, low, high, facecolor=BAND_FILLS[0], edgecolor=INK, lw=0.4, label="band")
    axes.axhline(0, color=INK, lw=0.8, ls=":")
    axes.plot(rounds, actual, color=INK, lw=1.2, label="actual")
    out = [(record["rounds"], record["difference_cents"] / 100) for record in records if record["out_of_tolerance"]]
    if out:
        axes.plot(*zip(*out, strict=True), "x", color=LOSS, markersize=5, label="out of tolerance")
    axes.set_title(title, color=LOSS if out or title.endswith(": alarm") else INK, fontsize=8, loc="left")
    axes.set(xlim=(0, rounds[-1]))
    axes.locator_params(axis="y", nbins=4)
    axes.locator_params(axis="x", nbins=2)
    format_counts(axes.xaxis)
    format_counts(axes.yaxis)


def _draw_bankroll(data: ChartData) -> "Figure":
    """Draw the result after each round, and the expectation as dashes."""
    figure, (axes,) = make_figure(1, "", _PANEL, NARROW_WIDTH)
    rounds = [0, *data.get_column("round")]
    net, expected = ([0, *(cents / 100 for cents in data.get_column(name))] for name in data.columns[1:])
    axes.axhline(0, color=INK, lw=0.8, ls=":")
    axes.plot(rounds, expected, "--", color=LOSS, lw=1, label="expected")
    axes.plot(rounds, net, color=INK, lw=1.2, label="actual")
    axes.set(xlim=(0, rounds[-1]), xlabel="rounds", ylabel="result, $")
    axes.locator_params(axis="x", nbins=5, integer=True)
    format_counts(axes.xaxis)
    format_counts(axes.yaxis)
    _add_legend(figure, *axes.get_legend_handles_labels(), columns=2)
    return figure


_DRAWINGS: dict[str, Callable[[ChartData], "Figure"]] = {
    "strategy": _draw_strategy,
    "band": _draw_band,
    "contribution": _draw_contribution,
    "pay": _draw_pay,
    "ruin": _draw_ruin,
    "meter": _draw_meter,
    "results": _draw_results,
    "bankroll": _draw_bankroll,
}
