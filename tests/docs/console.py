"""Run the commands of a page, and compare what the page shows with what they print."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ELLIPSIS = "..."
NOT_RUN = ("pip ", "make ")


def squeeze(text: str) -> list[str]:
    """Return the lines that are not empty, without trailing blanks and colour."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def assert_shown(shown: str, printed: str, where: str) -> None:
    """Check that a page shows what was printed; ``...`` stands for any lines."""
    parts = [squeeze(part) for part in f"\n{shown}".split(f"\n{ELLIPSIS}\n")]
    lines, at = squeeze(printed), 0
    for number, part in enumerate(parts):
        places = [place for place in range(at, len(lines) - len(part) + 1) if lines[place : place + len(part)] == part]
        assert places, f"{where} prints\n{printed}"
        assert number or places[0] == 0, f"{where} prints more before\n{part}"
        at = places[0] + len(part)
    assert not parts[-1] or lines[-len(parts[-1]) :] == parts[-1], f"{where} prints more\n{printed}"


def run_console(
    text: str,
    folder: Path,
    others: Mapping[str, str] | None = None,
    answers: str = "",
    not_run: tuple[str, ...] = NOT_RUN,
) -> None:
    """Run each command of a block, and compare what stands below it.

    ``others`` are further environment variables, ``answers`` what is typed.
    """
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        words = re.sub(r"\bpitboss\b", f"{sys.executable} -m pitboss", command, count=1)
        if command.startswith(not_run):
            continue
        environment = {**os.environ, "COLUMNS": "100", "XDG_DATA_HOME": str(folder / "data"), **(others or {})}
        done = subprocess.run(
            ["/bin/sh", "-c", words],
            cwd=folder,
            env=environment,
            input=answers,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        if shown:
            assert_shown(shown, done.stdout, command)
