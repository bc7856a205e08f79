"""Who somebody is: a password (argon2id), for supervisors and above a code of the moment (TOTP) too, and sessions.

Roles stand in the ledger's entries; here stands only how people prove who they are.  Nobody has a default password: an
executive names somebody, who is given a token that works once and chooses a password with it.
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
"""Of zxcvbn's 0 to 4: a hundred million guesses by words, names, dates, rows of keys and common passwords."""
HASHER = PasswordHasher()
"""argon2id at its library's own cost, which is above what OWASP asks."""

MAX_ATTEMPTS = 5
ATTEMPT_WINDOW_SECONDS = 15 * 60
SESSION_IDLE_SECONDS = 15 * 60
SESSION_MAX_SECONDS = 12 * 3600
CODE_SECONDS = 30
TOTP_ROLES = {Role.SUPERVISOR, Role.EXECUTIVE}

_INVITATION_PREFIX = "once:"
_SCORED_LENGTH = 72
"""Characters of a password that are looked at for how soon it is guessed; all of them count when it is proved."""


class NewCredential(NamedTuple):
    """What somebody is given who has chosen a password: the secret of an authenticator, "" where none is needed."""

    totp: str


class CredentialStore:
    """The credentials in a ledger's database."""

    def __init__(self, store: Store, clock: Clock = get_utc_now) -> None:
        """Keep them in ``store``."""
        self._store = store
        self._clock = clock

    def invite(self, name: str) -> str:
        """Return a token that works once, for somebody who has a role; it ends whatever they had before."""
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
        """Choose a password with the token that one was given.

        Raises:
            RefusalError: the password is short, holds the name, or is soon guessed.
            ForbiddenError: the token is not the one that was given, or was used.
        """
        _verify_password(name, password)
        member = state.staff.get(name)
        totp = pyotp.random_base32() if member and member.role in TOTP_ROLES else ""
        hashed = HASHER.hash(password)

        def work(transaction: Transaction) -> bool:
            unused = credential.c.name == name, credential.c.password == _INVITATION_PREFIX + _hash_token(token)
            changed = sa.update(credential).where(*unused).values(password=hashed, totp=totp)
            return bool(self._can_attempt(transaction, name) and transaction.connection.execute(changed).rowcount)

        if not self._store.run_write(work):
            self._store.run_write(lambda transaction: self._record_attempt(transaction, name))
            raise ForbiddenError("this token was not given to that name, or was used already")
        return NewCredential(totp)

    def authenticate(self, state: ProgressiveState, name: str, password: str, code: str = "") -> Actor:
        """Return the person who has proved to be ``name``.

        Raises:
            ForbiddenError: the proof fails.
            TooManyError: too many have failed of late.
        """
        number = self._store.run_write(lambda transaction: self._record_attempt(transaction, name))
        if not number:
            message = f"too many attempts: {name} must wait {ATTEMPT_WINDOW_SECONDS // 60} minutes"
            raise TooManyAttemptsError(message, ATTEMPT_WINDOW_SECONDS)
        with self._store.begin_read() as transaction:
            row = transaction.connection.execute(sa.select(credential).where(credential.c.name == name)).first()
        member = state.staff.get(name)
        known = row is not None and member is not None and member.active
        proved = _matches_password(row.password if row and known else _get_decoy_hash(), password)
        if (
            not proved
            or not row
            or not member
            or (member.role in TOTP_ROLES and not self._consume_code(name, row.totp, code))
        ):
            raise ForbiddenError("name, password or code is wrong")
        good = sa.delete(attempt).where(attempt.c.number == number)
        self._store.run_write(lambda transaction: transaction.connection.execute(good))
        return Actor(name, member.role)

    def _consume_code(self, name: str, totp: str, code: str) -> bool:
        """Return whether a code is right, and was not used before; it is now."""
        step = _find_code_step(totp, code, self._get_seconds())
        fresh = credential.c.name == name, credential.c.totp == totp, credential.c.last_code < step
        used = sa.update(credential).where(*fresh).values(last_code=step)
        return self._store.run_write(lambda transaction: transaction.connection.execute(used).rowcount) == 1

    def log_in(self, actor: Actor) -> str:
        """Return the token of a new session of somebody who has proved who they are."""
        token = secrets.token_urlsafe(32)
        now = self._get_seconds()
        row = {"token": _hash_token(token), "name": actor.name, "began": now, "used": now}
        self._store.run_write(lambda transaction: transaction.connection.execute(sa.insert(session), row))
        return token

    def log_out(self, token: str) -> None:
        """End a session."""
        ended = sa.delete(session).where(session.c.token == _hash_token(token))
        self._store.run_write(lambda transaction: transaction.connection.execute(ended))

    def resume_session(self, state: ProgressiveState, token: str) -> Actor:
        """Return whose session a token is, and keep it alive.

        Raises:
            ForbiddenError: it is none, was idle or lasted too long, or its person has no role any more.
        """
        now = self._get_seconds()
        mine = session.c.token == _hash_token(token)

        def work(transaction: Transaction) -> str:
            name = self._find_session_name(transaction, token)
            if name:
                transaction.connection.execute(sa.update(session).where(mine).values(used=now))
            else:
                transaction.connection.execute(sa.delete(session).where(mine))
            return name

        name = self._store.run_write(work)
        member = state.staff.get(name)
        if member is None or not member.active:
            raise ForbiddenError("this session is over: log in")
        return Actor(name, member.role)

    def is_session_live(self, state: ProgressiveState, token: str) -> bool:
        """Return whether a session is still good, without keeping it alive."""
        with self._store.begin_read() as transaction:
            member = state.staff.get(self._find_session_name(transaction, token))
        return bool(member and member.active)

    def _find_session_name(self, transaction: Transaction, token: str) -> str:
        """Return the name of whose session a token is, "" for none and for one that was idle or lasted too long."""
        now = self._get_seconds()
        row = transaction.connection.execute(sa.select(session).where(session.c.token == _hash_token(token))).first()
        good = row and now - row.used <= SESSION_IDLE_SECONDS and now - row.began <= SESSION_MAX_SECONDS
        return str(row.name) if row and good else ""

    def _can_attempt(self, transaction: Transaction, name: str) -> bool:
        recent = attempt.c.name == name, attempt.c.at > self._get_seconds() - ATTEMPT_WINDOW_SECONDS
        failed = transaction.connection.execute(sa.select(sa.func.count()).select_from(attempt).where(*recent))
        return bool(failed.scalar_one() < MAX_ATTEMPTS)

    def _record_attempt(self, transaction: Transaction, name: str) -> int:
        """Count a proof as failed before it is tried, so that many at once are no more than one after another.

        Return its number, by which it is taken back where it succeeds; 0 where it may not be tried.
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
        raise RefusalError(f"choose a password of {MIN_PASSWORD_LENGTH} characters at least, without your name")
    guessed = zxcvbn(password[:_SCORED_LENGTH], user_inputs=[name, "pitboss"], max_length=_SCORED_LENGTH)
    if guessed["score"] < MIN_PASSWORD_SCORE:
        reason = guessed["feedback"]["warning"].rstrip(".") or "it is too like passwords that people choose"
        raise RefusalError(f"choose a password that is harder to guess, four words of your own will do: {reason}")


def _hash_token(token: str) -> str:
    """Return what is kept of a token, which is random and long: a plain hash is enough."""
    return sha256(token.encode()).hexdigest()


@cache
def _get_decoy_hash() -> str:
    """Return the password of nobody: a name that is unknown takes as long as a password that is wrong."""
    return HASHER.hash(secrets.token_urlsafe(16))


def _matches_password(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password)
    except (VerifyMismatchError, InvalidHashError):
        return False


def _find_code_step(totp: str, code: str, second: int) -> int:
    """Return the step of time that a code is of, now or one beside; -1 for a wrong one, or without a secret."""
    if not totp:
        return -1
    steps = (second // CODE_SECONDS + around for around in (-1, 0, 1))
    clock = pyotp.TOTP(totp)
    return next((step for step in steps if secrets.compare_digest(clock.at(step * CODE_SECONDS), code)), -1)
