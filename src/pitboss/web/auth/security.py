"""Security headers of every answer, and origin checks of requests with a cookie.

``middleware`` adds the headers to every answer.  The rules of sessions are in ``sessions``.  Clause numbers refer to
OWASP ASVS 5.0.
"""

import secrets
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import ip_address

from fastapi import Request

from pitboss.web.errors import CrossSiteError

MAX_BODY_BYTES = 64 * 1024
"""Maximum bytes of a request body."""

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
"""Default headers of every answer."""

PUBLIC_HEADERS = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
"""Headers of public answers: other sites may show the meter (3.4.2: no credentials go with it)."""

HSTS = "max-age=31536000; includeSubDomains"  # 3.4.1


def is_local(request: Request) -> bool:
    """Return whether a request came from this machine itself (12.2.1).

    It must have come over plain HTTP and without a proxy.  Only the client's address decides this.  The header Host
    does not, because the client can write anything there.
    """
    if request.url.scheme != "http" or request.app.state.behind_proxy or request.client is None:
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def verify_https(request: Request) -> None:
    """Check that secrets did not come over plain HTTP from another machine.

    Raises:
        CrossSiteError: they did, so others on the way can read them.
    """
    if request.url.scheme == "http" and not is_local(request):
        raise CrossSiteError(
            "passwords, codes and sessions need https: put a TLS proxy in front, or work on the server's own machine",
            code="https-needed",
        )


def make_csrf_token(session: str) -> str:
    """Return the CSRF token of a session.

    It must come with the session's cookie on every request that changes something.  It is derived from the session, so
    it needs no storage; the token does not reveal the session.
    """
    return sha256(f"csrf {session}".encode()).hexdigest()


def verify_same_origin(request: Request) -> None:
    """Check that a request does not come from another site's page.

    Raises:
        CrossSiteError: the browser says that it does.
    """
    fetch_site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    if fetch_site != "same-origin" or (
        origin is not None and origin.partition("://")[2] != request.headers.get("host")
    ):
        raise CrossSiteError("this request came from another site's page: use this site's own pages", code="other-site")


def verify_csrf(request: Request, session: str) -> None:
    """Check a request that came with a cookie (3.5.1).

    Raises:
        CrossSiteError: it changes something, and does not prove that it comes from this site's own page.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    verify_same_origin(request)
    if not secrets.compare_digest(request.headers.get(CSRF_HEADER, "").encode(), make_csrf_token(session).encode()):
        raise CrossSiteError(
            f"a session with a cookie needs the header {CSRF_HEADER}: GET /api/session returns its value",
            code="csrf-token-needed",
            csrf_header=CSRF_HEADER,
        )
