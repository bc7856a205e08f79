"""What is printed fits a terminal of any width: no name vanishes, no figure is cut."""

import re
from collections import Counter

import pytest
from rich.cells import cell_len

from cli.conftest import Invoke

WIDTHS = (40, 60, 80, 120)

_FIGURE = re.compile(r"(?<!\S)[~(]?[+-]?\$?\d[\d,]*\.\d+%?(?!\S)")
_WORD = re.compile(r"(?<![^\s(])[A-Za-z][a-z-]+(?![^\s,.:;)?])")
_HEADINGS = re.compile(r"^(.*)\n ?─", re.MULTILINE)
_LEFT_OUT = re.compile(r"Widen the window to (\d+) columns for: (.*)")


def check_fits(invoke: Invoke, patch: pytest.MonkeyPatch, *arguments: object, note: str = "") -> str:
    """Run a command in a pipe and in terminals, compare what they say, and return what the pipe is sent.

    A ``note`` explains columns, so it may vanish with them.
    """
    patch.delenv("COLUMNS")
    whole = invoke(*arguments)
    assert whole.status == 0, whole.err
    assert "…" not in whole.out
    for width in WIDTHS:
        patch.setenv("COLUMNS", str(width))
        out = invoke(*arguments).out
        assert "…" not in out
        assert max(map(cell_len, out.splitlines())) <= width
        said = " ".join(out.split())
        figures = set(_FIGURE.findall(out)) - set(_FIGURE.findall(whole.out))
        assert not figures, f"at {width} columns: {figures}"
        headings = Counter(_WORD.findall(" ".join(_HEADINGS.findall(whole.out))))
        vanished = (
            Counter(_WORD.findall(whole.out)) - Counter(_WORD.findall(said)) - headings - Counter(_WORD.findall(note))
        )
        fit = {word for word in vanished if len(word) <= width}  # a longer one stands on two lines
        assert not fit, f"at {width} columns: {fit}"
        for enough, _ in _LEFT_OUT.findall(said):
            assert int(enough) > width
            patch.setenv("COLUMNS", enough)
            assert f"Widen the window to {enough} " not in invoke(*arguments).out
    return whole.out
