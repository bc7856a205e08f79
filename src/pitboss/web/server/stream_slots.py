"""Slots for event streams.

They limit the open streams in total, per address and per guest.

Each kind of stream has its own slots, so that guests at tables take none from displays or staff.
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
from pitboss.web.server.networks import NO_NETWORKS, Networks

MAX_GUEST_STREAMS = 8
"""Streams of one guest: a browser opens six connections to a site, and a guest may use two browsers."""

MAX_ADDRESS_STREAMS = 100
"""Streams of each kind for one address."""

RESERVED_PART = 10
"""One in ten streams of each kind is reserved for the house's own addresses."""

RETRY_SECONDS = 60


class StreamKind(StrEnum):
    """The purpose of a stream."""

    TABLES = "tables"
    DISPLAYS = "displays"
    STAFF = "staff"


MAX_STREAMS: Mapping[StreamKind, int] = {StreamKind.TABLES: 1_000, StreamKind.DISPLAYS: 1_000, StreamKind.STAFF: 100}
"""Streams of each kind in total."""


class StreamSlots:
    """The stream slots of one process."""

    def __init__(
        self,
        max_streams: Mapping[StreamKind, int] = MAX_STREAMS,
        *,
        per_address: int = MAX_ADDRESS_STREAMS,
        per_guest: int = MAX_GUEST_STREAMS,
        house: Networks = NO_NETWORKS,
    ) -> None:
        """Set the numbers of slots.

        There are slots for each kind of stream, and for each kind from one address and one guest.  Some of each kind
        are reserved for the addresses of the ``house``, which have no limit of their own.
        """
        self._house = house
        self._max_streams, self._per_address, self._per_guest = dict(max_streams), per_address, per_guest
        self._taken: Counter[tuple[str, ...]] = Counter()
        self._lock = Lock()

    def __len__(self) -> int:
        """Return the number of kinds, addresses and guests with open streams."""
        return len(self._taken)

    def count(self, kind: StreamKind) -> int:
        """Return how many slots of a kind are taken."""
        return self._taken[kind,]

    @contextmanager
    def hold(self, kind: StreamKind, address: str, guest: str = "") -> Iterator[None]:
        """Take a slot, and release it at the end.

        Raises:
            RateLimitError: no slot is left of this kind, for this address, or for this guest.
        """
        most = self._max_streams[kind]
        limits: list[tuple[tuple[str, ...], int, str]] = [((kind,), most, f"{most} streams are open: close one")]
        if address not in self._house:
            strangers = most - (most // RESERVED_PART if self._house else 0)
            limits += [
                ((kind, "strangers"), strangers, f"{strangers} streams are open: close one"),
                (
                    (kind, "address", get_network(address)),
                    self._per_address,
                    f"{self._per_address} streams from this address are open: close one",
                ),
            ]
        if guest:
            limits.append(
                ((kind, "guest", guest), self._per_guest, f"{self._per_guest} of your pages listen: close one")
            )
        with self._lock:
            for key, maximum, message in limits:
                if self._taken[key] >= maximum:
                    raise RateLimitError(message, RETRY_SECONDS, code="too-many-streams")
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
    """A stream of events that holds a slot from its first byte to its last."""

    def __init__(
        self,
        events: AsyncGenerator[str],
        slots: StreamSlots,
        kind: StreamKind,
        address: str,
        guest: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send ``events`` to a client at an address."""
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._events = events
        self._slot = slots.hold(kind, address, guest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold a slot while sending, however the stream ends.

        Raises:
            RateLimitError: no slot is left.
        """
        with self._slot:
            try:
                await super().__call__(scope, receive, send)
            finally:
                await self._events.aclose()
