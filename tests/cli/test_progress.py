"""The progress bar: on a terminal after a second, elsewhere a line now and then."""

import io
import re
import time

import pytest

from pitboss.cli.progress import show_progress
from waiting import PATIENT_SECONDS


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch, patience_seconds: float, at_most: float) -> str:
    """Count until half is shown or time is up, and return what was written."""
    # Here and not in a fixture: pytest sets sys.stderr anew before each phase of a test.
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    with show_progress("hands", patience_seconds) as progress:
        until = time.monotonic() + at_most
        while "50%" not in stderr.getvalue() and time.monotonic() < until:
            progress(1, 2)
            time.sleep(0.02)
    return stderr.getvalue()


def test_a_long_count_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    written = shown(Terminal(), monkeypatch, patience_seconds=0.0, at_most=PATIENT_SECONDS)
    assert "computing hands" in written
    assert "50%" in written


def test_a_short_count_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(Terminal(), monkeypatch, patience_seconds=60.0, at_most=0.1) == ""


def test_a_pipe_is_shown_nothing_for_half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO(), monkeypatch, patience_seconds=0.0, at_most=0.3) == ""


def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.cli.progress.LINE_SECONDS", 0.2)
    log = io.StringIO()
    monkeypatch.setattr("sys.stderr", log)
    with show_progress("hands", 0.0) as progress:
        until = time.monotonic() + PATIENT_SECONDS
        while log.getvalue().count("\n") < 2 and time.monotonic() < until:
            progress(1, 4)
            time.sleep(0.01)
    first, second, *_ = log.getvalue().splitlines()
    assert re.fullmatch(r"computing hands: 25%, 0:\d\d so far, about 0:\d\d left", first)
    assert first.partition(",")[0] == second.partition(",")[0]
