"""Backup, restore and migration: a copy taken while rounds are played holds, to the same head, and plays on (T12)."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from jackpot.house import EXECUTIVE, settings
from jackpot.tellers import STEPS, step
from ledger.databases import DATABASES, dumped_and_restored, postgresql
from pitboss.jackpot.controller import Controller
from pitboss.ledger import database, schema
from pitboss.ledger import store as stores
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store

MIGRATIONS = str(Path(stores.__file__).parent / "migrations")
PAGES_AT_ONCE = 8


@pytest.mark.parametrize("since", [(0,), (99,)], ids=["wal", "delete"])
def test_a_copy_taken_during_rounds_holds_to_the_same_head_and_plays_on(
    since: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAL_SINCE", since)
    file, copied = tmp_path / "ledger.db", tmp_path / "copy.db"
    store, signer = Store.open_or_create(f"sqlite:///{file}"), Signer.load_or_create(tmp_path / "key")
    controller = Controller(store, signer)
    controller.create(settings(), EXECUTIVE.name)
    played = 0

    def a_step_is_played(_status: int, _left: int, _pages: int) -> None:
        nonlocal played
        if played < 2 * STEPS:
            controller.execute(*step(played), f"step-{played:04}")
            played += 1

    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copied)) as target:
        source.backup(target, pages=PAGES_AT_ONCE, progress=a_step_is_played)
    assert played > 1
    restored = Store(f"sqlite:///{copied}")
    again = Controller(restored, signer)
    head = again.verify().head
    controller.verify(head)
    assert head.answers == played
    outcome = again.execute(*step(played - 1), f"step-{played - 1:04}")
    assert outcome.is_repeat
    again.execute(*step(played), f"step-{played:04}")
    controller.execute(*step(played), f"step-{played:04}")
    assert again.verify().state == controller.verify().state
    for each in (store, restored):
        each.close()


@pytest.mark.more
def test_a_dump_of_postgresql_is_restored_with_its_guards_and_the_same_head(tmp_path: Path) -> None:
    store, signer = Store.open_or_create(postgresql(tmp_path)), Signer.load_or_create(tmp_path / "key")
    controller = Controller(store, signer)
    controller.create(settings(), EXECUTIVE.name)
    for number in range(STEPS):
        controller.execute(*step(number), f"step-{number:04}")
    restored = Store(dumped_and_restored(tmp_path))  # which looks for every guard
    again = Controller(restored, signer)
    assert again.verify().head == controller.verify().head
    again.execute(*step(STEPS), f"step-{STEPS:04}")
    for each in (store, restored):
        each.close()


REVISIONS = [script.revision for script in ScriptDirectory(MIGRATIONS).walk_revisions()]


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("name", DATABASES)
def test_a_ledger_of_every_older_version_is_brought_up_to_date(name: str, revision: str, tmp_path: Path) -> None:
    url = DATABASES[name](tmp_path)
    engine = database.make_engine(url)
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    store = Store.open_or_create(url)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    store.close()
