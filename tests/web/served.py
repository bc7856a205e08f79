"""A progressive served over HTTP for tests: a real server, a real ledger, people with passwords and authenticators."""

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from time import time
from typing import Any

import httpx
import pyotp
import pytest
import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI
from starlette.types import ASGIApp

from clients import open_client
from jackpot.house import appointed, settings
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.passwords import CODE_SECONDS
from pitboss.jackpot.roles import Role
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.table.progressive_client import ProgressiveClient
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.auth.guests import PREFERENCES_COOKIE
from pitboss.web.jackpot_context import JackpotContext
from pitboss.web.ledger_events import LedgerWatcher
from pitboss.web.rate_limits import RateLimits
from pitboss.web.registry import TableRegistry
from pitboss.web.server.http_server import ConnectionCaps, ConnectionLimiter, make_config
from pitboss.web.server.listener import listen
from table.laying import Laid
from waiting import PATIENT_SECONDS


def unlimited() -> RateLimits:
    """Return limits for tests of something else."""
    often = "1000000/second"
    return RateLimits(requests=often, tables=often, drills=often, per_address=1_000_000, open_tables=1_000_000)


CHOSEN = "correct horse battery"
PEOPLE = {
    "eve": Role.EXECUTIVE,
    "max": Role.EXECUTIVE,
    "sue": Role.SUPERVISOR,
    "sam": Role.SUPERVISOR,
    "dora": Role.DEALER,
    "abe": Role.AUDITOR,
}
BEGINNING = 1_800_000_000
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def cheaply(patch: pytest.MonkeyPatch) -> None:
    """Let a password cost next to nothing."""
    patch.setattr("pitboss.jackpot.passwords.HASHER", CHEAP)


def staffed(url: str, key: Path, **changes: Any) -> dict[str, str]:
    """Set up a progressive with its people, and return the secrets of their authenticators."""
    store = Store.open_or_create(url)
    controller = Controller(store, Signer.load_or_create(key))
    controller.create(settings(tables=2, **changes), "eve")
    staff, secrets = CredentialStore(controller), {}
    for name, role in PEOPLE.items():
        secrets[name] = staff.enrol(name, appointed(controller, name, role, reset=name == "eve"), CHOSEN).totp
    store.close()
    return secrets


@cache
def template() -> tuple[Path, dict[str, str]]:
    """Return a folder with a ledger that has its people, made once, and their secrets."""
    folder = Path(mkdtemp(prefix="pitboss-"))
    return folder, staffed(f"sqlite:///{folder / 'ledger.db'}", folder / "key")


def copied(folder: Path) -> tuple[str, Path, dict[str, str]]:
    """Return the URL and the key of a ledger of one's own that has its people, and their secrets."""
    made, secrets = template()
    for name in ("ledger.db", "key"):
        shutil.copy(made / name, folder / name)
    return f"sqlite:///{folder / 'ledger.db'}", folder / "key", secrets


class Served:
    """A ledger being served, and its people."""

    def __init__(
        self, url: str, key: Path, secrets: dict[str, str], limits: RateLimits, address: str, *, floor: bool
    ) -> None:
        self.url, self.key, self.secrets, self.address = url, key, dict(secrets), address
        self.store = Store(url)
        self.signer = Signer(key)
        self.controller = Controller(self.store, self.signer)
        watch = LedgerWatcher(self.store, self.controller, poll_seconds=0.02, keepalive_seconds=0.05)
        self.house = JackpotContext(
            self.store, self.signer, self.controller, CredentialStore(self.controller), watch, limits
        )
        self.laid = Laid()
        self.floor = self.floor_again() if floor else None
        self.app = create_app(self.house, self.floor)
        self.seconds = BEGINNING
        self.client = open_client(address)
        self.sessions: dict[str, str] = {}
        self._keys = count(1)

    def floor_again(self) -> TableRegistry:
        """Return a floor whose linked tables play for this progressive, as after a start."""
        folder, progressive = self.key.parent, partial(ProgressiveClient, self.controller)
        url, key = f"sqlite:///{folder / 'tables.db'}", folder / "tables.key"
        started = int(time())  # and nobody is ever late, however long a browser takes
        tables = TableService.connect(url, key, clock=lambda: started, bits=self.laid, connect_progressive=progressive)
        return TableRegistry(tables, entry_counter=lambda: self.controller.refresh().entries, limits=self.house.limits)

    def proof(self, name: str) -> dict[str, str]:
        """Return somebody's credentials with a code that was not used yet."""
        self.seconds += CODE_SECONDS
        secret = self.secrets[name]
        code = pyotp.TOTP(secret).at(self.seconds) if secret else ""
        return {"name": name, "password": CHOSEN, "code": code}

    def session(self, name: str) -> str:
        """Return somebody's session, a new one the first time."""
        if name not in self.sessions:
            answer = self.client.post("/api/session", json=self.proof(name))
            assert answer.status_code == 201, answer.text
            self.sessions[name] = answer.json()["session"]
        return self.sessions[name]

    def note_change(self, name: str, operation: str, answer: Any) -> None:
        """Note that an operation ended somebody's sessions or changed their authenticator."""
        if operation in {"log_out", "change_password", "change_authenticator"} and answer.status_code in {200, 204}:
            self.sessions.pop(name, None)
        if operation == "change_authenticator" and answer.status_code == 200:
            self.secrets[name] = answer.json()["totp"]

    def ask(self, method: str, path: str, name: str = "", key: str = "", **more: Any) -> httpx.Response:
        """Ask for something, as somebody."""
        headers = {"Idempotency-Key": key or f"key-{next(self._keys):06}", **more.pop("headers", {})}
        if name:
            headers["Authorization"] = f"Bearer {self.session(name)}"
        whole = path if path.startswith(("/api", "/openapi", "/health", "/metrics")) else f"/api{path}"
        return self.client.request(method, whole, headers=headers, **more)

    def do(self, path: str, name: str, body: Any = None, proof: str = "", key: str = "") -> Any:
        """Give a command that must be done, and return the answer."""
        self.session(name)
        form = {**(body or {}), **({"proof": self.proof(proof)} if proof else {})}
        answer = self.ask("POST", path, name, key, json=form or None)
        assert answer.is_success, answer.text
        return answer.json()

    def refused(self, path: str, name: str, body: Any = None, proof: str = "", key: str = "") -> tuple[int, str]:
        """Give a command that must be refused, and return with which status and line."""
        self.session(name)
        form = {**(body or {}), **({"proof": self.proof(proof)} if proof else {})}
        return said(self.ask("POST", path, name, key, json=form or None))

    def read(self, path: str, name: str = "") -> Any:
        """Read something."""
        answer = self.ask("GET", path, name)
        assert answer.is_success, answer.text
        return answer.json()


def counted(web: httpx.Client, path: str, params: Any = None) -> httpx.Response:
    """Ask for a page or a file until a worker has counted what it shows."""
    answer = web.get(path, params=params, timeout=PATIENT_SECONDS)
    while _is_being_counted(answer):
        answer = web.get(path, params=params, timeout=PATIENT_SECONDS)
    return answer


def _is_being_counted(answer: httpx.Response) -> bool:
    """Return whether to ask again: a page says so by 202 or by a trigger, a file that takes long refuses with 429."""
    is_file_late = answer.status_code == 429 and "still counting" in answer.text
    return answer.status_code == 202 or is_file_late or 'hx-trigger="load delay' in answer.text


def choose_coach(web: httpx.Client, when: str) -> None:
    """Have the coach speak to this visitor ``before`` each decision, ``after`` the round, or never: ``off``."""
    web.cookies.set(PREFERENCES_COOKIE, f"system.two.normal.{when}")


def said(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the line of a refusal, which must be a problem and one line."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem = answer.json()
    assert set(problem) == {"type", "title", "status", "detail", "code", "fields"}
    assert problem["status"] == answer.status_code
    assert "\n" not in problem["detail"]
    return answer.status_code, problem["detail"]


@contextmanager
def serving(
    url: str,
    key: Path,
    secrets: dict[str, str],
    patch: pytest.MonkeyPatch,
    limits: RateLimits | None = None,
    *,
    floor: bool = False,
) -> Iterator[Served]:
    """Serve a ledger on this machine, as behind a proxy whose headers are believed; with a ``floor``, pages too."""
    made: list[Served] = []

    def app(address: str) -> FastAPI:
        made.append(Served(url, key, secrets, limits or unlimited(), address, floor=floor))
        patch.setattr(CredentialStore, "_get_seconds", lambda _staff: made[0].seconds)
        return made[0].app

    with answering(app):
        yield made[0]
        made[0].client.close()
    made[0].store.close()


@contextmanager
def answering(app: FastAPI | Callable[[str], ASGIApp], door: ConnectionLimiter | None = None) -> Iterator[str]:
    """Serve an application, or one made for its address, on this machine as behind a proxy that is believed."""
    with listen("127.0.0.1", 0) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = make_config(
            app if isinstance(app, FastAPI) else app(address),
            door or ConnectionLimiter(ConnectionCaps(per_address=1_000)),
            log_level="critical",
            forwarded_allow_ips="*",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()
