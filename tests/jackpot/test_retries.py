"""Commands of the command line that are sent again byte for byte: first answers, and no failed proof that was none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jackpot.retries import CHOSEN, DAY, Floor, list_keyed_commands
from ledger.databases import DATABASES
from pitboss.jackpot import passwords
from pitboss.jackpot.passwords import CODE_SECONDS
from pitboss.jackpot.proof_checks import ProofChecker

TESTS = Path(__file__).parents[1]


@pytest.fixture(params=DATABASES)
def floor(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Floor:
    """A ledger with its people."""
    monkeypatch.setattr(passwords, "HASHER", passwords.HASHER)
    monkeypatch.setattr(ProofChecker, "_get_seconds", vars(ProofChecker)["_get_seconds"])
    for name in ("PITBOSS_LEDGER", "PITBOSS_KEY", "PITBOSS_PASSWORD", "PITBOSS_CODE"):
        monkeypatch.setenv(name, "")
    return Floor(DATABASES[request.param](tmp_path), tmp_path)


def test_every_command_with_a_key_is_among_those_of_the_day() -> None:
    keyed = list_keyed_commands()
    assert {"open", "confirm", "staff add", "staff reset", "staff end"} < keyed
    assert {next(each for each in keyed if f"{sent.words} ".startswith(f"{each} ")) for sent in DAY} == keyed


@pytest.mark.more
@pytest.mark.parametrize("floor", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True)
def test_a_command_sent_again_at_once_or_at_the_end_of_the_day_gets_its_first_answer(floor: Floor) -> None:
    answers, codes = [], []
    for number, sent in enumerate(DAY):
        floor.seconds += CODE_SECONDS
        codes.append(floor.code(sent.name))
        first = floor.send(sent, f"command-{number:03}", codes[-1])
        assert first[0] == (2 if sent.refused else 0), (sent, first)
        head, _ = floor.read()
        assert floor.send(sent, f"command-{number:03}", codes[-1]) == first
        assert floor.read() == (head, 0)
        answers.append(first)
    floor.seconds += 8 * 3600
    again = [floor.send(sent, f"command-{number:03}", codes[number]) for number, sent in enumerate(DAY)]
    assert again == answers
    assert floor.read() == (head, 0)


@pytest.mark.more
def test_no_answer_is_read_without_the_proof_that_belongs_to_it(floor: Floor) -> None:
    sent = next(sent for sent in DAY if sent.name == "sue" and sent.words.startswith("reconcile"))
    code = floor.code("sue")
    first = floor.send(sent, "command-000", code)
    assert first[0] == 0
    floor.seconds += 3600
    wrong = (2, "", "pitboss: name, password or code is wrong\n")
    assert floor.send(sent, "command-000", "000000") == wrong
    assert floor.send(sent._replace(name="max"), "command-000", code) == wrong
    os.environ |= {"PITBOSS_PASSWORD": "another horse battery"}
    assert floor.send(sent, "command-000", code) == wrong
    assert floor.read()[1] == 3
    os.environ |= {"PITBOSS_PASSWORD": CHOSEN}
    assert floor.send(sent, "command-000", code) == first
    assert floor.send(sent, "command-000", floor.code("sue")) == first  # or with a new code
    status, _, line = floor.send(sent._replace(name="dora"), "command-000", "")
    assert (status, "was used for another command" in line) == (2, True)


def killed(database: str, folder: Path, kills: int, seed: int) -> None:
    """Kill each command of a day so often, and check what comes of it."""
    command = [sys.executable, str(TESTS / "jackpot" / "retries.py"), DATABASES[database](folder), str(folder)]
    paths = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    finished = subprocess.run(
        [*command, str(kills), str(seed)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert finished.returncode == 0, finished.stderr
    found = json.loads(finished.stdout)
    assert (found["different"], found["failed"], found["entries_more"], found["answers_more"]) == (0, 0, 0, 0)
    assert 0 < found["done_before"] <= found["commands"]
    assert found["kills"] == kills * len(DAY)


@pytest.mark.long
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_commands_killed_at_any_instant_and_sent_again_get_the_answers_of_a_calm_day(
    database: str, tmp_path: Path
) -> None:
    killed(database, tmp_path, 1, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("database", DATABASES)
def test_a_thousand_killed_commands(database: str, tmp_path: Path) -> None:
    killed(database, tmp_path, 35, seed=2)
