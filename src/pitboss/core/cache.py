"""Where compiled kernels, tables, counts and solutions are kept between runs, in files that name their source.

Numba's own cache keeps serving a kernel after a rule in *another* file has changed, and a count is as stale as the rule
it was made with.  So every name under which something is kept holds a hash of the source that can have made it
(``core.sources``): change a rule and nothing old can be found again.
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
"""How long a file is kept that nothing has used."""

CACHE_KINDS = frozenset(
    "best-play counts hands joint kernels pieces simulated solutions strategies syntax.json".split()
)
"""What lies in the cache's folder, by the first part of its name; whatever else lies there is somebody else's."""

_OLD_LAYOUT = re.compile("[0-9a-f]{16}")  # one folder for each source

_TOUCH_SECONDS = 24 * 3600  # a file that is used is marked so once a day


def cache_root() -> Path:
    """Return the folder of all caches: ``PITBOSS_CACHE``, or the user's cache folder."""
    override = os.environ.get("PITBOSS_CACHE")
    return Path(override) if override else Path(platformdirs.user_cache_dir("pitboss"))


def get_cache_path(name: str) -> Path:
    """Return the file that something is kept in, and mark it as used."""
    path = cache_root() / name
    with contextlib.suppress(OSError):
        if path.stat().st_mtime < time.time() - _TOUCH_SECONDS:
            os.utime(path)
    return path


class CacheUsage(NamedTuple):
    """What is kept of a kind (kernels, counts, solutions ...): how many files, their bytes, when one was last used."""

    kind: str
    files: int
    bytes: int
    used: float


def list_cache_usage() -> list[CacheUsage]:
    """Return what is kept, a line for each kind."""
    found: dict[str, list[os.stat_result]] = {}
    for path in _list_files(cache_root()):
        with contextlib.suppress(FileNotFoundError):  # another process may remove it
            found.setdefault(path.relative_to(cache_root()).parts[0], []).append(path.stat())
    return [
        CacheUsage(kind, len(files), sum(file.st_size for file in files), max(file.st_mtime for file in files))
        for kind, files in sorted(found.items())
    ]


def prune_cache(unused_seconds: float = MAX_UNUSED_SECONDS) -> int:
    """Remove files that nothing has used for so long, and folders that are empty then; return the bytes freed."""
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
    """Yield the files below the cache's folder that are its own."""
    for part in sorted(root.iterdir()) if root.is_dir() else ():
        if part.name in CACHE_KINDS or _OLD_LAYOUT.fullmatch(part.name):
            yield from filter(Path.is_file, sorted(part.rglob("*")) if part.is_dir() else (part,))


@cache
def _prune_once() -> None:
    """Remove what is old, once in a process that keeps something new."""
    prune_cache()


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give a temporary path to write; it takes the place of ``path`` at once, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}{path.suffix}")  # made by who writes it, under his umask
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def get_or_make_text(name: str, make: Callable[[], str]) -> str:
    """Return the text kept under ``name``, made and kept by ``make()`` the first time.

    It is kept under its own hash: one that was damaged or altered is made again.
    """
    text = read_cached_text(name)
    if text is None:
        text = make()
        write_cached_text(name, text)
    return text


def read_cached_text(name: str) -> str | None:
    """Return the text kept under ``name``, None if there is none or it is not what was kept."""
    with contextlib.suppress(FileNotFoundError):
        digest, _, text = get_cache_path(name).read_text(encoding="utf-8", errors="replace").partition("\n")
        if digest == sha256(text.encode()).hexdigest():
            return text
    return None


def write_cached_text(name: str, text: str) -> None:
    """Keep a text under ``name``, which holds a hash of its source: whole or not at all."""
    _prune_once()
    with atomic_write(cache_root() / name) as temporary:
        temporary.write_text(f"{sha256(text.encode()).hexdigest()}\n{text}", encoding="utf-8")
