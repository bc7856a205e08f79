"""The admission middleware: it checks requests and buffers their bodies.

It checks their size, form and rate.  It wraps everything else, even the framework's own answer to a failure, so every
answer has the headers of ``security``.  Checks of the head run before any byte of the body is read.  The application
gets a body only when it is complete, so it never waits for a slow client.  The cost of every check is at most linear in
the size of the request.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from http import HTTPStatus

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.web.auth.security import HSTS, MAX_BODY_BYTES, SECURITY_HEADERS
from pitboss.web.errors import WebError
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.problems import respond_to_error
from pitboss.web.server.request_queue import PasswordQueues, Release, RequestQueue

MAX_FIELDS = 250
"""Maximum fields of a form or a query: a table's form has 120."""

MAX_HEADERS = 64
MAX_COOKIE_BYTES = 4_096
MAX_PATH_BYTES = 512
MAX_QUERY_BYTES = 8_192
"""Maximum headers of a request, and bytes of its cookies, its raw path and its query."""

BODY_SECONDS = 20.0
"""Time for a body to arrive."""

_FORM_TYPE, _JSON_TYPE = "application/x-www-form-urlencoded", "application/json"

Admit = Callable[[Request], None]
"""Admits a request by its head, or raises the refusal."""


class HeadTooLargeError(WebError):
    """An error for a request head larger than any that this site's pages send."""

    status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


class UrlTooLongError(WebError):
    """An error for a URL longer than any of this site's."""

    status = HTTPStatus.REQUEST_URI_TOO_LONG


class BodyTooLargeError(WebError):
    """An error for a request body with too many bytes."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class BodyTypeError(WebError):
    """An error for a request body with an unsupported type or encoding."""

    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class BodyTimeoutError(WebError):
    """An error for a request body that did not arrive in time."""

    status = HTTPStatus.REQUEST_TIMEOUT


class MalformedBodyError(WebError):
    """An error for a request body that is not text or has too many fields."""

    status = HTTPStatus.BAD_REQUEST


class _DisconnectedError(Exception):
    """The client has disconnected."""


class AdmissionMiddleware:
    """The outermost middleware."""

    def __init__(self, app: ASGIApp, admit: Admit, queue: RequestQueue, passwords: PasswordQueues) -> None:
        """Wrap ``app``.

        ``admit`` admits a request by its head, ``passwords`` and ``queue`` schedule it.
        """
        self._app, self._admit, self._queue, self._passwords = app, admit, queue, passwords

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, pass it to the application, and send the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _add_headers(scope, send)
        request = Request(scope)
        try:
            verify_head(scope)
            self._admit(request)
            receive = await _buffer_body(request, receive)
            address = get_client_address(request)
            async with self._passwords.take_turn(scope, address) as leave, self._queue.take_turn(address) as turn:
                scope.setdefault("state", {})["turn"] = turn
                await self._app(scope, receive, _release_on_response((turn.release, leave), send))
        except _DisconnectedError:
            return
        except WebError as error:  # the application handles its own errors
            await respond_to_error(request, error)(scope, receive, send)


def _add_headers(scope: Scope, send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            if scope["scheme"] == "https":
                headers.setdefault("Strict-Transport-Security", HSTS)
        await send(message)

    return send_with_headers


def _release_on_response(releases: Sequence[Release], send: Send) -> Send:
    """Release the turns when the answer begins.

    The rest of the answer, which takes hours for a stream, needs no core.
    """

    async def send_released(message: Message) -> None:
        for release in releases:
            release()
        await send(message)

    return send_released


def verify_head(scope: Scope) -> None:
    """Check the size of a request head.

    Raises:
        HeadTooLargeError: too many headers, or too many bytes of cookies.
        UrlTooLongError: the path or the query is too long, or has too many fields.
        BodyTypeError: two headers give the type of the body.
    """
    headers = scope["headers"]
    if len(headers) > MAX_HEADERS:
        raise HeadTooLargeError(
            f"the request has {len(headers)} headers: {MAX_HEADERS} at most",
            code="too-many-headers",
            given=len(headers),
            most=MAX_HEADERS,
        )
    if sum(len(value) for name, value in headers if name == b"cookie") > MAX_COOKIE_BYTES:
        raise HeadTooLargeError(
            f"the cookies are too long: {MAX_COOKIE_BYTES} bytes at most",
            code="cookies-too-long",
            most=MAX_COOKIE_BYTES,
        )
    if sum(name == b"content-type" for name, _ in headers) > 1:
        raise BodyTypeError("Content-Type is given twice: send it once", code="header-twice")
    if len(scope.get("raw_path") or b"") > MAX_PATH_BYTES:
        raise UrlTooLongError(
            f"the address is too long: {MAX_PATH_BYTES} bytes at most", code="address-too-long", most=MAX_PATH_BYTES
        )
    query = scope["query_string"]
    if len(query) > MAX_QUERY_BYTES or query.count(b"&") >= MAX_FIELDS:
        raise UrlTooLongError(
            f"the query is too long: {MAX_QUERY_BYTES} bytes and {MAX_FIELDS} fields at most",
            code="query-too-long",
            most=MAX_QUERY_BYTES,
        )


async def _buffer_body(request: Request, receive: Receive) -> Receive:
    """Read a body and return a replay of it.

    This raises what ``parse_content_type`` and ``verify_body_text`` raise.
    """
    length = request.headers.get("content-length", "")
    if length in {"", "0"} and "transfer-encoding" not in request.headers:
        return receive
    if (
        length.isascii()
        and length.isdigit()
        and (len(length) > len(str(MAX_BODY_BYTES)) or int(length) > MAX_BODY_BYTES)
    ):
        raise BodyTooLargeError(_BODY_TOO_LARGE, code="body-too-large")
    kind = parse_content_type(request.headers.get("content-type", ""))
    body = await _read_body(receive)
    verify_body_text(kind, body)
    is_replayed = False

    async def replay() -> Message:
        nonlocal is_replayed
        if is_replayed:
            return await receive()
        is_replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


_BODY_TOO_LARGE = f"the body is too large: {MAX_BODY_BYTES} bytes at most"


async def _read_body(receive: Receive) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _DisconnectedError
                body += message.get("body", b"")
                if len(body) > MAX_BODY_BYTES:
                    raise BodyTooLargeError(_BODY_TOO_LARGE, code="body-too-large")
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise BodyTimeoutError(
            f"the body did not arrive within {BODY_SECONDS:g} s: send it again",
            code="body-too-late",
            body_seconds=BODY_SECONDS,
        ) from None


def parse_content_type(content_type: str) -> str:
    """Return the media type of a body.

    >>> parse_content_type("application/x-www-form-urlencoded; charset=UTF-8")
    'application/x-www-form-urlencoded'

    Raises:
        BodyTypeError: it is neither a form nor JSON, or not in UTF-8.
    """
    kind, *parameters = (each.strip().lower() for each in content_type.split(";"))
    charsets = [
        value.strip('" ') for name, _, value in (each.partition("=") for each in parameters) if name == "charset"
    ]
    if kind not in {_FORM_TYPE, _JSON_TYPE} or any(each not in {"utf-8", "utf8"} for each in charsets):
        raise BodyTypeError(
            f"the body is not of a known type: send {_FORM_TYPE} or {_JSON_TYPE}, in UTF-8",
            code="unknown-body-type",
            form_type=_FORM_TYPE,
            json_type=_JSON_TYPE,
        )
    return kind


def verify_body_text(content_type: str, body: bytes) -> None:
    """Check that a body is text and has not too many fields.

    Text is what can be encoded again.

    Raises:
        MalformedBodyError: it is not.
    """
    if content_type == _FORM_TYPE and body.count(b"&") >= MAX_FIELDS:
        raise MalformedBodyError(
            f"the form has too many fields: {MAX_FIELDS} at most", code="too-many-fields", most=MAX_FIELDS
        )
    try:
        text = body.decode()
        if content_type == _JSON_TYPE and "\\u" in text:  # only an escape can write half a UTF-16 pair
            json.dumps(json.loads(text), ensure_ascii=False).encode()
    except UnicodeError:
        raise MalformedBodyError("the body is not UTF-8 text: send it in UTF-8", code="not-utf-8") from None
    except (ValueError, RecursionError):
        raise MalformedBodyError("the body is not valid JSON, or is nested too deeply", code="invalid-json") from None
