"""What one step more on each line of a pay table does to the figures of a bet.

The step is the unit in which the line is paid: one chip more for every chip staked, one dollar, or one hundredth of a
meter.  The deals stay as counted, so every change is exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.par_sheet import ParSheet, format_fraction
from pitboss.contract import Game, LinePay, PayTable
from pitboss.core.errors import PayTableError
from pitboss.pay_limits import change_pays
from pitboss.paytables import parse_paytables, select_paytables, to_document

_DOCUMENT, _ID = "table", "T"


@dataclass(frozen=True, slots=True)
class PaySensitivity:
    """The effect of one step more on a line, per unit staked on the bet.

    ``table`` is the id of the line's pay table and ``pay`` its pay now.  If the line cannot pay more, the changes are
    None and ``reason`` says why.
    """

    table: str
    line: str
    pay: LinePay
    _base: ParSheet = field(repr=False)
    _raised: ParSheet | None = field(repr=False)
    reason: str = ""

    @property
    def game(self) -> str:
        """The id of the game."""
        return self._base.game.id

    @property
    def bet(self) -> str:
        """The id of the bet."""
        return self._base.wager.id

    @property
    def method(self) -> str | None:
        """How exact the changes are: "exact", or "bounded" if they change the play."""
        return self._raised.method if self._raised else None

    @property
    def house_edge_change(self) -> Fraction | None:
        """The change of the house edge; below zero, as the house pays more."""
        return self._raised.house_edge - self._base.house_edge if self._raised else None

    @property
    def hit_frequency_change(self) -> Fraction | None:
        """The change of the hit frequency: not zero only where a line begins to win."""
        return self._raised.hit_frequency - self._base.hit_frequency if self._raised else None

    @property
    def standard_deviation_change(self) -> float | None:
        """The change of the standard deviation, in units."""
        if self._raised is None:
            return None
        both = self._raised.standard_deviation + self._base.standard_deviation
        return float(self._raised.variance - self._base.variance) / both if both else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the effect with its names in JSON; changes are null without a step."""
        edge, hits = self.house_edge_change, self.hit_frequency_change
        return {
            "paytable": self.table,
            "line": self.line,
            "pay": float(self.pay.amount),
            "unit": self.pay.unit.value,
            "house_edge_change": None if edge is None else float(edge),
            "house_edge_change_exact": None if edge is None else format_fraction(edge),
            "standard_deviation_change": self.standard_deviation_change,
            "hit_frequency_change": None if hits is None else float(hits),
            "method": self.method,
            **({"reason": self.reason} if self.reason else {}),
        }


def compute_sensitivity(sheet: ParSheet) -> tuple[PaySensitivity, ...]:
    """Return the effect of one step more on each line that pays the sheet's bet.

    If the play depends on the pays, it stays as it is, so that the change is a bound: the best play for the new pays
    may cost the house more.

    >>> from pitboss.analysis.par_sheet import build_par_sheet
    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> game = load_game("six-card")
    >>> counts = [188, 1656, 14664, 165984, 205792, 361620, 732160, 2532816, 751332, 15592308]
    >>> sheet = build_par_sheet(game, game.wagers[1], select_paytables(game), resolve_options(game, {}), counts)
    >>> flush = compute_sensitivity(sheet)[4]
    >>> flush.line, flush.house_edge_change == -Fraction(205_792, 20_358_520)
    ('flush', True)
    """
    return tuple(each for table in sheet.paytables for each in _iter_lines(sheet, table))


def _iter_lines(sheet: ParSheet, table: PayTable) -> Iterator[PaySensitivity]:
    others = {**select_paytables(sheet.game), **sheet.tables_by_kind}
    for line, pay in table.lines.items():
        raised, reason = None, ""
        try:
            raised = reprice_sheet(sheet, {**others, table.kind: _raise_pay(sheet.game, table, line)})
        except PayTableError as error:
            reason = str(error).removeprefix(f"{_DOCUMENT}: ").removeprefix(f"pay table {_ID}: ")
        yield PaySensitivity(table.id, line, pay, sheet, raised, reason)


def _raise_pay(game: Game, table: PayTable, line: str) -> PayTable:
    """Return the table with one step more on a line (raises PayTableError)."""
    changed = change_pays({table.kind: table}, {(table.kind, line): table.lines[line].amount + 1})
    return parse_paytables({"paytable": [to_document(changed[table.kind]) | {"id": _ID}]}, game, _DOCUMENT)[0]
