"""The rules of staff accounts: who may request and approve a change.

A supervisor requests, an executive approves: two people of two roles.  Where an executive's account is concerned, and
while no supervisor has enrolled, two executives do it.  Nobody has a hand in their own account.
"""

from pitboss.jackpot.commands import ApproveRequest, ChangeStaff
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.events import ChangeRequested, ProgressiveEvent
from pitboss.jackpot.roles import Actor, Role, describe_roles
from pitboss.jackpot.staff_events import StaffAct, StaffEnded, StaffInvited, StaffRequest
from pitboss.jackpot.state import ProgressiveState


def request_staff_change(state: ProgressiveState, command: ChangeStaff, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Request a change of somebody's account, which another person must approve.

    Raises:
        ForbiddenError: the account is the actor's own, or its change must be requested by another role.
        RefusalError: nothing would change, or the person has no account.
    """
    act = _find_act(state, command)
    role = command.role if act in {"invite", "role"} else state.staff[command.name].role
    change = StaffRequest(act=act, name=command.name, role=role, by_role=actor.role)
    verify_staff_request(state, change, actor)
    return (ChangeRequested(by=actor.name, request=state.last_request + 1, change=change),)


def _find_act(state: ProgressiveState, command: ChangeStaff) -> StaffAct:
    """Return what a command does to an account, from what the account is now."""
    member = state.staff.get(command.name)
    is_active = member is not None and member.active
    if not command.active or command.reset:
        if not is_active:
            raise RefusalError(f"{command.name} has no role here", code="no-role", name=command.name)
        return "reset" if command.active else "end"
    if member and is_active and member.role is command.role:
        raise RefusalError(
            f"{command.name} already has the role {command.role}",
            code="no-change",
            name=command.name,
            role=command.role,
        )
    return "role" if is_active else "invite"


def verify_staff_request(state: ProgressiveState, change: StaffRequest, actor: Actor) -> None:
    """Check that a change of an account may be requested, and by whom.

    Raises:
        ForbiddenError: the account is the actor's own, or the requester's role may not request this.
        RefusalError: the account has changed since.
    """
    member = state.staff.get(change.name)
    if change.name == actor.name:
        raise ForbiddenError(
            f"{actor.name} cannot change their own account: other people must do it", code="own-role", person=actor.name
        )
    if (change.act == "invite") == (member is not None and member.active):
        raise RefusalError(
            f"the account of {change.name} has changed since the request: request it again",
            code="account-changed",
            name=change.name,
        )
    needed = _find_requesting_roles(state, change)
    if change.by_role not in needed:
        raise ForbiddenError(
            f"this change of {change.name}'s account must be requested by {describe_roles(needed)}",
            code="other-role-needed",
            name=change.name,
            roles=list(needed),
        )


def _find_requesting_roles(state: ProgressiveState, change: StaffRequest) -> tuple[Role, ...]:
    """Return the roles that may request a change; an executive approves each."""
    member = state.staff.get(change.name)
    if change.role is Role.EXECUTIVE or (member and member.active and member.role is Role.EXECUTIVE):
        return (Role.EXECUTIVE,)
    has_supervisor = any(
        each.active and each.enrolled and each.role is Role.SUPERVISOR and name != change.name
        for name, each in state.staff.items()
    )
    return (Role.SUPERVISOR,) if has_supervisor else (Role.SUPERVISOR, Role.EXECUTIVE)


def approve_staff_change(
    state: ProgressiveState, command: ApproveRequest, actor: Actor, change: StaffRequest
) -> tuple[ProgressiveEvent, ...]:
    """Change an account as another person requested it.

    Raises:
        ForbiddenError: the account is the actor's own.
        RefusalError: the account, or that of the person who requested it, has changed since.
    """
    verify_staff_request(state, change, actor)
    requester = state.requests[command.request].by
    people = {"by": actor.name, "requested_by": requester, "request": command.request}
    if change.act == "end":
        return (StaffEnded.model_validate({**people, "at": 0, "name": change.name, "role": change.role}),)
    account = {"at": 0, "act": change.act, "name": change.name, "role": change.role, "salt": change.salt}
    return (StaffInvited.model_validate({**people, **account}),)
