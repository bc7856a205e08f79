"""How people prove who they are: tokens, passwords, codes, sessions, and what is limited."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyotp
import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher, Type

from jackpot.house import EXECUTIVE, appointed, settings
from ledger.databases import empty_ledger
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credential_rows import get_secret_place
from pitboss.jackpot.credentials import SESSION_IDLE_SECONDS, CredentialStore
from pitboss.jackpot.errors import ForbiddenError, RefusalError, WrongProofError
from pitboss.jackpot.events import parse_event
from pitboss.jackpot.passwords import CODE_SECONDS, HASHER, matches_password
from pitboss.jackpot.proof_checks import MAX_ATTEMPTS
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.staff_state import SESSION_MAX_SECONDS
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import attempt, credential, session
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

CHOSEN = "correct horse battery"
PEOPLE = {"dora": Role.DEALER, "sue": Role.SUPERVISOR}
WRONG = "name, password or code is wrong"


class Office:
    """A ledger with a dealer and a supervisor who are invited, and a clock that is moved by hand."""

    def __init__(self, folder: Path) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.store = Store(empty_ledger("sqlite", folder))
        self.controller = Controller(self.store, Signer.load_or_create(folder / "key"), lambda: self.now)
        self.controller.create(settings(), EXECUTIVE.name)
        self.staff = CredentialStore(self.controller)
        self.codes = {name: appointed(self.controller, name, role) for name, role in PEOPLE.items()}

    @property
    def state(self) -> ProgressiveState:
        """The progressive's state."""
        return self.controller.refresh()

    def later(self, seconds: int) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)

    def enrolled(self, name: str) -> str:
        """Enrol somebody; return the authenticator's secret."""
        return self.staff.enrol(name, self.codes[name], CHOSEN).totp

    def reset(self, name: str) -> str:
        """Have two people reset somebody; return the code."""
        return appointed(self.controller, name, PEOPLE[name], reset=True)

    def events(self, *kinds: str) -> list[Any]:
        """Return the ledger's events of these kinds."""
        with self.store.begin_read() as transaction:
            events = [parse_event(entry.data) for entry in transaction.read_entries()]
        return [event for event in events if event.kind in kinds]


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.setattr("pitboss.jackpot.passwords.HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    made = Office(tmp_path)
    yield made
    made.store.close()


def test_a_dealer_proves_who_he_is_by_a_password(office: Office) -> None:
    assert office.enrolled("dora") == ""
    assert office.staff.authenticate(office.state, "dora", CHOSEN)[:2] == ("dora", Role.DEALER)
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", CHOSEN + "!")


def test_a_supervisor_needs_a_code_too_and_each_code_works_once(office: Office) -> None:
    clock = pyotp.TOTP(office.enrolled("sue"))
    code = clock.at(office.now)
    assert office.staff.authenticate(office.state, "sue", CHOSEN, code).role is Role.SUPERVISOR
    long_ago = clock.at(office.now - timedelta(seconds=10 * CODE_SECONDS))
    for password, typed, refused in (
        *((CHOSEN, wrong, "wrong-proof") for wrong in ("", "000000")),
        *((CHOSEN, wrong, "code-used") for wrong in (code, long_ago)),
        ("another password", code, "wrong-proof"),  # who does not know the password learns nothing of the code
    ):
        with pytest.raises(ForbiddenError, check=refusal(refused)):
            office.staff.authenticate(office.state, "sue", password, typed)
    office.later(CODE_SECONDS)
    assert office.staff.authenticate(office.state, "sue", CHOSEN, clock.at(office.now))


def test_a_dealer_who_is_made_supervisor_has_no_way_around_the_code(office: Office) -> None:
    office.enrolled("dora")
    code = appointed(office.controller, "dora", Role.SUPERVISOR)
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", CHOSEN, "")
    clock = pyotp.TOTP(office.staff.enrol("dora", code, CHOSEN).totp)
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", CHOSEN, "")
    assert office.staff.authenticate(office.state, "dora", CHOSEN, clock.at(office.now)).role is Role.SUPERVISOR


def test_a_token_works_once_and_for_its_name(office: Office) -> None:
    code = office.codes["dora"]
    for name, given in (
        ("sue", code),
        ("dora", code + "x"),
        ("dora", code[:22]),
        ("dora", code[22:]),
        ("nobody", code),
    ):
        with pytest.raises(ForbiddenError, check=refusal("wrong-token")):
            office.staff.enrol(name, given, CHOSEN)
    office.staff.enrol("dora", code, CHOSEN)
    with pytest.raises(ForbiddenError, check=refusal("wrong-token")):
        office.staff.enrol("dora", code, CHOSEN)


def test_a_token_is_no_password(office: Office) -> None:
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", office.codes["dora"])


@pytest.mark.parametrize("password", ["short", "dora and a horse"])
def test_a_password_is_long_and_not_the_name(office: Office, password: str) -> None:
    with pytest.raises(RefusalError, check=refusal("password-too-short", least=12)):
        office.staff.enrol("dora", office.codes["dora"], password)


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
    code = office.codes["dora"]
    with pytest.raises(RefusalError, match=f"^choose a password that is harder to guess, .*: {reason}"):
        office.staff.enrol("dora", code, password)
    office.staff.enrol("dora", code, "four words of ours" + "." * 150)


def test_no_more_are_judged_however_many_come_at_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts: list[str] = []
    open_attempts = 0

    def during(_hashed: str, password: str) -> bool:
        nonlocal open_attempts
        open_attempts += 1
        if open_attempts < 4 * MAX_ATTEMPTS:
            with pytest.raises(ForbiddenError) as caught:
                office.staff.authenticate(office.state, "dora", "comes before the first has failed")
            verdicts.append(caught.value.code)
        return password == CHOSEN

    office.enrolled("dora")
    monkeypatch.setattr("pitboss.jackpot.proof_checks.matches_password", during)
    with pytest.raises(ForbiddenError, check=refusal("too-many-attempts", name="dora", seconds=15 * 60)):
        office.staff.authenticate(office.state, "dora", CHOSEN)  # right, but it ends after all the others
    assert verdicts == ["wrong-proof"] * MAX_ATTEMPTS + ["too-many-attempts"] * (3 * MAX_ATTEMPTS - 1)


def attempts(office: Office) -> int:
    """Count the failed attempts."""
    with office.store.begin_read() as transaction:
        return len(transaction.connection.execute(attempt.select()).all())


def test_what_ends_in_the_middle_is_no_failure(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.enrolled("dora")
    with monkeypatch.context() as patch:
        patch.setattr("pitboss.jackpot.proof_checks.matches_password", lambda *_: pytest.exit("power cut"))
        for _ in range(2 * MAX_ATTEMPTS):
            with pytest.raises(pytest.exit.Exception):
                office.staff.authenticate(office.state, "dora", CHOSEN)
    assert attempts(office) == 0
    assert office.staff.authenticate(office.state, "dora", CHOSEN)


def test_a_code_that_was_right_once_is_refused_but_is_no_guess(office: Office) -> None:
    clock = pyotp.TOTP(office.enrolled("sue"))
    code, early = clock.at(office.now), clock.at(office.now - timedelta(minutes=5))
    office.staff.authenticate(office.state, "sue", CHOSEN, code)
    for given in (code, early):
        for _ in range(MAX_ATTEMPTS):
            with pytest.raises(WrongProofError, check=refusal("code-used")):
                office.staff.authenticate(office.state, "sue", CHOSEN, given)
    assert attempts(office) == 0
    for name, password, given in (
        ("sue", CHOSEN, "000000"),
        ("sue", CHOSEN + "!", code),
        ("sue", CHOSEN, "\u0663" * 6),
    ):
        with pytest.raises(WrongProofError, check=refusal("wrong-proof")):
            office.staff.authenticate(office.state, name, password, given)
    assert attempts(office) == 3


def test_a_password_that_changes_meanwhile_proves_nothing(office: Office) -> None:
    office.enrolled("dora")
    proof = office.staff.verify_password(office.state, "dora", CHOSEN)
    office.staff.enrol("dora", office.reset("dora"), CHOSEN)
    with pytest.raises(WrongProofError, check=refusal("wrong-proof")):
        office.staff.use_proof(proof)


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


def test_failures_that_count_no_more_are_not_kept(office: Office) -> None:
    office.enrolled("dora")
    for number in range(1, 5):
        for name in ("dora", "nobody"):
            with pytest.raises(ForbiddenError):
                office.staff.authenticate(office.state, name, "a wrong password")
        assert attempts(office) == 2 * min(number, 3)
        office.now += timedelta(minutes=14)


def test_who_has_no_role_any_more_is_nobody(office: Office) -> None:
    office.enrolled("dora")
    token = office.staff.log_in(office.staff.authenticate(office.state, "dora", CHOSEN))
    appointed(office.controller, "dora", Role.DEALER, active=False)
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", CHOSEN)
    with pytest.raises(ForbiddenError, check=refusal("session-ended")):
        office.staff.resume_session(office.state, token)


def test_a_session_ends_when_it_is_idle_or_old_or_ended(office: Office) -> None:
    office.enrolled("dora")
    actor = office.staff.authenticate(office.state, "dora", CHOSEN)
    token = office.staff.log_in(actor)
    office.later(SESSION_IDLE_SECONDS)
    assert office.staff.resume_session(office.state, token) == actor
    office.later(SESSION_IDLE_SECONDS + 1)
    for _ in range(2):
        with pytest.raises(ForbiddenError, check=refusal("session-ended")):
            office.staff.resume_session(office.state, token)
    token = office.staff.log_in(actor)
    for _ in range(SESSION_MAX_SECONDS // SESSION_IDLE_SECONDS):
        office.later(SESSION_IDLE_SECONDS)
        assert office.staff.resume_session(office.state, token) == actor
    office.later(1)
    with pytest.raises(ForbiddenError, check=refusal("session-ended")):
        office.staff.resume_session(office.state, token)
    token = office.staff.log_in(actor)
    office.staff.log_out(token)
    with pytest.raises(ForbiddenError, check=refusal("session-ended")):
        office.staff.resume_session(office.state, token)


def test_an_invitation_ends_what_was_there_before(office: Office) -> None:
    office.enrolled("dora")
    token = office.staff.log_in(office.staff.authenticate(office.state, "dora", CHOSEN))
    office.reset("dora")
    with pytest.raises(ForbiddenError, match=WRONG):
        office.staff.authenticate(office.state, "dora", CHOSEN)
    with pytest.raises(ForbiddenError, check=refusal("session-ended")):
        office.staff.resume_session(office.state, token)


@pytest.mark.parametrize("change", ["reset", "other role", "ended", "own password", "reset and enrolled"])
def test_a_proof_that_waits_through_a_change_of_the_account_is_void(office: Office, change: str) -> None:
    office.enrolled("dora")
    proven = office.staff.authenticate(office.state, "dora", CHOSEN)
    match change:
        case "reset":
            office.reset("dora")
        case "other role":
            appointed(office.controller, "dora", Role.SUPERVISOR)
        case "ended":
            appointed(office.controller, "dora", Role.DEALER, active=False)
        case "own password":
            office.staff.change_password(proven, "another horse, a better one")
        case _:
            office.staff.enrol("dora", office.reset("dora"), "another horse, a better one")
    before = office.state.entries
    for act in (
        lambda: office.staff.log_in(proven),
        lambda: office.staff.change_password(proven, "a third horse, the best one"),
    ):
        with pytest.raises(ForbiddenError, check=refusal("session-ended")):
            act()
    assert office.state.entries == before


def test_neither_password_nor_token_is_kept(office: Office) -> None:
    secret = office.enrolled("sue")
    token = office.codes["dora"]
    office.staff.enrol("dora", token, CHOSEN)
    opened = office.staff.log_in(office.staff.authenticate(office.state, "dora", CHOSEN))
    with office.store.begin_read() as transaction:
        rows = [*transaction.connection.execute(credential.select()), *transaction.connection.execute(session.select())]
    kept = repr(rows)
    assert "$argon2id$" in kept
    assert not any(secret in kept for secret in (CHOSEN, token, opened, secret))


def test_passwords_are_hashed_as_dearly_as_is_advised() -> None:
    assert HASHER.type is Type.ID
    assert HASHER.time_cost >= 3
    assert HASHER.memory_cost >= 12 * 1024  # KiB


def test_every_step_of_an_account_is_an_entry(office: Office) -> None:
    clock = pyotp.TOTP(office.enrolled("sue"))
    actor = office.staff.authenticate(office.state, "sue", CHOSEN, clock.at(office.now))
    token = office.staff.log_in(actor)
    office.staff.log_out(token)
    office.staff.change_password(actor, "another horse, a better one")
    renewed = actor._replace(credential=office.state.staff["sue"].credential)
    office.staff.change_authenticator(renewed)
    office.reset("sue")
    appointed(office.controller, "sue", Role.AUDITOR)
    appointed(office.controller, "sue", Role.AUDITOR, active=False)
    with office.store.begin_read() as transaction:
        kinds = [(entry.kind, entry.actor) for entry in transaction.read_entries() if '"sue"' in entry.data]
    assert kinds == [
        ("requested", "clerk"),
        ("staff-invited", "officer.two"),
        *(("staff-enrolled", "sue"), ("logged-in", "sue"), ("logged-out", "sue")),
        *(("credential-changed", "sue"), ("credential-changed", "sue")),
        *(("requested", "clerk"), ("staff-invited", "officer.two")) * 2,
        *(("requested", "clerk"), ("staff-ended", "officer.two")),
    ]
    assert [each.what for each in office.events("credential-changed")] == ["password", "authenticator"]
    assert [each.act for each in office.events("staff-invited")][-2:] == ["reset", "role"]
    assert office.controller.verify().state.staff["sue"].active is False


def test_failed_proofs_of_known_names_are_entries_and_no_stranger_fills_the_ledger(office: Office) -> None:
    office.enrolled("dora")
    before = office.state.entries
    for name in ("dora", "sue", "nobody", "no.one"):
        for _ in range(3 * MAX_ATTEMPTS):
            with pytest.raises(ForbiddenError):
                office.staff.authenticate(office.state, name, "a wrong password")
    failed = office.events("proof-failed")
    assert [(each.by, each.name, each.count) for each in failed] == [
        ("pitboss", name, count) for name in ("dora", "sue") for count in range(1, MAX_ATTEMPTS + 1)
    ]
    assert office.state.entries == before + 2 * MAX_ATTEMPTS
    office.later(15 * 60)
    with pytest.raises(ForbiddenError, check=refusal("wrong-proof")):
        office.staff.authenticate(office.state, "dora", "a wrong password")
    office.staff.log_in(office.staff.authenticate(office.state, "dora", CHOSEN))
    assert office.events("logged-in")[-1].failures == 1
    for code in (CHOSEN, office.codes["sue"][:22]):
        with pytest.raises(ForbiddenError, check=refusal("wrong-token")):
            office.staff.enrol("sue", code, CHOSEN)
    assert [each.count for each in office.events("proof-failed")[-2:]] == [1, 2]


def test_a_name_is_tried_with_the_same_work_whoever_it_is(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.enrolled("dora")
    office.enrolled("sue")
    appointed(office.controller, "gone", Role.DEALER)
    appointed(office.controller, "gone", Role.DEALER, active=False)
    appointed(office.controller, "invited", Role.EXECUTIVE)
    done: list[str] = []

    def counted(hashed: str, password: str) -> bool:
        done.append("hash" if hashed.startswith("$argon2id$") else "nothing")
        return matches_password(hashed, password)

    monkeypatch.setattr("pitboss.jackpot.proof_checks.matches_password", counted)
    sa.event.listen(office.store.engine, "commit", lambda _connection: done.append("commit"))
    work = {}
    for name in ("dora", "sue", "invited", "gone", "nobody"):
        state = office.state
        done.clear()
        with pytest.raises(ForbiddenError, match=WRONG):
            office.staff.authenticate(state, name, "a wrong password", "123456")
        work[name] = tuple(done)
    assert set(work.values()) == {work["dora"]}
    assert work["dora"].count("hash") == 1
    assert "nothing" not in work["dora"]


def test_an_authenticator_is_sealed_for_its_owner_under_a_key_outside_the_database(
    office: Office, tmp_path: Path
) -> None:
    secret = office.enrolled("sue")
    with office.store.begin_read() as transaction:
        (row,) = transaction.connection.execute(credential.select().where(credential.c.name == "sue"))
    assert secret not in repr(row)
    signer = office.controller.signer
    assert signer.decrypt(row.totp, get_secret_place("sue")) == secret
    for other, place in (
        (signer, get_secret_place("sam")),
        (Signer.load_or_create(tmp_path / "other"), get_secret_place("sue")),
    ):
        with pytest.raises(LedgerError, check=refusal("not-sealed", place=place)):
            other.decrypt(row.totp, place)


def test_one_who_has_no_account_changes_nothing(office: Office) -> None:
    with pytest.raises(ForbiddenError, check=refusal("session-ended")):
        office.staff.change_password(Actor("dora", Role.DEALER), CHOSEN)  # she has not enrolled
    with pytest.raises(RefusalError, check=refusal("no-authenticator", role="dealer")):
        office.staff.change_authenticator(Actor("dora", Role.DEALER))
