"""What every request finds: the open ledger, who may ask how often, and the one who watches for news."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated

from fastapi import Depends, Request

from pitboss.jackpot.refusal import ForbiddenError
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.service import Controller
from pitboss.jackpot.staff import Staff
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.web.events import Watch
from pitboss.web.limits import Limits
from pitboss.web.problems import UnknownPersonError


@dataclass(frozen=True)
class House:
    """An open ledger and what serving it takes."""

    store: Store
    signer: Signer
    controller: Controller
    staff: Staff
    watch: Watch
    limits: Limits = field(default_factory=Limits)
    _proofs: Lock = field(default_factory=Lock)

    @contextmanager
    def proving(self, address: str) -> Iterator[None]:
        """Try a proof of who somebody is, from an address.

        One at a time: a password is dear on purpose, in memory too, and guesses sent together are counted one by one.

        Raises:
            LimitedError: too many have failed from that address.
            UnknownPersonError: the proof fails.
        """
        self.limits.verify_proof(address)
        with self._proofs:
            self.limits.verify_proof(address)
            try:
                yield
            except ForbiddenError as error:
                self.limits.proof_failed(address)
                if type(error) is not ForbiddenError:
                    raise
                raise UnknownPersonError(str(error)) from None

    def proved(self, address: str, name: str, password: str, code: str) -> Actor:
        """Return the person who has proved to be ``name``; raises as ``proving`` does."""
        state = self.controller.refresh()
        with self.proving(address):
            return self.staff.prove(state, name, password, code)


def house_of(request: Request) -> House:
    """Return the house that a request came to."""
    house: House = request.app.state.house
    return house


def address_of(request: Request) -> str:
    """Return the address that a request came from."""
    return request.client.host if request.client else ""


TheHouse = Annotated[House, Depends(house_of)]
