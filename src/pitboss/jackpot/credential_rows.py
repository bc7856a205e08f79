"""The rows of credentials and sessions; the ledger accounts for each.

A row's digest is in the entry that made it, so a forged or swapped row agrees with no entry.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import sqlalchemy as sa

from pitboss.jackpot.events import ChangeRequested, ProgressiveEvent
from pitboss.jackpot.staff_events import CredentialsAdopted, StaffChanged, StaffEnded, StaffInvited, StaffRequest
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.chain import compute_digest, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import credential, session
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Transaction

INVITATION_PREFIX = "once:"
"""What a password's place holds before its owner enrols: this and the hash of a code."""

SALT_BYTES = 16

HalfHolder = Literal["requester", "approver"]

_BY_NAME = sa.select(credential).where(credential.c.name == sa.bindparam("wanted"))


def hash_token(token: str) -> str:
    """Return the stored hash of a token or code.

    They are random and long, so a plain hash is enough.
    """
    return compute_digest(token)


def find_row(transaction: Transaction, name: str) -> Any:
    """Return a person's row of credentials, None if there is none."""
    return transaction.connection.execute(_BY_NAME, {"wanted": name}).first()


def digest_row(row: Any) -> str:
    """Return the digest of a row of credentials, without the time of the last code."""
    return compute_digest(to_canonical_json({"name": row.name, "password": row.password, "totp": row.totp}))


def write_row(transaction: Transaction, name: str, password: str, totp: str, used_step: int = 0) -> str:
    """Replace a person's row, end their sessions, and return the row's digest.

    The last code is kept: a code that was used does not work again with the same authenticator.  ``used_step`` is that
    of the code that confirmed a new one, 0 for none.
    """
    before = find_row(transaction, name)
    last_code = before.last_code if before and before.totp == totp else used_step
    delete_rows(transaction, name)
    row = {"name": name, "password": password, "totp": totp, "last_code": last_code}
    transaction.connection.execute(sa.insert(credential), row)
    return digest_row(find_row(transaction, name))


def delete_rows(transaction: Transaction, name: str) -> None:
    """Delete a person's credentials and sessions."""
    transaction.connection.execute(sa.delete(credential).where(credential.c.name == name))
    transaction.connection.execute(sa.delete(session).where(session.c.name == name))


def derive_half_code(signer: Signer, request: int, made: StaffRequest | StaffInvited, half: HalfHolder) -> str:
    """Return the half of a person's code that one of the two people hands over.

    Neither can compute or guess the other half, so neither can enrol as the invited.  A repeated command gives it
    again, another request never does: it has a salt of its own (those of earlier versions had none).
    """
    return signer.derive_code(f"{half} {request} {made.name} {made.salt}".rstrip())


class HalfCode(NamedTuple):
    """Half of an invited person's code, for its requester or approver to hand over."""

    name: str
    half_code: str


def find_half_code(signer: Signer, events: Sequence[ProgressiveEvent]) -> HalfCode | None:
    """Return the half of a code that the actor of these events is given, if any."""
    for event in events:
        match event:
            case StaffInvited():
                return HalfCode(event.name, derive_half_code(signer, event.request, event, "approver"))
            case ChangeRequested(change=StaffRequest() as change) if change.act != "end":
                return HalfCode(change.name, derive_half_code(signer, event.request, change, "requester"))
    return None


def apply_to_rows(transaction: Transaction, event: ProgressiveEvent, signer: Signer) -> ProgressiveEvent:
    """Make an event's change in the tables; return it with a digest or a salt."""
    match event:
        case ChangeRequested(change=StaffRequest() as change):
            salted = change.model_copy(update={"salt": secrets.token_hex(SALT_BYTES)})
            return event.model_copy(update={"change": salted})
        case StaffInvited():
            halves = (derive_half_code(signer, event.request, event, half) for half in get_args(HalfHolder))
            digest = write_row(transaction, event.name, INVITATION_PREFIX + hash_token("".join(halves)), "")
            return event.model_copy(update={"credential": digest})
        case StaffEnded():
            delete_rows(transaction, event.name)
    return event


def invite_first(transaction: Transaction, event: ProgressiveEvent, codes: Mapping[str, str]) -> ProgressiveEvent:
    """Write the row of a first executive, and return the event with its digest.

    ``codes`` are the hashes of the codes that the executives chose, by name.
    """
    if not isinstance(event, StaffChanged) or event.name not in codes:
        return event
    digest = write_row(transaction, event.name, INVITATION_PREFIX + codes[event.name], "")
    return event.model_copy(update={"credential": digest})


def get_secret_place(name: str) -> str:
    """Return the place that a person's authenticator secret is bound to."""
    return f"authenticator of {name}"


def adopt_rows(transaction: Transaction, state: ProgressiveState, signer: Signer, by: str) -> CredentialsAdopted:
    """Take over the tables of an older ledger.

    This encrypts the authenticator secrets, ends all sessions, and deletes rows that belong to nobody.
    """
    transaction.connection.execute(sa.delete(session))
    digests, invited = {}, []
    for row in transaction.connection.execute(sa.select(credential).order_by(credential.c.name)).all():
        member = state.staff.get(row.name)
        if not (member and member.active):
            delete_rows(transaction, row.name)
            continue
        digests[row.name] = _replace_totp(transaction, row.name, signer.encrypt(row.totp, get_secret_place(row.name)))
        invited += [row.name] if row.password.startswith(INVITATION_PREFIX) else []
    return CredentialsAdopted(by=by, credentials=digests, invited=tuple(invited))


def reencrypt_rows(transaction: Transaction, signer: Signer) -> dict[str, str]:
    """Encrypt every authenticator secret again; return the new digests by name.

    The active key encrypts them.  The last codes stay as they are.
    """
    digests = {}
    for row in transaction.connection.execute(sa.select(credential).where(credential.c.totp != "")).all():
        totp = signer.encrypt(signer.decrypt(row.totp, get_secret_place(row.name)), get_secret_place(row.name))
        digests[row.name] = _replace_totp(transaction, row.name, totp)
    return digests


def _replace_totp(transaction: Transaction, name: str, totp: str) -> str:
    """Replace an encrypted secret but not its last code; return the row's digest."""
    transaction.connection.execute(sa.update(credential).where(credential.c.name == name).values(totp=totp))
    return digest_row(find_row(transaction, name))


def verify_rows(transaction: Transaction, state: ProgressiveState) -> None:
    """Check that the ledger accounts for every credential and session.

    Raises:
        LedgerError: one was added, changed or removed by something else than a command.
    """
    rows = {row.name: digest_row(row) for row in transaction.connection.execute(sa.select(credential))}
    named = {name: member.credential for name, member in state.staff.items() if member.credential}
    _verify_names(rows, named)
    for row in transaction.connection.execute(sa.select(session)):
        begun = state.sessions.get(row.token)
        if begun is None or (begun.name, begun.began) != (row.name, row.began):
            raise LedgerError(
                f"there is a session of {row.name} that no login started", code="session-forged", name=row.name
            )


def _verify_names(rows: Mapping[str, str], named: Mapping[str, str]) -> None:
    different: Sequence[str] = sorted(name for name in {*rows, *named} if rows.get(name) != named.get(name))
    if different:
        raise LedgerError(
            f"the credentials of {different[0]} are not those in the ledger: they were changed in the database",
            code="credential-changed",
            name=different[0],
        )
