"""Turns: which requests are worked on now, so that no address makes the others wait behind all of its own.

A page takes a core for 10 to 40 ms, and all pages share one.  More of them at a time make none faster, and each of them
slower.  So a few are worked on at a time, fewer of one address, and the addresses that wait take turns.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from pitboss.web.problems import RateLimitError
from pitboss.web.rate_limits import get_network

MAX_CONCURRENT = 4
"""Requests that are worked on at a time."""

MAX_CONCURRENT_PER_ADDRESS = 2
"""Requests of one address that are worked on at a time."""

REQUESTS_PER_TURN = 100
"""An address that may ask for more requests a second has one turn more for each 100, and so have all together."""

MAX_WAITING = 64
"""Requests of one address that wait; a further one is refused."""

Release = Callable[[], None]
"""Gives a turn back before the request ends; a second call does nothing."""


@dataclass(slots=True)
class _AddressState:
    """How many requests of an address are worked on, and those that wait."""

    active: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class RequestQueue:
    """The requests that are worked on or wait.  Used by the event loop alone."""

    def __init__(
        self,
        max_concurrent: int = MAX_CONCURRENT,
        per_address: int = MAX_CONCURRENT_PER_ADDRESS,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        """Run ``max_concurrent`` requests at a time, ``per_address`` from one address; let ``max_waiting`` wait."""
        self._max_concurrent, self._per_address, self._max_waiting = max_concurrent, per_address, max_waiting
        self._active = 0
        self._addresses: dict[str, _AddressState] = {}  # the one whose turn it is longest comes first

    def __len__(self) -> int:
        """Return how many addresses have a request here now."""
        return len(self._addresses)

    @asynccontextmanager
    async def take_turn(self, address: str) -> AsyncIterator[Release]:
        """Wait for a turn and take it; it is given back by what this yields, or at the end.

        Raises:
            LimitedError: as many of this address wait as may.
        """
        source = get_network(address)
        own = self._addresses.setdefault(source, _AddressState())
        if len(own.waiting) >= self._max_waiting:
            raise RateLimitError(f"{self._max_waiting} requests from this address are waiting: wait 1 s", 1)
        turn = asyncio.get_running_loop().create_future()
        own.waiting.append(turn)
        self._grant_turns()
        held = True

        def release() -> None:
            nonlocal held
            if held:
                held = False
                self._active -= 1
                own.active -= 1
                self._drop_idle(source)
                self._grant_turns()

        try:
            await turn
        except BaseException:
            if turn.cancelled():
                with suppress(ValueError):  # it was passed over
                    own.waiting.remove(turn)
                self._drop_idle(source)
            else:  # it was given in the moment in which the request went away
                release()
            raise
        try:
            yield release
        finally:
            release()

    def _grant_turns(self) -> None:
        """Give free turns to those who wait, one address after another."""
        while self._active < self._max_concurrent:
            source = next(
                (each for each, own in self._addresses.items() if own.waiting and own.active < self._per_address), None
            )
            if source is None:
                return
            own = self._addresses[source]
            turn = own.waiting.popleft()
            if turn.cancelled():
                continue
            self._addresses[source] = self._addresses.pop(source)  # behind all others
            own.active += 1
            self._active += 1
            turn.set_result(None)

    def _drop_idle(self, source: str) -> None:
        own = self._addresses.get(source)
        if own and not own.active and not own.waiting:
            del self._addresses[source]
