"""Every page, asset and form of the application, as its own routes list them: headers, cookies, origins and limits.

A page that is added is covered at once: where its address needs an example that is not here, the tests say so.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from clients import open_client
from pitboss.web.auth.security import MAX_BODY_BYTES
from pitboss.web.pages import assets
from pitboss.web.rate_limits import RateLimits
from web.examples import operations
from web.served import cheaply, copied, said, serving
from web.visits import LEADING, Visit, page_routes, token_of, visiting

TEMPLATES = Path(assets.__file__).parents[1] / "templates"
BY_HTTPS = {"X-Forwarded-Proto": "https", "Host": "casino.example"}
ELSEWHERE = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "https://[::1"},
]
HEADERS = {
    "X-Content-Type-Options": {"nosniff"},
    "Referrer-Policy": {"no-referrer", "same-origin"},
    "Cross-Origin-Opener-Policy": {"same-origin"},
    "Cross-Origin-Resource-Policy": {"same-origin"},
    "Permissions-Policy": {"camera=(), geolocation=(), microphone=(), payment=()"},
}
ASSETS = {"/cards.svg", "/felts.css", "/static/{name:path}"}
"""What is alike for everybody, and so may be kept by anybody for an hour."""

ABSENT = {
    "/design/table.toml",
    "/tables/{table}/receipt",
    "/tables/{table}/rounds/{number}/receipt",
    "/tables/{table}/waits",
    "/training/certificates/{name}",
}
"""What there is only after a search, at a fair table, at a linked one, or once an exam is over."""


# What every answer says.


@pytest.mark.more
def test_every_page_says_what_a_browser_may_do_with_it(visit: Visit) -> None:
    for path, answer in visit.pages():
        absent = "none" in visit.address(path) or path in ABSENT
        shown = {303} if path in LEADING else {200, 202}  # 202 while a sheet is counted
        assert answer.status_code in ({404, 422} if absent else shown), path
        for name, allowed in HEADERS.items():
            assert answer.headers.get(name) in allowed, (path, name)


@pytest.mark.more
def test_no_page_runs_a_script_of_its_own_lines_or_is_put_in_a_frame(visit: Visit) -> None:
    for path, answer in visit.pages():
        policy = dict(each.split(" ", 1) for each in answer.headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == policy["object-src"] == policy["base-uri"] == "'none'", path
        assert policy["frame-ancestors"] == "'none'", path
        assert policy["form-action"] == "'self'", path
        assert set(policy.values()) == {"'none'", "'self'"}, path  # no unsafe-inline, no other origin


class Reading(HTMLParser):
    """What of a page a policy without inline script and style would not run, and what comes from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.against: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if (tag == "script" and not named.get("src")) or tag in {"style", "iframe", "object", "embed", "base"}:
            self.against.append(tag)
        for name, value in attrs:
            elsewhere = name in {"src", "href", "action", "formaction"} and re.match(r"(\w+:)?//|\w+:", value or "")
            if name.startswith("on") or name == "style" or elsewhere:
                self.against.append(f"{tag} {name}={value}")


@pytest.mark.more
def test_no_page_holds_what_its_policy_forbids_or_anything_from_elsewhere(visit: Visit) -> None:
    read = 0
    for path, answer in visit.pages():
        to_save = answer.headers.get("content-disposition", "").startswith("attachment;")  # not run on this site
        if "text/html" in answer.headers.get("content-type", "") and not to_save:
            reading = Reading()
            reading.feed(answer.text)
            assert reading.against == [], path
            read += 1
    assert read > 10


class FirstButtons(HTMLParser):
    """The first button of each form: what the Enter key presses in a field of it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str | None]] = {}
        self._form = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "form":
            self._form = named.get("id") or f"form {self.getpos()}"
        elif tag == "button" and named.get("type", "submit") == "submit":
            self.found.setdefault(named.get("form") or self._form, named)

    def handle_endtag(self, tag: str) -> None:
        self._form = "" if tag == "form" else self._form


@pytest.mark.more
def test_enter_in_a_field_does_what_its_form_is_for(visit: Visit) -> None:
    seen = 0
    for path, answer in visit.pages():
        if "text/html" in answer.headers.get("content-type", ""):
            buttons = FirstButtons()
            buttons.feed(answer.text)
            assert [each for each in buttons.found.values() if "formaction" in each] == [], path
            seen += len(buttons.found)
    assert seen > 10


@pytest.mark.more
def test_nothing_is_kept_but_what_is_alike_for_everybody(visit: Visit) -> None:
    assert {route.path for route in assets.router.routes if hasattr(route, "path")} == ASSETS
    for path, answer in visit.pages():
        kept = "public, max-age=3600" if path in ASSETS else "no-store"
        assert answer.headers["Cache-Control"] == kept, path
        assert path not in ASSETS or "set-cookie" not in answer.headers


def test_browsers_are_told_to_stay_with_https_on_every_page(visit: Visit) -> None:
    for path in ("/", "/par", "/training", "/progressive", "/progressive/console", "/felts.css"):
        answer = httpx.get(visit.served.address + path, headers=BY_HTTPS, trust_env=False)
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains", path


@pytest.mark.more
def test_every_cookie_is_out_of_reach_of_scripts_and_other_sites_and_secure_behind_tls(visit: Visit) -> None:
    found = 0
    for method, path in sorted(page_routes(visit.served)):
        for headers, name, secure in ((BY_HTTPS, "__Host-pitboss-guest", True), ({}, "pitboss-guest", False)):
            with open_client(visit.served.address) as fresh:
                if method != "GET" or "/events" in path:
                    continue
                for cookie in fresh.get(visit.address(path), headers=headers).headers.get_list("set-cookie"):
                    flags = {each.strip().lower() for each in cookie.split(";")[1:]}
                    assert cookie.startswith(f"{name}="), path
                    assert {"httponly", "samesite=lax", "path=/"} <= flags, path
                    assert ("secure" in flags, "domain" in cookie.lower()) == (secure, False), path
                    found += 1
    assert found > 10
    looks = visit.web.post("/look", data={"csrf": visit.csrf, "theme": "dark"}).headers["set-cookie"].lower()
    assert {"httponly", "samesite=lax", "path=/"} <= {each.strip() for each in looks.split(";")}


# Who may command.


def test_every_form_needs_the_token_of_its_own_page(visit: Visit) -> None:
    with open_client(visit.served.address) as other:
        stolen = token_of(other.get("/").text)
    before = visit.served.floor.tables.verify() if visit.served.floor else 0
    for address in visit.forms():
        for wrong in ({}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": stolen}):
            answer = visit.web.post(address, data=wrong)
            assert said(answer) == (403, "this page is out of date, or from another site: reload it"), address
    assert visit.served.floor
    assert visit.served.floor.tables.verify() == before  # nothing was written


@pytest.mark.parametrize("header", ELSEWHERE, ids=lambda header: "=".join(*header.items()))
def test_every_form_and_stream_from_another_site_is_refused(header: dict[str, str], visit: Visit) -> None:
    refused = (403, "this request came from another site's page: use this site's own pages")
    for address in visit.forms():
        assert said(visit.web.post(address, data={"csrf": visit.csrf}, headers=header)) == refused, address
    streams = [path for method, path in page_routes(visit.served) if method == "GET" and path.endswith("/events")]
    assert streams
    for path in streams:
        assert said(visit.web.get(visit.address(path), headers=header)) == refused, path
    assert said(visit.served.ask("GET", "/tables/1/events?seconds=0", "dora", headers=header)) == refused


def test_every_change_by_a_staff_cookie_needs_its_token(visit: Visit) -> None:
    served = visit.served
    with open_client(served.address) as desk:
        desk.post("/api/session", json={**served.proof("eve"), "cookie": True})
        changes = [
            each
            for each in operations(served.app)
            if each.method != "GET" and each.name not in {"log_in", "enrol", "offer_first_authenticator"}
        ]
        assert len(changes) > 15
        for each in changes:
            for token in ({}, {"X-CSRF-Token": "0" * 64}):
                headers = {"Idempotency-Key": "press-0001", **token}
                answer = desk.request(each.method, each.path, json=each.body, headers=headers)
                assert said(answer)[0] == 403, each.name
                assert "needs the header X-CSRF-Token" in answer.text, each.name


@pytest.mark.more
def test_nothing_is_changed_by_reading_a_page(visit: Visit) -> None:
    assert visit.served.floor
    before = visit.served.floor.tables.verify()
    for _ in visit.pages():
        pass
    for address in visit.forms():
        if ("GET", address) not in {(m, visit.address(path)) for m, path in page_routes(visit.served)}:
            assert visit.web.get(address).status_code == 405, address
    assert visit.served.floor.tables.verify() == before


@pytest.mark.more
def test_every_form_is_limited_and_says_how_long_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheaply(monkeypatch)
    limits = RateLimits(requests="9/hour", per_address=1_000_000)  # all come from one address, as fast as they can
    with serving(*copied(tmp_path), monkeypatch, limits, floor=True) as served:
        visit = visiting(served)
        for address in visit.forms():
            with open_client(served.address) as web:
                form = {"csrf": token_of(web.get("/training").text)}
                found = [web.post(address, data=form) for _ in range(10)]
            assert found[-1].status_code == 429, address
            assert said(found[-1])[1].startswith("too many requests: the limit is 9 per 1 hour: wait "), address
            assert 0 < int(found[-1].headers["Retry-After"]) <= 3_600, address
        visit.web.close()


def test_a_form_that_is_too_large_is_not_read(visit: Visit) -> None:
    def pieces() -> Iterator[bytes]:
        yield from (b"csrf=" + b"x" * 1_019 for _ in range(MAX_BODY_BYTES // 1_024 + 1))

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    for address in visit.forms():
        for content in (b"x" * (MAX_BODY_BYTES + 1), pieces()):
            answer = visit.web.post(address, content=content, headers=headers)
            assert said(answer) == (413, f"the body is too large: {MAX_BODY_BYTES} bytes at most"), address


@pytest.mark.parametrize("host", ["evil.example", "x:99999", "[::1", 'a"<script>', "", "evil.example@127.0.0.1"])
def test_an_unknown_host_is_given_no_more_than_anybody_and_is_named_nowhere(host: str, visit: Visit) -> None:
    for path, answer in (
        (path, visit.web.get(path, headers={"Host": host})) for path in ("/", "/training", "/nowhere")
    ):
        assert answer.status_code == (404 if path == "/nowhere" else 200)
        assert not host or host not in answer.text
        assert not host or host not in str(answer.headers)
    own = {"csrf": visit.csrf, "game": "six-card"}
    answer = httpx.post(f"{visit.served.address}/training", data=own, headers={"Host": host}, trust_env=False)
    assert said(answer)[0] == 403  # the cookie of one host is not another's


def test_an_address_that_is_none_is_refused_in_a_line(visit: Visit) -> None:
    odd = (
        "/par/a%0d%0ab.csv",
        '/par/a"b.csv',
        "/par/%C3%BC.csv",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/tables/A",
    )
    for path in odd:
        answer = visit.web.get(path)
        assert answer.status_code in {404, 422}, path
        said(answer)
    later = said(visit.web.get(f"/tables/{visit.table}/rounds/99"))
    assert later == (404, f"round 99 of table {visit.table} has not been settled")


def test_no_form_puts_its_fields_into_the_address_without_scripts() -> None:
    """A log-in whose script did not load would send the password where logs and histories keep it."""
    forms = [
        (path.name, form)
        for path in sorted(TEMPLATES.rglob("*.html"))
        for form in re.findall(r"<form\b.*?</form>", path.read_text(encoding="utf-8"), re.DOTALL)
    ]
    begun = [(name, form.partition(">")[0]) for name, form in forms if re.search(r'type="password"|data-api=', form)]
    assert len(begun) > 20
    assert [(name, form) for name, form in begun if 'method="post"' not in form] == []
