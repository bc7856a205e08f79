"""A progressive over many rounds: against the plain arithmetic of its awards, its identities, the exact long run."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.game_terms import GameTerms as SheetTerms
from pitboss.core.errors import SessionError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.meter import (
    AWARD_SPLIT,
    FIXED_FROM_METER,
    UNITS_PER_CENT,
    Meter,
    MeterSettings,
    add_contribution,
    compute_displayed_cents,
    compute_round_awards,
)
from pitboss.options import get_meter_settings, resolve_options
from pitboss.paytables import select_paytables
from pitboss.simulate.meter_simulation import (
    BATCHES,
    WAGER_CENTS,
    MeterHistory,
    MeterTotal,
    ProgressiveSetup,
    build_progressive_setup,
    simulate_meter,
)
from refusals import refusal

pytestmark = pytest.mark.compiled

GAME = load_game("six-card")
WAGER = next(wager for wager in GAME.wagers if wager.id == "progressive")
TABLE = select_paytables(GAME)["progressive"]
OFTEN = ProgressiveSetup(
    (100, 10, 0, 0), (0, 0, 2_500, 0), (100, 10, 0, 0), 1_400, 300, MeterSettings(seed_cents=50_000)
)


def outcomes_often(seed: int, rounds: int, seats: int) -> np.ndarray:
    """Draw outcomes of which every other one is paid something."""
    return np.random.default_rng(seed).choice(4, (rounds, seats), p=[0.02, 0.08, 0.4, 0.5])


def plainly(run: ProgressiveSetup, played: Sequence[Sequence[int]]) -> tuple[dict[MeterTotal, int], Meter, list[int]]:
    """Carry a meter through rounds by ``compute_round_awards``, and count."""
    meter, tallies, displays = Meter(run.settings.seed_cents * UNITS_PER_CENT, 0), dict.fromkeys(MeterTotal, 0), []
    for outcomes in played:
        for _ in outcomes:
            before = meter
            meter = add_contribution(meter, WAGER_CENTS, run.meter_bps, run.reserve_bps)
            tallies[MeterTotal.METER_UNITS] += meter.units - before.units
            tallies[MeterTotal.RESERVE_UNITS] += meter.reserve_units - before.reserve_units
        displays.append(compute_displayed_cents(meter, run.settings.limit_cents))
        percents = [run.percents[outcome] for outcome in outcomes]
        meter, awards = compute_round_awards(
            meter, percents, [run.fixed_cents[outcome] for outcome in outcomes], run.settings
        )
        for percent, award in zip(percents, awards, strict=True):
            tallies[MeterTotal.METER_PAID] += award.meter_cents
            tallies[MeterTotal.TRAY_PAID] += award.tray_cents
            tallies[MeterTotal.SHORT] += award.short_cents
            tallies[MeterTotal.DRY] += award.short_cents > 0
            tallies[MeterTotal.SEEDED] += award.seed_cents
            tallies[MeterTotal.RELEASED_UNITS] += award.released_units
            if percent == 100:
                tallies[MeterTotal.JACKPOTS] += 1
                tallies[MeterTotal.JACKPOTS_PAID] += award.meter_cents
                tallies[MeterTotal.HIGHEST_JACKPOT] = max(tallies[MeterTotal.HIGHEST_JACKPOT], award.meter_cents)
        tallies[MeterTotal.ENVY] += sum(100 * run.envy[outcome] * (len(outcomes) - 1) for outcome in outcomes)
        tallies[MeterTotal.ROUNDS] += 1
        tallies[MeterTotal.WAGERS] += WAGER_CENTS * len(outcomes)
    tallies[MeterTotal.DISPLAYED], tallies[MeterTotal.HIGHEST] = sum(displays), max(displays)
    return tallies, meter, displays


@pytest.mark.parametrize("seats", [1, 2, 6])
@pytest.mark.parametrize(
    "settings",
    [
        OFTEN.settings,
        OFTEN.settings._replace(award_order=AWARD_SPLIT),
        OFTEN.settings._replace(fixed_awards_from=FIXED_FROM_METER),
        MeterSettings(
            seed_cents=0,
            limit_cents=40_000,
            award_order=AWARD_SPLIT,
            award_rounding=1,
            fixed_awards_from=FIXED_FROM_METER,
        ),
    ],
)
def test_it_is_the_arithmetic_of_the_table_round_by_round(settings: MeterSettings, seats: int) -> None:
    run = ProgressiveSetup(OFTEN.percents, OFTEN.fixed_cents, OFTEN.envy, 1_400, 300, settings)
    played = outcomes_often(seats, 500, seats)
    tallies, left, displays = plainly(run, played.tolist())
    found = simulate_meter(run, seats, 500, [played[:123], played[123:130], played[130:]])
    assert {tally: found.get_total(tally) for tally in MeterTotal} == tallies
    assert found.closing_meter == left
    bins = np.bincount(np.array(displays) // found.bin_cents, minlength=len(found.display_histogram))
    assert found.display_histogram.tolist() == bins.tolist()
    assert found.tallies[:, MeterTotal.ROUNDS].sum() == 500
    assert found.tallies[:, MeterTotal.ROUNDS].min() >= 500 // BATCHES


def balanced(found: MeterHistory) -> bool:
    """Tell whether meter and reserve are what came in less what went out (DESIGN.md, "Money and the record")."""
    units = (
        found.opening_meter.units + found.get_total(MeterTotal.METER_UNITS) + found.get_total(MeterTotal.RELEASED_UNITS)
    )
    units += (found.get_total(MeterTotal.SEEDED) - found.get_total(MeterTotal.METER_PAID)) * UNITS_PER_CENT
    reserve = found.get_total(MeterTotal.RESERVE_UNITS) - found.get_total(MeterTotal.RELEASED_UNITS)
    return found.closing_meter == (units, reserve)


def test_bins_are_joined_when_the_display_outgrows_them_and_nothing_is_lost() -> None:
    run = OFTEN.with_rates(meter_bps=9_000, reserve_bps=1_000)
    none_hit = np.full((40_000, 6), 3)
    found = simulate_meter(run, 6, 40_000, [none_hit])
    assert found.bin_cents > 100
    assert found.display_histogram.sum() == 40_000
    assert balanced(found)
    assert (
        found.display_percentile_cents(100) >= found.get_total(MeterTotal.HIGHEST) > found.display_percentile_cents(99)
    )


@pytest.mark.parametrize("from_meter", ["tray", "meter"])
def test_it_holds_what_the_exact_long_run_says(from_meter: str) -> None:
    options = resolve_options(GAME, {"fixed_awards_from": from_meter})
    chosen = select_paytables(GAME)
    sheet = compute_par_sheet(GAME, WAGER, SheetTerms(chosen, options, {}), ignore_progress, None)
    terms = get_meter_settings(options, 1_000_000)
    run = build_progressive_setup(WAGER, TABLE, terms).with_rates(meter_bps=6_000 if from_meter == "meter" else None)
    chances = np.array([float(line.probability) for line in sheet.lines])
    draws = np.random.default_rng(5)
    rounds = 2_000_000
    blocks = (draws.choice(len(chances), (rounds // 10, 1), p=chances) for _ in range(10))
    found = simulate_meter(run, 1, rounds, blocks)
    assert balanced(found)
    exact = 1 - Fraction(run.meter_bps + run.reserve_bps, 10_000)
    exact -= Fraction(run.settings.seed_cents, 100) * sheet.lines[0].probability
    if from_meter == "meter":
        exact -= Fraction(found.get_total(MeterTotal.SHORT), found.get_total(MeterTotal.WAGERS))
    else:
        exact -= sum(line.probability * (line.net + 1) for line in sheet.lines if line.meter_percent == 0)
        assert exact == sheet.extras["long_run_house_edge"]
    assert abs(float(found.hold - exact)) < 4 * found.standard_error


def test_what_cannot_be_carried_on_is_refused() -> None:
    with pytest.raises(SessionError, check=refusal("rates-too-high")):
        OFTEN.with_rates(meter_bps=7_000, reserve_bps=4_000)
    with pytest.raises(SessionError, check=refusal("negative-seed")):
        OFTEN.with_rates(seed_cents=-1)
    with pytest.raises(SessionError, check=refusal("too-few-rounds", rounds=31, batches=32)):
        simulate_meter(OFTEN, 1, BATCHES - 1, [])
    with pytest.raises(SessionError, check=refusal("no-meter", paytable="SCP-01")):
        build_progressive_setup(GAME.wagers[1], select_paytables(GAME)["aces-up"], MeterSettings(0))
