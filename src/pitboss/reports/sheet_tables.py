"""The tables of PAR sheets, for the terminal, the web pages and report files.

A table has texts only, formatted here; who shows it may choose its columns, but formats nothing.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from pitboss.analysis.par_sheet import Figure, ParLine, ParSheet
from pitboss.builders import display_name
from pitboss.contract import PayUnit
from pitboss.reports.document import LEFT, RIGHT, TableBlock
from pitboss.reports.formatting import (
    describe_method,
    describe_pays,
    format_net,
    format_paytable_ids,
    format_percent,
    format_probability,
    format_rounded,
    format_signed_percent,
    pays_equal_net,
)
from pitboss.value_units import name_first_wager

if TYPE_CHECKING:
    # Loaded only where they are printed, so that a sheet alone stays quick.
    from pitboss.analysis.covariance import BetCovariance, CovarianceReport, StakeMix

DIFFERENCE_MARK = "*"
"""In front of what differs from the first of several sheets."""

FIGURE_HEADINGS = ("Figure", "Value", "Note")
COVARIANCE_TITLE = "Covariances and correlations"

_OUTCOME_CELLS: Mapping[str, Callable[[ParLine], str]] = {
    "Net": lambda line: format_rounded(line.net),
    "Combinations": lambda line: f"{line.deals:,}",
    "Probability": lambda line: format_probability(line.probability),
    "1 in": lambda line: format_rounded(1 / line.probability) if line.deals else "never",
    "Contribution": lambda line: format_net(line.contribution),
}
OUTCOME_COLUMNS = ("Pays", *_OUTCOME_CELLS)
_COLUMNS_BY_SHEET = ("Pays", "Net", "Contribution")  # the others depend on the deals alone

# The label, template and remark of the figures that only some wagers have, by their names in JSON.
_EXTRA_FIGURES = {
    "sheet_hold": ("Hold the sheet expects", "{:.0%}", "on drop, not the edge of a wager (SC-5)"),
    "expected_pay_dollars": ("Expected pay", "${:.6f}", "a round"),
    "expected_tax_dollars": ("Expected tax", "${:.6f}", "a round, due whatever the six cards pay (W6-6)"),
    "hold": ("Hold", "{:.4%}", "of the tax"),
    "net_per_round_dollars": ("Net", "${:.6f}", "a round; the dollar placed is returned"),
    "meter": ("Meter", "${:,.2f}", "what the percentages are of"),
    "seed": ("Seed", "${:,.2f}", ""),
    "meter_rate": ("To the meter", "{:.2%}", "of each wager"),
    "reserve_rate": ("To the reserve", "{:.2%}", "of each wager"),
    "fixed_return": ("Fixed awards return", "{:.4%}", ""),
    "meter_return_per_dollar": ("A meter dollar returns", "{:.10f}", ""),
    "break_even_meter": ("Break-even meter", "${:,.2f}", "envy left out"),
    "envy_value_per_other_seat": ("Envy", "${:.8f}", "a round, for each other seat that wagers"),
    "reseed_cost": ("Reseeding costs", "{:.4%}", ""),
    "long_run_house_edge": ("Long-run house edge", "{:.4%}", "less envy times other seats that wager (SC-8)"),
    "runs_dry": ("Meter runs dry", "{}", "paying the fixed awards too (SC-8)"),
    "average_wager": ("Average wager", "{:.6f}", "all main chips staked"),
    "main_strategy_house_edge": ("Edge, main alone", "{:.4%}", "under the play best for main alone (SW-8)"),
    "all_bets_house_edge": ("Edge of all bets", "{:.4%}", "of an Ante: main and the side wagers staked"),
    "main_strategy_all_bets_house_edge": (
        "All, best for main",
        "{:.4%}",
        "of an Ante: all bets, under the play best for main alone",
    ),
    "element_of_risk": ("Element of risk", "{:.4%}", "of the average wager"),
    "equal_value_positions": ("Equal values", "{:,.0f}", "positions up to suits with two best choices (ALL-9)"),
    "equal_value_first_decisions_only": ("First decisions only", "{}", "equal values at later ones are not counted"),
}

LOWER_BOUND_REMARK = "proved: what the unchanged play is worth"
UPPER_BOUND_REMARK = "proved: no play is worth more"


class SheetFigure(NamedTuple):
    """A figure of a sheet as it is shown."""

    label: str
    text: str
    remark: str


def collect_figures(sheet: ParSheet) -> dict[str, SheetFigure]:
    """Return the figures of a sheet by their names in JSON, those of paths too."""
    value = sheet.expected_value
    method = describe_method(sheet) if sheet.bounds else ""
    frequency = f"1 in {format_rounded(1 / sheet.hit_frequency)}" if sheet.hit_frequency else "never"
    exactly = f"{'of this play' if method else 'exactly'} {value}"
    figures = {
        "house_edge": SheetFigure("House edge", format_percent(sheet.house_edge), method or _describe_return(sheet)),
        "expected_value": SheetFigure("Expected value", format_net(value), exactly),
        "hit_frequency": SheetFigure("Hit frequency", format_percent(sheet.hit_frequency), frequency),
        "variance": SheetFigure("Variance", f"{float(sheet.variance):,.6f}", ""),
        "standard_deviation": SheetFigure("Standard deviation", f"{sheet.standard_deviation:,.6f}", ""),
    }
    if sheet.bounds and sheet.is_main:
        lower, upper = sheet.bounds
        figures["lower_bound"] = SheetFigure("Best play, at least", format_net(lower), LOWER_BOUND_REMARK)
        figures["upper_bound"] = SheetFigure("Best play, at most", format_net(upper), UPPER_BOUND_REMARK)
    for name, figure in sheet.extras.items():
        if isinstance(figure, Mapping):
            remark = "of rounds, under the play best for main alone" if name == "main_strategy_actions" else "of rounds"
            for path, share in figure.items():
                figures[f"{name} {path}"] = SheetFigure(display_name(path), format_percent(share), remark)
        else:
            label, template, remark = _EXTRA_FIGURES[name]
            figures[name] = SheetFigure(label, _format_figure(figure, template), remark)
    return figures


def _describe_return(sheet: ParSheet) -> str:
    """Say what main's house edge is a share of, and what a bet returns in all."""
    share = f"of {name_first_wager(sheet.game)}; " if sheet.is_main else ""
    return f"{share}return to player {format_percent(1 - sheet.house_edge)}"


def _format_figure(figure: Figure, template: str) -> str:
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    return "-" if figure is None or isinstance(figure, Mapping) else template.format(float(figure)).replace("$-", "-$")


def make_figure_table(sheets: Sequence[ParSheet], names: Sequence[str] = ()) -> TableBlock:
    """Return the figures of one sheet with remarks, or of several side by side.

    Several have their ``names`` as headings, ``-`` for a figure that one does not have, and a mark on what differs from
    the first.  They leave out the expected value: it is the house edge with the other sign.
    """
    columns = [collect_figures(sheet) for sheet in sheets]
    if len(columns) == 1:
        return TableBlock("Figures", FIGURE_HEADINGS, LEFT + RIGHT + LEFT, tuple(columns[0].values()))
    rows = [
        (next(each[name].label for each in columns if name in each), *_iter_texts(columns, name))
        for name in dict.fromkeys(name for each in columns for name in each if name != "expected_value")
    ]
    gaps = (sheet.house_edge - sheets[0].house_edge for sheet in sheets[1:])
    changes = (format_signed_percent(gap) if gap else "0" for gap in gaps)
    rows.insert(1, (f"Edge against {names[0]}", "", *changes))
    return TableBlock("Figures", ("Figure", *names), LEFT + RIGHT * len(columns), tuple(rows))


def _iter_texts(columns: Sequence[Mapping[str, SheetFigure]], name: str) -> Iterator[str]:
    texts = [each[name].text if name in each else "-" for each in columns]
    return (_mark(text, texts[0]) for text in texts)


def _mark(text: str, first: str) -> str:
    """Return a cell with a mark if it differs from the first sheet's."""
    return text if text == first else f"{DIFFERENCE_MARK} {text}"


def make_outcome_table(
    sheets: Sequence[ParSheet],
    columns: Collection[str] = OUTCOME_COLUMNS,
    names: Sequence[str] = (),
    title: str = "Outcomes",
    lines: Collection[int] | None = None,
) -> TableBlock:
    """Return the outcomes of one sheet, or of several with the same deals.

    What a pay changes has a column for each sheet, with one of the ``names`` in a second line of its heading; cells
    that differ from the first sheet's are marked.  ``lines`` are the numbers of the outcomes to show; without it, all.
    """
    cells = [
        (column, place) for column in columns for place in range(len(sheets) if column in _COLUMNS_BY_SHEET else 1)
    ]
    numbers = len(sheets) > 1 and _collect_units(sheets) == {PayUnit.TO_ONE}

    def make_text(column: str, number: int, sheet: ParSheet) -> str:
        line = sheet.lines[number]
        return describe_pays(line, sheet, numbers=numbers) if column == "Pays" else _OUTCOME_CELLS[column](line)

    def make_cell(column: str, number: int, place: int) -> str:
        text = make_text(column, number, sheets[place])
        return _mark(text, make_text(column, number, sheets[0])) if place else text

    headings = (
        f"{column}\n{names[place]}" if len(sheets) > 1 and column in _COLUMNS_BY_SHEET else column
        for column, place in cells
    )
    rows = (
        (
            display_name(sheets[0].lines[number].outcome.name),
            *(make_cell(column, number, place) for column, place in cells),
        )
        for number in (range(len(sheets[0].lines)) if lines is None else lines)
    )
    return TableBlock(title, ("Outcome", *headings), LEFT + RIGHT * len(cells), tuple(rows))


def list_dealt_lines(sheets: Sequence[ParSheet]) -> list[int]:
    """Return the numbers of the outcomes that a deal makes."""
    return [number for number, line in enumerate(sheets[0].lines) if line.deals]


def _collect_units(sheets: Sequence[ParSheet]) -> set[PayUnit]:
    return {pay.unit for sheet in sheets for table in sheet.paytables for pay in table.lines.values()}


def list_columns(sheets: Sequence[ParSheet]) -> list[str]:
    """Return the columns of outcomes, without the net where every pay is the net."""
    same = all(pays_equal_net(line, sheet) for sheet in sheets for line in sheet.lines)
    return [column for column in OUTCOME_COLUMNS if column != "Net" or not same]


def make_paytable_comparison(sheets: Sequence[ParSheet]) -> TableBlock:
    """Return a row of figures for each sheet of a bet under another pay table."""
    rows = tuple(
        (
            f"{format_paytable_ids(sheet)}{' (same play)' if sheet.bounds else ''}",
            format_percent(sheet.house_edge),
            format_percent(sheet.hit_frequency),
            f"{sheet.standard_deviation:,.4f}",
            str(sheet.house_edge),
        )
        for sheet in sheets
    )
    headings = ("Pay table", "House edge", "Hit frequency", "Standard deviation", "House edge, exactly")
    return TableBlock("The pay tables compared", headings, LEFT + RIGHT * 4, rows)


def make_covariance_table(report: "CovarianceReport", sheets: Sequence[ParSheet]) -> TableBlock:
    """Return a row for each bet that has covariances.

    Variances are on the diagonal, covariances below, correlations above; ``~`` marks simulated figures.
    """
    bets = {bet for each in report.covariances for bet in each.bets}
    bet_sheets = [sheet for sheet in sheets if sheet.wager.id in bets]
    covariances = {frozenset(each.bets): each for each in report.covariances}

    def make_cell(row: int, column: int) -> str:
        if row == column:
            return f"{float(bet_sheets[row].variance):,.4f}"
        pair = covariances.get(frozenset((bet_sheets[row].wager.id, bet_sheets[column].wager.id)))
        return _format_covariance(pair, covariance=column < row)

    places = range(len(bet_sheets))
    rows = tuple((bet_sheets[row].wager.id, *(make_cell(row, column) for column in places)) for row in places)
    headings = ("", *(row[0] for row in rows))
    return TableBlock("Covariance and correlation", headings, LEFT + RIGHT * len(rows), rows)


def _format_covariance(pair: "BetCovariance | None", *, covariance: bool) -> str:
    if pair is None:
        return "-"
    mark = "" if pair.standard_error is None else "~"
    return mark + (f"{float(pair.covariance):+,.6f}" if covariance else f"{pair.correlation:+.4f}")


def iter_covariance_notes(report: "CovarianceReport") -> Iterator[str]:
    """Yield what the figures are, how simulated ones were found, what is missing."""
    if report.covariances:
        yield "variances on the diagonal, covariances below, correlations above; per unit staked on each"
    for each in report.covariances:
        if each.standard_error is not None:
            play = f", played by the strategy {each.strategy_id}" if each.strategy_id else ""
            yield f"~ {' and '.join(each.bets)}: simulated, standard error {each.standard_error:.6f}{play}"
    for reason in dict.fromkeys(each.reason for each in report.uncounted):
        pairs = ", ".join(" and ".join(each.bets) for each in report.uncounted if each.reason == reason)
        yield f"{pairs}: covariance not counted, because {reason}"
    if report.no_mix:
        yield f"deviation of all stakes together: not counted, because {report.no_mix}"


def describe_mix(mix: "StakeMix") -> str:
    """Describe the expected value and the standard deviation of all stakes together."""
    stakes = " + ".join(f"{stake} {bet}" for bet, stake in mix.stakes.items())
    spread = f"standard deviation {sqrt(mix.variance):,.6f}" + ("" if mix.is_exact else " (in part simulated)")
    return f"{stakes}: expected value {format_net(mix.expected_value)}, {spread}"
