"""The jackpot context of every request.

It has the open ledger, the rate limits and the ledger watcher.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated

from fastapi import Depends, Request

from pitboss.jackpot.command_execution import CommandOutcome
from pitboss.jackpot.commands import ProgressiveCommand
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.errors import TooManyAttemptsError, WrongProofError
from pitboss.jackpot.proofs import Proof
from pitboss.jackpot.roles import Actor
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.web.errors import NotAuthenticatedError, RateLimitError
from pitboss.web.ledger_events import LedgerWatcher
from pitboss.web.rate_limits import RateLimits, get_network


@dataclass(frozen=True)
class JackpotContext:
    """An open ledger with everything that serving it needs."""

    store: Store
    signer: Signer
    controller: Controller
    staff: CredentialStore
    watcher: LedgerWatcher
    limits: RateLimits = field(default_factory=RateLimits)
    _login_lock: Lock = field(default_factory=Lock)

    @contextmanager
    def login_attempt(self, address: str, name: str, *, has_code: bool = False) -> Iterator[None]:
        """Hold the login lock for an attempt of a name, and count a failure.

        An attempt with a correct code (``has_code``) is not limited.

        Only one attempt runs at a time: password hashes are costly by design, in memory too, and guesses sent together
        must be counted one by one.

        Raises:
            RateLimitError: too many attempts failed from that address.
            NotAuthenticatedError: the attempt fails.
        """
        with self._login_lock:
            if not has_code:
                self.limits.verify_logins(address, name)
            with self.count_wrong_proofs(address, name):
                yield

    @contextmanager
    def count_wrong_proofs(self, address: str, name: str) -> Iterator[None]:
        """Count a wrong proof of a name from an address.

        One that was right once and comes too late is not a guess, and is not counted.

        Raises:
            NotAuthenticatedError: the proof is wrong.
        """
        try:
            yield
        except WrongProofError as error:
            if error.is_counted:
                self.limits.count_failed_login(address, name)
            raise NotAuthenticatedError.from_error(error) from None
        except TooManyAttemptsError:
            self.limits.count_failed_login(address, name)
            raise

    def authenticate(self, address: str, name: str, password: str, code: str) -> Actor:
        """Verify the credentials of ``name`` and return the actor.

        This raises what ``login_attempt`` raises.
        """
        proof = self.verify_password(address, name, password, code)
        with self.count_wrong_proofs(address, name):
            return self.staff.use_proof(proof)

    def verify_password(self, address: str, name: str, password: str, code: str) -> Proof:
        """Verify the password of ``name`` and return the proof to give a command with.

        This raises what ``login_attempt`` raises.
        """
        state, source, used_step = self.controller.refresh(), get_network(address), -1
        try:
            self.limits.verify_logins(address, name)
        except RateLimitError:
            used_step = self.staff.consume_code(state, name, code)
            if used_step < 0:
                raise
        with self.login_attempt(address, name, has_code=used_step >= 0):
            return self.staff.verify_password(state, name, password, code, source=source, used_step=used_step)

    def execute(self, command: ProgressiveCommand, by: Actor | Proof, key: str, address: str) -> CommandOutcome:
        """Execute a command once, in the name of an actor or by a proof.

        This raises what ``Controller.execute`` raises, and ``NotAuthenticatedError`` for a wrong proof.
        """
        actor = by.actor if isinstance(by, Proof) else by
        with self.count_wrong_proofs(address, actor.name):
            return self.controller.execute(command, by, key)


async def get_jackpot(request: Request) -> JackpotContext:
    """Return the jackpot context of the application that serves a request."""
    jackpot: JackpotContext = request.app.state.jackpot
    return jackpot


def get_client_address(request: Request) -> str:
    """Return the address of a request's client."""
    return request.client.host if request.client else ""


def get_client_network(request: Request) -> str:
    """Return the network of a client: it is one address in every limit."""
    return get_network(get_client_address(request))


JackpotDep = Annotated[JackpotContext, Depends(get_jackpot)]
