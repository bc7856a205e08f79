"""Whoever waits is told how much of how much is done."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""``progress(done, total)``, called from the thread that asked for the work."""


def silent(_done: int, _total: int) -> None:
    """Tell nobody."""
