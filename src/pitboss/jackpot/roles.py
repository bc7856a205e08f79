"""Who may do what: a role's commands are listed, and what is not listed is forbidden."""

from enum import StrEnum
from typing import NamedTuple

from pitboss.jackpot.refusal import ForbiddenError


class Role(StrEnum):
    """What somebody is at the progressive."""

    SEAT = "seat"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    EXECUTIVE = "executive"
    AUDITOR = "auditor"


class Actor(NamedTuple):
    """Somebody with a role, who has proved to be that person."""

    name: str
    role: Role


_TABLE = {Role.DEALER, Role.SUPERVISOR}
_OFFICE = {Role.SUPERVISOR, Role.EXECUTIVE}
_READERS = {Role.SUPERVISOR, Role.EXECUTIVE, Role.AUDITOR}

ROLES: dict[str, frozenset[Role]] = {
    "open": frozenset(_TABLE),
    "hit": frozenset(_TABLE),
    "cancel": frozenset(_TABLE),
    "close": frozenset(_TABLE),
    "pay": frozenset(_TABLE),
    "confirm": frozenset(_OFFICE),
    "adjust": frozenset(_OFFICE),
    "back-out": frozenset(_OFFICE),
    "configure": frozenset(_OFFICE),
    "approve": frozenset({Role.EXECUTIVE}),
    "decline": frozenset(_OFFICE),
    "report": frozenset(_OFFICE),
    "sign": frozenset(_OFFICE),
    "reprint": frozenset(_OFFICE),
    "reconcile": frozenset(_OFFICE),
    "staff": frozenset({Role.EXECUTIVE}),
    "read-display": frozenset(Role),
    "read-round": frozenset(_TABLE | _READERS),
    "read-ledger": frozenset(_READERS),
    "enrol": frozenset(Role),
    "log-in": frozenset(Role),
    "log-out": frozenset(_TABLE | _READERS),
}
"""The roles that each act is open to."""


def verify_role(actor: Actor, act: str) -> None:
    """Raise ``ForbiddenError`` unless the actor's role has the act.

    >>> verify_role(Actor("ann", Role.AUDITOR), "pay")
    Traceback (most recent call last):
    pitboss.jackpot.refusal.ForbiddenError: ann is auditor: pay is for dealer, supervisor
    """
    allowed = ROLES.get(act, frozenset())
    if actor.role not in allowed:
        named = ", ".join(role for role in Role if role in allowed)
        raise ForbiddenError(f"{actor.name} is {actor.role}: {act} is for {named}")
