"""Error answers: one clear line for a program or for a browser.

A program gets ``application/problem+json`` (RFC 9457), a browser gets a page.

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

from pitboss.core.errors import ErrorField, PitbossError, UnknownIdError, UnknownNameError, quote
from pitboss.core.strict_model import format_error
from pitboss.core.text import shorten_values
from pitboss.jackpot.errors import ForbiddenError, RefusalError, TooManyAttemptsError
from pitboss.ledger.errors import LedgerError
from pitboss.table.repository import UnsettledError
from pitboss.web.errors import NotFoundError, WebError
from pitboss.web.game_lists import list_games_with_rules
from pitboss.web.templating import list_page_links, render_template

MEDIA_TYPE = "application/problem+json"
LOG = logging.getLogger("pitboss.web")
SECURITY_LOG = logging.getLogger("pitboss.web.security")
"""The log of log-ins, refused proofs and refused actions, which may be written to a file of its own."""

_SECURITY_STATUSES = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}

_SECRET_FIELDS = {"password", "code", "token"}
_PLAIN_TEXTS = {
    "Method Not Allowed": "this address does not support this method: the header Allow lists those that it does",
}


_WRONG_METHOD_ON_PAGE = "this address answers only what a page's form sends: go back and press the button there"


class ProblemDetails(BaseModel):
    """A refusal (RFC 9457).

    ``code`` and ``fields`` are for programs, ``detail`` is for people; ``type`` is the code as a URN.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    fields: dict[str, ErrorField]


def install_error_handlers(app: FastAPI) -> None:
    """Answer every error with a problem."""
    for kind in (PitbossError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _handle_error)


async def _handle_error(request: Request, error: Exception) -> Response:
    return respond_to_error(request, error)


def respond_to_error(request: Request, error: Exception) -> Response:
    """Return the answer to a request that failed with an error, and log it."""
    status, refusal, headers = _describe_error(error)
    if str(refusal) == HTTPStatus.NOT_FOUND.phrase:
        jackpot, registry = request.app.state.jackpot, request.app.state.registry
        has_api = jackpot and (not registry or request.url.path.startswith("/api/"))
        pointer = "/openapi.json lists the operations" if has_api else "/ lists the tables"
        refusal = NotFoundError(f"there is nothing at this address: {pointer}", code="unknown-address")
    detail = shorten_values(str(refusal))
    log_refusal(request, status, detail, refusal.code)
    request.app.state.measurements.refusals[refusal.code, int(status)] += 1
    if not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        state = request.app.state
        pages = list_page_links(tables=bool(state.registry), progressive=bool(state.jackpot))
        games = list_games_with_rules() if refusal.code == "unknown-game" and state.registry else ()
        detail = f"there is no game {quote(refusal.fields['name'])} here" if games else detail
        own = refusal.fields.get("own", ())
        detail = _WRONG_METHOD_ON_PAGE if status == HTTPStatus.METHOD_NOT_ALLOWED else detail
        context = {"detail": detail, "pages": pages, "here": request.url.path, "own": own, "games": games}
        return HTMLResponse(render_template("problem.html", context), status, dict(headers))
    return JSONResponse(make_problem(status, refusal), status, dict(headers), MEDIA_TYPE)


def log_refusal(request: Request, status: int, detail: str, code: str = "") -> None:
    """Log a refusal on one line, with unprintable characters escaped."""
    name = getattr(request.state, "name", "") or "nobody"
    address = request.client.host if request.client else "nowhere"
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in detail)
    fields = {"method": request.method, "path": request.url.path, "status": int(status), "code": code}
    fields |= {"person": name, "address": address}
    log = SECURITY_LOG if status in _SECURITY_STATUSES else LOG
    log.warning(
        "%s %r: %d to %s at %s: %s", request.method, request.url.path, status, name, address, line, extra=fields
    )


def make_status_error(status: int, message: str) -> WebError:
    """Make a refusal whose code is the name of its status."""
    return WebError(message, code=HTTPStatus(status).phrase.lower().replace(" ", "-"))


def make_problem(status: int, refusal: PitbossError) -> dict[str, Any]:
    """Make the JSON document of a problem."""
    return ProblemDetails(
        type=f"urn:pitboss:{refusal.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=shorten_values(str(refusal)),
        code=refusal.code,
        fields=dict(refusal.fields),
    ).model_dump()


def _describe_error(error: Exception) -> tuple[int, PitbossError, Mapping[str, str]]:
    """Return the status, the refusal and the headers for an error."""
    match error:
        case WebError():
            return error.status, error, error.headers
        case TooManyAttemptsError():
            return HTTPStatus.TOO_MANY_REQUESTS, error, {"Retry-After": str(error.seconds)}
        case ForbiddenError():
            return HTTPStatus.FORBIDDEN, error, {}
        case RefusalError():
            return HTTPStatus.CONFLICT, error, {}
        case UnsettledError():
            return HTTPStatus.NOT_FOUND, error, {}
        case LedgerError():
            return HTTPStatus.SERVICE_UNAVAILABLE, error, {}
        case UnknownNameError() | UnknownIdError():
            return HTTPStatus.NOT_FOUND, error, {}
        case PitbossError():
            return HTTPStatus.UNPROCESSABLE_ENTITY, error, {}
        case RequestValidationError():
            return HTTPStatus.UNPROCESSABLE_ENTITY, _make_form_error(error.errors()[0]), {}
        case HTTPException():
            refusal = make_status_error(error.status_code, _PLAIN_TEXTS.get(error.detail, error.detail))
            return error.status_code, refusal, error.headers or {}
        case _:
            # Starlette raises the error again for the log, and uvicorn then closes the connection: say so, or the
            # client's next request on it is lost.
            refusal = WebError(
                "something went wrong on the server: try again, and tell whoever runs it", code="server-failed"
            )
            return HTTPStatus.INTERNAL_SERVER_ERROR, refusal, {"Connection": "close"}


def _make_form_error(error: Mapping[str, Any]) -> WebError:
    """Say which field of a request is invalid, without repeating a secret."""
    place = error["loc"][1:] or error["loc"]
    field = " ".join(map(str, place))
    is_secret = not _SECRET_FIELDS.isdisjoint(map(str, place))
    message = f"{field}: not in the required format" if is_secret else format_error({**error, "loc": place})
    return WebError(message, code="invalid-field", field=field)
