"""What a request passes before the application: its size and its form, who may ask how often, and its body.

It stands outside everything else, the framework's own answer to a failure included, so every answer has the headers of
``security``.  What is decided by the head of a request is decided before a byte of its body is read, and a body is read
whole before it goes on: nothing behind waits for a slow one.  Nothing here costs more than in proportion to what came.
"""

import asyncio
import json
from collections.abc import Callable
from http import HTTPStatus

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.web.jackpot_context import get_client_address
from pitboss.web.problems import WebError, respond_to_error
from pitboss.web.request_queue import Release, RequestQueue
from pitboss.web.security import HSTS, MAX_BODY_BYTES, SECURITY_HEADERS

MAX_FIELDS = 250
"""Fields of a form, or of a query: a table's form has 120."""

MAX_HEADERS = 64
MAX_COOKIE_BYTES = 4_096
MAX_PATH_BYTES = 512
MAX_QUERY_BYTES = 8_192
"""Headers of a request; bytes of its cookies, of its path as it was sent, of its query."""

BODY_SECONDS = 20.0
"""How long a body may take to come."""

_FORM_TYPE, _JSON_TYPE = "application/x-www-form-urlencoded", "application/json"

Admit = Callable[[Request], None]
"""Lets a request in by its head, or raises what refuses it."""


class HeadTooLargeError(WebError):
    """A head that is longer than any that this site's pages send."""

    status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


class UrlTooLongError(WebError):
    """An address that is longer than any of this site's."""

    status = HTTPStatus.REQUEST_URI_TOO_LONG


class BodyTooLargeError(WebError):
    """A body of too many bytes."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class BodyTypeError(WebError):
    """A body in another form or in other letters than are read here."""

    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class BodyTimeoutError(WebError):
    """A body that did not come in time."""

    status = HTTPStatus.REQUEST_TIMEOUT


class MalformedBodyError(WebError):
    """A body that is not text, or has too many fields."""

    status = HTTPStatus.BAD_REQUEST


class _DisconnectedError(Exception):
    """Nobody waits for an answer any more."""


class AdmissionMiddleware:
    """The outermost middleware."""

    def __init__(self, app: ASGIApp, admit: Admit, queue: RequestQueue) -> None:
        """Stand around ``app``; ``admit`` lets a request in by its head, ``queue`` says when it is worked on."""
        self._app, self._admit, self._queue = app, admit, queue

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and its answer back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _add_headers(scope, send)
        request = Request(scope)
        try:
            verify_head(scope)
            self._admit(request)
            receive = await _buffer_body(request, receive)
            async with self._queue.take_turn(get_client_address(request)) as release:
                scope.setdefault("state", {})["release_turn"] = release
                await self._app(scope, receive, _release_on_response(release, send))
        except _DisconnectedError:
            return
        except WebError as error:  # the application answers its own
            await respond_to_error(request, error)(scope, receive, send)


def _add_headers(scope: Scope, send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            if scope["scheme"] == "https":
                headers.setdefault("Strict-Transport-Security", HSTS)
        await send(message)

    return sent


def _release_on_response(release: Release, send: Send) -> Send:
    """Give a turn back once the answer begins: what is still to come of it, of a stream for hours, takes no core."""

    async def sent(message: Message) -> None:
        release()
        await send(message)

    return sent


def verify_head(scope: Scope) -> None:
    """Check how much a head holds.

    Raises:
        HeadError: too many headers, or too many bytes of cookies.
        AddressError: the path or the query is too long, or has too many fields.
        BodyTypeError: two headers say of what type the body is.
    """
    headers = scope["headers"]
    if len(headers) > MAX_HEADERS:
        raise HeadTooLargeError(f"the request has {len(headers)} headers: {MAX_HEADERS} at most")
    if sum(len(value) for name, value in headers if name == b"cookie") > MAX_COOKIE_BYTES:
        raise HeadTooLargeError(f"the cookies are too long: {MAX_COOKIE_BYTES} bytes at most")
    if sum(name == b"content-type" for name, _ in headers) > 1:
        raise BodyTypeError("Content-Type is given twice: send it once")
    if len(scope.get("raw_path") or b"") > MAX_PATH_BYTES:
        raise UrlTooLongError(f"the address is too long: {MAX_PATH_BYTES} bytes at most")
    query = scope["query_string"]
    if len(query) > MAX_QUERY_BYTES or query.count(b"&") >= MAX_FIELDS:
        raise UrlTooLongError(f"the query is too long: {MAX_QUERY_BYTES} bytes and {MAX_FIELDS} fields at most")


async def _buffer_body(request: Request, receive: Receive) -> Receive:
    """Read a request's body; return what passes it on (raises as ``parse_content_type`` and ``verify_body_text``)."""
    length = request.headers.get("content-length", "")
    if length in {"", "0"} and "transfer-encoding" not in request.headers:
        return receive
    if (
        length.isascii()
        and length.isdigit()
        and (len(length) > len(str(MAX_BODY_BYTES)) or int(length) > MAX_BODY_BYTES)
    ):
        raise BodyTooLargeError(_BODY_TOO_LARGE)
    kind = parse_content_type(request.headers.get("content-type", ""))
    body = await _read_body(receive)
    verify_body_text(kind, body)
    handed = False

    async def again() -> Message:
        nonlocal handed
        if handed:
            return await receive()
        handed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


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
                    raise BodyTooLargeError(_BODY_TOO_LARGE)
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise BodyTimeoutError(f"the body did not arrive within {BODY_SECONDS:g} s: send it again") from None


def parse_content_type(content_type: str) -> str:
    """Return of what type a body is.

    >>> parse_content_type("application/x-www-form-urlencoded; charset=UTF-8")
    'application/x-www-form-urlencoded'

    Raises:
        BodyTypeError: it is neither a form nor JSON, or not in UTF-8.
    """
    kind, *parameters = (each.strip().lower() for each in content_type.split(";"))
    letters = [
        value.strip('" ') for name, _, value in (each.partition("=") for each in parameters) if name == "charset"
    ]
    if kind not in {_FORM_TYPE, _JSON_TYPE} or any(each not in {"utf-8", "utf8"} for each in letters):
        raise BodyTypeError(f"the body is not of a known type: send {_FORM_TYPE} or {_JSON_TYPE}, in UTF-8")
    return kind


def verify_body_text(content_type: str, body: bytes) -> None:
    """Check that a body is text that can be written down again, with no more fields than any form has.

    Raises:
        BodyFormError: it is not.
    """
    if content_type == _FORM_TYPE and body.count(b"&") >= MAX_FIELDS:
        raise MalformedBodyError(f"the form has too many fields: {MAX_FIELDS} at most")
    try:
        text = body.decode()
        if (
            content_type == _JSON_TYPE and "\\u" in text
        ):  # half a pair of UTF-16 can be written as an escape, and nowhere else
            json.dumps(json.loads(text), ensure_ascii=False).encode()
    except UnicodeError:
        raise MalformedBodyError("the body is not UTF-8 text: send it in UTF-8") from None
    except (ValueError, RecursionError):
        raise MalformedBodyError("the body is not valid JSON, or is nested too deeply") from None
