"""The server: how many connections it keeps, from where, and how long each may take for what.

uvicorn's protocol on h11, with what it leaves open: a head that never ends, a reader that never reads, an address that
takes every connection.  Descriptors are counted at the start, so that none is ever missing.
"""

import asyncio
import json
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, NamedTuple

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from pitboss.web.problems import MEDIA_TYPE, make_problem
from pitboss.web.rate_limits import PER_ADDRESS, get_network
from pitboss.web.security import SECURITY_HEADERS
from pitboss.web.stream_slots import MAX_STREAMS, StreamKind

MAX_CONNECTIONS = sum(MAX_STREAMS.values()) + 400
"""Connections in all: every stream that may be, and 400 for requests."""

RESERVED_DESCRIPTORS = 256
"""Descriptors for all but connections: databases, their journals, workers, files."""

MIN_CONNECTIONS = 64

MAX_HEAD_BYTES = 16 * 1024
"""Bytes of a request's line and headers."""

HEAD_SECONDS = 10.0
"""From a connection's beginning, or the end of an answer, to the end of the next request's head."""

IDLE_SECONDS = 8
"""How long a connection is kept on which nothing is said."""

WRITE_SECONDS = 20.0
"""How long a reader may take nothing of what waits for it."""

CLOSING_SECONDS = 5.0


class ConnectionCaps(NamedTuple):
    """How many connections there are in all and for one address, and how many streams of each kind."""

    connections: int = MAX_CONNECTIONS
    per_address: int = PER_ADDRESS
    streams: Mapping[StreamKind, int] = MAX_STREAMS

    @property
    def warning(self) -> str:
        """What fits, in a line, where that is less than it should be; "" where all does."""
        if self.connections >= MAX_CONNECTIONS:
            return ""
        return (
            f"the system's limit of open files is low: the server takes {self.connections} connections, not "
            f"{MAX_CONNECTIONS}, and {self.streams[StreamKind.TABLES]} table pages: allow "
            f"{MAX_CONNECTIONS + RESERVED_DESCRIPTORS} files (ulimit -n, or LimitNOFILE of systemd)"
        )


def compute_caps(descriptors: int, per_address: int = PER_ADDRESS) -> ConnectionCaps:
    """Return what fits into so many descriptors.

    >>> compute_caps(4_096).connections, compute_caps(1_024).connections, dict(compute_caps(1_024).streams)
    (2500, 768, {<StreamKind.TABLES: 'tables'>: 307, <StreamKind.DISPLAYS: 'displays'>: 307, <StreamKind.STAFF:
    'staff'>: 30})
    """
    connections = min(MAX_CONNECTIONS, max(MIN_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS))
    streams = {kind: most * connections // MAX_CONNECTIONS for kind, most in MAX_STREAMS.items()}
    return ConnectionCaps(connections, min(per_address, connections), streams)


def raise_descriptor_limit(needed: int = MAX_CONNECTIONS + RESERVED_DESCRIPTORS) -> int:
    """Raise this process's limit of open descriptors to what is wanted, as far as it may be, and return it."""
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
    """Who is connected: how many in all, how many from each address, and who has yet to say what is wanted."""

    def __init__(self, caps: ConnectionCaps, proxies: Iterable[str] = ()) -> None:
        """Keep ``caps``; connections of ``proxies`` (addresses or networks) are those of many people."""
        self._caps = caps
        self._proxies = [network for each in proxies for network in _parse_networks(each)]
        self._addresses: Counter[str] = Counter()
        self._connected: dict[GuardedProtocol, str] = {}
        self._waiting: dict[GuardedProtocol, None] = {}  # who has waited longest stands first

    @property
    def connections(self) -> int:
        """How many are connected."""
        return len(self._connected)

    def admit(self, connection: "GuardedProtocol", host: str) -> str:
        """Let a connection in and return "", or return why not.

        Where there is room for no more, the one that has waited longest without a request makes room.
        """
        source = get_network(host)
        of_proxy = self._is_proxy(host)
        if not of_proxy and self._addresses[source] >= self._caps.per_address:
            return f"{self._caps.per_address} connections from this address are open: close some"
        if len(self._connected) >= self._caps.connections:
            if not self._waiting:
                return f"{self._caps.connections} connections are open: try again in a minute"
            oldest = next(iter(self._waiting))
            self.remove(oldest)
            oldest.transport.abort()
        self._connected[connection] = "" if of_proxy else source
        if not of_proxy:
            self._addresses[source] += 1
        return ""

    def remove(self, connection: "GuardedProtocol") -> None:
        """Let a connection go; one that is gone or never was in changes nothing."""
        self._waiting.pop(connection, None)
        source = self._connected.pop(connection, "")
        if source:
            self._addresses[source] -= 1
            if not self._addresses[source]:
                del self._addresses[source]

    def mark_waiting(self, connection: "GuardedProtocol") -> None:
        """Count a connection as one that waits for a request."""
        if connection in self._connected:
            self._waiting.pop(connection, None)
            self._waiting[connection] = None

    def mark_serving(self, connection: "GuardedProtocol") -> None:
        """Count a connection as one whose request is answered."""
        self._waiting.pop(connection, None)

    def _is_proxy(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


def _parse_networks(text: str) -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(text.strip(), strict=False)]
    except ValueError:  # a name, or "*"
        return []


class GuardedProtocol(H11Protocol):
    """A connection whose every step has its time."""

    limiter: ConnectionLimiter

    def connection_made(self, transport: Any) -> None:
        """Begin, where there is room."""
        super().connection_made(transport)
        self._head_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._unsent_before = 0
        why = self.limiter.admit(self, self.client[0] if self.client else "")
        if why:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, why)
        else:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.limiter.remove(self)
        self._stop_head_timer()
        if self._write_timer is not None:
            self._write_timer.cancel()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Take in what came; a request whose head is whole is no longer waited for."""
        super().handle_events()
        if self._is_answering:
            self._stop_head_timer()
            self.limiter.mark_serving(self)

    def on_response_complete(self) -> None:
        """Wait for the next request, or see that the rest of the answer is taken."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._watch_writing()
        elif self.cycle.response_complete:
            self._wait_for_head()

    def pause_writing(self) -> None:
        """Wait for a reader, who may not take for ever."""
        super().pause_writing()
        self._watch_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close a line on which nothing was said."""
        super().timeout_keep_alive_handler()
        self._watch_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what h11 cannot read, with the status that it proposes."""
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
        if self.transport.get_write_buffer_size():  # the answer before is still being read
            self._watch_writing()
            self._wait_for_head()
        elif self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"the request did not arrive within {HEAD_SECONDS:g} s: send it again")
        else:
            self.transport.close()

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        """Say in a problem why nothing is answered here, and close."""
        body = json.dumps(make_problem(status, reason)).encode()
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
        """Give up a reader who takes nothing of what is left to write."""
        self._unsent_before = self.transport.get_write_buffer_size()
        if self._write_timer is not None:
            self._write_timer.cancel()
        self._write_timer = self.loop.call_later(WRITE_SECONDS, self._check_writing) if self._unsent_before else None

    def _check_writing(self) -> None:
        if self.transport.get_write_buffer_size() >= self._unsent_before > 0:
            self.transport.abort()
        else:
            self._watch_writing()


def make_protocol(limiter: ConnectionLimiter) -> type[asyncio.Protocol]:
    """Return the protocol of a server whose connections come through ``limiter``."""
    return type("Guarded", (GuardedProtocol,), {"limiter": limiter})


def make_config(app: Any, limiter: ConnectionLimiter, **more: Any) -> uvicorn.Config:
    """Return how a server is set up that answers with ``app``."""
    return uvicorn.Config(
        app,
        http=make_protocol(limiter),
        ws="none",
        lifespan="off",
        server_header=False,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        timeout_keep_alive=IDLE_SECONDS,
        **more,
    )


class Server(uvicorn.Server):
    """A server that ends at once: who waits for a count then is answered, and does not hold up the end."""

    def __init__(self, config: uvicorn.Config, on_shutdown: Callable[[], None]) -> None:
        """Serve as ``config`` says; call ``on_shutdown`` once a signal ends it."""
        super().__init__(config)
        self._on_shutdown = on_shutdown

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._on_shutdown()
        await super().shutdown(sockets)
