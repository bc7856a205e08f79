"""A progress bar on stderr for work that takes longer than a second."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

BAR_DELAY_SECONDS = 1.0


@contextmanager
def show_progress(
    what: str, delay_seconds: float = BAR_DELAY_SECONDS, rate_unit: str = ""
) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback ``(done, total)`` that shows the progress.

    A bar appears on the terminal after ``delay_seconds``.  With ``rate_unit`` it also shows how many are done a second.
    """
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

    console = Console(stderr=True)
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        Speed(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task(f"counting {what}", total=None)
    timer = Timer(delay_seconds, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
