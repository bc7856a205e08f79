"""A cache of compiled kernels on disk, by a hash of their source.

Each kernel is in its own file.  Numba's own cache goes by the time stamp of one file and by the pickled bytes of what a
kernel closes over.  So it compiles again after an edited comment, again when the same source was loaded from bytecode,
and not at all after a rule in another file has changed.  Here the source counts (``core.source_hash.hash_sources``),
and what a kernel closes over is described by name and value.
"""

import contextlib
import pickle
import sys
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, NullCache
from numba.core.serialize import dumps
from numba.core.types.containers import BaseNamedTuple

from pitboss.core.cache import atomic_write, get_cache_path
from pitboss.core.source_hash import collect_modules, hash_sources, stable_repr

_COMPILER = "pitboss.kernels.compile"
_VERSION = f"{numba.__version__} {sys.version_info.major}.{sys.version_info.minor}"


class _KernelSerializer(CompileResultCacheImpl):
    """A serializer of compiled kernels as Numba's, without a cache folder."""

    def __init__(self) -> None:
        """Skip the base class's set-up, which would locate a cache folder for a function."""


class KernelCache(NullCache):
    """The cached code of one kernel, one file for each signature.

    Nothing is read before the kernel is first called.  A file holds the whole signature it was compiled for.  If the
    file is damaged, or holds another signature, the kernel is compiled again.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        """Cache the kernel that is compiled from this function."""
        self._function = function
        self._serializer = _KernelSerializer()

    @cached_property
    def cache_path(self) -> str:
        """The folder of all kernels with this source, relative to the cache root."""
        source = hash_sources(_COMPILER, *collect_modules(self._function))
        return f"kernels/{self._function.__module__}.{source}"

    @cached_property
    def _closure(self) -> str:
        return stable_repr(self._function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached kernel for a signature, None if there is none."""
        target_context.refresh()
        key = self._make_key(sig, target_context.codegen())
        # A damaged file may ask for a module or a name that is not there.
        with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError, ImportError, AttributeError):
            cached_key, data = pickle.loads(self._get_path(key).read_bytes())
            if cached_key == key:
                return self._serializer.rebuild(target_context, data)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache the kernel compiled for a signature."""
        if self._serializer.check_cachable(data):
            key = self._make_key(sig, data.codegen)
            with atomic_write(self._get_path(key)) as temporary:
                temporary.write_bytes(dumps((key, self._serializer.reduce(data))))

    def _make_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return sig, codegen.magic_tuple(), self._closure, _VERSION

    def _get_path(self, key: tuple[Any, ...]) -> Path:
        # Numba writes a named tuple without its module, and each game has its Options.
        kinds = [kind for kind in getattr(key[0], "args", key[0]) if isinstance(kind, BaseNamedTuple)]
        modules = [kind.instance_class.__module__ for kind in kinds]
        name = sha256(repr((key, modules)).encode()).hexdigest()[:16]
        return get_cache_path(f"{self.cache_path}/{self._function.__name__}.{name}.kernel")
