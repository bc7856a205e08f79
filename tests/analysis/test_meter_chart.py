"""The growth of a meter is that of the meter's own arithmetic, over everything that may happen."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.meter_chart import compute_mean_meter, compute_meter_chart, list_metered_wagers
from pitboss.analysis.meter_grid import compute_average_jackpot
from pitboss.analysis.par_sheet import ParSheet
from pitboss.core.errors import WagerError
from pitboss.games import load_games
from pitboss.meter import UNITS_PER_CENT, Meter, add_contribution, compute_round_awards
from pitboss.options import get_meter_settings
from refusals import refusal
from reports.conftest import made

WAGERS = 3


@pytest.fixture(scope="module")
def progressive() -> ParSheet:
    """The progressive's sheet, its meter at the seed, from known counts."""
    return next(sheet for sheet in made("six-card").sheets if sheet.wager.id == "progressive")


def make_frequent(sheet: ParSheet) -> ParSheet:
    """Return the sheet with awards as frequent as losses, so that few wagers see all of them."""
    share = Fraction(1, len(sheet.lines))
    return replace(sheet, lines=tuple(replace(line, deals=1, probability=share) for line in sheet.lines))


@pytest.mark.parametrize("source", ["tray", "meter"])
def test_the_mean_is_that_of_every_sequence_of_awards(progressive: ParSheet, source: str) -> None:
    options = {**progressive.options, "fixed_awards_from": source}
    sheet = make_frequent(replace(reprice_sheet(progressive, progressive.tables_by_kind), options=options))
    presets = sheet.paytables[0].progressive
    assert presets is not None
    fixed = sum((line.net + 1 for line in sheet.lines if not line.meter_percent), Fraction(0)) / len(sheet.lines)
    sheet = replace(sheet, extras={**sheet.extras, "fixed_return": fixed})
    terms = get_meter_settings(options, presets.seed_cents)
    total = 0
    for awards in product(sheet.lines, repeat=WAGERS):
        meter = Meter(presets.seed_cents * UNITS_PER_CENT, 0)
        for line in awards:
            meter = add_contribution(meter, 100, presets.meter_bps, presets.reserve_bps)
            cents = 0 if line.meter_percent else int(100 * (line.net + 1))
            meter, _ = compute_round_awards(meter, (line.meter_percent,), (cents,), terms)
        total += meter.units
    mean = total / len(sheet.lines) ** WAGERS / UNITS_PER_CENT / 100
    assert compute_mean_meter(sheet, WAGERS) == pytest.approx(mean, abs=0.02)  # awards are rounded down to a cent


def test_the_mean_comes_to_the_average_jackpot(progressive: ParSheet) -> None:
    """A jackpot is won after its own wager was added."""
    assert compute_mean_meter(progressive, 10**8) + 0.14 == pytest.approx(float(compute_average_jackpot(progressive)))


def test_a_chart_begins_at_the_seed_and_says_how_likely_it_is(progressive: ParSheet) -> None:
    data = compute_meter_chart(progressive, 1_000)
    assert data.rows[0] == (0, 10_000.0, 10_000.0, 1.0)
    royal = next(line.probability for line in progressive.lines if line.meter_percent == 100)
    last = data.list_records()[-1]
    assert (last["wagers"], last["if_nothing_is_won"]) == (1_000, 10_140.0)
    assert last["no_jackpot_yet"] == pytest.approx(float((1 - royal) ** 1_000), rel=1e-12)
    assert data.labels["wagers_between_jackpots"] == float(1 / royal)
    assert compute_meter_chart(progressive).rows[-1][0] == 4 * -(-1 // royal)


def test_only_a_progressive_has_a_meter() -> None:
    assert [(game.id, wager.id) for game in load_games().values() for wager in list_metered_wagers(game)] == [
        ("six-card", "progressive")
    ]
    (other,) = (sheet for sheet in made("six-card").sheets if sheet.wager.id == "aces-up")
    with pytest.raises(WagerError, check=refusal("no-meter", bet="aces-up")):
        compute_meter_chart(other)
