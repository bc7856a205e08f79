"""Displays and consoles of the house have places of their own, among streams and among connections."""

import socket
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from pitboss.core.errors import PitbossError
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.registry import TableRegistry
from pitboss.web.server.http_server import (
    MAX_CONNECTIONS,
    RESERVED_CONNECTIONS,
    ConnectionCaps,
    ConnectionLimiter,
    compute_caps,
)
from pitboss.web.server.networks import Networks, verify_networks
from pitboss.web.server.stream_slots import MAX_STREAMS, StreamKind, StreamSlots
from refusals import refusal
from table.laying import Laid
from waiting import PATIENT_SECONDS, wait_until
from web.served import Served, answering, unlimited
from web.test_events import listening
from web.test_gate_server import HEAD, connected, heard, statuses

HOUSE = "10.1.0.0/16"
STRANGERS = [f"198.51.100.{number}" for number in range(1, 40)]


def stream(served: Served, path: str, address: str, name: str = "") -> tuple[int, socket.socket]:
    """Open a stream from an address; return its status and its connection."""
    host, port = served.address.removeprefix("http://").split(":")
    line = socket.create_connection((host, int(port)), timeout=PATIENT_SECONDS)
    session = f"Authorization: Bearer {served.session(name)}\r\n" if name else ""
    proxied = f"X-Forwarded-For: {address}\r\nX-Forwarded-Proto: https\r\n"
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{proxied}{session}\r\n"
    line.sendall(head.encode())
    return int(line.recv(16).split()[1]), line


@pytest.mark.parametrize("kind", [StreamKind.DISPLAYS, StreamKind.STAFF])
def test_strangers_streams_leave_the_houses_places_free(served: Served, kind: StreamKind) -> None:
    most = 20
    served.app.state.slots = StreamSlots({**MAX_STREAMS, kind: most}, per_address=4, house=Networks([HOUSE]))
    path = "/api/display/events" if kind is StreamKind.DISPLAYS else "/api/tables/1/events"
    name = "" if kind is StreamKind.DISPLAYS else "dora"
    with ExitStack() as lines:

        def status(address: str) -> int:
            found, line = stream(served, path, address, name)
            lines.enter_context(closing(line))
            return found

        found = [status(address) for _ in range(4) for address in STRANGERS[:6]]
        assert found == [200] * (most - most // 10) + [429] * 6
        assert status(STRANGERS[6]) == 200  # its address has none, so another stranger's makes room
        assert served.app.state.slots.count(kind) == most - most // 10
        assert [status("10.1.0.1") for _ in range(most)] == [200] * most  # without a limit, and before strangers
        assert {status(address) for address in (STRANGERS[0], "10.1.0.3")} == {429}  # all are the house's
    wait_until(lambda: not served.app.state.slots.count(kind))


def test_connections_of_strangers_leave_the_houses_places_free(tmp_path: Path) -> None:
    """Half-open bodies, half-open heads and streams of strangers take only what is theirs."""
    caps = ConnectionCaps(connections=12, per_address=4, reserved=3)
    door = ConnectionLimiter(caps, house=Networks(["127.0.0.9"]))
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key", bits=Laid())
    registry = TableRegistry(tables, limits=unlimited())
    cookie = registry.tokens.issue()
    half_body = (
        f"POST /look HTTP/1.1\r\nHost: x\r\nCookie: pitboss-guest={cookie}\r\nContent-Length: 100\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n\r\ncsrf="
    ).encode()
    with answering(create_app(None, registry), door) as address, ExitStack() as lines:

        def line(source: str) -> socket.socket:
            return lines.enter_context(closing(connected(address, source)))

        for number in range(9):  # all that strangers get, none of them waiting for a head
            line(f"127.0.0.{20 + number // 3}").sendall(half_body)
        wait_until(lambda: door.connections == 9 and not door.waiting)
        assert statuses(heard(line("127.0.0.20"))) == ["503"]
        line("127.0.0.40").sendall(half_body)  # its address has none, so another stranger's makes room
        wait_until(lambda: door.connections == 9 and not door.waiting)
        own = [line("127.0.0.9") for _ in range(3)]
        for each in own:
            each.sendall(HEAD + b"\r\n")
            assert each.recv(12) == b"HTTP/1.1 200"
        lines.close()
        wait_until(lambda: door.connections == 0)
    tables.close()


def test_who_waits_makes_room_and_a_stranger_before_the_house(tmp_path: Path) -> None:
    caps = ConnectionCaps(connections=6, per_address=6, reserved=2)
    door = ConnectionLimiter(caps, house=Networks(["127.0.0.9"]))
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key", bits=Laid())
    with (
        answering(create_app(None, TableRegistry(tables, limits=unlimited())), door) as address,
        ExitStack() as lines,
    ):
        display = lines.enter_context(closing(connected(address, "127.0.0.9")))
        for number in range(12):
            lines.enter_context(closing(connected(address, f"127.0.0.{20 + number}")))
        wait_until(lambda: door.connections == 5)
        display.sendall(HEAD + b"\r\n")
        assert display.recv(12) == b"HTTP/1.1 200"  # the longest wait of all, and still there
        for _ in range(6):
            lines.enter_context(closing(connected(address, "127.0.0.9")))
        wait_until(lambda: door.connections == 6)
    tables.close()


def test_places_are_reserved_where_there_is_a_house_and_in_proportion() -> None:
    assert compute_caps(4_096).reserved == RESERVED_CONNECTIONS
    assert 0 < compute_caps(1_024).reserved < RESERVED_CONNECTIONS < MAX_CONNECTIONS
    slots = StreamSlots({StreamKind.DISPLAYS: 1})
    with slots.hold(StreamKind.DISPLAYS, "192.0.2.1"):  # without a house nothing is reserved
        assert slots.count(StreamKind.DISPLAYS) == 1


def test_a_house_is_a_list_of_addresses_and_networks() -> None:
    verify_networks("", "--house")
    verify_networks("192.0.2.1, 2001:db8::/32", "--house")
    for text in ("casino.example", "192.0.2.1,", "192.0.2.0/40"):
        with pytest.raises(PitbossError, check=refusal("invalid-network")):
            verify_networks(text, "--house")


def test_a_display_of_the_house_is_served_while_strangers_hold_all_streams(served: Served) -> None:
    served.app.state.slots = StreamSlots({**MAX_STREAMS, StreamKind.DISPLAYS: 10}, house=Networks(["127.0.0.1"]))
    with ExitStack() as lines:
        for address in STRANGERS:
            lines.enter_context(closing(stream(served, "/api/display/events", address)[1]))
        with listening(served, "/display/events") as events:
            assert next(events).kind == "display"
