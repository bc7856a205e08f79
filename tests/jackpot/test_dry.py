"""The chance that a meter which pays every award runs dry."""

import pytest

from jackpot.house import settings
from pitboss.jackpot import dry
from pitboss.jackpot.dry import chance_of_running_dry

DEALS = 20_358_520
CHANCES = {
    hand: count / DEALS
    for hand, count in {
        "royal-flush": 188,
        "straight-flush": 1_656,
        "four-of-a-kind": 14_664,
        "full-house": 165_984,
        "flush": 205_792,
        "straight": 361_620,
    }.items()
}


def test_the_more_is_contributed_the_seldomer_it_runs_dry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry, "RUNS", 40)
    chances = [
        chance_of_running_dry(settings(fixed_awards_from="meter", seed_cents=200_000, meter_bps=rate), CHANCES)
        for rate in (2_000, 5_000, 9_500)
    ]
    assert chances[0] >= chances[1] >= chances[2]
    assert chances[0] > 0.9
    assert chances[2] < 0.1


def test_a_tray_that_pays_the_fixed_awards_keeps_the_meter_from_running_dry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry, "RUNS", 5)
    assert chance_of_running_dry(settings(), CHANCES) == 0.0


def test_the_same_seed_gives_the_same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry, "RUNS", 10)
    terms = settings(fixed_awards_from="meter", seed_cents=50_000, meter_bps=6_000)
    assert chance_of_running_dry(terms, CHANCES) == chance_of_running_dry(terms, CHANCES)
