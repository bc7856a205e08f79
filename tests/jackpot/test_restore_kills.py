"""A restoration that is killed anywhere leaves no ledger that opens as if it were whole, on SQLite and PostgreSQL."""

import os
import signal
import warnings
from collections.abc import Callable
from itertools import count
from pathlib import Path
from shutil import copytree
from unittest.mock import patch

import pytest
import sqlalchemy as sa

from jackpot.house import DEALER, EXECUTIVE, settings
from jackpot.tellers import STEPS, step
from ledger.databases import DATABASES, sqlite
from pitboss.jackpot.backup import restore_backup, write_backup
from pitboss.jackpot.commands import OpenRound
from pitboss.jackpot.controller import Controller, get_utc_now
from pitboss.jackpot.errors import RefusalError
from pitboss.ledger import copying
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

PAGE_ENTRIES = 6
EACH_OF_LAST = 12


def run_in_child(work: Callable[[], object]) -> int:
    """Run some work in a process of its own; return the signal that ended it, 0 if none did."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks: the child runs one thread
        child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def kill_at(moment: int, counted: Path) -> None:
    """Kill this process at the moment that a file gets its name, or a transaction begins or commits."""
    moments = count(1)
    replace = Path.replace

    def pass_moment(*_: object) -> None:
        number = next(moments)
        counted.write_text(str(number))
        if number == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def replaced(path: Path, target: Path) -> Path:
        pass_moment()
        done = replace(path, target)
        pass_moment()
        return done

    patch.object(Path, "replace", replaced).start()  # in a process that ends
    for name in ("begin", "commit"):
        sa.event.listen(sa.Engine, name, pass_moment)


def is_closed_or_absent(url: str, signer: Signer) -> bool:
    """Return whether no table of a ledger can be opened; False if there is a whole one that waits for two people."""
    database = sa.make_url(url).database or ""
    if url.startswith("sqlite") and not Path(database).exists():
        return True
    try:
        store = Store(url)
    except LedgerError:
        return True
    try:
        controller = Controller(store, signer)
    except LedgerError:
        return True
    else:
        if not controller.state.entries:
            return True
        (incident,) = controller.state.incidents
        with pytest.raises(RefusalError, check=refusal("table-closed", incident=incident)):
            controller.execute(OpenRound(table=1, seats=(1,)), DEALER, "open-0001")
        controller.verify()
        return False
    finally:
        store.close()


@pytest.mark.more
@pytest.mark.parametrize("every_earlier", [21, pytest.param(7, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", DATABASES)
def test_a_killed_restoration_never_leaves_a_ledger_that_opens_as_if_whole(
    name: str, every_earlier: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE_ENTRIES", PAGE_ENTRIES)
    store, signer = Store.open_or_create(sqlite(tmp_path)), Signer.load_or_create(tmp_path / "key")
    controller = Controller(store, signer)
    controller.create(settings(), EXECUTIVE.name)
    for number in range(STEPS + 2):
        controller.execute(*step(number), f"step-{number:04}")
    (tmp_path / "backups").mkdir()
    write_backup(store, signer, tmp_path / "backups" / "backup.db", get_utc_now())
    store.close()

    def restore(moment: int) -> tuple[str, int]:
        """Restore, to be killed at a moment; return the database and the signal."""
        folder = tmp_path / f"moment{moment}"
        copytree(tmp_path / "backups", folder)
        url = DATABASES[name](folder)

        def work() -> None:
            kill_at(moment, tmp_path / "moments")
            restore_backup(folder / "backup.db", url, signer)

        return url, run_in_child(work)

    url, ended_by = restore(0)
    assert (ended_by, is_closed_or_absent(url, signer)) == (0, False)
    last = int((tmp_path / "moments").read_text())
    late = range(last - EACH_OF_LAST, last + 1)
    outcomes = []
    for moment in (*range(1, late.start, every_earlier), *late):
        url, ended_by = restore(moment)
        assert ended_by == signal.SIGKILL
        outcomes.append(is_closed_or_absent(url, signer))
    assert outcomes == sorted(outcomes, reverse=True)  # absent or closed, then whole
    assert (outcomes[0], outcomes[-1]) == (True, False)
    left = [path.name for path in tmp_path.glob("moment*/ledger*.db.restoring-*")]
    assert bool(left) == (name == "sqlite")
