"""The pages that state the limits of the server state those that it has."""

from pathlib import Path

import pytest

from pitboss.jackpot.credentials import SESSION_IDLE_SECONDS
from pitboss.jackpot.proof_checks import MAX_ATTEMPTS
from pitboss.jackpot.staff_state import ATTEMPT_WINDOW_SECONDS, SESSION_MAX_SECONDS
from pitboss.web.auth.security import MAX_BODY_BYTES
from pitboss.web.jobs import spec
from pitboss.web.jobs.spec import LONG_LANE, QUICK_LANE, RATIONS, SOLVE_LANE, JobKind
from pitboss.web.rate_limits import (
    DRILLS_BEGUN,
    FAILED_LOGINS,
    FILES,
    IPV6_NETWORK_BITS,
    OPEN_TABLES,
    PER_ADDRESS,
    REQUESTS,
    TABLES_OPENED,
)
from pitboss.web.server.http_server import (
    HEAD_SECONDS,
    IDLE_SECONDS,
    MAX_CONNECTIONS,
    MAX_HEAD_BYTES,
    RESERVED_CONNECTIONS,
    RESERVED_DESCRIPTORS,
    WRITE_SECONDS,
)
from pitboss.web.server.middleware import BODY_SECONDS, MAX_FIELDS
from pitboss.web.server.request_queue import MAX_CONCURRENT_PER_ADDRESS, MAX_WAITING, MAX_WAITING_IN_ALL
from pitboss.web.server.stream_slots import MAX_ADDRESS_STREAMS, MAX_GUEST_STREAMS, MAX_STREAMS, StreamKind

DOCS = Path(__file__).parents[2] / "docs"
TABLES, DISPLAYS, STAFF = (MAX_STREAMS[kind] for kind in (StreamKind.TABLES, StreamKind.DISPLAYS, StreamKind.STAFF))
STREAMS = (
    f"{TABLES:,} table pages, {DISPLAYS:,} displays, {STAFF} staff consoles; "
    f"{MAX_ADDRESS_STREAMS} of each for an address, {MAX_GUEST_STREAMS} for a guest"
)
SHARED, SOLVE = RATIONS[QUICK_LANE.name], RATIONS[SOLVE_LANE.name]
PER_SECOND, OPENED, DOWNLOADS, FAILURES = (
    each.partition("/")[0] for each in (REQUESTS, TABLES_OPENED, FILES, FAILED_LOGINS)
)

CACHED = sum(each.max_bytes for each in vars(spec).values() if isinstance(each, JobKind))

STATED = {
    "performance.md": (
        f"caches hold at most {CACHED >> 20} MiB, of which {spec.FILES.max_bytes >> 20} MiB for report files",
    ),
    "operators.md": (
        f"| commands of a guest, requests of a session | {PER_SECOND} a second |",
        f"| requests of any kind from an address | {PER_ADDRESS} a second",
        f"| {MAX_CONCURRENT_PER_ADDRESS}, with {MAX_WAITING} waiting |",
        f"| requests of all addresses that wait | {MAX_WAITING_IN_ALL};",
        f"| new guests from an address | {PER_ADDRESS} an hour;",
        f"| tables opened by a guest, from an address | {OPENED} and {PER_ADDRESS} an hour; the same for drills |",
        f"| tables that a guest has open | {OPEN_TABLES};",
        f"| connections | {MAX_CONNECTIONS:,} in all, {PER_ADDRESS} from an address |",
        f"| event streams | {STREAMS} |",
        (
            f"| {HEAD_SECONDS:g} seconds to arrive, {MAX_HEAD_BYTES >> 10} KiB; {BODY_SECONDS:g} seconds, "
            f"{MAX_BODY_BYTES >> 10} KiB, {MAX_FIELDS} fields |"
        ),
        f"| {IDLE_SECONDS} and {WRITE_SECONDS:g} seconds |",
        f"| {MAX_ATTEMPTS} for an account, {FAILURES} for an address, in {ATTEMPT_WINDOW_SECONDS // 60} minutes |",
        f"| a staff session | {SESSION_IDLE_SECONDS // 60} idle minutes, {SESSION_MAX_SECONDS // 3600} hours |",
        f"An IPv6 address counts as its {IPV6_NETWORK_BITS}-bit network",
        f"{MAX_CONNECTIONS:,} connections need {MAX_CONNECTIONS + RESERVED_DESCRIPTORS:,} open files.",
    ),
    "security.md": (
        f"in each, {SHARED.guest} wait for a guest, {SHARED.address} for an address, {SHARED.total} in all;",
        f"there {SOLVE.guest} wait for a guest, {SOLVE.address} for an address.",
        f"{DOWNLOADS} a minute for a guest and for an address |",
        f"{OPENED} an hour for a guest, {PER_ADDRESS} for an address; {OPEN_TABLES} open tables for a guest;",
        (
            f"| {MAX_CONNECTIONS:,}, {PER_ADDRESS} for an address, {RESERVED_CONNECTIONS} only for `--house`; "
            f"{HEAD_SECONDS:g} s for a head, {BODY_SECONDS:g} s for a body, {IDLE_SECONDS} s idle |"
        ),
        f"| {STREAMS}; a tenth of each kind only for `--house` |",
        f"| {PER_SECOND} a second for a session |",
        (
            f"| {PER_ADDRESS} requests a second for an address in all; "
            f"{MAX_CONCURRENT_PER_ADDRESS} of an address at the same time, {MAX_WAITING} waiting, "
            f"and {MAX_WAITING_IN_ALL} of all addresses |"
        ),
        f"An IPv6 address is its /{IPV6_NETWORK_BITS} in every limit",
    ),
    "decisions/0019-gate.md": (
        f"{PER_ADDRESS} connections an address, {MAX_CONNECTIONS:,} in all",
        f"{MAX_WAITING} of an address wait, more are refused; {MAX_WAITING_IN_ALL} of all addresses",
        f"IPv6 counts by /{IPV6_NETWORK_BITS}",
    ),
}


@pytest.mark.parametrize("page", STATED)
def test_a_page_states_the_limits_that_there_are(page: str) -> None:
    text = " ".join((DOCS / page).read_text("utf-8").split())
    assert [line for line in STATED[page] if line not in text] == []


def test_what_is_stated_once_is_the_same_everywhere() -> None:
    assert DRILLS_BEGUN == TABLES_OPENED
    assert RATIONS[QUICK_LANE.name] == RATIONS[LONG_LANE.name]
    assert FAILED_LOGINS.partition("/")[2] == f"{ATTEMPT_WINDOW_SECONDS // 60} minutes"
