"""What a request must be before anything is made of it: size, letters, type, numbers, a guest that was let in."""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from limits import parse as window_of
from starlette.types import Message

from coroutines import run_alone
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.web.app import create_app
from pitboss.web.auth.guests import LOCAL_GUEST_COOKIE, GuestTokens
from pitboss.web.auth.security import MAX_BODY_BYTES, SECURITY_HEADERS
from pitboss.web.errors import RateLimitError
from pitboss.web.rate_limits import MAX_KEYS, RateLimits, SlidingWindow, get_network
from pitboss.web.registry import TableRegistry
from pitboss.web.server.middleware import MAX_COOKIE_BYTES, MAX_FIELDS, MAX_HEADERS, MAX_PATH_BYTES, MAX_QUERY_BYTES
from pitboss.web.server.stream_slots import StreamKind, StreamSlots
from refusals import refusal
from web.inside import asked, one
from web.served import said, unlimited
from web.visits import Visit, token_of

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[TableRegistry]:
    """A floor that nobody serves yet."""
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    yield TableRegistry(tables, limits=unlimited())
    tables.close()


# Before a body is read.


class Unread:
    """An application asked with a body that must not be read."""

    def __init__(self, floor: TableRegistry, **app: Any) -> None:
        self.app = create_app(None, floor, **app)
        self.read = 0

    def post(self, path: str, headers: dict[str, str], client: str = "192.0.2.1") -> tuple[int, str]:
        """Return status and line of the answer to a request whose body never ends."""
        sent: list[Message] = []

        async def receive() -> Message:
            self.read += 1
            return {"type": "http.request", "body": b"x", "more_body": True}

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": (client, 4711),
            "server": ("127.0.0.1", 80),
        }
        run_alone(self.app(scope, receive, send))
        return sent[0]["status"], json.loads(sent[1]["body"])["detail"]


OWN = {**FORM, "Host": "casino.example", "Content-Length": "60000"}


def test_who_may_ask_is_known_before_a_body_is_read(floor: TableRegistry) -> None:
    floor.limits = RateLimits(requests="1/hour", guests="1/hour")
    unread = Unread(floor)
    cookie = {"Cookie": f"__Host-pitboss-guest={floor.tokens.issue()}"}
    forged = {"Cookie": f"__Host-pitboss-guest={'x' * 43}"}
    old = (403, "this page is out of date, or from another site: reload it")
    assert unread.post("/tables", OWN) == old
    assert unread.post("/tables", {**OWN, **forged}) == old
    other = {**OWN, **cookie, "Origin": "https://evil.example"}
    assert unread.post("/tables", other) == (
        403,
        "this request came from another site's page: use this site's own pages",
    )
    floor.limits.count_request("guest-other")
    holder = one(unread.app, "GET", "/").status_code
    assert holder == 200  # which took the one cookie of its address
    status, line = unread.post("/tables", OWN)
    assert (status, line.startswith("too many new guests from this address: ")) == (429, True)
    assert unread.post("/tables", OWN, "192.0.2.2") == old
    floor.limits = RateLimits(requests="1/hour")
    allowed = Unread(floor)
    for _ in range(2):
        status, line = allowed.post("/tables", {**OWN, **cookie, "Content-Type": "text/plain"})
    assert (status, line.startswith("too many requests: the limit is 1 per 1 hour")) == (429, True)
    assert (unread.read, allowed.read) == (0, 0)


def test_an_address_may_ask_so_often_whoever_it_says_it_is(floor: TableRegistry) -> None:
    floor.limits = RateLimits(arrivals="3/hour")
    unread = Unread(floor)
    for _ in range(3):
        assert unread.post("/api/session", {"Content-Type": "application/json"})[0] == 404
    status, line = unread.post("/tables", {**OWN, "Cookie": f"__Host-pitboss-guest={floor.tokens.issue()}"})
    assert (status, line.startswith("too many requests from this address: the limit is 3 per 1 hour")) == (429, True)
    assert unread.post("/tables", OWN, "2001:db8::1")[0] == 403


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data; boundary=x; charset=idna",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded; charset=idna",
        "application/x-www-form-urlencoded; charset=utf-7",
        'application/json; charset="unicode_escape"',
        "application/json; charset=raw_unicode_escape",
        "text/plain",
        "",
    ],
)
def test_a_body_is_a_form_or_json_in_utf8_and_nothing_else(kind: str, visit: Visit) -> None:
    refused = "the body is not of a known type: send application/x-www-form-urlencoded or application/json, in UTF-8"
    unread = Unread(visit.served.floor) if visit.served.floor else None
    assert unread
    cookie = f"__Host-pitboss-guest={visit.served.floor.tokens.issue()}" if visit.served.floor else ""
    own = {**OWN, "Cookie": cookie, "Content-Type": kind}
    assert unread.post("/tables", own) == (415, refused)
    assert unread.read == 0
    for address in (*visit.forms(), "/api/session", "/api/tables/1/rounds/1/open"):
        assert said(visit.web.post(address, content=b"a=b", headers={"Content-Type": kind})) == (415, refused), address


def test_half_of_a_pair_of_letters_is_refused_wherever_it_stands(visit: Visit) -> None:
    for escaped in (r'{"name": "\ud800", "password": "x"}', r'{"\uDFFF": 1}', r'[["\ud83d"]]'):
        answer = visit.web.post("/api/session", content=escaped, headers={"Content-Type": "application/json"})
        assert said(answer) == (400, "the body is not UTF-8 text: send it in UTF-8"), escaped
    whole = r'{"name": "\ud83d\ude00", "password": "x"}'
    assert visit.web.post("/api/session", content=whole, headers={"Content-Type": "application/json"}).status_code < 500
    deep = b'{"a": "\\u0041", "b": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
    for body in (deep, deep.replace(b"\\u0041", b"A"), b"\xff\xfe", b"9" * 60_000):
        answer = visit.web.post("/api/session", content=body, headers={"Content-Type": "application/json"})
        assert said(answer)[0] in {400, 422}, body[:30]


def test_a_head_has_a_size(visit: Visit) -> None:
    for path, headers, status in (
        ("/", {f"X-{number}": "1" for number in range(MAX_HEADERS)}, 431),
        ("/", {"Cookie": "a=" + "b" * MAX_COOKIE_BYTES}, 431),
        ("/" + "a" * MAX_PATH_BYTES, {}, 414),
        ("/par?average=" + "1" * MAX_QUERY_BYTES, {}, 414),
        ("/par?" + "a&" * MAX_FIELDS, {}, 414),
    ):
        answer = visit.web.get(path, headers=headers)
        assert said(answer)[0] == status, path[:20]
    form = {"csrf": visit.csrf, **{f"pay-{number}": "1" for number in range(MAX_FIELDS)}}
    assert said(visit.web.post("/open/six-card", data=form)) == (
        400,
        f"the form has too many fields: {MAX_FIELDS} at most",
    )


PIECES = (b"a=b&", b"&", b"a", b"%41", b"+", b";", b"a=", b"%ff", b"=", b"%26", b"xn--", b".")
JSON_PIECES = (b'"\\u0041",', b"[", b'{"a":', b"9", b"\\u0041", b'"\\\\u', b" ")


def cost_of(floor: TableRegistry, kind: str, body: bytes) -> int:
    """Return how many calls of Python a request costs until it is answered."""
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    async def ask(web: httpx.AsyncClient) -> None:
        path, headers = ("/look", FORM) if kind == "form" else ("/api/session", {"Content-Type": "application/json"})
        web.cookies.set(LOCAL_GUEST_COOKIE, floor.tokens.issue())
        sys.setprofile(count)
        try:
            answer = await web.post(path, content=body, headers=headers)
        finally:
            sys.setprofile(None)
        assert answer.status_code in {400, 403, 404, 422}, answer.text

    asked(create_app(None, floor), ask, ("127.0.0.1", 4711))
    return calls


@pytest.mark.more
@pytest.mark.parametrize("kind", ["form", "json"])
def test_reading_a_body_costs_no_more_than_in_proportion_to_its_size(kind: str, floor: TableRegistry) -> None:
    for piece in PIECES if kind == "form" else JSON_PIECES:
        small, large = (
            cost_of(floor, kind, piece * (size // len(piece))) for size in (MAX_BODY_BYTES // 8, MAX_BODY_BYTES)
        )
        assert large < 1_000 + 10 * small, piece  # as the square of the size: 64 times


# Every answer has its headers.


def test_every_answer_has_the_headers_whatever_went_wrong(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: Any) -> None:
        raise ZeroDivisionError

    found = {}
    for method, path, more in (
        ("GET", "/nowhere", {}),
        ("HEAD", "/", {}),
        ("HEAD", "/nowhere", {}),
        ("PUT", "/", {}),
        ("TRACE", "/api/display", {}),
        ("POST", "/look", {"content": b"x" * (MAX_BODY_BYTES + 1), "headers": FORM}),
        ("POST", "/training", {"content": b"x", "headers": {"Content-Type": "text/plain"}}),
        ("GET", "/par", {"headers": {"Cookie": "a" * 5_000}}),
        ("GET", "/" + "a" * 600, {}),
        ("POST", "/api/session", {"content": b"\xff", "headers": {"Content-Type": "application/json"}}),
    ):
        found[method, path[:20]] = visit.web.request(method, path, **more)
    monkeypatch.setattr("pitboss.web.pages.lobby._find_occupied_tables", fails)
    for method in ("GET", "HEAD"):
        found[method, "500"] = visit.web.request(method, "/")
        assert found[method, "500"].headers["Connection"] == "close"  # as it is: no request may follow on it
    assert {answer.status_code for answer in found.values()} >= {200, 400, 404, 405, 413, 414, 415, 431, 500}
    for asked_for, answer in found.items():
        for name in SECURITY_HEADERS:
            assert answer.headers.get(name), (asked_for, name)
        assert answer.headers["Cache-Control"] == "no-store", asked_for
        if asked_for[0] == "HEAD":
            assert answer.content == b""


@pytest.mark.parametrize("client", ["192.0.2.1", "203.0.113.9", "2001:db8::1", "10.0.0.1", ""])
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_nobody_is_local_by_saying_so(host: str, client: str, floor: TableRegistry) -> None:
    answer = one(create_app(None, floor), "GET", "/", (client, 4711), headers={"Host": host})
    assert answer.headers["set-cookie"].startswith("__Host-pitboss-guest=")
    assert "Secure" in answer.headers["set-cookie"]


def test_who_is_on_this_machine_is_known_by_the_other_end_of_the_line(floor: TableRegistry) -> None:
    for client in ("127.0.0.1", "127.0.0.9", "::1"):
        near = one(create_app(None, floor), "GET", "/", (client, 4711), headers={"Host": "casino.example"})
        assert near.headers["set-cookie"].startswith("pitboss-guest="), client
        behind = one(create_app(None, floor, behind_proxy=True), "GET", "/", (client, 4711))
        assert "Secure" in behind.headers["set-cookie"], client


@pytest.mark.parametrize("host", ["[::1", "a b", "[", "x:y:z", "http://evil.example/"])
def test_a_host_that_is_none_and_an_origin_are_refused_in_a_line(host: str, visit: Visit) -> None:
    headers = {"Host": host, "Origin": "https://casino.example"}
    answer = one(visit.served.app, "POST", "/look", headers={**FORM, **headers}, content=b"a=b")
    assert said(answer) == (403, "this request came from another site's page: use this site's own pages")


# Guests.


def test_a_guest_is_who_was_given_a_cookie_here_and_nobody_else(floor: TableRegistry, tmp_path: Path) -> None:
    app, token = create_app(None, floor), floor.tokens.issue()
    first, last = ("A" if token[at] != "A" else "B" for at in (0, -1))
    altered = [token[:-1] + last, first + token[1:], token[:22], token + "=", token.upper()]
    forged = [*altered, "x" * 43, "x" * 66, "", GuestTokens(b"\0" * 32).issue(), "\u00fc" * 66]
    for kept, fresh in ((token, False), *((each, True) for each in forged)):
        headers = {"Cookie": f"pitboss-guest={kept}".encode("latin-1")}
        answer = one(app, "GET", "/", ("127.0.0.1", 1), headers=headers)
        assert ("set-cookie" in answer.headers) is fresh, kept
    again = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    assert TableRegistry(again).tokens.is_issued(token)  # after a start too
    again.close()


def test_an_address_is_given_so_many_cookies_and_pages_say_so_after_it(floor: TableRegistry) -> None:
    floor.limits = RateLimits(guests="3/hour")
    app = create_app(None, floor)
    pages = [one(app, "GET", path) for path in ("/", "/training", "/rules/six-card", "/", "/training", "/par")]
    assert ["set-cookie" in page.headers for page in pages] == [True] * 3 + [False] * 3
    for number, page in enumerate(pages):
        assert page.status_code == 200
        barred = "You can look at pages, but not play for now: too many new guests from this address" in page.text
        assert barred is (number >= 3)
    assert "set-cookie" in one(app, "GET", "/", ("192.0.2.2", 1)).headers
    with_cookie = {"Cookie": pages[0].headers["set-cookie"].partition(";")[0]}
    assert "not play for now" not in one(app, "GET", "/", headers=with_cookie).text  # who is known plays on


def test_tables_and_drills_are_limited_by_guest_and_by_address(floor: TableRegistry) -> None:
    floor.limits = RateLimits(tables="1/hour", drills="1/hour", guests="99/hour", arrivals="999/second", per_address=4)
    app = create_app(None, floor)

    async def guests(web: httpx.AsyncClient) -> list[list[tuple[int, str]]]:
        found = []
        for path in ("/tables", "/open/six-card", "/training"):
            of_path = []
            for _ in range(5):
                own = {**FORM, "Cookie": (await web.get("/")).headers["set-cookie"].partition(";")[0]}
                web.cookies.clear()
                form = {"csrf": token_of((await web.get("/", headers=own)).text)}
                form |= {"game": "six-card"} if path != "/open/six-card" else {}
                for fair in ("", "on"):  # in the lobby, a second table is opened on other terms only
                    more = {"fair": fair} if path == "/tables" else {}
                    answer = await web.post(path, data=form | more, headers=own)
                    of_path.append((answer.status_code, answer.text))
                web.cookies.clear()
            found.append(of_path)
        return found

    tables, opened, drills = asked(app, guests)
    for of_path in (tables, drills):
        assert [status for status, _ in of_path] == [303, 429] * 4 + [429] * 2  # an address: four guests' share
        assert "too many" in of_path[1][1]
    assert {status for status, _ in opened} == {429}  # both ways of opening a table count together
    assert len(floor.tables.list_names()) == 4


# Windows and places.


def test_a_window_moves_and_forgets() -> None:
    now = [0.0]
    window = SlidingWindow(window_of("3/10 seconds"), max_keys=5, clock=lambda: now[0])
    for second in (0, 1, 2):
        now[0] = second
        assert window.count("ann") == 0
    now[0] = 4
    assert window.count("ann") == window.get_wait("ann") == 6
    assert window.count("bob") == 0
    now[0] = 10.5
    assert window.count("ann") == 0
    assert window.count("ann") == 0.5
    for number in range(100):
        window.count(f"guest-{number}")
    assert len(window) <= 5
    now[0] = 100
    for _ in range(5):
        window.count("cid")
    assert len(window) == 1


def test_windows_never_let_more_in_than_they_say_however_many_ask_at_once() -> None:
    window = SlidingWindow(window_of("50/hour"))
    with ThreadPoolExecutor(16) as many:
        assert sum(not each for each in many.map(window.count, ["one"] * 2_000)) == 50


def test_an_address_of_ipv6_is_its_network() -> None:
    assert get_network("2001:db8::1") == get_network("2001:db8:0:ff::ffff:1") != get_network("2001:db8:0:100::1")
    assert len(get_network("x" * 10_000)) <= 64


def test_places_are_taken_at_once_and_given_back() -> None:
    places = StreamSlots(
        {StreamKind.TABLES: 50, StreamKind.DISPLAYS: 3, StreamKind.STAFF: 1}, per_address=40, per_guest=8
    )
    held, taken_back = [], list[int]()

    def take(number: int) -> bool:
        address, guest = f"192.0.2.{number % 3}", f"guest-{number % 30}"
        place = places.hold(StreamKind.TABLES, address, guest, lambda: taken_back.append(number))
        try:
            place.__enter__()
        except RateLimitError:
            return False
        held.append(place)
        return True

    with ThreadPoolExecutor(16) as many:
        taken = sum(many.map(take, range(2_000)))
    assert taken - len(taken_back) == places.count(StreamKind.TABLES) == 50
    with places.hold(StreamKind.STAFF, "192.0.2.0"), places.hold(StreamKind.DISPLAYS, "192.0.2.0"):
        pass  # guests have taken neither
    for place in held:
        place.__exit__(None, None, None)
    assert not len(places)  # nothing of who came is kept


def test_one_guest_and_one_address_take_a_few_places() -> None:
    places = StreamSlots(per_address=10, per_guest=2)
    with places.hold(StreamKind.TABLES, "192.0.2.1", "ann"), places.hold(StreamKind.TABLES, "192.0.2.2", "ann"):
        with pytest.raises(RateLimitError, check=refusal("too-many-streams", seconds=60)):
            places.hold(StreamKind.TABLES, "192.0.2.3", "ann").__enter__()
        entered = [places.hold(StreamKind.TABLES, "192.0.2.1", f"guest-{number}") for number in range(9)]
        for each in entered:
            each.__enter__()
        with pytest.raises(RateLimitError, check=refusal("too-many-streams", seconds=60)):
            places.hold(StreamKind.TABLES, "192.0.2.1", "bob").__enter__()
        for each in entered:
            each.__exit__(None, None, None)
    assert places.count(StreamKind.TABLES) == 0


# Names of which there is any number.


def test_what_is_not_there_is_not_compared_with_all_that_is(
    floor: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor.open_table(TableTerms(game="six-card"))

    def compared(*_arguments: Any, **_more: Any) -> list[str]:
        raise AssertionError("names were compared")

    monkeypatch.setattr("pitboss.core.errors.get_close_matches", compared)
    app = create_app(None, floor)
    paths = ("", "/felt", "/waits", "/coach", "/rules", "/leaks", "/events", "/rounds/1", "/rounds/1/history.toml")
    for path in (*(f"/tables/six-card-0000000000{each}" for each in paths), f"/training/{'0' * 16}"):
        answer = one(app, "GET", path)
        assert said(answer)[0] == 404, path
        assert len(answer.text) < 300, path


# Tables.


def test_a_guest_keeps_a_few_tables_open_and_closed_ones_are_still_read(floor: TableRegistry) -> None:
    floor.limits.open_tables = 3
    app = create_app(None, floor)
    form = {"bots": "1"}

    async def opens(web: httpx.AsyncClient) -> list[tuple[int, str]]:
        form["csrf"] = token_of((await web.get("/")).text)
        found: list[tuple[int, str]] = []
        for number in range(5):
            if number == 4:  # they get up from the first, and so may open another
                left = {**form, "key": "leave-0001"}
                assert (await web.post(f"{found[0][1]}/leave", data=left)).status_code == 303
            accept = {"accept": "text/html"} if number == 3 else {}  # as a browser asks, where it is refused
            answer = await web.post("/open/six-card", data=form, headers=accept)
            found.append((answer.status_code, answer.headers.get("location") or answer.text))
        first = found[0][1]
        for path in (first, f"{first}/felt", f"{first}/events", f"{first}/coach", f"{first}/rules"):
            gone = await web.get(path)
            assert said(gone)[0] == 410, path
        assert first.rpartition("/")[2] not in (await web.get("/")).text
        return found

    found = asked(app, opens, ("127.0.0.1", 4711))
    assert [status for status, _ in found] == [303, 303, 303, 422, 303]
    assert "ou have 3 open tables with players: leave one of them first" in found[3][1]
    assert all(f'<a href="{address}">' in found[3][1] for _, address in found[:3])
    assert len(floor.tables.list_names()) == 3


def test_a_closed_tables_rounds_are_still_shown(floor: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(None, floor)

    async def play(web: httpx.AsyncClient) -> str:
        form = {"csrf": token_of((await web.get("/")).text), "game": "six-card", "bots": "0"}
        table = (await web.post("/tables", data=form)).headers["location"]
        for number, (act, more) in enumerate((("wager", {"stake-main": "5"}), ("decide", {"action": "fold"}))):
            asked_for = {**form, "key": f"press-{number:04}", "round": "1", **more}
            assert (await web.post(f"{table}/{act}", data=asked_for)).status_code == 303
        monkeypatch.setattr("pitboss.web.registry.time", lambda: 10**10)
        assert floor.close_idle_tables() == [table.rpartition("/")[2]]
        assert (await web.get(table)).status_code == 410
        assert (await web.get(f"{table}/rounds/1")).status_code == 200
        history: str = (await web.get(f"{table}/rounds/1/history.toml")).text
        return history

    assert 'variant = "six-card"' in asked(app, play, ("127.0.0.1", 4711))


# Memory.


@pytest.mark.more
def test_of_thousands_who_came_nothing_grows_beyond_its_bound() -> None:
    limits = RateLimits()
    for number in range(30_000):
        address = f"2001:db8:{number:x}::1"
        limits.count_arrival(address)
        limits.count_request(f"guest-{number}")
        limits.count_guest(address)
        limits.count_recorded("tables", f"guest-{number}", address)
        limits.count_recorded("drills", f"guest-{number}", address)
        limits.count_file(f"guest-{number}", address)
        limits.count_failed_login(address, "name")
    kept = [each for kept in vars(limits).values() for each in (kept.values() if isinstance(kept, dict) else [kept])]
    windows = [each for each in kept if isinstance(each, SlidingWindow)]
    assert sum(map(bool, windows)) >= 8  # those that were counted in
    assert max(map(len, windows)) <= MAX_KEYS
