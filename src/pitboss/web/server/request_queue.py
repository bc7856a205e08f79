"""The request queue, which schedules requests in turns.

One address therefore cannot delay all others.

A page takes a core for 10 to 40 ms, and all pages share one core.  Running more pages at a time makes each of them
slower.  So only a few run at a time, fewer from one address, and the waiting addresses take turns.  If as many wait as
may in total, the address with most waiting requests makes room for one with fewer (``eviction``).
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from starlette.types import Scope

from pitboss.web.errors import OverloadError, RateLimitError
from pitboss.web.eviction import Holding, choose_evicted
from pitboss.web.rate_limits import get_network

MAX_CONCURRENT = 4
"""Requests that run at a time."""

MAX_CONCURRENT_PER_ADDRESS = 2
"""Requests of one address that run at a time."""

REQUESTS_PER_TURN = 100
"""For every 100 requests per second that an address is allowed, it runs one more at a time, and so does the server."""

MAX_PROOFS_WAITING = 4
"""Maximum waiting log-ins of one address, and as many proofs; further ones are refused."""

MAX_WAITING = 200
"""Maximum waiting requests of one address; a further one is refused."""

MAX_WAITING_IN_ALL = 400
"""Maximum waiting requests of all addresses, and as many log-ins and proofs: memory, and ten seconds of waiting."""

RETRY_SECONDS = 1

LOG_IN, PROOF = "log-in", "proof"
"""The kinds of requests whose password is checked: without a session, and within one."""

Release = Callable[[], None]
"""``Turn.release``."""


@dataclass(slots=True)
class _AddressState:
    """The running and the waiting requests of an address."""

    active: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class Turn:
    """The turn of a request.

    A request that waits for something other than a core releases its turn meanwhile, and takes it again before it goes
    on: so neither waiting nor what follows it delays others.
    """

    def __init__(self, queue: "RequestQueue", source: str) -> None:
        """Belong to a request of an address; ``take`` waits for the turn."""
        self._queue, self._source, self.is_held = queue, source, False

    async def take(self) -> None:
        """Wait for the turn; do nothing if it is held.

        This raises what ``RequestQueue.acquire`` raises.
        """
        if not self.is_held:
            await self._queue.acquire(self._source)
            self.is_held = True

    def release(self) -> None:
        """Release the turn; a second call does nothing."""
        if self.is_held:
            self.is_held = False
            self._queue.release(self._source)


class RequestQueue:
    """The running and the waiting requests.  Only the event loop may use it."""

    def __init__(
        self,
        max_concurrent: int = MAX_CONCURRENT,
        per_address: int = MAX_CONCURRENT_PER_ADDRESS,
        max_waiting: int = MAX_WAITING,
        max_waiting_in_all: int = MAX_WAITING_IN_ALL,
    ) -> None:
        """Set how many requests run and how many wait.

        ``max_concurrent`` requests run at a time, ``per_address`` of them from one address.  Of each address,
        ``max_waiting`` may wait, and ``max_waiting_in_all`` of all addresses.
        """
        self._max_concurrent, self._per_address = max_concurrent, per_address
        self._max_waiting, self._max_waiting_in_all = max_waiting, max_waiting_in_all
        self._active = 0
        self._addresses: dict[str, _AddressState] = {}  # the address served longest ago comes first

    def __len__(self) -> int:
        """Return the number of addresses with a request here."""
        return len(self._addresses)

    @property
    def waiting(self) -> int:
        """The number of waiting requests."""
        return sum(len(state.waiting) for state in self._addresses.values())

    @asynccontextmanager
    async def take_turn(self, address: str) -> AsyncIterator["Turn"]:
        """Wait for a turn and hold it to the end of the context, or until it is released.

        This raises what ``acquire`` raises.
        """
        turn = Turn(self, get_network(address))
        await turn.take()
        try:
            yield turn
        finally:
            turn.release()

    async def acquire(self, source: str) -> None:
        """Wait for a turn of an address.

        Raises:
            RateLimitError: the maximum number of its requests is waiting.
            OverloadError: the maximum number of all requests is waiting, and no other address has more of them, or
                another address with fewer has taken this request's place.
        """
        granted = self._enqueue(source)
        self._grant_turns()
        try:
            await granted
        except BaseException:
            if granted.cancelled() or not granted.done():
                self._remove(source, granted)
            elif not granted.exception():  # the turn was granted just as the request ended
                self.release(source)
            raise

    def _enqueue(self, source: str) -> asyncio.Future[None]:
        """Add a waiting request; this raises what ``acquire`` raises."""
        held = self._addresses.get(source, _AddressState())
        if len(held.waiting) >= self._max_waiting:
            raise RateLimitError(
                f"{self._max_waiting} requests from this address are waiting: wait {RETRY_SECONDS} s",
                RETRY_SECONDS,
                code="too-many-requests",
                max_waiting=self._max_waiting,
            )
        self._make_room(source)
        granted = asyncio.get_running_loop().create_future()
        self._addresses.setdefault(source, held).waiting.append(granted)
        return granted

    def _make_room(self, newcomer: str) -> None:
        """Make room for a request of the address ``newcomer`` if all places are taken.

        Another request is refused (``choose_evicted``).  Of addresses with as many requests, the one that was served
        or came last loses one.

        Raises:
            OverloadError: that is the newcomer.
        """
        if self.waiting < self._max_waiting_in_all:
            return
        addresses = reversed(self._addresses.items())
        waiting = (Holding(source, "", (source, each)) for source, state in addresses for each in state.waiting)
        evicted = choose_evicted(waiting, newcomer)
        refusal = OverloadError(
            f"the server is busy, with {self._max_waiting_in_all} requests waiting: try again in {RETRY_SECONDS} s",
            RETRY_SECONDS,
            code="too-many-waiting",
            max_waiting=self._max_waiting_in_all,
        )
        if evicted is None:
            raise refusal
        source, granted = evicted
        self._remove(source, granted)
        if not granted.done():
            granted.set_exception(refusal)

    def release(self, source: str) -> None:
        """Release one turn of an address."""
        self._active -= 1
        self._addresses[source].active -= 1
        self._drop_idle(source)
        self._grant_turns()

    def _grant_turns(self) -> None:
        """Grant free turns to waiting requests, one address after another."""
        while self._active < self._max_concurrent:
            source = next(
                (each for each, state in self._addresses.items() if state.waiting and state.active < self._per_address),
                None,
            )
            if source is None:
                return
            state = self._addresses[source]
            turn = state.waiting.popleft()
            if turn.cancelled():
                continue
            self._addresses[source] = self._addresses.pop(source)  # behind all others
            state.active += 1
            self._active += 1
            turn.set_result(None)

    def _remove(self, source: str, granted: asyncio.Future[None]) -> None:
        """Remove a waiting request; do nothing if it is not waiting."""
        if source in self._addresses:
            with suppress(ValueError):  # _grant_turns has removed it
                self._addresses[source].waiting.remove(granted)
            self._drop_idle(source)

    def _drop_idle(self, source: str) -> None:
        state = self._addresses.get(source)
        if state and not state.active and not state.waiting:
            del self._addresses[source]


class PasswordQueues:
    """The queues of requests whose password is checked, before they wait for a turn.

    A password is costly to check by design, and one at a time is.  So of each kind one request at a time goes on to
    take a turn: strangers who guess passwords hold one turn, and pages have the others.
    """

    def __init__(self, kinds: Mapping[str, Callable[[Scope], bool]]) -> None:
        """Set the kinds, each with what tells whether a request is of it."""
        self._queues = [(is_of_kind, RequestQueue(1, 1, MAX_PROOFS_WAITING)) for is_of_kind in kinds.values()]

    @asynccontextmanager
    async def take_turn(self, scope: Scope, address: str) -> AsyncIterator[Release]:
        """Wait for a request's turn among those of its kind, if it is of one.

        Raises:
            RateLimitError: too many requests of this kind from this address are waiting.
        """
        queue = next((queue for is_of_kind, queue in self._queues if is_of_kind(scope)), None)
        if queue is None:
            yield lambda: None
            return
        async with queue.take_turn(address) as turn:
            yield turn.release
