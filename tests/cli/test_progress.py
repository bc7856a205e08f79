"""The progress bar: on a terminal after a second, elsewhere a line now and then."""

import io
import re
import time
from itertools import count

import pytest

from pitboss.cli.progress import _start_lines, show_progress
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
        for done in count(1):
            if log.getvalue().count("\n") == 2 or time.monotonic() > until:
                break
            progress(done, 10**6)
            time.sleep(0.01)
    first, second, *_ = log.getvalue().splitlines()
    assert re.fullmatch(r"computing hands: 0%, 0:\d\d so far, about \d+:\d\d left", first)
    assert first.partition(",")[0] == second.partition(",")[0]


def test_the_time_left_is_at_the_pace_since_the_first_part_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it kernels are compiled: 100 s, then a part of a hundred each second."""
    clock, log = iter([0.0, 100.0, 101.0, 110.0]), io.StringIO()
    monkeypatch.setattr("pitboss.cli.progress.time.monotonic", lambda: next(clock))
    monkeypatch.setattr("sys.stderr", log)
    monkeypatch.setattr("pitboss.cli.progress.LINE_SECONDS", 5)
    update = _start_lines("counting hands")
    for done in (1, 2, 11):
        update(done, 100)
    assert log.getvalue().splitlines() == [
        "counting hands: 1%, 1:40 so far",
        "counting hands: 11%, 1:50 so far, about 1:29 left",
    ]
