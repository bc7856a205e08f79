"""Refusals by the web service itself, each with its HTTP status."""

from collections.abc import Mapping
from http import HTTPStatus

from pitboss.core.errors import PitbossError


class WebError(PitbossError):
    """An error for what the web service itself refuses, with its HTTP status."""

    status = HTTPStatus.BAD_REQUEST
    headers: Mapping[str, str] = {}


class NotAuthenticatedError(WebError):
    """An error for a request without a valid session or credentials."""

    status = HTTPStatus.UNAUTHORIZED
    headers: Mapping[str, str] = {"WWW-Authenticate": "Bearer"}


class CrossSiteError(WebError):
    """An error for a request with a cookie that may come from another site."""

    status = HTTPStatus.FORBIDDEN


class NotFoundError(WebError):
    """An error for an unknown name or address."""

    status = HTTPStatus.NOT_FOUND


class ClosedTableError(WebError):
    """An error for a request to a closed table."""

    status = HTTPStatus.GONE


class RateLimitError(WebError):
    """An error for a request beyond a rate limit."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, message: str, seconds: int, /, *, code: str = "", **fields: object) -> None:
        """Take the message, the seconds to wait, the code and the other fields."""
        super().__init__(message, code=code, **{**fields, "seconds": seconds})
        self.headers = {"Retry-After": str(seconds)}


class OverloadError(RateLimitError):
    """An error for a request for which the server has no room now.

    The request is within its sender's limits.
    """

    status = HTTPStatus.SERVICE_UNAVAILABLE
