"""A player's result beside the exact expectation and its band, against sums by other ways."""

from fractions import Fraction
from itertools import accumulate

import pytest

from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.game_terms import GameTerms, find_bet
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.player_account import (
    MOST_POINTS,
    BankrollRound,
    PlayedBet,
    judge_bet,
    make_bankroll_chart,
    sum_account,
)
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.chart_drawings import draw_chart
from pitboss.reports.chart_style import to_svg


def played(game: str, bet: str, wagers: int, net_cents: int, stake_cents: int = 500) -> PlayedBet:
    """Return wagers on a bet under the rule sheet's pays."""
    found = load_game(game)
    terms = GameTerms(select_paytables(found), resolve_options(found, {}))
    return PlayedBet(found, bet, terms, stake_cents, wagers, wagers * stake_cents, net_cents)


def sheet_of(bet: PlayedBet) -> ParSheet:
    """Return the exact sheet of a bet."""
    return compute_par_sheet(bet.game, find_bet(bet.game, bet.bet), bet.terms, ignore_progress)


def test_the_band_is_that_of_the_exact_distribution_of_the_sum() -> None:
    """The Joker bet of Wild 52 has few nets, so the distribution of the sum is convolved here in whole numbers."""
    bet = played("wild-52", "joker", 40, -3_000)
    nets = sheet_of(bet).deals_by_net
    sums = {Fraction(0): 1}
    for _ in range(bet.wagers):
        after: dict[Fraction, int] = {}
        for total, count in sums.items():
            for net, deals in nets.items():
                after[total + net] = after.get(total + net, 0) + count * deals
        sums = after
    ways = sum(sums.values())
    limits = list[Fraction]()
    for tail in (Fraction(25, 1000), Fraction(975, 1000)):
        below = accumulate(sums[net] for net in sorted(sums))
        limits.append(next(net for net, least in zip(sorted(sums), below, strict=True) if least >= tail * ways))
    judged = judge_bet(bet, sheet_of)
    assert judged.band_cents == tuple(float(500 * limit) for limit in limits)
    mean = sum((net * each for net, each in sums.items()), Fraction(0)) / ways
    assert judged.expected_cents == 500 * mean
    assert not judged.is_outside


def test_a_result_beyond_the_band_is_outside() -> None:
    least = judge_bet(played("six-card", "aces-up", 100, 0), sheet_of).band_cents
    assert least
    for net, is_outside in ((least[0] - 500, True), (least[0], False), (least[1], False), (least[1] + 500, True)):
        assert judge_bet(played("six-card", "aces-up", 100, int(net)), sheet_of).is_outside == is_outside


@pytest.mark.more
def test_what_is_not_known_says_why_and_is_in_no_sum() -> None:
    known = judge_bet(played("six-card", "main", 10, -1_500), sheet_of)
    meter = judge_bet(played("six-card", "progressive", 10, -1_000, 100), sheet_of)
    shared = judge_bet(played("six-card", "bad-beat", 10, -5_000)._replace(shares_rounds=True), sheet_of)
    assert (meter.expected_cents, meter.band_cents) == (None, None)
    assert "meter" in meter.reason
    assert shared.expected_cents is not None
    assert shared.band_cents is None
    assert "one deck" in shared.reason
    sums = sum_account([known, meter, shared])
    assert sums["net_cents"] == -6_500
    assert known.expected_cents is not None
    assert sums["expected_cents"] == pytest.approx(float(known.expected_cents + shared.expected_cents))
    assert meter.as_json()["expected_cents_exact"] is None


def test_the_curve_ends_at_the_sums_and_keeps_few_points() -> None:
    bets = played("six-card", "main", 1_000, 0), played("six-card", "progressive", 1, -100, 100)
    judged = [judge_bet(each, sheet_of) for each in bets]
    rounds = [BankrollRound(500 if number % 3 else -700, (0,)) for number in range(999)]
    rounds.append(BankrollRound(-600, (0, 1)))
    chart = make_bankroll_chart(rounds, judged)
    assert len(chart.rows) == MOST_POINTS
    assert chart.rows[0][:2] == (1, -700)
    number, net, expected = chart.rows[-1]
    assert (number, net) == (1_000, sum(each.net_cents for each in rounds))
    assert judged[0].expected_cents is not None
    assert expected == pytest.approx(float(judged[0].expected_cents))
    assert "Bets without an expectation" in chart.about
    svg = to_svg(draw_chart(chart), "bankroll", chart.title, chart.about)
    assert "style=" not in svg
    assert make_bankroll_chart(rounds[:1], judged[:1]).rows[0][:2] == (1, -700)


def test_the_curve_says_its_lowest_its_highest_and_its_last_point() -> None:
    bet = judge_bet(played("six-card", "main", 4, 0), sheet_of)
    nets = (500, -1_250, 2_000, -300)
    chart = make_bankroll_chart([BankrollRound(net, (0,)) for net in nets], [bet])
    assert chart.about.endswith("Lowest -$7.50 after round 2, highest $12.50 after round 3, now $9.50.")
