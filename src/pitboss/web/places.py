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

from pitboss.web.limits import network_of
from pitboss.web.problems import LimitedError

GUEST_STREAMS = 8
"""Streams of one guest: a browser opens six connections to a site, and somebody may have two browsers."""

ADDRESS_STREAMS = 100
"""Streams of each kind for one address."""

RETRY_SECONDS = 60


class Kind(StrEnum):
    """What a stream is for."""

    TABLES = "tables"
    DISPLAYS = "displays"
    STAFF = "staff"


MOST: Mapping[Kind, int] = {Kind.TABLES: 1_000, Kind.DISPLAYS: 1_000, Kind.STAFF: 100}
"""Streams of each kind in all."""


class Places:
    """The places of one process."""

    def __init__(
        self,
        most: Mapping[Kind, int] = MOST,
        *,
        of_address: int = ADDRESS_STREAMS,
        of_guest: int = GUEST_STREAMS,
    ) -> None:
        """Have so many places of each kind, and so many of them for one address and one guest."""
        self._most, self._of_address, self._of_guest = dict(most), of_address, of_guest
        self._taken: Counter[tuple[str, ...]] = Counter()
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many kinds, addresses and guests there are of whom a count is kept."""
        return len(self._taken)

    def count(self, kind: Kind) -> int:
        """Return how many places of a kind are taken."""
        return self._taken[kind,]

    @contextmanager
    def taken(self, kind: Kind, address: str, guest: str = "") -> Iterator[None]:
        """Take a place, and give it back at the end.

        Raises:
            LimitedError: there is none left of this kind, for this address, or for this guest.
        """
        limits: list[tuple[tuple[str, ...], int, str]] = [
            ((kind,), self._most[kind], f"{self._most[kind]} listen already"),
            (
                (kind, "address", network_of(address)),
                self._of_address,
                f"{self._of_address} of this address listen already",
            ),
        ]
        if guest:
            limits.append(((kind, "guest", guest), self._of_guest, f"{self._of_guest} pages of yours listen already"))
        with self._lock:
            for key, most, line in limits:
                if self._taken[key] >= most:
                    raise LimitedError(line, RETRY_SECONDS)
            self._taken.update(key for key, _, _ in limits)
        try:
            yield
        finally:
            with self._lock:
                for key, _, _ in limits:
                    self._taken[key] -= 1
                    if not self._taken[key]:
                        del self._taken[key]


class EventStream(StreamingResponse):
    """A stream of events that takes a place from its first byte to its last."""

    def __init__(
        self,
        events: AsyncGenerator[str],
        places: Places,
        kind: Kind,
        address: str,
        guest: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send ``events`` as somebody at an address."""
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._events = events
        self._place = places.taken(kind, address, guest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take the place, send, and give it back, however the stream ends (raises LimitedError: none is left)."""
        with self._place:
            try:
                await super().__call__(scope, receive, send)
            finally:
                await self._events.aclose()
