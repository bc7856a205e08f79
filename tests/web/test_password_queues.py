"""Passwords are costly to check: who guesses them keeps nobody else waiting, and without a code they cost nothing."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from starlette.types import Scope

from coroutines import run_alone
from pitboss.jackpot import credentials, passwords
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.proof_checks import MAX_ATTEMPTS
from pitboss.web.app import find_password_kind
from pitboss.web.errors import RateLimitError
from pitboss.web.rate_limits import RateLimits
from pitboss.web.server.request_queue import MAX_CONCURRENT, MAX_PROOFS_WAITING, PasswordQueues
from refusals import refusal
from waiting import PATIENT_SECONDS
from web.served import Served, cheaply, copied, serving

STRANGERS = [f"198.51.100.{number}" for number in range(1, 3 * MAX_CONCURRENT)]
HARDEST = ("4@8({[<369&#!1/|0$57+%2" * 4)[:72]
"""A password whose strength takes long to compute."""


def guess(served: Served, path: str, address: str, name: str = "") -> int:
    """Guess at an account from an address; return the status."""
    given = {"name": name or f"nobody-{address.rpartition('.')[2]}", "password": HARDEST}
    given |= {"code": "no code"} if path == "/enrolment" else {}
    headers = {"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}
    return httpx.post(f"{served.address}/api{path}", json=given, headers=headers, timeout=PATIENT_SECONDS).status_code


@pytest.mark.parametrize("path", ["/session", "/enrolment"])
def test_pages_are_served_while_strangers_from_many_addresses_wait_for_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, RateLimits()) as served:
        keep_strangers_waiting(served, monkeypatch, path)


def keep_strangers_waiting(served: Served, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Have every stranger's password take long, and look at pages meanwhile."""
    served.session("dora")
    going, begun = threading.Event(), threading.Event()
    check = "verify_password" if path == "/session" else "verify_invitation"
    right = getattr(CredentialStore, check)

    def wait(*given: Any, **named: Any) -> Any:
        begun.set()
        going.wait(PATIENT_SECONDS)
        return right(*given, **named)

    monkeypatch.setattr(CredentialStore, check, wait)
    with ThreadPoolExecutor(len(STRANGERS)) as pool:
        guesses = [pool.submit(guess, served, path, address) for address in STRANGERS]
        try:
            assert begun.wait(PATIENT_SECONDS)
            time.sleep(0.5)  # until the others are there
            served.client.timeout = httpx.Timeout(PATIENT_SECONDS / 2)
            assert [served.ask("GET", path, "dora").status_code for path in ("/display", "/tables/1")] == [200, 200]
        finally:
            going.set()
        assert {each.result() for each in guesses} == {401}


def test_every_route_that_is_given_a_password_has_its_queue(served: Served) -> None:
    routes = [route for route in served.app.routes if isinstance(route, APIRoute)]
    kinds = {f"{min(route.methods or ())} {route.path}": find_password_kind(route) for route in routes}
    operations = {
        f"{method.upper()} {path}"
        for path, methods in served.app.openapi()["paths"].items()
        for method, operation in methods.items()
        if takes_password(served.app.openapi(), operation)
    }
    hashed = {"POST /api/enrolment/authenticator"}  # the code of a first executive is hashed as a password
    assert {each for each, kind in kinds.items() if kind} == operations | hashed
    assert {each for each, kind in kinds.items() if kind == "log-in"} == {
        "POST /api/session",
        "POST /api/enrolment",
        "POST /api/enrolment/authenticator",
    }


def takes_password(document: dict[str, Any], operation: dict[str, Any]) -> bool:
    """Return whether the body of an operation has a password, at any depth."""
    names, seen = [operation.get("requestBody", {})], set()
    while names:
        text = str(names.pop())
        if "'password'" in text:
            return True
        for name, schema in document["components"]["schemas"].items():
            if f"/{name}'" in text and name not in seen:
                seen.add(name)
                names.append(schema)
    return False


def test_of_each_kind_one_goes_on_and_few_of_an_address_wait() -> None:
    def is_of(kind: str) -> Any:
        return lambda scope: scope["path"] == kind

    def scope(kind: str) -> Scope:
        return {"path": kind}

    async def play() -> None:
        queues = PasswordQueues({"log-in": is_of("log-in"), "proof": is_of("proof")})
        async with AsyncExitStack() as held:
            await held.enter_async_context(queues.take_turn(scope("log-in"), STRANGERS[0]))
            other = asyncio.create_task(
                AsyncExitStack().enter_async_context(queues.take_turn(scope("log-in"), "other"))
            )
            waiting = [
                asyncio.create_task(
                    AsyncExitStack().enter_async_context(queues.take_turn(scope("log-in"), STRANGERS[0]))
                )
                for _ in range(MAX_PROOFS_WAITING)
            ]
            await asyncio.sleep(0.01)
            with pytest.raises(
                RateLimitError, check=refusal("too-many-requests", max_waiting=MAX_PROOFS_WAITING, seconds=1)
            ):
                await held.enter_async_context(queues.take_turn(scope("log-in"), STRANGERS[0]))
            for kind in ("proof", "page", "page"):
                await held.enter_async_context(queues.take_turn(scope(kind), STRANGERS[0]))
            assert not other.done()
            assert not any(each.done() for each in waiting)
            for each in (other, *waiting):
                each.cancel()
            await asyncio.gather(other, *waiting, return_exceptions=True)

    run_alone(play())


def test_without_a_right_code_no_password_is_scored_or_hashed_and_every_failure_counts(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a password was scored for somebody without a code")

    monkeypatch.setattr(credentials, "verify_new_password", refuse)
    for name in ("nobody", "dora"):
        tried = [guess(served, "/enrolment", STRANGERS[0], name) for _ in range(MAX_ATTEMPTS + 1)]
        assert tried == [401] * MAX_ATTEMPTS + [429]


def test_the_strength_of_no_password_takes_long() -> None:
    for password in (HARDEST, "a" * 200, "1234567890" * 20, HARDEST[:20], "qwertyuiop" * 10, "p4$$w0rd" * 20):
        began = time.process_time()
        passwords.estimate_strength("dan", password)
        assert time.process_time() - began < 0.5
