"""Runs of independent shards on cores or on a Dask cluster, and their cache.

A shard is a key and the argument of a function call; its result is text, so that it can be cached and sent.  Each
finished shard is cached, whole or not at all, in a cache folder named after the sources that made it.  So the next run
after an interruption continues with every finished shard, and other versions of the sources never use them.

Memory: one process holds as many shards at a time as there are ``workers``, and the texts of all shards.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from pitboss.core.cache import read_cached_text, write_cached_text
from pitboss.core.progress import ProgressCallback, ignore_progress

MAX_WORKERS = 1024
"""The highest number of worker processes: more than any machine has cores."""

ShardFunction = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Shard:
    """An independent part of a computation: its cache key and its argument.

    The key is usable as a file name; the argument is that of the function to run.
    """

    key: str
    argument: Any


@dataclass(frozen=True, slots=True)
class Executor:
    """The place where shards run: processes of this machine, or a cluster.

    ``cluster`` is the address of a cluster's scheduler, "" for ``workers`` processes.
    """

    workers: int = 1
    cluster: str = ""


SERIAL = Executor()
"""An executor that uses only this process; compiled code may still use all cores."""


def count_finished(shards: Sequence[Shard], cache_folder: str) -> int:
    """Return the number of shards that are cached from earlier runs."""
    return sum(read_cached_text(_get_cache_name(cache_folder, shard)) is not None for shard in shards)


def run_shards(
    shards: Sequence[Shard],
    function: ShardFunction,
    cache_folder: str,
    executor: Executor = SERIAL,
    progress: ProgressCallback = ignore_progress,
) -> list[str]:
    """Return ``function(shard.argument)`` for every shard, in order.

    Shards cached from earlier runs are not run again.  ``cache_folder`` is a folder in the cache.  The function and its
    arguments must be picklable if other processes run them.  ``progress(done, total)`` counts shards, cached ones
    included.

    Raises:
        ClusterError: the cluster cannot be reached, or its workers have other sources than this process.
        WorkerError: worker processes of this machine keep dying.
    """
    texts = {shard.key: read_cached_text(_get_cache_name(cache_folder, shard)) for shard in shards}
    left = [shard for shard in shards if texts[shard.key] is None]
    progress(len(shards) - len(left), len(shards))
    arguments = [shard.argument for shard in left]
    with closing(iter_results(function, arguments, executor)) as results:
        for done, (index, text) in enumerate(results, start=len(shards) - len(left) + 1):
            write_cached_text(_get_cache_name(cache_folder, left[index]), text)
            texts[left[index].key] = text
            progress(done, len(shards))
    return [text for text in texts.values() if text is not None]


def iter_results(
    function: ShardFunction, arguments: Sequence[Any], executor: Executor = SERIAL
) -> Generator[tuple[int, str], None, None]:
    """Yield (index of the argument, result) for each, as soon as it is finished.

    Cache nothing.  If closed early, leave no worker running.  Raises as ``run_shards``.
    """
    # What is not used is not loaded: most commands run no shard.
    if executor.cluster and arguments:
        from pitboss.tasks.cluster import run_on_cluster

        yield from run_on_cluster(function, arguments, executor.cluster)
    elif executor.workers > 1 and arguments:
        from pitboss.tasks.cores import run_on_cores

        yield from run_on_cores(function, arguments, executor.workers)
    else:
        for index, argument in enumerate(arguments):
            yield index, function(argument)


def _get_cache_name(cache_folder: str, shard: Shard) -> str:
    return f"{cache_folder}/{shard.key}.json"
