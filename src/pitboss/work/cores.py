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

_MOST_LOSSES = 3


def on_cores(
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
            with closing(_by_a_pool(function, left, workers, begun)) as found:
                for place, text in found:
                    del left[place]
                    yield place, text
        except BrokenProcessPool:
            lost.update(begun)
            if max(lost.values()) >= _MOST_LOSSES:
                raise WorkerError(
                    f"workers were killed {_MOST_LOSSES} times at the same piece of work, for their memory perhaps: "
                    "give fewer --workers"
                ) from None


def _by_a_pool(
    function: Callable[[Any], str], left: Mapping[int, Any], workers: int, begun: set[int]
) -> Generator[tuple[int, str], None, None]:
    """Do what is left, until a worker is lost; ``begun`` then has the places of what was out."""
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_prepared)
    waiting = list(left.items())[::-1]
    out: dict[Future[str], int] = {}
    try:
        while waiting or out:
            while waiting and len(out) < workers:
                place, argument = waiting.pop()
                begun.add(place)
                out[executor.submit(function, argument)] = place
            for done in wait(out, return_when=FIRST_COMPLETED).done:
                text = done.result()
                begun.remove(out[done])
                yield out.pop(done), text
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
