"""Headers, cookies, cross-site requests, sessions, limits and problems: a test for each (RELIABILITY T14)."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from jackpot.house import appointed
from pitboss.jackpot.credentials import SESSION_IDLE_SECONDS
from pitboss.jackpot.proof_checks import MAX_ATTEMPTS, MAX_NAME_ATTEMPTS
from pitboss.jackpot.roles import Role
from pitboss.jackpot.staff_state import SESSION_MAX_SECONDS
from pitboss.ledger.schema import session as kept_sessions
from pitboss.web.auth.security import MAX_BODY_BYTES
from pitboss.web.rate_limits import RateLimits
from pitboss.web.schemas import DisplayResponse
from web.examples import operations, routes
from web.inside import one
from web.served import CHOSEN, Served, cheaply, copied, said, serving

BY_HTTPS = {"X-Forwarded-Proto": "https", "Host": "casino.example"}
OVER = (401, "this session has ended: log in again")
WRONG = (401, "name, password or code is wrong")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


def answers(served: Served) -> Iterator[httpx.Response]:
    """Yield answers of every kind: read, refused, not there, too large, streamed, a page."""
    yield served.ask("GET", "/status", "abe")
    yield served.ask("GET", "/status")
    yield served.ask("GET", "/nowhere")
    yield served.ask("POST", "/enrolment", content=b"x" * (MAX_BODY_BYTES + 1))
    yield served.ask("GET", "/tables/1/events?seconds=0", "dora")
    yield served.ask("GET", "/export", "abe")


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_is_on_every_answer(name: str, served: Served) -> None:
    assert {answer.headers.get(name) for answer in answers(served)} == {HEADERS[name]}


def test_no_script_but_its_own_and_no_frame(served: Served) -> None:
    for answer in answers(served):
        policy = dict(each.split(" ", 1) for each in answer.headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == policy["object-src"] == policy["base-uri"] == "'none'"
        assert policy["frame-ancestors"] == "'none'"
        assert set(policy.values()) == {"'none'", "'self'"}  # nothing inline, nothing from elsewhere


def test_browsers_are_told_to_stay_with_https_and_only_over_https(served: Served) -> None:
    by_https = served.ask("GET", "/display", headers={"X-Forwarded-Proto": "https"})
    assert by_https.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert "Strict-Transport-Security" not in served.ask("GET", "/display").headers


def test_anybodys_page_may_show_the_display_and_nothing_else(served: Served) -> None:
    for path in ("/display", "/display/events?seconds=0"):
        answer = served.ask("GET", path, headers={"Origin": "https://signs.example"})
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert "Access-Control-Allow-Credentials" not in answer.headers
    for answer in answers(served):
        assert "Access-Control-Allow-Origin" not in answer.headers


def logged_in(served: Served, name: str = "dora", **headers: str) -> httpx.Response:
    """Log in with a cookie."""
    return served.client.post("/api/session", json={**served.proof(name), "cookie": True}, headers=headers)


def test_a_cookie_over_https_is_of_this_host_secure_and_out_of_reach(served: Served) -> None:
    answer = logged_in(served, **BY_HTTPS)
    name, *attributes = answer.headers["Set-Cookie"].replace("=", ";", 1).split(";")
    assert name == "__Host-pitboss"
    found = {each.strip().lower() for each in attributes[1:]}
    assert found == {"httponly", f"max-age={SESSION_MAX_SECONDS}", "path=/", "samesite=strict", "secure"}
    assert answer.json()["session"] == ""  # no script ever sees it


def test_a_cookie_over_plain_http_on_the_machine_itself_is_not_called_secure(served: Served) -> None:
    cookie = logged_in(served).headers["Set-Cookie"].lower()
    assert cookie.startswith("pitboss=")
    assert "secure" not in cookie
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


PUBLIC = {"openapi", "read_display", "display_events", "live"}


def test_no_secret_comes_over_plain_http_from_elsewhere(served: Served) -> None:
    elsewhere = {"X-Forwarded-For": "203.0.113.7"}
    needed = (
        403,
        "passwords, codes and sessions need https: put a TLS proxy in front, or work on the server's own machine",
    )
    before = served.session("eve"), served.controller.refresh().entries
    for operation in operations(served.app):
        params = {"seconds": 0} if operation.name.endswith("events") else {}
        answer = served.ask(
            operation.method, operation.path, "eve", json=operation.body, params=params, headers=elsewhere
        )
        if operation.name == "ready":
            assert set(answer.json()) == {"ready", "checks"}
        elif operation.name in PUBLIC:
            assert answer.status_code == 200, operation.name
        else:
            assert said(answer) == needed, operation.name
    assert served.read("/session", "eve")["name"] == "eve"  # and her session goes on
    assert (served.session("eve"), served.controller.refresh().entries) == before


def test_a_cookie_opens_no_console_over_plain_http_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as served:
        logged_in(served)
        for headers, heading in (({}, "dora, dealer"), ({"X-Forwarded-For": "203.0.113.7"}, "Staff")):
            page = served.client.get("/progressive/console", headers=headers)
            assert f"<h1>{heading}</h1>" in page.text


def test_a_token_is_long_random_and_kept_only_as_its_hash(served: Served) -> None:
    token = served.session("dora")
    assert len(token) >= 43  # 32 bytes
    with served.store.begin_read() as transaction:
        assert token not in repr(transaction.connection.execute(sa.select(kept_sessions)).all())


def with_cookie(served: Served, method: str, path: str, **headers: str) -> httpx.Response:
    """Ask with the cookie that the client was given."""
    return served.client.request(
        method, f"/api{path}", json={"wagers": []} if method == "POST" else None, headers=headers
    )


OPEN = "/tables/1/rounds/1/open"


def test_a_change_by_cookie_needs_its_token(served: Served) -> None:
    right = logged_in(served).json()["csrf_token"]
    needed = (403, "a session with a cookie needs the header X-CSRF-Token: GET /api/session returns its value")
    for wrong in ({}, {"X-CSRF-Token": "x" * 64}, {"X-CSRF-Token": ""}):
        assert said(with_cookie(served, "POST", OPEN, **wrong, **{"Idempotency-Key": "press-01"})) == needed
        assert said(with_cookie(served, "DELETE", "/session", **wrong)) == needed
    assert with_cookie(served, "GET", "/session").json()["csrf_token"] == right
    done = with_cookie(served, "POST", OPEN, **{"X-CSRF-Token": right, "Idempotency-Key": "press-01"})
    assert done.status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_a_change_from_another_sites_page_is_refused(header: dict[str, str], served: Served) -> None:
    token = logged_in(served).json()["csrf_token"]
    elsewhere = (403, "this request came from another site's page: use this site's own pages")
    change = {"X-CSRF-Token": token, "Idempotency-Key": "press-01"}
    assert said(with_cookie(served, "POST", OPEN, **change, **header)) == elsewhere
    assert said(logged_in(served, **header)) == elsewhere
    own = {"Sec-Fetch-Site": "same-origin", "Origin": served.address}
    assert with_cookie(served, "POST", OPEN, **change, **own).status_code == 200


def test_a_program_needs_no_token_beside_its_own(served: Served) -> None:
    assert served.do(OPEN, "dora", {"wagers": []})["events"]


def test_a_session_is_new_at_each_login_and_the_one_before_is_over(served: Served) -> None:
    logged_in(served)
    before = dict(served.client.cookies)
    logged_in(served)
    assert dict(served.client.cookies) != before
    served.client.cookies.update(before)
    assert said(served.client.get("/api/session")) == OVER


def test_a_session_is_dead_after_logout(served: Served) -> None:
    served.session("dora")
    assert served.ask("DELETE", "/session", "dora").status_code == 204
    assert said(served.ask("GET", "/session", "dora")) == OVER


def test_a_session_is_dead_when_its_person_is_ended(served: Served) -> None:
    assert served.read("/session", "dora")["role"] == "dealer"
    appointed(served.controller, "dora", Role.DEALER, active=False)
    assert said(served.ask("GET", "/session", "dora")) == OVER


def test_a_new_role_holds_at_once(served: Served) -> None:
    served.session("abe")
    code = appointed(served.controller, "abe", Role.DEALER)
    assert said(served.ask("GET", "/status", "abe")) == OVER
    del served.sessions["abe"]
    assert said(served.client.post("/api/session", json=served.proof("abe"))) == WRONG  # until he has enrolled again
    served.ask("POST", "/enrolment", json={"name": "abe", "code": code, "password": CHOSEN})
    assert said(served.ask("GET", "/status", "abe"))[0] == 403
    assert served.read("/session", "abe")["role"] == "dealer"


def test_a_session_is_dead_after_fifteen_idle_minutes(served: Served) -> None:
    served.session("dora")
    served.seconds += SESSION_IDLE_SECONDS
    assert served.read("/session", "dora")
    served.seconds += SESSION_IDLE_SECONDS + 1
    assert said(served.ask("GET", "/session", "dora")) == OVER


def test_a_session_is_dead_after_twelve_hours_whatever_it_does(served: Served) -> None:
    served.session("dora")
    for _ in range(SESSION_MAX_SECONDS // SESSION_IDLE_SECONDS):
        served.seconds += SESSION_IDLE_SECONDS
        assert served.read("/session", "dora")
    served.seconds += 1
    assert said(served.ask("GET", "/session", "dora")) == OVER


def guess(served: Served, name: str) -> httpx.Response:
    """Try a wrong password."""
    return served.client.post("/api/session", json={"name": name, "password": "a wrong one"})


def test_an_account_is_tried_five_times_and_then_waits(served: Served) -> None:
    for _ in range(MAX_ATTEMPTS):
        assert said(guess(served, "dora")) == WRONG
    waits = served.client.post("/api/session", json=served.proof("dora"))  # also with the right password
    assert said(waits) == (429, "too many attempts: dora must wait 15 minutes")
    assert waits.headers["Retry-After"] == "900"
    served.seconds += 15 * 60
    served.session("dora")


def test_an_address_that_guessed_twenty_times_has_two_guesses_at_each_name(served: Served) -> None:
    served.session("dora")  # what is right does not count
    for number in range(20):
        assert said(guess(served, f"name{number}")) == WRONG
    for _ in range(2):
        assert said(guess(served, "abe")) == WRONG
    waits = guess(served, "abe")
    status, line = said(waits)
    assert (status, line.startswith("too many attempts from this address: wait ")) == (429, True)
    assert 0 < int(waits.headers["Retry-After"]) <= 900
    form = {"name": "abe", "code": "x", "password": "a good long one"}
    assert served.ask("POST", "/enrolment", json=form).status_code == 429
    assert served.client.post("/api/session", json=served.proof("abe")).status_code == 429  # an auditor has no code
    for name in ("sue", "dora"):  # nobody guessed at these
        assert served.client.post("/api/session", json=served.proof(name)).status_code == 201
    assert served.read("/session", "dora")  # who is in stays in


def test_a_right_code_is_tried_whatever_others_guessed_at_the_same_name_and_address(served: Served) -> None:
    """One at the shared address guesses at the supervisor's own name; she gets in with her next code."""
    for number in range(20):
        guess(served, f"name{number}")
    for _ in range(50):
        assert guess(served, "sue").status_code in {401, 429}
    assert served.client.post("/api/session", json=served.proof("sue")).status_code == 201
    wrong = served.proof("sue") | {"password": "a wrong one"}
    assert said(served.client.post("/api/session", json=wrong)) == WRONG
    again = wrong | {"password": served.proof("max")["password"]}
    assert served.client.post("/api/session", json=again).status_code == 429  # a code buys one attempt
    assert served.client.post("/api/session", json=served.proof("sue")).status_code == 201


@pytest.mark.more
def test_guesses_stay_bounded_by_name_by_address_and_in_all(served: Served) -> None:
    """What an attacker gets tried in a quarter of an hour."""
    tried = Counter(guess(served, "sue").status_code for _ in range(40))
    assert tried == {401: 5, 429: 35}  # one name from one address
    tried = Counter(guess(served, f"name{number // 3}").status_code for number in range(900))
    assert tried[401] <= 200  # all names from one address


@pytest.mark.more
def test_guesses_from_many_addresses_at_one_name_leave_each_other_address_an_attempt(served: Served) -> None:
    tried = Counter(
        served.client.post(
            "/api/session",
            json={"name": "dora", "password": "a wrong one"},
            headers={"X-Forwarded-For": f"198.51.100.{number // 6}", **BY_HTTPS},
        ).status_code
        for number in range(300)
    )
    assert tried[401] == MAX_NAME_ATTEMPTS + (300 // 6 - MAX_NAME_ATTEMPTS // MAX_ATTEMPTS)
    assert served.client.post("/api/session", json=served.proof("dora")).status_code == 201


def test_requests_are_limited_by_session_and_by_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, RateLimits(requests="3/hour")) as served:
        for name, path in (("dora", "/session"), ("", "/display")):
            found = [served.ask("GET", path, name) for _ in range(4)]
            assert [answer.status_code for answer in found[-2:]] in ([200, 429], [429, 429])
            assert said(found[3])[1].startswith("too many requests: the limit is 3 per 1 hour: wait ")
            assert int(found[3].headers["Retry-After"]) > 0


def _wait_until_counted(served: Served, path: str, number: int) -> None:
    """Ask, each time from another network, until an answer no longer says that it is still counted."""
    for network in range(16, 16 + 60):
        answer = one(served.app, "GET", path, (f"2001:db8:{network:x}:{number}::1", 1))
        if answer.status_code != 429 or "still counting" not in answer.text:
            return


@pytest.mark.more
def test_a_network_of_ipv6_is_one_address_for_every_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, RateLimits(requests="3/hour"), floor=True) as served:
        paths = sorted(path for method, path in routes(served.app) if method == "GET" and "{" not in path)
        asked_at = [path for path in paths if not path.startswith(("/par/", "/openapi")) and "events" not in path]
        # Not of the game that comes first, whose charts take a minute.
        asked_at = [f"{path}?game=six-card" if path.startswith(("/charts", "/study")) else path for path in asked_at]
        limited = set()
        for number, path in enumerate(asked_at):
            _wait_until_counted(served, path, number)
            alone, together = (
                [one(served.app, "GET", path, (f"2001:db8:{kind}:{number}::{each}", 1)).status_code for each in hosts]
                for kind, hosts in enumerate(((1, 1, 1, 1), (1, 2, 3, 4)))
            )
            assert together == alone, path
            limited |= {path} if alone[-1] == 429 else set()
        assert limited >= {"/api/display", "/health/ready", "/progressive/console"}


def test_a_body_that_is_too_large_is_not_read(served: Served) -> None:
    def pieces() -> Iterator[bytes]:
        yield from (b" " * 1_024 for _ in range(MAX_BODY_BYTES // 1_024 + 1))

    for content in (b"x" * (MAX_BODY_BYTES + 1), pieces()):
        headers = {"Content-Type": "application/json"}
        answer = served.ask("POST", "/enrolment", content=content, headers=headers)
        assert said(answer) == (413, f"the body is too large: {MAX_BODY_BYTES} bytes at most")


def test_what_is_not_there_is_a_problem(served: Served) -> None:
    nowhere = (404, "there is nothing at this address: /openapi.json lists the operations")
    assert said(served.ask("GET", "/nowhere")) == nowhere
    wrong = served.ask("PUT", "/display")
    assert said(wrong) == (405, "this address does not support this method: the header Allow lists those that it does")
    assert wrong.headers["Allow"] == "GET"


def test_nothing_is_changed_by_reading(served: Served) -> None:
    for path in ("/session", OPEN, "/awards/1/confirm", "/staff/dora/end"):
        if path != "/session":
            assert served.ask("GET", path, "eve").status_code == 405


def test_a_failure_of_the_server_tells_nothing_of_itself(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: Any) -> None:
        raise ZeroDivisionError("the cage's combination is 1234")

    monkeypatch.setattr(DisplayResponse, "from_state", fails)
    answer = served.ask("GET", "/display")
    assert said(answer) == (500, "something went wrong on the server: try again, and tell whoever runs it")


def test_a_ledger_that_cannot_be_reached_closes_the_tables(served: Served, tmp_path: Path) -> None:
    served.session("dora")
    served.store.engine.dispose()
    (tmp_path / "ledger.db").rename(tmp_path / "elsewhere.db")
    (tmp_path / "ledger.db").mkdir()
    for method, path in (("GET", "/display"), ("GET", "/tables/1"), ("POST", OPEN)):
        answer = served.ask(method, path, "dora", json={"wagers": []} if method == "POST" else None)
        status, line = said(answer)
        assert (status, line.partition(":")[0]) == (503, "the ledger does not answer, so the tables are closed")


def test_who_comes_and_goes_is_logged(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "pitboss.web")
    served.session("dora")
    served.ask("DELETE", "/session", "dora")
    assert caplog.messages == ["dora logged in from 127.0.0.1", "dora logged out from 127.0.0.1"]


def test_what_is_refused_is_logged_with_who_and_where_and_without_secrets(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    _, forbidden = said(served.ask("GET", "/status", "dora"))
    served.client.post("/api/session", json={"name": "dora", "password": 12345678})
    served.client.post("/api/session", json={"name": "dora", "password": "hunter2 hunter2"})
    assert caplog.messages[-3:] == [
        f"GET '/api/status': 403 to dora at 127.0.0.1: {forbidden}",
        "POST '/api/session': 422 to nobody at 127.0.0.1: password: not in the required format",
        "POST '/api/session': 401 to nobody as dora at 127.0.0.1: name, password or code is wrong",
    ]
