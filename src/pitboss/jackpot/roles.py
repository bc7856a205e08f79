"""Roles and their permissions: what is not listed for a role is forbidden."""

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from pitboss.core.strict_model import describe_pattern
from pitboss.jackpot.errors import ForbiddenError

LOGIN_PATTERN = describe_pattern(
    r"^[a-z][a-z0-9.-]{0,31}$", "lower-case letters, digits, dots and hyphens, for example ann.lee"
)
LoginName = Annotated[str, Field(pattern=LOGIN_PATTERN)]


class Role(StrEnum):
    """The role of a person at the progressive."""

    SEAT = "seat"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    EXECUTIVE = "executive"
    AUDITOR = "auditor"


class Actor(NamedTuple):
    """An authenticated person with a role.

    ``credential`` is the digest of the account's credential at the proof, "" where a table stands for the person.
    """

    name: str
    role: Role
    credential: str = ""


_TABLE_ROLES = {Role.DEALER, Role.SUPERVISOR}
_OFFICE_ROLES = {Role.SUPERVISOR, Role.EXECUTIVE}
_READER_ROLES = {Role.SUPERVISOR, Role.EXECUTIVE, Role.AUDITOR}

PERMISSIONS: dict[str, frozenset[Role]] = {
    "open": frozenset(_TABLE_ROLES),
    "hit": frozenset(_TABLE_ROLES),
    "cancel": frozenset(_TABLE_ROLES),
    "close": frozenset(_TABLE_ROLES),
    "pay": frozenset(_TABLE_ROLES),
    "confirm": frozenset(_OFFICE_ROLES),
    "adjust": frozenset(_OFFICE_ROLES),
    "back-out": frozenset(_OFFICE_ROLES),
    "configure": frozenset(_OFFICE_ROLES),
    "approve": frozenset({Role.EXECUTIVE}),
    "decline": frozenset(_OFFICE_ROLES),
    "report": frozenset(_OFFICE_ROLES),
    "sign": frozenset(_OFFICE_ROLES),
    "reprint": frozenset(_OFFICE_ROLES),
    "reconcile": frozenset(_OFFICE_ROLES),
    "staff": frozenset(_OFFICE_ROLES),
    "keys": frozenset({Role.EXECUTIVE}),
    "read-display": frozenset(Role),
    "read-round": frozenset(_TABLE_ROLES | _READER_ROLES),
    "read-ledger": frozenset(_READER_ROLES),
    "enrol": frozenset(Role),
    "change-credentials": frozenset(_TABLE_ROLES | _READER_ROLES),
    "log-in": frozenset(Role),
    "log-out": frozenset(_TABLE_ROLES | _READER_ROLES),
}
"""The roles that may do each action."""


def describe_roles(roles: Collection[Role]) -> str:
    """Describe roles of which one is meant.

    >>> describe_roles({Role.EXECUTIVE, Role.SUPERVISOR})
    'a supervisor or an executive'
    """
    return " or ".join(f"{'an' if role[0] in 'ae' else 'a'} {role}" for role in Role if role in roles)


def verify_permission(actor: Actor, action: str) -> None:
    """Raise ``ForbiddenError`` unless the actor's role may do the action.

    >>> verify_permission(Actor("ann", Role.AUDITOR), "pay")
    Traceback (most recent call last):
    pitboss.jackpot.errors.ForbiddenError: ann has the role auditor: pay is for dealer, supervisor
    """
    allowed = PERMISSIONS.get(action, frozenset())
    if actor.role not in allowed:
        names = ", ".join(role for role in Role if role in allowed)
        raise ForbiddenError(
            f"{actor.name} has the role {actor.role}: {action} is for {names}",
            code="role-not-allowed",
            person=actor.name,
            role=actor.role,
            action=action,
        )
