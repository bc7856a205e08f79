"""The PAR sheet of one bet for callers, and other forms of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from importlib import import_module
from typing import Any

from pitboss.analysis.par_sheet import Figure, ParSheet
from pitboss.analysis.sensitivity import PaySensitivity, compute_sensitivity
from pitboss.contract import PayTable
from pitboss.core.errors import ReportError
from pitboss.core.read_only_dict import ReadOnlyDict
from pitboss.reports.document import TableBlock
from pitboss.reports.sheet_tables import make_figure_table, make_outcome_table


@dataclass(frozen=True, slots=True)
class ParRow:
    """One outcome of a bet: its net per unit staked, and how many deals end this way.

    >>> import pitboss as pb
    >>> pb.game("shifting-wilds").par("blackjack-bonus").rows[0].deals
    18344
    """

    name: str
    net: Fraction
    deals: int
    probability: Fraction
    contribution: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class BetParSheet:
    """The PAR sheet of a bet: every outcome, counted exactly.

    All figures are per unit staked; where a table pays flat dollars the unit is one dollar.  Where the player decides,
    they are those of the best play.  A notebook shows the sheet as a table.

    >>> import pitboss as pb
    >>> sheet = pb.game("shifting-wilds").par("blackjack-bonus")
    >>> sheet
    <PAR sheet of blackjack-bonus, shifting-wilds: house edge 1.0686%>
    >>> sheet.house_edge, sheet.hit_frequency
    (Fraction(2893, 270725), Fraction(304, 1547))
    """

    _sheet: ParSheet

    @property
    def game(self) -> str:
        """The id of the game."""
        return self._sheet.game.id

    @property
    def bet(self) -> str:
        """The id of the bet."""
        return self._sheet.wager.id

    @property
    def paytables(self) -> tuple[PayTable, ...]:
        """The pay tables that pay the bet, none where it pays even money."""
        return self._sheet.paytables

    @property
    def options(self) -> Mapping[str, str]:
        """The value of every option of the game."""
        return ReadOnlyDict(dict(self._sheet.options))

    @property
    def rows(self) -> tuple[ParRow, ...]:
        """Every outcome, the lines of the pay table in printed order."""
        return tuple(
            ParRow(line.outcome.name, line.net, line.deals, line.probability, line.contribution)
            for line in self._sheet.lines
        )

    @property
    def deals(self) -> int:
        """The number of equally likely deals counted."""
        return self._sheet.deals

    @property
    def expected_value(self) -> Fraction:
        """The player's expected net."""
        return self._sheet.expected_value

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss, as an exact fraction."""
        return self._sheet.house_edge

    @property
    def hit_frequency(self) -> Fraction:
        """The probability of a net above zero."""
        return self._sheet.hit_frequency

    @property
    def variance(self) -> Fraction:
        """The variance of the net, in squared units."""
        return self._sheet.variance

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, in units."""
        return self._sheet.standard_deviation

    @property
    def actions(self) -> Mapping[str, Fraction]:
        """How often the best play goes each way; empty where nothing is decided.

        A way has the id of its action, as ``fold`` and ``play``, and with several decisions a name of the game's own
        for all of them, as ``raise-once``; where ways overlap, the frequencies add up to more than 1.

        >>> import pitboss as pb
        >>> pb.game("shifting-wilds").par("blackjack-bonus").actions
        {}
        """
        actions = self._sheet.extras.get("actions")
        return ReadOnlyDict(actions if isinstance(actions, Mapping) else {})

    @property
    def average_wager(self) -> Fraction | None:
        """The main chips of a round on average, in Antes; None for other bets.

        >>> import pitboss as pb
        >>> pb.game("six-card").par("aces-up").average_wager is None
        True
        """
        return self._find_fraction("average_wager")

    @property
    def element_of_risk(self) -> Fraction | None:
        """The house edge of main per unit of its average wager; None for another bet."""
        return self._find_fraction("element_of_risk")

    def _find_fraction(self, name: str) -> Fraction | None:
        figure = self._sheet.extras.get(name)
        return figure if isinstance(figure, Fraction) else None

    @property
    def figures(self) -> Mapping[str, Figure]:
        """The figures that only some bets have, by their names in JSON.

        >>> import pitboss as pb
        >>> pb.game("six-card").par("progressive", meter_cents=2_500_000).figures["meter"]
        Fraction(25000, 1)
        """
        return ReadOnlyDict(
            {
                name: ReadOnlyDict(figure) if isinstance(figure, Mapping) else figure
                for name, figure in self._sheet.extras.items()
            }
        )

    def sensitivity(self) -> tuple[PaySensitivity, ...]:
        """Compute what one step more on each line of the pay tables changes.

        A step is one chip for each chip staked, one dollar, or 1% of a meter.  ``house_edge_change`` and
        ``hit_frequency_change`` are exact fractions; they are None where the line cannot pay more.

        >>> import pitboss as pb
        >>> first = pb.game("shifting-wilds").par("blackjack-bonus").sensitivity()[0]
        >>> first.line, first.house_edge_change
        ('suited-blackjack', Fraction(-18344, 270725))
        """
        return compute_sensitivity(self._sheet)

    def to_dict(self) -> dict[str, Any]:
        """Return the sheet as JSON data, the same as ``pitboss par --json``.

        >>> import pitboss as pb
        >>> pb.game("shifting-wilds").par("blackjack-bonus").to_dict()["outcomes"][0]["deals"]
        18344
        """
        return self._sheet.as_json()

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame; fractions become floats.

        >>> import pitboss as pb
        >>> sheet = pb.game("shifting-wilds").par("blackjack-bonus")
        >>> frame = sheet.to_frame()  # doctest: +SKIP

        Raises:
            Error: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ReportError("to_frame() needs pandas: pip install pandas", code="not-installed") from None
        return pandas.DataFrame([line.as_json() for line in self._sheet.lines])

    def __repr__(self) -> str:
        """Name the bet and its edge."""
        return f"<PAR sheet of {self.bet}, {self.game}: house edge {float(self.house_edge):.4%}>"

    def _repr_html_(self) -> str:
        """Return the sheet as an HTML table, for notebooks."""
        caption = escape(f"{self._sheet.game.name}: {self._sheet.wager.name}, {self.deals:,} deals")
        tables = make_outcome_table([self._sheet]), make_figure_table([self._sheet])
        return f"<p>{caption}</p>{''.join(map(_render_table, tables))}"


def _render_table(table: TableBlock) -> str:
    rows = [_render_row("th", table.headings), *(_render_row("td", row) for row in table.rows)]
    return f"<table>{''.join(rows)}</table>"


def _render_row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
