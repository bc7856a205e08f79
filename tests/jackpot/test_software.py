"""Another program than was accepted keeps the tables closed and says why, also after a restart (P15)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pitboss
from jackpot.house import DEALER, EXECUTIVE, OTHER_SUPERVISOR, SUPERVISOR, settings
from ledger.databases import empty_ledger, sqlite
from pitboss.core.version import __version__
from pitboss.jackpot import controller, software_acceptance
from pitboss.jackpot.commands import CloseRound, OpenIncident, OpenRound, SignIncident
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.events import ProgressiveWager
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.software import get_software_id, hash_folder
from pitboss.ledger.store import Store
from refusals import refusal

PACKAGE = Path(pitboss.__file__).parent
SHOW = "from pitboss.cli import main; main()"
OTHER = f"9.9.9 {'f' * 64}"
OPEN = OpenRound(table=1, round=1, wagers=(ProgressiveWager(seat=1, cents=100),))


def ledger(folder: Path) -> tuple[Store, Signer]:
    """Set a progressive up, by the program as it is."""
    store, signer = Store(empty_ledger("sqlite", folder)), Signer.load_or_create(folder / "key")
    Controller(store, signer).create(settings(), EXECUTIVE.name)
    return store, signer


def test_the_digest_goes_by_every_file_and_its_name(tmp_path: Path) -> None:
    (tmp_path / "part" / "__pycache__").mkdir(parents=True)
    (tmp_path / "part" / "a.py").write_text("x = 1\n")
    (tmp_path / "b.toml").write_text("")
    first = hash_folder(tmp_path)
    (tmp_path / "part" / "__pycache__" / "a.pyc").write_bytes(b"compiled")
    assert hash_folder(tmp_path) == first
    seen = {first}
    (tmp_path / "part" / "a.py").write_text("x = 2\n")
    seen.add(hash_folder(tmp_path))
    (tmp_path / "b.toml").rename(tmp_path / "c.toml")
    seen.add(hash_folder(tmp_path))
    (tmp_path / "d.py").write_text("")
    seen.add(hash_folder(tmp_path))
    assert len(seen) == 4


def test_every_entry_says_which_program_wrote_it(tmp_path: Path) -> None:
    store, _ = ledger(tmp_path)
    with store.begin_read() as transaction:
        assert {entry.software for entry in transaction.read_entries()} == {get_software_id()}
    assert get_software_id() == f"{__version__} {hash_folder(PACKAGE)}"
    store.close()


@pytest.mark.more
def test_a_program_that_was_changed_says_so_at_every_start(tmp_path: Path) -> None:
    store, signer = ledger(tmp_path)
    file = str(store.engine.url.database)
    shutil.copytree(PACKAGE, tmp_path / "pitboss", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "pitboss" / "meter.py").open("a", encoding="utf-8") as meter:
        meter.write("# one more line\n")
    surroundings = {**os.environ, "PYTHONPATH": str(tmp_path), "PITBOSS_KEY": str(tmp_path / "key")}
    for _ in range(2):
        finished = subprocess.run(
            [sys.executable, "-c", SHOW, "jackpot", "status", "--ledger", file],
            capture_output=True,
            text=True,
            check=True,
            env=surroundings,
        )
        assert "all tables are closed by incident 1: this is pitboss" in finished.stdout
    right = Controller(store, signer)
    assert list(right.state.incidents) == [1]
    with pytest.raises(RefusalError, check=refusal("table-closed", incident=1, table=1)):
        right.execute(OPEN, DEALER, "key-0001")
    store.close()


def pretend_to_be(patch: pytest.MonkeyPatch, software: str) -> None:
    """Run as another program."""
    for module in (controller, software_acceptance):
        patch.setattr(module, "get_software_id", lambda: software)


def test_another_program_does_nothing_before_two_people_have_accepted_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, signer = ledger(tmp_path)
    right = Controller(store, signer)
    right.execute(OPEN, DEALER, "key-0001")
    right.execute(OpenIncident(table=1, text="sensor broken"), SUPERVISOR, "key-0002")
    pretend_to_be(monkeypatch, OTHER)
    other = Controller(store, signer)
    closed = r"no command is accepted: this is pitboss 9.9.9 ffffffffffff, the accepted .* must close incident 2 first"
    for command, actor in (
        (CloseRound(table=1, round=1), DEALER),
        (SignIncident(incident=1, text="mended"), SUPERVISOR),
    ):
        with pytest.raises(LedgerError, match=closed):
            other.execute(command, actor, "key-0003")
    other.execute(SignIncident(incident=2, text="release 9.9.9"), SUPERVISOR, "key-0004")
    with pytest.raises(ForbiddenError, check=refusal("second-person-needed", incident=2, person="supervisor")):
        other.execute(SignIncident(incident=2, text="release 9.9.9"), SUPERVISOR, "key-0005")
    with pytest.raises(LedgerError, match=closed):
        Controller(store, signer).execute(CloseRound(table=1, round=1), DEALER, "key-0006")
    other.execute(SignIncident(incident=2, text="release 9.9.9"), OTHER_SUPERVISOR, "key-0007")
    other.execute(CloseRound(table=1, round=1), DEALER, "key-0003")  # it was closed, not answered
    assert Controller(store, signer).verify().state.software == OTHER
    monkeypatch.undo()
    with pytest.raises(LedgerError, check=refusal("software-changed", incident=0)):
        right.execute(OpenIncident(text="the old program goes on"), SUPERVISOR, "key-0008")
    store.close()


@pytest.mark.parametrize("signed_before", [False, True])
def test_closing_an_incident_never_accepts_a_program_that_is_not_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, signed_before: bool
) -> None:
    store, signer = ledger(tmp_path)
    accepted = Controller(store, signer).state.software
    with monkeypatch.context() as meanwhile:
        pretend_to_be(meanwhile, OTHER)
        other = Controller(store, signer)
        if signed_before:
            other.execute(SignIncident(incident=1, text="release 9.9.9"), SUPERVISOR, "key-0001")
    back = Controller(store, signer)
    people = (OTHER_SUPERVISOR,) if signed_before else (SUPERVISOR, OTHER_SUPERVISOR)
    for number, person in enumerate(people):
        back.execute(SignIncident(incident=1, text="put back"), person, f"key-1{number:03}")
    again = Controller(store, signer)
    assert (again.verify().state.software, again.state.incidents) == (accepted, {})
    again.execute(OPEN, DEALER, "key-2001")
    with monkeypatch.context() as meanwhile:
        pretend_to_be(meanwhile, OTHER)
        assert list(Controller(store, signer).state.incidents) == [2]
    store.close()


def test_a_ledger_of_before_programs_were_written_down_asks_for_the_first_acceptance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, signer = Store.open_or_create(sqlite(tmp_path)), Signer.load_or_create(tmp_path / "key")
    with monkeypatch.context() as before:
        pretend_to_be(before, "")
        Controller(store, signer).create(settings(), EXECUTIVE.name)
    assert "the accepted version is none yet" in Controller(store, signer).state.incidents[1].text
    store.close()
