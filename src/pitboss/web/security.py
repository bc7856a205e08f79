"""What every answer and every request with a cookie is held to: headers, and where a request comes from.

``gate`` puts the headers on every answer.  The sessions' own rules are in ``sessions``.  Clauses are
those of OWASP ASVS 5.0.
"""

import secrets
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import ip_address

from fastapi import Request

from pitboss.web.problems import CrossSiteError

MAX_BODY_BYTES = 64 * 1024
"""Bytes of a request's body."""

CSRF_HEADER = "X-CSRF-Token"

_CONTENT_SECURITY_POLICY = (
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

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "; ".join(_CONTENT_SECURITY_POLICY),  # 3.4.3, 3.4.6: no inline script, no frame
    "X-Content-Type-Options": "nosniff",  # 3.4.4
    "Referrer-Policy": "no-referrer",  # 3.4.5
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "no-store",
}
"""Headers of every answer that does not set them itself."""

PUBLIC_HEADERS = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
"""Headers of what is public: a third party's page may show the meter (3.4.2: no credentials go with it)."""

HSTS = "max-age=31536000; includeSubDomains"  # 3.4.1


def is_local(request: Request) -> bool:
    """Return whether a request came over plain HTTP from this machine itself, and through no proxy (12.2.1).

    That is told by the address of the other end; the header Host is whatever somebody wrote, and decides nothing.
    """
    if request.url.scheme != "http" or request.app.state.behind_proxy or request.client is None:
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def make_csrf_token(session: str) -> str:
    """Return the token that goes with a session's cookie on every request that changes something.

    It follows from the session, so nothing more is kept; who sees it does not know the session.
    """
    return sha256(f"csrf {session}".encode()).hexdigest()


def verify_same_origin(request: Request) -> None:
    """Raise ``CrossSiteError`` where a browser says that a request comes from another site's page."""
    fetched = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    if fetched != "same-origin" or (origin is not None and origin.partition("://")[2] != request.headers.get("host")):
        raise CrossSiteError("this request came from another site's page: use this site's own pages")


def verify_csrf(request: Request, session: str) -> None:
    """Check a request that came with a cookie (3.5.1).

    Raises:
        CrossSiteError: it changes something, and is not shown to come from this site's own page.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    verify_same_origin(request)
    if not secrets.compare_digest(request.headers.get(CSRF_HEADER, "").encode(), make_csrf_token(session).encode()):
        raise CrossSiteError(f"a session by cookie needs the header {CSRF_HEADER}: GET /api/session returns its value")
