"""Value a progressive: to the player at the present meter, to the house in the long run (ruling SC-8).

A progressive wager is one dollar, so a probability times dollars is also a share of the wager.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pitboss.analysis.par_sheet import Figure, ParLine
from pitboss.contract import LegResult, MeterPresets, PayTable

_CENTS_PER_DOLLAR = 100
_FULL_PERCENT = 100
_FULL_BPS = 10_000


def compute_progressive_figures(
    lines: Sequence[ParLine], table: PayTable, presets: MeterPresets, options: Mapping[str, str], meter_cents: int
) -> dict[str, Figure]:
    """Compute the progressive's figures by their names in JSON; other seats' envy is only in its own figure.

    ``long_run_house_edge`` is for a table where nobody else plays the progressive; each other seat that does lowers it
    by ``envy_value_per_other_seat``.  Fixed awards that the meter pays come from the players' own contributions.  The
    meter ``runs_dry`` where these awards exceed contributions and reseeding.
    """
    fixed_return = sum((line.probability * (line.net + 1) for line in lines if _is_fixed(line)), Fraction(0))
    return_per_dollar = sum((line.probability * line.meter_percent / _FULL_PERCENT for line in lines), Fraction(0))
    full_meter_probability = sum(
        (line.probability for line in lines if line.meter_percent == _FULL_PERCENT), Fraction(0)
    )
    envy_value = sum((line.probability * _sum_envy_dollars(line, table) for line in lines), Fraction(0))
    reseed_cost = Fraction(presets.seed_cents, _CENTS_PER_DOLLAR) * full_meter_probability
    contribution_rate = Fraction(presets.meter_bps + presets.reserve_bps, _FULL_BPS)
    from_meter = options.get("fixed_awards_from") == "meter"
    figures: dict[str, Figure] = {
        "meter": Fraction(meter_cents, _CENTS_PER_DOLLAR),
        "seed": Fraction(presets.seed_cents, _CENTS_PER_DOLLAR),
        "meter_rate": Fraction(presets.meter_bps, _FULL_BPS),
        "reserve_rate": Fraction(presets.reserve_bps, _FULL_BPS),
        "fixed_return": fixed_return,
        "meter_return_per_dollar": return_per_dollar,
        "break_even_meter": (1 - fixed_return) / return_per_dollar if return_per_dollar else None,
        "envy_value_per_other_seat": envy_value,
        "reseed_cost": reseed_cost,
        "long_run_house_edge": 1 - contribution_rate - reseed_cost - (0 if from_meter else fixed_return),
    }
    return figures | ({"runs_dry": contribution_rate + reseed_cost < fixed_return} if from_meter else {})


def _is_fixed(line: ParLine) -> bool:
    return line.meter_percent == 0 and any(leg.result is LegResult.WIN for leg in line.outcome.legs)


def _sum_envy_dollars(line: ParLine, table: PayTable) -> int:
    return sum(table.envy.get(name, 0) for leg in line.outcome.legs for name in leg.lines)
