"""Whose request is worked on: a few of one address at a time, so that nobody else waits behind all of them.

A page takes a core for 10 to 40 ms, and all pages share one.  More at a time make none of them faster, and one visitor
who asks for forty at once would make everybody wait for forty.  Here they wait in line behind one another instead.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from pitboss.web.limits import network_of
from pitboss.web.problems import LimitedError

AT_ONCE = 2
"""Requests of one address that are worked on at a time."""

REQUESTS_A_TURN = 100
"""An address that may ask for more requests a second has one turn more for so many of them."""

MOST_WAITING = 64
"""Requests of one address that wait in line; a further one is refused."""

Release = Callable[[], None]
"""Gives a turn back before the request ends; a second time it does nothing."""


class Turns:
    """The requests of each address that are worked on or wait.  Used by the event loop alone."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        """Work on so many of one address at a time; let so many wait."""
        self._at_once, self._most_waiting = at_once, most_waiting
        self._lines: dict[str, tuple[asyncio.Semaphore, list[int]]] = {}

    def __len__(self) -> int:
        """Return how many addresses have a request here now."""
        return len(self._lines)

    @asynccontextmanager
    async def taken(self, address: str) -> AsyncIterator[Release]:
        """Wait for a turn and take it; it is given back by what this yields, or at the end.

        Raises:
            LimitedError: as many of this address wait as may.
        """
        source = network_of(address)
        turn, asking = self._lines.setdefault(source, (asyncio.Semaphore(self._at_once), [0]))
        if asking[0] >= self._at_once + self._most_waiting:
            raise LimitedError(f"{self._most_waiting} requests of this address wait already: wait 1 s", 1)
        asking[0] += 1
        held = False

        def release() -> None:
            nonlocal held
            if held:
                held = False
                turn.release()
                self._leave(source, asking)

        try:
            await turn.acquire()
        except BaseException:
            self._leave(source, asking)
            raise
        held = True
        try:
            yield release
        finally:
            release()

    def _leave(self, source: str, asking: list[int]) -> None:
        asking[0] -= 1
        if not asking[0]:
            self._lines.pop(source, None)
