"""Turns: which requests are worked on now, so that no address makes the others wait behind all of its own.

A page takes a core for 10 to 40 ms, and all pages share one.  More of them at a time make none faster, and each of them
slower.  So a few are worked on at a time, fewer of one address, and the addresses that wait take turns.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from pitboss.web.limits import network_of
from pitboss.web.problems import LimitedError

AT_ONCE = 4
"""Requests that are worked on at a time."""

AT_ONCE_OF_ADDRESS = 2
"""Requests of one address that are worked on at a time."""

REQUESTS_A_TURN = 100
"""An address that may ask for more requests a second has one turn more for each 100, and so have all together."""

MOST_WAITING = 64
"""Requests of one address that wait; a further one is refused."""

Release = Callable[[], None]
"""Gives a turn back before the request ends; a second call does nothing."""


@dataclass(slots=True)
class _Address:
    """How many requests of an address are worked on, and those that wait."""

    working: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class Turns:
    """The requests that are worked on or wait.  Used by the event loop alone."""

    def __init__(
        self, at_once: int = AT_ONCE, of_address: int = AT_ONCE_OF_ADDRESS, most_waiting: int = MOST_WAITING
    ) -> None:
        """Work on ``at_once`` requests at a time, ``of_address`` of them of one address; let ``most_waiting`` wait."""
        self._at_once, self._of_address, self._most_waiting = at_once, of_address, most_waiting
        self._working = 0
        self._addresses: dict[str, _Address] = {}  # the one whose turn it is longest comes first

    def __len__(self) -> int:
        """Return how many addresses have a request here now."""
        return len(self._addresses)

    @asynccontextmanager
    async def taken(self, address: str) -> AsyncIterator[Release]:
        """Wait for a turn and take it; it is given back by what this yields, or at the end.

        Raises:
            LimitedError: as many of this address wait as may.
        """
        source = network_of(address)
        own = self._addresses.setdefault(source, _Address())
        if len(own.waiting) >= self._most_waiting:
            raise LimitedError(f"{self._most_waiting} requests of this address wait already: wait 1 s", 1)
        turn = asyncio.get_running_loop().create_future()
        own.waiting.append(turn)
        self._give()
        held = True

        def release() -> None:
            nonlocal held
            if held:
                held = False
                self._working -= 1
                own.working -= 1
                self._forget(source)
                self._give()

        try:
            await turn
        except BaseException:
            if turn.cancelled():
                with suppress(ValueError):  # it was passed over
                    own.waiting.remove(turn)
                self._forget(source)
            else:  # it was given in the moment in which the request went away
                release()
            raise
        try:
            yield release
        finally:
            release()

    def _give(self) -> None:
        """Give free turns to those who wait, one address after another."""
        while self._working < self._at_once:
            source = next(
                (each for each, own in self._addresses.items() if own.waiting and own.working < self._of_address), None
            )
            if source is None:
                return
            own = self._addresses[source]
            turn = own.waiting.popleft()
            if turn.cancelled():
                continue
            self._addresses[source] = self._addresses.pop(source)  # behind all others
            own.working += 1
            self._working += 1
            turn.set_result(None)

    def _forget(self, source: str) -> None:
        own = self._addresses.get(source)
        if own and not own.working and not own.waiting:
            del self._addresses[source]
