"""The examples of the help pages: each is a line that its command takes, and the quick ones run."""

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Invoke
from pitboss.cli.app import COMMANDS, load_command

_SHOWN = re.compile(r"^ {8}(?:echo \S+ \| )?pitboss ((?:.*\\\n)*.*)", re.MULTILINE)
_SLOW = {
    "jackpot",
    "monitor",
    "play",
    "protect",
    "replay",
    "report",
    "serve",
    "simulate",
    "solve",
    "strategy",
    "verify",
}


def list_docstrings() -> Iterator[str]:
    """Yield what each command, and each command of a group, says of itself."""
    for name in COMMANDS:
        module = import_module(f"pitboss.cli.{name}")
        yield getattr(module, name).__doc__
        if hasattr(module, "app"):
            yield from (each.callback.__doc__ or "" for each in module.app.registered_commands)
    yield import_module("pitboss.cli.app").pitboss.__doc__


EXAMPLES = list(
    dict.fromkeys(
        tuple(shlex.split(re.split(r" [|>&]", line.replace("\\\n", " "))[0]))
        for text in list_docstrings()
        for line in _SHOWN.findall(text)
    )
)


def find_command(words: tuple[str, ...]) -> tuple[Any, list[str]]:
    """Return the command that words name, in a group or not, and its own words."""
    command, rest = load_command(words[0]), list(words[1:])
    while hasattr(command, "commands") and rest:
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_each_example_is_a_line_that_its_command_takes(words: tuple[str, ...]) -> None:
    command, rest = find_command(words)
    assert command.make_context(words[0], rest).command is command


def is_quick(words: tuple[str, ...]) -> bool:
    """Tell whether an example needs no file, and no best play of a large game."""
    return words[0] not in _SLOW and not re.search(r"\.toml|--with|lunar (?!\|)|prune", " ".join(words))


@pytest.mark.parametrize("words", [each for each in EXAMPLES if is_quick(each)], ids=" ".join)
def test_each_quick_example_runs(
    words: tuple[str, ...], invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = invoke(*words)
    assert (status, err) == (0, "")
    assert "has this edge; the nearest" not in out
    assert [line for line in out.splitlines() if len(line) > 80] == [] or {"--json", "--toml"} & {*words}


def test_no_example_is_wrapped_at_80_columns() -> None:
    lines = [line.strip() for text in list_docstrings() for line in text.splitlines() if line.startswith("        ")]
    assert [line for line in lines if len(line) > 76] == []
