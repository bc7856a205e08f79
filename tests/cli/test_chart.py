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
    assert "You have ace high, his other cards are 9 and 4 (F fold, P play)" in out
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


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_it_is_drawn_to_a_file(invoke: Invoke, tmp_path: Path, ending: str, start: bytes) -> None:
    path = tmp_path / f"chart.{ending}"
    assert invoke(*GRID, "--out", str(path)) == (0, "", "")
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("six-card", "strategie"), "unknown kind of chart 'strategie'"),
        (("six-card", "strategy", "--grid", "none"), "unknown chart 'none'"),
        (("six-card", "strategy", "--out", "chart.gif"), "a chart is written as pdf, png, svg, not .gif"),
        (("six-card", "strategy", "--json", "--csv"), "--csv and --json exclude each other"),
        (("none", "strategy"), "unknown game 'none'"),
    ],
)
def test_bad_input_is_one_line(invoke: Invoke, words: tuple[str, ...], line: str) -> None:
    status, out, err = invoke("chart", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert line in err
