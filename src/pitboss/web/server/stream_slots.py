"""Slots for event streams.

They limit the open streams in total, per address and per guest.

Each kind of stream has its own slots, so that guests at tables take none from displays or staff.  If all slots of a
kind are taken, a stream of the address that holds most ends for one of an address that holds fewer.
"""

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock

from anyio import CancelScope
from fastapi.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from pitboss.web.errors import RateLimitError
from pitboss.web.eviction import Holding, choose_evicted
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


@dataclass(eq=False)
class _Slot:
    """A taken slot, with the keys under which it counts.

    Its network is "" for the house; ``end`` ends its stream.
    """

    keys: tuple[tuple[str, ...], ...]
    network: str
    guest: str
    end: Callable[[], None]


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
        are reserved for the addresses of the ``house``, which have no limit of their own and make room for nobody.
        """
        self._house = house
        self._max_streams, self._per_address, self._per_guest = dict(max_streams), per_address, per_guest
        self._taken: Counter[tuple[str, ...]] = Counter()
        self._slots: dict[StreamKind, dict[_Slot, None]] = {kind: {} for kind in StreamKind}  # the newest last
        self._lock = Lock()

    def __len__(self) -> int:
        """Return the number of kinds, addresses and guests with open streams."""
        return len(self._taken)

    def count(self, kind: StreamKind) -> int:
        """Return how many slots of a kind are taken."""
        return self._taken[kind,]

    @contextmanager
    def hold(
        self, kind: StreamKind, address: str, guest: str = "", end: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Take a slot, and release it at the end.

        ``end`` is called if the slot is taken back for another address.

        Raises:
            RateLimitError: no slot is left for this address or this guest, or all are taken and no other address holds
                more of them.
        """
        network = "" if address in self._house else get_network(address)
        limits = []
        if network:
            message = f"{self._per_address} streams from this address are open: close one"
            limits.append(((kind, "address", network), self._per_address, message))
        if guest:
            message = f"{self._per_guest} of your pages are receiving updates: close one"
            limits.append(((kind, "guest", guest), self._per_guest, message))
        totals = ((kind,), (kind, "strangers")) if network else ((kind,),)
        slot = _Slot((*totals, *(key for key, _, _ in limits)), network, guest, end)
        with self._lock:
            for key, maximum, message in limits:
                if self._taken[key] >= maximum:
                    raise RateLimitError(message, RETRY_SECONDS, code="too-many-streams")
            self._make_room(kind, network)
            self._slots[kind][slot] = None
            self._taken.update(slot.keys)
        try:
            yield
        finally:
            with self._lock:
                self._release(kind, slot)

    def _make_room(self, kind: StreamKind, network: str) -> None:
        """End a stream of a kind if a stream of ``network`` finds all slots taken."""
        most = self._max_streams[kind]
        strangers = most - (most // RESERVED_PART if self._house else 0)
        if self._taken[kind,] < most and (not network or self._taken[kind, "strangers"] < strangers):
            return
        taken = (Holding(slot.network, slot.guest, slot) for slot in self._slots[kind] if slot.network)
        evicted = choose_evicted(taken, network)
        if evicted is None:
            message = f"{strangers if network else most} streams are open: close one"
            raise RateLimitError(message, RETRY_SECONDS, code="too-many-streams")
        self._release(kind, evicted)
        evicted.end()

    def _release(self, kind: StreamKind, slot: _Slot) -> None:
        """Release a slot; do nothing if it was taken back."""
        if slot in self._slots[kind]:
            del self._slots[kind][slot]
            self._taken.subtract(slot.keys)
            for key in slot.keys:
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
        self._slots, self._holder = slots, (kind, address, guest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold a slot while sending, however the stream ends.

        If the slot is taken back, the answer ends as if there were no more events, and the browser asks again.

        Raises:
            RateLimitError: no slot is left, or it was taken back before the answer began.
        """
        sent: list[Message] = []

        async def send_noted(message: Message) -> None:
            await send(message)
            sent[:] = [message]

        with CancelScope() as taken_back, self._slots.hold(*self._holder, taken_back.cancel):
            try:
                await super().__call__(scope, receive, send_noted)
            finally:
                await self._events.aclose()
        if not taken_back.cancelled_caught:
            return
        if not sent:
            raise RateLimitError("another address needs this stream: try again", RETRY_SECONDS, code="too-many-streams")
        if sent[0]["type"] == "http.response.start" or sent[0].get("more_body"):
            await send({"type": "http.response.body", "body": b"", "more_body": False})
