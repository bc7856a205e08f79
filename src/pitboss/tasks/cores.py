"""Pieces on the cores of this machine: a process each, no more at a time than workers."""

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from threading import Thread
from typing import Any

from pitboss.core.errors import WorkerError

_MAX_LOSSES = 3


def run_on_cores(
    function: Callable[[Any], str], arguments: Sequence[Any], workers: int
) -> Generator[tuple[int, str], None, None]:
    """Yield (place, result) as they are finished; closed early, it ends its processes at once.

    No more than ``workers`` pieces are out at a time.  What was out when a worker was lost is done again by new ones.

    Raises:
        WorkerError: workers were lost again and again with the same piece out.
    """
    left, lost = dict(enumerate(arguments)), Counter[int]()
    while left:
        begun = set[int]()
        try:
            with closing(_run_in_pool(function, left, workers, begun)) as found:
                for place, text in found:
                    del left[place]
                    yield place, text
        except BrokenProcessPool:
            lost.update(begun)
            if max(lost.values()) >= _MAX_LOSSES:
                raise WorkerError(
                    f"workers were killed {_MAX_LOSSES} times at the same piece of work, for their memory perhaps: "
                    "give fewer --workers"
                ) from None


def _run_in_pool(
    function: Callable[[Any], str], pending: Mapping[int, Any], workers: int, started: set[int]
) -> Generator[tuple[int, str], None, None]:
    """Do what is left, until a worker is lost; ``started`` then has the places of what was out."""
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_init_worker)
    waiting = list(pending.items())[::-1]
    out: dict[Future[str], int] = {}
    try:
        while waiting or out:
            while waiting and len(out) < workers:
                place, argument = waiting.pop()
                started.add(place)
                out[executor.submit(function, argument)] = place
            for done in wait(out, return_when=FIRST_COMPLETED).done:
                text = done.result()
                started.remove(out[done])
                yield out.pop(done), text
    finally:
        if out:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        executor.shutdown(cancel_futures=True)


def _init_worker() -> None:
    """Leave Ctrl-C to the process that asked, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)
