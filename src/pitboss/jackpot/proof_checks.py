"""Checks of passwords and one-time codes.

The password is checked first, the code in the transaction of the command that it is given for.
A failed attempt is an entry if its name is known, at most ``MAX_ATTEMPTS`` for a name in ``ATTEMPT_WINDOW_SECONDS``,
so that nobody can fill the ledger by guessing.
"""

from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa

from pitboss.jackpot.controller import SYSTEM_ACTOR, Controller
from pitboss.jackpot.credential_rows import digest_row, find_row, get_secret_place
from pitboss.jackpot.errors import ForbiddenError, TooManyAttemptsError, WrongProofError
from pitboss.jackpot.passwords import (
    CODE_SECONDS,
    find_code_step,
    get_decoy_hash,
    is_code_of_step,
    is_recent_code,
    matches_password,
)
from pitboss.jackpot.proofs import Proof, get_noted_step, note_step
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.staff_events import ProofFailed
from pitboss.jackpot.staff_state import ATTEMPT_WINDOW_SECONDS, StaffMember
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.chain import CommandAnswer
from pitboss.ledger.command_log import ProofResult
from pitboss.ledger.schema import attempt, credential
from pitboss.ledger.store import Transaction

MAX_ATTEMPTS = 5
"""Failures of a name from one source: a network, or the command line."""

MAX_NAME_ATTEMPTS = 100
"""Failures of a name from all sources.  Beyond it, each source keeps one attempt, so nobody else can lock it out."""

TOTP_ROLES = {Role.SUPERVISOR, Role.EXECUTIVE}


class ProofChecker:
    """Checks passwords and codes against a ledger's database, and counts failures."""

    def __init__(self, controller: Controller) -> None:
        """Use the ledger of ``controller``, its key ring and its clock."""
        self._controller, self._store = controller, controller.store

    def authenticate(self, state: ProgressiveState, name: str, password: str, code: str = "") -> Actor:
        """Return the person ``name``, authenticated by password and code.

        Raises:
            WrongProofError: name, password or code is wrong.
            TooManyAttemptsError: too many attempts failed recently.
        """
        return self.use_proof(self.verify_password(state, name, password, code))

    def use_proof(self, proof: Proof) -> Actor:
        """Use the code of a proof by itself, not with a command; return the person.

        Raises:
            WrongProofError: the code is wrong.
            TooManyAttemptsError: too many attempts failed recently.
        """
        result = self._store.run_write(lambda transaction: proof.admit(transaction, None))
        if result.refusal:
            if isinstance(result.refusal, WrongProofError) and result.refusal.is_counted:
                proof.record_failure()
            raise result.refusal
        return proof.actor

    def verify_password(
        self,
        state: ProgressiveState,
        name: str,
        password: str,
        code: str = "",
        *,
        source: str = "",
        used_step: int = -1,
    ) -> Proof:
        """Verify a person's password and return a proof, for use with a command.

        ``source`` is where the attempt comes from.  After too many failures there, only an attempt with a correct code
        is tried: somebody who guesses has none, and the person who has one need not wait.  ``used_step`` is the time
        step of a code that was correct and is used up, -1 for none.

        Only failures are counted: a process that ends before one leaves no trace.  Simultaneous attempts are limited as
        well, because the result of each waits for the count of those before it.

        Raises:
            WrongProofError: the name or the password is wrong.
            TooManyAttemptsError: too many attempts failed recently.
        """
        with self._store.begin_read() as transaction:
            row = find_row(transaction, name)
            is_limited = used_step < 0 and not self._can_attempt(transaction, name, source)
        if is_limited:
            used_step = self.consume_code(state, name, code)
            if used_step < 0:
                raise _make_wait_error(name)
        member = state.staff.get(name)
        known = member is not None and member.active and member.enrolled and is_ledger_credential(row, member)
        matches = matches_password(row.password if known else get_decoy_hash(), password)
        if not (known and matches and member):
            raise self._refuse(name, source)
        claim = _Claim(name, member.role in TOTP_ROLES, row.password, code, source, used_step)
        return Proof(
            Actor(name, member.role, member.credential),
            partial(self._admit, claim),
            partial(self._record_failure, name),
        )

    def consume_code(self, state: ProgressiveState, name: str, code: str) -> int:
        """Use up a person's code if it is right; return its time step, else -1.

        Each code works once, so it allows one attempt, whether the password is right or not.
        """
        member = state.staff.get(name)
        if member is None or not member.active or member.role not in TOTP_ROLES:
            return -1

        def work(transaction: Transaction) -> int:
            row = find_row(transaction, name)
            return self._consume_code(transaction, row, code) if is_ledger_credential(row, member) else -1

        return self._store.run_write(work)

    def _consume_code(self, transaction: Transaction, row: Any, code: str) -> int:
        """Use up a code in a transaction; return its time step, -1 if wrong or used."""
        now = self._get_seconds()
        step = find_code_step(self._decrypt_totp(row), code, now)
        # A last code of the future was used while the clock was ahead: it refuses no code but its own.
        if step < 0 or (step <= row.last_code <= now // CODE_SECONDS + 1):
            return -1
        update = sa.update(credential).where(credential.c.name == row.name).values(last_code=step)
        transaction.connection.execute(update)
        return step

    def _decrypt_totp(self, row: Any) -> str:
        return self._controller.signer.decrypt(row.totp, get_secret_place(row.name))

    def _admit(self, claim: "_Claim", transaction: Transaction, first: CommandAnswer | None) -> ProofResult:
        """Use the code of a proof in the transaction of its command.

        A repeated command may bring the code that its first answer notes.
        """
        name = claim.name
        if claim.used_step < 0 and not self._can_attempt(transaction, name, claim.source):
            return ProofResult(_make_wait_error(name))
        row = find_row(transaction, name)
        if row is None or row.password != claim.hashed:  # changed since the password was verified
            return ProofResult(_make_wrong_proof_error(is_counted=False))
        if not claim.needs_code:
            return ProofResult()
        if claim.used_step >= 0:
            return note_step(claim.used_step)
        noted, totp = get_noted_step(first, name), self._decrypt_totp(row)
        if noted >= 0 and is_code_of_step(totp, claim.code, noted):
            return ProofResult()
        step = self._consume_code(transaction, row, claim.code)
        if step >= 0:
            return note_step(step)
        if is_recent_code(totp, claim.code, self._get_seconds()):
            return ProofResult(
                WrongProofError(
                    "this code was used already or is out of date: wait for the next one from your authenticator",
                    code="code-used",
                    is_counted=False,
                )
            )
        return ProofResult(self._count_failure(transaction, name, claim.source))

    def _refuse(self, name: str, source: str) -> ForbiddenError:
        """Count a failed attempt, write its entry, and return its refusal."""
        refusal = self._store.run_write(lambda transaction: self._count_failure(transaction, name, source))
        self._record_failure(name)
        return refusal

    def _count_failure(self, transaction: Transaction, name: str, source: str) -> ForbiddenError:
        """Count a failed attempt and return its refusal.

        If too many have failed meanwhile, the refusal is that, and says nothing of the attempt.
        """
        if not self._can_attempt(transaction, name, source):
            return _make_wait_error(name)
        last = sa.func.coalesce(sa.func.max(attempt.c.number), 0)
        number = int(transaction.connection.execute(sa.select(last)).scalar_one()) + 1
        now = self._get_seconds()
        transaction.connection.execute(sa.delete(attempt).where(attempt.c.at < now - 2 * ATTEMPT_WINDOW_SECONDS))
        row = {"number": number, "name": name, "at": now, "place": source}
        transaction.connection.execute(sa.insert(attempt), row)
        return _make_wrong_proof_error()

    def _record_failure(self, name: str) -> None:
        """Write the entry of a failed attempt, if its name is known and within bounds.

        For any other name it costs a transaction, too.
        """

        def work(transaction: Transaction, state: ProgressiveState, now: int) -> tuple[tuple[ProofFailed, ...], None]:
            count = max(1, sum(self._count_attempts(transaction, name).values()))
            member = state.staff.get(name)
            if member is None or not member.active:
                return (), None
            recent = member.failed_entries if now - member.failed_since < ATTEMPT_WINDOW_SECONDS else 0
            if recent >= MAX_ATTEMPTS:
                return (), None
            return (ProofFailed(by=SYSTEM_ACTOR, at=now, name=name, count=count),), None

        self._controller.run_credential_change(work)

    def _can_attempt(self, transaction: Transaction, name: str, source: str) -> bool:
        failed = self._count_attempts(transaction, name)
        here, everywhere = failed.get(source, 0), sum(failed.values())
        return here < (MAX_ATTEMPTS if everywhere < MAX_NAME_ATTEMPTS else 1)

    def _count_attempts(self, transaction: Transaction, name: str) -> dict[str, int]:
        """Return how many attempts for a name failed recently, by source."""
        now = self._get_seconds()
        # One of the future was made while the clock was ahead.
        recent = attempt.c.name == name, attempt.c.at > now - ATTEMPT_WINDOW_SECONDS, attempt.c.at <= now + CODE_SECONDS
        count = sa.select(attempt.c.place, sa.func.count()).where(*recent).group_by(attempt.c.place)
        return {str(source): int(number) for source, number in transaction.connection.execute(count)}

    def _get_seconds(self) -> int:
        return int(self._controller.get_now().timestamp())


class _Claim(NamedTuple):
    """What a person gave, with the hash that the password matched."""

    name: str
    needs_code: bool
    hashed: str
    code: str
    source: str
    used_step: int


def is_ledger_credential(row: Any, member: StaffMember) -> bool:
    """Return whether a person's row of credentials is the one that the ledger names."""
    return row is not None and bool(member.credential) and digest_row(row) == member.credential


def _make_wrong_proof_error(*, is_counted: bool = True) -> WrongProofError:
    return WrongProofError("name, password or code is wrong", code="wrong-proof", is_counted=is_counted)


def _make_wait_error(name: str) -> TooManyAttemptsError:
    message = f"too many attempts: {name} must wait {ATTEMPT_WINDOW_SECONDS // 60} minutes"
    return TooManyAttemptsError(message, ATTEMPT_WINDOW_SECONDS, code="too-many-attempts", name=name)
