"""The chance that a meter which pays every award runs dry."""

from typing import Any

import numpy as np
import pytest

from jackpot.house import settings
from pitboss.cli.jackpot_admin import compute_hand_probabilities
from pitboss.jackpot import ruin
from pitboss.jackpot.ruin import KNOWN_PROBABILITIES, estimate_ruin_probability, runs_dry
from pitboss.simulate.meter_simulation import MeterTotal, ProgressiveSetup, simulate_meter

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def chances() -> dict[str, float]:
    return compute_hand_probabilities("six-card")


def test_the_more_is_contributed_the_seldomer_it_runs_dry(
    chances: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ruin, "RUNS", 40)
    found = [
        estimate_ruin_probability(settings(fixed_awards_from="meter", seed_cents=200_000, meter_bps=rate), chances)
        for rate in (2_000, 5_000, 9_500)
    ]
    assert found[0] >= found[1] >= found[2]
    assert found[0] > 0.9
    assert found[2] < 0.1


def test_a_tray_that_pays_the_fixed_awards_keeps_the_meter_from_running_dry(
    chances: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ruin, "RUNS", 5)
    assert estimate_ruin_probability(settings(), chances) == 0.0


def test_the_probabilities_that_are_known_are_those_that_are_counted(chances: dict[str, float]) -> None:
    for game, known in KNOWN_PROBABILITIES.items():
        counted = chances if game == "six-card" else compute_hand_probabilities(game)
        assert known == {hand: pytest.approx(counted[hand], rel=1e-12) for hand in known}
        assert {line.hand for line in settings().lines} <= set(known)


TERMS: tuple[dict[str, Any], ...] = (
    {"seed_cents": 20_000, "meter_bps": 3_000},
    {"seed_cents": 30_000, "meter_bps": 4_000, "reserve_bps": 0},
    {"seed_cents": 50_000, "meter_bps": 6_000, "limit_cents": 60_000, "award_rounding": "dollar"},
    {"seed_cents": 50_000, "meter_bps": 5_500, "award_order": "split", "wager_cents": 500},
)


@pytest.mark.parametrize("changes", TERMS)
def test_a_run_is_dry_if_and_only_if_the_meter_of_every_wager_is(changes: dict[str, Any]) -> None:
    """The simulation of every single wager is another program, which pays award by award."""
    terms = settings(fixed_awards_from="meter", **changes)
    setup = ProgressiveSetup(
        percents=(*(line.percent for line in terms.lines), 0),
        fixed_cents=(*(terms.compute_fixed_cents(line, terms.wager_cents) for line in terms.lines), 0),
        envy=(0,) * (len(terms.lines) + 1),
        meter_bps=terms.meter_bps,
        reserve_bps=terms.reserve_bps,
        settings=terms.meter_settings,
        wager_cents=terms.wager_cents,
    )
    random, found = np.random.default_rng(1), []
    weights = [0.001, 0.002, 0.002, 0.005, 0.01, 0.01]
    for wagers in (40, 100, 400, 1_500) * 25:
        played = random.choice(len(weights) + 1, wagers, p=[*weights, 1 - sum(weights)])
        history = simulate_meter(setup, 1, wagers, [played.reshape(-1, 1)])
        winning = np.flatnonzero(played < len(weights))
        found.append(runs_dry(terms, winning + 1, played[winning]))
        assert found[-1] == (history.get_total(MeterTotal.DRY) > 0)
    assert {True, False} == set(found)


def test_the_same_seed_gives_the_same_chance(chances: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruin, "RUNS", 10)
    terms = settings(fixed_awards_from="meter", seed_cents=50_000, meter_bps=6_000)
    assert estimate_ruin_probability(terms, chances) == estimate_ruin_probability(terms, chances)
