"""How people prove who they are: tokens, passwords, codes, sessions, and what is limited."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from argon2 import PasswordHasher, Type

from jackpot.house import EXECUTIVE, done, founded
from pitboss.jackpot.commands import ChangeStaff
from pitboss.jackpot.credentials import (
    CODE_SECONDS,
    HASHER,
    MAX_ATTEMPTS,
    SESSION_IDLE_SECONDS,
    SESSION_MAX_SECONDS,
    CredentialStore,
)
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.roles import Role
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.schema import credential, session
from pitboss.ledger.store import Store

CHOSEN = "correct horse battery"
WRONG = "name, password or code is wrong"


class Office:
    """A ledger with a dealer and a supervisor, and a clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.store = Store.open_or_create("sqlite://")
        self.staff = CredentialStore(self.store, lambda: self.now)
        self.state: ProgressiveState = founded()
        for name, role in (("dora", Role.DEALER), ("sue", Role.SUPERVISOR)):
            self.state = done(self.state, ChangeStaff(name=name, role=role), EXECUTIVE)

    def later(self, seconds: int) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)

    def enrolled(self, name: str) -> str:
        """Enrol somebody; return the authenticator's secret."""
        return self.staff.enrol(self.state, name, self.staff.invite(name), CHOSEN).totp


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.setattr("pitboss.jackpot.credentials.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    made = Office()
    yield made
    made.store.close()


def test_a_dealer_proves_who_he_is_by_a_password(office: Office) -> None:
    assert office.enrolled("dora") == ""
    assert office.staff.authenticate(office.state, "dora", CHOSEN) == ("dora", Role.DEALER)
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", CHOSEN + "!")


def test_a_supervisor_needs_a_code_too_and_each_code_works_once(office: Office) -> None:
    clock = pyotp.TOTP(office.enrolled("sue"))
    code = clock.at(office.now)
    assert office.staff.authenticate(office.state, "sue", CHOSEN, code).role is Role.SUPERVISOR
    for wrong in (code, "", "000000", clock.at(office.now - timedelta(seconds=10 * CODE_SECONDS))):
        with pytest.raises(ForbiddenError, match=WRONG):
            office.staff.authenticate(office.state, "sue", CHOSEN, wrong)
    office.later(CODE_SECONDS)
    assert office.staff.authenticate(office.state, "sue", CHOSEN, clock.at(office.now))


def test_a_dealer_who_is_made_supervisor_has_no_way_around_the_code(office: Office) -> None:
    office.enrolled("dora")
    state = done(office.state, ChangeStaff(name="dora", role=Role.SUPERVISOR), EXECUTIVE)
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(state, "dora", CHOSEN, "")


def test_a_token_works_once_and_for_its_name(office: Office) -> None:
    token = office.staff.invite("dora")
    for name, given in (("sue", token), ("dora", token + "x")):
        with pytest.raises(ForbiddenError, match="this token is not valid for that name, or was used already"):
            office.staff.enrol(office.state, name, given, CHOSEN)
    office.staff.enrol(office.state, "dora", token, CHOSEN)
    with pytest.raises(ForbiddenError, match="this token"):
        office.staff.enrol(office.state, "dora", token, CHOSEN)


def test_a_token_is_no_password(office: Office) -> None:
    token = office.staff.invite("dora")
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", token)


@pytest.mark.parametrize("password", ["short", "dora and a horse"])
def test_a_password_is_long_and_not_the_name(office: Office, password: str) -> None:
    with pytest.raises(RefusalError, match="choose a password of at least 12 characters, without your name"):
        office.staff.enrol(office.state, "dora", office.staff.invite("dora"), password)


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("password1234", "This is a very common password"),
        ("qwertyuiop[]", "Straight rows of keys are easy to guess"),
        ("aaaaaaaaaaaa" * 8, 'Repeats like "aaa" are easy to guess'),
        ("pitbosspitboss", "Repeats like .abcabcabc. are only slightly harder to guess"),
        ("Dora19840229", "Dates are often easy to guess"),
        ("pokerdealers", "it is too similar to common passwords"),
    ],
)
def test_a_password_that_is_soon_guessed_is_refused_with_the_reason(office: Office, password: str, reason: str) -> None:
    token = office.staff.invite("dora")
    with pytest.raises(RefusalError, match=f"^choose a password that is harder to guess, .*: {reason}"):
        office.staff.enrol(office.state, "dora", token, password)
    office.staff.enrol(office.state, "dora", token, "four words of ours" + "." * 150)


def test_no_more_are_tried_however_many_come_at_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def during(_hashed: str, password: str) -> bool:
        tried.append(password)
        with pytest.raises(ForbiddenError):
            office.staff.authenticate(office.state, "dora", "comes before the first has failed")
        return False

    office.enrolled("dora")
    monkeypatch.setattr("pitboss.jackpot.credentials._matches_password", during)
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", "a wrong password")
    assert len(tried) == MAX_ATTEMPTS


def test_a_proof_that_succeeds_counts_against_nobody(office: Office) -> None:
    office.enrolled("dora")
    for _ in range(3 * MAX_ATTEMPTS):
        office.staff.authenticate(office.state, "dora", CHOSEN)


def test_attempts_are_limited_also_with_the_right_password_and_for_names_that_are_unknown(office: Office) -> None:
    office.enrolled("dora")
    for name in ("dora", "nobody"):
        for _ in range(MAX_ATTEMPTS):
            with pytest.raises(ForbiddenError, match=WRONG):
                office.staff.authenticate(office.state, name, "a wrong password")
        with pytest.raises(ForbiddenError, match=f"too many attempts: {name} must wait 15 minutes"):
            office.staff.authenticate(office.state, name, CHOSEN)
    office.later(15 * 60)
    assert office.staff.authenticate(office.state, "dora", CHOSEN)


def test_who_has_no_role_any_more_is_nobody(office: Office) -> None:
    office.enrolled("dora")
    token = office.staff.log_in(office.staff.authenticate(office.state, "dora", CHOSEN))
    state = done(office.state, ChangeStaff(name="dora", role=Role.DEALER, active=False), EXECUTIVE)
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(state, "dora", CHOSEN)
    with pytest.raises(ForbiddenError, match="this session has ended: log in again"):
        office.staff.resume_session(state, token)


def test_a_session_ends_when_it_is_idle_or_old_or_ended(office: Office) -> None:
    office.enrolled("dora")
    actor = office.staff.authenticate(office.state, "dora", CHOSEN)
    token = office.staff.log_in(actor)
    office.later(SESSION_IDLE_SECONDS)
    assert office.staff.resume_session(office.state, token) == actor
    office.later(SESSION_IDLE_SECONDS + 1)
    for _ in range(2):
        with pytest.raises(ForbiddenError, match="this session has ended: log in again"):
            office.staff.resume_session(office.state, token)
    token = office.staff.log_in(actor)
    for _ in range(SESSION_MAX_SECONDS // SESSION_IDLE_SECONDS):
        office.later(SESSION_IDLE_SECONDS)
        assert office.staff.resume_session(office.state, token) == actor
    office.later(1)
    with pytest.raises(ForbiddenError, match="this session has ended"):
        office.staff.resume_session(office.state, token)
    token = office.staff.log_in(actor)
    office.staff.log_out(token)
    with pytest.raises(ForbiddenError, match="this session has ended"):
        office.staff.resume_session(office.state, token)


def test_an_invitation_ends_what_was_there_before(office: Office) -> None:
    office.enrolled("dora")
    token = office.staff.log_in(office.staff.authenticate(office.state, "dora", CHOSEN))
    office.staff.invite("dora")
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", CHOSEN)
    with pytest.raises(ForbiddenError, match="this session has ended"):
        office.staff.resume_session(office.state, token)


def test_neither_password_nor_token_is_kept(office: Office) -> None:
    token = office.staff.invite("dora")
    office.staff.enrol(office.state, "dora", token, CHOSEN)
    opened = office.staff.log_in(office.staff.authenticate(office.state, "dora", CHOSEN))
    with office.store.begin_read() as transaction:
        rows = [*transaction.connection.execute(credential.select()), *transaction.connection.execute(session.select())]
    kept = repr(rows)
    assert "$argon2id$" in kept
    assert not any(secret in kept for secret in (CHOSEN, token, opened))


def test_passwords_are_hashed_as_dearly_as_is_advised() -> None:
    assert HASHER.type is Type.ID
    assert HASHER.time_cost >= 3
    assert HASHER.memory_cost >= 12 * 1024  # KiB
