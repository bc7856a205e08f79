"""What takes a while to count: begun once, waited for by as many as ask for it, kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any


@dataclass
class Counted:
    """Work done one piece at a time in a thread of its own; the ``most`` pieces asked for last are kept."""

    most: int = 20_000
    _found: OrderedDict[Hashable, Future[Any]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "counting"))

    @property
    def busy(self) -> bool:
        """Whether something is being counted, or waits for its turn."""
        with self._lock:
            return any(not each.done() for each in self._found.values())

    def begun(self, key: Hashable, work: Callable[[], Any]) -> Future[Any]:
        """Begin some work, or return what was begun before; what failed is begun again."""
        with self._lock:
            if key not in self._found or (self._found[key].done() and self._found[key].exception()):
                self._found[key] = self._thread.submit(work)
                if len(self._found) > self.most:
                    self._found.popitem(last=False)
            self._found.move_to_end(key)
            return self._found[key]


async def awaited(begun: Future[Any]) -> Any:
    """Return what some work comes to; who goes away does not stop it for others."""
    return await asyncio.shield(asyncio.wrap_future(begun))
