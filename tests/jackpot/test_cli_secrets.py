"""No secret of a person is on a command line, and one that is not text is refused in words."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pitboss.cli import jackpot as commands

SECRETS = ("code", "session", "password", "token", "secret", "totp")


def options(command: Any, *path: str) -> Iterator[tuple[str, str]]:
    """Find the options of all commands."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from options(inner, *path, name)
    for parameter in command.params:
        yield " ".join(path), str(parameter.name)


def test_no_command_of_the_jackpot_takes_a_secret_on_its_command_line() -> None:
    found = [
        (command, name)
        for command, name in options(typer.main.get_command(commands.app))
        if any(secret in name for secret in SECRETS)
    ]
    assert found == []


@pytest.mark.more
@pytest.mark.parametrize("way", ["piped", "PITBOSS_PASSWORD"])
def test_a_password_that_is_not_text_is_refused(tmp_path: Path, way: str) -> None:
    words = [sys.executable, "-m", "pitboss", "jackpot"]
    codes = {f"PITBOSS_FIRST_CODE_{number}": f"correct horse battery {number}" for number in (1, 2)}
    env = {**os.environ, **codes, "PITBOSS_LEDGER": str(tmp_path / "ledger.db"), "PYTHONUTF8": "1"}
    made = [*words, "init", "--executive", "eve", "--executive", "max"]
    subprocess.run(made, env=env, check=True, capture_output=True)
    raw = {os.fsencode(name): os.fsencode(value) for name, value in env.items()}
    raw |= {b"PITBOSS_PASSWORD": b"caf\xe9 caf\xe9 caf\xe9"} if way != "piped" else {}
    asked = subprocess.run(
        [*words, "staff", "list", "--as", "eve"],
        check=False,
        env=raw,
        input=b"caf\xe9 caf\xe9\n123456\n",
        capture_output=True,
    )
    assert (asked.returncode, asked.stderr) == (2, b"pitboss: the password is not UTF-8 text: type it in UTF-8\n")
