"""The house's settings: presets, what cannot be played, and the sheet's advice."""

from typing import Any

import pytest

from jackpot.house import settings
from pitboss.games import load_game
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.settings import AwardLine, Settings, iter_advice, make_settings
from pitboss.meter import AWARD_SPLIT, FIXED_FROM_METER, ROUND_TO_DOLLAR, MeterSettings
from pitboss.paytables import load_builtin_paytables, select_paytables
from refusals import refusal

TABLES = select_paytables(load_game("six-card"))


def advised(**changes: Any) -> list[str]:
    """Return the names of the advice that settings are given."""
    return [each.name for each in iter_advice(settings(**changes))]


@pytest.mark.parametrize("paytable", ["SIXCPP-01", "SIXCPP-02"])
def test_presets_follow_the_sheets_recommendations(paytable: str) -> None:
    table = next(table for table in load_builtin_paytables(load_game("six-card")) if table.id == paytable)
    assert list(iter_advice(make_settings(table))) == []


def test_lines_are_those_of_the_pay_table() -> None:
    lines = {line.hand: (line.percent, line.cents, line.envy_dollars) for line in settings().lines}
    assert lines == {
        "royal-flush": (100, 0, 100),
        "straight-flush": (10, 0, 10),
        "four-of-a-kind": (0, 10_000, 0),
        "full-house": (0, 2_500, 0),
        "flush": (0, 1_500, 0),
        "straight": (0, 1_000, 0),
    }


def test_each_recommendation_is_given_where_it_is_not_followed() -> None:
    assert advised(seed_cents=0, zero_seed=True) == ["zero-seed"]
    assert advised(seed_cents=9_999) == ["small-seed"]
    assert advised(seed_cents=10_000) == []
    assert advised(fixed_awards_from="meter", meter_bps=6_999) == ["runs-dry"]
    assert advised(fixed_awards_from="meter", meter_bps=7_000) == []
    assert advised(meter_bps=1_401) == ["dear-meter"]
    assert advised(meter_bps=1_399) == []
    assert advised(reserve_bps=0) == ["no-reserve"]
    assert all(len(each.reason) > 40 for each in iter_advice(settings(seed_cents=5, reserve_bps=0, meter_bps=9_000)))


REFUSED: dict[str, dict[str, Any]] = {
    "settings: meter_bps and reserve_bps are more than the wager: together at most 10000": {"meter_bps": 9_801},
    "settings: a seed of $0 is not recommended: set zero_seed to allow it": {"seed_cents": 0},
    "settings: flush would pay a fraction of a cent on this wager_cents: choose another one": {
        "lines": (AwardLine(hand="flush", cents=150, per_cents=100),),
        "wager_cents": 1,
    },
    "settings: limit_cents is below seed_cents: a limit must leave room for the seed": {"limit_cents": 999_999},
    "settings: seats: 10 is too large: write at most 9": {"seats": 10},
    "settings: seats: 0 is too small: write at least 1": {"seats": 0},
    "settings: colour is not known here: remove it or correct its name": {"colour": 1},
    "settings: a hand appears twice in the pay table": {"lines": settings().lines * 2},
    "settings: lines 1: flush must pay either a percentage of the meter or a fixed award": {
        "lines": ({"hand": "flush", "percent": 5, "cents": 5},)
    },
}


@pytest.mark.parametrize(("message", "changes"), REFUSED.items())
def test_settings_that_cannot_be_played_are_refused(message: str, changes: dict[str, Any]) -> None:
    with pytest.raises(RefusalError) as refused:
        settings(**changes)
    assert str(refused.value).replace(": :", ":") == message


def test_a_pay_table_without_a_meter_is_refused() -> None:
    with pytest.raises(RefusalError, check=refusal("no-meter", paytable="SCP-01")):
        make_settings(TABLES["aces-up"])


def test_options_become_the_terms_of_the_meter() -> None:
    options = {"award_order": "split", "award_rounding": "dollar", "fixed_awards_from": "meter"}
    assert settings(**options, limit_cents=2_000_000).meter_settings == MeterSettings(
        1_000_000, 2_000_000, AWARD_SPLIT, ROUND_TO_DOLLAR, FIXED_FROM_METER
    )


def test_settings_are_written_and_read_again() -> None:
    assert Settings.model_validate_json(settings(seats=9).model_dump_json()) == settings(seats=9)
