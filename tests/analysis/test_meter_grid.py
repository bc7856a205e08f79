"""A progressive is tuned for the long run: its edge, its average jackpot, and the time between jackpots."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest

from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.meter_grid import (
    METER_RATE,
    RESERVE_RATE,
    SEED,
    MeterGrid,
    change_meter,
    compute_average_jackpot,
    extend_grid,
    get_settings,
    price_meter,
    verify_between,
)
from pitboss.analysis.par_sheet import ParSheet, build_par_sheet
from pitboss.analysis.pay_grid import GridLine, LineKey, build_grid
from pitboss.analysis.paytable_search import search_paytables
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.core.errors import TuningError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from refusals import refusal

DEALS = (188, 1656, 14664, 165984, 205792, 361620, 19608616)
FULL_HOUSE: LineKey = ("progressive", "full-house")
VALUES: Mapping[LineKey, tuple[int, ...]] = {
    FULL_HOUSE: (20, 25, 30),
    SEED: (5_000, 10_000, 20_000),
    METER_RATE: (10, 14, 60, 80),
    RESERVE_RATE: (0, 2, 5),
}


def make_sheet(fixed_awards_from: str = "tray", deals: tuple[int, ...] = DEALS) -> ParSheet:
    game = load_game("six-card")
    (wager,) = (wager for wager in game.wagers if wager.id == "progressive")
    options = resolve_options(game, {"fixed_awards_from": fixed_awards_from})
    return build_par_sheet(game, wager, select_paytables(game), options, deals)


def make_grid(sheet: ParSheet) -> MeterGrid:
    (table,) = sheet.paytables
    assert table.progressive
    present = get_settings(table.progressive) | {FULL_HOUSE: table.lines["full-house"].amount}
    lines = [
        GridLine(
            key, present[key], tuple(map(Fraction, sorted({*values} - {int(present[key])}))), is_pay=key == FULL_HOUSE
        )
        for key, values in VALUES.items()
    ]
    return extend_grid(build_grid(sheet, lines[:1], any_order=True), lines[1:])


@pytest.mark.parametrize("fixed_awards_from", ["tray", "meter"])
@pytest.mark.parametrize("jackpot", [None, FigureRange(Fraction(12_000), Fraction(20_000))])
def test_a_search_finds_every_setting(fixed_awards_from: str, jackpot: FigureRange | None) -> None:
    sheet = make_sheet(fixed_awards_from)
    edge = FigureRange(Fraction(8, 100), Fraction(20, 100))
    expected = set()
    for values in product(*VALUES.values()):
        changes = dict(zip(VALUES, map(Fraction, values), strict=True))
        priced = price_meter(sheet, change_meter(sheet.tables_by_kind, changes))
        average = compute_average_jackpot(priced)
        figure = priced.extras["long_run_house_edge"]
        assert isinstance(figure, Fraction)
        is_average = jackpot is None or jackpot.low <= average <= jackpot.high
        if not priced.extras.get("runs_dry") and edge.low <= figure <= edge.high and is_average:
            expected.add(tuple(changes.items()))
    grid = make_grid(sheet)
    result = search_paytables(grid, TuningTargets(edge, jackpot=jackpot), 4, 10_000, ignore_progress)
    present = {line.key: line.present for line in grid.lines}
    found = {
        tuple((present | {grid.lines[place].key: value for place, value in each.changes}).items())
        for each in result.best
    }
    assert expected
    assert found == expected
    assert sum(result.found) == len(expected)


@pytest.mark.parametrize("deals", [(1, 0, 5, 5, 5, 5, 100), (2, 7, 5, 5, 5, 5, 100), (1, 9, 5, 5, 5, 5, 2000)])
def test_the_average_jackpot_is_that_of_a_meter_followed_wager_by_wager(deals: tuple[int, ...]) -> None:
    """Between jackpots the meter gets its part of each dollar, and loses 10 % at each straight flush."""
    sheet = make_sheet(deals=deals)
    jackpot, straight_flush = deals[0] / sum(deals), deals[1] / sum(deals)
    meter = 10_000 + 0.02 / jackpot  # the seed, and the reserve that an average jackpot releases
    average, still = 0.0, 1.0
    while still > 1e-13:
        meter += 0.14
        average += still * jackpot * meter
        still *= 1 - jackpot
        meter *= 1 - 0.1 * straight_flush / (1 - jackpot)
    assert float(compute_average_jackpot(sheet)) == pytest.approx(average, rel=1e-9)


def test_the_time_between_jackpots_is_refused_with_the_pace_that_it_needs() -> None:
    verify_between(make_sheet(), FigureRange(Fraction(400), Fraction(500)), 240)
    wanted = FigureRange(Fraction(100), Fraction(200))
    with pytest.raises(TuningError, match="from 541 to 1,083 wagers", check=refusal("target-out-of-reach")):
        verify_between(make_sheet(), wanted, 240)
