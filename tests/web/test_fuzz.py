"""Every route, asked by somebody who means no good: no failure, no trace, every header, one line of refusal."""

import asyncio
import json
import logging
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import count
from random import Random
from typing import Any

import pytest
from fastapi.routing import APIRoute

from pitboss.web.limits import Limits
from pitboss.web.security import HEADERS
from web.examples import body_of, filled
from web.fuzzing import MARK, Come, Draft, Sent, Spoiler, ask
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

PRICED = [("game", "six-card"), ("bet", "aces-up"), *((f"pay-{line}", "-1") for line in ("flush", "straight", "trips"))]
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
                for method in route.methods
            ),
            key=lambda each: (each[1].path, each[0]),
        )
        self._described = self.served.app.openapi()
        self._sessions = [self.served.session(name) for name in PEOPLE]
        pages = "".join(answer.text for _, answer in visit.pages() if "html" in answer.headers["content-type"])
        self.names = sorted(set(re.findall(r'name="([^"]+)"', pages)))
        self._terms = re.findall(r'<(?:input|select) id="f-([^"]+)"', visit.web.get("/open/six-card").text)

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
        if route.path == "/par/sheet" or route.path.endswith("{kind}"):
            draft.query = [*PRICED, ("average", "25"), ("pace", "40"), ("beside", "")]
            draft.path[-1] = draft.path[-1].replace("none.", "six-card.")
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
                return self._visit.csrf
            case "key":
                return f"fuzz-{next(self._keys):08}"
            case "round":
                return str(floor.sitting(self._visit.table).standing.number)
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
        limits = Limits(requests=OFTEN, proofs=OFTEN, files=OFTEN)
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
    if come.status >= 500:
        yield f"{come.status}"
    for name, text in HEADERS.items():
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
            (come,) = await asyncio.gather(asyncio.wait_for(ask(ground.served.app, each), 60), return_exceptions=True)
            if isinstance(come, BaseException):  # the application let it out: a server would have logged a trace
                faults.append(f"{type(come).__name__}: {come} | {each}"[:2_000])
                statuses[500] += 1
                continue
            statuses[come.status] += 1
            faults.extend(f"{fault} | {each}" for fault in faults_of(come))
            faults.extend(f"logged: {fault[-500:]} | {each}" for fault in logged.faults[before:])

    try:
        with ThreadPoolExecutor(1) as alone:  # a browser's tests keep a loop running in theirs
            alone.submit(lambda: asyncio.run(run())).result()
    finally:
        logging.getLogger().removeHandler(logged)
    return statuses, faults


def test_every_route_refuses_nonsense_in_a_line(ground: Ground) -> None:
    statuses, faults = fuzz(ground, requests(ground, 14, rounds=8))
    assert faults == []
    assert statuses.total() > 500
    assert {200, 303, 403, 404, 405, 409, 413, 422} <= set(statuses)


@pytest.mark.long
def test_a_hundred_thousand_requests_to_every_route(ground: Ground) -> None:
    rounds = 100_000 // len(ground.routes) + 1
    statuses, faults = fuzz(ground, requests(ground, 1_014, rounds))
    assert faults == []
    assert statuses.total() >= 100_000
