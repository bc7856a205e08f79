"""The grid of a progressive: its edge in the long run and its average jackpot.

Per dollar staked, the house keeps what goes neither to the meter, nor to the reserve, nor to the seeds of new meters,
nor to awards from the tray: ``long_run_house_edge`` of a PAR sheet.  A jackpot is on average

    (p * seed + meter rate + reserve rate - awards from the meter) / (p + s)

dollars, where p is the probability of the whole meter and s is the sum of the other percentages, each times its
probability: what comes in between two jackpots is what goes out.  It is exact for one wager after another, a meter that
never runs dry and a display without a limit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.pay_grid import GridLine, Integers, LineKey, PayContributions, PayGrid
from pitboss.contract import MeterPresets, PayTable
from pitboss.core.errors import TuningError
from pitboss.pay_limits import change_pays

METER_KIND = "meter"
SEED, METER_RATE, RESERVE_RATE = (METER_KIND, "seed"), (METER_KIND, "meter"), (METER_KIND, "reserve")
METER_KEYS = (SEED, METER_RATE, RESERVE_RATE)
"""What a meter is set to: its seed in dollars, the parts of a wager for meter and reserve in per cent."""

METER_TITLES = {"seed": "Seed of the meter, $", "meter": "To the meter, %", "reserve": "To the reserve, %"}
"""The names of these settings for people, with their units."""

_ROUND_DIGITS = ("1", "1.5", "2", "2.5", "3", "4", "5", "6", "7.5", "8")
METER_LADDERS: Mapping[LineKey, tuple[Fraction, ...]] = {
    SEED: tuple(Fraction(digits) * 10**power for power in range(2, 6) for digits in _ROUND_DIGITS),
    METER_RATE: tuple(Fraction(half, 2) for half in range(101)),
    RESERVE_RATE: tuple(Fraction(half, 2) for half in range(21)),
}

_CENTS, _PERCENT, _BPS = 100, 100, 10_000


@dataclass(frozen=True)
class MeterGrid(PayGrid):
    """The grid of a progressive: nets are those of the long run.

    ``jackpots`` has what each entry of each line adds to ``jackpot``, the average jackpot times ``jackpot_unit``.
    """

    jackpot: int = 0
    jackpots: tuple[Integers, ...] = ()
    jackpot_unit: Fraction = Fraction(1)

    @cached_property
    def present(self) -> tuple[int, int, int]:
        """The sums of the present table, the nets those of the long run."""
        edge = self.sheet.extras["long_run_house_edge"]
        hits = sum(line.deals for line in self.sheet.lines if line.net > 0)
        return int(-_as_fraction(edge) * self.sheet.deals * self.scale), 0, hits

    def price(self, changes: Mapping[int, Fraction]) -> ParSheet:
        """Return the sheet with other settings and awards, its meter at the seed."""
        changed = {self.lines[place].key: value for place, value in changes.items()}
        return price_meter(self.sheet, change_meter(self.sheet.tables_by_kind, changed))


def get_settings(presets: MeterPresets | None) -> dict[LineKey, Fraction]:
    """Return what a meter is set to, in dollars and per cent; nothing without one.

    >>> sorted(get_settings(MeterPresets(1_000_000, 1400, 200, "")).values())
    [Fraction(2, 1), Fraction(14, 1), Fraction(10000, 1)]
    """
    if presets is None:
        return {}
    return {
        SEED: Fraction(presets.seed_cents, _CENTS),
        METER_RATE: Fraction(presets.meter_bps * _PERCENT, _BPS),
        RESERVE_RATE: Fraction(presets.reserve_bps * _PERCENT, _BPS),
    }


def change_meter(paytables: Mapping[str, PayTable], changes: Mapping[LineKey, Fraction]) -> dict[str, PayTable]:
    """Return pay tables with some pays and some settings of the meter changed."""
    changed = change_pays(paytables, {key: pay for key, pay in changes.items() if key not in METER_KEYS})
    for kind, table in changed.items():
        if table.progressive:
            settings = get_settings(table.progressive) | {key: changes[key] for key in METER_KEYS if key in changes}
            presets = replace(
                table.progressive,
                seed_cents=int(settings[SEED] * _CENTS),
                meter_bps=int(settings[METER_RATE] * _BPS / _PERCENT),
                reserve_bps=int(settings[RESERVE_RATE] * _BPS / _PERCENT),
            )
            changed[kind] = replace(table, progressive=presets)
    return changed


def price_meter(sheet: ParSheet, paytables: Mapping[str, PayTable]) -> ParSheet:
    """Return a progressive's sheet under other tables, its meter at their seed."""
    presets = next(table.progressive for table in paytables.values() if table.progressive)
    return reprice_sheet(sheet, paytables, meter_cents=presets.seed_cents)


def compute_average_jackpot(sheet: ParSheet) -> Fraction:
    """Compute the average award of the whole meter, in dollars."""
    whole, emptied = measure_awards(sheet)
    settings = get_settings(sheet.presets)
    income = whole * settings[SEED] + (settings[METER_RATE] + settings[RESERVE_RATE]) / _PERCENT
    return (income - get_paid_by_meter(sheet)) / emptied


def compute_wagers_between_jackpots(sheet: ParSheet) -> Fraction:
    """Compute how many wagers there are on average from one jackpot to the next."""
    return 1 / measure_awards(sheet)[0]


def verify_between(sheet: ParSheet, hours: FigureRange, wagers_per_hour: int) -> None:
    """Check the time between jackpots, which depends on the rules and the pace only.

    Raises:
        TuningError: it is not within the range, in hours.
    """
    between = compute_wagers_between_jackpots(sheet)
    if not hours.low <= between / wagers_per_hour <= hours.high:
        slowest, fastest = (between / max(each, Fraction(1, _BPS)) for each in (hours.high, hours.low))
        raise TuningError(
            f"jackpots come every {float(between / wagers_per_hour):,.1f} hours at {wagers_per_hour} wagers an hour, "
            f"whatever the pays: --between {float(hours.low):g}..{float(hours.high):g} needs from "
            f"{float(slowest):,.0f} to {float(fastest):,.0f} wagers an hour (--per-hour)",
            code="target-out-of-reach",
            target="between",
        )


def measure_awards(sheet: ParSheet) -> tuple[Fraction, Fraction]:
    """Return the probability of the whole meter, and the part that a wager wins."""
    whole = sum((line.probability for line in sheet.lines if line.meter_percent == _PERCENT), Fraction(0))
    return whole, sum((line.probability * line.meter_percent / _PERCENT for line in sheet.lines), Fraction(0))


def _pays_from_meter(sheet: ParSheet) -> bool:
    return sheet.options.get("fixed_awards_from") == "meter"


def get_paid_by_meter(sheet: ParSheet) -> Fraction:
    """Return the dollars that the meter pays in fixed awards for an average wager."""
    return _as_fraction(sheet.extras["fixed_return"]) if _pays_from_meter(sheet) else Fraction(0)


def _as_fraction(figure: object) -> Fraction:
    return figure if isinstance(figure, Fraction) else Fraction(0)


def extend_grid(grid: PayGrid, settings: list[GridLine]) -> MeterGrid:
    """Return the grid of fixed awards with lines for the settings of the meter.

    Its nets are those of the long run.
    """
    sheet = grid.sheet
    scale = lcm(grid.scale, _BPS * _PERCENT)
    unit, more = sheet.deals * scale, scale // grid.scale
    whole, emptied = measure_awards(sheet)
    from_meter = _pays_from_meter(sheet)
    columns, jackpots = list[PayContributions](), list[Integers]()
    for column in grid.columns:
        paid = [int(net) * more for net in column.nets]
        columns.append(
            _make_contributions([0] * len(paid) if from_meter else paid, [int(hits) for hits in column.hits])
        )
        jackpots.append(np.array([-net if from_meter else 0 for net in paid], object))
    for line in settings:
        dollars = whole if line.key == SEED else Fraction(1, _PERCENT)
        added = [int((value - line.present) * dollars * unit) for value in line.pays]
        columns.append(_make_contributions(added, [0] * len(added)))
        jackpots.append(np.array(added, object))
    return MeterGrid(
        sheet,
        (*grid.lines, *settings),
        scale,
        tuple(columns),
        {},
        grid.orders,
        jackpot=int(compute_average_jackpot(sheet) * emptied * unit),
        jackpots=tuple(jackpots),
        jackpot_unit=emptied * unit,
    )


def _make_contributions(nets: list[int], hits: list[int]) -> PayContributions:
    return PayContributions(np.array(nets, object), np.zeros(len(nets)), np.array(hits, object))
