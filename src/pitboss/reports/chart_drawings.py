"""Draw a chart from its data, in the style of all charts."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pitboss.analysis.chart_data import ChartData
from pitboss.builders import display_name
from pitboss.reports.chart_style import INK, choose_fills, choose_text_colour, make_figure
from pitboss.reports.chart_tables import abbreviate_answers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CELL, _LETTER_WIDTH, _EDGES = 0.34, 0.075, 1.0  # inches


def draw_chart(data: ChartData) -> "Figure":
    """Draw a chart.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    return _DRAWINGS[data.kind](data)


def _draw_strategy(data: ChartData) -> "Figure":
    """Draw a grid of cells with a fill and a letter for each answer."""
    from matplotlib.patches import Patch, Rectangle

    rows, columns, answers = (data.labels[name] for name in ("row_names", "column_names", "answers"))
    fills, letters = dict(zip(answers, choose_fills(len(answers)), strict=True)), abbreviate_answers(answers)
    names = max(map(len, rows)) * _LETTER_WIDTH
    width, height = len(columns) * _CELL + names + _EDGES / 2, len(rows) * _CELL * 0.8 + _EDGES
    figure, (axes,) = make_figure(1, "", height, max(width, 4.2))
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
    options = {"frameon": False, "labelcolor": INK, "fontsize": 9, "handlelength": 1.2, "columnspacing": 1.4}
    figure.legend(handles=patches, loc="outside lower left", ncols=min(len(answers), int(width / 1.1)), **options)
    return figure


_DRAWINGS: dict[str, Callable[[ChartData], "Figure"]] = {"strategy": _draw_strategy}
