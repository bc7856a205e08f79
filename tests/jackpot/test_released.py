"""Ledgers written before settings named their game: they open and go on."""

import secrets
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pyotp
import pytest
from argon2 import PasswordHasher

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR, settings
from pitboss.jackpot import passwords
from pitboss.jackpot.commands import EnterHit, OpenRound, ReprintWinPage, RequestSettings, SignIncident
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credential_rows import hash_token
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import ProgressiveWager, Reconfiguration
from pitboss.jackpot.hand_check import get_progressive_wager
from pitboss.jackpot.roles import Role
from pitboss.jackpot.settings import RELEASED_GAME, Settings, change_settings
from pitboss.ledger.chain import to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import credential
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

RELEASED = Path(__file__).parent / "released_ledger.sql"


def write_released_key(path: Path) -> Signer:
    """Write a key as the released software did, and return its signer."""
    path.touch(mode=0o600)
    path.write_text(secrets.token_hex(32) + "\n", encoding="ascii")
    return Signer(path)


@pytest.fixture
def released(tmp_path: Path) -> Controller:
    """A ledger of the released software: a straight flush, and new settings requested."""
    with closing(sqlite3.connect(tmp_path / "jackpot.db")) as database:
        database.executescript(RELEASED.read_text(encoding="utf-8"))
    store = Store.open_or_create(f"sqlite:///{tmp_path / 'jackpot.db'}")
    return Controller(store, write_released_key(tmp_path / "key"))


def test_a_released_ledger_opens_and_is_of_the_released_game(released: Controller) -> None:
    assert "game" not in RELEASED.read_text(encoding="utf-8").replace("tables", "")
    held = released.state.settings
    assert held is not None
    assert change_settings(held, {}) == settings(tables=2)
    assert held.game == RELEASED_GAME == "six-card"
    # Two more: the software is another, and the credentials are adopted.
    assert released.verify().checked_entries == released.head.sequence == 11
    assert released.state.counts[1].paid_cents == 100_001


def test_a_command_sent_again_after_the_update_is_given_its_first_answer(released: Controller) -> None:
    held = released.state.settings
    assert held is not None
    asked = RequestSettings(change=Reconfiguration(settings=held.model_copy(update={"seats": 5}), text="as agreed"))
    again = released.execute(asked, SUPERVISOR, "ask-0001")
    assert again.is_repeat
    assert released.state.requests[1].change == asked.change


def test_a_released_ledger_is_played_on(released: Controller) -> None:
    for number, actor in enumerate((SUPERVISOR, EXECUTIVE)):
        released.execute(SignIncident(incident=1, text="updated"), actor, f"sign-{number}")
    released.execute(OpenRound(table=1, round=2, wagers=(ProgressiveWager(seat=1, cents=100),)), DEALER, "open-0002")
    hit = EnterHit(table=1, round=2, seat=1, hand="flush", cards="As Ks 9s 8s 2s")
    with pytest.raises(
        RefusalError, check=refusal("other-hand", actual="flush", cards="As Ks 9s 8s 2s", hand="straight")
    ):
        released.execute(hit.model_copy(update={"hand": "straight"}), DEALER, "hit-0002")
    assert released.execute(hit, DEALER, "hit-0003").state.hits[2].owed.hand == "flush"


def test_the_awards_of_a_released_ledger_are_found_like_any_other(released: Controller) -> None:
    assert [(hit.owed.award, hit.step, hit.cents) for hit in released.list_last_hits()] == [(1, "paid", 100_001)]
    for number, actor in enumerate((SUPERVISOR, EXECUTIVE)):
        released.execute(SignIncident(incident=1, text="updated"), actor, f"sign-{number}")
    page = released.execute(ReprintWinPage(award=1), SUPERVISOR, "reprint-1").win_page
    assert page
    assert page.mark.startswith("REPRINT, print 2 of award 1")
    released.verify()


def test_settings_of_the_released_game_are_written_as_before_and_others_name_their_game(released: Controller) -> None:
    assert released.state.settings is not None
    written = to_canonical_json(released.state.settings.model_dump(mode="json"))
    assert written in RELEASED.read_text(encoding="utf-8")
    other = settings(game="my-game")
    assert Settings.model_validate_json(other.model_dump_json()) == other
    assert other.model_dump(mode="json")["game"] == "my-game"


def test_a_change_to_a_game_without_a_progressive_is_refused(released: Controller) -> None:
    for number, actor in enumerate((SUPERVISOR, EXECUTIVE)):
        released.execute(SignIncident(incident=1, text="updated"), actor, f"sign-{number}")
    for game, why in (("wild-52", "Wild 52.* has no progressive"), ("poker", "unknown game 'poker'")):
        change = Reconfiguration(settings=settings(tables=2, game=game), text="as agreed")
        with pytest.raises(RefusalError, match=why):
            released.execute(RequestSettings(change=change), SUPERVISOR, f"ask-{game}")
    assert get_progressive_wager("six-card")[1].id == "progressive"


AUTHENTICATOR = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def test_credentials_of_a_released_ledger_are_taken_over_sealed_and_covered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.jackpot.passwords.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    password = passwords.HASHER.hash("correct horse battery")
    rows = [
        ("supervisor", password, AUTHENTICATOR, 0),
        ("executive", f"once:{hash_token('the token of before')}", "", 0),
        ("nobody", password, AUTHENTICATOR, 0),
    ]
    with closing(sqlite3.connect(tmp_path / "jackpot.db")) as database:
        database.executescript(RELEASED.read_text(encoding="utf-8"))
        database.execute("DELETE FROM credential")
        database.executemany("INSERT INTO credential VALUES (?, ?, ?, ?)", rows)
        database.execute("INSERT INTO session VALUES ('x', 'executive', 1800000000, 1800000000)")
        database.commit()
    store = Store.open_or_create(f"sqlite:///{tmp_path / 'jackpot.db'}")
    now = datetime(2026, 12, 1, tzinfo=UTC)
    signer = write_released_key(tmp_path / "key")
    controller = Controller(store, signer, lambda: now)
    staff = CredentialStore(controller)
    with store.begin_read() as transaction:
        kept = {row.name for row in transaction.connection.execute(credential.select())}
    assert kept == {"executive", "supervisor"}
    assert AUTHENTICATOR.encode() not in (tmp_path / "jackpot.db").read_bytes()
    code = pyotp.TOTP(AUTHENTICATOR).at(now)
    assert staff.authenticate(controller.state, "supervisor", "correct horse battery", code).role is Role.SUPERVISOR
    assert staff.enrol("executive", "the token of before", "correct horse battery").totp
    assert Controller(store, signer).verify().head.sequence == controller.refresh().entries
    store.close()


def test_credentials_are_taken_over_once_and_never_with_a_key_of_a_later_version(
    released: Controller, tmp_path: Path
) -> None:
    """Else anybody could rewrite a whole ledger in the released form, whose head needs no key."""
    assert not released.signer.is_single_key
    assert Controller(released.store, Signer(tmp_path / "key")).verify().state.covered
    with closing(sqlite3.connect(tmp_path / "rewritten.db")) as database:
        database.executescript(RELEASED.read_text(encoding="utf-8"))
    store = Store.open_or_create(f"sqlite:///{tmp_path / 'rewritten.db'}")
    for signer in (Signer(tmp_path / "key"), Signer.load_or_create(tmp_path / "ring")):
        with pytest.raises(LedgerError, check=refusal("ledger-not-covered")):
            Controller(store, signer)
    store.close()
