"""The jackpot context of every request: the open ledger, the rate limits, and the ledger watcher."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated

from fastapi import Depends, Request

from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.errors import ForbiddenError
from pitboss.jackpot.roles import Actor
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.web.ledger_events import LedgerWatcher
from pitboss.web.problems import NotAuthenticatedError
from pitboss.web.rate_limits import RateLimits


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
    def login_attempt(self, address: str) -> Iterator[None]:
        """Hold the login lock for an attempt from an address, and count a failure.

        Only one attempt runs at a time: password hashes are costly by design, in memory too, and guesses sent together
        must be counted one by one.

        Raises:
            RateLimitError: too many attempts failed from that address.
            NotAuthenticatedError: the attempt fails.
        """
        self.limits.verify_logins(address)
        with self._login_lock:
            self.limits.verify_logins(address)
            try:
                yield
            except ForbiddenError as error:
                self.limits.count_failed_login(address)
                if type(error) is not ForbiddenError:
                    raise
                raise NotAuthenticatedError(str(error)) from None

    def authenticate(self, address: str, name: str, password: str, code: str) -> Actor:
        """Verify the credentials of ``name`` and return the actor (raises as ``login_attempt``)."""
        state = self.controller.refresh()
        with self.login_attempt(address):
            return self.staff.authenticate(state, name, password, code)


def get_jackpot(request: Request) -> JackpotContext:
    """Return the jackpot context of the application that serves a request."""
    jackpot: JackpotContext = request.app.state.jackpot
    return jackpot


def get_client_address(request: Request) -> str:
    """Return the address of a request's client."""
    return request.client.host if request.client else ""


JackpotDep = Annotated[JackpotContext, Depends(get_jackpot)]
