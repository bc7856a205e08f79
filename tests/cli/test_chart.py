"""``pitboss chart``: a picture, its data for people and for programs, and one line for bad input."""

import csv
import io
import json
from pathlib import Path

import pytest

from cli.conftest import Invoke
from cli.fitting import check_fits

GRID = ("chart", "six-card", "strategy", "--grid", "ace-high-low-card")


def test_people_read_the_grid(invoke: Invoke) -> None:
    status, out, err = invoke(*GRID)
    assert (status, err) == (0, "")
    assert "You have ace high, the dealer shows 9 and 4 (F fold, P play)" in out
    (row,) = [line.split() for line in out.splitlines() if "Ace-K, 3 of" in line]
    assert row[-5:] == ["P"] * 5


def test_programs_read_the_same_rows(invoke: Invoke) -> None:
    document = json.loads(invoke(*GRID, "--json").out)
    rows = list(csv.DictReader(io.StringIO(invoke(*GRID, "--csv").out)))
    assert [each["expected_value_exact"] for each in document["rows"]] == [
        each["expected_value_exact"] for each in rows
    ]
    first = document["rows"][0]
    player, dealer = first["cards"].split("; ")
    hint = json.loads(invoke("hint", "six-card", "--player", player, "--dealer", dealer, "--json").out)
    assert (first["action"], first["expected_value"]) == (hint["best"], hint["actions"][0]["expected_value"])


def test_it_fits_a_terminal(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    check_fits(invoke, monkeypatch, *GRID)


@pytest.mark.parametrize("kind", ["band", "contribution", "meter", "pay", "ruin"])
def test_every_column_of_a_chart_fits_80_columns(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    bet = {"band": "aces-up", "contribution": "aces-up", "meter": "progressive", "pay": "aces-up", "ruin": "main"}[kind]
    rounds = {"band": ("--rounds", "10000000"), "ruin": ("--rounds", "200")}.get(kind, ())
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = invoke("chart", "six-card", kind, "--bet", bet, *rounds)
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "Widen the window" not in out


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_it_is_drawn_to_a_file(invoke: Invoke, tmp_path: Path, ending: str, start: bytes) -> None:
    path = tmp_path / f"chart.{ending}"
    assert invoke(*GRID, "--out", str(path)) == (0, "", "")
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]


def test_a_bet_is_drawn_under_its_table(invoke: Invoke) -> None:
    words = ("chart", "six-card", "band", "--bet", "aces-up", "--rounds", "200", "--json")
    first, other = (json.loads(invoke(*words, *more).out) for more in ((), ("--paytable", "SCP-02")))
    assert [each["rounds"] for each in first["rows"]] == [100] * 3 + [200] * 3
    sheet = json.loads(invoke("par", "six-card", "--bet", "aces-up", "--json").out)
    assert first["return"] == pytest.approx(1 + sheet["expected_value"], abs=1e-15)
    assert other["return"] != first["return"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("six-card", "strategie"), "unknown kind of chart 'strategie'"),
        (("six-card", "strategy", "--grid", "none"), "unknown grid 'none'"),
        (
            ("six-card", "strategy", "--out", "chart.gif"),
            "give chart.gif an extension, one of pdf, png, svg: .gif is none",
        ),
        (("six-card", "strategy", "--json", "--csv"), "--csv and --json exclude each other"),
        (("six-card", "band", "--rounds", "10"), "--rounds: '10' is not allowed: write a whole number from 100"),
        (("six-card", "band", "--bet", "none"), "unknown bet 'none'"),
        (("six-card", "band", "--grid", "draw"), "--grid is not for band: leave it out, or draw strategy"),
        (("six-card", "pay"), "main of six-card has no pay table: bets with one: aces-up"),
        (("six-card", "pay", "--bet", "aces-up", "--line", "flus"), "unknown line 'flus': did you mean 'flush'?"),
        (("six-card", "ruin", "--rounds", "0"), "--rounds: '0' is not allowed: write a whole number from 1 to 10,000"),
        (
            ("six-card", "meter", "--bet", "aces-up"),
            "aces-up has no meter that can be won: bets with a meter: progressive",
        ),
        (("none", "strategy"), "unknown game 'none'"),
    ],
)
def test_bad_input_is_one_line(invoke: Invoke, words: tuple[str, ...], line: str) -> None:
    status, out, err = invoke("chart", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert line in err
