"""Shards on a Dask cluster: its workers run them, this process caches them.

It needs the extra ``cluster``.
"""

import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any

from pitboss.core.errors import ClusterError
from pitboss.core.extras import write_install_hint
from pitboss.core.source_hash import hash_package

LOCAL_CLUSTER = "local"
"""The address that starts a temporary cluster on this machine, with a worker process for each core."""

_CONNECT_SECONDS = 10


def run_on_cluster(
    function: Callable[[Any], str], arguments: Sequence[Any], address: str
) -> Generator[tuple[int, str], None, None]:
    """Yield (index, result) as the cluster finishes them.

    ``address`` is that of the scheduler, or ``LOCAL_CLUSTER``.  If a worker is lost, another one repeats its work.

    Raises:
        ClusterError: Dask is not installed, the scheduler cannot be reached, it has no workers, or a worker has
            other sources of pitboss than this process, and so perhaps other rules.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ClusterError(f"--cluster needs Dask: {write_install_hint('cluster')}", code="not-installed") from None
    try:
        if address == LOCAL_CLUSTER:
            with _ignore_ctrl_c():
                client = Client(threads_per_worker=1, dashboard_address=None)
        else:
            client = Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no cluster at {address}: {error}; write the address as tcp://HOST:8786",
            code="no-cluster",
            address=address,
        ) from None
    with client:
        sources = client.run(hash_package)
        if not sources:
            raise ClusterError(
                f"the cluster at {address} has no workers: start one with dask worker {address}",
                code="no-workers",
                address=address,
            )
        for worker, digest in sources.items():
            if digest != hash_package():
                raise ClusterError(
                    f"worker {worker} has another version of pitboss: install this version there",
                    code="other-version",
                    worker=worker,
                )
        futures = {client.submit(function, argument, pure=False): index for index, argument in enumerate(arguments)}
        for done in as_completed(futures):
            yield futures[done], done.result()


@contextmanager
def _ignore_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C while workers start here, and in the workers for good.

    A terminal sends it to them too.
    """
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
