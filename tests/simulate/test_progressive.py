"""A progressive over many rounds: against the plain arithmetic of its awards, its identities, the exact long run."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from pitboss.analysis.sheets import Terms as SheetTerms
from pitboss.analysis.sheets import sheet_of
from pitboss.core.errors import SessionError
from pitboss.core.progress import ignore_progress
from pitboss.games import game_named
from pitboss.meter import (
    AWARD_SPLIT,
    FIXED_FROM_METER,
    UNITS_PER_CENT,
    Meter,
    MeterTerms,
    add_contribution,
    compute_displayed_cents,
    compute_round_awards,
)
from pitboss.options import get_meter_terms, resolve_options
from pitboss.paytables import select_paytables
from pitboss.simulate.progressive import BATCHES, WAGER_CENTS, LongRun, Progressive, Tally, long_run, progressive_of

pytestmark = pytest.mark.compiled

GAME = game_named("six-card")
WAGER = next(wager for wager in GAME.wagers if wager.id == "progressive")
TABLE = select_paytables(GAME)["progressive"]
OFTEN = Progressive((100, 10, 0, 0), (0, 0, 2_500, 0), (100, 10, 0, 0), 1_400, 300, MeterTerms(seed_cents=50_000))


def outcomes_often(seed: int, rounds: int, seats: int) -> np.ndarray:
    """Draw outcomes of which every other one is paid something."""
    return np.random.default_rng(seed).choice(4, (rounds, seats), p=[0.02, 0.08, 0.4, 0.5])


def plainly(run: Progressive, played: Sequence[Sequence[int]]) -> tuple[dict[Tally, int], Meter, list[int]]:
    """Carry a meter through rounds by ``compute_round_awards``, and count."""
    meter, tallies, displays = Meter(run.terms.seed_cents * UNITS_PER_CENT, 0), dict.fromkeys(Tally, 0), []
    for outcomes in played:
        for _ in outcomes:
            before = meter
            meter = add_contribution(meter, WAGER_CENTS, run.meter_bps, run.reserve_bps)
            tallies[Tally.METER_UNITS] += meter.units - before.units
            tallies[Tally.RESERVE_UNITS] += meter.reserve_units - before.reserve_units
        displays.append(compute_displayed_cents(meter, run.terms.limit_cents))
        percents = [run.percents[outcome] for outcome in outcomes]
        meter, awards = compute_round_awards(
            meter, percents, [run.fixed_cents[outcome] for outcome in outcomes], run.terms
        )
        for percent, award in zip(percents, awards, strict=True):
            tallies[Tally.METER_PAID] += award.meter_cents
            tallies[Tally.TRAY_PAID] += award.tray_cents
            tallies[Tally.SHORT] += award.short_cents
            tallies[Tally.DRY] += award.short_cents > 0
            tallies[Tally.SEEDED] += award.seed_cents
            tallies[Tally.RELEASED_UNITS] += award.released_units
            if percent == 100:
                tallies[Tally.JACKPOTS] += 1
                tallies[Tally.JACKPOTS_PAID] += award.meter_cents
                tallies[Tally.HIGHEST_JACKPOT] = max(tallies[Tally.HIGHEST_JACKPOT], award.meter_cents)
        tallies[Tally.ENVY] += sum(100 * run.envy[outcome] * (len(outcomes) - 1) for outcome in outcomes)
        tallies[Tally.ROUNDS] += 1
        tallies[Tally.WAGERS] += WAGER_CENTS * len(outcomes)
    tallies[Tally.DISPLAYED], tallies[Tally.HIGHEST] = sum(displays), max(displays)
    return tallies, meter, displays


@pytest.mark.parametrize("seats", [1, 2, 6])
@pytest.mark.parametrize(
    "terms",
    [
        OFTEN.terms,
        OFTEN.terms._replace(award_order=AWARD_SPLIT),
        OFTEN.terms._replace(fixed_awards_from=FIXED_FROM_METER),
        MeterTerms(
            seed_cents=0,
            limit_cents=40_000,
            award_order=AWARD_SPLIT,
            award_rounding=1,
            fixed_awards_from=FIXED_FROM_METER,
        ),
    ],
)
def test_it_is_the_arithmetic_of_the_table_round_by_round(terms: MeterTerms, seats: int) -> None:
    run = Progressive(OFTEN.percents, OFTEN.fixed_cents, OFTEN.envy, 1_400, 300, terms)
    played = outcomes_often(seats, 500, seats)
    tallies, left, displays = plainly(run, played.tolist())
    found = long_run(run, seats, 500, [played[:123], played[123:130], played[130:]])
    assert {tally: found.total(tally) for tally in Tally} == tallies
    assert found.left == left
    bins = np.bincount(np.array(displays) // found.bin_cents, minlength=len(found.stood))
    assert found.stood.tolist() == bins.tolist()
    assert found.tallies[:, Tally.ROUNDS].sum() == 500
    assert found.tallies[:, Tally.ROUNDS].min() >= 500 // BATCHES


def balanced(found: LongRun) -> bool:
    """Tell whether meter and reserve are what came in less what went out (DESIGN.md, "Money and the record")."""
    units = found.opened.units + found.total(Tally.METER_UNITS) + found.total(Tally.RELEASED_UNITS)
    units += (found.total(Tally.SEEDED) - found.total(Tally.METER_PAID)) * UNITS_PER_CENT
    reserve = found.total(Tally.RESERVE_UNITS) - found.total(Tally.RELEASED_UNITS)
    return found.left == (units, reserve)


def test_bins_are_joined_when_the_display_outgrows_them_and_nothing_is_lost() -> None:
    run = OFTEN.with_rates(meter_bps=9_000, reserve_bps=1_000)
    none_hit = np.full((40_000, 6), 3)
    found = long_run(run, 6, 40_000, [none_hit])
    assert found.bin_cents > 100
    assert found.stood.sum() == 40_000
    assert balanced(found)
    assert found.display_percentile_cents(100) >= found.total(Tally.HIGHEST) > found.display_percentile_cents(99)


@pytest.mark.parametrize("from_meter", ["tray", "meter"])
def test_it_holds_what_the_exact_long_run_says(from_meter: str) -> None:
    options = resolve_options(GAME, {"fixed_awards_from": from_meter})
    chosen = select_paytables(GAME)
    sheet = sheet_of(GAME, WAGER, SheetTerms(chosen, options, {}), ignore_progress, None)
    terms = get_meter_terms(options, 1_000_000)
    run = progressive_of(WAGER, TABLE, terms).with_rates(meter_bps=6_000 if from_meter == "meter" else None)
    chances = np.array([float(line.probability) for line in sheet.lines])
    draws = np.random.default_rng(5)
    rounds = 2_000_000
    blocks = (draws.choice(len(chances), (rounds // 10, 1), p=chances) for _ in range(10))
    found = long_run(run, 1, rounds, blocks)
    assert balanced(found)
    exact = 1 - Fraction(run.meter_bps + run.reserve_bps, 10_000)
    exact -= Fraction(run.terms.seed_cents, 100) * sheet.lines[0].probability
    if from_meter == "meter":
        exact -= Fraction(found.total(Tally.SHORT), found.total(Tally.WAGERS))
    else:
        exact -= sum(line.probability * (line.net + 1) for line in sheet.lines if line.meter_percent == 0)
        assert exact == sheet.extras["long_run_house_edge"]
    assert abs(float(found.hold - exact)) < 4 * found.standard_error


def test_what_cannot_be_carried_on_is_refused() -> None:
    with pytest.raises(SessionError, match=r"70% to the meter and 40% to the reserve are no shares"):
        OFTEN.with_rates(meter_bps=7_000, reserve_bps=4_000)
    with pytest.raises(SessionError, match="less than nothing"):
        OFTEN.with_rates(seed_cents=-1)
    with pytest.raises(SessionError, match="31 rounds are too few"):
        long_run(OFTEN, 1, BATCHES - 1, [])
    with pytest.raises(SessionError, match="SCP-01 has no meter"):
        progressive_of(GAME.wagers[1], select_paytables(GAME)["aces-up"], MeterTerms(0))
