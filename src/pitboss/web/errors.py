"""Refusals by the web service itself, each with its HTTP status."""

from collections.abc import Mapping
from http import HTTPStatus

from pitboss.core.errors import PitbossError


class WebError(PitbossError):
    """A refusal by the web service itself, with its HTTP status."""

    status = HTTPStatus.BAD_REQUEST
    headers: Mapping[str, str] = {}


class NotAuthenticatedError(WebError):
    """A request without a valid session or credentials."""

    status = HTTPStatus.UNAUTHORIZED
    headers: Mapping[str, str] = {"WWW-Authenticate": "Bearer"}


class CrossSiteError(WebError):
    """A request with a cookie that may come from another site's page."""

    status = HTTPStatus.FORBIDDEN


class NotFoundError(WebError):
    """An unknown name or address."""

    status = HTTPStatus.NOT_FOUND


class ClosedTableError(WebError):
    """A request to a closed table."""

    status = HTTPStatus.GONE


class RateLimitError(WebError):
    """A request beyond a rate limit."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, message: str, seconds: int, /, *, code: str = "", **fields: object) -> None:
        """Take the message, the seconds to wait, the code and the other fields."""
        super().__init__(message, code=code, **{**fields, "seconds": seconds})
        self.headers = {"Retry-After": str(seconds)}


class OverloadError(RateLimitError):
    """A request for which the server has no room now, within its sender's limits."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
