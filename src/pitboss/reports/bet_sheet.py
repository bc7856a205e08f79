"""The worksheet of a bet: pays, outcomes, and figures computed by formulas.

The pays may be changed: the formulas compute the figures from pays and outcomes.

A spreadsheet computes in binary floating point of 53 bits, 15 to 16 decimal digits.  A count is a whole number in its
cell, or text if the bet's counts have more digits than that, with the nearest floating-point probability.  The figures
computed from these have that precision; the report's exact fractions are next to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell

from pitboss.analysis.par_sheet import ParSheet, compute_leg_nets, format_fraction
from pitboss.builders import display_name
from pitboss.contract import LegResult
from pitboss.reports.formatting import describe_method, describe_paytable, format_paytable_ids
from pitboss.reports.formulas import PayCells, make_net_formula, to_cell_value
from pitboss.reports.sheet_tables import collect_figures

MAX_DIGITS = 15
"""The decimal digits of a whole number that a spreadsheet stores exactly."""

_HEADINGS = ("Outcome", "Won", "Lost", "Net", "Combinations", "Probability", "1 in", "Contribution")
_OUTCOME, _WON, _LOST, _NET, _DEALS, _PROBABILITY, _ONE_IN, _CONTRIBUTION = range(8)


def _get_address(row: int, column: int) -> str:
    return str(xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True))


@dataclass
class BetSheet:
    """The worksheet of a bet: the cells and present values of its named figures."""

    par_sheet: ParSheet
    worksheet: Any
    styles: Mapping[str, Any]
    cells: dict[str, str] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    row: int = 0

    def write(self, book: Any) -> None:
        """Write pays, outcomes, figures and remarks."""
        par, sheet = self.par_sheet, self.worksheet
        sheet.set_column(0, 0, 34)
        sheet.set_column(1, 7, 19)
        self._write(0, f"{par.game.name}: {par.wager.name}", "title")
        self.row = 1
        tables = format_paytable_ids(par) or "even money"
        self._write(0, f"{tables}; {describe_method(par)}, {par.deals:,} equally likely deals", "remark")
        self.row = 3
        cells = self._write_pays()
        first = self._write_outcomes(cells)
        self._write_figures(first)
        self._write_progressive(cells, first)
        self._write_dollar_figures(first)
        self._add_chart(book, first, first + len(par.lines) - 1)
        self._write_remarks()

    def _write(self, column: int, value: str | float, style: str = "") -> str:
        """Write a text or a number to the current row and return its address."""
        self.worksheet.write(self.row, column, value, self.styles[style] if style else None)
        return _get_address(self.row, column)

    def _write_formula(self, column: int, formula: str, style: str, value: Fraction | float) -> str:
        """Write a formula and its value to the current row and return its address."""
        stored = value if isinstance(value, int) else float(value)
        self.worksheet.write_formula(self.row, column, f"={formula}", self.styles[style], stored)
        return _get_address(self.row, column)

    def _write_headings(self, *headings: str) -> None:
        self.worksheet.write_row(self.row, 0, headings, self.styles["head"])
        self.row += 1

    def _write_pays(self) -> PayCells:
        """Write each pay to a cell that may be changed, and return the cells."""
        pays, meter = dict[tuple[str, str], str](), ""
        for table in self.par_sheet.paytables:
            self._write_headings(f"Pays of {table.id}", "Pay", "Unit", "Printed")
            for line, pay in table.lines.items():
                self._write(0, display_name(line))
                amount = to_cell_value(pay.amount)
                pays[table.kind, line] = (
                    self._write_formula(1, amount, "input", 0)
                    if isinstance(amount, str)
                    else self._write(1, amount, "input")
                )
                self._write(2, display_name(pay.unit.value.replace("_", "-")))
                self._write(3, pay.sheet_text)
                self.row += 1
            self.row += 1
        figure = self.par_sheet.extras.get("meter")
        if isinstance(figure, Fraction):
            self._write(0, "Meter")
            meter = self._write(1, float(figure), "dollars")
            self.row += 2
        return PayCells(pays, meter, 100 if self.par_sheet.options.get("award_rounding") == "dollar" else 1)

    def _write_outcomes(self, cells: PayCells) -> int:
        """Write the outcomes and return the row of the first."""
        par = self.par_sheet
        unit = "dollars" if par.has_dollar_pays else "units staked"
        self._write(0, f"Outcomes: won, lost and net in {unit}", "bold")
        self.row += 1
        self._write_headings(*_HEADINGS)
        first, tables = self.row, par.tables_by_kind
        whole = len(str(par.deals)) <= MAX_DIGITS
        total = _get_address(first + len(par.lines), _DEALS)
        for line in par.lines:
            at = [xl_rowcol_to_cell(self.row, column) for column in range(len(_HEADINGS))]
            chance, lost = float(line.probability), -compute_leg_nets(line.outcome, LegResult.LOSE, tables)
            self._write(_OUTCOME, display_name(line.outcome.name))
            for column, result, value in ((_WON, LegResult.WIN, line.net + lost), (_LOST, LegResult.LOSE, lost)):
                self._write_formula(column, make_net_formula(line.outcome, result, tables, cells), "net", value)
            self._write_formula(_NET, f"{at[_WON]}-{at[_LOST]}", "net", line.net)
            if whole:
                self._write(_DEALS, line.deals, "count")
                self._write_formula(_PROBABILITY, f"{at[_DEALS]}/{total}", "chance", chance)
            else:
                self._write(_DEALS, str(line.deals), "text_count")
                self._write(_PROBABILITY, chance, "chance")
            if line.deals:
                self._write_formula(_ONE_IN, f"1/{at[_PROBABILITY]}", "one_in", 1 / chance)
            self._write_formula(_CONTRIBUTION, f"{at[_NET]}*{at[_PROBABILITY]}", "signed", line.contribution)
            self.row += 1
        self._write(_OUTCOME, "All", "bold")
        if whole:
            self._write_formula(_DEALS, f"SUM({self._format_range(first, _DEALS)})", "count", par.deals)
        else:
            self._write(_DEALS, str(par.deals), "text_count")
        self._write_formula(_PROBABILITY, f"SUM({self._format_range(first, _PROBABILITY)})", "chance", 1)
        self.row += 2
        return first

    def _format_range(self, first: int, column: int) -> str:
        """Return the cells of a column of the outcomes."""
        last = first + len(self.par_sheet.lines) - 1
        return f"{xl_rowcol_to_cell(first, column)}:{xl_rowcol_to_cell(last, column)}"

    def _write_figures(self, first: int) -> None:
        """Write the figures that every bet has.

        Each has the exact fraction under the report's pays next to it.
        """
        net, chance = self._format_range(first, _NET), self._format_range(first, _PROBABILITY)
        par, average = self.par_sheet, self.par_sheet.extras.get("average_wager")
        self._write_headings("Figure", "Now", "Exactly, under the pays of this report")
        contributions = f"SUM({self._format_range(first, _CONTRIBUTION)})"
        value = self._write_figure("expected_value", contributions, "signed", par.expected_value, exact=True)
        edge = self._write_figure("house_edge", f"-{value}", "percent", par.house_edge, exact=True)
        hits = f'SUMIF({net},">0",{chance})'
        self._write_figure("hit_frequency", hits, "percent", par.hit_frequency, exact=True)
        squares = f"SUMPRODUCT({net},{net},{chance})-{value}^2"
        variance = self._write_figure("variance", squares, "figure", par.variance, exact=True)
        self._write_figure("standard_deviation", f"SQRT({variance})", "figure", par.standard_deviation)
        self.cells["element_of_risk"], self.values["element_of_risk"] = edge, float(par.house_edge)
        if isinstance(average, Fraction):
            self._write(0, "Average wager")
            wagered = self._write(1, float(average), "figure")
            self._write(2, format_fraction(average))
            self.row += 1
            self._write_figure("element_of_risk", f"{edge}/{wagered}", "percent", par.element_of_risk)

    def _write_figure(
        self,
        name: str,
        formula: str,
        style: str,
        value: object = None,
        note: str = "",
        *,
        exact: bool = False,
        label: str = "",
    ) -> str:
        """Write a figure's label, formula and note; it is one of the sheet's, or given."""
        figure = self.par_sheet.extras[name] if value is None else value
        number = figure if isinstance(figure, Fraction | float) else 0.0
        self._write(0, label or collect_figures(self.par_sheet)[name].label)
        self.cells[name] = self._write_formula(1, formula, style, number)
        self.values[name] = float(number)
        self._write(2, format_fraction(figure) if exact and isinstance(figure, Fraction) else note)
        self.row += 1
        return self.cells[name]

    def _write_progressive(self, cells: PayCells, first: int) -> None:
        """Write the long-run figures of a progressive, without envy.

        They are computed as in ``analysis.par_sheet``.
        """
        table = next((table for table in self.par_sheet.paytables if table.progressive), None)
        if table is None or self.par_sheet.options.get("fixed_awards_from") == "meter":
            return
        lines = list(enumerate(self.par_sheet.lines, start=first))
        chance = {row: xl_rowcol_to_cell(row, _PROBABILITY) for row, _ in lines}
        shares = [
            (chance[row], cells.pays[table.kind, leg.lines[0]])
            for row, line in lines
            for leg in line.outcome.legs
            if line.meter_percent
        ]
        fixed = [
            f"{chance[row]}*({xl_rowcol_to_cell(row, _NET)}+1)"
            for row, line in lines
            if not line.meter_percent and line.net > 0
        ]
        for name, style in (("seed", "dollars"), ("meter_rate", "input"), ("reserve_rate", "input")):
            figure = self.par_sheet.extras[name]
            self._write(0, collect_figures(self.par_sheet)[name].label)
            self.cells[name] = self._write(1, float(figure) if isinstance(figure, Fraction) else 0.0, style)
            self.row += 1
        dollar = "+".join(f"{each}*{cell}/100" for each, cell in shares)
        whole = "+".join(f"IF({cell}=100,{each},0)" for each, cell in shares)
        fixed_return = self._write_figure("fixed_return", "+".join(fixed) or "0", "percent")
        returned = self._write_figure("meter_return_per_dollar", dollar or "0", "figure")
        self._write_figure("break_even_meter", f"(1-{fixed_return})/{returned}", "money", note="envy left out")
        self._write_figure("reseed_cost", f"{self.cells['seed']}*({whole or '0'})", "percent")
        rates = "-".join(self.cells[name] for name in ("meter_rate", "reserve_rate", "reseed_cost", "fixed_return"))
        self._write_figure("long_run_house_edge", f"1-{rates}", "percent", note="less envy (SC-8)")

    def _write_dollar_figures(self, first: int) -> None:
        """Write the expected pay, tax and hold of a wager that pays flat dollars."""
        if not self.par_sheet.has_dollar_pays:
            return
        chance = self._format_range(first, _PROBABILITY)
        pay, tax = (
            self._write_figure(name, f"SUMPRODUCT({self._format_range(first, column)},{chance})", "money")
            for name, column in (("expected_pay_dollars", _WON), ("expected_tax_dollars", _LOST))
        )
        if self.par_sheet.extras["hold"] is not None:
            self._write_figure("hold", f"({tax}-{pay})/{tax}", "percent", exact=True, label="Hold, of the tax")

    def _add_chart(self, book: Any, first: int, last: int) -> None:
        """Add a chart of the outcomes' probabilities."""
        name = self.worksheet.get_name()
        chart = book.add_chart({"type": "bar"})
        chart.add_series(
            {
                "name": "probability",
                "categories": [name, first, _OUTCOME, last, _OUTCOME],
                "values": [name, first, _PROBABILITY, last, _PROBABILITY],
                "fill": {"color": "#1F7A4D"},
            }
        )
        chart.set_x_axis({"log_base": 10, "num_format": "0E+0", "crossing": "min"})
        chart.set_y_axis({"reverse": True})
        chart.set_legend({"none": True})
        chart.set_title({"name": "How often each outcome occurs", "name_font": {"size": 11}})
        chart.set_size({"width": 620, "height": 120 + 20 * (last - first + 1)})
        self.worksheet.insert_chart(3, len(_HEADINGS) + 1, chart)

    def _write_remarks(self) -> None:
        """Write remarks about the precision and validity of the figures."""
        self.row += 1
        remarks = [f"Figures are computed in binary floating point, {MAX_DIGITS} digits; longer counts are text."]
        if self.par_sheet.strategy and not self.par_sheet.bounds:
            remarks.append(
                "The play stays the best play for the pays of this report; other pays may have a better one."
            )
        if self.par_sheet.extras.get("sheet_hold") is not None:
            remarks += [
                f"The rule sheet says of {table.id} as printed: {table.claim}."
                for table in self.par_sheet.paytables
                if table.claim
            ]
        remarks += map(describe_paytable, self.par_sheet.paytables)
        for text in remarks:
            self._write(0, text, "remark")
            self.row += 1
