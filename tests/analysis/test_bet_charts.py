"""The charts of a bet say what its exact sheet says."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from pitboss.analysis.bet_charts import compute_band_chart, make_contribution_chart
from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.pay_chart import compute_pay_chart
from pitboss.analysis.return_band import compute_return_bands
from pitboss.analysis.ruin_chart import compute_round_cost, compute_ruin_chart
from pitboss.core.errors import UnknownNameError
from pitboss.options import resolve_options
from pitboss.paytable_toml import format_pay_input
from pitboss.paytables import select_paytables
from pitboss.reports.paytable_editing import edit_paytable
from refusals import refusal
from reports.conftest import made


@pytest.fixture(scope="module")
def aces_up() -> ParSheet:
    """The sheet of Aces Up, from known counts."""
    return next(sheet for sheet in made("six-card").sheets if sheet.wager.id == "aces-up")


@pytest.mark.more
def test_a_band_is_that_of_the_convolution(aces_up: ParSheet) -> None:
    """Computed twice more: by the module of bands, and by convolving the exact nets round by round."""
    data = compute_band_chart(aces_up, 200)
    assert [row[:2] for row in data.rows] == [(rounds, level) for rounds in (100, 200) for level in (0.9, 0.95, 0.99)]
    assert data.labels["return"] == float(1 + aces_up.expected_value)
    for rounds in (100, 200):
        records = [each for each in data.list_records() if each["rounds"] == rounds]
        bands = compute_return_bands(aces_up.deals_by_net, rounds)
        assert [each["low"] for each in records] == [1 + float(band.low.least) for band in bands]
        assert [each["normal_high"] for each in records] == [1 + band.normal_high for band in bands]
        for record in records:
            tail = (1 - record["confidence"]) / 2
            low, high = (find_quantile(aces_up, rounds, level) for level in (tail, 1 - tail))
            assert (record["low"], record["high"]) == (pytest.approx(1 + low), pytest.approx(1 + high))


def find_quantile(sheet: ParSheet, rounds: int, level: float) -> float:
    """Return the least average net that is not exceeded with a probability, by plain convolution."""
    nets = sheet.deals_by_net
    lowest, highest = int(min(nets)), int(max(nets))
    single = np.zeros(highest - lowest + 1)
    for net, deals in nets.items():
        single[int(net) - lowest] = float(Fraction(deals, sheet.deals))
    sums = np.ones(1)
    for _ in range(rounds):
        sums = np.convolve(sums, single)[: 60 * rounds]
    return float((int(np.searchsorted(np.cumsum(sums), level)) + lowest * rounds) / rounds)


def test_contributions_are_the_sheets_and_add_up_to_its_expected_net(aces_up: ParSheet) -> None:
    data = make_contribution_chart(aces_up)
    exact = {each["outcome"]: Fraction(each["contribution_exact"]) for each in data.list_records()}
    assert exact == {line.outcome.name: line.net * line.probability for line in aces_up.lines if line.deals}
    assert sum(exact.values()) == aces_up.expected_value
    assert data.labels["expected_value"] == float(aces_up.expected_value)
    sizes = [abs(share) for share in data.get_column("contribution")]
    assert sizes == sorted(sizes, reverse=True)


def test_progress_counts_numbers_of_rounds(aces_up: ParSheet) -> None:
    seen = list[tuple[int, int]]()
    compute_band_chart(aces_up, 150, lambda *done: seen.append(done))
    assert seen == [(1, 2), (2, 2)]


def test_edges_by_pay_are_those_of_the_repriced_sheet(aces_up: ParSheet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.analysis.tuning.compute_par_sheet", lambda *_arguments: aces_up)
    game = aces_up.game
    terms = GameTerms(select_paytables(game), resolve_options(game, {}))
    data = compute_pay_chart(game, aces_up.wager, terms)
    (table,) = aces_up.paytables
    assert set(data.get_column("line")) == set(table.lines)
    for record in data.list_records():
        line, pay = record["line"], record["pay"]
        own = format_pay_input(table.lines[line].amount)
        assert record["present"] == (own == pay)
        edited = table if record["present"] else edit_paytable(game, table, {line: pay})
        sheet = reprice_sheet(aces_up, {**terms.paytables, table.kind: edited})
        assert Fraction(record["house_edge_exact"]) == sheet.house_edge
        assert record["house_edge"] == float(sheet.house_edge)
    flush = compute_pay_chart(game, aces_up.wager, terms, "flush")
    assert flush.rows == tuple(row for row in data.rows if row[0] == "flush")
    with pytest.raises(UnknownNameError, check=refusal("unknown-line", name="none")):
        compute_pay_chart(game, aces_up.wager, terms, "none")


def test_ruin_is_that_of_plain_recursion(aces_up: ParSheet) -> None:
    """The probability that a bankroll is lost within n rounds, in fractions and from the definition."""
    chances = {int(net): Fraction(deals, aces_up.deals) for net, deals in aces_up.deals_by_net.items()}

    @cache
    def find_risk(bankroll: int, rounds: int) -> Fraction:
        if bankroll < 1:
            return Fraction(1)
        if not rounds:
            return Fraction(0)
        return sum((chance * find_risk(bankroll + net, rounds - 1) for net, chance in chances.items()), Fraction(0))

    data = compute_ruin_chart(aces_up, 8)
    assert sorted(set(data.get_column("rounds"))) == [1, 4, 8]
    assert data.labels["round_cost"] == 1
    for record in data.list_records():
        exact = find_risk(record["bankroll"], record["rounds"])
        assert record["risk_of_ruin"] == pytest.approx(float(exact), abs=1e-12)


def test_a_round_of_main_costs_all_that_is_raised() -> None:
    sheet = made("six-card").main_sheet
    assert sheet is not None
    assert compute_round_cost(sheet) == 2
