"""The chance that a meter which pays every award runs dry."""

import pytest

from jackpot.house import settings
from pitboss.cli.jackpot_admin import compute_hand_probabilities
from pitboss.jackpot import ruin
from pitboss.jackpot.ruin import estimate_ruin_probability

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


def test_the_same_seed_gives_the_same_chance(chances: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruin, "RUNS", 10)
    terms = settings(fixed_awards_from="meter", seed_cents=50_000, meter_bps=6_000)
    assert estimate_ruin_probability(terms, chances) == estimate_ruin_probability(terms, chances)
