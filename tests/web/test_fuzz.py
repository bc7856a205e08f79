"""Every route, asked by somebody who means no good: no failure, no trace, every header, one line of refusal."""

import asyncio
import json
import logging
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fastapi.routing import APIRoute

from coroutines import run_alone
from pitboss.web.auth.security import SECURITY_HEADERS
from pitboss.web.rate_limits import RateLimits
from waiting import PATIENT_SECONDS
from web.examples import body_of, filled
from web.fuzzing import (
    ADDRESS,
    END,
    FORM,
    JSON,
    MARK,
    PARTS,
    Come,
    Draft,
    Sent,
    Spoiler,
    ask,
    dear_letters,
    leaves_of,
    malformed,
    part_of,
)
from web.served import Served, cheaply, copied, serving
from web.visits import Visit, visiting

OFTEN = "1000000/second"
MOST_LINE = 1_000
PEOPLE = ("eve", "sue", "dora", "abe")
USUAL = {
    "action": "fold", "after": "0", "average": "25", "back": "/", "bet": "main", "bots": "1", "do": "deal",
    "dollars": "100", "game": "six-card", "kind": "none", "name": "Ann", "number": "0", "pace": "40", "said": "deal",
    "seat": "2", "seats": "2", "seconds": "0", "seed": "a seed", "since": "0", "step": "0",
}  # fmt: skip
"""What stands in a field or a parameter before it is spoilt; "1" where nothing else is named."""

COUNTED = {"/tables/{table}/coach", "/tables/{table}/leaks"}
"""What counts for whoever sits at a table: it is asked by somebody who sits nowhere."""

BET = ("bet", "aces-up")
PRICED = [BET, ("game", "six-card"), *((f"pay-{line}", "-1") for line in ("flush", "straight", "trips")), BET]
"""A sheet that is refused for its pays, after all else, also when one of them is spoilt: nothing is counted for it."""


class Ground:
    """A served house to fuzz: its routes, and a draft of a good request to each."""

    def __init__(self, visit: Visit) -> None:
        """Read what the application's routes take, and what fields its forms have."""
        self.served: Served = visit.served
        self._visit = visit
        self._keys = count(1)
        self.routes = sorted(
            (
                (method, route)
                for route in self.served.app.routes
                if isinstance(route, APIRoute)
                for method in route.methods or ()
            ),
            key=lambda each: (each[1].path, each[0]),
        )
        self._described = self.served.app.openapi()
        self._sessions = [self.served.session(name) for name in PEOPLE]
        pages = "".join(answer.text for _, answer in visit.pages() if "html" in answer.headers.get("content-type", ""))
        self.names = sorted(set(re.findall(r'name="([^"]+)"', pages)))
        self._terms = re.findall(r'<(?:input|select) id="f-([^"]+)"', visit.web.get("/open/six-card").text)

    @property
    def csrf(self) -> str:
        """What goes with the guest's forms."""
        return self._visit.csrf

    def draft(self, method: str, route: APIRoute, random: Random) -> Draft:
        """Return a request that a route takes."""
        if route.path.startswith(("/api", "/openapi")):
            return self._of_program(method, route, random)
        path, _, query = self._visit.address(route.path).lstrip("/").partition("?")
        draft = Draft(
            method, path.split("/"), headers=[("host", "127.0.0.1"), ("accept", random.choice(("text/html", "*/*")))]
        )
        if random.random() < 0.5:
            draft.headers.append(("hx-request", "true"))
        if route.path not in COUNTED:
            cookies = "; ".join(f"{name}={text}" for name, text in self._visit.web.cookies.items())
            draft.headers.append(("cookie", cookies))
        draft.query = [(name, text) for name, _, text in (each.partition("=") for each in query.split("&") if each)]
        draft.query += [
            (each, USUAL.get(each, "1")) for each in _declared(route, "query") if each not in dict(draft.query)
        ]
        if route.path in {"/par/sheet", "/par/exact"} or route.path.endswith("{kind}"):
            draft.query = [*PRICED, ("average", "25"), ("pace", "40"), ("beside", "")]
        if route.path == "/protect/leaks":
            draft.query = [("game", "none")]
        if method == "POST":
            draft.fields = [(each, self._usual(each)) for each in _declared(route, "form")]
            if route.path.endswith("/wager"):
                draft.fields += [("stake-main", "5"), ("stake-aces-up", "5")]
            if route.path == "/open/{game}":
                draft.fields += [(each, "") for each in self._terms]
        return draft

    def _usual(self, name: str) -> str:
        floor = self.served.floor
        assert floor
        match name:
            case "csrf":
                return self.csrf
            case "key":
                return f"fuzz-{next(self._keys):08}"
            case "round":
                return str(floor.get_session(self._visit.table).snapshot.number)
        return USUAL.get(name, "1")

    def _of_program(self, method: str, route: APIRoute, random: Random) -> Draft:
        operation = self._described["paths"].get(route.path, {}).get(method.lower(), {})
        draft = Draft(method, filled(route.path, operation).lstrip("/").split("/"), headers=[("host", "127.0.0.1")])
        draft.query = [(each, USUAL.get(each, "1")) for each in _declared(route, "query")]
        draft.headers.append(("idempotency-key", f"fuzz-{next(self._keys):08}"))
        if (method, route.path) != ("DELETE", "/api/session"):
            draft.headers.append(("authorization", f"Bearer {random.choice(self._sessions)}"))
        if "requestBody" in operation:
            draft.document = json.loads(json.dumps(body_of(self._described["components"]["schemas"], operation)))
        return draft


def _declared(route: APIRoute, place: str) -> Iterator[str]:
    """Yield the names of what a route says that it takes in a form or in its address."""

    def within(dependant: Any) -> Iterator[str]:
        yield from (each.alias for each in (dependant.body_params if place == "form" else dependant.query_params))
        for each in dependant.dependencies:
            yield from within(each)

    return within(route.dependant)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """A house of its own: what is fuzzed is not what others look at."""
    with pytest.MonkeyPatch.context() as patch:
        cheaply(patch)
        limits = RateLimits(
            OFTEN, OFTEN, OFTEN, tables=OFTEN, drills=OFTEN, per_address=1_000_000, open_tables=1_000_000
        )
        with serving(*copied(tmp_path_factory.mktemp("house")), patch, limits, floor=True) as served:
            visit = visiting(served)
            yield Ground(visit)
            visit.web.close()


def requests(ground: Ground, seed: int, rounds: int) -> Iterator[Sent]:
    """Yield so many requests to every route, each spoilt in its own way."""
    random = Random(seed)
    spoiler = Spoiler(random, ground.names)
    for _ in range(rounds):
        for method, route in ground.routes:
            draft = ground.draft(method, route, random)
            spoiler.spoil(draft)
            yield draft.sent()


class Logged(logging.Handler):
    """What the server says has failed."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.faults: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        if record.levelno >= logging.ERROR or record.exc_info or not line.isprintable():
            self.faults.append(self.format(record))


def faults_of(come: Come) -> Iterator[str]:
    """Yield what is wrong with an answer."""
    if come.status == 503 and come.body.startswith(b'{"ready":false'):
        return  # the clock of the tests is not the machine's, which monitors are told
    if come.status >= 500:
        yield f"{come.status}"
    for name, text in SECURITY_HEADERS.items():
        if name not in come.headers:
            yield f"no {name}, which is {text!r} elsewhere"
    kind = come.headers.get("content-type", "")
    if come.body and not kind:
        yield "a body of no kind"
    if not come.headers.get("location", "/").startswith("/") or come.headers.get("location", "").startswith("//"):
        yield f"sent elsewhere: {come.headers['location']}"
    if kind.startswith("text/html") and MARK.encode() in come.body:
        yield "text became markup"
    if come.status >= 400 and come.body:
        line = _line(come, kind)
        if line is None:
            yield f"a refusal that is no problem: {come.body[:200]!r}"
        elif not line or len(line) > MOST_LINE or not line.isprintable():
            yield f"not one line of {MOST_LINE} letters: {line[:300]!r} ({len(line)})"


def _line(come: Come, kind: str) -> str | None:
    """Return what a refusal says, None where that cannot be found."""
    if kind == "application/problem+json":
        return str(json.loads(come.body)["detail"])
    if kind.startswith("text/html"):
        found = re.search(r'role="alert"[^>]*>(.*?)</p>', come.body.decode(), re.DOTALL)
        return unescape(found[1]) if found else None
    return None


def fuzz(ground: Ground, sent: Iterator[Sent]) -> tuple[Counter[int], list[str]]:
    """Send requests one after another; return how often each status was answered, and all faults."""
    statuses: Counter[int] = Counter()
    faults: list[str] = []
    logged = Logged()
    logging.getLogger().addHandler(logged)

    async def run() -> None:
        for each in sent:
            before = len(logged.faults)
            (come,) = await asyncio.gather(
                asyncio.wait_for(ask(ground.served.app, each), PATIENT_SECONDS), return_exceptions=True
            )
            if isinstance(come, BaseException):  # the application let it out: a server would have logged a trace
                faults.append(f"{type(come).__name__}: {come} | {each}"[:2_000])
                statuses[500] += 1
                continue
            statuses[come.status] += 1
            faults.extend(f"{fault} | {each}" for fault in faults_of(come))
            faults.extend(f"logged: {fault[-500:]} | {each}" for fault in logged.faults[before:])

    try:
        run_alone(run())
    finally:
        logging.getLogger().removeHandler(logged)
    return statuses, faults


def naming(ground: Ground, texts: list[str]) -> Iterator[Sent]:
    """Yield a request to every route for each of these texts in each of its parameters and fields."""
    for method, route in ground.routes:
        for text in texts:
            whole = ground.draft(method, route, Random(1))
            for place in ("query", "fields"):
                for at in range(len(getattr(whole, place) or ())):
                    draft = ground.draft(method, route, Random(1))
                    pairs = getattr(draft, place)
                    if pairs[at][0] == "paytable":  # of a game that has some
                        pairs[:] = [("game", "six-card") if name == "game" else (name, old) for name, old in pairs]
                    pairs[at] = (pairs[at][0], text)
                    yield draft.sent()


@pytest.mark.more
def test_no_route_opens_a_file_that_a_request_names(ground: Ground, tmp_path: Path) -> None:
    """The command line takes the files of pay tables; who asks a server could read its disk so."""
    named, opened = tmp_path / "own.toml", list[str]()
    named.write_text('[[paytable]]\nid = "X"\nbet = "aces-up"\n', encoding="utf-8")
    watching = True
    sys.addaudithook(lambda event, found: opened.append(str(found[0])) if watching and event == "open" else None)
    statuses, faults = fuzz(ground, naming(ground, [str(named), f"aces-up={named}"]))
    named.read_text(encoding="utf-8")
    watching = False
    assert faults == []
    assert statuses.total() > 200
    assert opened.count(str(named)) == 1  # that it was opened here was seen


@pytest.mark.more
def test_every_route_refuses_nonsense_in_a_line(ground: Ground) -> None:
    statuses, faults = fuzz(ground, requests(ground, 14, rounds=5))
    assert faults == []
    assert statuses.total() >= 500
    assert {200, 303, 403, 404, 405, 409, 413, 422} <= set(statuses)


def test_half_a_letter_is_refused_wherever_a_document_holds_one(ground: Ground) -> None:
    random, sent = Random(2), []
    for method, route in ground.routes:
        if isinstance(ground.draft(method, route, random).document, dict):
            for place in range(len(list(leaves_of(ground.draft(method, route, random).document)))):
                draft = ground.draft(method, route, random)
                at, key = list(leaves_of(draft.document))[place]
                at[key] = "a\ud800"
                sent.append(draft.sent())
    statuses, faults = fuzz(ground, iter(sent))
    assert faults == []
    assert statuses.total() > 40
    assert statuses[400] + statuses[422] > statuses.total() / 2


@pytest.mark.long
def test_a_hundred_thousand_requests_to_every_route(ground: Ground) -> None:
    statuses, faults = fuzz(ground, requests(ground, 1_014, 100_000 // len(ground.routes) + 1))
    assert faults == []
    assert statuses.total() >= 100_000


def answered(ground: Ground, raw: bytes) -> bytes:
    """Send bytes to the real server and say that there are no more; return all that comes back."""
    host, port = ground.served.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENT_SECONDS, source_address=(ADDRESS, 0)) as line:
        with suppress(OSError):  # it may have closed before it has read all
            line.sendall(raw)
            line.shutdown(socket.SHUT_WR)
        come = b""
        with suppress(ConnectionError):
            while piece := line.recv(65_536):
                come += piece
    return come


NOT_DONE_HERE = {b"501", b"505"}
"""What RFC 9110 and 9112 answer to a transfer coding and a version of HTTP that a server does not have."""


def test_what_is_no_http_is_refused_and_the_server_goes_on(
    ground: Ground, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("WARNING", "uvicorn.error")
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "handlers", [caplog.handler])
    statuses: Counter[bytes] = Counter()
    for raw in islice(malformed(Random(14)), 200):
        found = re.findall(rb"HTTP/1\.1 (\d+)", answered(ground, raw))
        statuses.update(found or [b"none"])
        assert not [each for each in found if each >= b"500" and each not in NOT_DONE_HERE], raw[:500]
    assert statuses[b"400"] > 50
    assert statuses.total() >= 200
    assert [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR] == []
    assert ground.served.client.get("/").status_code == 200


# What a request costs grows as its size does.

SMALL, LARGE = 3_000, 12_000
REPEATED = 3
NOTICED_SECONDS = 0.004


def growing(size: int, csrf: str) -> Iterator[tuple[str, bytes, str]]:
    """Yield bodies of a size that are dear to read for one who reads them badly: what each is, it, and its kind."""
    yield "a long value", b"name=" + b"a" * size, FORM
    yield "many fields", b"&".join([b"a=b"] * (size // 4)), FORM
    yield "many of one field", f"csrf={csrf}".encode() + b"&cards=2c" * (size // 9), FORM
    yield "percents", b"name=" + b"%41" * (size // 3), FORM
    yield "bad percents", b"name=" + b"%" * size, FORM
    yield "pluses", b"+" * size, FORM
    yield "separators", b"&=;" * (size // 3), FORM
    yield "digits", f"csrf={csrf}&round=".encode() + b"9" * size, FORM
    yield "a stake of digits", f"csrf={csrf}&key=fuzz-digits&round=1&stake-main=".encode() + b"9" * size, FORM
    yield "stakes", f"csrf={csrf}&key=fuzz-stakes&round=1".encode() + b"&stake-super@2=5" * (size // 16), FORM
    for charset in ("idna", "punycode", "utf-7", "unicode_escape", "utf-16"):
        yield f"letters of {charset}", b"name=" + dear_letters(size), f"{FORM}; charset={charset}"
        yield (
            f"letters of {charset} in a part",
            part_of(b"name", dear_letters(size)) + END,
            f"{PARTS}; charset={charset}",
        )
        yield f"a name in letters of {charset}", part_of(dear_letters(size), b"") + END, f"{PARTS}; charset={charset}"
    part = part_of(b"a", b"b")
    yield "parts", part * (size // len(part)) + END, PARTS
    yield "dashes", b"--a" + b"\r\n-" * (size // 3), "multipart/form-data; boundary=" + "-" * 70
    yield "digits of JSON", b'{"name":' + b"9" * size + b"}", JSON
    yield "arrays of JSON", b"[" * size, JSON
    yield "keys of JSON", b"{" + b",".join(b'"%d":1' % each for each in range(size // 9)) + b"}", JSON
    yield "escapes of JSON", b'{"name":"' + b"\\u00e9" * (size // 6) + b'"}', JSON


def spent(ground: Ground, sent: Sent) -> float:
    """Return the CPU seconds that a request takes, the least of some."""

    async def run() -> float:
        best = float("inf")
        for _ in range(REPEATED):
            began = time.process_time()
            await asyncio.gather(ask(ground.served.app, sent), return_exceptions=True)
            best = min(best, time.process_time() - began)
        return best

    return run_alone(run())


@pytest.mark.long
def test_what_a_request_costs_grows_no_faster_than_its_size(ground: Ground) -> None:
    random, steep = Random(4), []
    bodies = zip(growing(SMALL, ground.csrf), growing(LARGE, ground.csrf), strict=True)
    posted = [route for method, route in ground.routes if method == "POST"]
    for (what, small, kind), (_, large, _) in bodies:
        for route in posted:
            draft = ground.draft("POST", route, random)
            draft.kind = kind
            draft.body = small
            before = spent(ground, draft.sent())
            draft.body = large
            after = spent(ground, draft.sent())
            if after > 8 * max(before, NOTICED_SECONDS):  # four times is in proportion, sixteen is the square
                steep.append(f"{what} to {route.path}: {1_000 * before:.1f} ms, then {1_000 * after:.1f} ms")
    assert steep == []


@pytest.mark.long
def test_what_an_address_or_a_header_costs_grows_no_faster_than_its_size(ground: Ground) -> None:
    random, steep = Random(4), []
    for method, route in ground.routes:
        drafts = [[ground.draft(method, route, random) for _ in range(5)] for _ in range(2)]
        for size, (long_path, query, digits, cookies, headers) in zip((SMALL, LARGE), drafts, strict=True):
            long_path.path[-1] = "a" * size
            query.query.extend([("pay-flush", "1")] * (size // 12))
            digits.query.extend([(name, "9" * size) for name in ("round", "step", "since", "pace")])
            cookies.headers.append(("cookie", "a=b; " * (size // 5)))
            headers.headers.extend([("x-a", "b")] * (size // 8))
        for small, large in zip(*drafts, strict=True):
            before, after = spent(ground, small.sent()), spent(ground, large.sent())
            if after > 8 * max(before, NOTICED_SECONDS):
                steep.append(f"{small.sent()}"[:200] + f": {1_000 * before:.1f} ms, then {1_000 * after:.1f} ms")
    assert steep == []
