"""The worksheet of a bet: pays that may be changed, outcomes, and figures computed from both by formulas.

A spreadsheet computes in binary floating point of 53 bits, 15 to 16 decimal digits.  A count is a whole number in its
cell, or text if the bet's counts have more digits than that, with the nearest floating-point probability.  The figures
computed from these have that precision; the report's exact fractions are next to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell

from pitboss.analysis.par_sheet import ParSheet
from pitboss.builders import display_name
from pitboss.contract import LegResult, PayUnit
from pitboss.paytables import compute_leg_net
from pitboss.reports.formatting import describe_method, format_fraction, format_paytable_ids, iter_paytable_notes
from pitboss.reports.formulas import PayCells, make_lost_formula, make_won_formula, to_cell_value

MAX_DIGITS = 15
"""The decimal digits of a whole number that a spreadsheet stores exactly."""

_HEADINGS = ("Outcome", "Won", "Lost", "Net", "Combinations", "Probability", "1 in", "Contribution")
_OUTCOME, _WON, _LOST, _NET, _DEALS, _PROBABILITY, _ONE_IN, _CONTRIBUTION = range(8)


@dataclass
class BetSheet:
    """The worksheet of a bet: the cells of its figures, and their values under the report's pays."""

    par_sheet: ParSheet
    worksheet: Any
    styles: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Take the values of the figures under the report's pays."""
        risk = self.par_sheet.extras.get("element_of_risk")
        self.values = {
            "value": float(self.par_sheet.expected_value),
            "edge": float(self.par_sheet.house_edge),
            "hit": float(self.par_sheet.hit_frequency),
            "variance": float(self.par_sheet.variance),
            "deviation": self.par_sheet.standard_deviation,
            "risk": float(risk if isinstance(risk, Fraction) else self.par_sheet.house_edge),
        }
        self.cells: dict[str, str] = {}
        self.row = 0

    def write(self, book: Any) -> None:
        """Write pays, outcomes, figures and remarks."""
        par, sheet = self.par_sheet, self.worksheet
        sheet.set_column(0, 0, 34)
        sheet.set_column(1, 7, 19)
        sheet.write(0, 0, f"{par.game.name}: {par.wager.name}", self.styles["title"])
        sheet.write(
            1,
            0,
            f"{format_paytable_ids(par) or 'even money'}; {describe_method(par)}, {par.deals:,} equally likely deals",
            self.styles["remark"],
        )
        self.row = 3
        cells = self._write_pays()
        first = self._write_outcomes(cells)
        last = first + len(par.lines) - 1
        self._write_figures(first, last)
        self._write_progressive(cells, first)
        self._write_dollar_figures(first, last)
        self._add_chart(book, first, last)
        self._write_remarks()

    def _write_pays(self) -> PayCells:
        """Write each pay to a cell that may be changed, and return the cells."""
        sheet, styles, pays, meter = self.worksheet, self.styles, dict[tuple[str, str], str](), ""
        for table in self.par_sheet.paytables:
            sheet.write_row(self.row, 0, (f"Pays of {table.id}", "Pay", "Unit", "Printed"), styles["head"])
            self.row += 1
            for line, pay in table.lines.items():
                sheet.write(self.row, 0, display_name(line))
                _write_number(sheet, self.row, to_cell_value(pay.amount), styles["input"])
                sheet.write(self.row, 2, display_name(pay.unit.value.replace("_", "-")))
                sheet.write(self.row, 3, pay.sheet_text)
                pays[table.kind, line] = xl_rowcol_to_cell(self.row, 1, row_abs=True, col_abs=True)
                self.row += 1
            self.row += 1
        figure = self.par_sheet.extras.get("meter")
        if isinstance(figure, Fraction):
            sheet.write(self.row, 0, "Meter")
            sheet.write(self.row, 1, float(figure), styles["dollars"])
            meter = xl_rowcol_to_cell(self.row, 1, row_abs=True, col_abs=True)
            self.row += 2
        return PayCells(pays, meter, 100 if self.par_sheet.options.get("award_rounding") == "dollar" else 1)

    def _write_outcomes(self, cells: PayCells) -> int:
        """Write the outcomes and return the row of the first."""
        sheet, styles, par = self.worksheet, self.styles, self.par_sheet
        unit = "dollars" if self._pays_dollars else "units staked"
        sheet.write(self.row, 0, f"Outcomes: won, lost and net in {unit}", styles["bold"])
        sheet.write_row(self.row + 1, 0, _HEADINGS, styles["head"])
        first = self.row + 2
        tables = {table.kind: table for table in par.paytables}
        whole = len(str(par.deals)) <= MAX_DIGITS
        total = xl_rowcol_to_cell(first + len(par.lines), _DEALS, row_abs=True, col_abs=True)
        for row, line in enumerate(par.lines, start=first):
            at = [xl_rowcol_to_cell(row, column) for column in range(len(_HEADINGS))]
            chance = float(line.probability)
            sheet.write(row, _OUTCOME, display_name(line.outcome.name))
            won, lost = (formula(line.outcome, tables, cells) for formula in (make_won_formula, make_lost_formula))
            lost_value = (
                -sum(compute_leg_net(leg, tables, 100) for leg in line.outcome.legs if leg.result is LegResult.LOSE)
                / 100
            )
            sheet.write_formula(row, _WON, f"={won}", styles["net"], float(line.net + lost_value))
            sheet.write_formula(row, _LOST, f"={lost}", styles["net"], float(lost_value))
            sheet.write_formula(row, _NET, f"={at[_WON]}-{at[_LOST]}", styles["net"], float(line.net))
            if whole:
                sheet.write_number(row, _DEALS, line.deals, styles["count"])
                sheet.write_formula(row, _PROBABILITY, f"={at[_DEALS]}/{total}", styles["chance"], chance)
            else:
                sheet.write_string(row, _DEALS, str(line.deals), styles["text_count"])
                sheet.write_number(row, _PROBABILITY, chance, styles["chance"])
            if line.deals:
                sheet.write_formula(row, _ONE_IN, f"=1/{at[_PROBABILITY]}", styles["one_in"], 1 / chance)
            sheet.write_formula(
                row, _CONTRIBUTION, f"={at[_NET]}*{at[_PROBABILITY]}", styles["signed"], float(line.contribution)
            )
        self.row = first + len(par.lines)
        sheet.write(self.row, _OUTCOME, "All", styles["bold"])
        if whole:
            sheet.write_formula(
                self.row, _DEALS, f"=SUM({_format_range(first, self.row - 1, _DEALS)})", styles["count"], par.deals
            )
        else:
            sheet.write_string(self.row, _DEALS, str(par.deals), styles["text_count"])
        sheet.write_formula(
            self.row, _PROBABILITY, f"=SUM({_format_range(first, self.row - 1, _PROBABILITY)})", styles["chance"], 1
        )
        self.row += 2
        return first

    @property
    def _pays_dollars(self) -> bool:
        return any(pay.unit is PayUnit.DOLLARS for table in self.par_sheet.paytables for pay in table.lines.values())

    def _write_figures(self, first: int, last: int) -> None:
        """Write the figures that every bet has, each with the exact fraction under the report's pays."""
        net, chance = _format_range(first, last, _NET), _format_range(first, last, _PROBABILITY)
        par, average = self.par_sheet, self.par_sheet.extras.get("average_wager")
        self.worksheet.write_row(
            self.row, 0, ("Figure", "Now", "Exactly, under the pays of this report"), self.styles["head"]
        )
        self.row += 1
        self._write_figure(
            "value",
            "Expected value",
            f"SUM({_format_range(first, last, _CONTRIBUTION)})",
            "signed",
            format_fraction(par.expected_value),
        )
        self._write_figure("edge", "House edge", f"-{self.cells['value']}", "percent", format_fraction(par.house_edge))
        self._write_figure(
            "hit", "Hit frequency", f'SUMIF({net},">0",{chance})', "percent", format_fraction(par.hit_frequency)
        )
        squares = f"SUMPRODUCT({net},{net},{chance})-{self.cells['value']}^2"
        self._write_figure("variance", "Variance", squares, "figure", format_fraction(par.variance))
        self._write_figure("deviation", "Standard deviation", f"SQRT({self.cells['variance']})", "figure", "")
        if isinstance(average, Fraction):
            self.values["average"] = float(average)
            self.worksheet.write(self.row, 0, "Average wager")
            self.worksheet.write(self.row, 1, float(average), self.styles["figure"])
            self.worksheet.write(self.row, 2, format_fraction(average))
            self.cells["average"] = xl_rowcol_to_cell(self.row, 1, row_abs=True, col_abs=True)
            self.row += 1
            self._write_figure(
                "risk", "Element of risk", f"{self.cells['edge']}/{self.cells['average']}", "percent", ""
            )
        else:
            self.cells["risk"] = self.cells["edge"]

    def _write_figure(self, name: str, label: str, formula: str, style: str, fraction: str) -> None:
        self.worksheet.write(self.row, 0, label)
        self.worksheet.write_formula(self.row, 1, f"={formula}", self.styles[style], self.values[name])
        self.worksheet.write(self.row, 2, fraction)
        self.cells[name] = xl_rowcol_to_cell(self.row, 1, row_abs=True, col_abs=True)
        self.row += 1

    def _write_progressive(self, cells: PayCells, first: int) -> None:
        """Write the long-run figures of a progressive, as ``analysis.progressive`` computes them, without envy."""
        presets = next((table.progressive for table in self.par_sheet.paytables if table.progressive), None)
        if presets is None or self.par_sheet.options.get("fixed_awards_from") == "meter":
            return
        lines = list(enumerate(self.par_sheet.lines, start=first))
        chance = {row: xl_rowcol_to_cell(row, _PROBABILITY) for row, _ in lines}
        (kind,) = (table for table in self.par_sheet.paytables if table.progressive)
        shares = [
            (chance[row], cells.pays[kind.kind, leg.lines[0]])
            for row, line in lines
            for leg in line.outcome.legs
            if line.meter_percent
        ]
        fixed = [
            f"{chance[row]}*({xl_rowcol_to_cell(row, _NET)}+1)"
            for row, line in lines
            if not line.meter_percent and line.net > 0
        ]
        inputs = (
            ("seed", "Seed", presets.seed_cents / 100, "dollars"),
            ("meter_rate", "To the meter", presets.meter_bps / 10_000, "input"),
            ("reserve_rate", "To the reserve", presets.reserve_bps / 10_000, "input"),
        )
        for name, label, value, style in inputs:
            self.worksheet.write(self.row, 0, label)
            self.worksheet.write(self.row, 1, value, self.styles[style])
            self.cells[name] = xl_rowcol_to_cell(self.row, 1, row_abs=True, col_abs=True)
            self.row += 1
        for name in (
            "fixed_return",
            "meter_return_per_dollar",
            "break_even_meter",
            "reseed_cost",
            "long_run_house_edge",
        ):
            figure = self.par_sheet.extras[name]
            self.values[name] = float(figure) if isinstance(figure, Fraction) else 0.0
        dollar = "+".join(f"{each}*{cell}/100" for each, cell in shares)
        whole = "+".join(f"IF({cell}=100,{each},0)" for each, cell in shares)
        self._write_figure("fixed_return", "Fixed awards return", "+".join(fixed) or "0", "percent", "")
        self._write_figure("meter_return_per_dollar", "A meter dollar returns", dollar or "0", "figure", "")
        even = f"(1-{self.cells['fixed_return']})/{self.cells['meter_return_per_dollar']}"
        self._write_figure("break_even_meter", "Break-even meter", even, "money", "envy left out")
        self._write_figure("reseed_cost", "Reseeding costs", f"{self.cells['seed']}*({whole or '0'})", "percent", "")
        rates = "-".join(self.cells[name] for name in ("meter_rate", "reserve_rate", "reseed_cost", "fixed_return"))
        self._write_figure("long_run_house_edge", "Long-run house edge", f"1-{rates}", "percent", "less envy (SC-8)")

    def _write_dollar_figures(self, first: int, last: int) -> None:
        """Write the expected pay, tax and hold of a wager that pays flat dollars."""
        if not self._pays_dollars:
            return
        chance = _format_range(first, last, _PROBABILITY)
        for name, column, label in (
            ("expected_pay_dollars", _WON, "Expected pay"),
            ("expected_tax_dollars", _LOST, "Expected tax"),
        ):
            figure = self.par_sheet.extras[name]
            self.values[name] = float(figure) if isinstance(figure, Fraction) else 0.0
            run = _format_range(first, last, column)
            self._write_figure(name, label, f"SUMPRODUCT({run},{chance})", "money", "")
        hold = self.par_sheet.extras["hold"]
        if isinstance(hold, Fraction):
            self.values["hold"] = float(hold)
            tax, pay = self.cells["expected_tax_dollars"], self.cells["expected_pay_dollars"]
            self._write_figure("hold", "Hold, of the tax", f"({tax}-{pay})/{tax}", "percent", format_fraction(hold))

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
        chart.set_title({"name": "How often each outcome comes", "name_font": {"size": 11}})
        chart.set_size({"width": 620, "height": 120 + 20 * (last - first + 1)})
        self.worksheet.insert_chart(3, len(_HEADINGS) + 1, chart)

    def _write_remarks(self) -> None:
        """Write remarks about the precision and validity of the figures."""
        self.row += 1
        remarks = [
            f"Figures are computed in binary floating point, {MAX_DIGITS} digits; longer counts are text.",
        ]
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
        remarks += [f"{table.id}: {'; '.join(iter_paytable_notes(table))}" for table in self.par_sheet.paytables]
        for text in remarks:
            self.worksheet.write(self.row, 0, text, self.styles["remark"])
            self.row += 1


def _format_range(first: int, last: int, column: int) -> str:
    """Return the cell range of a column from the first to the last row."""
    return f"{xl_rowcol_to_cell(first, column)}:{xl_rowcol_to_cell(last, column)}"


def _write_number(sheet: Any, row: int, value: float | str, style: Any) -> None:
    """Write a pay, a number or a quotient, to the second column."""
    if isinstance(value, str):
        sheet.write_formula(row, 1, value, style)
    else:
        sheet.write_number(row, 1, value, style)
