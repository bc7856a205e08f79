"""What else ASVS asks of the service: text stays text, nobody is sent elsewhere, what is dear is rationed.

``docs/security.md`` says which test shows which clause.
"""

import ast
import logging
import re
import socket
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import httpx
import pytest

import pitboss
from clients import open_client
from pitboss.web.rate_limits import RateLimits
from pitboss.web.schemas import DisplayResponse
from waiting import PATIENT_SECONDS
from web.served import CHOSEN, Served, cheaply, copied, said, serving
from web.visits import LEADING, Visit, page_routes

SOURCES = Path(pitboss.__file__).parent
SERVICE = ("web", "table", "jackpot", "ledger", "reports", "core")
HOSTILE = "<b onclick=x>&\"'"


@pytest.fixture
def desk(visit: Visit) -> Iterator[httpx.Client]:
    """The browser of an executive who has logged in."""
    with open_client(visit.served.address) as web:
        assert web.post("/api/session", json={**visit.served.proof("eve"), "cookie": True}).status_code == 201
        yield web


CONSOLES = (
    "/progressive/console",
    "/progressive/console/day",
    "/progressive/console/settings",
    "/progressive/console/shift",
    "/progressive/console/staff",
    "/progressive/console/tables",
    "/progressive/console/tables/1",
)


# What is sent.


def test_what_somebody_wrote_is_shown_as_text(visit: Visit) -> None:
    form = {"csrf": visit.csrf, "game": "lunar", "name": HOSTILE}
    table = visit.web.post("/tables", data=form).headers["location"]
    shown = visit.served.client.get(table).text  # as somebody else sees it
    assert escape(HOSTILE).replace("&quot;", "&#34;").replace("&#x27;", "&#39;") in shown
    assert "<b onclick" not in shown
    wrong = visit.web.post("/open/six-card", data={**form, "dollars": HOSTILE}).text
    assert "&lt;b onclick" in wrong
    assert "<b onclick" not in wrong


def test_nobody_is_sent_to_another_site(visit: Visit) -> None:
    for back in ("//evil", "//evil/path", "https://evil.example", "/\\evil", "javascript:x", "/ok\r\nX-Evil: 1"):
        assert visit.web.post("/look", data={"csrf": visit.csrf, "back": back}).status_code == 422, back
    for back in ("/", "/par", f"/tables/{visit.table}"):
        assert visit.web.post("/look", data={"csrf": visit.csrf, "back": back}).headers["location"] == back


@pytest.mark.more
def test_every_text_says_in_which_letters_it_is_written(visit: Visit) -> None:
    found = set()
    for path, answer in visit.pages():
        if path in LEADING:
            continue
        kind, _, more = answer.headers["content-type"].partition("; ")
        found.add(kind)
        if kind.startswith("text/") or kind.endswith("xml"):
            assert more == "charset=utf-8", path
        else:
            # Which are UTF-8 and nothing else.
            assert kind in {"application/json", "application/problem+json", "application/toml"}, path
    assert {"text/html", "text/css", "image/svg+xml", "text/event-stream"} <= found
    script = visit.web.get("/static/pitboss.js").headers["content-type"]
    assert script == "text/javascript; charset=utf-8"


def test_no_script_makes_text_into_markup_or_code_or_listens_to_other_pages() -> None:
    scripts = sorted((SOURCES / "web" / "static").glob("*.js"))
    assert {script.name for script in scripts} == {
        "clock.js",
        "console.js",
        "display.js",
        "fair.js",
        "fair_check.js",
        "fair_files.js",
        "fair_page.js",
        "fair_receipts.js",
        "fair_shuffle.js",
        "pitboss.js",
        "sound.js",
        "table.js",
        "training.js",
    }
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        for sink in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "message"):
            assert sink not in text, (script.name, sink)
        assert "{})" not in text.replace("() => {})", "")  # what is keyed by names of fields has no prototype


def test_a_method_that_nobody_needs_and_a_folder_are_not_answered(visit: Visit) -> None:
    for path in ("/", "/par", "/api/display", "/static/pitboss.css"):
        assert visit.web.request("TRACE", path).status_code == 405, path
    for path in ("/static/", "/static/vendor", "/static/vendor/", "/.git/config", "/docs", "/redoc"):
        assert visit.web.get(path).status_code == 404, path


# Who somebody is.


def test_a_console_shows_how_to_log_out(visit: Visit, desk: httpx.Client) -> None:
    pages = {path for method, path in page_routes(visit.served) if path.startswith(CONSOLES[0]) and method == "GET"}
    assert pages == {path.replace("tables/1", "tables/{table}") for path in CONSOLES}
    for path in CONSOLES:
        assert '<form data-api="DELETE /api/session"' in desk.get(path).text, path


@pytest.mark.more
def test_every_link_of_a_console_leads_somewhere(desk: httpx.Client) -> None:
    for path in CONSOLES:
        links = set(re.findall(r'<a [^>]*href="(/[^"]*)"', desk.get(path).text))
        assert len(links) > 4
        for link in links:
            assert desk.get(link).status_code == 200, link


def test_passwords_are_masked_may_be_pasted_and_filled_in(visit: Visit, desk: httpx.Client) -> None:
    found = [
        field
        for page in (visit.web.get(CONSOLES[0]).text, desk.get(CONSOLES[0]).text)
        for field in re.findall(r"<input [^>]*>", page)
        if "password" in field
    ]
    assert found
    for field in found:
        assert 'type="password"' in field
        assert re.search(r'autocomplete="(current|new)-password"', field)
    assert "paste" not in (SOURCES / "web" / "static" / "pitboss.js").read_text(encoding="utf-8")


def test_a_password_counts_to_its_last_letter_and_never_has_to_be_changed(served: Served) -> None:
    for other in (CHOSEN.upper(), CHOSEN[:-1], f"{CHOSEN} ", f" {CHOSEN}"):
        assert served.client.post("/api/session", json={"name": "dora", "password": other}).status_code == 401
    served.seconds += 10 * 365 * 24 * 3600
    assert served.session("dora")


def test_no_secret_is_asked_for_in_an_address(visit: Visit) -> None:
    asked = {
        each["name"].lower()
        for methods in visit.served.app.openapi()["paths"].values()
        for operation in methods.values()
        for each in operation.get("parameters", ())
        if each["in"] in {"path", "query"}
    }
    asked |= {name for _, path in page_routes(visit.served) for name in re.findall(r"{(\w+)", path)}
    assert {"table", "seconds", "format"} <= asked
    assert not asked & {"password", "code", "token", "session", "csrf", "proof", "key"}


def test_what_belongs_in_a_form_is_not_taken_from_the_address(visit: Visit) -> None:
    refused = (403, "this page is out of date, or from another site: reload it")
    assert said(visit.web.post("/tables", params={"csrf": visit.csrf, "game": "six-card"})) == refused
    cookie = {"Cookie": f"csrf={visit.csrf}"}
    assert said(visit.web.post("/tables", data={"game": "six-card"}, headers=cookie)) == refused
    key = visit.served.client.post("/api/tables/1/rounds/1/open?Idempotency-Key=press-0001", json={"wagers": []})
    assert key.status_code == 401


# What is dear, and where a request ends.


@pytest.mark.more
def test_files_are_written_so_many_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheaply(monkeypatch)
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "nothing-kept"))
    limits = RateLimits(requests="1000/second", files="2/hour")
    with serving(*copied(tmp_path), monkeypatch, limits, floor=True) as served:
        address = "/par/lunar.pdf?bet=instant-cash&paytable=IC-1"
        first = said(served.client.get(address))
        advice = "run pitboss solve lunar with it, then reload the page"
        assert first == (422, f"Lunar Poker takes minutes to solve under this pay table: {advice}")
        assert said(served.client.get(address)) == first
        answer = served.client.get(address)
        assert said(answer)[1].startswith("too many downloads: the limit is 2 per 1 hour: wait ")
        assert (answer.status_code, int(answer.headers["Retry-After"]) > 0) == (429, True)


def test_a_table_is_followed_if_it_is_there(visit: Visit) -> None:
    status, line = said(visit.web.get("/tables/none/events"))
    assert (status, line) == (404, "there is no table 'none': the lobby lists the open tables")


def test_a_request_ends_where_its_last_chunk_says_whatever_length_it_tells(visit: Visit) -> None:
    first = "POST /look HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    second = "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert answered(visit, first + second) == ["403", "404"]
    assert answered(visit, "POST /look HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab") == [
        "400"
    ]


def answered(visit: Visit, sent: str) -> list[str]:
    """Send bytes, and return the statuses of what is answered until the line is closed."""
    host, port = visit.served.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENT_SECONDS) as line:
        line.sendall(sent.encode())
        come = b"".join(iter(lambda: line.recv(65_536), b""))
    return re.findall(r"HTTP/1\.1 (\d+)", come.decode())


# What is logged.


def test_a_guests_refusal_is_logged_in_one_line_whatever_they_wrote(
    visit: Visit, caplog: pytest.LogCaptureFixture
) -> None:
    form = {"csrf": visit.csrf, "key": "press-0001", "number": "1", "action": "x", "round": "1"}
    assert visit.web.post(f"/tables/{visit.table}/decide", data=form).status_code == 409
    assert re.fullmatch(
        rf"POST '/tables/{visit.table}/decide': 409 to guest-\w{{32}} at 127\.0\.0\.1: .+", caplog.messages[-1]
    )
    visit.web.post("/training", data={"csrf": visit.csrf, "game": "six\r\n\x1b[2Jcard\u2028x"})
    visit.web.post("/open/six-card", data={"csrf": visit.csrf, "\r\nnobody did this\x1b": "1"})
    for message in caplog.messages[-2:]:
        assert message.isprintable()
    assert "nobody did this" in caplog.messages[-1]


def test_what_the_server_failed_at_stands_in_its_log_and_it_goes_on(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_arguments: Any) -> None:
        raise ZeroDivisionError("nobody expects this")

    caplog.set_level("WARNING", "uvicorn.error")  # as ``serve`` has it
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "handlers", [caplog.handler])
    with monkeypatch.context() as failing:
        failing.setattr(DisplayResponse, "from_state", fails)
        assert served.ask("GET", "/display").status_code == 500
    assert httpx.get(f"{served.address}/api/display", trust_env=False).status_code == 200
    assert "GET '/api/display': 500 to nobody at 127.0.0.1" in caplog.text
    assert "ZeroDivisionError: nobody expects this" in caplog.text


# What the sources do not do.

FOREIGN = {
    "aiohttp", "code", "ctypes", "dill", "ftplib", "http.client", "httpx", "imaplib", "jwt", "ldap", "ldap3", "lxml",
    "marshal", "pickle", "poplib", "pymemcache", "requests", "shelve", "smtplib", "socket", "subprocess", "telnetlib",
    "urllib", "webbrowser", "xml.dom", "xml.etree", "xml.parsers", "xmlrpc", "yaml",
}  # fmt: skip
"""What would run commands, ask other machines, send mail, or read XML, objects or code."""

CODE = {"eval", "exec", "compile", "__import__", "system", "popen", "from_string", "format_map"}


LISTENING = ("web/server/listener.py", "web/server/http_server.py")
"""What opens the socket on which the service is asked; it asks nobody."""

ANCHORING = "jackpot/anchors.py"
"""What sends the signed head to an address that the operator named, and nothing else."""


def service() -> Iterator[tuple[str, ast.AST]]:
    """Yield every node of the sources that serve requests, with the name of its module."""
    for package in SERVICE:
        for file in sorted((SOURCES / package).rglob("*.py")):
            name = str(file.relative_to(SOURCES))
            yield from ((name, node) for node in ast.walk(ast.parse(file.read_bytes())))


def called(node: ast.AST) -> str:
    """Return the name of what a node calls, "" where it calls nothing by a name."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="os"))):
            return name
        case ast.Call(func=ast.Attribute(attr="from_string" | "format_map" as name)):
            return name
    return ""


def test_the_service_runs_no_command_asks_no_other_machine_and_reads_no_code() -> None:
    modules: dict[str, set[str]] = {}
    for name, node in service():
        match node:
            case ast.Import(names=names):
                modules.setdefault(name, set()).update(each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names):
                modules.setdefault(name, set()).update({module, *(f"{module}.{each.name}" for each in names)})
        assert called(node) not in CODE, f"{name}:{getattr(node, 'lineno', 0)}"
    assert len(modules) > 100
    for name, found in modules.items():
        reached = {".".join(each.split(".")[:depth]) for each in found for depth in (1, 2)}
        allowed = {"socket"} if name in LISTENING else {"http.client", "urllib"} if name == ANCHORING else set[str]()
        assert not reached & FOREIGN - allowed, name


@pytest.mark.more
def test_no_statement_to_a_database_is_put_together_from_text() -> None:
    asking = {"execute", "exec_driver_sql", "text", "literal_column", "scalar", "scalars"}
    put_together = {
        name
        for name, node in service()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in asking
        and node.args
        and isinstance(node.args[0], ast.JoinedStr | ast.BinOp)
        and not name.startswith("ledger/migrations/")  # triggers, made before anybody is served
    }
    # Settings, whose names and values stand there; and letters on a picture.
    assert put_together == {"ledger/database.py", "reports/chart_drawings.py"}
