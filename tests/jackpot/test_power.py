"""The power is cut at any instant: what was acknowledged is there, nothing half done, and asking again doubles nothing.

The product's own store and controller write to a disk that forgets what was not synced (``ledger.power``).
"""

from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from jackpot.house import EXECUTIVE, settings
from jackpot.tellers import STEPS, step
from ledger import apsw_driver
from ledger.power import LOSSES, Disk, Power
from pitboss.jackpot.controller import Controller
from pitboss.ledger import database, store
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store

URL = "sqlite:///ledger.db"
FOUNDED = 2
TRACE = 2 * STEPS
CUTS_OF_A_TRACE = 250
CHECKPOINT_PAGES = (1_000, 20, 3)

NORMAL, FULL, EXTRA = 1, 2, 3
SAFE = {"wal": FULL, "delete": EXTRA}
"""What the product sets, by journal."""


class House:
    """A progressive on a disk whose power is cut."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.power = Power()
        self.chance = np.random.default_rng(seed)
        self.signer = Signer.load_or_create(folder / "key")
        self.seen: Counter[str] = Counter()
        made = Store.open_or_create(URL)
        Controller(made, self.signer).create(settings(), EXECUTIVE.name)
        made.close()
        self.founded = self.power.disk

    def trace(self) -> tuple[Disk, list[int]]:
        """Play two rounds on a disk, with the process ending in between; return the instants of the answers."""
        disk = self.founded.copied()
        self.power.disk = disk
        ended = int(self.chance.integers(TRACE))
        instants = []
        for steps in (range(ended), range(ended, TRACE)):
            opened = Store(URL)
            controller = Controller(opened, self.signer)
            for number in steps:
                controller.execute(*step(number), f"step-{number:04}")
                instants.append(len(disk.log))
            opened.close()
        return disk, instants

    def cut(self, disk: Disk, instants: list[int], done: int) -> None:
        """Cut the power at any instant, look what is found, ask again; now and then it is cut again meanwhile."""
        instant = int(self.chance.integers(len(disk.log) + 1))
        loss = LOSSES[int(self.chance.integers(len(LOSSES)))]
        done += sum(answered <= instant for answered in instants)
        self.power.disk = found = disk.cut(instant, loss, self.chance)
        self.seen["cuts"] += 1
        try:
            what = self.asked_again(done)
        except LedgerError:
            what = "broken"
        self.seen[what] += 1
        if what == "well" and self.chance.random() < 1 / 4:
            self.cut(found, [len(found.log)], done)

    def asked_again(self, done: int) -> str:
        """Start again, ask for the step that was not answered, and say what was found."""
        opened = Store(URL)
        try:
            controller = Controller(opened, self.signer)
            answers = controller.head.answers
            if answers < done:
                return "lost"
            written = answers > done
            outcome = controller.execute(*step(done), f"step-{done:04}")
            now = controller.verify()
        finally:
            opened.close()
        once = (now.head.answers, now.checked_entries) == (done + 1, FOUNDED + done + 1)
        return "well" if once and outcome.is_repeat == written else "doubled"


def cut_again_and_again(
    folder: Path, journal: str, synchronous: int, cuts: int, seed: int, of_a_trace: int = CUTS_OF_A_TRACE
) -> Counter[str]:
    """Cut the power so often, and count what was found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SQLiteDialect_pysqlite, "import_dbapi", lambda: apsw_driver)
        patch.setattr(store, "make_engine", cache(database.make_engine))  # SQLAlchemy compiles its statements once
        patch.setattr(database, "choose_journal", lambda _version: (journal, synchronous))
        house = House(folder, seed)
        traces = 0
        while house.seen["cuts"] < cuts:
            patch.setattr(apsw_driver, "CHECKPOINT_PAGES", CHECKPOINT_PAGES[traces % len(CHECKPOINT_PAGES)])
            disk, instants = house.trace()
            for _ in range(min(of_a_trace, cuts - house.seen["cuts"])):
                house.cut(disk, instants, 0)
            traces += 1
    return house.seen


@pytest.mark.more
@pytest.mark.parametrize("journal", SAFE)
def test_a_power_cut_loses_nothing_that_was_acknowledged(journal: str, tmp_path: Path) -> None:
    """Fifty cuts for each size of a checkpoint; fewer find what too little syncing loses."""
    seen = cut_again_and_again(tmp_path, journal, SAFE[journal], 150, seed=1, of_a_trace=50)
    assert seen["well"] == seen["cuts"] >= 150, seen


@pytest.mark.more
@pytest.mark.parametrize(("journal", "synchronous"), [("wal", NORMAL), ("delete", FULL)])
def test_with_less_syncing_the_same_cuts_lose_what_was_acknowledged(
    journal: str, synchronous: int, tmp_path: Path
) -> None:
    seen = cut_again_and_again(tmp_path, journal, synchronous, 100, seed=1)
    assert seen["lost"] > 0, seen
    assert seen["lost"] + seen["well"] == seen["cuts"], seen


@pytest.mark.long
@pytest.mark.parametrize("journal", SAFE)
def test_a_hundred_thousand_power_cuts(journal: str, tmp_path: Path) -> None:
    seen = cut_again_and_again(tmp_path, journal, SAFE[journal], 50_000, seed=2)
    assert seen["well"] == seen["cuts"] >= 50_000, seen
