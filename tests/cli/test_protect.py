"""``pitboss protect``: what each leak is worth, for people and for programs."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import pitboss as pb
import pitboss.analysis.protection
from cli.conftest import Invoke
from cli.fitting import check_fits
from pitboss.engine.card_leaks import CardLeak
from pitboss.engine.leak_estimate import LeakEstimate
from pitboss.engine.leak_visit import ExactLeakValue
from pitboss.solver_api import Solution
from refusals import refusal

GAME = "six-card"
OUTCOMES = 7


@pytest.fixture(autouse=True)
def _measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for what takes long: one leak is counted, the others are sampled."""

    def measure(_game: Any, _problem: Any, _cards: Sequence[int], leak: CardLeak, _progress: Any) -> ExactLeakValue:
        assert leak.id == "dealer-1"
        return ExactLeakValue(Fraction(1, 8), Fraction(-1, 8), Fraction(1, 4))

    def estimate(_game: Any, _problem: Any, _cards: Any, leak: CardLeak, *_terms: Any) -> LeakEstimate:
        return LeakEstimate(2_000, 0.5 * len(leak.places), 0.0625, -0.25, 0.125, 0.0125, nested=leak.id != "dealer-3")

    solution = Solution((1, *[0] * (OUTCOMES - 1)), {"fold": 1}, equal_value_positions=0)
    monkeypatch.setattr("pitboss.engine.leak_visit.can_visit", lambda _game, leak: leak.id == "dealer-1")
    monkeypatch.setattr("pitboss.engine.leak_visit.compute_leak_value", measure)
    monkeypatch.setattr("pitboss.engine.leak_estimate.estimate_leak_value", estimate)
    monkeypatch.setattr(pitboss.analysis.protection, "get_solution", lambda *_arguments: solution)


def test_people_read_every_leak_the_costliest_first(invoke: Invoke) -> None:
    status, out, err = invoke("protect", GAME, "--ante", "10", "--rounds", "60")
    assert (status, err) == (0, "")
    assert "without a leak the player's edge is -100.0000% of an Ante" in out
    rows = [line.split() for line in out.splitlines() if "$" not in line and line.count("%") >= 3]
    assert rows[0][0] == "neighbours-5"
    (exact,) = [row for row in rows if row[0] == "dealer-1"]
    assert exact[-5:] == ["+12.5000%", "25.0000%", "25.00%", "+75.00", "exact"]
    (sampled,) = [row for row in rows if row[0] == "dealer-3"]
    assert sampled[-8:] == ["+50.0000%", "150.0000%", "6.2500%", "12.50%", "±", "1.25%", "+300.00", "sampled"]
    assert "dealer-1-colour, dealer-1-rank: Play against the hands" in out


def test_programs_get_one_object(invoke: Invoke) -> None:
    status, out, err = invoke("protect", GAME, "--leak", "dealer-1", "--leak", "dealer-2", "--json")
    found = json.loads(out)
    assert (status, err, found["game"], found["expected_value_exact"]) == (0, "", GAME, "-1/1")
    sampled, exact = found["leaks"]
    assert (exact["id"], exact["method"], exact["expected_value_exact"], exact["gain_exact"]) == (
        "dealer-1",
        "exact",
        "1/8",
        "1/4",
    )
    assert (exact["standard_error"], exact["decisions_changed"], exact["dollars_per_hour"]) == (0.0, 0.25, 125.0)
    assert (exact["changed_error"], sampled["decisions_changed"], sampled["changed_error"]) == (0.0, 0.125, 0.0125)
    assert (sampled["id"], sampled["method"], sampled["gain"], sampled["positions"]) == (
        "dealer-2",
        "nested",
        1.0,
        2000,
    )


@pytest.mark.more
def test_it_fits_any_terminal(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    check_fits(invoke, monkeypatch, "protect", GAME)


def test_python_gets_the_same_figures(invoke: Invoke) -> None:
    report = pb.protect(GAME, ["dealer-1", "dealer-2"])
    assert report.to_dict() == json.loads(
        invoke("protect", GAME, "--leak", "dealer-1", "--leak", "dealer-2", "--json").out
    )
    assert pb.protect(GAME, "dealer-1").leaks[0].gain == Fraction(1, 4)


def test_a_game_past_the_budget_is_valued_from_its_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pitboss.analysis.protection, "can_solve", lambda _game: False)
    report = pb.protect(GAME, "dealer-2")
    assert report.expected_value is None
    assert report.leaks[0].expected_value == 0.75


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--leak", "dealer-9"), "unknown leak 'dealer-9'"),
        (("--within", "0.1"), "is not a percentage with its % sign: write for example 0.1%"),
        (("--within", "0%"), "give from 0.0001% to 100%"),
        (("--budget", "soon"), "'soon' is not a time"),
        (("--ante", "0"), "give more than 0 dollars"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: tuple[str, ...], said: str, invoke: Invoke) -> None:
    status, out, err = invoke("protect", GAME, *words)
    assert (status, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("within", [0, -0.5, 2, True, "0.1%", float("nan")])
def test_a_standard_error_that_is_not_a_part_of_an_ante_is_refused(within: Any) -> None:
    with pytest.raises(pb.Error, check=refusal("invalid-within")):
        pb.protect(GAME, within=within)
