"""A progress bar on stderr for work that takes longer than a second.

Where stderr is not a terminal, a line every half a minute.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer

import typer

from pitboss.core.progress import ProgressCallback

BAR_DELAY_SECONDS = 1.0
LINE_SECONDS = 30.0


@contextmanager
def show_progress(
    what: str, delay_seconds: float = BAR_DELAY_SECONDS, rate_unit: str = "", verb: str = "computing"
) -> Iterator[ProgressCallback]:
    """Yield a callback ``(done, total)`` that shows the progress.

    A bar appears on the terminal after ``delay_seconds``.  With ``rate_unit`` it also shows how many are done a second.
    A log file or a pipe gets a line every ``LINE_SECONDS``.
    """
    update: ProgressCallback | None = None
    stop: Callable[[], None] | None = None
    reported: tuple[int, int | None] = 0, None
    lock = Lock()

    def start() -> None:
        nonlocal update, stop
        with lock:
            update, stop = _start_bar(f"{verb} {what}", rate_unit, *reported)

    def report(done: int, total: int) -> None:
        nonlocal reported
        with lock:
            reported = done, total
            if update:
                update(done, total)

    timer = Timer(delay_seconds, start)
    timer.daemon = True
    timer.start()
    try:
        yield report
    finally:
        timer.cancel()
        timer.join()
        if stop:
            stop()


def _start_lines(text: str) -> ProgressCallback:
    """Return a callback that writes a line of progress every ``LINE_SECONDS``.

    The time left is that at the pace since the first part was done: before it, kernels are compiled.
    """
    started = written = time.monotonic()
    first: tuple[float, int] | None = None

    def update(done: int, total: int) -> None:
        nonlocal first, written
        now = time.monotonic()
        if done and first is None:
            first = now, done
        if now - written >= LINE_SECONDS and total:
            written = now
            pace = (now - first[0]) / (done - first[1]) if first and done > first[1] else 0
            left = f", about {_format_time(pace * (total - done))} left" if pace else ""
            typer.echo(f"{text}: {done / total:.0%}, {_format_time(now - started)} so far{left}", err=True)

    return update


def _format_time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _start_bar(text: str, rate_unit: str, done: int, total: int | None) -> tuple[ProgressCallback, Callable[[], None]]:
    """Start a bar, or lines where stderr is not a terminal.

    Return the functions that move and remove it.

    The bar's library is loaded here: most commands end before a bar is needed.
    """
    if not sys.stderr.isatty():
        return _start_lines(text), lambda: None
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

    bar = Progress(
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
    task = bar.add_task(text, completed=done, total=total)
    bar.start()
    return lambda done, total: bar.update(task, completed=done, total=total), bar.stop
