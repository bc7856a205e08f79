"""No half of a code to enrol is ever handed out for two requests, not even where a ledger goes back in time."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from jackpot.house import CLERK, EXECUTIVE, SECOND_OFFICER, appointed, settings
from pitboss.jackpot.commands import ApproveRequest, ChangeStaff
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.errors import WrongProofError
from pitboss.jackpot.roles import Role
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

CHOSEN = "correct horse battery"
NOW = datetime(2026, 12, 1, tzinfo=UTC)
ACTS = {
    "invite": ChangeStaff(name="bob", role=Role.DEALER),
    "role": ChangeStaff(name="dan", role=Role.AUDITOR),
    "reset": ChangeStaff(name="dan", role=Role.DEALER, reset=True),
}


@pytest.mark.parametrize("act", ACTS)
def test_the_same_request_in_a_ledger_put_back_gives_other_halves(
    act: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are put back as they were, and the clock too: not one bit of the ledger differs."""
    monkeypatch.setattr("pitboss.jackpot.passwords.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    file, signer = tmp_path / "jackpot.db", Signer.load_or_create(tmp_path / "key")
    store = Store.open_or_create(f"sqlite:///{file}")
    controller = Controller(store, signer, lambda: NOW)
    controller.create(settings(), EXECUTIVE.name)
    CredentialStore(controller).enrol("dan", appointed(controller, "dan", Role.DEALER), CHOSEN)
    store.close()
    halves = []
    for number in range(3):
        shutil.copy(file, tmp_path / f"{number}.db")
        store = Store(f"sqlite:///{tmp_path / f'{number}.db'}")
        controller = Controller(store, signer, lambda: NOW)
        for key in ("asked-01", "asked-01"):  # a repeat is given the same half
            asked = controller.execute(ACTS[act], CLERK, key)
            approve = ApproveRequest(request=asked.state.last_request)
            approved = controller.execute(approve, SECOND_OFFICER, "approved")
            assert asked.half_code
            assert approved.half_code
            halves.append((asked.half_code.half_code, approved.half_code.half_code))
        assert halves.pop() == halves[-1]
        staff = CredentialStore(controller)
        for mixed in (halves[0][0] + halves[-1][1], halves[-1][0] + halves[0][1]) if number else ():
            with pytest.raises(WrongProofError, check=refusal("wrong-token")):
                staff.enrol(ACTS[act].name, mixed, CHOSEN)
        staff.enrol(ACTS[act].name, "".join(halves[-1]), CHOSEN)
        store.close()
    assert len({half for pair in halves for half in pair}) == 6
