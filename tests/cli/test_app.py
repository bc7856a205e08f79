"""The command line as a whole: help, version, completion, errors, and how it ends."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import pitboss.cli.par
import pitboss.core.cache
from cli.conftest import Invoke
from pitboss.cli import main
from pitboss.cli.app import BAD_INPUT_STATUS, COMMANDS, PIPE_CLOSED_STATUS, run
from pitboss.core.version import __version__

HEAVY = {"numba", "numpy", "pydantic.main", "pitboss.games"}


def test_help_lists_every_command_with_examples(invoke: Invoke) -> None:
    status, out, err = invoke("--help")
    assert (status, err) == (0, "")
    assert all(f" {name} " in out for name in COMMANDS)
    assert "pitboss par six-card --bet aces-up --paytable all" in out


@pytest.mark.parametrize("command", ["simulate", "hint"])
def test_no_word_of_a_help_page_is_cut_in_a_narrow_terminal(command: str) -> None:
    line = [sys.executable, "-m", "pitboss", command, "--help"]
    printed = subprocess.run(line, env={**os.environ, "COLUMNS": "40"}, capture_output=True, text=True, check=True)
    assert "…" not in printed.stdout


def test_alone_it_prints_the_help_page(invoke: Invoke) -> None:
    assert invoke().out.split() == invoke("--help").out.split()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_each_command_says_of_itself(name: str, invoke: Invoke) -> None:
    command = getattr(import_module(f"pitboss.cli.{name}"), name)
    assert command.__doc__.partition("\n")[0] == COMMANDS[name]
    status, out, _ = invoke(name, "--help")
    assert status == 0
    assert "For example" in out
    examples = [line for line in command.__doc__.splitlines() if line.startswith("        pitboss")]
    assert examples
    missing = [line for line in examples if f"\n  {line.strip()[:60]}" not in out]
    assert missing == []


@pytest.mark.parametrize("words", [["--help"], ["games", "--help"], ["jackpot", "staff", "--help"]])
def test_no_help_page_gives_a_flag_a_type(words: list[str], invoke: Invoke) -> None:
    assert "<bool>" not in invoke(*words).out


def test_the_version_is_printed(invoke: Invoke) -> None:
    assert invoke("--version") == (0, f"pitboss {__version__}\n", "")


def test_help_loads_no_game_and_no_kernel() -> None:
    asked = "import sys; from pitboss.cli.app import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    asked_of = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert HEAVY & set(asked_of.stderr.split()) == set()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pars"], "unknown command 'pars': did you mean 'par'? known: games, rules, par"),
        (["par"], "Missing argument 'GAME'; see pitboss par --help"),
        (["par", "six-card", "--pay", "all"], "No such option: --pay"),
        (["par", "six-card", "--bet"], "Option '--bet' requires an argument; see pitboss par --help"),
        (
            ["jackpot", "staff", "add", "--as"],
            "Option '--as' requires an argument; see pitboss jackpot staff add --help",
        ),
        (
            ["simulate", "six-card", "--rounds", "9", "--meter", "25000"],
            "Got unexpected extra argument(s) (25000): --meter takes no value; see pitboss sim",
        ),
        (["games", "six-card"], "Got unexpected extra argument"),
        (["play", "six-card", "--seats", "two"], "--seats: "),
        (["simulate", "six-card", "--rounds", "9", "--pace", "two"], "--pace: "),
        (["jackpot", "open", "two"], "TABLE: "),
        (["--colour"], "No such option: --colour"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(arguments: list[str], says: str, invoke: Invoke) -> None:
    status, out, err = invoke(*arguments)
    assert (status, out) == (BAD_INPUT_STATUS, "")
    assert err.startswith(f"pitboss: {says}")
    assert err.count("\n") == 1


def test_ctrl_c_while_the_program_is_being_loaded_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("pitboss.cli.app.run", interrupted)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 130


@pytest.mark.parametrize(("raised", "status"), [(KeyboardInterrupt, 130), (EOFError, BAD_INPUT_STATUS)])
def test_an_interruption_ends_it_quietly(
    raised: type[BaseException], status: int, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise raised

    monkeypatch.setattr(pitboss.cli.par, "compute_par_sheet", interrupted)
    assert run(["par", "six-card"]) == status
    assert "Traceback" not in invoke("--version").err


def test_a_cache_that_cannot_be_written_is_told_in_one_line(
    tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "file"))
    status, out, err = invoke("par", "wild-52", "--bet", "joker")
    assert (status, out) == (BAD_INPUT_STATUS, "")
    assert err.startswith(f"pitboss: cannot use {tmp_path / 'file'}")
    assert err.count("\n") == 1


def test_a_closed_pipe_ends_it_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "pitboss", "rules", "six-card"],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert ended.stderr == ""
    assert ended.returncode != 0


def test_the_module_runs_as_the_script_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-m", "pitboss", "par", "poker"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (BAD_INPUT_STATUS, "")
    assert refused.stderr.startswith("pitboss: unknown game 'poker': ")
    monkeypatch.setattr(sys, "argv", ["pitboss", "par", "poker"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == BAD_INPUT_STATUS
    assert capsys.readouterr().err == refused.stderr


@pytest.mark.parametrize("arguments", [["games", "--json"], ["rules", "six-card"]])
def test_where_nobody_reads_any_more_it_ends_without_a_word(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    line = [sys.executable, "-m", "pitboss", *arguments]
    ended = subprocess.run(line, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (PIPE_CLOSED_STATUS, "")


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("pitboss ", list(COMMANDS)),
        ("pitboss pa", ["par"]),
        ("pitboss par six", ["six-card"]),
        ("pitboss par six-card --bet ", ["main", "aces-up", "bad-beat", "progressive"]),
        ("pitboss par lunar --bet i", ["instant-cash"]),
        ("pitboss par six-card --paytable SIX", ["SIXCPP-01", "SIXCPP-02"]),
        ("pitboss par six-card --option award_r", ["award_rounding=cent", "award_rounding=dollar"]),
        ("pitboss par poker --bet ", []),
        ("pitboss play six-card --preset ", ["washington"]),
        ("pitboss play six-card --wager prog", ["progressive=1"]),
        ("pitboss play six-card --limit aces", ["aces-up=5-400"]),
        ("pitboss pocket ", list(COMMANDS)),
    ],
)
def test_a_shell_completes_the_line(
    line: str, completed: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_PITBOSS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - (not line.endswith(" "))))
    with pytest.raises(SystemExit):
        run([])
    assert capsys.readouterr().out.split() == completed
