"""The PAR sheet: every outcome with its net and its frequency, exact until it is printed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any

from pitboss.contract import Game, Outcome, PayTable, Wager

Figure = Fraction | bool | int | Mapping[str, Fraction] | None


@dataclass(frozen=True, slots=True)
class ParLine:
    """One outcome: its net per unit staked, the deals that lead to it, and the percentage of a meter it pays."""

    outcome: Outcome
    net: Fraction
    deals: int
    probability: Fraction
    meter_percent: int = 0

    @property
    def contribution(self) -> Fraction:
        """The part of the expected value that this outcome adds."""
        return self.net * self.probability

    def as_json(self) -> dict[str, Any]:
        """Return the line with its names in JSON; a whole net is an integer."""
        share = {"meter_percent": self.meter_percent} if self.meter_percent else {}
        return {
            "name": self.outcome.name,
            "net": self.net.numerator if self.net.denominator == 1 else float(self.net),
            "deals": self.deals,
            "probability": float(self.probability),
            "contribution": float(self.contribution),
            **share,
        }


@dataclass(frozen=True, slots=True)
class ParSheet:
    """The probability accounting report of one wager, with a pay table of each kind that pays it.

    All figures are per unit staked.  Where a table pays flat dollars the unit is one dollar, so the net is in dollars.
    ``extras`` are the figures that only some wagers have, by their names in JSON; a figure without a value is None.
    Where the outcome depends on the play, ``strategy`` says what the play is best for: "main" for main alone, "joint"
    for main and the side wagers in ``stakes`` (in Antes) together (SW-8).  Elsewhere ``strategy`` is empty.
    """

    game: Game
    wager: Wager
    paytables: tuple[PayTable, ...]
    options: Mapping[str, str]
    lines: tuple[ParLine, ...]
    extras: Mapping[str, Figure]
    strategy: str = ""
    stakes: Mapping[str, Fraction] = field(default_factory=dict)
    bounds: tuple[Fraction, Fraction] | None = None

    @property
    def method(self) -> str:
        """How the figures were computed: "exact" or "bounded", as in JSON."""
        return "bounded" if self.bounds else "exact"

    @property
    def deals(self) -> int:
        """The number of equally likely deals counted."""
        return sum(line.deals for line in self.lines)

    @property
    def expected_value(self) -> Fraction:
        """The player's expected net."""
        return sum((line.contribution for line in self.lines), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss."""
        return -self.expected_value

    @property
    def hit_frequency(self) -> Fraction:
        """The probability of a net above zero."""
        return sum((line.probability for line in self.lines if line.net > 0), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The variance of the net, in squared units."""
        squares = sum((line.probability * line.net**2 for line in self.lines), Fraction(0))
        return squares - self.expected_value**2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, in units."""
        return sqrt(self.variance)

    def as_json(self) -> dict[str, Any]:
        """Return the sheet with its names in JSON: counts stay integers, figures become floats."""
        tables = [table.id for table in self.paytables]
        return {
            "game": self.game.id,
            "bet": self.wager.id,
            "paytable": tables[0] if len(tables) == 1 else tables,
            "options": dict(self.options),
            "method": self.method,
            **self._bounds_as_json(),
            **self._play_as_json(),
            "deals": self.deals,
            "outcomes": [line.as_json() for line in self.lines],
            "expected_value": float(self.expected_value),
            "expected_value_exact": f"{self.expected_value.numerator}/{self.expected_value.denominator}",
            "house_edge": float(self.house_edge),
            "hit_frequency": float(self.hit_frequency),
            "variance": float(self.variance),
            "standard_deviation": self.standard_deviation,
            **{name: _figure_as_json(value) for name, value in self.extras.items()},
        }

    def _bounds_as_json(self) -> dict[str, float]:
        return dict(zip(("lower_bound", "upper_bound"), map(float, self.bounds or ()), strict=False))

    def _play_as_json(self) -> dict[str, Any]:
        if not self.strategy:
            return {}
        return {"strategy": self.strategy, "stakes": {bet: float(stake) for bet, stake in self.stakes.items()}}


def _figure_as_json(figure: Figure) -> Any:
    """Return a figure as JSON writes it: a fraction becomes a float."""
    if isinstance(figure, Mapping):
        return {name: float(value) for name, value in figure.items()}
    return float(figure) if isinstance(figure, Fraction) else figure
