"""Whoever waits is told how much of how much is done."""

from collections.abc import Callable

ProgressCallback = Callable[[int, int], None]
"""``progress(done, total)``, called from the thread that asked for the work."""


def ignore_progress(_done: int, _total: int) -> None:
    """Tell nobody."""
