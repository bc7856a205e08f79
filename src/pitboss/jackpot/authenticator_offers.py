"""Authenticators that are confirmed by a first code before they count.

An offer is a new secret with a ticket: the secret encrypted for one account as it stands.  Nothing is stored until the
ticket comes back with a code of that secret, so a person who leaves before that has lost nothing.
"""

from typing import NamedTuple

import pyotp

from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.passwords import find_code_step
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer

ISSUER = "pitboss"
"""What an authenticator lists the account under."""


class AuthenticatorOffer(NamedTuple):
    """An offered secret and its ticket.

    ``address`` is what an authenticator reads from a QR code.  All are "" for none.
    """

    totp: str = ""
    ticket: str = ""
    address: str = ""


class ConfirmedSecret(NamedTuple):
    """A secret that a first code has confirmed.

    ``step`` is the time step of that code, which is used up.
    """

    totp: str
    step: int


def make_offer(signer: Signer, name: str, credential: str) -> AuthenticatorOffer:
    """Offer a new secret to a person whose account stands at ``credential``."""
    totp = pyotp.random_base32()
    address = pyotp.TOTP(totp).provisioning_uri(name=name, issuer_name=ISSUER)
    return AuthenticatorOffer(totp, signer.encrypt(totp, _get_place(name, credential)), address)


def confirm_offer(signer: Signer, name: str, credential: str, ticket: str, code: str, second: int) -> ConfirmedSecret:
    """Return the secret of a ticket, confirmed by a code of it.

    Raises:
        RefusalError: the ticket is not one for this account as it stands, or the code is wrong.
    """
    try:
        totp = signer.decrypt(ticket, _get_place(name, credential))
    except LedgerError:
        totp = ""
    if not totp:
        raise RefusalError(
            "this authenticator was not offered to you, or your account has changed since: begin again",
            code="authenticator-not-offered",
        )
    step = find_code_step(totp, code, second)
    if step < 0:
        raise RefusalError(
            "this is not a code of the new authenticator: enter the six digits that it shows now",
            code="wrong-first-code",
        )
    return ConfirmedSecret(totp, step)


def _get_place(name: str, credential: str) -> str:
    return f"new authenticator of {name} at {credential}"
