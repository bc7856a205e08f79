"""Connections to PostgreSQL that give up a server that hangs.

The server's own limits (``statement_timeout``, ``lock_timeout``) help as long as it runs.  One that was stopped
still has its connections acknowledged by the system, so TCP keepalive finds nothing: the client must limit the wait
for each answer itself.  psycopg waits in one method, which takes a limit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import local
from time import monotonic
from typing import Any

import sqlalchemy as sa

ANSWER_SECONDS = 3.0
"""The longest wait for an answer of the server."""

CONNECT_SECONDS = 2
"""The longest wait for a connection, the least that libpq takes."""

OPERATION_SECONDS = 4.5
"""The time after the start of an operation in which a connection may still be opened, or waited for."""

SERVER_SETTINGS = {
    "statement_timeout": "2800",
    "lock_timeout": "2500",
    "idle_in_transaction_session_timeout": "10000",
}
"""Limits in the server, in milliseconds; a client that stops in a transaction does not keep its lock."""

_TCP_SETTINGS = {
    "keepalives": "1",
    "keepalives_idle": "5",
    "keepalives_interval": "1",
    "keepalives_count": "3",
    "tcp_user_timeout": "3000",
}
"""Limits of the TCP connection: a host that is gone is noticed, also between two operations."""

_operation = local()


@contextmanager
def limit_operation() -> Iterator[None]:
    """Limit how long this thread's operation may open connections."""
    before = getattr(_operation, "end", None)
    _operation.end = monotonic() + OPERATION_SECONDS
    try:
        yield
    finally:
        _operation.end = before


def make_postgresql_engine(url: sa.URL, *, is_limited: bool, pool_timeout: float) -> sa.Engine:
    """Return the engine of a PostgreSQL database.

    Without ``is_limited``, statements may take as long as they take.  ``pool_timeout`` is in seconds.
    """
    engine = sa.create_engine(url, isolation_level="SERIALIZABLE", pool_pre_ping=True, pool_timeout=pool_timeout)
    if is_limited:
        sa.event.listen(engine, "do_connect", _connect)
    return engine


def _connect(_dialect: Any, _record: Any, arguments: Any, fields: dict[str, Any]) -> Any:
    """Open a connection with limits, unless the operation has no time left for one."""
    kind = _get_connection_class()
    end = getattr(_operation, "end", None)
    if end is not None and monotonic() + CONNECT_SECONDS > end:
        raise kind.make_timeout_error()
    limits = " ".join(f"-c {name}={value}" for name, value in SERVER_SETTINGS.items())
    options = f"{fields.get('options', '')} {limits}".strip()
    return kind.connect(
        *arguments, **{**_TCP_SETTINGS, "connect_timeout": CONNECT_SECONDS, **fields, "options": options}
    )


@cache
def _get_connection_class() -> Any:
    """Return the connection class; psycopg is optional, so it is imported late."""
    import psycopg

    class LimitedConnection(psycopg.Connection[Any]):
        """A connection that is closed when the server does not answer in time."""

        @staticmethod
        def make_timeout_error() -> psycopg.OperationalError:
            return psycopg.OperationalError(f"the database server did not answer within {ANSWER_SECONDS:g} s")

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            limit = ANSWER_SECONDS if timeout is None else min(timeout, ANSWER_SECONDS)
            began = monotonic()
            try:
                return super().wait(gen, interval, limit)
            except psycopg.Error:
                if monotonic() - began < limit or self.pgconn.status != psycopg.pq.ConnStatus.OK:
                    raise
                self.pgconn.finish()
                raise self.make_timeout_error() from None

    return LimitedConnection
