"""What a progressive is worth: to the player as the meter stands, to the house in the long run (ruling SC-8).

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
    """Return the progressive's figures by their names in JSON; other seats' envy is only in its own figure.

    ``long_run_house_edge`` is that of a table where nobody else plays the progressive: every other seat that does takes
    ``envy_value_per_other_seat`` from it.  Fixed awards that the meter pays are the players' own contributions; it
    ``runs_dry`` when they take more than contributions and reseeding bring.
    """
    fixed = sum((line.probability * (line.net + 1) for line in lines if _is_fixed(line)), Fraction(0))
    per_dollar = sum((line.probability * line.meter_percent / _FULL_PERCENT for line in lines), Fraction(0))
    all_of_it = sum((line.probability for line in lines if line.meter_percent == _FULL_PERCENT), Fraction(0))
    envy = sum((line.probability * _sum_envy_dollars(line, table) for line in lines), Fraction(0))
    reseed = Fraction(presets.seed_cents, _CENTS_PER_DOLLAR) * all_of_it
    rates = Fraction(presets.meter_bps + presets.reserve_bps, _FULL_BPS)
    from_meter = options.get("fixed_awards_from") == "meter"
    figures: dict[str, Figure] = {
        "meter": Fraction(meter_cents, _CENTS_PER_DOLLAR),
        "seed": Fraction(presets.seed_cents, _CENTS_PER_DOLLAR),
        "meter_rate": Fraction(presets.meter_bps, _FULL_BPS),
        "reserve_rate": Fraction(presets.reserve_bps, _FULL_BPS),
        "fixed_return": fixed,
        "meter_return_per_dollar": per_dollar,
        "break_even_meter": (1 - fixed) / per_dollar if per_dollar else None,
        "envy_value_per_other_seat": envy,
        "reseed_cost": reseed,
        "long_run_house_edge": 1 - rates - reseed - (0 if from_meter else fixed),
    }
    return figures | ({"runs_dry": rates + reseed < fixed} if from_meter else {})


def _is_fixed(line: ParLine) -> bool:
    return line.meter_percent == 0 and any(leg.result is LegResult.WIN for leg in line.outcome.legs)


def _sum_envy_dollars(line: ParLine, table: PayTable) -> int:
    return sum(table.envy.get(name, 0) for leg in line.outcome.legs for name in leg.lines)
