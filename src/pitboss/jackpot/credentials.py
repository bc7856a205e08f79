"""Authentication: passwords (argon2id), for supervisors and executives also a one-time code (TOTP), and sessions.

Roles are in the ledger's entries; this module only authenticates people.  There are no default passwords: an executive
adds a person, who gets a token that works once and chooses a password with it.
"""

import secrets
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import NamedTuple

import pyotp
import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from zxcvbn import zxcvbn

from pitboss.jackpot.controller import Clock, get_utc_now
from pitboss.jackpot.errors import ForbiddenError, RefusalError, TooManyAttemptsError
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.schema import attempt, credential, session
from pitboss.ledger.store import Store, Transaction

MIN_PASSWORD_LENGTH = 12
MIN_PASSWORD_SCORE = 3
"""On zxcvbn's scale of 0 to 4: a hundred million guesses by words, names, dates, key rows and common passwords."""
HASHER = PasswordHasher()
"""argon2id at its library's default cost, which is above what OWASP recommends."""

MAX_ATTEMPTS = 5
ATTEMPT_WINDOW_SECONDS = 15 * 60
SESSION_IDLE_SECONDS = 15 * 60
SESSION_MAX_SECONDS = 12 * 3600
CODE_SECONDS = 30
TOTP_ROLES = {Role.SUPERVISOR, Role.EXECUTIVE}

_INVITATION_PREFIX = "once:"
_SCORED_LENGTH = 72
"""The characters of a password that its strength is computed from; authentication checks all of them."""


class NewCredential(NamedTuple):
    """The result of choosing a password: the secret of an authenticator, "" if none is needed."""

    totp: str


class CredentialStore:
    """The credentials in a ledger's database."""

    def __init__(self, store: Store, clock: Clock = get_utc_now) -> None:
        """Use the database of ``store``."""
        self._store = store
        self._clock = clock

    def invite(self, name: str) -> str:
        """Return a token that works once for a person with a role; it voids their old credentials and sessions."""
        token = secrets.token_urlsafe(16)
        row = {"name": name, "password": _INVITATION_PREFIX + _hash_token(token), "totp": "", "last_code": 0}

        def work(transaction: Transaction) -> None:
            connection = transaction.connection
            connection.execute(sa.delete(credential).where(credential.c.name == name))
            connection.execute(sa.delete(session).where(session.c.name == name))
            connection.execute(sa.insert(credential), row)

        self._store.run_write(work)
        return token

    def enrol(self, state: ProgressiveState, name: str, token: str, password: str) -> NewCredential:
        """Set a person's password with the token they were given.

        Raises:
            RefusalError: the password is too short, contains the name, or is easily guessed.
            ForbiddenError: the token is wrong, or was used.
        """
        _verify_password(name, password)
        member = state.staff.get(name)
        totp = pyotp.random_base32() if member and member.role in TOTP_ROLES else ""
        hashed = HASHER.hash(password)

        def work(transaction: Transaction) -> bool:
            unused = credential.c.name == name, credential.c.password == _INVITATION_PREFIX + _hash_token(token)
            update = sa.update(credential).where(*unused).values(password=hashed, totp=totp)
            return bool(self._can_attempt(transaction, name) and transaction.connection.execute(update).rowcount)

        if not self._store.run_write(work):
            self._store.run_write(lambda transaction: self._record_attempt(transaction, name))
            raise ForbiddenError("this token is not valid for that name, or was used already")
        return NewCredential(totp)

    def authenticate(self, state: ProgressiveState, name: str, password: str, code: str = "") -> Actor:
        """Return the person ``name``, authenticated by password and code.

        Raises:
            ForbiddenError: name, password or code is wrong.
            TooManyAttemptsError: too many attempts failed recently.
        """
        number = self._store.run_write(lambda transaction: self._record_attempt(transaction, name))
        if not number:
            message = f"too many attempts: {name} must wait {ATTEMPT_WINDOW_SECONDS // 60} minutes"
            raise TooManyAttemptsError(message, ATTEMPT_WINDOW_SECONDS)
        with self._store.begin_read() as transaction:
            row = transaction.connection.execute(sa.select(credential).where(credential.c.name == name)).first()
        member = state.staff.get(name)
        known = row is not None and member is not None and member.active
        matches = _matches_password(row.password if row and known else _get_decoy_hash(), password)
        if (
            not matches
            or not row
            or not member
            or (member.role in TOTP_ROLES and not self._consume_code(name, row.totp, code))
        ):
            raise ForbiddenError("name, password or code is wrong")
        success = sa.delete(attempt).where(attempt.c.number == number)
        self._store.run_write(lambda transaction: transaction.connection.execute(success))
        return Actor(name, member.role)

    def _consume_code(self, name: str, totp: str, code: str) -> bool:
        """Return whether a code is right and was not used before, and mark it used."""
        step = _find_code_step(totp, code, self._get_seconds())
        unused = credential.c.name == name, credential.c.totp == totp, credential.c.last_code < step
        update = sa.update(credential).where(*unused).values(last_code=step)
        return self._store.run_write(lambda transaction: transaction.connection.execute(update).rowcount) == 1

    def log_in(self, actor: Actor) -> str:
        """Start a session of an authenticated person and return its token."""
        token = secrets.token_urlsafe(32)
        now = self._get_seconds()
        row = {"token": _hash_token(token), "name": actor.name, "began": now, "used": now}
        self._store.run_write(lambda transaction: transaction.connection.execute(sa.insert(session), row))
        return token

    def log_out(self, token: str) -> None:
        """End a session."""
        delete = sa.delete(session).where(session.c.token == _hash_token(token))
        self._store.run_write(lambda transaction: transaction.connection.execute(delete))

    def resume_session(self, state: ProgressiveState, token: str) -> Actor:
        """Return the person of a session and keep it alive.

        Raises:
            ForbiddenError: there is no such session, it was idle or lasted too long, or its person's role has ended.
        """
        now = self._get_seconds()
        same_token = session.c.token == _hash_token(token)

        def work(transaction: Transaction) -> str:
            name = self._find_session_name(transaction, token)
            if name:
                transaction.connection.execute(sa.update(session).where(same_token).values(used=now))
            else:
                transaction.connection.execute(sa.delete(session).where(same_token))
            return name

        name = self._store.run_write(work)
        member = state.staff.get(name)
        if member is None or not member.active:
            raise ForbiddenError("this session has ended: log in again")
        return Actor(name, member.role)

    def is_session_live(self, state: ProgressiveState, token: str) -> bool:
        """Return whether a session is still valid, without keeping it alive."""
        with self._store.begin_read() as transaction:
            member = state.staff.get(self._find_session_name(transaction, token))
        return bool(member and member.active)

    def _find_session_name(self, transaction: Transaction, token: str) -> str:
        """Return the person's name of a session, "" if there is none, or it was idle or lasted too long."""
        now = self._get_seconds()
        row = transaction.connection.execute(sa.select(session).where(session.c.token == _hash_token(token))).first()
        is_live = row and now - row.used <= SESSION_IDLE_SECONDS and now - row.began <= SESSION_MAX_SECONDS
        return str(row.name) if row and is_live else ""

    def _can_attempt(self, transaction: Transaction, name: str) -> bool:
        recent = attempt.c.name == name, attempt.c.at > self._get_seconds() - ATTEMPT_WINDOW_SECONDS
        failed = transaction.connection.execute(sa.select(sa.func.count()).select_from(attempt).where(*recent))
        return bool(failed.scalar_one() < MAX_ATTEMPTS)

    def _record_attempt(self, transaction: Transaction, name: str) -> int:
        """Count an attempt as failed before it is tried, so that parallel attempts count like consecutive ones.

        Return its number, by which it is removed if it succeeds; 0 if no attempt is allowed now.
        """
        if not self._can_attempt(transaction, name):
            return 0
        last = sa.func.coalesce(sa.func.max(attempt.c.number), 0)
        number = int(transaction.connection.execute(sa.select(last)).scalar_one()) + 1
        transaction.connection.execute(sa.insert(attempt), {"number": number, "name": name, "at": self._get_seconds()})
        return number

    def _get_seconds(self) -> int:
        now: datetime = self._clock()
        return int(now.timestamp())


def _verify_password(name: str, password: str) -> None:
    if len(password) < MIN_PASSWORD_LENGTH or name in password:
        raise RefusalError(f"choose a password of at least {MIN_PASSWORD_LENGTH} characters, without your name")
    strength = zxcvbn(password[:_SCORED_LENGTH], user_inputs=[name, "pitboss"], max_length=_SCORED_LENGTH)
    if strength["score"] < MIN_PASSWORD_SCORE:
        reason = strength["feedback"]["warning"].rstrip(".") or "it is too similar to common passwords"
        raise RefusalError(f"choose a password that is harder to guess, for example four words of your own: {reason}")


def _hash_token(token: str) -> str:
    """Return the stored hash of a token; tokens are random and long, so a plain hash is enough."""
    return sha256(token.encode()).hexdigest()


@cache
def _get_decoy_hash() -> str:
    """Return the hash of a random password, so that an unknown name takes as long as a wrong password."""
    return HASHER.hash(secrets.token_urlsafe(16))


def _matches_password(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password)
    except (VerifyMismatchError, InvalidHashError):
        return False


def _find_code_step(totp: str, code: str, second: int) -> int:
    """Return the time step of a code, the current one or one next to it; -1 for a wrong code or without a secret."""
    if not totp:
        return -1
    steps = (second // CODE_SECONDS + offset for offset in (-1, 0, 1))
    clock = pyotp.TOTP(totp)
    return next((step for step in steps if secrets.compare_digest(clock.at(step * CODE_SECONDS), code)), -1)
