"""PAR sheets as people read them: one pay table in full, or several side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pitboss.analysis.sheet import ParLine, ParSheet
from pitboss.cli.pays import number, pay_words
from pitboss.contract import Leg, Pay, Unit, Verdict
from pitboss.describe import spoken

_GAP = 3
_LONGEST_LABEL = 30
_LEAST_LABEL = 14
_NARROW = 90

_Plain = Fraction | bool | int | None


class _Row(NamedTuple):
    """A figure under the outcomes: what it is called, how it is written, what is to be said about it."""

    label: str
    form: str
    remark: str = ""


# The figures of particular wagers, by their name in JSON.
_EXTRAS = {
    "sheet_hold": _Row("Hold the sheet expects", "{:.0%}", "on drop, not the edge of a wager (SC-5)"),
    "expected_pay_dollars": _Row("Expected pay", "${:.6f}", "a round"),
    "expected_tax_dollars": _Row("Expected tax", "${:.6f}", "a round, due whatever the six cards pay (W6-6)"),
    "hold": _Row("Hold", "{:.4%}", "of the tax"),
    "net_per_round_dollars": _Row("Net", "${:.6f}", "a round; the dollar placed is returned"),
    "meter": _Row("Meter", "${:,.2f}", "what the percentages are of"),
    "seed": _Row("Seed", "${:,.2f}"),
    "meter_rate": _Row("To the meter", "{:.2%}", "of each wager"),
    "reserve_rate": _Row("To the reserve", "{:.2%}", "of each wager"),
    "fixed_return": _Row("Fixed awards return", "{:.4%}"),
    "meter_return_per_dollar": _Row("A meter dollar returns", "{:.10f}"),
    "break_even_meter": _Row("Break-even meter", "${:,.2f}", "envy left out"),
    "envy_value_per_other_seat": _Row("Envy", "${:.8f}", "a round, for each other seat that wagers"),
    "reseed_cost": _Row("Reseeding costs", "{:.4%}"),
    "long_run_house_edge": _Row("Long-run house edge", "{:.4%}", "less envy times other seats that wager (SC-8)"),
    "runs_dry": _Row("Meter runs dry", "{}", "paying the fixed awards too (SC-8)"),
    "average_wager": _Row("Average wager", "{:.6f}", "all main chips put down"),
    "main_strategy_house_edge": _Row("Edge, main alone", "{:.4%}", "played for main alone (SW-8)"),
    "all_bets_house_edge": _Row("Edge of all bets", "{:.4%}", "of an Ante: main and the side wagers staked"),
    "main_strategy_all_bets_house_edge": _Row("of all, main alone", "{:.4%}", "of an Ante, played for main alone"),
    "element_of_risk": _Row("Element of risk", "{:.4%}", "of the average wager"),
    "equal_value_positions": _Row("Equal values", "{:,.0f}", "positions up to suits, booked as ALL-9 says"),
    "equal_value_first_decisions_only": _Row(
        "First decisions only", "{}", "equal values at later ones are not counted"
    ),
}


def drawn(sheets: Sequence[ParSheet], width: int) -> RenderableType:
    """Draw the sheets of one wager for a page of ``width`` columns: one in full, several side by side."""
    if len(sheets) == 1:
        return Group(*_heading(sheets), _outcomes(sheets[0], width), _figures(sheets[0]))
    return Group(*_heading(sheets), *_side_by_side(sheets, width))


def _heading(sheets: Sequence[ParSheet]) -> Iterator[Text]:
    """Say what this is a sheet of: game, bet, where each pay table is printed, and options that are not the default."""
    sheet = sheets[0]
    game, wager, options = sheet.game, sheet.wager, sheet.options
    part = ", part of main, per Ante" if wager in game.parts else ""
    yield Text.assemble((f"{game.name}: {wager.name}", "bold"), f"{part}  exact, {sheet.deals:,} deals")
    sources = {table.id: table.source for sheet in sheets for table in sheet.paytables}
    for name, source in sources.items():
        yield Text.assemble((name, "bold cyan"), (f"  {source}", "dim"))
    if sheet.strategy == "joint":
        staked = ", ".join(f"{bet}={stake}" for bet, stake in sheet.stakes.items())
        yield Text(f"played for main with {staked} an Ante", style="yellow")
    elif sheet.strategy and wager is not game.wagers[0]:
        yield Text("played for main alone", style="yellow")
    changed = [f"{each.name}={options[each.name]}" for each in game.options if options[each.name] != each.default]
    if changed:
        yield Text(f"with {', '.join(changed)}", style="yellow")


def _outcomes(sheet: ParSheet, width: int) -> Table:
    """Draw every outcome with what it pays, how often it comes and what it adds; the net too where the pay hides it."""
    net = width >= _NARROW and not _units([sheet]) <= {Unit.TO_ONE, Unit.DOLLARS}
    table = _table("Pays", *(["Net"] if net else []), "Combinations", "Probability", "Contribution")
    for line in sheet.lines:
        table.add_row(
            spoken(line.outcome.name),
            _pays(line, sheet),
            *([_rounded(line.net)] if net else []),
            f"{line.deals:,}",
            f"{float(line.probability):.10f}",
            f"{float(line.contribution):+.8f}",
        )
    return table


def _figures(sheet: ParSheet) -> Table:
    """Draw the figures of a sheet, each with a remark."""
    value = sheet.expected_value
    exact = f"exactly {value.numerator}/{value.denominator}"
    often = f"1 in {_rounded(1 / sheet.hit_frequency)}" if sheet.hit_frequency else "never"
    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_row("House edge", f"{float(sheet.house_edge):.4%}", style="bold")
    table.add_row("Expected value", f"{float(value):+.8f}", exact)
    table.add_row("Hit frequency", f"{float(sheet.hit_frequency):.4%}", often)
    table.add_row("Variance", f"{float(sheet.variance):,.6f}")
    table.add_row("Standard deviation", f"{sheet.standard_deviation:,.6f}")
    for row, figure in _extras(sheet).values():
        table.add_row(row.label, _written(row, figure), row.remark)
    table.columns[1].justify = "right"
    table.columns[2].style = "dim"
    return table


def _side_by_side(sheets: Sequence[ParSheet], width: int) -> Iterator[Table]:
    """Draw the outcomes once, and the pays and figures of each pay table in a column; a new table for each pageful."""
    extras = {name: row for sheet in sheets for name, (row, _) in _extras(sheet).items()}
    labels = [spoken(line.outcome.name) for line in sheets[0].lines]
    labels += ["House edge", "Hit frequency", "Standard deviation", *(row.label for row in extras.values())]
    deals = [f"{line.deals:,}" for line in sheets[0].lines] + [""] * (3 + len(extras))
    columns = [_column(sheet, extras, numbers=_units(sheets) == {Unit.TO_ONE}) for sheet in sheets]
    taken = min(max(map(len, labels)), _LONGEST_LABEL) + max(map(len, deals)) + 2 * _GAP
    each = max(len(cell) for cells in columns for cell in cells) + _GAP
    a_page = max(1, (width - taken) // each)
    for first in range(0, len(columns), a_page):
        page = columns[first : first + a_page]
        table = _table("Combinations", *(_name(sheet) for sheet in sheets[first : first + a_page]))
        for row, cells in enumerate(zip(labels, deals, *page, strict=True)):
            table.add_row(*cells, end_section=row == len(sheets[0].lines) - 1)
        yield table


def _column(sheet: ParSheet, extras: Iterable[str], *, numbers: bool) -> list[str]:
    """Write the pays of a sheet and its figures, those named ``extras`` last."""
    figures = _extras(sheet)
    return [
        *(_pays(line, sheet, numbers=numbers) for line in sheet.lines),
        f"{float(sheet.house_edge):.4%}",
        f"{float(sheet.hit_frequency):.4%}",
        f"{sheet.standard_deviation:,.4f}",
        *(_written(*figures.get(name, (_Row(name, ""), None))) for name in extras),
    ]


def _name(sheet: ParSheet) -> str:
    return " ".join(table.id for table in sheet.paytables)


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("Outcome", min_width=_LEAST_LABEL)
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _extras(sheet: ParSheet) -> dict[str, tuple[_Row, _Plain]]:
    """Return the figures that only some wagers have, by name; each path's frequency is a row of its own."""
    rows: dict[str, tuple[_Row, _Plain]] = {}
    for name, figure in sheet.extras.items():
        if isinstance(figure, Mapping):
            remark = "of rounds, played for main alone" if name == "main_strategy_actions" else "of rounds"
            for path, frequency in figure.items():
                rows[f"{name} {path}"] = _Row(spoken(path), "{:.4%}", remark), frequency
        else:
            rows[name] = _EXTRAS[name], figure
    return rows


def _written(row: _Row, figure: _Plain) -> str:
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    return "-" if figure is None else row.form.format(float(figure)).replace("$-", "-$")


def _rounded(value: Fraction) -> str:
    return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):,.2f}"


def _units(sheets: Sequence[ParSheet]) -> set[Unit]:
    return {pay.unit for sheet in sheets for table in sheet.paytables for pay in table.lines.values()}


def _pays(line: ParLine, sheet: ParSheet, *, numbers: bool = False) -> str:
    """Say what an outcome pays by its tables, a tax taken off; otherwise what becomes of the stake.

    With ``numbers`` a pay is what stands before "to one".
    """
    tables = {table.table: table for table in sheet.paytables}

    def paid(leg: Leg) -> list[Pay]:
        pays = [tables[leg.table].lines[name] for name in leg.lines]
        return [max(pays, key=lambda pay: pay.amount)] if leg.best and pays else pays

    def words(verdict: Verdict) -> list[str]:
        pays = [pay for leg in line.outcome.legs if leg.verdict is verdict for pay in paid(leg)]
        return [number(pay.amount) if numbers else pay_words(pay) for pay in pays if pay.amount]

    won, lost = words(Verdict.WIN), words(Verdict.LOSE)
    if won or lost:
        return (" + ".join(won) + "".join(f" - {tax}" for tax in lost)).strip()
    if line.net < 0:
        return "loses"
    return f"{number(line.net)} to 1" if line.net else "pushes"
