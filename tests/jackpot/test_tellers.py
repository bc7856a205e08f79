"""Processes that are killed at random instants lose and double nothing; processes at once add up exactly."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.databases import DATABASES, postgresql

TESTS = Path(__file__).parents[1]
SEED_UNITS = 1_000_000 * 10_000


def tellers(what: str, url: str, folder: Path, much: int, seed: int = 1) -> dict[str, int]:
    """Run ``tellers.py`` in a process of its own."""
    command = [
        sys.executable,
        str(TESTS / "jackpot" / "tellers.py"),
        what,
        url,
        str(folder / "key"),
        str(much),
        str(seed),
    ]
    paths = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    finished = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths}
    )
    assert finished.returncode == 0, finished.stderr
    answer: dict[str, int] = json.loads(finished.stdout)
    return answer


def nothing_was_lost(answer: dict[str, int], kills: int) -> None:
    """Check what the killed have left."""
    assert (answer["lost"], answer["doubled"], answer["in_count_wrong"]) == (0, 0, 0)
    assert answer["done"] >= kills


@pytest.mark.more
@pytest.mark.parametrize("database", DATABASES)
def test_a_process_killed_at_any_instant_loses_and_doubles_nothing(database: str, tmp_path: Path) -> None:
    nothing_was_lost(tellers("killed", DATABASES[database](tmp_path), tmp_path, 12), 12)


@pytest.mark.long
@pytest.mark.parametrize("database", DATABASES)
def test_two_thousand_kills(database: str, tmp_path: Path) -> None:
    nothing_was_lost(tellers("killed", DATABASES[database](tmp_path), tmp_path, 2_000, seed=2), 2_000)


def all_adds_up(answer: dict[str, int], bets: int) -> None:
    """Check the meter after so many bets of a dollar."""
    assert answer["crews_done"] == 4
    assert answer["bets"] == bets
    assert answer["meter_units"] == SEED_UNITS + bets * 140_000
    assert answer["reserve_units"] == bets * 20_000


@pytest.mark.more
def test_a_hundred_tables_at_once_add_up_exactly(tmp_path: Path) -> None:
    all_adds_up(tellers("at-once", postgresql(tmp_path), tmp_path, 2_400), 2_400)


@pytest.mark.long
@pytest.mark.parametrize("database", DATABASES)
def test_a_hundred_thousand_bets_at_a_hundred_tables_add_up_exactly(database: str, tmp_path: Path) -> None:
    all_adds_up(tellers("at-once", DATABASES[database](tmp_path), tmp_path, 102_000), 102_000)
