"""A progress bar on stderr for work that takes longer than a second.

Where stderr is no terminal, a line every half a minute.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Protocol

import typer

BAR_DELAY_SECONDS = 1.0
LINE_SECONDS = 30.0


@contextmanager
def show_progress(
    what: str, delay_seconds: float = BAR_DELAY_SECONDS, rate_unit: str = ""
) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback ``(done, total)`` that shows the progress.

    A bar appears on the terminal after ``delay_seconds``.  With ``rate_unit`` it also shows how many are done a second.
    A log file or a pipe gets a line every ``LINE_SECONDS``.
    """
    bar: _Bar | None = None
    reported: tuple[int, int | None] = 0, None
    lock = Lock()

    def start() -> None:
        nonlocal bar
        with lock:
            bar = _start_bar(f"counting {what}", rate_unit, *reported)

    def report(done: int, total: int) -> None:
        nonlocal reported
        with lock:
            reported = done, total
            if bar:
                bar.update(done, total)

    timer = Timer(delay_seconds, start)
    timer.daemon = True
    timer.start()
    try:
        yield report
    finally:
        timer.cancel()
        timer.join()
        if bar:
            bar.stop()


class _Bar(Protocol):
    """A bar on the terminal, or lines in a log."""

    def update(self, done: int, total: int) -> None:
        """Show how many of ``total`` are done."""

    def stop(self) -> None:
        """Remove the bar."""


class _Lines:
    """Lines that say how far the work is, one every ``LINE_SECONDS``."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._started = self._written = time.monotonic()

    def update(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._written >= LINE_SECONDS and total:
            self._written = now
            spent = now - self._started
            left = f", about {_format_time(spent * (total - done) / done)} left" if done else ""
            typer.echo(f"{self._text}: {done / total:.0%}, {_format_time(spent)} so far{left}", err=True)

    def stop(self) -> None:
        """Leave the lines."""


def _format_time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _start_bar(text: str, rate_unit: str, done: int, total: int | None) -> _Bar:
    """Start a bar, or lines where stderr is no terminal.

    The bar's library is loaded here: most commands end before a bar is needed.
    """
    if not sys.stderr.isatty():
        return _Lines(text)
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        Task,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Speed(ProgressColumn):
        """The column with the rate a second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} {rate_unit}/s" if task.speed and rate_unit else "")

    class _TaskBar:
        """The bar, which has one task."""

        def __init__(self) -> None:
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                TaskProgressColumn(),
                Speed(),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._progress.add_task(text, completed=done, total=total)
            self._progress.start()

        def update(self, done: int, total: int) -> None:
            self._progress.update(self._task, completed=done, total=total)

        def stop(self) -> None:
            self._progress.stop()

    return _TaskBar()
