"""The PAR sheet of a wager: every outcome with its net and frequency, exact.

A sheet is built from the deals counted for each outcome, by a census, a solution or a simulation, and from pay tables.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm, sqrt
from typing import Any

from pitboss.analysis.solutions import compute_average_wager
from pitboss.contract import Game, Leg, LegResult, MeterPresets, Outcome, PayTable, PayUnit, Wager
from pitboss.meter import ROUND_TO_CENT, ROUND_TO_DOLLAR, compute_percentage_cents
from pitboss.outcome_nets import compute_leg_net, compute_outcome_net, get_meter_percent
from pitboss.solver_api import Solution

Figure = Fraction | bool | int | Mapping[str, Fraction] | None

_CENTS = 100
_FULL_PERCENT = 100
_FULL_BPS = 10_000
_HOLD_CLAIM = re.compile(r"hold (\d+)%")


@dataclass(frozen=True, slots=True)
class ParLine:
    """One outcome: its net per unit staked, its deals, its percentage of a meter."""

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
    """The probability accounting report (PAR sheet) of one wager.

    It has a pay table of each kind that pays the wager.  All figures are per unit staked.  Where a table pays flat
    dollars the unit is one dollar, so the net is in dollars.  ``extras`` are the figures that only some wagers have, by
    their names in JSON; a figure without a value is None.  Where the outcome depends on the play, ``strategy`` says
    what the play is best for: "main" for main alone, "joint" for main and the side wagers in ``stakes`` (in Antes)
    together (SW-8).  Elsewhere ``strategy`` is empty.  With ``bounds`` the play is the best for other pays, and the
    expected value of the best play for these is within the bounds.
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
    def is_main(self) -> bool:
        """Whether this is the sheet of the game's main wager."""
        return self.wager is self.game.main

    @property
    def tables_by_kind(self) -> dict[str, PayTable]:
        """The pay tables by their kinds."""
        return {table.kind: table for table in self.paytables}

    @property
    def paytable_ids(self) -> str | list[str]:
        """The id of its pay table, or a list where there are several or none, as in JSON."""
        ids = [table.id for table in self.paytables]
        return ids[0] if len(ids) == 1 else ids

    @property
    def presets(self) -> MeterPresets | None:
        """The presets of the meter, None without one."""
        return next((table.progressive for table in self.paytables if table.progressive), None)

    @property
    def meter_cents(self) -> int | None:
        """The amount on the meter, None without one."""
        meter = self.extras.get("meter")
        return int(meter * _CENTS) if isinstance(meter, Fraction) else None

    @property
    def method(self) -> str:
        """How the figures were computed: "exact" or "bounded", as in JSON."""
        return "bounded" if self.bounds else "exact"

    @property
    def play(self) -> str:
        """The play: "best" for these pays, "frozen" as it was for other pays, or ""."""
        return ("frozen" if self.bounds else "best") if self.strategy else ""

    @property
    def deals(self) -> int:
        """The number of equally likely deals counted."""
        return sum(line.deals for line in self.lines)

    @property
    def deals_by_net(self) -> dict[Fraction, int]:
        """The number of deals with each net per unit staked; none without deals."""
        nets: dict[Fraction, int] = {}
        for line in self.lines:
            if line.deals:
                nets[line.net] = nets.get(line.net, 0) + line.deals
        return nets

    def scale_nets(self) -> tuple[int, dict[int, int]]:
        """Return a unit that makes the nets whole, and the deals with each net in it."""
        nets = self.deals_by_net
        unit = lcm(*(net.denominator for net in nets))
        return unit, {int(net * unit): deals for net, deals in nets.items()}

    @property
    def expected_value(self) -> Fraction:
        """The player's expected net."""
        return _average(self.lines, lambda line: line.net)

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss."""
        return -self.expected_value

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit of all chips put down, not of the first one."""
        risk = self.extras.get("element_of_risk")
        return risk if isinstance(risk, Fraction) else self.house_edge

    @property
    def hit_frequency(self) -> Fraction:
        """The probability of a net above zero."""
        return _average(self.lines, lambda line: int(line.net > 0))

    @property
    def variance(self) -> Fraction:
        """The variance of the net, in squared units."""
        return _average(self.lines, lambda line: line.net**2) - self.expected_value**2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, in units."""
        return sqrt(self.variance)

    @property
    def has_dollar_pays(self) -> bool:
        """Whether a table pays flat dollars."""
        return _pays_dollars(self.paytables)

    def as_json(self) -> dict[str, Any]:
        """Return the sheet in JSON: counts stay integers, figures become floats."""
        stakes = {bet: float(stake) for bet, stake in self.stakes.items()}
        return {
            "game": self.game.id,
            "bet": self.wager.id,
            "paytable": self.paytable_ids,
            "options": dict(self.options),
            "method": self.method,
            **self._bounds_as_json(),
            **({"strategy": self.strategy, "play": self.play, "stakes": stakes} if self.strategy else {}),
            "deals": self.deals,
            "outcomes": [line.as_json() for line in self.lines],
            **value_as_json(self.expected_value),
            "house_edge": float(self.house_edge),
            "hit_frequency": float(self.hit_frequency),
            "variance": float(self.variance),
            "standard_deviation": self.standard_deviation,
            **{name: _figure_as_json(value) for name, value in self.extras.items()},
        }

    def _bounds_as_json(self) -> dict[str, Any]:
        if self.bounds is None:
            return {}
        named = dict(zip(("lower_bound", "upper_bound"), self.bounds, strict=True))
        exact = {f"{name}_exact": format_fraction(bound) for name, bound in named.items()}
        return {name: float(bound) for name, bound in named.items()} | exact


def _average(lines: Sequence[ParLine], value: Callable[[ParLine], Fraction | int]) -> Fraction:
    """Return the expected value of something that each outcome has.

    It is added up in whole numbers, over the least common denominator: reducing a fraction at each step takes longer.
    """
    values = [value(line) for line in lines]
    unit = lcm(*(each.denominator for each in values))
    total = sum(
        line.deals * each.numerator * (unit // each.denominator) for line, each in zip(lines, values, strict=True)
    )
    return Fraction(total, unit * sum(line.deals for line in lines))


def _figure_as_json(figure: Figure) -> Any:
    """Return a figure as JSON writes it: a fraction becomes a float."""
    if isinstance(figure, Mapping):
        return {name: float(value) for name, value in figure.items()}
    return float(figure) if isinstance(figure, Fraction) else figure


def value_as_json(expected_value: Fraction) -> dict[str, Any]:
    """Return an expected value by its two names in JSON: rounded, and exact."""
    return {"expected_value": float(expected_value), "expected_value_exact": format_fraction(expected_value)}


def format_fraction(value: Fraction) -> str:
    """Format a fraction as p/q.

    >>> format_fraction(Fraction(-2))
    '-2/1'
    """
    return f"{value.numerator}/{value.denominator}"


def build_par_sheet(
    game: Game,
    wager: Wager,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    counts: Sequence[int],
    meter_cents: int | None = None,
) -> ParSheet:
    """Build the sheet of ``wager`` from the deals counted for each of its outcomes.

    ``paytables`` has a pay table for each kind that pays the wager, and ``options`` has a value for every option of
    the game.  Percentages are of a meter of ``meter_cents``; without it, of the seed.

    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("six-card")
    >>> counts = [188, 1656, 14664, 165984, 205792, 361620, 732160, 2532816, 751332, 15592308]
    >>> build_par_sheet(game, game.wagers[1], select_paytables(game), resolve_options(game, {}), counts).house_edge
    Fraction(118913, 5089630)
    """
    tables = tuple(paytables[kind] for kind in wager.paytable_kinds)
    progressive = next(((table, table.progressive) for table in tables if table.progressive), None)
    if meter_cents is None:
        meter_cents = progressive[1].seed_cents if progressive else 0
    nets, deals = compute_nets_per_unit(wager, paytables, options, meter_cents), sum(counts)
    lines = tuple(
        ParLine(outcome, net, count, Fraction(count, deals), get_meter_percent(outcome, paytables))
        for outcome, net, count in zip(wager.outcomes, nets, counts, strict=True)
    )
    claim = next(filter(None, (_HOLD_CLAIM.search(table.claim) for table in tables)), None)
    # The hold that the rule sheet prints is the hold on drop, not the house edge (SC-5).
    extras: dict[str, Figure] = {"sheet_hold": Fraction(int(claim[1]), _FULL_PERCENT)} if claim else {}
    if _pays_dollars(tables):
        extras |= _compute_dollar_figures(lines, paytables)
    if progressive:
        extras |= _compute_progressive_figures(lines, *progressive, options, meter_cents)
    return ParSheet(game, wager, tables, options, lines, extras)


def build_main_sheet(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], solution: Solution
) -> ParSheet:
    """Build the sheet of ``main`` from a solution, per Ante (Wild Six: Poker bet).

    ``paytables`` has a pay table for each kind that pays main, and ``options`` a value for every option; both are those
    of ``solution``.  ``actions`` are the frequencies of the paths.

    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> game = load_game("wild-six-card")
    >>> solved = Solution((2, 40, 3, 54, 1, 0, 0, 0, 0), {"automatic": 2, "discard": 98, "stand": 0}, 0)
    >>> sheet = build_main_sheet(game, {}, resolve_options(game, {}), solved)
    >>> sheet.house_edge, sheet.extras["actions"]["discard"]
    (Fraction(3, 25), Fraction(49, 50))
    """
    sheet = build_par_sheet(game, game.main, paytables, options, solution.counts)
    first_only = solution.equal_first_only and len(game.decisions) > 1
    return add_main_figures(
        sheet,
        {
            "actions": {path: Fraction(deals, sheet.deals) for path, deals in solution.actions.items()},
            "equal_value_positions": solution.equal_value_positions,
            **({"equal_value_first_decisions_only": True} if first_only else {}),
        },
    )


def add_main_figures(sheet: ParSheet, figures: Mapping[str, Figure]) -> ParSheet:
    """Return main's sheet with its average wager and the figures of its play.

    ``element_of_risk`` is the house edge divided by the average of all main chips staked
    (``solutions.compute_average_wager``).
    """
    wagered = compute_average_wager(sheet.game, tuple(line.deals for line in sheet.lines))
    main_figures = {"average_wager": wagered, "element_of_risk": sheet.house_edge / wagered}
    return replace(sheet, extras={**sheet.extras, **main_figures, **figures})


def compute_nets_per_unit(
    wager: Wager, paytables: Mapping[str, PayTable], options: Mapping[str, str], meter_cents: int
) -> tuple[Fraction, ...]:
    """Compute the net of each outcome per unit staked.

    Percentages are of a meter of ``meter_cents``.
    """
    rounding = ROUND_TO_DOLLAR if options.get("award_rounding") == "dollar" else ROUND_TO_CENT
    awards = (
        compute_percentage_cents(meter_cents, get_meter_percent(outcome, paytables), rounding)
        for outcome in wager.outcomes
    )
    return tuple(
        compute_outcome_net(outcome, paytables, _CENTS, award) / _CENTS
        for outcome, award in zip(wager.outcomes, awards, strict=True)
    )


def _pays_dollars(tables: Iterable[PayTable]) -> bool:
    return any(pay.unit is PayUnit.DOLLARS for table in tables for pay in table.lines.values())


def compute_leg_nets(outcome: Outcome, result: LegResult, paytables: Mapping[str, PayTable]) -> Fraction:
    """Compute what the legs of an outcome with this result net, per unit staked."""
    nets = (compute_leg_net(leg, paytables, _CENTS) for leg in outcome.legs if leg.result is result)
    return sum(nets, Fraction(0)) / _CENTS


def _compute_dollar_figures(lines: Sequence[ParLine], paytables: Mapping[str, PayTable]) -> dict[str, Figure]:
    """Compute what a wager of flat dollars pays, takes and holds of the tax (W6-6)."""
    pay = _average(lines, lambda line: compute_leg_nets(line.outcome, LegResult.WIN, paytables))
    tax = -_average(lines, lambda line: compute_leg_nets(line.outcome, LegResult.LOSE, paytables))
    return {
        "expected_pay_dollars": pay,
        "expected_tax_dollars": tax,
        "hold": (tax - pay) / tax if tax else None,
        "net_per_round_dollars": pay - tax,
    }


def _compute_progressive_figures(
    lines: Sequence[ParLine], table: PayTable, presets: MeterPresets, options: Mapping[str, str], meter_cents: int
) -> dict[str, Figure]:
    """Value a progressive: at its present meter, and in the long run (ruling SC-8).

    A progressive wager is one dollar, so a probability times dollars is also a share of the wager.  Other seats' envy
    is only in its own figure.  ``long_run_house_edge`` is for a table where nobody else plays the progressive; each
    other seat that does lowers it by ``envy_value_per_other_seat``.  Fixed awards that the meter pays come from the
    players' own contributions.  The meter ``runs_dry`` where these awards exceed contributions and reseeding.
    """

    def is_fixed(line: ParLine) -> bool:
        return line.meter_percent == 0 and any(leg.result is LegResult.WIN for leg in line.outcome.legs)

    def sum_envy_dollars(legs: Iterable[Leg]) -> int:
        return sum(table.envy.get(name, 0) for leg in legs for name in leg.lines)

    fixed_return = _average(lines, lambda line: line.net + 1 if is_fixed(line) else 0)
    return_per_dollar = _average(lines, lambda line: Fraction(line.meter_percent, _FULL_PERCENT))
    seed = Fraction(presets.seed_cents, _CENTS)
    reseed_cost = seed * _average(lines, lambda line: int(line.meter_percent == _FULL_PERCENT))
    meter_rate, reserve_rate = Fraction(presets.meter_bps, _FULL_BPS), Fraction(presets.reserve_bps, _FULL_BPS)
    from_meter = options.get("fixed_awards_from") == "meter"
    runs_dry = meter_rate + reserve_rate + reseed_cost < fixed_return
    return {
        "meter": Fraction(meter_cents, _CENTS),
        "seed": seed,
        "meter_rate": meter_rate,
        "reserve_rate": reserve_rate,
        "fixed_return": fixed_return,
        "meter_return_per_dollar": return_per_dollar,
        "break_even_meter": (1 - fixed_return) / return_per_dollar if return_per_dollar else None,
        "envy_value_per_other_seat": _average(lines, lambda line: sum_envy_dollars(line.outcome.legs)),
        "reseed_cost": reseed_cost,
        "long_run_house_edge": 1 - meter_rate - reserve_rate - reseed_cost - (0 if from_meter else fixed_return),
        **({"runs_dry": runs_dry} if from_meter else {}),
    }
