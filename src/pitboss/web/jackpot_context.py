"""What every request finds: the open ledger, who may ask how often, and the one who watches for news."""

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
    """An open ledger and what serving it takes."""

    store: Store
    signer: Signer
    controller: Controller
    staff: CredentialStore
    watcher: LedgerWatcher
    limits: RateLimits = field(default_factory=RateLimits)
    _login_lock: Lock = field(default_factory=Lock)

    @contextmanager
    def login_attempt(self, address: str) -> Iterator[None]:
        """Try a proof of who somebody is, from an address.

        One at a time: a password is dear on purpose, in memory too, and guesses sent together are counted one by one.

        Raises:
            LimitedError: too many have failed from that address.
            UnknownPersonError: the proof fails.
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
        """Return the person who has proved to be ``name``; raises as ``proving`` does."""
        state = self.controller.refresh()
        with self.login_attempt(address):
            return self.staff.authenticate(state, name, password, code)


def get_jackpot(request: Request) -> JackpotContext:
    """Return the house that a request came to."""
    house: JackpotContext = request.app.state.jackpot
    return house


def get_client_address(request: Request) -> str:
    """Return the address that a request came from."""
    return request.client.host if request.client else ""


JackpotDep = Annotated[JackpotContext, Depends(get_jackpot)]
