"""The dispatch of commands to their handlers.

A state, a command and an actor become events, or a refusal.
"""

from collections.abc import Callable, Sequence
from typing import Any

from pitboss.jackpot import admin_handlers, dual_control, round_handlers, staff_handlers
from pitboss.jackpot.commands import ProgressiveCommand, SignIncident
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import ProgressiveCreated, ProgressiveEvent
from pitboss.jackpot.roles import Actor, Role, verify_permission
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.staff_events import StaffChanged, StaffEnded, StaffInvited
from pitboss.jackpot.state import ProgressiveState

HANDLERS: dict[str, Callable[[ProgressiveState, Any, Actor], tuple[ProgressiveEvent, ...]]] = {
    "open": round_handlers.open_round,
    "hit": round_handlers.enter_hit,
    "cancel": round_handlers.cancel_hit,
    "confirm": round_handlers.confirm_award,
    "pay": round_handlers.pay_award,
    "close": round_handlers.close_round,
    "adjust": admin_handlers.request_change,
    "back-out": admin_handlers.request_change,
    "configure": admin_handlers.request_change,
    "approve": admin_handlers.approve_request,
    "decline": admin_handlers.decline_request,
    "report": admin_handlers.open_incident,
    "reprint": admin_handlers.reprint_win_page,
    "reconcile": admin_handlers.reconcile_display,
    "staff": staff_handlers.request_staff_change,
}
"""The handler of each command, by its kind, but of a signature: that handler also needs the time."""


def decide(
    state: ProgressiveState, command: ProgressiveCommand, actor: Actor, now: int = 0, latest: int = 0
) -> tuple[ProgressiveEvent, ...]:
    """Return the events that follow from a command, given at ``now`` in seconds.

    ``latest`` is the time of the last entry: the later of both is when people were invited, so that a clock that was
    set back does not shorten the time for which they stay apart.

    Raises:
        ForbiddenError: the actor's role may not do it, or the actor did the other half of it, or made the account of
            the person who did.
        RefusalError: the procedure or the settings do not allow it now.
    """
    verify_permission(actor, command.kind)
    if isinstance(command, SignIncident):
        return admin_handlers.sign_incident(state, command, actor, now)
    events = HANDLERS[command.kind](state, command, actor)
    dual_control.verify_apart(state, command, actor.name, now)
    return tuple(
        event.model_copy(update={"at": max(now, latest)}) if isinstance(event, StaffInvited | StaffEnded) else event
        for event in events
    )


def create(
    state: ProgressiveState, settings: Settings, executives: str | Sequence[str], software: str = ""
) -> tuple[ProgressiveEvent, ...]:
    """Create a progressive with its first executives and accepted software.

    Two executives together add all other staff, so one alone can add nobody.

    Raises:
        RefusalError: the ledger already has one.
    """
    if state.entries:
        raise RefusalError("this ledger already has a progressive", code="ledger-exists")
    names = (executives,) if isinstance(executives, str) else tuple(executives)
    return (
        ProgressiveCreated(by=names[0], settings=settings, software=software, covered=True),
        *(StaffChanged(by=names[0], name=name, role=Role.EXECUTIVE, active=True) for name in names),
    )
