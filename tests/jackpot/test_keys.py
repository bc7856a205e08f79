"""A ledger whose keys are rotated and revoked: it opens, verifies and goes on, also after a rotation cut short."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copy

import pyotp
import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from jackpot.house import DEALER, EXECUTIVE, appointed, settings
from jackpot.tellers import step
from ledger.databases import empty_ledger
from pitboss.jackpot import audit
from pitboss.jackpot.controller import Controller, get_utc_now
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.errors import ForbiddenError
from pitboss.jackpot.health import check_health
from pitboss.jackpot.key_changes import renew_keys, revoke_keys, rotate_keys
from pitboss.jackpot.roles import Role
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import credential
from pitboss.ledger.signed_head import write_signed_head
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

CHOSEN = "correct horse battery"


class Vault:
    """A ledger with a supervisor, and its key file."""

    def __init__(self, folder: Path) -> None:
        self.key = folder / "key"
        self.store = Store(empty_ledger("sqlite", folder))
        self.controller = self.again(create=True)
        self.controller.create(settings(), EXECUTIVE.name)
        code = appointed(self.controller, "sue", Role.SUPERVISOR)
        self.secret = CredentialStore(self.controller).enrol("sue", code, CHOSEN).totp

    def again(self, *, create: bool = False) -> Controller:
        """Start another controller, with the key file as it is."""
        return Controller(self.store, Signer.load_or_create(self.key) if create else Signer(self.key))

    def sealed_by(self) -> str:
        """Return the version of the key that seals the supervisor's authenticator."""
        with self.store.begin_read() as transaction:
            (totp,) = transaction.connection.execute(sa.select(credential.c.totp)).scalars()
        return str(totp).partition(".")[0]

    def proves(self, controller: Controller) -> None:
        """Check that the supervisor's authenticator still works."""
        code = pyotp.TOTP(self.secret).at(get_utc_now())
        assert CredentialStore(controller).authenticate(controller.refresh(), "sue", CHOSEN, code).name == "sue"


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    monkeypatch.setattr("pitboss.jackpot.passwords.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    made = Vault(tmp_path)
    yield made
    made.store.close()


def test_a_running_controller_and_a_new_one_go_on_after_a_rotation(vault: Vault) -> None:
    running = vault.again()
    assert rotate_keys(vault.controller, EXECUTIVE) == 2
    assert vault.sealed_by() == "2"
    for number, controller in enumerate((running, vault.again(), vault.controller)):
        controller.execute(*step(number), f"step-{number}")
        assert controller.verify().state.entries == controller.refresh().entries
    vault.proves(running)


def test_a_rotation_cut_short_is_made_up_for(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(vault.store, "run_write", lambda _work: (_ for _ in ()).throw(LedgerError("unplugged")))
        with pytest.raises(LedgerError, match="unplugged"):
            rotate_keys(vault.controller, EXECUTIVE)
    started = vault.again()
    assert (started.signer.version, vault.sealed_by()) == (2, "1")
    vault.proves(started)
    assert renew_keys(started, EXECUTIVE) == 2
    assert vault.sealed_by() == "2"
    revoke_keys(started, EXECUTIVE, 1)
    assert vault.again().verify().state.entries == started.refresh().entries


@pytest.mark.more
def test_after_a_revocation_nothing_is_believed_that_only_the_old_version_signed(vault: Vault, tmp_path: Path) -> None:
    copy(vault.key, tmp_path / "stolen")
    vault.controller.execute(*step(0), "step-0")
    with pytest.raises(LedgerError, check=refusal("key-not-retired", version=1)):
        revoke_keys(vault.controller, EXECUTIVE, 1)
    rotate_keys(vault.controller, EXECUTIVE)
    revoke_keys(vault.controller, EXECUTIVE, 1)
    thief = Signer(tmp_path / "stolen")
    forged = audit.make_checkpoint(vault.controller.verify(), thief)
    vault.store.run_write(lambda transaction: transaction.append_checkpoint(forged))
    started = vault.again()  # which reads the ledger from a checkpoint that it believes
    assert started.verify().state == vault.controller.refresh()
    with pytest.raises(LedgerError, check=refusal("other-key-ring", version=2)):
        Controller(vault.store, thief)
    vault.store.run_write(lambda transaction: write_signed_head(transaction, thief))
    with pytest.raises(LedgerError, check=refusal("head-not-signed-here")):
        vault.again()


def test_only_an_executive_changes_keys(vault: Vault) -> None:
    for change in (rotate_keys, renew_keys):
        with pytest.raises(ForbiddenError, check=refusal("role-not-allowed", action="keys")):
            change(vault.controller, DEALER)
    with pytest.raises(ForbiddenError, check=refusal("role-not-allowed", action="keys")):
        revoke_keys(vault.controller, DEALER, 1)
    assert vault.controller.signer.version == 1


def test_no_copy_of_the_key_ring_brings_a_revoked_version_back(vault: Vault, tmp_path: Path) -> None:
    """Whatever earlier copy of the file is put back, at a start or while a controller runs."""
    copies = [tmp_path / f"copy{number}" for number in range(6)]
    copy(vault.key, copies[0])
    steps: tuple[Callable[[], object], ...] = (
        lambda: rotate_keys(vault.controller, EXECUTIVE),
        lambda: revoke_keys(vault.controller, EXECUTIVE, 1),
        lambda: rotate_keys(vault.controller, EXECUTIVE),
        lambda: renew_keys(vault.controller, EXECUTIVE),
        lambda: revoke_keys(vault.controller, EXECUTIVE, 2),
    )
    for kept, change in zip(copies[1:], steps, strict=True):
        change()
        copy(vault.key, kept)
    thief = Signer(copies[0]).sign("a head")
    running = vault.again()
    outcomes = []
    for kept in copies:
        copy(kept, vault.key)
        found = set[object]()
        for use in (
            vault.again,
            lambda: running.execute(*step(0), "step-0"),
            lambda: running.report_restoration("a fault"),
        ):
            with suppress(LedgerError):
                use()
                found.add(use)
        outcomes.append(len(found))
        assert not running.signer.has_signed("a head", thief)
        if found:
            assert not vault.again().signer.has_signed("a head", thief)
            assert [key.state for key in vault.again().signer.keys] == ["revoked", "revoked", "active"]
    assert outcomes == [0, 0, 0, 3, 3, 3]  # the first three lack the active version
    assert vault.again().verify().state.revoked_keys == (1, 2)  # nothing was closed meanwhile


def test_a_revocation_cut_short_counts_and_the_file_follows(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    rotate_keys(vault.controller, EXECUTIVE)
    with monkeypatch.context() as patch:
        patch.setattr(Signer, "revoke", lambda _self, _version: (_ for _ in ()).throw(OSError("unplugged")))
        with pytest.raises(OSError, match="unplugged"):
            revoke_keys(vault.controller, EXECUTIVE, 1)
    assert [key.state for key in Signer(vault.key).keys] == ["retired", "active"]
    started = vault.again()
    assert [key.state for key in started.signer.keys] == ["revoked", "active"]
    rotate_keys(started, EXECUTIVE)
    assert [key.state for key in Signer(vault.key).keys] == ["revoked", "retired", "active"]


def test_a_key_of_another_ring_in_the_place_of_a_version_is_refused(vault: Vault, tmp_path: Path) -> None:
    rotate_keys(vault.controller, EXECUTIVE)
    other = Signer.load_or_create(tmp_path / "other")
    other.rotate()
    copy(tmp_path / "other", vault.key)
    with pytest.raises(LedgerError, check=refusal("other-key-ring", version=2)):
        vault.again()


@pytest.mark.parametrize("is_rotated", [True, False])
def test_a_running_server_is_not_ready_while_another_key_file_is_there(
    vault: Vault, tmp_path: Path, *, is_rotated: bool
) -> None:
    """An older copy after a rotation, or a file of another ledger: nothing is signed with it, and nothing closed."""
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    if is_rotated:
        copy(vault.key, wrong)
        rotate_keys(vault.controller, EXECUTIVE)
    else:
        Signer.load_or_create(wrong)
    copy(vault.key, right)
    refused, other = refusal("other-key-ring", version=2 if is_rotated else 1), vault.again()
    assert check_health(vault.store, vault.controller).is_ready
    copy(wrong, vault.key)
    for controller in (vault.controller, other):
        (ledger, _) = check_health(vault.store, controller).checks
        assert (ledger.name, ledger.holds) == ("ledger", False)
        assert "put the newest copy of the file there" in ledger.line
        with pytest.raises(LedgerError, check=refused):
            controller.execute(*step(0), "step-0")
    copy(right, vault.key)
    vault.controller.execute(*step(0), "step-0")
    assert all(check_health(vault.store, each).is_ready for each in (vault.controller, other, vault.again()))


def test_a_server_whose_ring_lacks_a_rotation_closes_nothing_for_the_others(vault: Vault, tmp_path: Path) -> None:
    copy(vault.key, tmp_path / "elsewhere")
    behind = Controller(vault.store, Signer(tmp_path / "elsewhere"))
    rotate_keys(vault.controller, EXECUTIVE)
    for use in (behind.refresh, behind.verify, lambda: behind.execute(*step(0), "step-0")):
        with pytest.raises(LedgerError, check=refusal("other-key-ring", version=2)):
            use()
    vault.controller.execute(*step(0), "step-1")
    copy(vault.key, tmp_path / "elsewhere")
    behind.refresh()
