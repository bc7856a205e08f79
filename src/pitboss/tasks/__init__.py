"""Runs independent pieces on cores or on a Dask cluster, keeps each finished piece, and resumes.

A piece is a key and what a function is called with; its result is text, so that it can be kept and sent.  Finished
pieces are kept one by one, each whole or not at all, in the cache folder of the source that made them: whatever kills
a run, and whenever, the next takes up every piece that was finished, and no other source ever does.

Memory: one process holds as many pieces at a time as there are ``workers``, and the texts of all.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from pitboss.core.cache import read_cached_text, write_cached_text
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.tasks.cluster import run_on_cluster
from pitboss.tasks.cores import run_on_cores

ShardFunction = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Shard:
    """A piece of work: the key it is kept under, fit for a file's name, and what the function is called with."""

    key: str
    argument: Any


@dataclass(frozen=True, slots=True)
class Executor:
    """Who works: so many processes of this machine, or the cluster whose scheduler listens at ``cluster``."""

    workers: int = 1
    cluster: str = ""


SERIAL = Executor()
"""This process and no other; what is compiled may still use all cores."""


def count_finished(shards: Sequence[Shard], cache_folder: str) -> int:
    """Return how many of the pieces are kept from earlier runs."""
    return sum(read_cached_text(_get_cache_name(cache_folder, piece)) is not None for piece in shards)


def run_shards(
    shards: Sequence[Shard],
    function: ShardFunction,
    cache_folder: str,
    executor: Executor = SERIAL,
    progress: ProgressCallback = ignore_progress,
) -> list[str]:
    """Return ``function(piece.argument)`` of every piece, in their order; pieces kept from earlier runs are not run.

    ``cache_folder`` is a folder of the cache.  Function and arguments must be such as can be pickled where others work.
    ``progress(done, total)`` counts pieces, kept ones too.

    Raises:
        ClusterError: the cluster cannot be reached, or its workers have another source than this process.
        WorkerError: workers of this machine are lost again and again.
    """
    texts = {piece.key: read_cached_text(_get_cache_name(cache_folder, piece)) for piece in shards}
    left = [piece for piece in shards if texts[piece.key] is None]
    progress(len(shards) - len(left), len(shards))
    arguments = [piece.argument for piece in left]
    with closing(iter_results(function, arguments, executor)) as found:
        for done, (place, text) in enumerate(found, start=len(shards) - len(left) + 1):
            write_cached_text(_get_cache_name(cache_folder, left[place]), text)
            texts[left[place].key] = text
            progress(done, len(shards))
    return [text for text in texts.values() if text is not None]


def iter_results(
    function: ShardFunction, arguments: Sequence[Any], executor: Executor = SERIAL
) -> Generator[tuple[int, str], None, None]:
    """Yield the place of each argument and what the function makes of it, in the order in which they are finished.

    Nothing is kept.  Closed early it leaves nobody at work; raises as ``run``.
    """
    if executor.cluster and arguments:
        yield from run_on_cluster(function, arguments, executor.cluster)
    elif executor.workers > 1 and arguments:
        yield from run_on_cores(function, arguments, executor.workers)
    else:
        for place, argument in enumerate(arguments):
            yield place, function(argument)


def _get_cache_name(cache_folder: str, shard: Shard) -> str:
    return f"{cache_folder}/{shard.key}.json"
