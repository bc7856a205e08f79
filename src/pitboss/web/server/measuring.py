"""Counts of requests by method, route and status, and the time that they take."""

from collections import Counter, defaultdict
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

UNKNOWN_ROUTE = "none"
"""The route of requests that have none, so that nobody can add names to the counts."""

KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

RequestKind = tuple[str, str, int]


class RequestMeasurements:
    """What was counted so far, on the event loop's thread alone."""

    def __init__(self) -> None:
        """Count from zero."""
        self.requests: Counter[RequestKind] = Counter()
        """Requests by method, route and status."""
        self.seconds: defaultdict[RequestKind, float] = defaultdict(float)
        """The seconds until their answers began, together."""
        self.refusals: Counter[tuple[str, int]] = Counter()
        """Refused requests by code and status."""


class MeasuringMiddleware:
    """Counts every request that passes."""

    def __init__(self, app: ASGIApp, measurements: RequestMeasurements) -> None:
        """Wrap ``app``."""
        self._app, self._measurements = app, measurements

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it when its answer begins."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", UNKNOWN_ROUTE)
                method = scope["method"] if scope["method"] in KNOWN_METHODS else UNKNOWN_ROUTE
                kind = method, route, int(message["status"])
                self._measurements.requests[kind] += 1
                self._measurements.seconds[kind] += perf_counter() - began
            await send(message)

        await self._app(scope, receive, send_counted)
