"""Backups taken while rounds are played, their restoration, anchors and upgrades."""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import copy

import pytest
import sqlalchemy as sa

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR, settings
from jackpot.tellers import STEPS, step
from jackpot.test_released import RELEASED
from ledger.databases import DATABASES, empty_ledger, sqlite
from pitboss.jackpot.anchors import anchor_head, read_anchors, read_last_anchor, verify_anchors
from pitboss.jackpot.backup import get_manifest_path, restore_backup, write_backup
from pitboss.jackpot.commands import (
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenIncident,
    OpenRound,
    PayAward,
    ReprintWinPage,
    RequestAdjustment,
    SignIncident,
)
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.entry_shares import EntryShare
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import (
    Adjustment,
    ChangeRequested,
    HitEntered,
    IncidentOpened,
    OwedAward,
    ProgressiveEvent,
    RoundOpened,
)
from pitboss.jackpot.key_changes import revoke_keys, rotate_keys
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger import copying, schema
from pitboss.ledger.chain import LedgerHead
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer, sign_head
from pitboss.ledger.store import Store, Transaction
from pitboss.ledger.upgrade import fingerprint_record, upgrade_ledger
from refusals import refusal

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LATER = datetime(2026, 11, 22, 12, tzinfo=UTC)


class Played:
    """A ledger with some steps of rounds."""

    def __init__(self, url: str, folder: Path, steps: int) -> None:
        self.url, self.folder = url, folder
        self.store, self.signer = Store(url), Signer.load_or_create(folder / "key")
        self.controller = Controller(self.store, self.signer)
        self.controller.create(settings(), EXECUTIVE.name)
        self.steps = 0
        self.play(steps)

    def play(self, steps: int) -> None:
        """Play on."""
        for _ in range(steps):
            self.controller.execute(*step(self.steps), f"step-{self.steps:04}")
            self.steps += 1


@pytest.fixture(params=DATABASES)
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Played]:
    made = Played(empty_ledger(request.param, tmp_path), tmp_path, 3 * STEPS)
    yield made
    made.store.close()


def read_tables(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table of a ledger."""
    with store.begin_read() as transaction:
        return {
            table.name: sorted(tuple(row) for row in transaction.connection.execute(sa.select(table)))
            for table in schema.metadata.sorted_tables
        }


@pytest.mark.more
@pytest.mark.parametrize("target", DATABASES)
def test_a_backup_is_restored_in_either_database_to_the_same_rows(
    target: str, played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE_ENTRIES", 4)
    path = tmp_path / "backup.db"
    made = write_backup(played.store, played.signer, path, NOW)
    rows = read_tables(played.store)
    assert (made.head, path.stat().st_mode & 0o777) == (played.controller.verify().head, 0o600)
    played.store.close()
    url = DATABASES[target](tmp_path)
    done = restore_backup(path, url, played.signer)
    store = Store(url)
    after = read_tables(store)
    controller = Controller(store, played.signer)
    controller.verify(made.head)
    assert done.lost_entries == 0
    for name in ("answer", "contribution", "checkpoint", "balance"):
        assert after[name] == rows[name]
    for name in ("entry", "posting"):
        assert after[name][: len(rows[name])] == rows[name]
    assert controller.head.sequence == made.head.sequence + 1  # the incident
    with pytest.raises(RefusalError, check=refusal("table-closed", incident=done.incident)):
        controller.execute(*step(played.steps), "next-0001")
    for number, actor in enumerate((SUPERVISOR, EXECUTIVE)):
        controller.execute(SignIncident(incident=done.incident, text="restored"), actor, f"sign-{number:04}")
    controller.execute(OpenRound(table=1, seats=(2, 5)), DEALER, "next-0002")
    assert controller.execute(*step(2), "step-0002").is_repeat
    store.close()


@pytest.mark.more
def test_a_backup_taken_while_rounds_are_played_is_the_ledger_of_one_moment(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE_ENTRIES", 2)
    pages = 0
    write_page = copying.write_page

    def written(transaction: Transaction, page: dict[str, copying.Rows], copied: LedgerHead) -> LedgerHead:
        nonlocal pages
        pages += 1
        played.play(1)  # another writer, between two pages
        return write_page(transaction, page, copied)

    monkeypatch.setattr(copying, "write_page", written)
    made = write_backup(played.store, played.signer, tmp_path / "backup.db", NOW)
    assert pages > STEPS
    assert made.head.sequence < played.controller.head.sequence
    played.controller.verify(made.head)
    done = restore_backup(tmp_path / "backup.db", sqlite(tmp_path), played.signer)
    assert done.backup.head == made.head


def test_nobody_waits_while_a_backup_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the rollback journal a reader keeps writers waiting: none reads while the copy is written or verified."""
    played = Played(empty_ledger("sqlite", tmp_path), tmp_path, STEPS)
    write_page = copying.write_page

    def written(transaction: Transaction, page: dict[str, copying.Rows], copied: LedgerHead) -> LedgerHead:
        with closing(sqlite3.connect(played.store.engine.url.database or "", timeout=0)) as other:
            other.execute("BEGIN EXCLUSIVE")
        return write_page(transaction, page, copied)

    monkeypatch.setattr(copying, "write_page", written)
    write_backup(played.store, played.signer, tmp_path / "backup.db", NOW)
    played.store.close()


def test_a_backup_that_was_altered_is_not_restored(tmp_path: Path) -> None:
    played = Played(empty_ledger("sqlite", tmp_path), tmp_path, STEPS)
    path = tmp_path / "backup.db"
    write_backup(played.store, played.signer, path, NOW)
    whole, manifest = path.read_bytes(), get_manifest_path(path).read_text()
    path.write_bytes(whole[:-1] + b"x")
    with pytest.raises(LedgerError, check=refusal("backup-changed")):
        restore_backup(path, sqlite(tmp_path), played.signer)
    path.write_bytes(whole)
    get_manifest_path(path).write_text(manifest.replace('"sequence": 7', '"sequence": 6'))
    with pytest.raises(LedgerError, check=refusal("backup-not-signed")):
        restore_backup(path, sqlite(tmp_path), played.signer)
    get_manifest_path(path).write_text(manifest)
    with pytest.raises(LedgerError, check=refusal("backup-not-signed")):
        restore_backup(path, sqlite(tmp_path), Signer.load_or_create(tmp_path / "other"))
    with pytest.raises(LedgerError, check=refusal("file-exists")):
        write_backup(played.store, played.signer, path, NOW)
    with pytest.raises(LedgerError, check=refusal("ledger-exists")):
        restore_backup(path, played.url, played.signer)
    get_manifest_path(path).unlink()
    with pytest.raises(LedgerError, check=refusal("invalid-backup")):
        restore_backup(path, sqlite(tmp_path), played.signer)
    assert played.controller.verify().head.sequence == STEPS + 2
    played.store.close()


def test_a_ledger_that_does_not_hold_is_not_backed_up(tmp_path: Path) -> None:
    played = Played(empty_ledger("sqlite", tmp_path), tmp_path, STEPS)
    with closing(sqlite3.connect(played.store.engine.url.database or "")) as database:
        database.executescript("DROP TRIGGER entry_no_update; UPDATE entry SET actor = 'nobody' WHERE sequence = 4")
    with pytest.raises(LedgerError, check=refusal("chain-broken")):
        write_backup(played.store, played.signer, tmp_path / "backup.db", NOW)
    assert not (tmp_path / "backup.db").exists()
    played.store.close()


def test_anchors_say_what_an_older_backup_lacks(played: Played, tmp_path: Path) -> None:
    path, anchors = tmp_path / "backup.db", tmp_path / "anchors"
    anchor_head(played.store, played.signer, (str(anchors),), NOW)
    write_backup(played.store, played.signer, path, NOW)
    played.play(2)
    anchor_head(played.store, played.signer, (str(anchors),), LATER)
    heads = read_anchors(anchors, played.signer)
    verify_anchors(played.store, heads)
    lost = heads[1].sequence - heads[0].sequence
    with pytest.raises(LedgerError, check=refusal("backup-behind", lost=lost)):
        restore_backup(path, sqlite(tmp_path), played.signer, heads)
    url = sqlite(tmp_path)
    done = restore_backup(path, url, played.signer, heads, accept_loss=True)
    assert done.lost_entries == lost
    store = Store(url)
    text = Controller(store, played.signer).state.incidents[done.incident].text
    assert f"entries {heads[0].sequence + 1} to {heads[1].sequence} are lost" in text
    with pytest.raises(LedgerError, check=refusal("other-ledger", sequence=heads[1].sequence)):
        verify_anchors(store, heads)  # a roll-back is found for as long as the anchor is kept
    store.close()


def read_numbers(events: Iterable[ProgressiveEvent]) -> set[tuple[str, int, int]]:
    """Return the numbers that events give out: what for, at which table, and the number."""
    numbers = set[tuple[str, int, int]]()
    for event in events:
        match event:
            case RoundOpened():
                numbers.add(("round", event.table, event.round))
            case HitEntered():
                numbers |= {("award", 0, owed.award) for owed in event.owed if owed.award not in event.replaced}
            case ChangeRequested():
                numbers.add(("request", 0, event.request))
            case IncidentOpened():
                numbers.add(("incident", 0, event.incident))
    return numbers


def do_everything(controller: Controller, table: int, key: str) -> set[tuple[str, int, int]]:
    """Give out a number of every kind; return them all."""
    asked = RequestAdjustment(
        change=Adjustment(account="meter", cents=5, reason="house-funds", text=f"promotion {key}")
    )
    commands = (
        (OpenRound(table=table, seats=(1, 2)), DEALER),
        (EnterHit(table=table, seat=2, hand="flush"), DEALER),
        (CancelHit(award=controller.state.last_award + 1), DEALER),
        (CloseRound(table=table), DEALER),
        (asked, SUPERVISOR),
        (OpenIncident(table=table, text="sensor broken"), SUPERVISOR),
    )
    events = [event for each, who in commands for event in controller.execute(each, who, f"{key}-{each.kind}").events]
    for who in (SUPERVISOR, EXECUTIVE):
        controller.execute(
            SignIncident(incident=controller.state.last_incident, text="replaced"), who, f"{key}-{who.name}"
        )
    return read_numbers(events)


@pytest.mark.more
def test_no_number_is_given_out_again_after_a_restoration(tmp_path: Path) -> None:
    url, folder = sqlite(tmp_path), tmp_path
    store, signer = Store.open_or_create(url), Signer.load_or_create(folder / "key")
    controller = Controller(store, signer)
    controller.create(settings(tables=2), EXECUTIVE.name)
    given = do_everything(controller, 1, "before")
    for number in (1, 2):
        write_backup(store, signer, tmp_path / f"backup-{number}.db", NOW)
        lost = do_everything(controller, 1, f"lost-{number}") | do_everything(controller, 2, f"also-{number}")
        assert not lost & given
        store.close()
        given |= lost
        url = sqlite(tmp_path)
        done = restore_backup(tmp_path / f"backup-{number}.db", url, signer)
        store = Store(url)
        controller = Controller(store, signer)
        assert done.incident == number * 1_000_000 + 1
        for who in (SUPERVISOR, EXECUTIVE):
            controller.execute(SignIncident(incident=done.incident, text="restored"), who, f"sign-{number}-{who.name}")
        new = do_everything(controller, 1, f"new-{number}") | do_everything(controller, 2, f"more-{number}")
        assert {kind for kind, _, _ in new} == {"round", "award", "request", "incident"}
        assert not new & given
        assert all(each > number * 1_000_000 for _, _, each in new)
        given |= new
    controller.verify()
    store.close()


def test_an_award_entered_again_after_a_restoration_says_which_it_was_and_only_once(tmp_path: Path) -> None:
    def enter(seat: int, hand: str, key: str, lost: int = 0) -> int:
        controller.execute(EnterHit(table=1, seat=seat, hand=hand, lost_award=lost), DEALER, key)
        return controller.state.last_award

    store, signer = Store.open_or_create(sqlite(tmp_path)), Signer.load_or_create(tmp_path / "key")
    controller = Controller(store, signer)
    controller.create(settings(), EXECUTIVE.name)
    controller.execute(OpenRound(table=1, seats=(1, 2, 3)), DEALER, "open-0001")
    kept = enter(1, "flush", "hit-00001")
    with pytest.raises(RefusalError, check=refusal("award-not-lost", award=2)):
        enter(2, "flush", "hit-00002", lost=2)
    controller.execute(ConfirmAward(award=kept), SUPERVISOR, "confirm-01")
    controller.execute(CloseRound(table=1), DEALER, "close-001")
    write_backup(store, signer, tmp_path / "backup.db", NOW)
    controller.execute(OpenRound(table=1, seats=(1, 2, 3)), DEALER, "open-0002")
    lost = enter(3, "flush", "hit-00003")
    page = controller.execute(ConfirmAward(award=lost), SUPERVISOR, "confirm-02").win_page
    store.close()

    url = sqlite(tmp_path)
    done = restore_backup(tmp_path / "backup.db", url, signer)
    store = Store(url)
    controller = Controller(store, signer)
    for who in (SUPERVISOR, EXECUTIVE):
        controller.execute(SignIncident(incident=done.incident, text="restored"), who, f"sign-{who.name}")
    controller.execute(OpenRound(table=1, seats=(1, 2, 3)), DEALER, "open-0003")
    for wrong in (kept, 1_000_001):
        with pytest.raises(RefusalError, check=refusal("award-not-lost", award=wrong)):
            enter(3, "flush", f"wrong-{wrong:04}", lost=wrong)
    by_mistake = enter(2, "flush", "hit-00004", lost=lost)
    with pytest.raises(RefusalError, check=refusal("award-entered-again", award=lost, again=by_mistake)):
        enter(3, "flush", "hit-00005", lost=lost)
    controller.execute(CancelHit(award=by_mistake), DEALER, "cancel-01")
    again = enter(3, "flush", "hit-00006", lost=lost)
    for number in (lost, lost + 1):  # it is no second press of the hand button, which would cancel the hand
        with pytest.raises(RefusalError, check=refusal("hit-entered", award=again)):
            enter(3, "flush", f"twice-{number:03}", lost=number)
    with pytest.raises(RefusalError, match=f"it is entered again as award {again}"):
        controller.execute(PayAward(award=lost), DEALER, "pay-00001")
    new_page = controller.execute(ConfirmAward(award=again), SUPERVISOR, "confirm-03").win_page
    assert page
    assert not page.mark
    assert new_page
    assert new_page.mark == f"AWARD {lost} ENTERED AGAIN: NOT FOR A SECOND PAYMENT"
    assert ("entered again", f"award {lost} before a restoration") in new_page.lines
    assert page.lines[0] == new_page.lines[0]
    reprint = controller.execute(ReprintWinPage(award=again), SUPERVISOR, "reprint-1").win_page
    assert reprint
    assert reprint.mark.startswith(new_page.mark)
    controller.execute(CloseRound(table=1), DEALER, "close-002")
    controller.execute(OpenRound(table=1, seats=(1, 2, 3)), DEALER, "open-0004")
    with pytest.raises(RefusalError, check=refusal("award-entered-again", award=lost, again=again)):
        enter(1, "flush", "hit-00008", lost=lost)
    restarted = Controller(store, signer)
    restarted.verify()
    assert restarted.state == controller.state
    assert restarted.state.entered_again == {lost: again}
    store.close()


def test_without_a_lost_award_all_is_written_as_before() -> None:
    award = OwedAward(
        award=1,
        seat=1,
        hand="flush",
        cards="",
        by="dora",
        meter_cents=0,
        tray_cents=1500,
        short_cents=0,
        seed_cents=0,
        released_units=0,
        table=1,
        round=1,
    )
    for written in (award, ProgressiveState(), EnterHit(table=1, seat=1, hand="flush")):
        assert not {"lost_award", "entered_again"} & set(written.model_dump(mode="json"))
    again = award.model_copy(update={"lost_award": 8})
    for owed, note in ((award, ""), (again, ", award 8 entered again")):
        line = f"award 1 table 1 seat 1 flush $15.00 entered{note}"
        assert EntryShare(1, 1, 1, (), after=owed).describe() == line


def test_a_browser_table_goes_on_with_the_round_that_a_backup_lacks(tmp_path: Path) -> None:
    store, signer = Store.open_or_create(sqlite(tmp_path)), Signer.load_or_create(tmp_path / "key")
    controller = Controller(store, signer)
    controller.create(settings(), EXECUTIVE.name)
    write_backup(store, signer, tmp_path / "backup.db", NOW)
    in_play = OpenRound(table=1, round=1, seats=(1,), link="linked-1")
    controller.execute(in_play, DEALER, "press 0001")
    store.close()
    url = sqlite(tmp_path)
    done = restore_backup(tmp_path / "backup.db", url, signer)
    store = Store(url)
    controller = Controller(store, signer)
    for who in (SUPERVISOR, EXECUTIVE):
        controller.execute(SignIncident(incident=done.incident, text="restored"), who, f"sign-{who.name}")
    with pytest.raises(RefusalError, check=refusal("stale-round", round=1, next=1_000_001)):
        controller.execute(OpenRound(table=1, round=1, seats=(1,)), DEALER, "press-0002")
    assert controller.execute(in_play, DEALER, "press 0001").events[0].kind == "opened"
    controller.execute(CloseRound(table=1, round=1, link="linked-1"), DEALER, "press 0003")
    with pytest.raises(RefusalError, check=refusal("stale-round")):
        controller.execute(in_play, DEALER, "press 0004")
    store.close()


def test_a_ledger_that_was_rolled_back_or_played_on_otherwise_is_found(played: Played, tmp_path: Path) -> None:
    anchors = tmp_path / "anchors"
    anchor_head(played.store, played.signer, (str(anchors),), NOW)
    other = Played(empty_ledger("sqlite", tmp_path), tmp_path, 3 * STEPS + 4)
    with pytest.raises(LedgerError, check=refusal("other-ledger")):
        verify_anchors(other.store, read_anchors(anchors, played.signer))
    other.store.close()


def test_a_head_is_anchored_once_and_read_again_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = Played(empty_ledger("sqlite", tmp_path), tmp_path, STEPS)
    file, posted = tmp_path / "anchors", list[str]()
    with receiving(posted) as url:
        for _ in range(2):
            anchored = anchor_head(played.store, played.signer, (str(file), "-", url), NOW)
    lines = file.read_text().splitlines()
    assert lines == [anchored.document] == posted[1:]
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "HEAD OF THE LEDGER at 2026-11-21T12:00:00+00:00"
    assert anchored.head.hash in printed[1].replace(" ", "")
    assert json.loads(printed[3]) == json.loads(lines[0])
    for wrong in ("ftp://example.org/", "http://example.org/", url, str(tmp_path / "missing" / "file")):
        with pytest.raises(LedgerError, check=refusal("not-anchored")):
            anchor_head(played.store, played.signer, (wrong, str(file)), NOW)
    file.write_text("{}\n")
    with pytest.raises(LedgerError, check=refusal("invalid-head")):
        read_anchors(file, played.signer)
    played.store.close()


@contextmanager
def receiving(posted: list[str]) -> Iterator[str]:
    """Take heads on this machine."""

    def take(request: BaseHTTPRequestHandler) -> None:
        posted.append(request.rfile.read(int(request.headers["Content-Length"])).decode())
        request.send_response(201)
        request.end_headers()

    taker = type("Taker", (BaseHTTPRequestHandler,), {"do_POST": take, "log_message": lambda *_: None})
    server = HTTPServer(("127.0.0.1", 0), taker)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/heads?of=pitboss"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_released_ledger_is_upgraded_to_the_same_record(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "jackpot.db")) as database:
        database.executescript(RELEASED.read_text(encoding="utf-8"))
    url = f"sqlite:///{tmp_path / 'jackpot.db'}"
    with pytest.raises(LedgerError, check=refusal("other-version")):
        Store(url)
    before, after = upgrade_ledger(url)
    assert (before.head, before.balances) == (after.head, after.balances)
    assert before.head.sequence == 9
    assert before.version < after.version
    again = upgrade_ledger(url)
    assert again[0] == again[1] == after
    Store(url).close()


def test_a_ledger_that_does_not_hold_is_not_upgraded(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "jackpot.db")) as database:
        database.executescript(RELEASED.read_text(encoding="utf-8"))
        database.executescript("DROP TRIGGER entry_no_update; UPDATE entry SET actor = 'nobody' WHERE sequence = 4")
    with pytest.raises(LedgerError, check=refusal("chain-broken")):
        upgrade_ledger(f"sqlite:///{tmp_path / 'jackpot.db'}")
    with pytest.raises(LedgerError, check=refusal("no-ledger")):
        fingerprint_record(f"sqlite:///{tmp_path / 'empty.db'}")


@pytest.mark.more
def test_anchors_and_backups_stay_valid_after_every_rotation(played: Played, tmp_path: Path) -> None:
    anchors, backups = tmp_path / "anchors", []
    for number in range(3):
        anchored = anchor_head(played.store, played.signer, (str(anchors),), NOW).head
        backups.append(tmp_path / f"backup{number}.db")
        write_backup(played.store, played.signer, backups[-1], NOW)
        rotate_keys(played.controller, EXECUTIVE)
        played.play(1)
    heads = read_anchors(anchors, played.signer)
    assert (len(heads), read_last_anchor(anchors, played.signer)) == (3, anchored)
    verify_anchors(played.store, heads)
    anchor_head(played.store, played.signer, (str(anchors),), LATER)
    newest = read_anchors(anchors, played.signer)[-1].sequence
    for path in backups:
        entries = restore_backup(path, sqlite(tmp_path), played.signer, heads[:1]).backup.head.sequence
        with pytest.raises(LedgerError, check=refusal("backup-behind", lost=newest - entries)):
            restore_backup(path, sqlite(tmp_path), played.signer, read_anchors(anchors, played.signer))


@pytest.mark.more
def test_what_only_a_revoked_version_signed_is_passed_over_or_refused(played: Played, tmp_path: Path) -> None:
    """A backup by its own words, a head without an alarm: its signature proves nothing either way."""
    anchors, old, rotated = tmp_path / "anchors", tmp_path / "old.db", tmp_path / "rotated"
    anchor_head(played.store, played.signer, (str(anchors),), NOW)
    write_backup(played.store, played.signer, old, NOW)
    thief = Signer.load_or_create(tmp_path / "key")
    forged = sign_head(LedgerHead(1, "f" * 64, 0, "0" * 64), NOW.isoformat(), thief).replace("\n", "")
    rotate_keys(played.controller, EXECUTIVE)
    copy(tmp_path / "key", rotated)
    between = tmp_path / "between.db"
    write_backup(played.store, played.signer, between, NOW)
    kept = anchor_head(played.store, played.signer, (str(anchors),), LATER).head
    revoke_keys(played.controller, EXECUTIVE, 1)
    with anchors.open("a", encoding="ascii") as file:
        file.write(forged + "\n")
    assert read_anchors(anchors, played.signer) == (kept,)
    assert read_last_anchor(anchors, played.signer) == kept
    with pytest.raises(LedgerError, check=refusal("backup-key-revoked")):
        restore_backup(old, sqlite(tmp_path), played.signer)
    assert restore_backup(between, sqlite(tmp_path), played.signer, (kept,)).lost_entries == 0
    url, again = sqlite(tmp_path), Signer(rotated)  # the copy of the ring that was made after the rotation
    restore_backup(old, url, again)
    store = Store(url)
    controller = Controller(store, again)
    revoke_keys(controller, EXECUTIVE, 1)
    assert controller.verify().state.entries
    store.close()
    with anchors.open("a", encoding="ascii") as file:
        file.write(sign_head(kept, NOW.isoformat(), Signer.load_or_create(tmp_path / "other")).replace("\n", "") + "\n")
    with pytest.raises(LedgerError, check=refusal("head-not-signed")):
        read_anchors(anchors, played.signer)
