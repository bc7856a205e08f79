"""The data of the chart of a meter's growth, from the exact counts of its awards.

One wager after another adds its shares to meter m and reserve r.  With probability p the whole meter is won: it begins
again from the seed and the reserve.  Otherwise a share of it is won, on average s - p of each wager, with s the sum of
all percentages times their probabilities.  So the expected values follow a linear law, and are exact:

    m' = (m + meter rate) (1 - s) + p (seed + r + reserve rate) - fixed awards from the meter
    r' = (r + reserve rate) (1 - p)

It is that of ``meter.py`` without its rounding to cents, for a meter that never runs dry and a display without a limit.
"""

from fractions import Fraction
from math import ceil

import numpy as np

from pitboss.analysis.bet_charts import name_bet
from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.meter_grid import (
    METER_RATE,
    RESERVE_RATE,
    SEED,
    compute_average_jackpot,
    get_paid_by_meter,
    get_settings,
    measure_awards,
)
from pitboss.analysis.par_sheet import ParSheet
from pitboss.contract import Game, Wager
from pitboss.core.errors import WagerError
from pitboss.paytables import load_builtin_paytables

METER = "meter"

MOST_WAGERS = 1_000_000_000

METER_COLUMNS = ("wagers", "if_nothing_is_won", "mean", "no_jackpot_yet")

_POINTS, _SPAN, _PERCENT = 20, 4, 100


def list_metered_wagers(game: Game) -> list[Wager]:
    """Return the wagers of a game that have a progressive's table."""
    kinds = {table.kind for table in load_builtin_paytables(game) if table.progressive}
    return [wager for wager in game.wagers if kinds.intersection(wager.paytable_kinds)]


def make_no_meter_error(game: Game, wager: Wager) -> WagerError:
    """Make the error for a bet without a meter that can be won."""
    known = ", ".join(each.id for each in list_metered_wagers(game))
    fault = f"{wager.id} has no meter that can be won: bets with a meter: {known}" if known else None
    return WagerError(fault or f"no bet of {game.name} has a meter", code="no-meter", bet=wager.id)


def compute_meter_chart(sheet: ParSheet, most_wagers: int = 0) -> ChartData:
    """Compute how a meter grows from its seed, in dollars, over a number of wagers.

    By default they are four times the average between two jackpots.  ``if_nothing_is_won`` is the meter if it pays
    nothing, ``mean`` its expected value, ``no_jackpot_yet`` the probability that the whole meter has not been won.

    Raises:
        WagerError: the bet has no meter, or its whole meter cannot be won.
    """
    whole = measure_awards(sheet)[0] if sheet.presets else Fraction(0)
    if not whole:
        raise make_no_meter_error(sheet.game, sheet.wager)
    settings = get_settings(sheet.presets)
    seed, rate = settings[SEED], settings[METER_RATE] / _PERCENT
    most = most_wagers or _SPAN * ceil(1 / whole)
    counts = sorted({most * step // _POINTS for step in range(_POINTS + 1)})
    rows = tuple(
        (count, float(seed + rate * count), compute_mean_meter(sheet, count), float(1 - whole) ** count)
        for count in counts
    )
    break_even = sheet.extras.get("break_even_meter")
    return ChartData(
        METER,
        sheet.game.id,
        f"{name_bet(sheet)}: how the meter grows",
        "From the seed, by dollars wagered: the meter if nothing is won, its average over all that may happen, and "
        "how likely it is that the whole meter has not been won yet.",
        METER_COLUMNS,
        rows,
        {
            "bet": sheet.wager.id,
            "seed": float(seed),
            "average_jackpot": float(compute_average_jackpot(sheet)),
            "break_even": float(break_even) if isinstance(break_even, Fraction) else None,
            "wagers_between_jackpots": float(1 / whole),
        },
    )


def compute_mean_meter(sheet: ParSheet, wagers: int) -> float:
    """Compute the expected meter in dollars after a number of wagers, from its seed.

    It is the power of the linear law above, as a matrix over (meter, reserve, 1).
    """
    settings, (whole, won) = get_settings(sheet.presets), measure_awards(sheet)
    seed, rate, reserve = settings[SEED], settings[METER_RATE] / _PERCENT, settings[RESERVE_RATE] / _PERCENT
    added = rate * (1 - won) + whole * (seed + reserve) - get_paid_by_meter(sheet)
    law = np.array([[1 - won, whole, added], [0, 1 - whole, reserve * (1 - whole)], [0, 0, 1]], dtype=float)
    return float((np.linalg.matrix_power(law, wagers) @ np.array([float(seed), 0.0, 1.0]))[0])
