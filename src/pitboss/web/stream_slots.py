"""Places of streams: how many may listen at a time, in all, of one address and of one guest.

Each kind of stream has places of its own, so that guests at tables take none of the displays' or of the staff's.
"""

from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from threading import Lock

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from pitboss.web.problems import RateLimitError
from pitboss.web.rate_limits import get_network

MAX_GUEST_STREAMS = 8
"""Streams of one guest: a browser opens six connections to a site, and somebody may have two browsers."""

MAX_ADDRESS_STREAMS = 100
"""Streams of each kind for one address."""

RETRY_SECONDS = 60


class StreamKind(StrEnum):
    """What a stream is for."""

    TABLES = "tables"
    DISPLAYS = "displays"
    STAFF = "staff"


MAX_STREAMS: Mapping[StreamKind, int] = {StreamKind.TABLES: 1_000, StreamKind.DISPLAYS: 1_000, StreamKind.STAFF: 100}
"""Streams of each kind in all."""


class StreamSlots:
    """The places of one process."""

    def __init__(
        self,
        max_streams: Mapping[StreamKind, int] = MAX_STREAMS,
        *,
        per_address: int = MAX_ADDRESS_STREAMS,
        per_guest: int = MAX_GUEST_STREAMS,
    ) -> None:
        """Have so many places of each kind, and so many of them for one address and one guest."""
        self._max_streams, self._per_address, self._per_guest = dict(max_streams), per_address, per_guest
        self._taken: Counter[tuple[str, ...]] = Counter()
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many kinds, addresses and guests there are of whom a count is kept."""
        return len(self._taken)

    def count(self, kind: StreamKind) -> int:
        """Return how many places of a kind are taken."""
        return self._taken[kind,]

    @contextmanager
    def hold(self, kind: StreamKind, address: str, guest: str = "") -> Iterator[None]:
        """Take a place, and give it back at the end.

        Raises:
            LimitedError: there is none left of this kind, for this address, or for this guest.
        """
        limits: list[tuple[tuple[str, ...], int, str]] = [
            ((kind,), self._max_streams[kind], f"{self._max_streams[kind]} streams are open: close one"),
            (
                (kind, "address", get_network(address)),
                self._per_address,
                f"{self._per_address} streams from this address are open: close one",
            ),
        ]
        if guest:
            limits.append(((kind, "guest", guest), self._per_guest, f"{self._per_guest} of your pages are open: close one"))
        with self._lock:
            for key, most, line in limits:
                if self._taken[key] >= most:
                    raise RateLimitError(line, RETRY_SECONDS)
            self._taken.update(key for key, _, _ in limits)
        try:
            yield
        finally:
            with self._lock:
                for key, _, _ in limits:
                    self._taken[key] -= 1
                    if not self._taken[key]:
                        del self._taken[key]


class EventStreamResponse(StreamingResponse):
    """A stream of events that takes a place from its first byte to its last."""

    def __init__(
        self,
        events: AsyncGenerator[str],
        slots: StreamSlots,
        kind: StreamKind,
        address: str,
        guest: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send ``events`` as somebody at an address."""
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._events = events
        self._slot = slots.hold(kind, address, guest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take the place, send, and give it back, however the stream ends (raises LimitedError: none is left)."""
        with self._slot:
            try:
                await super().__call__(scope, receive, send)
            finally:
                await self._events.aclose()
