"""The callback by which long work reports its progress."""

from collections.abc import Callable

ProgressCallback = Callable[[int, int], None]
"""``progress(done, total)``, called from the thread that asked for the work."""


def ignore_progress(_done: int, _total: int) -> None:
    """Do nothing."""
