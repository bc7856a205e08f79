"""Whoever follows the first pages or a tutorial sees what it shows: every block runs, in order, in one folder."""

import contextlib
import io
import re
import sys
from code import InteractiveInterpreter
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.console import NOT_RUN as NEVER_RUN
from docs.console import assert_shown, run_console

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "index.md", DOCS / "quick-start.md", *sorted((DOCS / "tutorials").glob("*.md"))]
BLOCK = re.compile(r"^```(?:\{code-block\} )?(\w+)\n(?::caption: (\S+)\n\n)?(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = "# not run here\n"
SILENT = "pitboss report"
"""A lengthy command whose output no page shows; ``tests/reports`` writes reports too."""


class Reader(InteractiveInterpreter):
    """A person who types the blocks of a page, and stops at an error."""

    def showtraceback(self) -> None:
        error = sys.exception()
        assert error is not None
        raise error


def list_blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the language, the file name and the text of each block."""
    yield from BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.parametrize("not_run", [(*NEVER_RUN, SILENT), pytest.param(NEVER_RUN, marks=pytest.mark.long)])
def test_every_block_of_the_page_runs_as_shown(
    page: Path, not_run: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reader, printed = Reader(), io.StringIO()
    for language, name, text in list_blocks(page):
        if name:
            (tmp_path / name).write_text(text, encoding="utf-8")
        elif language == "console":
            run_console(text, tmp_path, not_run=not_run)
        elif language == "python" and not text.startswith(NOT_RUN):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                reader.runcode(compile(text, page.name, "exec"))
        elif language == "text":
            assert_shown(text, printed.getvalue(), page.name)
