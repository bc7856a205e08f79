"""Pays and figures in words, the same on a terminal, on a page and in a file."""

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
    """A figure of a sheet: what it is called, how it is written, what is to be said about it."""

    label: str
    template: str
    remark: str = ""

    def format_figure(self, figure: FigureValue) -> str:
        """Write the figure; ``-`` where there is none."""
        if isinstance(figure, bool):
            return "yes" if figure else "no"
        return "-" if figure is None else self.template.format(float(figure)).replace("$-", "-$")


# The figures of particular wagers, by their name in JSON.
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
    "average_wager": FigureFormat("Average wager", "{:.6f}", "all main chips put down"),
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
    """Return the figures that only some wagers have, by name; each path's frequency is a row of its own."""
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
    """Yield each figure of a sheet: what it is called, as it is written, what is to be said about it."""
    yield from _collect_figures(sheet).values()


def _collect_figures(sheet: ParSheet) -> dict[str, tuple[str, str, str]]:
    value = sheet.expected_value
    kept = describe_method(sheet) if sheet.bounds else ""
    often = f"1 in {format_rounded(1 / sheet.hit_frequency)}" if sheet.hit_frequency else "never"
    found = {
        "edge": ("House edge", f"{float(sheet.house_edge):.4%}", kept),
        "value": (
            "Expected value",
            f"{float(value):+.8f}",
            f"of this play {format_fraction(value)}" if kept else f"exactly {format_fraction(value)}",
        ),
        "hits": ("Hit frequency", f"{float(sheet.hit_frequency):.4%}", often),
        "variance": ("Variance", f"{float(sheet.variance):,.6f}", ""),
        "deviation": ("Standard deviation", f"{sheet.standard_deviation:,.6f}", ""),
    }
    return found | {
        name: (row.label, row.format_figure(figure), row.remark)
        for name, (row, figure) in list_extra_figures(sheet).items()
    }


def compare_figures(sheets: Sequence[ParSheet]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each figure that any of the sheets has: what it is called, the first one's remark, as each writes it."""
    found = [_collect_figures(sheet) for sheet in sheets]
    for name in dict.fromkeys(name for of_sheet in found for name in of_sheet):
        label, _, remark = next(of_sheet[name] for of_sheet in found if name in of_sheet)
        yield label, remark, [of_sheet[name][1] if name in of_sheet else "-" for of_sheet in found]


def format_fraction(value: Fraction) -> str:
    """Write a fraction.

    >>> format_fraction(Fraction(-2))
    '-2/1'
    """
    return f"{value.numerator}/{value.denominator}"


def format_rounded(value: Fraction) -> str:
    """Write a whole number as it is, another with two places."""
    return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):,.2f}"


def format_ratio(value: Fraction) -> str:
    """Write a whole number with its thousands, or a ratio.

    >>> format_ratio(Fraction(10_000)), format_ratio(Fraction(3, 2))
    ('10,000', '3:2')
    """
    return f"{value.numerator:,}" if value.denominator == 1 else f"{value.numerator}:{value.denominator}"


def format_pay_input(value: Fraction) -> str:
    """Write a pay as one writes it in a file or a form.

    >>> format_pay_input(Fraction(10_000)), format_pay_input(Fraction(3, 2))
    ('10000', '3:2')
    """
    return str(value) if value.denominator == 1 else f"{value.numerator}:{value.denominator}"


def format_pay(pay: LinePay) -> str:
    """Write a pay as a layout prints it.

    >>> format_pay(LinePay(Fraction(3, 2), PayUnit.TO_ONE)), format_pay(LinePay(Fraction(10), PayUnit.PERCENT_OF_METER))
    ('3 to 2', '10% of meter')
    """
    if pay.unit is PayUnit.DOLLARS:
        return f"${float(pay.amount):,.2f}".removesuffix(".00")
    if pay.unit is PayUnit.PERCENT_OF_METER:
        return f"{pay.amount}% of meter"
    return f"{pay.amount.numerator:,} {pay.unit.value.partition('_')[0]} {pay.amount.denominator}"


def collect_units(sheets: Sequence[ParSheet]) -> set[PayUnit]:
    """Return the units that the tables of sheets pay in."""
    return {pay.unit for sheet in sheets for table in sheet.paytables for pay in table.lines.values()}


def describe_pays(line: ParLine, sheet: ParSheet, *, numbers: bool = False) -> str:
    """Say what an outcome pays by its tables, a tax taken off; otherwise what becomes of the stake.

    With ``numbers`` a pay is what stands before "to one".
    """
    tables = {table.kind: table for table in sheet.paytables}

    def paid(leg: Leg) -> list[LinePay]:
        of_lines = [tables[leg.paytable_kind].lines[name] for name in leg.lines]
        return [max(of_lines, key=lambda pay: pay.amount)] if leg.best_only and of_lines else of_lines

    def words(verdict: LegResult) -> list[str]:
        of_legs = [pay for leg in line.outcome.legs if leg.result is verdict for pay in paid(leg)]
        return [format_ratio(pay.amount) if numbers else format_pay(pay) for pay in of_legs if pay.amount]

    won, lost = words(LegResult.WIN), words(LegResult.LOSE)
    if won or lost:
        return (" + ".join(won) + "".join(f" - {tax}" for tax in lost)).strip()
    if line.net < 0:
        return "loses"
    return f"{format_ratio(line.net)} to 1" if line.net else "pushes"


def format_paytable_ids(sheet: ParSheet) -> str:
    """Name the pay tables of a sheet."""
    return " ".join(table.id for table in sheet.paytables)


def format_changed_options(game: Game, options: Mapping[str, str]) -> str:
    """List the options that are not the default."""
    return ", ".join(f"{each.name}={options[each.name]}" for each in game.options if options[each.name] != each.default)


def describe_method(sheet: ParSheet) -> str:
    """Say how far the figures of a sheet hold."""
    if not sheet.bounds:
        return "exact"
    kept = "with the play kept as it is"
    return f"{kept}: a lower bound for the player" if sheet.wager is sheet.game.wagers[0] else kept


def describe_played_for(sheet: ParSheet) -> str:
    """Say what a sheet's play is the best for, where it is not main alone or does not matter."""
    if sheet.strategy == "joint":
        return f"played for main with {', '.join(f'{bet}={stake}' for bet, stake in sheet.stakes.items())} an Ante"
    return "played for main alone" if sheet.strategy and sheet.wager is not sheet.game.wagers[0] else ""


def format_limits(wager: Wager) -> str:
    """Write between which amounts a wager lies."""
    lowest, highest = wager.limits.minimum_cents, wager.limits.maximum_cents
    amounts = format_cents(lowest) if lowest == highest else f"{format_cents(lowest)} to {format_cents(highest)}"
    return amounts.replace(".00", "")


def iter_paytable_notes(table: PayTable) -> Iterator[str]:
    """Say where a pay table is printed and what it has besides lines."""
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
    """Return a row for each bet that moves with others: its id, variances on the diagonal, covariances below.

    Above the diagonal are correlations; what is simulated has a ``~``.
    """
    moving = {bet for each in report.covariances for bet in each.bets}
    shown = [sheet for sheet in sheets if sheet.wager.id in moving]
    of_pair = {frozenset(each.bets): each for each in report.covariances}
    rows = []
    for row, one in enumerate(shown):
        cells = [one.wager.id]
        for column, other in enumerate(shown):
            each = of_pair.get(frozenset((one.wager.id, other.wager.id)))
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
    """Say of each simulated covariance how far it may be off, and how was played."""
    for each in report.covariances:
        if each.standard_error is not None:
            play = f", played by the strategy {each.strategy_id}" if each.strategy_id else ""
            yield f"~ {' and '.join(each.bets)}: simulated, standard error {each.standard_error:.6f}{play}"


def describe_mix(mix: StakeMix) -> str:
    """Say what all that is staked nets and how far that spreads."""
    staked = " + ".join(f"{stake} {bet}" for bet, stake in mix.stakes.items())
    spread = f"standard deviation {sqrt(mix.variance):,.6f}" + ("" if mix.is_exact else " (in part simulated)")
    return f"{staked}: expected value {float(mix.expected_value):+.8f}, {spread}"
