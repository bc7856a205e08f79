"""``pitboss serve``: a real process that serves and ends, and what keeps it from starting, in one line."""

import os
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest

from pitboss.cli.app import run
from pitboss.cli.serve import _is_local
from pitboss.core.extras import write_install_hint
from waiting import PATIENT_SECONDS, wait_until
from web.served import cheaply, copied


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a ledger with people, whose key is named."""
    cheaply(monkeypatch)
    url, key, _ = copied(tmp_path)
    monkeypatch.setenv("PITBOSS_KEY", str(key))
    monkeypatch.setenv("PITBOSS_LEDGER", url)
    monkeypatch.setenv("PITBOSS_DATABASE", str(tmp_path / "tables.db"))
    return url


def refusal(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Return the one line with which a command is refused."""
    assert run(["serve", *map(str, words)]) == 2
    written = capsys.readouterr()
    assert (written.out, written.err.count("\n")) == ("", 1)
    return written.err


def started(*words: str) -> "subprocess.Popen[str]":
    """Begin to serve, in a process of its own."""
    command = [sys.executable, "-m", "pitboss", "serve", "--port", "0", "--no-prepare", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.more
def test_it_serves_until_it_is_told_to_end(ledger: str) -> None:
    with started() as process:
        assert process.stdout
        first, second, third = (process.stdout.readline() for _ in range(3))
        address = re.match(r"Play at (http://127\.0\.0\.1:\d+)/", first)
        assert address
        assert second.startswith(f"The progressive: {address[1]}/progressive")
        assert third.startswith("plain HTTP, for this machine only")
        answer = httpx.get(f"{address[1]}/api/display", timeout=PATIENT_SECONDS, trust_env=False)
        assert answer.json()["display_cents"] == 1_000_000
        assert "Six Card Poker" in httpx.get(f"{address[1]}/", timeout=PATIENT_SECONDS, trust_env=False).text
        assert "Server" not in answer.headers
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENT_SECONDS)
    assert (process.returncode in {0, -signal.SIGINT, 130}, errors) == (True, "")
    assert os.environ["PITBOSS_LEDGER"] == ledger


@pytest.mark.more
@pytest.mark.parametrize(("words", "address"), [((), "127.0.0.1"), (("--proxy", "127.0.0.1"), "203.0.113.9")])
def test_only_a_proxy_that_was_named_is_believed_and_the_log_tells_the_time_with_its_zone(
    words: tuple[str, ...], address: str, ledger: str
) -> None:
    with started(*words) as process:
        assert process.stdout
        base = process.stdout.readline().split()[2].rstrip("/")
        headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "Host": "casino.example"}
        answer = httpx.get(f"{base}/nowhere", headers=headers, timeout=PATIENT_SECONDS, trust_env=False)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENT_SECONDS)
    assert ("Strict-Transport-Security" in answer.headers) == bool(words)
    assert re.match(
        rf"\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{{4}} pitboss\.web GET '/nowhere': 404 to nobody at {address}: ",
        errors,
    )
    assert ledger


def list_children(process: int) -> list[int]:
    """Return the processes that a process started."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((path / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            if parent == process:
                found.append(int(path.name))
    return found


def list_workers(server: int) -> list[int]:
    """Return the processes that count for a server: those that its fork server forked."""
    return [worker for child in list_children(server) for worker in list_children(child)]


@pytest.mark.more
@pytest.mark.parametrize("prepares", [True, False])
def test_a_server_gets_the_coach_ready_unless_told_not_to(ledger: str, *, prepares: bool) -> None:
    with started(*(["--prepare"] if prepares else [])) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("Play at http")
        wait_until(lambda: bool(list_workers(process.pid)) or not prepares)
        assert bool(list_children(process.pid)) == prepares
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENT_SECONDS)
    assert errors == ""
    assert ledger


@pytest.mark.more
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_is_being_counted_holds_up_no_end_and_outlives_none(
    kind: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_DATABASE", str(tmp_path / "tables.db"))
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "cache"))  # where nothing is kept, so that it takes long
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "pitboss", "serve", "--port", "0", "--no-prepare"]
    with (
        ThreadPoolExecutor(1) as asking,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as process,
    ):
        assert process.stdout
        address = process.stdout.readline().split()[2].rstrip("/")
        sheet = asking.submit(httpx.get, f"{address}/par/sheet?game=wild-52", timeout=PATIENT_SECONDS, trust_env=False)
        while not (workers := list_workers(process.pid)):
            sleep(0.05)
        if kind == signal.SIGINT:
            os.killpg(process.pid, kind)  # as a terminal does: every process of the group gets it
        else:
            process.send_signal(kind)
        _, errors = process.communicate(timeout=PATIENT_SECONDS)
        sheet.exception()
    assert "Traceback" not in errors
    for pid in workers:
        while Path(f"/proc/{pid}").exists() and "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text():
            sleep(0.05)


def test_a_port_that_is_taken_is_named(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert refusal(capsys, "--port", port) == (
            f"pitboss: cannot listen at 127.0.0.1:{port} (Address already in use): choose another --host or --port\n"
        )
    assert ledger


@pytest.mark.more
def test_a_ledger_that_is_missing_says_how_to_begin(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert refusal(capsys, "--ledger", tmp_path / "none.db") == (
        f"pitboss: there is no ledger {tmp_path / 'none.db'}: "
        "create it with pitboss jackpot init, restore a backup with pitboss jackpot "
        "restore, or name another with --ledger\n"
    )


def test_an_extra_that_is_missing_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert refusal(capsys) == f"pitboss: uvicorn is not installed: {write_install_hint('web')}\n"


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("192.0.2.1", False), ("casino", False)],
)
def test_an_address_is_of_this_machine_or_not(host: str, local: Any) -> None:
    assert _is_local(host) is local


@pytest.mark.parametrize("option", ["--proxy", "--house"])
def test_a_bad_address_is_refused_with_its_option(option: str, ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "--port", "0", "--no-prepare", option, "foo")
    assert f"{option} 'foo' is not an IP address or network" in said
    assert os.environ["PITBOSS_LEDGER"] == ledger
