"""Pieces on a Dask cluster: its workers run them, this process keeps them (needs the extra ``cluster``)."""

import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any

from pitboss.core.errors import ClusterError
from pitboss.core.source_hash import hash_package

LOCAL_CLUSTER = "local"
"""The address of a cluster that is started here for as long as it takes, a worker process for each core."""

_CONNECT_SECONDS = 10


def run_on_cluster(
    function: Callable[[Any], str], arguments: Sequence[Any], address: str
) -> Generator[tuple[int, str], None, None]:
    """Yield (place, result) as the cluster at ``address``, or ``LOCAL_CLUSTER``, finishes them.

    What a worker had begun that is lost is done again by another.

    Raises:
        ClusterError: Dask is not installed, the scheduler cannot be reached, it has no workers, or one of them has
            another source of pitboss than this process, and so other rules.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ClusterError("--cluster needs Dask: install pitboss[cluster]") from None
    try:
        if address == LOCAL_CLUSTER:
            with _ignore_ctrl_c():
                client = Client(threads_per_worker=1, dashboard_address=None)
        else:
            client = Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no cluster at {address}: {error}; write tcp://HOST:8786") from None
    with client:
        sources = client.run(hash_package)
        if not sources:
            raise ClusterError(f"the cluster at {address} has no workers: start one with dask worker {address}")
        for worker, source in sources.items():
            if source != hash_package():
                raise ClusterError(f"worker {worker} has another source of pitboss: install this one there")
        futures = {client.submit(function, argument, pure=False): place for place, argument in enumerate(arguments)}
        for done in as_completed(futures):
            yield futures[done], done.result()


@contextmanager
def _ignore_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C while workers are started here, and in them for good: a terminal would send it to them too."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
