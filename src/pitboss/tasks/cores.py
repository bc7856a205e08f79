"""Shards on the cores of this machine, in as many processes as there are workers."""

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
    """Yield (index, result) as they finish.

    If closed early, end the processes at once.  At most ``workers`` shards run at a time.  If a worker is lost, new
    workers repeat the shards that were running.

    Raises:
        WorkerError: workers were lost several times while the same shard was running.
    """
    left, losses = dict(enumerate(arguments)), Counter[int]()
    while left:
        running = set[int]()
        try:
            with closing(_run_in_pool(function, left, workers, running)) as results:
                for index, text in results:
                    del left[index]
                    yield index, text
        except BrokenProcessPool:
            losses.update(running)
            if max(losses.values()) >= _MAX_LOSSES:
                raise WorkerError(
                    f"workers were killed {_MAX_LOSSES} times at the same part of the work, perhaps because memory "
                    "ran out: give fewer --workers",
                    code="workers-killed",
                    most=_MAX_LOSSES,
                ) from None


def _run_in_pool(
    function: Callable[[Any], str], pending: Mapping[int, Any], workers: int, started: set[int]
) -> Generator[tuple[int, str], None, None]:
    """Run the pending shards until a worker is lost.

    ``started`` then has the indices of those that were running.
    """
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_init_worker)
    waiting = list(pending.items())[::-1]
    futures: dict[Future[str], int] = {}
    try:
        while waiting or futures:
            while waiting and len(futures) < workers:
                index, argument = waiting.pop()
                started.add(index)
                futures[executor.submit(function, argument)] = index
            for done in wait(futures, return_when=FIRST_COMPLETED).done:
                text = done.result()
                started.remove(futures[done])
                yield futures.pop(done), text
    finally:
        if futures:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        executor.shutdown(cancel_futures=True)


def _init_worker() -> None:
    """Ignore Ctrl-C, and exit when the parent process ends in any way.

    The parent handles Ctrl-C.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)
