"""Pays and figures as text, the same on a terminal, on a page and in a file."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from pitboss.analysis.covariance import BetCovariance, CovarianceReport, StakeMix
from pitboss.analysis.par_sheet import ParLine, ParSheet
from pitboss.builders import display_name
from pitboss.contract import Game, Leg, LegResult, LinePay, PayTable, PayUnit, Wager
from pitboss.core.money import format_cents

FigureValue = Fraction | bool | int | None


class FigureFormat(NamedTuple):
    """The format of a figure of a sheet: its label, its template, and a remark."""

    label: str
    template: str
    remark: str = ""

    def format_figure(self, figure: FigureValue) -> str:
        """Format the figure; ``-`` if there is none."""
        if isinstance(figure, bool):
            return "yes" if figure else "no"
        return "-" if figure is None else self.template.format(float(figure)).replace("$-", "-$")


# The formats of figures that only some wagers have, by their name in JSON.
_EXTRA_FORMATS = {
    "sheet_hold": FigureFormat("Hold the sheet expects", "{:.0%}", "on drop, not the edge of a wager (SC-5)"),
    "expected_pay_dollars": FigureFormat("Expected pay", "${:.6f}", "a round"),
    "expected_tax_dollars": FigureFormat("Expected tax", "${:.6f}", "a round, due whatever the six cards pay (W6-6)"),
    "hold": FigureFormat("Hold", "{:.4%}", "of the tax"),
    "net_per_round_dollars": FigureFormat("Net", "${:.6f}", "a round; the dollar placed is returned"),
    "meter": FigureFormat("Meter", "${:,.2f}", "what the percentages are of"),
    "seed": FigureFormat("Seed", "${:,.2f}"),
    "meter_rate": FigureFormat("To the meter", "{:.2%}", "of each wager"),
    "reserve_rate": FigureFormat("To the reserve", "{:.2%}", "of each wager"),
    "fixed_return": FigureFormat("Fixed awards return", "{:.4%}"),
    "meter_return_per_dollar": FigureFormat("A meter dollar returns", "{:.10f}"),
    "break_even_meter": FigureFormat("Break-even meter", "${:,.2f}", "envy left out"),
    "envy_value_per_other_seat": FigureFormat("Envy", "${:.8f}", "a round, for each other seat that wagers"),
    "reseed_cost": FigureFormat("Reseeding costs", "{:.4%}"),
    "long_run_house_edge": FigureFormat(
        "Long-run house edge", "{:.4%}", "less envy times other seats that wager (SC-8)"
    ),
    "runs_dry": FigureFormat("Meter runs dry", "{}", "paying the fixed awards too (SC-8)"),
    "average_wager": FigureFormat("Average wager", "{:.6f}", "all main chips staked"),
    "main_strategy_house_edge": FigureFormat("Edge, main alone", "{:.4%}", "played for main alone (SW-8)"),
    "all_bets_house_edge": FigureFormat("Edge of all bets", "{:.4%}", "of an Ante: main and the side wagers staked"),
    "main_strategy_all_bets_house_edge": FigureFormat(
        "of all, main alone", "{:.4%}", "of an Ante, played for main alone"
    ),
    "element_of_risk": FigureFormat("Element of risk", "{:.4%}", "of the average wager"),
    "equal_value_positions": FigureFormat("Equal values", "{:,.0f}", "positions up to suits, booked as ALL-9 says"),
    "equal_value_first_decisions_only": FigureFormat(
        "First decisions only", "{}", "equal values at later ones are not counted"
    ),
}


def list_extra_figures(sheet: ParSheet) -> dict[str, tuple[FigureFormat, FigureValue]]:
    """Return a sheet's figures that only some wagers have, by name; each path's frequency is its own row."""
    rows: dict[str, tuple[FigureFormat, FigureValue]] = {}
    for name, figure in sheet.extras.items():
        if isinstance(figure, Mapping):
            remark = "of rounds, played for main alone" if name == "main_strategy_actions" else "of rounds"
            for path, frequency in figure.items():
                rows[f"{name} {path}"] = FigureFormat(display_name(path), "{:.4%}", remark), frequency
        else:
            rows[name] = _EXTRA_FORMATS[name], figure
    return rows


def iter_figures(sheet: ParSheet) -> Iterator[tuple[str, str, str]]:
    """Yield the label, text and remark of each figure of a sheet."""
    yield from _collect_figures(sheet).values()


def _collect_figures(sheet: ParSheet) -> dict[str, tuple[str, str, str]]:
    value = sheet.expected_value
    method = describe_method(sheet) if sheet.bounds else ""
    frequency = f"1 in {format_rounded(1 / sheet.hit_frequency)}" if sheet.hit_frequency else "never"
    figures = {
        "edge": ("House edge", f"{float(sheet.house_edge):.4%}", method),
        "value": (
            "Expected value",
            f"{float(value):+.8f}",
            f"of this play {format_fraction(value)}" if method else f"exactly {format_fraction(value)}",
        ),
        "hits": ("Hit frequency", f"{float(sheet.hit_frequency):.4%}", frequency),
        "variance": ("Variance", f"{float(sheet.variance):,.6f}", ""),
        "deviation": ("Standard deviation", f"{sheet.standard_deviation:,.6f}", ""),
    }
    return figures | {
        name: (row.label, row.format_figure(figure), row.remark)
        for name, (row, figure) in list_extra_figures(sheet).items()
    }


def compare_figures(sheets: Sequence[ParSheet]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each figure that any of the sheets has: its label, the first remark, and the text in each sheet."""
    columns = [_collect_figures(sheet) for sheet in sheets]
    for name in dict.fromkeys(name for column in columns for name in column):
        label, _, remark = next(column[name] for column in columns if name in column)
        yield label, remark, [column[name][1] if name in column else "-" for column in columns]


def format_fraction(value: Fraction) -> str:
    """Format a fraction as p/q.

    >>> format_fraction(Fraction(-2))
    '-2/1'
    """
    return f"{value.numerator}/{value.denominator}"


def format_rounded(value: Fraction) -> str:
    """Format a whole number as it is, another number with two decimal places."""
    return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):,.2f}"


def format_ratio(value: Fraction) -> str:
    """Format a whole number with thousands separators, or a ratio.

    >>> format_ratio(Fraction(10_000)), format_ratio(Fraction(3, 2))
    ('10,000', '3:2')
    """
    return f"{value.numerator:,}" if value.denominator == 1 else f"{value.numerator}:{value.denominator}"


def format_pay_input(value: Fraction) -> str:
    """Format a pay as users write it in a file or a form.

    >>> format_pay_input(Fraction(10_000)), format_pay_input(Fraction(3, 2))
    ('10000', '3:2')
    """
    return str(value) if value.denominator == 1 else f"{value.numerator}:{value.denominator}"


def format_pay(pay: LinePay) -> str:
    """Format a pay as a layout prints it.

    >>> format_pay(LinePay(Fraction(3, 2), PayUnit.TO_ONE)), format_pay(LinePay(Fraction(10), PayUnit.PERCENT_OF_METER))
    ('3 to 2', '10% of meter')
    """
    if pay.unit is PayUnit.DOLLARS:
        return f"${float(pay.amount):,.2f}".removesuffix(".00")
    if pay.unit is PayUnit.PERCENT_OF_METER:
        return f"{pay.amount}% of meter"
    return f"{pay.amount.numerator:,} {pay.unit.value.partition('_')[0]} {pay.amount.denominator}"


def collect_units(sheets: Sequence[ParSheet]) -> set[PayUnit]:
    """Return the units that the pay tables of the sheets pay in."""
    return {pay.unit for sheet in sheets for table in sheet.paytables for pay in table.lines.values()}


def describe_pays(line: ParLine, sheet: ParSheet, *, numbers: bool = False) -> str:
    """Describe what an outcome pays by its pay tables, less a tax; otherwise the result of the stake.

    With ``numbers`` a pay is only the number before "to one".
    """
    tables = {table.kind: table for table in sheet.paytables}

    def list_leg_pays(leg: Leg) -> list[LinePay]:
        pays = [tables[leg.paytable_kind].lines[name] for name in leg.lines]
        return [max(pays, key=lambda pay: pay.amount)] if leg.best_only and pays else pays

    def format_pays(result: LegResult) -> list[str]:
        pays = [pay for leg in line.outcome.legs if leg.result is result for pay in list_leg_pays(leg)]
        return [format_ratio(pay.amount) if numbers else format_pay(pay) for pay in pays if pay.amount]

    won, lost = format_pays(LegResult.WIN), format_pays(LegResult.LOSE)
    if won or lost:
        return (" + ".join(won) + "".join(f" - {tax}" for tax in lost)).strip()
    if line.net < 0:
        return "loses"
    return f"{format_ratio(line.net)} to 1" if line.net else "pushes"


def format_paytable_ids(sheet: ParSheet) -> str:
    """Return the ids of a sheet's pay tables."""
    return " ".join(table.id for table in sheet.paytables)


def format_changed_options(game: Game, options: Mapping[str, str]) -> str:
    """Return the options that are not the default, as NAME=VALUE."""
    return ", ".join(f"{each.name}={options[each.name]}" for each in game.options if options[each.name] != each.default)


def describe_method(sheet: ParSheet) -> str:
    """Describe how exact the figures of a sheet are."""
    if not sheet.bounds:
        return "exact"
    text = "with the play unchanged"
    return f"{text}: a lower bound for the player" if sheet.wager is sheet.game.wagers[0] else text


def describe_played_for(sheet: ParSheet) -> str:
    """Describe what a sheet's play is the best for; "" for main's own sheet or if the play does not matter."""
    if sheet.strategy == "joint":
        return f"played for main with {', '.join(f'{bet}={stake}' for bet, stake in sheet.stakes.items())} an Ante"
    return "played for main alone" if sheet.strategy and sheet.wager is not sheet.game.wagers[0] else ""


def format_limits(wager: Wager) -> str:
    """Format the limits of a wager."""
    lowest, highest = wager.limits.minimum_cents, wager.limits.maximum_cents
    amounts = format_cents(lowest) if lowest == highest else f"{format_cents(lowest)} to {format_cents(highest)}"
    return amounts.replace(".00", "")


def iter_paytable_notes(table: PayTable) -> Iterator[str]:
    """Yield the notes of a pay table: its source, claims, misprints, envy and progressive presets."""
    yield table.source
    if table.claim:
        yield f"printed: {table.claim}"
    for line, pay in table.lines.items():
        if pay.sheet_text:
            yield f"{display_name(line)} is printed {pay.sheet_text!r} ({pay.ruling})"
    if table.envy:
        yield "envy " + ", ".join(f"${dollars:,} for a {display_name(line)}" for line, dollars in table.envy.items())
    if table.progressive:
        presets = table.progressive
        yield (
            f"seed {format_cents(presets.seed_cents)}, {presets.meter_bps / 100:g}% to the meter, "
            f"{presets.reserve_bps / 100:g}% to the reserve ({presets.source})"
        )


def make_covariance_rows(report: CovarianceReport, sheets: Sequence[ParSheet]) -> list[list[str]]:
    """Return a row for each bet with covariances: its id, variances on the diagonal, covariances below.

    Above the diagonal are correlations; ``~`` marks simulated figures.
    """
    bets = {bet for each in report.covariances for bet in each.bets}
    bet_sheets = [sheet for sheet in sheets if sheet.wager.id in bets]
    covariances = {frozenset(each.bets): each for each in report.covariances}
    rows = []
    for row, one in enumerate(bet_sheets):
        cells = [one.wager.id]
        for column, other in enumerate(bet_sheets):
            each = covariances.get(frozenset((one.wager.id, other.wager.id)))
            if row == column:
                cells.append(f"{float(one.variance):,.4f}")
            else:
                cells.append(_format_covariance(each, covariance=column < row))
        rows.append(cells)
    return rows


def _format_covariance(each: BetCovariance | None, *, covariance: bool) -> str:
    if each is None:
        return "-"
    mark = "" if each.standard_error is None else "~"
    return mark + (f"{float(each.covariance):+,.6f}" if covariance else f"{each.correlation:+.4f}")


COVARIANCE_REMARK = "variances on the diagonal, covariances below, correlations above; per unit staked on each"


def describe_simulated_errors(report: CovarianceReport) -> Iterator[str]:
    """Yield the standard error of each simulated covariance, and the strategy that was played."""
    for each in report.covariances:
        if each.standard_error is not None:
            play = f", played by the strategy {each.strategy_id}" if each.strategy_id else ""
            yield f"~ {' and '.join(each.bets)}: simulated, standard error {each.standard_error:.6f}{play}"


def describe_mix(mix: StakeMix) -> str:
    """Describe the expected value and the standard deviation of all stakes together."""
    stakes = " + ".join(f"{stake} {bet}" for bet, stake in mix.stakes.items())
    spread = f"standard deviation {sqrt(mix.variance):,.6f}" + ("" if mix.is_exact else " (in part simulated)")
    return f"{stakes}: expected value {float(mix.expected_value):+.8f}, {spread}"
