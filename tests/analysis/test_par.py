"""PAR sheets: what is reckoned from counts and pays, and how it is named for scripts."""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from pitboss.analysis.par_sheet import ParSheet, build_par_sheet
from pitboss.contract import Game, Wager
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables

SIX_CARD, TAXED, LUNAR = load_game("six-card"), load_game("wild-six-card"), load_game("lunar")
SIX_CARDS = 20_358_520
ACES_UP = [188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 751_332, 15_592_308]
PROGRESSIVE = [188, 1_656, 14_664, 165_984, 205_792, 361_620, 19_608_616]
TAXPAYERS = [
    78,
    216,
    432,
    5_184,
    7_488,
    40_968,
    74_088,
    146_880,
    370_656,
    3_081_732,
    11_415_432,
    5_683_392,
    134_136_444,
]

KEYS = {
    "game",
    "bet",
    "paytable",
    "options",
    "method",
    "deals",
    "outcomes",
    "expected_value",
    "expected_value_exact",
    "house_edge",
    "hit_frequency",
    "variance",
    "standard_deviation",
}


def bet_named(game: Game, name: str) -> Wager:
    return next(wager for wager in (*game.wagers, *game.main_parts) if wager.id == name)


def aces_up(*selections: str) -> ParSheet:
    chosen = select_paytables(SIX_CARD, selections)
    return build_par_sheet(SIX_CARD, bet_named(SIX_CARD, "aces-up"), chosen, resolve_options(SIX_CARD, {}), ACES_UP)


def progressive(meter_cents: int | None = None, table: str = "SIXCPP-01", **options: str) -> ParSheet:
    chosen, values = select_paytables(SIX_CARD, [table]), resolve_options(SIX_CARD, options)
    return build_par_sheet(SIX_CARD, bet_named(SIX_CARD, "progressive"), chosen, values, PROGRESSIVE, meter_cents)


def taxed(table: str = "T1") -> ParSheet:
    wager = bet_named(TAXED, "taxpayers-fortune")
    return build_par_sheet(TAXED, wager, select_paytables(TAXED, [table]), resolve_options(TAXED, {}), TAXPAYERS)


def figures(sheet: ParSheet) -> Mapping[str, Any]:
    return sheet.extras


def test_a_sheet_names_its_figures_as_scripts_know_them() -> None:
    sheet = json.loads(json.dumps(aces_up().as_json()))
    assert set(sheet) == KEYS | {"sheet_hold"}
    assert (sheet["game"], sheet["bet"], sheet["paytable"], sheet["method"]) == (
        "six-card",
        "aces-up",
        "SCP-01",
        "exact",
    )
    assert sheet["options"]["dealer_qualifies"] == "ace-king"
    assert sheet["outcomes"][0] == {
        "name": "royal-flush",
        "net": 500,
        "deals": 188,
        "probability": 188 / SIX_CARDS,
        "contribution": 500 * 188 / SIX_CARDS,
    }
    assert sum(outcome["deals"] for outcome in sheet["outcomes"]) == sheet["deals"] == SIX_CARDS
    assert sheet["expected_value_exact"] == "-118913/5089630"
    assert sheet["expected_value"] == -sheet["house_edge"] == -118_913 / 5_089_630
    assert sheet["standard_deviation"] ** 2 == pytest.approx(sheet["variance"])


def test_exact_figures_are_fractions() -> None:
    sheet = aces_up()
    assert sheet.expected_value == sum((line.contribution for line in sheet.lines), Fraction(0))
    assert sheet.hit_frequency == Fraction(SIX_CARDS - 15_592_308, SIX_CARDS)
    mean = sheet.expected_value
    assert sheet.variance == sum(line.probability * (line.net - mean) ** 2 for line in sheet.lines)


def test_the_hold_that_the_rule_sheet_prints_stands_beside_the_exact_edge() -> None:
    holds = {table: figures(aces_up(table))["sheet_hold"] for table in ("SCP-01", "SCP-02", "SCP-03", "SCP-04")}
    assert holds == {
        "SCP-01": Fraction(1, 5),
        "SCP-02": Fraction(1, 4),
        "SCP-03": Fraction(7, 25),
        "SCP-04": Fraction(3, 10),
    }


def test_a_changed_pay_changes_the_figures_and_no_count() -> None:
    before, after = aces_up(), aces_up("SCP-02")
    assert [line.deals for line in before.lines] == [line.deals for line in after.lines]
    assert after.expected_value - before.expected_value == Fraction(165_984 - 361_620, SIX_CARDS)


def test_flat_dollars_are_reckoned_as_pay_and_tax() -> None:
    sheet = taxed()
    pay = 50_000 * 78 + 10_000 * 216 + 5_000 * 432 + 1_000 * 5_184 + 500 * 7_488 + 100 * 40_968
    pay += 25 * (74_088 + 146_880) + 12 * 370_656
    tax = 5 * (78 + 216 + 432 + 5_184 + 7_488 + 40_968 + 74_088 + 3_081_732) + 2 * 11_415_432 + 370_656 + 5_683_392
    deals = sum(TAXPAYERS)
    assert figures(sheet) == {
        "expected_pay_dollars": Fraction(pay, deals),
        "expected_tax_dollars": Fraction(tax, deals),
        "hold": Fraction(tax - pay, tax),
        "net_per_round_dollars": Fraction(pay - tax, deals),
    }
    assert sheet.expected_value == Fraction(pay - tax, deals)
    assert {line.outcome.name: line.net for line in sheet.lines}["tax-two-pair-three-pair"] == 12 - 1
    assert set(sheet.as_json()) == KEYS | set(figures(sheet))


def test_a_tax_free_schedule_has_no_hold() -> None:
    wager = bet_named(TAXED, "taxpayers-fortune")
    sheet = build_par_sheet(TAXED, wager, select_paytables(TAXED), resolve_options(TAXED, {}), [0] * 12 + [9])
    assert sheet.extras["hold"] is None
    assert sheet.as_json()["hold"] is None


def test_a_part_of_main_is_reckoned_per_ante() -> None:
    wager = bet_named(LUNAR, "instant-cash")
    sheet = build_par_sheet(
        LUNAR, wager, select_paytables(LUNAR, ["main=IC-3"]), resolve_options(LUNAR, {}), [4, 36, 2_598_920]
    )
    assert sheet.expected_value == Fraction(4 * 1_500 + 36 * 500, 2_598_960)
    assert sheet.as_json()["paytable"] == "IC-3"


def test_a_bet_of_several_kinds_of_table_lists_them() -> None:
    main = bet_named(LUNAR, "main")
    sheet = build_par_sheet(LUNAR, main, select_paytables(LUNAR), resolve_options(LUNAR, {}), [1] * len(main.outcomes))
    assert sheet.as_json()["paytable"] == ["BET-1", "IC-2"]


def test_a_progressive_names_all_its_figures() -> None:
    sheet = json.loads(json.dumps(progressive().as_json()))
    assert set(sheet) == KEYS | {
        "meter",
        "seed",
        "meter_rate",
        "reserve_rate",
        "fixed_return",
        "meter_return_per_dollar",
        "break_even_meter",
        "envy_value_per_other_seat",
        "reseed_cost",
        "long_run_house_edge",
    }
    assert [outcome.get("meter_percent") for outcome in sheet["outcomes"]] == [100, 10, None, None, None, None, None]
    assert (sheet["meter"], sheet["seed"]) == (10_000, 10_000)


def test_the_parts_of_a_progressive_are_exact() -> None:
    parts = figures(progressive())
    fixed = Fraction(100 * 14_664 + 25 * 165_984 + 15 * 205_792 + 10 * 361_620, SIX_CARDS)
    per_dollar = Fraction(188 + Fraction(1_656, 10), SIX_CARDS)
    assert parts["fixed_return"] == fixed
    assert parts["meter_return_per_dollar"] == per_dollar
    assert parts["break_even_meter"] == (1 - fixed) / per_dollar
    assert parts["envy_value_per_other_seat"] == Fraction(100 * 188 + 10 * 1_656, SIX_CARDS)
    assert parts["reseed_cost"] == Fraction(10_000 * 188, SIX_CARDS)
    assert parts["long_run_house_edge"] == 1 - fixed - Fraction(16, 100) - parts["reseed_cost"]


def test_at_the_break_even_meter_nobody_has_an_edge() -> None:
    meter_cents = round(figures(progressive())["break_even_meter"] * 100)
    assert abs(progressive(meter_cents).expected_value) < Fraction(1, 10**6)
    assert progressive(meter_cents // 2).expected_value < 0 < progressive(meter_cents * 2).expected_value


def test_the_value_grows_by_the_same_for_every_dollar_on_the_meter() -> None:
    low, high = progressive(1_000_000), progressive(2_000_000)
    assert high.expected_value - low.expected_value == 10_000 * figures(low)["meter_return_per_dollar"]
    assert figures(low)["long_run_house_edge"] == figures(high)["long_run_house_edge"]


@pytest.mark.parametrize(("rounding", "net"), [("cent", Fraction(123_456 - 100, 100)), ("dollar", Fraction(1_234 - 1))])
def test_a_percentage_is_rounded_down_as_the_option_says(rounding: str, net: Fraction) -> None:
    assert progressive(1_234_567, award_rounding=rounding).lines[1].net == net


def test_fixed_awards_from_the_meter_are_no_cost_of_the_house_and_may_run_it_dry() -> None:
    tray, meter = progressive(), progressive(fixed_awards_from="meter")
    assert figures(meter)["long_run_house_edge"] - figures(tray)["long_run_house_edge"] == figures(tray)["fixed_return"]
    assert figures(meter)["runs_dry"] is True
    assert meter.as_json()["runs_dry"] is True
    assert "runs_dry" not in figures(tray)
    assert meter.expected_value == tray.expected_value


def test_a_progressive_without_percentages_breaks_even_nowhere() -> None:
    wager = bet_named(SIX_CARD, "progressive")
    counts = [0, 0, *PROGRESSIVE[2:]]
    sheet = build_par_sheet(SIX_CARD, wager, select_paytables(SIX_CARD), resolve_options(SIX_CARD, {}), counts)
    assert sheet.extras["break_even_meter"] is None
