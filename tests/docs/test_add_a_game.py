"""docs/add-a-game.md is followed to the letter, in a folder of its own, and the game it builds must hold."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "add-a-game.md"
GAME = "three-card-duel"

BLOCK = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n\n(.*?)^```$", re.MULTILINE | re.DOTALL)

Run = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write every file of the page where it says, and return the folder that is to be named in PITBOSS_GAMES."""
    root = tmp_path_factory.mktemp("following")
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root / "my-games"


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    """Return a function that runs a module of Python with the folder named, and gives back what it printed."""

    def run_module(*words: str, answers: str = "") -> str:
        environment = os.environ | {"PITBOSS_GAMES": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("COVERAGE_PROCESS_START", None)
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=ROOT,
            env=environment,
            input=answers,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return run_module


def test_the_page_writes_one_folder_and_nothing_else(folder: Path) -> None:
    names = [name for name, _ in BLOCK.findall(PAGE.read_text(encoding="utf-8"))]
    assert {Path(name).parts[:2] for name in names} == {("my-games", "three_card_duel")}
    assert len(set(names)) == len(names)
    assert [path.name for path in folder.parent.iterdir()] == ["my-games"]
    assert [path.name for path in folder.iterdir()] == ["three_card_duel"]


def test_the_game_is_discovered_beside_the_others(run: Run) -> None:
    listed = {game["id"]: game for game in json.loads(run("pitboss", "games", "--json"))["games"]}
    assert len(listed) > 1
    assert [bet["id"] for bet in listed[GAME]["bets"]] == ["main", "trio"]
    assert "Three Card Duel" in run("pitboss", "rules", GAME)


def test_the_game_plays_and_its_record_replays(run: Run, tmp_path: Path) -> None:
    words = ("--rounds", "1", "--seed", "7", "--wager", "main=10", "--wager", "trio=5", "--record", str(tmp_path))
    assert "Round 1" in run("pitboss", "play", GAME, *words, answers="play\n")
    (record,) = tmp_path.glob("*.toml")
    run("pitboss", "replay", str(record))


def test_every_golden_round_of_the_page_replays(run: Run, folder: Path) -> None:
    rounds = sorted(folder.glob("*/rounds/*.toml"))
    assert len(rounds) >= 6
    for path in rounds:
        run("pitboss", "replay", str(path))


def test_the_side_wagers_sheet_is_exact(run: Run) -> None:
    sheet = json.loads(run("pitboss", "par", GAME, "--bet", "trio", "--json"))
    assert sheet["method"] == "exact"
    assert sheet["deals"] == 22_100
    assert {outcome["name"]: outcome["deals"] for outcome in sheet["outcomes"]} == {
        "three-of-a-kind": 52,
        "flush": 1_144,
        "lose": 20_904,
    }
    assert sheet["expected_value_exact"] == "-12/425"
    both = json.loads(run("pitboss", "par", GAME, "--bet", "trio", "--paytable", "all", "--json"))
    assert "TRIO-40" in json.dumps(both)


def test_the_game_passes_the_conformance_suite(run: Run) -> None:
    marks = "not long and not compiled" if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" else "not long"
    printed = run("pytest", "-q", "-p", "no:cacheprovider", "-m", marks, "tests/conformance", "-k", GAME)
    assert re.search(r"^\d+ passed", printed, re.MULTILINE)
    assert int(printed.split(" passed")[0].split()[-1]) >= 40
