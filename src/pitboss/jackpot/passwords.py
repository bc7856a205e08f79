"""Passwords (argon2id) and one-time codes (TOTP).

How strong one has to be, and whether one is right.
"""

import secrets
from collections.abc import Mapping
from functools import cache
from typing import Any

import pyotp
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from zxcvbn import zxcvbn

from pitboss.jackpot.credential_rows import INVITATION_PREFIX, hash_token
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.staff_state import ATTEMPT_WINDOW_SECONDS

MIN_PASSWORD_LENGTH = 12
MIN_PASSWORD_SCORE = 3
"""On zxcvbn's scale of 0 to 4: a hundred million guesses by words, names, dates, key rows and common passwords."""
HASHER = PasswordHasher()
"""argon2id at its library's default cost, which is above what OWASP recommends."""

CODE_SECONDS = 30
RECENT_STEPS = ATTEMPT_WINDOW_SECONDS // CODE_SECONDS
"""How many steps back a code, sent again too late, is refused without being counted as a guess."""

_SCORED_LENGTH = 20
"""The characters of a password that its strength is computed from; authentication checks all of them.

The time grows with the cube of the length: 20 characters take 0.1 s at worst, 72 took 3 s.
"""


def verify_new_password(name: str, password: str, what: str = "password") -> None:
    """Check that a password is hard to guess; ``what`` is what errors call it.

    Raises:
        RefusalError: it is too short, contains the name, or is easily guessed.
    """
    if len(password) < MIN_PASSWORD_LENGTH or name in password:
        raise RefusalError(
            f"choose a {what} of at least {MIN_PASSWORD_LENGTH} characters, without your name",
            code="password-too-short",
            least=MIN_PASSWORD_LENGTH,
        )
    strength = estimate_strength(name, password)
    if strength["score"] < MIN_PASSWORD_SCORE:
        reason = strength["feedback"]["warning"].rstrip(".") or "it is too similar to common passwords"
        raise RefusalError(
            f"choose a {what} that is harder to guess, for example four words of your own: {reason}",
            code="password-too-weak",
        )


def estimate_strength(name: str, password: str) -> Mapping[str, Any]:
    """Return the score of a person's password, with what is weak in it."""
    scored = password[:_SCORED_LENGTH]
    strength: Mapping[str, Any] = zxcvbn(scored, user_inputs=[name, "pitboss"], max_length=_SCORED_LENGTH)
    return strength


def hash_first_code(name: str, code: str) -> str:
    """Return the hash of the code that a first executive chose.

    Raises:
        RefusalError: the code is too short, contains the name, or is easily guessed.
    """
    verify_new_password(name, code, f"first-run code for {name}")
    return HASHER.hash(code)


def matches_code(kept: str, code: str) -> bool:
    """Return whether an invited person's row keeps the hash of a code."""
    if not kept.startswith(INVITATION_PREFIX):
        return False
    hashed = kept.removeprefix(INVITATION_PREFIX)
    if hashed.startswith("$"):  # chosen by a person, and so hashed like a password
        return matches_password(hashed, code)
    return secrets.compare_digest(hashed, hash_token(code))


@cache
def get_decoy_hash() -> str:
    """Return the hash of a random password, to check for unknown names.

    So an unknown name takes as long as a wrong password.
    """
    return HASHER.hash(secrets.token_urlsafe(16))


def matches_password(hashed: str, password: str) -> bool:
    """Return whether a hash is that of a password."""
    try:
        return HASHER.verify(hashed, password)
    except (VerifyMismatchError, InvalidHashError):
        return False


def find_code_step(totp: str, code: str, second: int) -> int:
    """Return the time step of a code, -1 for a wrong code or without a secret.

    The step is the current one or one next to it.
    """
    current = second // CODE_SECONDS
    return next((step for step in range(current - 1, current + 2) if is_code_of_step(totp, code, step)), -1)


def is_code_of_step(totp: str, code: str, step: int) -> bool:
    """Return whether a code is that of a time step; nobody without a secret has one."""
    right = pyotp.TOTP(totp).at(step * CODE_SECONDS) if totp else ""
    return bool(right) and secrets.compare_digest(right.encode(), code.encode(errors="replace"))


def is_recent_code(totp: str, code: str, second: int) -> bool:
    """Return whether a code was right recently, so its sender did not guess."""
    current = second // CODE_SECONDS
    return any(is_code_of_step(totp, code, step) for step in range(current - RECENT_STEPS, current + 2))
