"""Error answers: one clear line as ``application/problem+json`` (RFC 9457), or as a page for a browser.

Every refusal is logged with the client's name and address; the ledger also records the answer to a refused command.
"""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from pitboss.core.errors import PitbossError, UnknownIdError, UnknownNameError, escape_unprintable
from pitboss.core.strict_model import format_error
from pitboss.jackpot.errors import ForbiddenError, RefusalError, TooManyAttemptsError
from pitboss.ledger.errors import LedgerError
from pitboss.table.repository import UnsettledError
from pitboss.web.templating import render_template

MEDIA_TYPE = "application/problem+json"
LOG = logging.getLogger("pitboss.web")

_SECRET_FIELDS = {"password", "code", "token"}
_PLAIN_TEXTS = {
    "Method Not Allowed": "this address does not take this method: the header Allow lists those that it takes",
}


class ProblemDetails(BaseModel):
    """A refusal (RFC 9457): ``type`` for programs, ``detail`` for people."""

    type: str
    title: str
    status: int
    detail: str


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

    def __init__(self, message: str, seconds: int) -> None:
        """Take the message and the seconds to wait."""
        super().__init__(message)
        self.headers = {"Retry-After": str(seconds)}


def install_error_handlers(app: FastAPI) -> None:
    """Answer every error with a problem."""
    for kind in (PitbossError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _handle_error)


async def _handle_error(request: Request, error: Exception) -> Response:
    return respond_to_error(request, error)


def respond_to_error(request: Request, error: Exception) -> Response:
    """Return the answer to a request that failed with an error, and log it."""
    status, detail, headers = _describe_error(error)
    if detail == HTTPStatus.NOT_FOUND.phrase:
        jackpot, registry = request.app.state.jackpot, request.app.state.registry
        has_api = jackpot and (not registry or request.url.path.startswith("/api/"))
        pointer = "/openapi.json describes" if has_api else "/ shows"
        detail = f"there is nothing at this address: {pointer} what there is"
    detail = escape_unprintable(detail)
    log_refusal(request, status, detail)
    if not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(render_template("problem.html", {"detail": detail}), status, dict(headers))
    return make_problem_response(status, detail, headers)


def log_refusal(request: Request, status: int, detail: str) -> None:
    """Log a refusal on one line, with unprintable characters escaped."""
    name = getattr(request.state, "name", "") or "nobody"
    address = request.client.host if request.client else "nowhere"
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in detail)
    LOG.warning("%s %r: %d to %s at %s: %s", request.method, request.url.path, status, name, address, line)


def make_problem_response(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Make the response of a problem."""
    return JSONResponse(make_problem(status, detail), status, dict(headers or {}), MEDIA_TYPE)


def make_problem(status: int, detail: str) -> dict[str, Any]:
    """Make the JSON document of a problem."""
    title = HTTPStatus(status).phrase
    name = f"urn:pitboss:{title.lower().replace(' ', '-')}"
    return ProblemDetails(type=name, title=title, status=status, detail=detail).model_dump()


def _describe_error(error: Exception) -> tuple[int, str, Mapping[str, str]]:
    """Return the status, the message and the headers for an error."""
    match error:
        case WebError():
            return error.status, str(error), error.headers
        case TooManyAttemptsError():
            return HTTPStatus.TOO_MANY_REQUESTS, str(error), {"Retry-After": str(error.seconds)}
        case ForbiddenError():
            return HTTPStatus.FORBIDDEN, str(error), {}
        case RefusalError():
            return HTTPStatus.CONFLICT, str(error), {}
        case UnsettledError():
            return HTTPStatus.NOT_FOUND, str(error), {}
        case LedgerError():
            return HTTPStatus.SERVICE_UNAVAILABLE, str(error), {}
        case UnknownNameError() | UnknownIdError():
            return HTTPStatus.NOT_FOUND, str(error), {}
        case PitbossError():
            return HTTPStatus.UNPROCESSABLE_ENTITY, str(error), {}
        case RequestValidationError():
            return HTTPStatus.UNPROCESSABLE_ENTITY, _describe_form_error(error.errors()[0]), {}
        case HTTPException():
            return error.status_code, _PLAIN_TEXTS.get(error.detail, error.detail), error.headers or {}
        case _:
            return HTTPStatus.INTERNAL_SERVER_ERROR, "the server failed: its log says why", {}


def _describe_form_error(error: Mapping[str, Any]) -> str:
    """Say which field of a request is invalid, without repeating a secret."""
    place = error["loc"][1:] or error["loc"]
    if _SECRET_FIELDS & set(map(str, place)):
        return f"{' '.join(map(str, place))}: not in the required form"
    return format_error({**error, "loc": place})
