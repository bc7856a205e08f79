"""A server, or its PostgreSQL, that is killed at any instant loses and doubles nothing: each request has one answer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from web.killing import ANSWERS

TESTS = Path(__file__).parents[1]
VICTIMS = [("server", "sqlite"), ("server", "postgresql"), ("database", "postgresql")]
"""What is killed; an SQLite database has no process but the server's."""

LEDGERS, KILLS = 4, 250


def killed(victim: tuple[str, str], folder: Path, kills: int, seed: int) -> None:
    """Kill the victim again and again, and check what comes of it."""
    folder.mkdir()
    command = [sys.executable, str(TESTS / "web" / "killing.py"), *victim, str(folder), str(kills), str(seed)]
    paths = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths}
    finished = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert finished.returncode == 0, finished.stderr[-2_000:]
    found = json.loads(finished.stdout)
    assert found["answered"] >= kills * (ANSWERS + 1)
    if victim[0] == "server" and kills >= KILLS:
        assert found["unheard"]  # some kills fell between a commit and its answer
    sys.stdout.write(f"{victim} {found}\n")
    wrong = {name: count for name, count in found.items() if name not in {"answered", "unheard"} and count}
    assert wrong == {}


@pytest.mark.more
@pytest.mark.parametrize(
    "victim",
    [VICTIMS[0], *(pytest.param(victim, marks=pytest.mark.long) for victim in VICTIMS[1:])],
    ids="-".join,
)
def test_requests_killed_at_any_instant_have_one_answer(victim: tuple[str, str], tmp_path: Path) -> None:
    killed(victim, tmp_path / "ledger", 3, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("victim", VICTIMS, ids="-".join)
def test_a_thousand_kills_of_server_and_database(victim: tuple[str, str], tmp_path: Path) -> None:
    for seed in range(LEDGERS):
        killed(victim, tmp_path / str(seed), KILLS, seed)
