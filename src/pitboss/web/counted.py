"""What takes a while to count: begun once, waited for by as many as ask for it, kept."""

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any


@dataclass
class Counted:
    """Work done one piece at a time in a thread of its own."""

    _found: dict[Hashable, Future[Any]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "counting"))

    async def found(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """Return what some work comes to, begun now or before; who goes away does not stop it for others."""
        with self._lock:
            if key not in self._found or (self._found[key].done() and self._found[key].exception()):
                self._found[key] = self._thread.submit(work)
            begun = self._found[key]
        return await asyncio.shield(asyncio.wrap_future(begun))
