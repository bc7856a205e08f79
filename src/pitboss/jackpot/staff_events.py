"""The events of staff: accounts, credentials, log-ins and keys.

``by`` names who did it, ``pitboss`` where nobody is known to have.  ``at`` is in seconds since 1970, UTC.  A
``credential`` is the digest of a person's row in the table of credentials, "" for none: the table must agree with it.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.roles import LoginName, Role

_Positive = Annotated[int, Field(ge=1)]
_Seconds = Annotated[int, Field(ge=0)]
StaffAct = Literal["invite", "role", "reset", "end"]
"""What is done to an account; all but ``end`` give a person a code to enrol with."""


class RecordedEvent(StrictModel):
    """What an entry of the ledger records: of which kind it is, and who did it."""

    kind: str
    by: str


class ApprovedEvent(RecordedEvent):
    """What one person requested, by the number of the request, and another approved."""

    requested_by: str
    request: _Positive


class StaffRequest(StrictModel):
    """A change of an account, which another person of another role must approve.

    ``by_role`` is the role of the person who requests it.  ``salt`` is random: the code to enrol with is derived from
    it, so two requests never give the same code, not even after a restoration.
    """

    what: Literal["staff"] = "staff"
    act: StaffAct
    name: LoginName
    role: Role
    by_role: Role
    salt: str = ""


class StaffChanged(RecordedEvent):
    """A person was given a role, or lost it: at first, and in older ledgers."""

    kind: Literal["staff-changed"] = "staff-changed"
    name: LoginName
    role: Role
    active: bool
    credential: str = ""


class StaffInvited(ApprovedEvent):
    """Two people gave a person a role and a code; old credentials and sessions ended."""

    kind: Literal["staff-invited"] = "staff-invited"
    at: _Seconds
    act: StaffAct
    name: LoginName
    role: Role
    salt: str = ""
    credential: str = ""


class StaffEnded(ApprovedEvent):
    """Two people ended a person's role, credentials and sessions."""

    kind: Literal["staff-ended"] = "staff-ended"
    at: _Seconds
    name: LoginName
    role: Role


class StaffEnrolled(RecordedEvent):
    """An invited person chose a password, and got an authenticator if needed."""

    kind: Literal["staff-enrolled"] = "staff-enrolled"
    at: _Seconds
    credential: str


class CredentialChanged(RecordedEvent):
    """A person changed their own password or authenticator; their sessions ended."""

    kind: Literal["credential-changed"] = "credential-changed"
    at: _Seconds
    what: Literal["password", "authenticator"]
    credential: str


class LoggedIn(RecordedEvent):
    """A person began a session, named by the hash of its token.

    ``failures`` is how many proofs for the name failed in the minutes before.
    """

    kind: Literal["logged-in"] = "logged-in"
    at: _Seconds
    session: str
    failures: int = 0


class LoggedOut(RecordedEvent):
    """A person ended a session."""

    kind: Literal["logged-out"] = "logged-out"
    session: str


class ProofFailed(RecordedEvent):
    """A proof for a known name failed, number ``count`` of the last minutes."""

    kind: Literal["proof-failed"] = "proof-failed"
    at: _Seconds
    name: LoginName
    count: _Positive


class CredentialsAdopted(RecordedEvent):
    """The credentials of an older ledger were taken over as they stood.

    From here on the ledger accounts for every credential and session.  ``invited`` are the people who had not enrolled.
    """

    kind: Literal["credentials-adopted"] = "credentials-adopted"
    credentials: dict[str, str]
    invited: tuple[str, ...] = ()


class KeysChanged(RecordedEvent):
    """A key was added to the key ring or revoked; the secrets were encrypted again.

    ``version`` is the key's, ``public_key`` that of the key that signs from here on.
    """

    kind: Literal["keys-changed"] = "keys-changed"
    act: Literal["rotated", "revoked", "renewed"]
    version: _Positive
    public_key: str
    credentials: dict[str, str]


StaffEvent: TypeAlias = (
    StaffChanged
    | StaffInvited
    | StaffEnded
    | StaffEnrolled
    | CredentialChanged
    | LoggedIn
    | LoggedOut
    | ProofFailed
    | CredentialsAdopted
    | KeysChanged
)
