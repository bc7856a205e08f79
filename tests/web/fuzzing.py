"""Requests that mean no good, made of an application's own routes from a seed; and an application asked in process.

A request begins as one that the route takes, and then some of it is spoilt: a part of its path, a parameter, a field,
its letters' encoding, its JSON, its headers, its method.  What is sent is what a parser of HTTP lets through; what it
does not is for a real server's socket (``malformed``).
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlencode

from fastapi import FastAPI
from starlette.datastructures import Headers

ADDRESS = "127.0.0.66"
MARK = "<fuzz onload=x>"
"""Text that no page may hold as it is."""

MOST_BODY = 64 * 1024

NUMBERS = (
    "-1", "0", "00", "+1", " 1", "1 ", "1_000", "1.5", "1e3", "1e999", "NaN", "Infinity", "0x10", "½", "²", "³", "१",
    "٣", "\uff11", "\uff11\uff10", "\U0001d7d9", "Ⅷ", "①", "9" * 19, "9" * 20, "-" + "9" * 20, "9" * 310, "9" * 5_000,
    "²" * 2_000, "$5", "5,00",
)  # fmt: skip
TEXTS = (
    "", " ", "\x00", "\r\nX-Evil: 1", "\n", "\x1b[2J", "\x7f", "\u2028", "\u202e", "\ufeff", "\ud800", "a\udfffb",
    "é", "ß", "İ", "\uff53\uff49\uff58-\uff43\uff41\uff52\uff44", "💥" * 40, "a" * 300, "a" * 30_000, "%", "%zz",
    "%00", "%ed%a0%80", "%c0%ae%c0%ae/", "../" * 20, "/" * 50, "\\", "..", ".", MARK, "{{7*7}}", "{0.__class__}",
    "%s%n", "' OR 1=1 --", "none", "null", "[]", "{}", "__proto__", "six-card", "wild-52", "main", "stake-main",
    "a@b@c", "@", "=", "&", ";", "=?utf-8?q?x?=", "on", "x" * 43,
)  # fmt: skip
CHARSETS = (
    "utf-8", "UTF8", "utf-7", "utf-16", "utf-16-be", "utf-32", "idna", "punycode", "unicode_escape",
    "raw_unicode_escape", "latin-1", "ascii", "cp037", "cp65001", "shift_jis", "hz", "iso2022_jp", "gb18030", "mbcs",
    "undefined", "rot13", "hex", "base64", "zlib", "bz2", "uu", "quopri", "utf-8-sig", "unknown-8", "a" * 5_000,
    '"idna"', "", "%00", "..",
)  # fmt: skip
METHODS = ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "POST", "GET", "PROPFIND", "get", "X" * 200)
NAMED = (
    "accept", "accept-encoding", "accept-language", "authorization", "connection", "content-encoding",
    "content-length", "content-type", "cookie", "expect", "forwarded", "host", "hx-request", "idempotency-key",
    "if-modified-since", "if-none-match", "last-event-id", "origin", "range", "referer", "sec-fetch-site", "te",
    "transfer-encoding", "upgrade", "user-agent", "via", "x-csrf-token", "x-forwarded-for", "x-forwarded-host",
    "x-forwarded-proto", "x-http-method-override",
)  # fmt: skip
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
PARTS, END = "multipart/form-data; boundary=a", b"--a--\r\n"
KINDS = (
    FORM, f"{FORM};;;", JSON, "text/plain", "multipart/form-data", PARTS, PARTS, "application/xml",
    "*/*", "a/b/c", "\xe9", "application/" + "x" * 5_000,
)  # fmt: skip
SHAPES = (
    b"", b"null", b"true", b"0", b'""', b"[]", b"{}", b"NaN", b"-Infinity", b"1e999999", b"9" * 60_000, b"[" * 60_000,
    b'{"a":' * 10_000, b"[" * 900 + b"]" * 900, b'"' + b"\\ud800" * 5_000 + b'"', b'{"name":"a","name":"b"}',
    b"\xff\xfe{\x00}\x00", b"\xef\xbb\xbf{}", b"{}{}", b'{"\\u0000":1}', b'{"__proto__":{}}', b"\x00" * 1_000,
    b"{'a':1}", b"[" + b"1," * 30_000 + b"1]",
)  # fmt: skip
LEAVES = (
    "null", "true", "-0", "1.0", "NaN", "Infinity", "1e400", "9" * 25, "9" * 4_000, "9" * 5_000, "-1", '"²"',
    '"\\ud800"', '"\\u0000"', '""', '"' + "a" * 9_000 + '"', "[]", "{}", "[[[[[[]]]]]]", "[" * 800 + "]" * 800,
    '"<fuzz onload=x>"', '"1"', '"9s 9s"',
)  # fmt: skip


@cache
def dear_letters(size: int) -> bytes:
    """Return a domain's label whose letters take time that grows as the square of its size, where it is read as one."""
    return b"xn--" + "".join(map(chr, range(0x4E00, 0x4E00 + size // 3))).encode("punycode")


class Sent(NamedTuple):
    """A request as it goes over the line: ``target`` is the path and the query of its first line."""

    method: str
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def __str__(self) -> str:
        """Say as much of it as fits some lines."""
        headers = [f"{_short(b': '.join(each))} x{times}" for each, times in Counter(self.headers).items()]
        return f"{self.method} {_short(self.target)} {headers} {_short(self.body)}"


def _short(text: bytes) -> str:
    return repr(text) if len(text) <= 400 else f"{text[:200]!r}… ({len(text)} bytes)"


class Come(NamedTuple):
    """An answer; of a stream its head and what came first."""

    status: int
    headers: Headers
    body: bytes


async def ask(app: FastAPI, sent: Sent) -> Come:
    """Ask an application as a server does that has read the request; of a stream, go away after its first piece.

    Raises whatever the application lets out.
    """
    path, _, query = sent.target.partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "server": ("127.0.0.1", 8000),
        "client": (ADDRESS, 50_000),
        "scheme": "http",
        "method": sent.method,
        "root_path": "",
        "path": unquote(path.decode("ascii")),
        "raw_path": path,
        "query_string": query,
        "headers": list(sent.headers),
        "state": {},
    }
    begun: list[tuple[int, Headers]] = []
    body, over, asked = bytearray(), asyncio.Event(), False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": sent.body, "more_body": False}
        await over.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            begun.append((message["status"], Headers(raw=message["headers"])))
            return
        body.extend(message.get("body", b""))
        streams = begun[0][1].get("content-type", "").startswith("text/event-stream")
        if streams or not message.get("more_body"):
            over.set()

    await app(scope, receive, send)
    return Come(*begun[0], bytes(body))


# What is spoilt.


@dataclass
class Draft:
    """A request that is still being written: ``path`` in pieces, a body of ``fields``, of ``document``, or of bytes."""

    method: str
    path: list[str]
    query: list[tuple[str, str]] = field(default_factory=list)
    headers: list[tuple[str, str]] = field(default_factory=list)
    fields: list[tuple[str, str]] | None = None
    document: Any = None
    body: bytes = b""
    charset: str = ""
    kind: str = ""
    raw_path: bytes = b""

    def sent(self) -> Sent:
        """Return the request."""
        path = self.raw_path or b"/" + b"/".join(_percent(each) for each in self.path)
        query = urlencode([(_bytes(name), _bytes(text)) for name, text in self.query]).encode()
        headers, body = list(self.headers), self.body
        if self.fields is not None and not body and self.kind == PARTS:
            body = b"".join(map(part_of, *zip(*_encoded(self.fields, self.charset), strict=True))) + END
        elif self.fields is not None and not body:
            body, kind = urlencode(_encoded(self.fields, self.charset)).encode(), FORM
        elif self.document is not None and not body:
            body, kind = json.dumps(self.document).encode(), JSON
        else:
            kind = FORM if self.document is None else JSON
        if body or self.kind:
            charset = f"; charset={self.charset}" if self.charset else ""
            headers.append(("content-type", (self.kind or kind) + charset))
            headers.append(("content-length", str(len(body))))
        return Sent(
            self.method,
            path + (b"?" + query if query else b""),
            tuple((_header(n), _header(t)) for n, t in headers),
            body,
        )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _percent(text: str) -> bytes:
    """Write a piece of a path; what is percent-encoded already, well or badly, stays."""
    return (
        text if text.startswith("%") and text.isascii() and text.isprintable() else quote(_bytes(text), safe="@:")
    ).encode()


def _header(text: str) -> bytes:
    """Write a header's name or value: what a parser of HTTP lets through."""
    kept = "".join(letter for letter in text if letter == "\t" or (letter >= " " and letter != "\x7f"))
    return kept.encode("latin-1", "replace").strip()


def _encoded(fields: Sequence[tuple[str, str]], charset: str) -> list[tuple[bytes, bytes]]:
    """Write a form's fields in the letters that it says, where Python knows them."""
    try:
        return [(name.encode(charset or "utf-8"), text.encode(charset or "utf-8")) for name, text in fields]
    except (LookupError, UnicodeError, AttributeError, ValueError):
        return [(_bytes(name), _bytes(text)) for name, text in fields]


def part_of(name: bytes, text: bytes) -> bytes:
    """Return a field as a part of a form in ``PARTS``."""
    return b'--a\r\nContent-Disposition: form-data; name="' + name + b'"\r\n\r\n' + text + b"\r\n"


class Spoiler:
    """Spoils drafts by chance, and in the same way with the same seed; ``names`` are of fields that some form has."""

    def __init__(self, random: Random, names: Sequence[str]) -> None:
        """Draw from ``random``."""
        self._random = random
        self._names = names
        self._ways: tuple[Callable[[Draft], None], ...] = (
            self._value, self._value, self._value, self._value, self._name, self._name, self._again, self._left_out,
            self._path, self._charset, self._body, self._json, self._json, self._header, self._headers, self._cookie,
            self._method, self._kind, self._host,
        )  # fmt: skip

    def spoil(self, draft: Draft) -> None:
        """Spoil a draft in one way or a few; now and then in none."""
        for _ in range(self._random.choice((0, 1, 1, 1, 2, 3))):
            self._random.choice(self._ways)(draft)

    def hostile(self) -> str:
        """Return a number or a text that nobody means well, or letters drawn at random."""
        random = self._random
        match random.randrange(5):
            case 0 | 1:
                return random.choice(NUMBERS)
            case 2 | 3:
                return random.choice(TEXTS)
        return "".join(chr(random.choice((random.randrange(32), random.randrange(256), random.randrange(0x11000))))
                       for _ in range(random.randrange(12)))  # fmt: skip

    def _pairs(self, draft: Draft) -> list[tuple[str, str]]:
        return draft.query if draft.fields is None or (draft.query and self._random.random() < 0.5) else draft.fields

    def _value(self, draft: Draft) -> None:
        pairs = self._pairs(draft)
        pieces = [place for place, each in enumerate(draft.path) if any(letter.isdigit() for letter in each)]
        if pieces and (not pairs or self._random.random() < 0.3):
            draft.path[self._random.choice(pieces)] = self.hostile()
        elif pairs:
            place = self._random.randrange(len(pairs))
            pairs[place] = (pairs[place][0], self.hostile())

    def _name(self, draft: Draft) -> None:
        own = [name for name, _ in self._pairs(draft)] or self._names
        name = self._random.choice((self._random.choice(own), self._random.choice(self._names), self.hostile()))
        if self._random.random() < 0.5:
            name += self._random.choice(("@2", "@²", "@-1", "@" + "9" * 5_000, "@", "@2@2", "²", "[]", "."))
        self._pairs(draft).append((name, self._random.choice(("5", self.hostile()))))

    def _again(self, draft: Draft) -> None:
        pairs = self._pairs(draft)
        if pairs:
            name, _ = self._random.choice(pairs)
            pairs.extend([(name, self.hostile())] * self._random.choice((1, 2, 1_500)))

    def _left_out(self, draft: Draft) -> None:
        pairs = self._pairs(draft)
        if pairs:
            del pairs[self._random.randrange(len(pairs))]

    def _path(self, draft: Draft) -> None:
        place = self._random.randrange(len(draft.path))
        match self._random.randrange(5):
            case 0:
                draft.path[place] = self.hostile()
            case 1:
                draft.path.append(self.hostile())
            case 2:
                draft.path = [self.hostile() for _ in range(self._random.choice((1, 5, 500)))]
            case 3:
                draft.raw_path = b"/" + bytes(
                    self._random.choices(range(0x21, 0x7F), k=self._random.choice((3, 40, 8_000)))
                ).replace(b"?", b"%")
            case 4:
                draft.path[place] = "%" + self._random.choice(
                    ("", "zz", "f", "ff", "u0041", "00", "2e%2e", "ed%a0%80", "2f", "5c")
                )

    def _charset(self, draft: Draft) -> None:
        draft.charset = self._random.choice(CHARSETS)
        if draft.fields:
            draft.kind = self._random.choice((PARTS, ""))
            name, _ = self._random.choice(draft.fields)
            draft.fields.append((name, self._random.choice(("\ud800", "a\udfffb", "²", "\uff11", self.hostile()))))

    def _body(self, draft: Draft) -> None:
        random = self._random
        match random.randrange(4):
            case 0:
                draft.body = random.randbytes(random.choice((1, 20, 2_000, 60_000, MOST_BODY + 1)))
            case 1:
                draft.body = b"&".join([b"a=%"] * random.choice((1, 15_000)))
            case 2:
                draft.body = bytes(random.choices(b"=&%;+ \x80\xc3", k=random.choice((10, 20_000))))
            case 3:
                whole = draft.sent().body
                draft.body = whole[: random.randrange(len(whole) + 1)] + random.randbytes(2)

    def _json(self, draft: Draft) -> None:
        if draft.document is None:
            return
        random = self._random
        if not isinstance(draft.document, dict) or random.random() < 0.3:
            draft.body = random.choice(SHAPES)
            return
        leaves = list(leaves_of(draft.document))
        if leaves:
            mark = "spoilt-here"
            at, key = random.choice(leaves)
            before, at[key] = at[key], mark
            draft.body = json.dumps(draft.document).replace(f'"{mark}"', random.choice(LEAVES)).encode()
            at[key] = before

    def _header(self, draft: Draft) -> None:
        name, text = self._random.choice(NAMED), self.hostile()
        draft.headers = [each for each in draft.headers if each[0] != name or self._random.random() < 0.5]
        draft.headers.append((name, text[:8_000]))

    def _headers(self, draft: Draft) -> None:
        name = self._random.choice((*NAMED, "x-" + "a" * 2_000))
        draft.headers.extend([(name, self.hostile()[:200])] * self._random.choice((2, 20, 90)))

    def _cookie(self, draft: Draft) -> None:
        names = ("pitboss-guest", "__Host-pitboss-guest", "pitboss", "__Host-pitboss", "pitboss-look", "", "a" * 500)
        texts = ("x" * 43, "x" * 4_000, '"\\377\\000"', "=;;==", "a.b.c.d.e.f", "dark.four.none.on", self.hostile())
        cookies = [
            f"{self._random.choice(names)}={self._random.choice(texts)}" for _ in range(self._random.choice((1, 2, 60)))
        ]
        if self._random.random() < 0.6:
            draft.headers = [each for each in draft.headers if each[0] != "cookie"]
        draft.headers.append(("cookie", "; ".join(cookies)[:8_000]))

    def _method(self, draft: Draft) -> None:
        draft.method = self._random.choice(METHODS)

    def _kind(self, draft: Draft) -> None:
        draft.kind = self._random.choice(KINDS)
        if draft.kind == PARTS and self._random.random() < 0.5:
            name = self._random.choice((b"csrf", b"key", b'a"; filename="b', b"stake-main"))
            draft.body = part_of(name, _bytes(self.hostile()[:50])) * self._random.choice((1, 400))

    def _host(self, draft: Draft) -> None:
        hosts = ("evil.example", "", "[::1", "localhost", "127.0.0.1:99999", "a" * 3_000, 'x"y', "é", "127.0.0.1@evil")
        draft.headers = [each for each in draft.headers if each[0] != "host"]
        draft.headers.append(("host", self._random.choice(hosts)))


def leaves_of(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yield where each value of a document stands: what holds it, and its key."""
    for key, each in document.items() if isinstance(document, dict) else enumerate(document):
        yield document, key
        if isinstance(each, dict | list):
            yield from leaves_of(each)


# What no parser of HTTP should let through.

LINES = (
    b"GET / HTTP/1.1",
    b"GET / HTTP/9.9",
    b"GET  / HTTP/1.1",
    b"GET /",
    b"/ HTTP/1.1",
    b"GET \xff\xfe HTTP/1.1",
    b"GET / HTTP/1.1 x",
    b"GET http://evil.example/ HTTP/1.1",
    b"GET //evil.example HTTP/1.1",
    b"GET * HTTP/1.1",
    b"OPTIONS * HTTP/1.1",
    b"PRI * HTTP/2.0",
    b"CONNECT evil.example:443 HTTP/1.1",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1",
    b"G" * 9_000,
    b"GET /\x00 HTTP/1.1",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"POST /tables HTTP/1.1",
    b"POST /look HTTP/1.0",
    b"HEAD / HTTP/1.1",
    b"GET /tables/none/events HTTP/1.1",
)
HEADS = (
    b"Host: x",
    b"Host: x",
    b"Host: x",
    b"Host:",
    b"Host: x\r\nHost: y",
    b"Content-Length: 5",
    b"Content-Length: -5",
    b"Content-Length: 5, 5",
    b"Content-Length: 99999999999999999999",
    b"Content-Length: " + b"9" * 5_000,
    b"Content-Length: \xb2",
    b"Content-Length: 0x5",
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: gzip, chunked",
    b"Transfer-Encoding: xchunked",
    b"Transfer-Encoding : chunked",
    b" folded: x",
    b"X: a\r\n b",
    b"X\x00: a",
    b"X: a\x00b",
    b": x",
    b"no colon",
    b"X: " + b"a" * 70_000,
    b"Expect: 100-continue",
    b"Expect: x",
    b"Upgrade: websocket\r\nConnection: Upgrade",
    b"Upgrade: h2c",
    b"Connection: close",
    b"Connection: keep-alive, x",
    b"Cookie: " + b"a=b; " * 8_000,
    b"X-Forwarded-For: 127.0.0.1, evil",
    b"Sec-WebSocket-Key: x",
    b"Content-Type: application/x-www-form-urlencoded",
)
BODIES = (
    b"",
    b"",
    b"a=b",
    b"5\r\nhello\r\n0\r\n\r\n",
    b"zz\r\nhello\r\n",
    b"-1\r\n",
    b"ffffffffffffffffff\r\n",
    b"5;x=" + b"y" * 9_000 + b"\r\nhello\r\n0\r\n\r\n",
    b"0\r\nX: y\r\n\r\n",
    b"5\nhello\n0\n\n",
    b"\x00" * 500,
    b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n" * 40,
)


def malformed(random: Random) -> Iterator[bytes]:
    """Yield bytes without end that are no HTTP, or barely."""
    while True:
        heads = random.choices(HEADS, k=random.choice((0, 1, 2, 4, 300)))
        end = random.choice((b"\r\n", b"\r\n", b"\n", b"\r"))
        whole = bytearray(end.join((random.choice(LINES), *heads, b"", b"")) + random.choice(BODIES))
        for _ in range(random.choice((0, 0, 1, 5))):
            whole[random.randrange(len(whole))] = random.randrange(256)
        yield random.choice(
            (
                bytes(whole),
                bytes(whole),
                bytes(whole),
                bytes(whole[: random.randrange(len(whole))]),
                random.randbytes(300),
            )
        )
