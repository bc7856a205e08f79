"""What a round can cost is never less than what a round costs, and a limit saves what it saves."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from cli.conftest import KNOWN, SOLVED
from pitboss.analysis.par_sheet import ParSheet, build_par_sheet
from pitboss.analysis.round_exposure import (
    LARGE_PRIZE_CENTS,
    RARE_AWARD,
    find_second_prize,
    list_aggregate_limits,
    list_awards,
    measure_exposures,
)
from pitboss.contract import StakeLimits
from pitboss.games import load_game
from pitboss.meter import UNITS_PER_CENT
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.table.round import RoundClosed
from pitboss.table.round.history import read_history, replay_history
from pitboss.table.round.wagers import compute_limits


def make_sheet(name: str, bet: str, *tables: str) -> ParSheet:
    """Return the sheet of a bet of which the counts are known."""
    game = load_game(name)
    wager = next(each for each in (*game.wagers, *game.main_parts) if each.id == bet)
    counts = [int(word) for word in KNOWN[name, bet].split()]
    return build_par_sheet(game, wager, select_paytables(game, tables), resolve_options(game, {}), counts)


@pytest.mark.parametrize("bet", ["aces-up", "bad-beat", "progressive"])
def test_each_line_is_an_award_with_its_deals(bet: str) -> None:
    sheet = make_sheet("six-card", bet)
    awards = list_awards([sheet])
    assert {award.line: award.deals for award in awards} == {
        line.outcome.name: line.deals for line in sheet.lines if line.outcome.name != "lose"
    }
    assert [award.line for award in awards if award.is_rare] == []


def test_an_award_rarer_than_one_in_a_hundred_million_is_flagged() -> None:
    sheet = make_sheet("six-card", "bad-beat")
    first = replace(sheet.lines[0], deals=0)
    never = replace(sheet, lines=(first, *sheet.lines[1:]))
    just = sheet.deals * RARE_AWARD
    rare = replace(sheet, lines=(replace(first, deals=int(just) - 1), *sheet.lines[1:]))
    assert not next(iter(list_awards([never]))).is_rare  # it cannot be won at all
    assert next(iter(list_awards([rare]))).is_rare


def test_a_pay_of_the_sheets_own_stake_is_an_award() -> None:
    (wager,) = (each for each in list_awards([make_sheet("six-card", "progressive")]) if each.line == "straight")
    assert wager.probability == Fraction(361620, 20358520)


def test_all_seats_at_the_maximum_win_their_greatest_nets() -> None:
    game = load_game("six-card")
    sheets = [make_sheet("six-card", bet) for bet in ("aces-up", "progressive")]
    aces_up, progressive = measure_exposures(sheets, compute_limits(game), resolve_options(game, {}), 3)
    assert (aces_up.stake_cents, aces_up.wagers, aces_up.total_cents) == (40_000, 3, Fraction(3 * 500 * 40_000))
    assert not aces_up.is_exact
    (alone,) = measure_exposures(sheets[:1], compute_limits(game), resolve_options(game, {}), 1)
    assert alone.is_exact
    seed = 10_000_00
    assert progressive.envy_cents == 3 * 2 * 100_00  # each royal flush pays $100 to both others
    contributions = 3 * 100 * Fraction(16, 100)
    assert progressive.total_cents == 3 * (seed - 100 + contributions) + progressive.envy_cents
    assert not progressive.is_exact


@pytest.mark.parametrize(
    "path", sorted((load_game("six-card").folder / "rounds").glob("*.toml")), ids=lambda path: path.stem
)
def test_no_recorded_round_costs_more_than_the_most(path: Path) -> None:
    played = replay_history(read_history(path))
    game, meter = played.game, played.opening_meter
    assert meter is not None
    meter_cents = -(-meter.units // UNITS_PER_CENT) + -(-meter.reserve_units // UNITS_PER_CENT)
    sheets = [
        build_par_sheet(
            game,
            wager,
            played.paytables,
            played.options,
            SOLVED[game.id].counts if wager is game.main else [int(word) for word in KNOWN[game.id, wager.id].split()],
            meter_cents if wager.id == "progressive" else None,
        )
        for wager in game.wagers
    ]
    limits = {
        wager.id: StakeLimits(1, max((stake.cents for stake in played.stakes if stake.bet == wager.id), default=1))
        for wager in game.wagers
    }
    exposures = measure_exposures(sheets, limits, played.options, played.seats)
    (closed,) = (event for event in played.events if isinstance(event, RoundClosed))
    assert sum(closed.nets_cents) <= sum(each.total_cents for each in exposures)


def test_a_stake_that_may_not_exceed_another_is_limited_by_it() -> None:
    game = load_game("shifting-wilds")
    limits = {**compute_limits(game), "main": StakeLimits(500, 10_000)}
    sheets = [make_sheet("shifting-wilds", "blackjack-bonus")]
    (free,) = measure_exposures(sheets, limits, resolve_options(game, {}), 1)
    assert free.stake_cents == 40_000
    bonus = next(wager for wager in game.wagers if wager.id == "regular-bonus")
    tied = replace(sheets[0], wager=replace(bonus, outcomes=sheets[0].wager.outcomes))
    (capped,) = measure_exposures([tied], limits, resolve_options(game, {}), 1)
    assert capped.stake_cents == 10_000


def test_the_least_limit_is_the_highest_wager_times_fifty() -> None:
    """The example of WAC 230-15-490: $300 at 5,000 to 1 allows no limit below $15,000."""
    game = load_game("six-card")
    limits = {**compute_limits(game), "bad-beat": StakeLimits(500, 30_000)}
    exposures = measure_exposures([make_sheet("six-card", "bad-beat")], limits, resolve_options(game, {}), 6)
    found = list_aggregate_limits(exposures, 20_000_00)
    assert [each.limit_cents for each in found] == [15_000_00, 20_000_00, 25_000_00, 50_000_00, 100_000_00]
    assert list_aggregate_limits(exposures, 100_00)[0].limit_cents == 15_000_00  # too low to be allowed


def test_bets_without_long_odds_and_progressives_have_no_limit() -> None:
    game = load_game("six-card")
    limits, options = compute_limits(game), resolve_options(game, {})
    assert list_aggregate_limits(measure_exposures([make_sheet("six-card", "progressive")], limits, options, 6)) == []
    wild = load_game("shifting-wilds")
    bonus = make_sheet("shifting-wilds", "blackjack-bonus")
    exposures = measure_exposures([bonus], compute_limits(wild), resolve_options(wild, {}), 6)
    assert max(line.net for line in bonus.lines) < 50
    assert list_aggregate_limits(exposures) == []


def test_what_a_limit_saves_is_between_its_bounds() -> None:
    """Of two seats whose cards are independent, and of two that always have the same hand."""
    game = load_game("six-card")
    sheet = make_sheet("six-card", "bad-beat")
    exposures = measure_exposures([sheet], compute_limits(game), resolve_options(game, {}), 2)
    prizes = [(max(line.net, Fraction(0)) * 40_000, line.probability) for line in sheet.lines]
    for each in list_aggregate_limits(exposures):
        independent = sum(
            (
                p * q * max(one + other - each.limit_cents, Fraction(0))
                for (one, p), (other, q) in product(prizes, repeat=2)
            ),
            Fraction(0),
        )
        alike = sum((p * max(2 * prize - each.limit_cents, Fraction(0)) for prize, p in prizes), Fraction(0))
        assert each.least_saved_cents < independent < each.most_saved_cents
        assert alike == each.most_saved_cents
        least, most = each.get_edge_changes()
        assert least == each.least_saved_cents / 80_000
        assert most == each.most_saved_cents / 80_000


def test_the_second_prize_is_of_another_line() -> None:
    game = load_game("six-card")
    sheets = [make_sheet("six-card", bet) for bet in ("aces-up", "progressive")]
    exposures = measure_exposures(sheets, compute_limits(game), resolve_options(game, {}), 6)
    assert find_second_prize(exposures) == 100 * 40_000  # royal 500 to 1, straight flush 100 to 1
    low = {**compute_limits(game), "aces-up": StakeLimits(500, 10_000)}
    exposures = measure_exposures(sheets, low, resolve_options(game, {}), 6)
    assert LARGE_PRIZE_CENTS > 100 * 10_000
    assert find_second_prize(exposures) is None
