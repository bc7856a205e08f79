"""Games outside the package: found where they are named, and none that is broken takes another down."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from outside_games import ANOTHER, PAY_TABLES, WHOLE, write_game
from pitboss.core.game_folders import ENTRY_POINTS, VARIABLE, list_game_folders

OWN = {"lunar", "shifting-wilds", "six-card", "wild-52", "wild-six-card"}


def run(*words: str, games: str, path: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a command with folders of games, and with more on Python's path."""
    environment = {**os.environ, VARIABLE: games, "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (path, environment.get("PYTHONPATH", ""))))
    return subprocess.run(
        [sys.executable, "-m", "pitboss", *words], env=environment, capture_output=True, text=True, check=False
    )


BROKEN = {
    "raises": ("1 / 0", {}, "ZeroDivisionError: division by zero"),
    "exits": ("raise SystemExit('good night')", {}, "SystemExit: good night"),
    "empty": ("", {}, "its __init__.py has no GAME = Game(...)"),
    "number": (ANOTHER + "GAME = replace(GAME, id=7)", {}, "its id is 7: write words of lower-case letters and digits"),
    "capital": (ANOTHER + "GAME = replace(GAME, id='My Duel')", {}, "its id is 'My Duel': write words"),
    "nameless": (ANOTHER + "GAME = replace(GAME, name=None)", {}, "its name is None: write a line of text"),
    "two_lines": (ANOTHER + "GAME = replace(GAME, summary='a\\nb')", {}, "its summary is 'a\\nb': write a line"),
    "deckless": (ANOTHER + "GAME = replace(GAME, deck=None)", {}, "its deck is None: give a Deck of pitboss.cards"),
    "reasons": (
        ANOTHER.replace("from pathlib", "from pitboss.builders import make_fold_reason\nfrom pathlib")
        + "GAME = replace(GAME, reason_fields={**GAME.reason_fields, 'lost': make_fold_reason(None, '{who}')})",
        {},
        "the reason field lost is '{who}', and {who} is not an option, a reason field or a standard field",
    ),
    "untyped": ("GAME = 'six-card'", {}, "its __init__.py has no GAME = Game(...)"),
    "unparsed": ("GAME =", {}, "SyntaxError: invalid syntax"),
    "imports": ("import no_such_module", {}, "ModuleNotFoundError: No module named 'no_such_module'"),
    "same_id": (WHOLE, {}, "the id six-card is in use by"),
    "six_card": (ANOTHER, {}, "six_card has the same name: rename one of the folders"),
    "pays": (ANOTHER, {"paytables": "[[paytable]]"}, "paytables.toml: "),
    "defaults": (ANOTHER, {"paytables": PAY_TABLES.read_text().replace("default = true", "")}, "have default = true"),
    "twice": (ANOTHER + "GAME = replace(GAME, wagers=GAME.wagers * 2)", {}, "two of the wagers are called main"),
    "a-dash": (ANOTHER, {}, "its name is not a valid Python name"),
    "plays": (ANOTHER, {"strategy": "strategies = 3"}, "strategy.toml"),
}


@pytest.mark.more
@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_one_line_and_takes_no_other_down(tmp_path: Path, name: str) -> None:
    source, files, reason = BROKEN[name]
    made = write_game(tmp_path, name, source, **files)
    listed = run("games", "--json", games=str(tmp_path))
    assert listed.returncode == 2
    assert {game["id"] for game in json.loads(listed.stdout)["games"]} == OWN
    (line,) = listed.stderr.splitlines()
    assert line.startswith(f"pitboss: the game in {made} is left out: ")
    assert reason in line
    other = run("rules", "six-card", games=str(tmp_path))
    assert (other.returncode, other.stderr) == (0, "")
    asked = run("rules", "another", games=str(tmp_path))
    assert asked.returncode == 2
    (line,) = asked.stderr.splitlines()
    assert "unknown game 'another'" in line
    assert reason in line


def test_a_folder_that_does_not_exist_is_said(tmp_path: Path) -> None:
    listed = run("games", "--json", games=str(tmp_path / "none"))
    assert listed.returncode == 2
    assert {game["id"] for game in json.loads(listed.stdout)["games"]} == OWN
    assert listed.stderr == f"pitboss: {VARIABLE} names {tmp_path / 'none'}: there is no such folder\n"


def test_of_two_games_of_one_name_the_first_stays(tmp_path: Path) -> None:
    first, second = write_game(tmp_path / "a", "mine"), write_game(tmp_path / "b", "mine")
    listed = run("games", "--json", games=f"{tmp_path / 'a'}{os.pathsep}{tmp_path / 'b'}")
    assert {game["id"] for game in json.loads(listed.stdout)["games"]} == {*OWN, "another"}
    (line,) = listed.stderr.splitlines()
    assert line == f"pitboss: the game in {second} is left out: {first} has the same name: rename one of the folders"


def install(root: Path, package: str) -> None:
    """Lay down what an installed distribution consists of: its metadata with an entry point."""
    metadata = root / "our_games-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: our-games\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\nours = {package}\n", encoding="utf-8")


def test_an_installed_package_brings_games_and_is_not_imported_itself(tmp_path: Path) -> None:
    install(tmp_path, "our_games")
    write_game(tmp_path / "our_games", "mine")
    (tmp_path / "our_games" / "__init__.py").write_text("raise RuntimeError('imported')\n", encoding="utf-8")
    listed = run("games", "--json", games="", path=str(tmp_path))
    assert (listed.returncode, listed.stderr) == (0, "")
    assert {game["id"] for game in json.loads(listed.stdout)["games"]} == {*OWN, "another"}


@pytest.mark.parametrize("package", ["no_such_package", "no_such.package", "json.decoder"])
def test_an_entry_point_without_a_folder_is_said(tmp_path: Path, package: str) -> None:
    install(tmp_path, package)
    listed = run("games", "--json", games="", path=str(tmp_path))
    assert listed.returncode == 2
    assert {game["id"] for game in json.loads(listed.stdout)["games"]} == OWN
    line = f"pitboss: the entry point ours of our-games names {package}: there is no such folder\n"
    assert listed.stderr == line


def test_folders_are_listed_in_the_order_of_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, os.pathsep.join(("b", "", "a")))
    here = Path.cwd()
    assert [tuple(folder) for folder in list_game_folders()] == [(here / "b", VARIABLE), (here / "a", VARIABLE)]


def test_a_folder_without_games_and_a_file_are_said(tmp_path: Path) -> None:
    made = write_game(tmp_path, "mine")
    reasons = {
        made: "there is no game in it: name the folder that holds the folders of games",
        made / "__init__.py": "it is a file: name the folder that holds the folders of games",
    }
    for path, reason in reasons.items():
        listed = run("games", "--json", games=str(path))
        assert (listed.returncode, listed.stderr) == (2, f"pitboss: {VARIABLE} names {path}: {reason}\n")
        assert {game["id"] for game in json.loads(listed.stdout)["games"]} == OWN


def test_what_a_game_prints_when_it_is_imported_is_no_output_of_a_command(tmp_path: Path) -> None:
    write_game(tmp_path, "mine", "print('hello')\n" + ANOTHER)
    listed = run("games", "--json", games=str(tmp_path))
    assert (listed.returncode, listed.stderr) == (0, "hello\n")
    assert {game["id"] for game in json.loads(listed.stdout)["games"]} == {*OWN, "another"}
