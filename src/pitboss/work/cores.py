"""Pieces on the cores of this machine: a process each, no more at a time than workers."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from threading import Thread
from typing import Any


def on_cores(
    function: Callable[[Any], str], arguments: Sequence[Any], workers: int
) -> Generator[tuple[int, str], None, None]:
    """Yield (place, result) as they are finished; closed early, it ends its processes at once.

    No more than ``workers`` pieces are out at a time.
    """
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_prepared)
    waiting = list(enumerate(arguments))[::-1]
    out: dict[Future[str], int] = {}
    try:
        while waiting or out:
            while waiting and len(out) < workers:
                place, argument = waiting.pop()
                out[executor.submit(function, argument)] = place
            for done in wait(out, return_when=FIRST_COMPLETED).done:
                yield out.pop(done), done.result()
    finally:
        if out:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        executor.shutdown(cancel_futures=True)


def _prepared() -> None:
    """Leave Ctrl-C to the process that asked, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)
