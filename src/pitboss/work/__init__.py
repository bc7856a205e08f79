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

from pitboss.core.cache import keep, read_kept
from pitboss.core.progress import Progress, silent
from pitboss.work.cluster import on_cluster
from pitboss.work.cores import on_cores

Function = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of work: the key it is kept under, fit for a file's name, and what the function is called with."""

    key: str
    argument: Any


@dataclass(frozen=True, slots=True)
class Crew:
    """Who works: so many processes of this machine, or the cluster whose scheduler listens at ``cluster``."""

    workers: int = 1
    cluster: str = ""


ALONE = Crew()
"""This process and no other; what is compiled may still use all cores."""


def finished(pieces: Sequence[Piece], keep_in: str) -> int:
    """Return how many of the pieces are kept from earlier runs."""
    return sum(read_kept(_name(keep_in, piece)) is not None for piece in pieces)


def run(
    pieces: Sequence[Piece], function: Function, keep_in: str, crew: Crew = ALONE, progress: Progress = silent
) -> list[str]:
    """Return ``function(piece.argument)`` of every piece, in their order; pieces kept from earlier runs are not run.

    ``keep_in`` is a folder of the cache.  Function and arguments must be such as can be pickled where others work.
    ``progress(done, total)`` counts pieces, kept ones too.

    Raises:
        ClusterError: the cluster cannot be reached, or its workers have another source than this process.
        WorkerError: workers of this machine are lost again and again.
    """
    texts = {piece.key: read_kept(_name(keep_in, piece)) for piece in pieces}
    left = [piece for piece in pieces if texts[piece.key] is None]
    progress(len(pieces) - len(left), len(pieces))
    arguments = [piece.argument for piece in left]
    with closing(results_of(function, arguments, crew)) as found:
        for done, (place, text) in enumerate(found, start=len(pieces) - len(left) + 1):
            keep(_name(keep_in, left[place]), text)
            texts[left[place].key] = text
            progress(done, len(pieces))
    return [text for text in texts.values() if text is not None]


def results_of(
    function: Function, arguments: Sequence[Any], crew: Crew = ALONE
) -> Generator[tuple[int, str], None, None]:
    """Yield the place of each argument and what the function makes of it, in the order in which they are finished.

    Nothing is kept.  Closed early it leaves nobody at work; raises as ``run``.
    """
    if crew.cluster and arguments:
        yield from on_cluster(function, arguments, crew.cluster)
    elif crew.workers > 1 and arguments:
        yield from on_cores(function, arguments, crew.workers)
    else:
        for place, argument in enumerate(arguments):
            yield place, function(argument)


def _name(keep_in: str, piece: Piece) -> str:
    return f"{keep_in}/{piece.key}.json"
