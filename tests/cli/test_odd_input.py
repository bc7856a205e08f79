"""Every option of every command with words nobody means: a refusal is one line and status 2, never a traceback."""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Invoke
from oddities import ODD_TEXT
from pitboss.cli.app import COMMANDS, load_command
from tiers import keep_first

POSITION = ("six-card", "--player", "As Ad 9h 7c 5s 2d", "--dealer", "Kh Qc Jd")
OPTIONS: dict[tuple[str, ...], str] = {
    ("play", "six-card", "--rounds", "1", "--wager", "main=5"): (
        "--seats --wager --rounds --bankroll --option --paytable --limit --preset --seed --record"
    ),
    ("play", "lunar", "--seats", "2", "--wager", "main=5", "--wager", "super=5"): "--wager --limit --seats",
    ("hint", *POSITION): "--player --dealer --community --indicators --drew --discarded --with --option --paytable",
    ("par", "six-card", "--bet", "progressive"): "--bet --paytable --option --with --meter",
    ("simulate", "six-card", "--rounds", "0"): (
        "--strategy --against --seats --seed --wager --paytable --option --workers --device --session --bankroll "
        "--pace --contribution --reserve --meter-seed"
    ),
    ("solve", "lunar", "--workers", "2000"): "--option --paytable --workers",
    ("report", "six-card", "--output", "no/such/folder.md"): "--format --paytable --option --with --meter --pace",
    ("strategy", "six-card", "--paytable", "none"): "--option",
}
PLACES = [
    "play",
    "hint --player As",
    "replay",
    "par",
    "verify",
    "rules",
    "strategy",
    "solve",
    "report --output x.md",
    "",
]
WORDS = [word for word in ODD_TEXT if "\0" not in word]  # no argument of a process can hold one


def check(invoke: Invoke, *arguments: str) -> str:
    status, _, err = invoke(*arguments)
    assert status in {0, 2}, arguments
    if status:
        assert err.startswith("pitboss: "), arguments
        assert (err.count("\n"), err[-1]) == (1, "\n"), arguments
        assert max(map(len, err.split())) < 150, arguments
        assert not re.search(r"\d{41}", err), arguments
    return err if status else ""


def words_for(number: int) -> list[str]:
    """Return a fifth of the words, another one for each number."""
    return WORDS[number % 5 :: 5]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run where odd names may be written, with nothing to read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


@pytest.mark.parametrize(("command", "options"), OPTIONS.items(), ids=[" ".join(command[:2]) for command in OPTIONS])
def test_odd_values_of_options(command: tuple[str, ...], options: str, invoke: Invoke) -> None:
    for number, option in enumerate(options.split()):
        for word in words_for(number):
            if not (option == "--record" and word == "/"):
                check(invoke, *command, option, word)


@pytest.mark.parametrize("place", PLACES)
def test_odd_arguments(place: str, invoke: Invoke) -> None:
    for word in words_for(PLACES.index(place)):
        check(invoke, *place.split(), word)


@pytest.mark.long
@pytest.mark.parametrize(("command", "options"), OPTIONS.items(), ids=[" ".join(command[:2]) for command in OPTIONS])
def test_every_odd_value_of_every_option(command: tuple[str, ...], options: str, invoke: Invoke) -> None:
    for option in options.split():
        for word in WORDS:
            if not (option == "--record" and word == "/"):
                check(invoke, *command, option, word)


def list_commands(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Return each command with the words that call it."""
    inner = getattr(command, "commands", {})
    for name, each in inner.items():
        yield from list_commands(each, *path, name)
    if not inner:
        yield path, command


LONG = "9" * 300
LONG_FORMS = [form.replace("N", LONG) for form in ("-N", "main=N", "N=5", "0.N", "N/N", "main@N=5", "N:1")]


@pytest.mark.parametrize("form", keep_first([LONG, *LONG_FORMS], 1))
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.more] * (name == "jackpot")) for name in COMMANDS]
)
def test_a_refusal_repeats_little_of_a_number_of_hundreds_of_digits(
    name: str, form: str, invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every argument of every command is such a number, and each of its options holds one."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "cache"))
    for path, command in list_commands(load_command(name), name):
        given = [LONG for each in command.params if each.param_type_name == "argument"]
        given += ["--host", LONG] if path == ("serve",) else []  # so that it never begins
        options = [each.opts[0] for each in command.params if not getattr(each, "is_flag", False)]
        for option in (each for each in options if each.startswith("--")):
            assert len(check(invoke, *path, option, form, *given)) < 200, (path, option)
        assert len(check(invoke, *path, *given)) < 200, path


def test_odd_answers_are_asked_again(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answers = [word.replace("\n", " ") for word in WORDS]
    for game, right in (("six-card", ["10", "0", "0", "0"]), ("wild-six-card", ["10", "5", "1", "0"])):
        typed = [line for stake in right for line in (*(word for word in answers if word not in {"", " ", "0"}), stake)]
        text = "\n".join((*typed, *answers, ""))
        monkeypatch.setattr(sys, "stdin", io.StringIO(text.encode("utf-8", "replace").decode()))
        status, out, err = invoke("play", game, "--rounds", 1, "--seed", 3, "--record", tmp_path / game)
        assert (status, err) == (0, "")
        assert "after 1 round." in out


HISTORY = """\
variant = "six-card"
antes = [1000]
actions = ["d dh p1 AsKsQsJsTs2d", "d dh dealer AhKc9d7c5h3s", "p1 play"]
"""


@pytest.mark.more
def test_odd_values_in_a_history(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "round.toml"
    pieces = ["six-card", "1000", "d dh p1", "AsKs", "dealer", "p1 play", "play", "[1000]", "variant", "actions"]
    numbers = ["true", "1.5", "-1", "9" * 30, "[]", "nan", "{}", "1979-05-27"]
    for number, piece in enumerate(pieces):
        for word in [*words_for(number), *numbers]:
            path.write_bytes(HISTORY.replace(piece, word, 1).encode("utf-8", "surrogatepass"))
            check(invoke, "replay", str(path))
            check(invoke, "verify", str(path))


TABLE = """\
[[paytable]]
id = "mine"
bet = "blackjack-bonus"
unit = "to_one"
[paytable.lines]
suited-blackjack = 3
unsuited-blackjack = 1
"""


def test_odd_values_in_a_pay_table(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    pieces = ["mine", "blackjack-bonus", "to_one", "3", "suited-blackjack", "[[paytable]]", "lines", '"mine"']
    numbers = ["true", "1.5", "-1", "9" * 30, "9" * 5_000, "[]", "nan", "{}", "1979-05-27", '"1:0"', '"0:1"', '"1:3"']
    for number, piece in enumerate(pieces):
        for word in [*words_for(number), *numbers]:
            path.write_bytes(TABLE.replace(piece, word, 1).encode("utf-8", "surrogatepass"))
            check(invoke, "par", "shifting-wilds", "--bet", "blackjack-bonus", "--paytable", str(path))
