"""Changes of a ledger's keys: rotation, revocation, and renewal after a failure.

Each is an entry.  If a key ring was changed but its entry could not be written, ``renew_keys`` writes it.
"""

from typing import Literal

from pitboss.jackpot.audit import make_checkpoint
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credential_rows import reencrypt_rows
from pitboss.jackpot.roles import Actor, verify_permission
from pitboss.jackpot.staff_events import KeysChanged
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.key_ring import revoke_key as mark_revoked
from pitboss.ledger.store import Transaction


def rotate_keys(controller: Controller, actor: Actor) -> int:
    """Make a new version of the keys, encrypt and sign with it; return its number.

    The old version is still trusted.

    Raises:
        ForbiddenError: the actor's role may not do this.
        LedgerError: the ledger cannot be reached or does not hold.
    """
    verify_permission(actor, "keys")
    version = controller.signer.rotate()
    _renew(controller, actor, "rotated", version)
    return version


def renew_keys(controller: Controller, actor: Actor) -> int:
    """Encrypt and sign everything again with the active key; return its number.

    Raises:
        ForbiddenError: the actor's role may not do this.
        LedgerError: the ledger cannot be reached or does not hold.
    """
    verify_permission(actor, "keys")
    _renew(controller, actor, "renewed", controller.signer.version)
    return controller.signer.version


def revoke_keys(controller: Controller, actor: Actor, version: int) -> None:
    """Stop trusting a retired version.

    The whole ledger is checked first, and its state is signed by the active version.

    Raises:
        ForbiddenError: the actor's role may not do this.
        LedgerError: the ledger does not hold, or the version is not a retired one.
    """
    verify_permission(actor, "keys")
    mark_revoked(controller.signer.keys, version)  # checked before anything is written
    audited = controller.verify()
    _renew(controller, actor, "revoked", version)
    checkpoint = make_checkpoint(audited, controller.signer)

    def work(transaction: Transaction) -> None:
        if transaction.find_checkpoint(checkpoint.entry) is None:
            transaction.append_checkpoint(checkpoint)

    controller.store.run_write(work)
    controller.signer.revoke(version)


def _renew(controller: Controller, actor: Actor, act: Literal["rotated", "revoked", "renewed"], version: int) -> None:
    """Encrypt every secret again, and write the entry that records it."""

    def work(transaction: Transaction, _state: ProgressiveState, _now: int) -> tuple[tuple[KeysChanged, ...], None]:
        digests = reencrypt_rows(transaction, controller.signer)
        public_key = controller.signer.public_key
        return (KeysChanged(by=actor.name, act=act, version=version, public_key=public_key, credentials=digests),), None

    controller.run_credential_change(work)
