"""How bets move together on paper: one matrix, what is simulated marked, and the spread of what is staked."""

import json
from fractions import Fraction

import pytest

from cli.conftest import Invoke
from pitboss.analysis.covariance import BetCovariance, CovarianceReport, StakeMix

MOVES = (
    BetCovariance(("main", "aces-up"), Fraction(3, 2), 0.25),
    BetCovariance(("aces-up", "bad-beat"), Fraction(-1, 4), -0.125, standard_error=0.0625, strategy_id="practical"),
)
STAKED = StakeMix({"main": Fraction(1), "aces-up": Fraction(1, 2)}, Fraction(-1, 8), Fraction(9, 4), is_exact=False)


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch, invoke: Invoke) -> None:
    del invoke  # asked for so that its own stand-in for ``together`` is there before this one
    monkeypatch.setattr(
        "pitboss.analysis.covariance.report_covariances", lambda *_arguments: CovarianceReport(MOVES, STAKED)
    )


def test_people_read_covariances_below_correlations(invoke: Invoke) -> None:
    status, out, _ = invoke("par", "six-card")
    assert status == 0
    rows = [line.split() for line in out.partition("Covariances and correlations")[2].splitlines()]
    assert ["main", "aces-up", "bad-beat"] in rows
    main, aces_up, bad_beat = (next(row for row in rows if row[:1] == [bet] and len(row) == 4) for bet in rows[2])
    assert main[2:] == ["+0.2500", "-"]
    assert (aces_up[1], aces_up[3]) == ("+1.500000", "~-0.1250")
    assert bad_beat[1:3] == ["-", "~-0.250000"]
    assert "~ aces-up and bad-beat: simulated, standard error 0.062500, played by the strategy practical" in out
    assert "1 main + 1/2 aces-up: expected value -0.12500000, standard deviation 1.500000 (in part simulated)" in out


def test_programs_get_every_pair_and_the_mix(invoke: Invoke) -> None:
    found = json.loads(invoke("par", "six-card", "--json").out)
    assert found["covariance"] == [
        {"bets": ["main", "aces-up"], "covariance": 1.5, "correlation": 0.25, "method": "exact"},
        {
            "bets": ["aces-up", "bad-beat"],
            "covariance": -0.25,
            "correlation": -0.125,
            "method": "simulated",
            "standard_error": 0.0625,
            "play": "practical",
        },
    ]
    assert found["mix"]["standard_deviation"] == 1.5


@pytest.mark.parametrize("arguments", [["--bet", "aces-up"], ["--paytable", "aces-up=all"]])
def test_one_bet_or_several_tables_are_not_set_against_one_another(arguments: list[str], invoke: Invoke) -> None:
    assert "covariance" not in json.loads(invoke("par", "six-card", *arguments, "--json").out)
