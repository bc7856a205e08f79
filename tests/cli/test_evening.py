"""``pitboss simulate`` with a session, with a meter, with a chart."""

import json
from pathlib import Path

import pytest

import pitboss.cli.simulate
from cli.conftest import Invoke
from cli.fitting import check_fits
from pitboss.cli.app import BAD_INPUT_STATUS

pytestmark = pytest.mark.compiled

ROUNDS = ("simulate", "six-card", "--rounds", "70000", "--seed", "3")


@pytest.mark.more
def test_a_session_says_how_an_evening_ends(invoke: Invoke, tmp_path: Path) -> None:
    chart = tmp_path / "session.png"
    asked = (*ROUNDS, "--wager", "main=1", "--session", "100", "--bankroll", "20.5", "--chart", str(chart))
    status, out, _ = invoke(*asked, "--json")
    found = json.loads(out)
    session, simulated = found["session"], found["round"]
    assert status == 0
    assert (session["rounds"], session["hours"], session["bankroll"], session["needed"]) == (100, 2.5, 20.5, 2)
    assert 0 < session["risk_of_ruin"] < 1
    assert session["ahead"] + session["even"] < 1
    assert session["house_wins_an_hour"] == pytest.approx(-40 * simulated["mean"])
    assert chart.read_bytes().startswith(b"\x89PNG")
    status, out, _ = invoke(*asked)
    assert status == 0
    assert "A session" in out
    assert f"{session['risk_of_ruin']:.2%}" in out


@pytest.mark.more
def test_it_fits_any_terminal(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    told = check_fits(invoke, monkeypatch, *ROUNDS, "--seats", "2", "--session", "100", "--meter", "--correlation")
    assert "Meter, highest" in told


def test_without_a_bankroll_a_session_is_a_sum_of_rounds(invoke: Invoke) -> None:
    found = json.loads(invoke(*ROUNDS, "--seats", "2", "--session", "50", "--json")[1])
    session, simulated = found["session"], found["round"]
    assert "risk_of_ruin" not in session
    assert session["mean"] == pytest.approx(50 * simulated["mean"])
    assert session["standard_deviation"] == pytest.approx((50 * simulated["variance"]) ** 0.5, rel=1e-4)
    assert session["house_wins_an_hour"] == pytest.approx(-40 * 2 * simulated["mean"])


def test_a_meter_is_carried_through_the_rounds(invoke: Invoke, tmp_path: Path) -> None:
    chart = tmp_path / "meter.svg"
    house = ("--option", "fixed_awards_from=meter", "--contribution", "10%", "--reserve", "0", "--meter-seed", "500")
    asked = (*ROUNDS, "--seats", "6", *house, "--chart", str(chart))
    found = json.loads(invoke(*asked, "--json")[1])["meter"]
    assert (found["meter_rate"], found["reserve_rate"], found["seed"]) == (0.1, 0, 500)
    assert found["wagered"] == 6 * 70_000
    assert found["runs_dry"] > 0
    assert chart.read_text(encoding="utf-8").startswith("<?xml")
    assert f"{found['hold']:.4%}" in invoke(*asked)[1]


def test_its_meter_is_that_of_the_pay_table_unless_told_otherwise(invoke: Invoke) -> None:
    found = json.loads(invoke(*ROUNDS, "--paytable", "progressive=SIXCPP-02", "--meter", "--json")[1])["meter"]
    assert (found["meter_rate"], found["reserve_rate"], found["seed"], found["runs_dry"]) == (0.19, 0.03, 10_000, 0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bankroll", "50"], "--bankroll is for a session: give --session ROUNDS too"),
        (["--session", "10", "--bankroll", "fifty"], "'fifty' is not a bankroll: write Antes, for example 50 or 50.5"),
        (["--session", "10", "--bankroll", "0"], "a bankroll of 0 does not cover the first round"),
        (["--session", "0"], "a session has 1 to 100,000 rounds, not 0"),
        (
            ["--session", "10", "--bankroll", "3"],
            "a bankroll of 3 does not cover the first round, which may cost 5 Antes",
        ),
        (["--chart", "x.png"], "--chart draws a session or a meter: give --session ROUNDS or --meter"),
        (
            ["--session", "10", "--chart", "x.gif"],
            "give x.gif an extension, one of pdf, png, svg: .gif is none of them",
        ),
        (["--wager", "main=1", "--meter"], "a meter is for a progressive wager: none is staked"),
        (["--contribution", "much"], "--contribution 'much' is not a percentage: write for example 70% or 12.5%"),
        (["--contribution", "0.14"], "--contribution '0.14' has no % sign: write for example 70% or 12.5%"),
        (["--contribution", "101%"], "are not valid shares of a wager"),
        (["--meter-seed", "-5"], "--meter-seed '-5' is not an amount: write dollars of 0 or more"),
    ],
)
def test_what_cannot_be_told_is_refused_before_a_round_is_played(
    arguments: list[str], says: str, invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pitboss.cli.simulate, "run_simulation", None)
    status, out, err = invoke(*ROUNDS, *arguments)
    assert (status, out) == (BAD_INPUT_STATUS, "")
    assert says in " ".join(err.split())
    assert list(tmp_path.iterdir()) == []
