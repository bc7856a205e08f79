"""The cache of kernels, tables, counts and solutions between runs.

Files are named after the source that made them.

Numba's own cache still returns a kernel after a rule in *another* file has changed, and a count is as stale as the rule
that made it.  So every name in this cache contains a hash of the sources that its content depends on
(``core.source_hash``): after a change to a rule, nothing old is found.
"""

import contextlib
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import platformdirs

MAX_UNUSED_SECONDS = 14 * 24 * 3600
"""How long the cache keeps a file that nothing uses."""

CACHE_KINDS = frozenset(
    "best-play counts hands joint kernels pieces simulated solutions strategies syntax.json".split()
)
"""The first parts of the names of cached files; any other file in the folder belongs to something else."""

_OLD_LAYOUT = re.compile("[0-9a-f]{16}")  # it had a folder for each source

_TOUCH_SECONDS = 24 * 3600  # a file in use is touched once a day


def cache_root() -> Path:
    """Return the folder of all caches: ``PITBOSS_CACHE``, or the user's cache folder."""
    override = os.environ.get("PITBOSS_CACHE")
    return Path(override) if override else Path(platformdirs.user_cache_dir("pitboss"))


def get_cache_path(name: str) -> Path:
    """Return the path of a cached file, and mark the file as used."""
    path = cache_root() / name
    with contextlib.suppress(OSError):
        if path.stat().st_mtime < time.time() - _TOUCH_SECONDS:
            os.utime(path)
    return path


class CacheUsage(NamedTuple):
    """The usage of one kind of file: how many, their bytes, and their last use.

    A kind is kernels, counts, solutions ...
    """

    kind: str
    files: int
    bytes: int
    used: float


def list_cache_usage() -> list[CacheUsage]:
    """Return the usage of the cache, one entry for each kind."""
    stats: dict[str, list[os.stat_result]] = {}
    for path in _list_files(cache_root()):
        with contextlib.suppress(FileNotFoundError):  # another process may remove it
            stats.setdefault(path.relative_to(cache_root()).parts[0], []).append(path.stat())
    return [
        CacheUsage(kind, len(files), sum(file.st_size for file in files), max(file.st_mtime for file in files))
        for kind, files in sorted(stats.items())
    ]


def prune_cache(unused_seconds: float = MAX_UNUSED_SECONDS) -> int:
    """Remove files unused for ``unused_seconds``; return the bytes freed.

    Folders left empty are removed too.
    """
    root, oldest, freed = cache_root(), time.time() - unused_seconds, 0
    for path in _list_files(root):
        with contextlib.suppress(OSError):
            file = path.stat()
            if file.st_mtime > oldest:
                continue
            path.unlink()
            freed += file.st_size
            for folder in path.parents[: len(path.relative_to(root).parts) - 1]:
                folder.rmdir()  # fails while something is in it
    return freed


def _list_files(root: Path) -> Iterator[Path]:
    """Yield the files in the cache folder that belong to the cache."""
    for part in sorted(root.iterdir()) if root.is_dir() else ():
        if part.name in CACHE_KINDS or _OLD_LAYOUT.fullmatch(part.name):
            yield from filter(Path.is_file, sorted(part.rglob("*")) if part.is_dir() else (part,))


@cache
def _prune_once() -> None:
    """Remove old files, once in each process that writes to the cache."""
    prune_cache()


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write, which then replaces ``path`` in one step.

    After an error ``path`` is left as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}{path.suffix}")  # the caller creates it, with the user's umask
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def get_or_make_text(name: str, make: Callable[[], str]) -> str:
    """Return the text cached under ``name``; make and cache it if there is none.

    The file starts with a hash of the text, so a damaged or altered text is made again.
    """
    text = read_cached_text(name)
    if text is None:
        text = make()
        write_cached_text(name, text)
    return text


def read_cached_text(name: str) -> str | None:
    """Return the text cached under ``name``, None if there is none.

    A damaged or altered text counts as none.
    """
    with contextlib.suppress(FileNotFoundError):
        digest, _, text = get_cache_path(name).read_text(encoding="utf-8", errors="replace").partition("\n")
        if digest == sha256(text.encode()).hexdigest():
            return text
    return None


def write_cached_text(name: str, text: str) -> None:
    """Cache a text under ``name``, whole or not at all.

    The name contains a hash of the text's source.
    """
    _prune_once()
    with atomic_write(cache_root() / name) as temporary:
        temporary.write_text(f"{sha256(text.encode()).hexdigest()}\n{text}", encoding="utf-8")
