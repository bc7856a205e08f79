"""The HTTP server, which limits its connections.

It limits their number, in total and by address, and their time.  It is uvicorn's protocol on h11, with defences that
uvicorn lacks: against a head that never ends, a client that never reads, and an address that takes every connection.
The limits are computed from the available file descriptors at the start, so that the server never runs out of them.
"""

import asyncio
import json
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from pitboss.web.auth.security import SECURITY_HEADERS
from pitboss.web.eviction import Holding, choose_evicted
from pitboss.web.problems import MEDIA_TYPE, make_problem, make_status_error
from pitboss.web.rate_limits import PER_ADDRESS, get_network
from pitboss.web.server.networks import NO_NETWORKS, Networks
from pitboss.web.server.stream_slots import MAX_STREAMS, StreamKind

MAX_CONNECTIONS = sum(MAX_STREAMS.values()) + 400
"""Connections in total: one for each possible stream, and 400 for requests."""

RESERVED_DESCRIPTORS = 256
"""File descriptors for everything except connections: databases, their journals, workers, files."""

MIN_CONNECTIONS = 64

RESERVED_CONNECTIONS = 200
"""Connections that only the house's own addresses take, so that strangers never shut out displays and consoles."""

MAX_HEAD_BYTES = 16 * 1024
"""Maximum bytes of a request line and its headers."""

HEAD_SECONDS = 10.0
"""Time from the start of a connection, or the end of an answer, to the end of the next request's head."""

IDLE_SECONDS = 8
"""Time after which a silent connection is closed."""

WRITE_SECONDS = 20.0
"""Time that a client may leave pending output unread."""

CLOSING_SECONDS = 5.0


class ConnectionCaps(NamedTuple):
    """The maximum numbers of connections and of event streams.

    Connections are limited in total and per address, streams for each kind.
    """

    connections: int = MAX_CONNECTIONS
    per_address: int = PER_ADDRESS
    streams: Mapping[StreamKind, int] = MAX_STREAMS
    reserved: int = RESERVED_CONNECTIONS

    @property
    def warning(self) -> str:
        """A warning if fewer connections fit than planned, else ""."""
        if self.connections >= MAX_CONNECTIONS:
            return ""
        return (
            f"the system's limit of open files is low: the server takes {self.connections} connections, not "
            f"{MAX_CONNECTIONS}, and {self.streams[StreamKind.TABLES]} table pages: allow "
            f"{MAX_CONNECTIONS + RESERVED_DESCRIPTORS} files (ulimit -n, or LimitNOFILE of systemd)"
        )


def compute_caps(descriptors: int, per_address: int = PER_ADDRESS) -> ConnectionCaps:
    """Compute the caps that fit a number of file descriptors.

    >>> compute_caps(4_096).connections, compute_caps(1_024).connections, list(compute_caps(1_024).streams.values())
    (2500, 768, [307, 307, 30])
    """
    connections = min(MAX_CONNECTIONS, max(MIN_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS))
    streams = {kind: maximum * connections // MAX_CONNECTIONS for kind, maximum in MAX_STREAMS.items()}
    reserved = RESERVED_CONNECTIONS * connections // MAX_CONNECTIONS
    return ConnectionCaps(connections, min(per_address, connections), streams, reserved)


def raise_descriptor_limit(needed: int = MAX_CONNECTIONS + RESERVED_DESCRIPTORS) -> int:
    """Raise this process's limit of open files and return it.

    It is raised towards ``needed``, as far as allowed.
    """
    try:
        import resource
    except ModuleNotFoundError:  # a system without such limits
        return needed
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft in {resource.RLIM_INFINITY, -1}:
        return needed
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


class ConnectionLimiter:
    """The open connections, limited in total and per address.

    It also knows which of them wait for a request.
    """

    def __init__(self, caps: ConnectionCaps, proxies: Iterable[str] = (), house: Networks = NO_NETWORKS) -> None:
        """Enforce ``caps``.

        Connections from ``proxies`` (addresses or networks) serve many clients, so they have no cap per address; while
        one serves a request, it counts as the network that the proxy names.  Nor have those from the ``house`` a cap,
        for which places are reserved.
        """
        self._caps, self._house = caps, house
        self._max_strangers = caps.connections - (caps.reserved if house else 0)
        self._of_house: set[GuardedProtocol] = set()
        self._proxies = Networks(proxies)
        self._find_network = lru_cache(MAX_CONNECTIONS)(lambda host: "" if host in house else get_network(host))
        self._addresses: Counter[str] = Counter()
        self._connected: dict[GuardedProtocol, str] = {}
        self._waiting: dict[GuardedProtocol, None] = {}  # the longest wait first

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._connected)

    @property
    def waiting(self) -> int:
        """The number of connections that wait for a request."""
        return len(self._waiting)

    def admit(self, connection: "GuardedProtocol", host: str) -> str:
        """Admit a connection and return "", or return the reason for a refusal.

        If the server is full, another connection is closed (``_find_evicted``).
        """
        source = get_network(host)
        is_house = host in self._house and host not in self._proxies
        has_cap = not is_house and host not in self._proxies
        if has_cap and self._addresses[source] >= self._caps.per_address:
            return f"{self._caps.per_address} connections from this address are open: close some"
        if self._is_full(is_house=is_house):
            evicted = self._find_evicted(source if has_cap else "", is_house=is_house)
            if evicted is None:
                return f"{self._caps.connections} connections are open: try again in a minute"
            self.remove(evicted)
            evicted.transport.abort()
        self._connected[connection] = source if has_cap else ""
        if has_cap:
            self._addresses[source] += 1
        if is_house:
            self._of_house.add(connection)
        return ""

    def _is_full(self, *, is_house: bool) -> bool:
        strangers = len(self._connected) - len(self._of_house)
        return len(self._connected) >= self._caps.connections or (not is_house and strangers >= self._max_strangers)

    def _find_evicted(self, source: str, *, is_house: bool) -> "GuardedProtocol | None":
        """Return the connection that makes room for one of a network, or None.

        It is a stranger's that waits for a request: one of the network with most connections, the longest wait first,
        but none of a network with fewer than the newcomer's.  If there is none, the house closes one of its own that
        waits, and then the newest of the network with most goes, whatever it serves (``choose_evicted``).
        """
        own, strangers = self._addresses[source], [each for each in self._waiting if each not in self._of_house]
        counts = {each: self._addresses[self._connected[each]] for each in strangers}
        waiting = [each for each in strangers if not self._connected[each] or counts[each] >= own]
        if waiting:
            return max(waiting, key=counts.__getitem__)
        if is_house and self._waiting:
            return next(iter(self._waiting))
        holders = ((line, each or self._find_client(line)) for line, each in self._connected.items())
        return choose_evicted((Holding(each, "", line) for line, each in holders if each), source)

    def _find_client(self, connection: "GuardedProtocol") -> str:
        """Return the network of the client that a proxy's connection serves.

        It is "" for the house, which loses nothing.
        """
        client = connection.scope["client"] if connection not in self._of_house and connection.scope else None
        return self._find_network(client[0]) if client else ""

    def remove(self, connection: "GuardedProtocol") -> None:
        """Forget a connection; an unknown one is ignored."""
        self._waiting.pop(connection, None)
        self._of_house.discard(connection)
        source = self._connected.pop(connection, "")
        if source:
            self._addresses[source] -= 1
            if not self._addresses[source]:
                del self._addresses[source]

    def mark_waiting(self, connection: "GuardedProtocol") -> None:
        """Mark a connection as waiting for a request."""
        if connection in self._connected:
            self._waiting.pop(connection, None)
            self._waiting[connection] = None

    def mark_serving(self, connection: "GuardedProtocol") -> None:
        """Mark a connection as serving a request."""
        self._waiting.pop(connection, None)


class GuardedProtocol(H11Protocol):
    """An HTTP connection with a time limit for every step."""

    limiter: ConnectionLimiter

    def connection_made(self, transport: Any) -> None:
        """Start the connection, or refuse it if the server is full."""
        super().connection_made(transport)
        self._head_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._unsent_before = 0
        refusal = self.limiter.admit(self, self.client[0] if self.client else "")
        if refusal:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, refusal)
        else:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's timers and its place."""
        self.limiter.remove(self)
        self._stop_head_timer()
        if self._write_timer is not None:
            self._write_timer.cancel()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Handle received data; stop the head timer once a head is complete."""
        super().handle_events()
        if self._is_answering:
            self._stop_head_timer()
            self.limiter.mark_serving(self)

    def on_response_complete(self) -> None:
        """Wait for the next request after an answer.

        If the connection is closing, watch instead that the client reads the rest of the answer.
        """
        super().on_response_complete()
        if self.transport.is_closing():
            self._watch_writing()
        elif self.cycle.response_complete:
            self._wait_for_head()

    def pause_writing(self) -> None:
        """Pause writing, and limit how long the client may stop reading."""
        super().pause_writing()
        self._watch_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close a silent connection."""
        super().timeout_keep_alive_handler()
        self._watch_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that h11 cannot parse, with the status that h11 suggests."""
        status = HTTPStatus(getattr(sys.exception(), "error_status_hint", HTTPStatus.BAD_REQUEST))
        if self._is_answering:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.transport.abort()
                return
        self._refuse(status, "this is not a valid HTTP/1.1 request" if status == HTTPStatus.BAD_REQUEST else msg)

    @property
    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        return cycle is not None and not cycle.response_complete

    def _wait_for_head(self) -> None:
        self._stop_head_timer()
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._handle_late_head)
        self.limiter.mark_waiting(self)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _handle_late_head(self) -> None:
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size():  # the client is still reading the last answer
            self._watch_writing()
            self._wait_for_head()
        elif self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"the request did not arrive within {HEAD_SECONDS:g} s")
        else:
            self.transport.close()

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        """Send a problem with the reason, and close the connection."""
        body = json.dumps(make_problem(status, make_status_error(status, reason))).encode()
        headers = {
            **SECURITY_HEADERS,
            "Content-Type": MEDIA_TYPE,
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(f"HTTP/1.1 {status.value} {status.phrase}\r\n{head}\r\n".encode() + body)
        self.transport.close()
        self._stop_head_timer()
        self._watch_writing()

    def _watch_writing(self) -> None:
        """Start the timer that drops a client which reads none of the pending output."""
        self._unsent_before = self.transport.get_write_buffer_size()
        if self._write_timer is not None:
            self._write_timer.cancel()
        self._write_timer = self.loop.call_later(WRITE_SECONDS, self._check_writing) if self._unsent_before else None

    def _check_writing(self) -> None:
        if self.transport.get_write_buffer_size() >= self._unsent_before > 0:
            self.transport.abort()
        else:
            self._watch_writing()


def make_config(app: Any, limiter: ConnectionLimiter, **more: Any) -> uvicorn.Config:
    """Make the configuration of a server whose connections ``limiter`` admits."""
    return uvicorn.Config(
        app,
        http=type("Guarded", (GuardedProtocol,), {"limiter": limiter}),
        ws="none",
        lifespan="off",
        server_header=False,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        timeout_keep_alive=IDLE_SECONDS,
        **more,
    )


class Server(uvicorn.Server):
    """A server that shuts down at once.

    Requests that wait for a count are answered first.
    """

    def __init__(self, config: uvicorn.Config, on_shutdown: Callable[[], None]) -> None:
        """Serve with ``config``; call ``on_shutdown`` when a signal ends the server."""
        super().__init__(config)
        self._on_shutdown = on_shutdown

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Call ``on_shutdown``, then shut down."""
        self._on_shutdown()
        await super().shutdown(sockets)
