"""Whoever follows the first pages or a tutorial sees what it shows: every block runs, in order, in one folder."""

import contextlib
import io
import os
import re
import subprocess
import sys
from code import InteractiveInterpreter
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "index.md", DOCS / "quick-start.md", *sorted((DOCS / "tutorials").glob("*.md"))]
BLOCK = re.compile(r"^```(?:\{code-block\} )?(\w+)\n(?::caption: (\S+)\n\n)?(.*?)^```$", re.MULTILINE | re.DOTALL)
ELLIPSIS, NOT_RUN = "...", "# not run here\n"


class Reader(InteractiveInterpreter):
    """A person who types the blocks of a page, and stops at an error."""

    def showtraceback(self) -> None:
        error = sys.exception()
        assert error is not None
        raise error


def list_blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the language, the file name and the text of each block."""
    yield from BLOCK.findall(page.read_text(encoding="utf-8"))


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


def run_console(text: str, folder: Path) -> None:
    """Run each command of a block, and compare what stands below it."""
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        words = re.sub(r"\bpitboss\b", f"{sys.executable} -m pitboss", command, count=1)
        if command.startswith(("pip ", "make ")):
            continue
        environment = {**os.environ, "COLUMNS": "100", "XDG_DATA_HOME": str(folder / "data")}
        done = subprocess.run(
            ["/bin/sh", "-c", words], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        if shown:
            assert_shown(shown, done.stdout, command)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_of_the_page_runs_as_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reader, printed = Reader(), io.StringIO()
    for language, name, text in list_blocks(page):
        if name:
            (tmp_path / name).write_text(text, encoding="utf-8")
        elif language == "console":
            run_console(text, tmp_path)
        elif language == "python" and not text.startswith(NOT_RUN):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                reader.runcode(compile(text, page.name, "exec"))
        elif language == "text":
            assert_shown(text, printed.getvalue(), page.name)
