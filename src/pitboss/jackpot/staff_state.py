"""The state of staff, built from their events: roles, credentials, sessions.

``apply_staff_event`` adds an event.  Nothing here decides or refuses.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.roles import Role
from pitboss.jackpot.staff_events import (
    CredentialChanged,
    CredentialsAdopted,
    KeysChanged,
    LoggedIn,
    LoggedOut,
    ProofFailed,
    StaffChanged,
    StaffEnded,
    StaffEnrolled,
    StaffEvent,
    StaffInvited,
)

SESSION_MAX_SECONDS = 12 * 3600
ATTEMPT_WINDOW_SECONDS = 15 * 60


class StaffMember(StrictModel):
    """A person's role; it has ended if not ``active``.

    ``credential`` is the digest of the person's row of credentials.  ``sponsors`` are the two who invited or reset the
    person, ``sponsored_at`` is when, in seconds: at the approval, and again at the enrolment.  ``failed_since`` is when
    the first failed proof was counted that the ``failed_entries`` entries are about.
    """

    role: Role
    active: bool
    enrolled: bool = False
    credential: str = ""
    sponsors: tuple[str, ...] = ()
    sponsored_at: int = 0
    failed_since: int = 0
    failed_entries: int = 0


def is_same_account(then: StaffMember | None, now: StaffMember | None) -> bool:
    """Tell whether a person's account is still the one that acted.

    It is not after it ended, was reset or was given another role, even if it has come back under the same name.  A
    person whom the ledger's entries do not name has no account that could change.
    """
    if then is None or now is None:
        return then is None and now is None
    return now.active and (now.role, now.sponsors, now.sponsored_at) == (then.role, then.sponsors, then.sponsored_at)


class StaffSession(StrictModel):
    """A session that a log-in began, in seconds."""

    name: str
    began: int


class StaffRecord(NamedTuple):
    """People by name, sessions by the hash of their token, and public keys."""

    staff: Mapping[str, StaffMember]
    sessions: Mapping[str, StaffSession]
    covered: bool
    signing_keys: Mapping[int, str]
    revoked_keys: tuple[int, ...]


def apply_staff_event(record: StaffRecord, event: StaffEvent) -> StaffRecord:
    """Return the record after one more event."""
    match event:
        case StaffChanged():
            member = StaffMember(role=event.role, active=event.active, credential=event.credential)
            return record._replace(staff={**record.staff, event.name: member})
        case StaffInvited():
            sponsors = (event.requested_by, event.by)
            member = StaffMember(
                role=event.role, active=True, credential=event.credential, sponsors=sponsors, sponsored_at=event.at
            )
            return _end_sessions(record, event.name)._replace(staff={**record.staff, event.name: member})
        case StaffEnded():
            return _end_sessions(_update(record, event.name, active=False, enrolled=False, credential=""), event.name)
        case StaffEnrolled():
            sponsored_at = event.at if record.staff[event.by].sponsors else 0
            return _update(
                record,
                event.by,
                enrolled=True,
                credential=event.credential,
                sponsored_at=sponsored_at,
                failed_entries=0,
            )
        case CredentialChanged():
            return _end_sessions(_update(record, event.by, credential=event.credential), event.by)
        case LoggedIn():
            live = {
                token: each for token, each in record.sessions.items() if event.at - each.began <= SESSION_MAX_SECONDS
            }
            began = StaffSession(name=event.by, began=event.at)
            return record._replace(sessions={**live, event.session: began})
        case LoggedOut():
            return record._replace(
                sessions={token: each for token, each in record.sessions.items() if token != event.session}
            )
        case ProofFailed():
            return _count_failure(record, event)
        case CredentialsAdopted():
            staff = {name: _adopt(name, member, event) for name, member in record.staff.items()}
            return record._replace(staff=staff, sessions={}, covered=True)
        case KeysChanged():
            for name, digest in event.credentials.items():
                record = _update(record, name, credential=digest)
            if event.act == "revoked":
                return record._replace(revoked_keys=tuple(sorted({*record.revoked_keys, event.version})))
            return record._replace(signing_keys={**record.signing_keys, event.version: event.public_key})


def _update(record: StaffRecord, name: str, **changes: object) -> StaffRecord:
    return record._replace(staff={**record.staff, name: record.staff[name].model_copy(update=changes)})


def _adopt(name: str, member: StaffMember, event: CredentialsAdopted) -> StaffMember:
    digest = event.credentials.get(name, "")
    return member.model_copy(update={"credential": digest, "enrolled": bool(digest) and name not in event.invited})


def _end_sessions(record: StaffRecord, name: str) -> StaffRecord:
    return record._replace(sessions={token: each for token, each in record.sessions.items() if each.name != name})


def _count_failure(record: StaffRecord, event: ProofFailed) -> StaffRecord:
    member = record.staff[event.name]
    if event.at - member.failed_since >= ATTEMPT_WINDOW_SECONDS:
        return _update(record, event.name, failed_since=event.at, failed_entries=1)
    return _update(record, event.name, failed_entries=member.failed_entries + 1)
