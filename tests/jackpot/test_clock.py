"""A clock that was set is noticed and said; entries stay in order, and nobody is locked out."""

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyotp
import pytest
from argon2 import PasswordHasher

from jackpot.house import DEALER, FIRST_OFFICER, SECOND_OFFICER, appointed, settings
from jackpot.test_service import coin_in
from ledger.databases import empty_ledger
from pitboss.jackpot.clock_watch import TOLERANCE_SECONDS, ClockWatch
from pitboss.jackpot.commands import ApproveRequest, ChangeStaff, CloseRound, RequestAdjustment
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.errors import ForbiddenError
from pitboss.jackpot.events import Adjustment
from pitboss.jackpot.passwords import CODE_SECONDS
from pitboss.jackpot.proof_checks import MAX_ATTEMPTS
from pitboss.jackpot.roles import Actor, Role
from pitboss.ledger.entry_pages import read_answers, read_entries
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

CHOSEN = "correct horse battery"
DAY_SECONDS = 86_400.0


class Clock:
    """A clock that can be set, and the monotonic time, which cannot."""

    def __init__(self) -> None:
        self.elapsed = 0.0
        self.ahead = 0.0

    def __call__(self) -> datetime:
        return datetime(2026, 11, 23, tzinfo=UTC) + timedelta(seconds=self.elapsed + self.ahead)

    def get_monotonic(self) -> float:
        """Return seconds that never go back."""
        return self.elapsed


class Room:
    """A progressive whose clock can be set."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.clock = Clock()
        patch.setattr("pitboss.jackpot.clock_watch.ClockWatch.__init__.__defaults__", (self.clock.get_monotonic,))
        patch.setattr("pitboss.jackpot.passwords.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.store = Store(empty_ledger("sqlite", folder))
        self.signer = Signer.load_or_create(folder / "key")
        self.controller = self.again()
        self.controller.create(settings(tables=2), "eve")
        self.staff = CredentialStore(self.controller)
        code = appointed(self.controller, "sue", Role.SUPERVISOR)
        self.secret = self.staff.enrol("sue", code, CHOSEN).totp

    def again(self) -> Controller:
        """Start a controller."""
        return Controller(self.store, self.signer, self.clock)

    def play(self, number: int) -> None:
        """Play a round."""
        self.clock.elapsed += 60
        self.controller.execute(coin_in(number), DEALER, f"open-{number:04}")
        self.controller.execute(CloseRound(table=1, round=number), DEALER, f"close-{number:04}")

    def authenticate(self) -> None:
        """Prove to be sue with the present code."""
        code = pyotp.TOTP(self.secret).at(int(self.clock().timestamp()))
        self.staff.authenticate(self.controller.state, "sue", CHOSEN, code)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(tmp_path, monkeypatch)


@pytest.mark.parametrize("ahead", [DAY_SECONDS, -DAY_SECONDS, 3_600.0, -60.0])
def test_entries_and_answers_stay_in_order_whatever_the_clock_shows(room: Room, ahead: float) -> None:
    room.play(1)
    room.clock.ahead = ahead
    room.play(2)
    room.controller = room.again()
    room.play(3)
    room.clock.ahead = 0
    room.play(4)
    for records in (read_entries(room.store), read_answers(room.store)):
        times = [each.at for each in records]
        assert times == sorted(times)
    assert room.again().verify().state == room.controller.state


def test_a_clock_that_was_set_is_said_and_logged_once(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "pitboss.jackpot")
    room.play(1)
    assert room.controller.find_clock_fault() == ""
    room.clock.ahead = DAY_SECONDS
    assert room.controller.find_clock_fault().startswith("the clock was set forward by 86,400 s since the start")
    room.play(2)
    room.play(3)
    room.clock.ahead = 0
    found = room.controller.find_clock_fault()
    assert found.startswith("the clock is 86,400 s behind the last entry")
    assert room.again().find_clock_fault() == found  # also after a restart, which knows nothing of the setting
    room.play(4)
    room.clock.elapsed += DAY_SECONDS
    assert room.controller.find_clock_fault() == ""
    logged = [each.getMessage().partition(" by ")[0] for each in caplog.records]
    assert logged[0] == "the clock was set forward"
    assert logged[-1] == "the clock is right again"
    assert len(logged) == 4  # one of the restart


def test_a_clock_that_is_adjusted_is_not_reported() -> None:
    clock = Clock()
    watch = ClockWatch(clock, clock.get_monotonic)
    for ahead in (TOLERANCE_SECONDS - 1, 1 - TOLERANCE_SECONDS):
        clock.ahead = ahead
        assert watch.find_fault("") == ""
    clock.ahead = -TOLERANCE_SECONDS - 1
    assert watch.find_fault("").startswith("the clock was set back by 6 s")


def test_a_code_used_at_a_wrong_time_refuses_no_other_code(room: Room) -> None:
    room.authenticate()
    room.clock.ahead = DAY_SECONDS
    room.authenticate()
    with pytest.raises(ForbiddenError, check=refusal("code-used")):
        room.authenticate()  # the same code
    room.clock.ahead = 0
    room.clock.elapsed += 2 * CODE_SECONDS
    room.authenticate()
    with pytest.raises(ForbiddenError, check=refusal("code-used")):
        room.authenticate()
    room.clock.elapsed += CODE_SECONDS
    room.authenticate()
    room.clock.elapsed += CODE_SECONDS
    with pytest.raises(ForbiddenError, check=refusal("wrong-proof")):
        room.staff.authenticate(room.controller.state, "eve", CHOSEN, "wrong")


def test_failures_at_a_wrong_time_lock_nobody_out_afterwards(room: Room) -> None:
    room.clock.ahead = DAY_SECONDS
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(ForbiddenError):
            room.staff.authenticate(room.controller.state, "eve", "wrong", "")
    room.clock.ahead = 0
    room.authenticate()


def test_a_session_begun_at_a_wrong_time_is_over(room: Room) -> None:
    room.clock.ahead = DAY_SECONDS
    token = room.staff.log_in(Actor("eve", Role.EXECUTIVE, room.controller.state.staff["eve"].credential))
    assert room.staff.is_session_live(room.controller.state, token)
    room.clock.ahead = 0
    assert not room.staff.is_session_live(room.controller.state, token)
    with pytest.raises(ForbiddenError, check=refusal("session-ended")):
        room.staff.resume_session(room.controller.state, token)


@pytest.mark.parametrize("moment", ["request", "approval", "enrolment"])
def test_a_clock_set_back_shortens_no_time_for_which_people_stay_apart(room: Room, moment: str) -> None:
    """Whatever step of an account is taken while the clock is wrong."""
    room.play(1)
    behind = {name: -DAY_SECONDS - 3_600.0 if name == moment else 0.0 for name in ("request", "approval", "enrolment")}
    began = int(room.clock().timestamp())
    room.clock.ahead = behind["request"]
    asked = room.controller.execute(ChangeStaff(name="kim", role=Role.EXECUTIVE), FIRST_OFFICER, "ask-0001")
    room.clock.ahead = behind["approval"]
    approve = ApproveRequest(request=asked.state.last_request)
    approved = room.controller.execute(approve, SECOND_OFFICER, "approve-0001")
    room.clock.ahead = behind["enrolment"]
    halves = [each.half_code.half_code for each in (asked, approved) if each.half_code]
    room.staff.enrol("kim", "".join(halves), CHOSEN)
    room.clock.ahead = 0
    assert room.controller.refresh().staff["kim"].sponsored_at >= began
    change = Adjustment(account="meter", cents=5, reason="house-funds", text="promotion")
    kim = Actor("kim", Role.EXECUTIVE)
    request = room.controller.execute(RequestAdjustment(change=change), kim, "adjust-0001").state.last_request
    with pytest.raises(ForbiddenError, check=refusal("sponsor-too-recent", person="kim")):
        room.controller.execute(ApproveRequest(request=request), FIRST_OFFICER, "approve-0002")
