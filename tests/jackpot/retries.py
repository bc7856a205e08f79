"""A day's commands, each sent again byte for byte; run as a script it kills their processes first, and answers in JSON.

It forks: so it must have no threads of its own, and what it imports is imported once.
"""

import json
import os
import re
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyotp
import pytest
import typer
from argon2 import PasswordHasher

from jackpot.house import appointed, settings
from pitboss.cli import jackpot as commands
from pitboss.cli.app import run
from pitboss.jackpot import passwords
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.passwords import CODE_SECONDS, hash_first_code
from pitboss.jackpot.proof_checks import ProofChecker
from pitboss.jackpot.roles import Role
from pitboss.ledger import schema
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store

CHOSEN = "correct horse battery"
FIRST_CODE = "nine herons over the lake"
PEOPLE = {
    "eve": Role.EXECUTIVE,
    "max": Role.EXECUTIVE,
    "sue": Role.SUPERVISOR,
    "dora": Role.DEALER,
    "abe": Role.AUDITOR,
}


class Sent(NamedTuple):
    """A command line as somebody sends it; ``refused`` if it must be."""

    words: str
    name: str
    refused: bool = False


SPREAD = 2.5
"""Kills fall within so many times what a command took on the calm day: a busy machine or database is slower."""

DAY = (
    Sent("open 1 --seats 1,3 --wager 6=1.00", "dora"),
    Sent("hit 1 6 flush", "dora"),
    Sent("cancel 1", "dora"),
    Sent("cancel 1", "dora", refused=True),
    Sent("hit 1 3 straight-flush", "dora"),
    Sent("confirm 2", "dora", refused=True),
    Sent("confirm 2", "sue"),
    Sent("pay 2", "dora"),
    Sent("reprint 2", "sue"),
    Sent("close 1", "dora"),
    Sent("open 2 --seats 9", "dora", refused=True),
    Sent("reconcile --posted 10100", "sue"),
    Sent("incident close 1 --text resolved", "sue"),
    Sent("incident close 1 --text resolved", "eve"),
    Sent("incident open --table 2 --text broken", "sue"),
    Sent("adjust meter --up 25 --reason house-funds --text promotion", "sue"),
    Sent("approve 4", "eve"),
    Sent("configure --set words=display --text agreed", "sue"),
    Sent("approve 5 --decline later", "eve"),
    Sent("configure --set meter_bps=2000 --text agreed", "eve"),
    Sent("approve 6", "max"),
    Sent("open 1 --seats 3", "dora"),
    Sent("hit 1 3 flush", "dora"),
    Sent("confirm 3", "sue"),
    Sent("back-out 3 --text misread", "sue"),
    Sent("approve 7", "eve"),
    Sent("close 1", "dora"),
    Sent("staff add ann dealer", "eve", refused=True),
    Sent("staff add ann dealer", "sue"),
    Sent("approve 8", "sue", refused=True),
    Sent("approve 8", "eve"),
    Sent("staff reset ann", "sue"),
    Sent("approve 9", "max"),
    Sent("staff add ann supervisor", "sue"),
    Sent("approve 10", "eve"),
    Sent("staff end ann", "sue"),
    Sent("approve 11", "max"),
    Sent("staff reset ann", "sue", refused=True),
    Sent("staff add zoe executive", "eve"),
    Sent("approve 12", "max"),
)
"""Commands in an order in which the ledger takes them; the requests before are those of ``PEOPLE``."""


def list_keyed_commands() -> set[str]:
    """Return every command of ``pitboss jackpot`` that takes a key, as it is typed."""
    return set(_iter_keyed(typer.main.get_command(commands.app), ()))


def _iter_keyed(command: Any, words: tuple[str, ...]) -> Iterator[str]:
    if any(parameter.name == "key" for parameter in command.params):
        yield " ".join(words)
    for name, each in getattr(command, "commands", {}).items():
        yield from _iter_keyed(each, (*words, name))


class Floor:
    """A ledger with its people, used by command lines as of a clock that is moved by hand."""

    def __init__(self, url: str, folder: Path) -> None:
        """Set the progressive up."""
        self.url, self.key = url, folder / "key"
        self.seconds = 1_800_000_000
        patch = pytest.MonkeyPatch()
        patch.setattr(passwords, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr(ProofChecker, "_get_seconds", lambda _staff: self.seconds)
        os.environ |= {"PITBOSS_LEDGER": url, "PITBOSS_KEY": str(self.key), "PITBOSS_PASSWORD": CHOSEN}
        store = Store.open_or_create(url)
        controller = Controller(store, Signer.load_or_create(self.key))
        first = {name: FIRST_CODE for name, role in PEOPLE.items() if role is Role.EXECUTIVE}
        controller.create(settings(tables=2), {name: hash_first_code(name, code) for name, code in first.items()})
        staff, self.secrets = CredentialStore(controller), dict[str, str]()
        for name, role in PEOPLE.items():
            code = first.get(name) or appointed(controller, name, role)
            self.secrets[name] = staff.enrol(name, code, CHOSEN).totp
        store.close()

    def code(self, name: str) -> str:
        """Return somebody's code of the moment."""
        secret = self.secrets[name]
        return pyotp.TOTP(secret).at(self.seconds) if secret else ""

    def send(self, sent: Sent, key: str, code: str) -> tuple[int, str, str]:
        """Send a command line; return its status and what it printed, without the mark of a repeat."""
        os.environ["PITBOSS_CODE"] = code
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = run(["jackpot", *sent.words.split(), "--as", sent.name, "--key", key, "--json"])
        return status, out.getvalue().replace('"repeated": true', '"repeated": false'), err.getvalue()

    def read(self) -> tuple[tuple[Any, ...], int]:
        """Check the whole ledger; return its head, and how many attempts failed."""
        store = Store(self.url)
        head = Controller(store, Signer(self.key)).verify().head
        with store.begin_read() as transaction:
            failed = len(transaction.connection.execute(schema.attempt.select()).all())
        store.close()
        return tuple(head), failed


CHANCE = re.compile(r'"(?:at|salt|credential|half_code)": (?:\d+|"[^"]*")|printed \S+ \S+ UTC')
"""What two days do not share: times, and secrets drawn for each request."""


def without_chance(answer: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return an answer without what two days do not share."""
    status, out, err = answer
    return status, CHANCE.sub("", out), err


def killed_and_sent_again(url: str, folder: Path, kills: int, seed: int) -> dict[str, int]:
    """Send a day's commands, each from processes killed at random instants and then until it is answered.

    Return how many answers differ from those of a day without kills, and how many attempts were counted as failed.
    """
    chance = np.random.default_rng(seed)
    calm = Floor(f"sqlite:///{folder / 'calm.db'}", Path(tempfile.mkdtemp(dir=folder)))
    floor_key = calm.key
    expected, took = [], []
    for number, sent in enumerate(DAY):
        calm.seconds += CODE_SECONDS
        began = time.monotonic()
        expected.append(calm.send(sent, f"command-{number:03}", calm.code(sent.name)))
        took.append(time.monotonic() - began)
    calm_head, _ = calm.read()
    shutil.copy(floor_key, folder / "key")  # the same key, so that tokens are the same
    floor = Floor(url, folder)
    different = done_before = 0
    for number, sent in enumerate(DAY):
        floor.seconds += CODE_SECONDS
        code, key = floor.code(sent.name), f"command-{number:03}"
        for _ in range(kills):
            process = os.fork()
            if not process:
                floor.send(sent, key, code)
                os._exit(0)
            select.select([], [], [], chance.uniform(0, SPREAD * took[number]))
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        store = Store(url)
        with store.begin_read() as transaction:
            done_before += transaction.find_answer(key) is not None
        store.close()
        floor.seconds += int(chance.integers(2)) * CODE_SECONDS
        answer = floor.send(sent, key, code)
        different += without_chance(answer) != without_chance(expected[number])
        different += floor.send(sent, key, code) != answer
    head, failed = floor.read()
    later = [floor.send(sent, f"command-{number:03}", "") for number, sent in enumerate(DAY) if sent.name == "dora"]
    of_dora = [each for each, sent in zip(expected, DAY, strict=True) if sent.name == "dora"]
    different += list(map(without_chance, later)) != list(map(without_chance, of_dora))
    return {
        "commands": len(DAY),
        "kills": kills * len(DAY),
        "done_before": done_before,
        "different": different,
        "failed": failed,
        "entries_more": head[0] - calm_head[0],
        "answers_more": head[2] - calm_head[2],
    }


if __name__ == "__main__":
    given_url, given_folder, much, given_seed = sys.argv[1:]
    sys.stdout.write(json.dumps(killed_and_sent_again(given_url, Path(given_folder), int(much), int(given_seed))))
