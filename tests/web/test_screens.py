"""A screen written from docs/display-protocol.md alone, and sites of which one loses its line to the ledger."""

import json
import re
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from clients import open_client
from ledger.databases import postgresql
from pitboss.core.errors import PitbossError
from pitboss.web.metrics import read_screen_tokens
from refusals import refusal
from web.served import Served, serving, staffed
from web.test_rounds import WAGERS, pending

PAGE = (Path(__file__).parents[2] / "docs" / "display-protocol.md").read_text(encoding="utf-8")
TOKEN = "fedcba9876543210" * 2


class Screen:
    """A screen as the page describes it; it shares no code with pitboss."""

    def __init__(self, address: str, name: str, token: str, public_key: str) -> None:
        method, self.path = re.findall(r"^(GET) (/\S+)$", PAGE, re.MULTILINE)[0]
        assert method == "GET"
        self.protocol = re.findall(r"^\| `protocol` \| `([\w-]+)`", PAGE, re.MULTILINE)[0]
        self.address, self.name, self.token = address, name, token
        self.key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        self.amount: int | None = None
        self.entry = -1

    def events(self, seconds: float) -> Generator[tuple[str, Any]]:
        """Yield the events of a stream."""
        headers = {"Authorization": f"Bearer {self.token}"}
        with (
            open_client() as client,
            client.stream("GET", f"{self.address}{self.path}?seconds={seconds}", headers=headers) as answer,
        ):
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"].startswith("text/event-stream")
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if line and name:
                    fields[name] = value
                elif not line and "event" in fields:
                    yield fields["event"], json.loads(fields["data"])
                    fields = {}

    def take(self, event: str, data: Any) -> None:
        """Show what an event says, by the rules of the page."""
        if event == "closed":
            self.amount = None
        if event != "display":
            return
        assert set(data) == set(re.findall(r"^\| `(\w+)` \| (?!a message|`\{)", PAGE, re.MULTILINE)) - {"closed"}
        signature = bytes.fromhex(data.pop("signature"))
        signed = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        self.key.verify(signature, signed.encode())
        assert (data["protocol"], data["screen"]) == (self.protocol, self.name)
        assert data["entry"] >= self.entry
        self.entry, self.amount = data["entry"], data["display"]["display_cents"]


def make_screen(served: Served) -> Screen:
    """Give a screen a name and a token."""
    served.app.state.screens = {"other": "0" * 32, "lobby": TOKEN}
    return Screen(served.address, "lobby", TOKEN, served.signer.public_key)


def test_a_screen_written_from_the_page_shows_the_meter(served: Served) -> None:
    screen = make_screen(served)
    events = screen.events(5)
    screen.take(*next(events))
    assert (screen.amount, screen.entry) == (1_000_000, served.controller.state.entries)
    served.do("/tables/1/rounds/1/open", "dora", WAGERS)
    screen.take(*next(events))
    assert (screen.amount, screen.entry) == (1_000_042, served.controller.refresh().entries)
    events.close()


def test_a_message_that_was_altered_or_is_another_screens_is_not_shown(served: Served) -> None:
    screen = make_screen(served)
    ((event, data),) = list(screen.events(0))
    for changes in ({"entry": data["entry"] + 1}, {"display": {**data["display"], "display_cents": 1}}):
        with pytest.raises(InvalidSignature):
            screen.take(event, {**data, **changes})
    with pytest.raises(AssertionError):
        Screen(served.address, "other", TOKEN, served.signer.public_key).take(event, dict(data))
    assert screen.amount is None


def test_the_feed_is_for_screens_with_their_token(served: Served) -> None:
    make_screen(served)
    path = "/api/display/feed?seconds=0"
    for token in ("", "x", TOKEN[:-1], TOKEN + "0", served.session("eve")):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        assert served.client.get(path, headers=headers).json()["code"] == "screen-needed"
    far = {"Authorization": f"Bearer {TOKEN}", "X-Forwarded-For": "203.0.113.7"}
    assert served.client.get(path, headers=far).json()["code"] == "https-needed"
    assert served.client.get(path, headers={**far, "X-Forwarded-Proto": "https"}).status_code == 200
    served.app.state.screens = {}
    assert served.client.get(path, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 401


def test_a_file_of_screens_has_a_name_and_a_token_in_each_line(tmp_path: Path) -> None:
    path = tmp_path / "screens"
    path.write_text(f"lobby {TOKEN}\n\nbar {TOKEN[::-1]}\n")
    assert read_screen_tokens(path) == {"lobby": TOKEN, "bar": TOKEN[::-1]}
    for wrong in ("lobby", f"lobby {TOKEN[:-1]}", f"lobby {TOKEN}\nlobby {TOKEN}"):
        path.write_text(wrong)
        with pytest.raises(PitbossError, check=refusal("invalid-screen")):
            read_screen_tokens(path)


class Line:
    """The line of a site to a database, which may be cut and put back."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._open: list[socket.socket] = []
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                if self.is_cut:
                    near.close()
                    continue
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._target)
                self._open += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)

    def cut(self) -> None:
        """Cut the line, for what goes over it and for what would."""
        self.is_cut = True
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open = []

    def close(self) -> None:
        """End it."""
        self.cut()
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()


@contextmanager
def two_sites(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[tuple[Served, Served, Line]]:
    """Serve one PostgreSQL at a site next to it, and at one behind a line."""
    url, key = postgresql(folder), folder / "key"
    secrets = staffed(url, key)
    made = sa.make_url(url)
    with closing(Line(f"{made.query['host']}/.s.PGSQL.5432")) as line:
        far = made.set(host="127.0.0.1", port=line.port, query={}).render_as_string(hide_password=False)
        with serving(url, key, secrets, patch) as near, serving(far, key, secrets, patch) as site:
            yield near, site, line


@pytest.mark.more
def test_a_site_that_loses_its_line_plays_no_progressive_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with two_sites(tmp_path, monkeypatch) as (near, site, line):
        screen = make_screen(site)
        site.session("dora")
        near.sessions = site.sessions
        award = pending(site)  # a round in play at the far site, with a hit
        events = screen.events(20)
        screen.take(*next(events))
        shown = screen.amount
        line.cut()
        for path, body in (
            ("/tables/1/rounds/1/hits", {"seat": 1, "hand": "flush"}),
            (f"/awards/{award}/cancel", None),
            ("/tables/1/rounds/1/close", None),
            ("/tables/2/rounds/1/open", WAGERS),
        ):
            answer = site.ask("POST", f"/api{path}", "dora", key=f"lost{path.replace('/', '-')}", json=body)
            assert (answer.status_code, answer.json()["code"]) == (503, "database-unreachable"), path
        assert site.ask("GET", "/display").status_code == 503
        event, data = next(each for each in events if each[0] == "closed")
        screen.take(event, data)
        assert (screen.amount, shown) == (None, 1_000_042)
        assert site.client.get("/health/ready").json()["checks"]["ledger"] is False
        near.do("/tables/2/rounds/1/open", "dora", WAGERS, key="near-table-2")  # the other site plays on
        assert near.read("/display")["display_cents"] == 1_000_084
        line.is_cut = False
        answer = site.ask("POST", f"/api/awards/{award}/cancel", "dora", key=f"lost-awards-{award}-cancel")
        assert answer.json()["repeated"] is False  # nothing had been done while the line was cut
        assert site.do("/tables/1/rounds/1/close", "dora", key="lost-tables-1-rounds-1-close")["repeated"] is False
        screen.take(*next(iter(screen.events(1))))
        assert screen.amount == 1_000_084  # that of all sites
        counts = near.controller.verify().state.counts
        assert {table: each.in_count for table, each in counts.items()} == {1: 3, 2: 3}
