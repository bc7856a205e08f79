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
from pitboss.tasks.fork_server import prepare_fork_server, set_up_fork

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
    context = prepare_fork_server()
    executor = ProcessPoolExecutor(workers, context, initializer=_init_worker, initargs=(dict(os.environ),))
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


def _init_worker(environment: Mapping[str, str]) -> None:
    """Take the parent's environment, and leave Ctrl-C to it.

    Exit when the parent process ends in any way.
    """
    set_up_fork(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)
