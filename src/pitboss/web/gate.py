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

from pitboss.web.house import address_of
from pitboss.web.problems import WebError, refused
from pitboss.web.security import HEADERS, HSTS, MOST_BODY
from pitboss.web.turns import Release, Turns

MOST_FIELDS = 250
"""Fields of a form, or of a query: a table's form has 120."""

MOST_HEADERS = 64
MOST_COOKIES = 4_096
MOST_PATH = 512
MOST_QUERY = 8_192
"""Headers of a request; bytes of its cookies, of its path as it was sent, of its query."""

BODY_SECONDS = 20.0
"""How long a body may take to come."""

_FORM, _JSON = "application/x-www-form-urlencoded", "application/json"

Admit = Callable[[Request], None]
"""Lets a request in by its head, or raises what refuses it."""


class HeadError(WebError):
    """A head that is longer than any that this site's pages send."""

    status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


class AddressError(WebError):
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


class BodyFormError(WebError):
    """A body that is not text, or has too many fields."""

    status = HTTPStatus.BAD_REQUEST


class _GoneError(Exception):
    """Nobody waits for an answer any more."""


class Gate:
    """The outermost middleware."""

    def __init__(self, app: ASGIApp, admit: Admit, turns: Turns) -> None:
        """Stand around ``app``; ``admit`` lets a request in by its head, ``turns`` says when it is worked on."""
        self._app, self._admit, self._turns = app, admit, turns

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and its answer back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(scope, send)
        request = Request(scope)
        try:
            verify_head(scope)
            self._admit(request)
            receive = await _with_body(request, receive)
            async with self._turns.taken(address_of(request)) as release:
                scope.setdefault("state", {})["release_turn"] = release
                await self._app(scope, receive, _releasing(release, send))
        except _GoneError:
            return
        except WebError as error:  # the application answers its own
            await refused(request, error)(scope, receive, send)


def _with_headers(scope: Scope, send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if scope["scheme"] == "https":
                headers.setdefault("Strict-Transport-Security", HSTS)
        await send(message)

    return sent


def _releasing(release: Release, send: Send) -> Send:
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
    if len(headers) > MOST_HEADERS:
        raise HeadError(f"the request has {len(headers)} headers: {MOST_HEADERS} at most")
    if sum(len(value) for name, value in headers if name == b"cookie") > MOST_COOKIES:
        raise HeadError(f"the cookies are too long: {MOST_COOKIES} bytes at most")
    if sum(name == b"content-type" for name, _ in headers) > 1:
        raise BodyTypeError("Content-Type stands twice: send it once")
    if len(scope.get("raw_path") or b"") > MOST_PATH:
        raise AddressError(f"the address is too long: {MOST_PATH} bytes at most")
    query = scope["query_string"]
    if len(query) > MOST_QUERY or query.count(b"&") >= MOST_FIELDS:
        raise AddressError(f"the query is too long: {MOST_QUERY} bytes and {MOST_FIELDS} fields at most")


async def _with_body(request: Request, receive: Receive) -> Receive:
    """Read a request's body, and return what hands it on (raises as ``verify_type`` and ``verify_text``)."""
    length = request.headers.get("content-length", "")
    if length in {"", "0"} and "transfer-encoding" not in request.headers:
        return receive
    if length.isascii() and length.isdigit() and (len(length) > len(str(MOST_BODY)) or int(length) > MOST_BODY):
        raise BodyTooLargeError(_TOO_LARGE)
    kind = verify_type(request.headers.get("content-type", ""))
    body = await _read(receive)
    verify_text(kind, body)
    handed = False

    async def again() -> Message:
        nonlocal handed
        if handed:
            return await receive()
        handed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


_TOO_LARGE = f"the body is too large: {MOST_BODY} bytes at most"


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _GoneError
                body += message.get("body", b"")
                if len(body) > MOST_BODY:
                    raise BodyTooLargeError(_TOO_LARGE)
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise BodyTimeoutError(f"the body did not come within {BODY_SECONDS:g} s: send it again") from None


def verify_type(written: str) -> str:
    """Return of what type a body is.

    >>> verify_type("application/x-www-form-urlencoded; charset=UTF-8")
    'application/x-www-form-urlencoded'

    Raises:
        BodyTypeError: it is neither a form nor JSON, or not in UTF-8.
    """
    kind, *parameters = (each.strip().lower() for each in written.split(";"))
    letters = [
        value.strip('" ') for name, _, value in (each.partition("=") for each in parameters) if name == "charset"
    ]
    if kind not in {_FORM, _JSON} or any(each not in {"utf-8", "utf8"} for each in letters):
        raise BodyTypeError(f"a body is read as {_FORM} or {_JSON}, in UTF-8: send it so")
    return kind


def verify_text(kind: str, body: bytes) -> None:
    """Check that a body is text that can be written down again, with no more fields than any form has.

    Raises:
        BodyFormError: it is not.
    """
    if kind == _FORM and body.count(b"&") >= MOST_FIELDS:
        raise BodyFormError(f"the form has too many fields: {MOST_FIELDS} at most")
    try:
        text = body.decode()
        if kind == _JSON and "\\u" in text:  # half a pair of UTF-16 can be written as an escape, and nowhere else
            json.dumps(json.loads(text), ensure_ascii=False).encode()
    except UnicodeError:
        raise BodyFormError("the body is not text in UTF-8: send it so") from None
    except (ValueError, RecursionError):
        raise BodyFormError("the body is not JSON, or nested too deeply") from None
