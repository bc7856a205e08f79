"""``pitboss simulate``: figures beside exact ones, the same counts for a seed, and a line for what cannot be done."""

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import pitboss.cli.simulate
from cli.conftest import Invoke
from pitboss.core.progress import ProgressCallback
from pitboss.simulate.ordered_outcomes import OutcomeObserver
from pitboss.simulate.outcome_counts import OutcomeCounts
from pitboss.simulate.players import Player
from pitboss.simulate.runner import InterruptedRunError, Simulation
from pitboss.tasks import SERIAL, Executor

CELLS = {
    1: {0 * 630 + 9 * 63 + 8 * 7 + 6: 60, 1 * 630 + 3 * 63 + 8 * 7 + 3: 25, 5 * 630 + 9 * 63 + 8 * 7 + 6: 15},
    2: {0 * 630 + 9 * 63 + 8 * 7 + 6: 200},
}

LAST = (0, 16, 25, 32)
"""A fold, and the last outcome of each side wager, numbered through."""


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Simulation, int, int, Executor]]:
    """Count no rounds but these, and list what was asked."""
    asked: list[tuple[Simulation, int, int, Executor]] = []

    def counted(
        simulation: Simulation,
        rounds: int,
        seed: int,
        crew: Executor,
        progress: ProgressCallback,
        *,
        gpu: bool,
        observer: OutcomeObserver | None,
    ) -> OutcomeCounts:
        assert not gpu
        assert observer is None
        asked.append((simulation, rounds, seed, crew))
        progress(rounds, rounds)
        outcomes = (7, 10, 9, 7)
        if not simulation.against:
            across = dict.fromkeys(product(LAST, LAST), 100) if simulation.seats == 2 else {}
            return OutcomeCounts(outcomes, simulation.seats, 100, CELLS[simulation.seats], across, reshuffled_rounds=3)
        pairs = {cell * 4410 + cell: times for cell, times in CELLS[1].items() if cell < 3000}
        folded = next(cell for cell in CELLS[1] if cell > 3000)
        pairs[folded * 4410 + folded % 630] = 15
        return OutcomeCounts(outcomes * 2, 1, 100, pairs)

    monkeypatch.setattr(pitboss.cli.simulate, "run_simulation", counted)
    monkeypatch.setattr(pitboss.cli.simulate, "build_block_players", lambda _simulation: [])
    return asked


def test_json_has_every_outcome_and_figure(invoke: Invoke, counts: list[Any]) -> None:
    status, out, err = invoke("simulate", "six-card", "--rounds", "100", "--seed", "7", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert {name: found[name] for name in ("game", "strategy", "seed", "rounds", "seats")} == {
        "game": "six-card",
        "strategy": "practical",
        "seed": 7,
        "rounds": 100,
        "seats": 1,
    }
    main = found["bets"]["main"]
    assert main["mean"] == pytest.approx((-60 + 50 - 30) / 100)
    assert main["outcomes"]["fold"] == 60
    assert sum(main["outcomes"].values()) == 100
    assert found["round"]["mean"] == pytest.approx(sum(bet["mean"] for bet in found["bets"].values()))
    assert sum(times for _, times in found["round"]["histogram"]) == 100
    assert len(found["covariance"]) == 6
    assert found["rounds_per_second"] > 0
    (asked,) = counts
    assert (asked[0].wagered, asked[1:]) == (0b1111, (100, 7, SERIAL))


def test_stakes_are_what_is_wagered(invoke: Invoke, counts: list[Any]) -> None:
    words = ["--wager", "aces-up=0.5", "--json"]
    found = json.loads(invoke("simulate", "six-card", "--rounds", "100", *words).out)
    assert found["stakes"] == {"main": 1.0, "aces-up": 0.5}
    assert counts[0][0].wagered == 0b11
    assert found["round"]["mean"] == pytest.approx(found["bets"]["main"]["mean"] + found["bets"]["aces-up"]["mean"] / 2)


def test_a_seed_is_drawn_and_told(invoke: Invoke, counts: list[Any]) -> None:
    seeds = [json.loads(invoke("simulate", "six-card", "--rounds", "1", "--json").out)["seed"] for _ in range(3)]
    assert len(set(seeds)) == 3
    assert [seed for _, _, seed, _ in counts] == seeds


def test_exact_values_stand_beside_the_means(
    invoke: Invoke, counts: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = {"main": Fraction(-1, 2), "aces-up": Fraction(1, 4), "bad-beat": Fraction(-1), "progressive": None}
    monkeypatch.setattr(pitboss.cli.simulate, "compute_exact_value", lambda _game, bet, *_rest: exact[bet])
    found = json.loads(invoke("simulate", "six-card", "--rounds", "100", "--json").out)["bets"]
    assert found["main"]["expected_value_exact"] == "-1/2"
    assert found["main"]["z"] == pytest.approx((found["main"]["mean"] + 0.5) / found["main"]["standard_error"])
    assert found["bad-beat"]["z"] == 0.0
    assert "z" not in found["progressive"]
    out = invoke("simulate", "six-card", "--rounds", "100", "--correlation").out
    assert "-0.500000" in out
    assert f"{found['main']['z']:+.2f}" in out
    assert "Correlation" in out
    assert len(counts) == 2


def test_seats_and_a_renewed_stub_are_told(invoke: Invoke, counts: list[Any]) -> None:
    out = invoke("simulate", "six-card", "--rounds", "100", "--seats", "2").out
    assert "100 rounds, 2 seats" in out
    assert "reshuffled in 3 rounds (3.0000%)" in out
    assert len(counts) == 1


def test_strategies_are_compared_in_the_same_deals(invoke: Invoke, counts: list[Any]) -> None:
    words = ["simulate", "six-card", "--rounds", "100", "--strategy", "always-play", "--against", "practical"]
    out = invoke(*words).out
    assert "Net of always-play minus net of practical, on the same deals" in out
    assert "main: -0.150000, standard error 0.035" in out
    found = json.loads(invoke(*words, "--json").out)
    assert found["difference"]["main"]["mean"] == pytest.approx(-0.15)
    assert found["difference"].keys() == {"main", "round"}
    assert found["against"] == "practical"
    assert counts[0][0].against == Player("practical")


def test_ctrl_c_prints_what_was_counted(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    for rounds, cells in ((65_536, {566 + 60: 65_536}), (0, {})):

        def interrupted(*_: Any, rounds: int = rounds, cells: Mapping[int, int] = cells, **_also: Any) -> OutcomeCounts:
            raise InterruptedRunError(OutcomeCounts((7, 10, 9, 7), 1, rounds, cells))

        monkeypatch.setattr(pitboss.cli.simulate, "build_block_players", lambda _simulation: [])
        monkeypatch.setattr(pitboss.cli.simulate, "run_simulation", interrupted)
        status, out, err = invoke("simulate", "six-card", "--rounds", "1000000", "--json")
        assert status == 130
        assert err == f"interrupted after {rounds:,} of 1,000,000 rounds\n"
        assert (json.loads(out)["rounds"] == rounds) if rounds else out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rounds", "0"], "0 rounds cannot be simulated: give a whole number from 1 to"),
        (["--rounds", "-3"], "-3 rounds cannot be simulated"),
        (["--rounds", "1.5"], "--rounds: "),
        (["--rounds", "1" + "0" * 30], "rounds cannot be simulated"),
        ([], "Missing option '--rounds'"),
        (["--rounds", "9", "--seats", "7"], "the number of seats is 7: give a whole number from 1 to 6"),
        (["--rounds", "9", "--seed", "-1"], "-1 is not a valid seed"),
        (["--rounds", "9", "--strategy", "best"], "unknown strategy 'best'"),
        (["--rounds", "9", "--strategy", "optimall"], "did you mean 'optimal'? known: practical, "),
        (["--rounds", "9", "--workers", "9" * 24], "--workers: "),
        (["--rounds", "9", "--strategy", "nowhere.py:play"], "cannot read nowhere.py"),
        (["--rounds", "9", "--wager", "main=2"], "main is always one Ante"),
        (["--rounds", "9", "--wager", "aces-up=-1"], "is not a stake"),
        (["--rounds", "9", "--workers", "0"], "--workers: "),
        (["--rounds", "9", "--workers", "2", "--cluster", "local"], "--workers and --cluster exclude each other"),
        (["--rounds", "9", "--seats", "2", "--against", "practical"], "two strategies are compared"),
        (
            ["--rounds", "99", "--device", "gpu", "--meter"],
            "the meter needs the rounds in the order of play, so it needs the CPU",
        ),
        (["--rounds", "9", "--device", "tpu"], "--device: "),
    ],
)
def test_bad_input_is_a_line(words: list[str], said: str, invoke: Invoke) -> None:
    status, out, err = invoke("simulate", "six-card", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_multi_super_needs_another_seat(invoke: Invoke) -> None:
    status, _, err = invoke("simulate", "lunar", "--rounds", "9", "--wager", "multi-super=1")
    assert (status, err) == (2, "pitboss: multi-super needs another seat's hand: give --seats 2 or more\n")


@pytest.mark.more
@pytest.mark.compiled
def test_an_illegal_action_of_ones_own_strategy_is_a_line(
    invoke: Invoke, tmp_path: Path, written: Callable[[Path], str]
) -> None:
    status, out, err = invoke("simulate", "six-card", "--rounds", "99", "--strategy", written(tmp_path))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "action 5 is not legal with player" in err


@pytest.fixture
def written() -> Callable[[Path], str]:
    """Write a strategy that does what is not legal."""

    def write(folder: Path) -> str:
        path = folder / "mine.py"
        path.write_text(
            "from pitboss.core.rule import rule\n@rule\ndef play(t, v, a, n, o):\n    return 5, 0\n", encoding="utf-8"
        )
        return f"{path}:play"

    return write


@pytest.mark.more
@pytest.mark.compiled
def test_a_seed_counts_the_same_again(invoke: Invoke) -> None:
    words = ["simulate", "six-card", "--rounds", "5000", "--seed", "3", "--strategy", "any-pair", "--json"]
    first, again = (json.loads(invoke(*words).out) for _ in range(2))
    assert {**first, "rounds_per_second": 0} == {**again, "rounds_per_second": 0}
    assert json.loads(invoke(*words[:5], "4", *words[6:]).out)["bets"] != first["bets"]


def test_a_number_may_have_commas(invoke: Invoke) -> None:
    status, out, err = invoke("simulate", "six-card", "--rounds", "1,000", "--seed", "1", "--json")
    assert (status, err, json.loads(out)["rounds"]) == (0, "", 1_000)
