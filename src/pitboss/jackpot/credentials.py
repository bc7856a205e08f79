"""People's credentials and sessions, from enrolment to log-out.

Roles are in the ledger's entries; this module only authenticates people.  There are no default passwords: two people
invite a person, who gets half of a code from each, and with the whole code chooses a password, once.  Each change, each
log-in and log-out is an entry, in the transaction of its change.
"""

import secrets
from typing import Any, Literal, NamedTuple

import pyotp
import sqlalchemy as sa

from pitboss.jackpot import passwords
from pitboss.jackpot.authenticator_offers import AuthenticatorOffer, ConfirmedSecret, confirm_offer, make_offer
from pitboss.jackpot.credential_rows import find_row, get_secret_place, hash_token, write_row
from pitboss.jackpot.errors import ForbiddenError, RefusalError, TooManyAttemptsError, WrongProofError
from pitboss.jackpot.passwords import CODE_SECONDS, matches_code, verify_new_password
from pitboss.jackpot.proof_checks import TOTP_ROLES, ProofChecker, is_ledger_credential
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.staff_events import CredentialChanged, LoggedIn, LoggedOut, StaffEnrolled
from pitboss.jackpot.staff_state import SESSION_MAX_SECONDS, StaffMember
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.schema import session
from pitboss.ledger.store import Transaction

SESSION_IDLE_SECONDS = 15 * 60


class NewCredential(NamedTuple):
    """The result of choosing a password: an authenticator's secret, "" for none."""

    totp: str


class FirstCode(NamedTuple):
    """The ticket of an offered authenticator, and the first code that it shows."""

    ticket: str
    code: str


class Invitation(NamedTuple):
    """A correct enrolment code: its person, its source, and the hash it matched."""

    name: str
    source: str
    hashed: str


class CredentialStore(ProofChecker):
    """The credentials in a ledger's database, accounted for by its entries."""

    def offer_authenticator(self, name: str) -> AuthenticatorOffer:
        """Offer a new authenticator for a person's account as it stands.

        Nothing of it is stored.  A role that needs none gets an empty offer.
        """
        member = self._controller.refresh().staff[name]
        if member.role not in TOTP_ROLES:
            return AuthenticatorOffer()
        return make_offer(self._controller.signer, name, member.credential)

    def _choose_secret(self, name: str, member: StaffMember, first: FirstCode | None) -> ConfirmedSecret:
        """Return the secret that a first code confirms, or a new one without a ticket."""
        if first is None:
            return ConfirmedSecret(pyotp.random_base32(), 0)
        signer, now = self._controller.signer, self._get_seconds()
        return confirm_offer(signer, name, member.credential, first.ticket, first.code, now)

    def enrol(self, name: str, code: str, password: str) -> NewCredential:
        """Set a person's password with the code that two people gave them.

        Raises:
            RefusalError: the password is too short, contains the name, or is easily guessed.
            WrongProofError: the code is wrong, or was used.
            TooManyAttemptsError: too many attempts failed recently.
        """
        return self.accept_invitation(self.verify_invitation(name, code), password)

    def verify_invitation(self, name: str, code: str, *, source: str = "") -> Invitation:
        """Verify the code that a person was invited with.

        It costs little unless name and code are right, so nobody without a code can keep the server busy.

        Raises:
            WrongProofError: the code is wrong, or was used.
            TooManyAttemptsError: too many attempts failed recently.
        """
        state = self._controller.refresh()
        with self._store.begin_read() as transaction:
            member, row = state.staff.get(name), find_row(transaction, name)
            may_try = self._can_attempt(transaction, name, source)
        if may_try and member and is_ledger_credential(row, member) and matches_code(row.password, code):
            return Invitation(name, source, row.password)
        raise self._refuse_code(name, source)

    def accept_invitation(self, invitation: Invitation, password: str, first: FirstCode | None = None) -> NewCredential:
        """Set the password of an invited person, whose code was right.

        ``first`` confirms the authenticator that was offered; without it the person gets another one.

        Raises:
            RefusalError: the password is too short, contains the name, or is easily guessed, or the first code of the
                authenticator is wrong.
            WrongProofError: the code was used meanwhile.
        """
        name, source, _ = invitation
        verify_new_password(name, password)
        hashed = passwords.HASHER.hash(password)

        def work(
            transaction: Transaction, state: ProgressiveState, now: int
        ) -> tuple[tuple[StaffEnrolled, ...], NewCredential | None]:
            member, row = state.staff.get(name), find_row(transaction, name)
            if not (member and is_ledger_credential(row, member) and row.password == invitation.hashed):
                return (), None
            needs_code = member.role in TOTP_ROLES
            totp, step = self._choose_secret(name, member, first) if needs_code else ConfirmedSecret("", 0)
            sealed = self._controller.signer.encrypt(totp, get_secret_place(name))
            digest = write_row(transaction, name, hashed, sealed, step)
            at = max(now, member.sponsored_at)  # a clock set back shortens no apart time
            return (StaffEnrolled(by=name, at=at, credential=digest),), NewCredential(totp)

        enrolled = self._controller.run_credential_change(work)
        if not enrolled:
            raise self._refuse_code(name, source)
        return enrolled

    def _refuse_code(self, name: str, source: str) -> ForbiddenError:
        refusal = self._refuse(name, source)
        if isinstance(refusal, TooManyAttemptsError):
            return refusal
        return WrongProofError("this code is not valid for that name, or was used already", code="wrong-token")

    def change_password(self, actor: Actor, password: str) -> None:
        """Change the password of an authenticated person, whose sessions end.

        Raises:
            RefusalError: the password is too short, contains the name, or is easily guessed.
        """
        verify_new_password(actor.name, password)
        self._change(actor, "password", passwords.HASHER.hash(password), None)

    def change_authenticator(self, actor: Actor, first: FirstCode | None = None) -> NewCredential:
        """Give an authenticated person a new authenticator; their sessions end.

        ``first`` confirms the one that was offered; without it the person gets another one.

        Raises:
            RefusalError: the person's role needs none, or the first code is wrong.
        """
        if actor.role not in TOTP_ROLES:
            raise RefusalError(
                f"{actor.name} has the role {actor.role}, which needs no authenticator",
                code="no-authenticator",
                role=actor.role,
            )
        member = _get_proven_member(self._controller.refresh(), actor)
        totp, step = self._choose_secret(actor.name, member, first)
        sealed = self._controller.signer.encrypt(totp, get_secret_place(actor.name))
        self._change(actor, "authenticator", None, sealed, step)
        return NewCredential(totp)

    def _change(
        self,
        actor: Actor,
        what: Literal["password", "authenticator"],
        password: str | None,
        totp: str | None,
        used_step: int = 0,
    ) -> None:
        def work(
            transaction: Transaction, state: ProgressiveState, now: int
        ) -> tuple[tuple[CredentialChanged, ...], None]:
            member, row = _get_proven_member(state, actor), find_row(transaction, actor.name)
            if not is_ledger_credential(row, member):
                raise ForbiddenError("this session has ended: log in again", code="session-ended")
            kept = password or row.password, row.totp if totp is None else totp
            digest = write_row(transaction, actor.name, *kept, used_step)
            return (CredentialChanged(by=actor.name, at=now, what=what, credential=digest),), None

        self._controller.run_credential_change(work)

    def log_in(self, actor: Actor) -> str:
        """Start a session of an authenticated person and return its token.

        Raises:
            ForbiddenError: the account was changed since it was authenticated.
        """
        token, began = secrets.token_urlsafe(32), self._get_seconds()
        row = {"token": hash_token(token), "name": actor.name, "began": began, "used": began}

        def work(transaction: Transaction, state: ProgressiveState, _now: int) -> tuple[tuple[LoggedIn, ...], None]:
            _get_proven_member(state, actor)
            expired = session.c.began < began - SESSION_MAX_SECONDS  # as the entry ends them in the state
            transaction.connection.execute(sa.delete(session).where(expired))
            transaction.connection.execute(sa.insert(session), row)
            failures = sum(self._count_attempts(transaction, actor.name).values())
            return (LoggedIn(by=actor.name, at=began, session=hash_token(token), failures=failures),), None

        self._controller.run_credential_change(work)
        return token

    def log_out(self, token: str) -> None:
        """End a session."""

        def work(transaction: Transaction, state: ProgressiveState, _now: int) -> tuple[tuple[LoggedOut, ...], None]:
            delete = sa.delete(session).where(session.c.token == hash_token(token))
            begun = state.sessions.get(hash_token(token))
            is_live = transaction.connection.execute(delete).rowcount and begun
            return (LoggedOut(by=begun.name, session=hash_token(token)),) if begun and is_live else (), None

        self._controller.run_credential_change(work)

    def resume_session(self, state: ProgressiveState, token: str) -> Actor:
        """Return the person of a session and keep it alive.

        Raises:
            ForbiddenError: there is no such session, it was idle or lasted too long, or its person's role has ended.
        """
        now = self._get_seconds()
        same_token = session.c.token == hash_token(token)

        def work(transaction: Transaction) -> str:
            name = self._find_session_name(transaction, state, token)
            if name:
                transaction.connection.execute(sa.update(session).where(same_token).values(used=now))
            else:
                transaction.connection.execute(sa.delete(session).where(same_token))
            return name

        name = self._store.run_write(work)
        member = state.staff.get(name)
        if member is None or not member.active:
            raise ForbiddenError("this session has ended: log in again", code="session-ended")
        return Actor(name, member.role, member.credential)

    def is_session_live(self, state: ProgressiveState, token: str) -> bool:
        """Return whether a session is still valid, without keeping it alive."""
        with self._store.begin_read() as transaction:
            member = state.staff.get(self._find_session_name(transaction, state, token))
        return bool(member and member.active)

    def _find_session_name(self, transaction: Transaction, state: ProgressiveState, token: str) -> str:
        """Return the name of a session's person, "" if none or the session is over.

        A session is over if it was idle or lasted too long.  One that no entry began is none.
        """
        row = transaction.connection.execute(sa.select(session).where(session.c.token == hash_token(token))).first()
        return self._find_live_name(row, state) if row else ""

    def list_present(self, state: ProgressiveState) -> dict[str, int]:
        """Return who has a live session, and since when, in seconds."""
        with self._store.begin_read() as transaction:
            rows = transaction.connection.execute(sa.select(session).order_by(session.c.began.desc())).all()
        live = {self._find_live_name(row, state): int(row.began) for row in rows}
        return {name: began for name, began in live.items() if name and state.staff[name].active}

    def _find_live_name(self, row: Any, state: ProgressiveState) -> str:
        now, begun = self._get_seconds(), state.sessions.get(row.token)
        if begun is None:
            return ""
        # One of the future was used while the clock was ahead.
        is_live = begun.began <= row.used <= now + CODE_SECONDS and now - row.used <= SESSION_IDLE_SECONDS
        return begun.name if is_live and now - begun.began <= SESSION_MAX_SECONDS else ""


def _get_proven_member(state: ProgressiveState, actor: Actor) -> StaffMember:
    """Return the account whose credential and role an authenticated person proved.

    A proof is for the account as it stood: one that waited through a reset, a change of role or a new password is void.

    Raises:
        ForbiddenError: the account has changed since, or has ended.
    """
    member = state.staff.get(actor.name)
    if not (member and member.active and (member.role, member.credential) == (actor.role, actor.credential)):
        raise ForbiddenError("this session has ended: log in again", code="session-ended")
    return member
