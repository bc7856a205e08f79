"""What stands around every request: the headers of every answer, the size of a body, and where a cookie comes from.

The sessions' own rules are in ``sessions``.  Clauses are those of OWASP ASVS 5.0.
"""

import secrets
from collections.abc import Mapping
from hashlib import sha256
from http import HTTPStatus

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.web.problems import CrossSiteError, problem

MOST_BODY = 64 * 1024
"""Bytes of a request's body."""

CSRF_HEADER = "X-CSRF-Token"

_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
)

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "; ".join(_POLICY),  # 3.4.3, 3.4.6: no inline script, no frame
    "X-Content-Type-Options": "nosniff",  # 3.4.4
    "Referrer-Policy": "no-referrer",  # 3.4.5
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "no-store",
}
"""Headers of every answer that does not set them itself."""

ANYBODY = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
"""Headers of what is public: a third party's page may show the meter (3.4.2: no credentials go with it)."""

HSTS = "max-age=31536000; includeSubDomains"  # 3.4.1


class Around:
    """The middleware: headers on every answer, and no body that is too large."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around ``app``."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and its answer back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers.setdefault("Strict-Transport-Security", HSTS)
            await send(message)

        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and int(length) > MOST_BODY:
            await problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)(scope, receive, sent)
            return
        await self._app(scope, _counted(receive), sent)


_TOO_LARGE = f"the body is too large: {MOST_BODY} bytes at most"


def _counted(receive: Receive) -> Receive:
    """Refuse a body that turns out to be too large while it comes."""
    come = 0

    async def counted() -> Message:
        nonlocal come
        message = await receive()
        come += len(message.get("body", b""))
        if come > MOST_BODY:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)
        return message

    return counted


def csrf_of(session: str) -> str:
    """Return the token that goes with a session's cookie on every request that changes something.

    It follows from the session, so nothing more is kept; who sees it does not know the session.
    """
    return sha256(f"csrf {session}".encode()).hexdigest()


def verify_own_page(request: Request) -> None:
    """Raise ``CrossSiteError`` where a browser says that a request comes from another site's page."""
    fetched = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    if fetched != "same-origin" or (origin is not None and origin.partition("://")[2] != request.url.netloc):
        raise CrossSiteError("this came from another site's page: use this site's own")


def verify_csrf(request: Request, session: str) -> None:
    """Check a request that came with a cookie (3.5.1).

    Raises:
        CrossSiteError: it changes something, and is not shown to come from this site's own page.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    verify_own_page(request)
    if not secrets.compare_digest(request.headers.get(CSRF_HEADER, "").encode(), csrf_of(session).encode()):
        raise CrossSiteError(f"a session by cookie needs its {CSRF_HEADER}, as GET /api/session tells it")
