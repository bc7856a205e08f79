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

from pitboss.jackpot.refusal import ForbiddenError, RefusalError, TooManyError
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.service import Clock, utc_now
from pitboss.jackpot.state import State
from pitboss.ledger.schema import attempt, credential, session
from pitboss.ledger.store import Store, Transaction

LEAST_PASSWORD = 12
LEAST_SCORE = 3
"""Of zxcvbn's 0 to 4: a hundred million guesses by words, names, dates, rows of keys and common passwords."""
HASHER = PasswordHasher()
"""argon2id at its library's own cost, which is above what OWASP asks."""

ATTEMPTS = 5
ATTEMPT_SECONDS = 15 * 60
IDLE_SECONDS = 15 * 60
ABSOLUTE_SECONDS = 12 * 3600
CODE_SECONDS = 30
WITH_CODE = {Role.SUPERVISOR, Role.EXECUTIVE}

_ONCE = "once:"
_READ = 72
"""Characters of a password that are looked at for how soon it is guessed; all of them count when it is proved."""


class Enrolled(NamedTuple):
    """What somebody is given who has chosen a password: the secret of an authenticator, "" where none is needed."""

    totp: str


class Staff:
    """The credentials in a ledger's database."""

    def __init__(self, store: Store, clock: Clock = utc_now) -> None:
        """Keep them in ``store``."""
        self._store = store
        self._clock = clock

    def invite(self, name: str) -> str:
        """Return a token that works once, for somebody who has a role; it ends whatever they had before."""
        token = secrets.token_urlsafe(16)
        row = {"name": name, "password": _ONCE + _hashed(token), "totp": "", "last_code": 0}

        def work(transaction: Transaction) -> None:
            connection = transaction.connection
            connection.execute(sa.delete(credential).where(credential.c.name == name))
            connection.execute(sa.delete(session).where(session.c.name == name))
            connection.execute(sa.insert(credential), row)

        self._store.writing(work)
        return token

    def enrol(self, state: State, name: str, token: str, password: str) -> Enrolled:
        """Choose a password with the token that one was given.

        Raises:
            RefusalError: the password is short, holds the name, or is soon guessed.
            ForbiddenError: the token is not the one that was given, or was used.
        """
        _check_password(name, password)
        member = state.staff.get(name)
        totp = pyotp.random_base32() if member and member.role in WITH_CODE else ""
        hashed = HASHER.hash(password)

        def work(transaction: Transaction) -> bool:
            unused = credential.c.name == name, credential.c.password == _ONCE + _hashed(token)
            changed = sa.update(credential).where(*unused).values(password=hashed, totp=totp)
            return bool(self._allowed(transaction, name) and transaction.connection.execute(changed).rowcount)

        if not self._store.writing(work):
            self._store.writing(lambda transaction: self._counted(transaction, name))
            raise ForbiddenError("this token was not given to that name, or was used already")
        return Enrolled(totp)

    def prove(self, state: State, name: str, password: str, code: str = "") -> Actor:
        """Return the person who has proved to be ``name``.

        Raises:
            ForbiddenError: the proof fails.
            TooManyError: too many have failed of late.
        """
        number = self._store.writing(lambda transaction: self._counted(transaction, name))
        if not number:
            message = f"too many attempts: {name} must wait {ATTEMPT_SECONDS // 60} minutes"
            raise TooManyError(message, ATTEMPT_SECONDS)
        with self._store.reading() as transaction:
            row = transaction.connection.execute(sa.select(credential).where(credential.c.name == name)).first()
        member = state.staff.get(name)
        known = row is not None and member is not None and member.active
        proved = _is_password(row.password if row and known else _nobody(), password)
        if not proved or not row or not member or (member.role in WITH_CODE and not self._used(name, row.totp, code)):
            raise ForbiddenError("name, password or code is wrong")
        good = sa.delete(attempt).where(attempt.c.number == number)
        self._store.writing(lambda transaction: transaction.connection.execute(good))
        return Actor(name, member.role)

    def _used(self, name: str, totp: str, code: str) -> bool:
        """Return whether a code is right, and was not used before; it is now."""
        step = _step_of(totp, code, self._seconds())
        fresh = credential.c.name == name, credential.c.totp == totp, credential.c.last_code < step
        used = sa.update(credential).where(*fresh).values(last_code=step)
        return self._store.writing(lambda transaction: transaction.connection.execute(used).rowcount) == 1

    def log_in(self, actor: Actor) -> str:
        """Return the token of a new session of somebody who has proved who they are."""
        token = secrets.token_urlsafe(32)
        now = self._seconds()
        row = {"token": _hashed(token), "name": actor.name, "began": now, "used": now}
        self._store.writing(lambda transaction: transaction.connection.execute(sa.insert(session), row))
        return token

    def log_out(self, token: str) -> None:
        """End a session."""
        ended = sa.delete(session).where(session.c.token == _hashed(token))
        self._store.writing(lambda transaction: transaction.connection.execute(ended))

    def resume(self, state: State, token: str) -> Actor:
        """Return whose session a token is, and keep it alive.

        Raises:
            ForbiddenError: it is none, was idle or lasted too long, or its person has no role any more.
        """
        now = self._seconds()
        mine = session.c.token == _hashed(token)

        def work(transaction: Transaction) -> str:
            name = self._live(transaction, token)
            if name:
                transaction.connection.execute(sa.update(session).where(mine).values(used=now))
            else:
                transaction.connection.execute(sa.delete(session).where(mine))
            return name

        name = self._store.writing(work)
        member = state.staff.get(name)
        if member is None or not member.active:
            raise ForbiddenError("this session is over: log in")
        return Actor(name, member.role)

    def lasts(self, state: State, token: str) -> bool:
        """Return whether a session is still good, without keeping it alive."""
        with self._store.reading() as transaction:
            member = state.staff.get(self._live(transaction, token))
        return bool(member and member.active)

    def _live(self, transaction: Transaction, token: str) -> str:
        """Return the name of whose session a token is, "" for none and for one that was idle or lasted too long."""
        now = self._seconds()
        row = transaction.connection.execute(sa.select(session).where(session.c.token == _hashed(token))).first()
        good = row and now - row.used <= IDLE_SECONDS and now - row.began <= ABSOLUTE_SECONDS
        return str(row.name) if row and good else ""

    def _allowed(self, transaction: Transaction, name: str) -> bool:
        recent = attempt.c.name == name, attempt.c.at > self._seconds() - ATTEMPT_SECONDS
        failed = transaction.connection.execute(sa.select(sa.func.count()).select_from(attempt).where(*recent))
        return bool(failed.scalar_one() < ATTEMPTS)

    def _counted(self, transaction: Transaction, name: str) -> int:
        """Count a proof as failed before it is tried, so that many at once are no more than one after another.

        Return its number, by which it is taken back where it succeeds; 0 where it may not be tried.
        """
        if not self._allowed(transaction, name):
            return 0
        last = sa.func.coalesce(sa.func.max(attempt.c.number), 0)
        number = int(transaction.connection.execute(sa.select(last)).scalar_one()) + 1
        transaction.connection.execute(sa.insert(attempt), {"number": number, "name": name, "at": self._seconds()})
        return number

    def _seconds(self) -> int:
        now: datetime = self._clock()
        return int(now.timestamp())


def _check_password(name: str, password: str) -> None:
    if len(password) < LEAST_PASSWORD or name in password:
        raise RefusalError(f"choose a password of {LEAST_PASSWORD} characters at least, without your name")
    guessed = zxcvbn(password[:_READ], user_inputs=[name, "pitboss"], max_length=_READ)
    if guessed["score"] < LEAST_SCORE:
        reason = guessed["feedback"]["warning"].rstrip(".") or "it is too like passwords that people choose"
        raise RefusalError(f"choose a password that is harder to guess, four words of your own will do: {reason}")


def _hashed(token: str) -> str:
    """Return what is kept of a token, which is random and long: a plain hash is enough."""
    return sha256(token.encode()).hexdigest()


@cache
def _nobody() -> str:
    """Return the password of nobody: a name that is unknown takes as long as a password that is wrong."""
    return HASHER.hash(secrets.token_urlsafe(16))


def _is_password(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password)
    except (VerifyMismatchError, InvalidHashError):
        return False


def _step_of(totp: str, code: str, second: int) -> int:
    """Return the step of time that a code is of, now or one beside; -1 for a wrong one, or without a secret."""
    if not totp:
        return -1
    steps = (second // CODE_SECONDS + around for around in (-1, 0, 1))
    clock = pyotp.TOTP(totp)
    return next((step for step in steps if secrets.compare_digest(clock.at(step * CODE_SECONDS), code)), -1)
