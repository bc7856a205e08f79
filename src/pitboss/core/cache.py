"""Where compiled kernels, tables and counts are kept between runs.

Numba's own cache keeps serving a kernel after a rule in *another* file has changed, and a count is as
stale as the rule it was made with.  So everything kept lies in a folder named by a hash of the source that
can have made it: change a line of that anywhere and nothing old can be found again.
"""

import contextlib
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent.parent
_KEEP_SECONDS = 14 * 24 * 3600

UPPER_FLOORS = frozenset({"cli", "env", "jackpot", "ledger", "reports", "table", "web"})
"""The packages that only use what is kept: no floor below may import them (pyproject.toml), so they are not hashed."""


def _source_folders() -> list[Path]:
    """Return the folders whose source can change a count: the package, and those a designer's games are found in."""
    return [_PACKAGE, *(Path(folder) for folder in os.environ.get("PITBOSS_GAMES", "").split(os.pathsep) if folder)]


@cache
def source_hash() -> str:
    """Return 16 hexadecimal digits that change with any source file that a kept result can depend on.

    That is every file of the package but those of ``UPPER_FLOORS``, and of games found elsewhere; Numba's and numpy's
    versions count too.  Pay tables do not: editing a pay never changes a count (ALL-8).
    """
    digest = sha256()
    for name in ("numba", "numpy"):
        with contextlib.suppress(PackageNotFoundError):
            digest.update(f"{name} {version(name)}\n".encode())
    for folder in _source_folders():
        for path in sorted(folder.rglob("*.py")):
            inside = path.relative_to(folder)
            if folder != _PACKAGE or inside.parts[0] not in UPPER_FLOORS:
                digest.update(inside.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder of all caches: ``PITBOSS_CACHE``, or the user's cache folder."""
    override = os.environ.get("PITBOSS_CACHE")
    return Path(override) if override else Path(platformdirs.user_cache_dir("pitboss"))


@cache
def cache_folder() -> Path:
    """Return this source's own folder, made if need be; folders of old sources are pruned then."""
    folder = cache_root() / source_hash()
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        _prune(folder)
    return folder


def _prune(current: Path) -> None:
    """Remove folders of other sources that nothing has touched for two weeks."""
    oldest = time.time() - _KEEP_SECONDS
    for folder in current.parent.iterdir():
        with contextlib.suppress(OSError):
            if folder.is_dir() and folder != current and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a temporary path to write; it takes the place of ``path`` at once, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}{path.suffix}")  # made by who writes it, under his umask
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def kept_text(name: str, make: Callable[[], str]) -> str:
    """Return the text kept under ``name`` for this source, made and kept by ``make()`` the first time.

    It is kept under its own hash: one that was damaged or altered is made again.
    """
    text = read_kept(name)
    if text is None:
        text = make()
        keep(name, text)
    return text


def read_kept(name: str) -> str | None:
    """Return the text kept under ``name`` for this source, None if there is none or it is not what was kept."""
    with contextlib.suppress(FileNotFoundError):
        digest, _, text = (cache_folder() / name).read_text(encoding="utf-8", errors="replace").partition("\n")
        if digest == sha256(text.encode()).hexdigest():
            return text
    return None


def keep(name: str, text: str) -> None:
    """Keep a text under ``name`` for this source, whole or not at all."""
    with written_whole(cache_folder() / name) as temporary:
        temporary.write_text(f"{sha256(text.encode()).hexdigest()}\n{text}", encoding="utf-8")
