"""Dispatches commands to their handlers: a state, a command and an actor become events, or a refusal."""

from collections.abc import Callable
from typing import Any

from pitboss.jackpot import admin_handlers, round_handlers
from pitboss.jackpot.commands import ProgressiveCommand
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import ProgressiveCreated, ProgressiveEvent, StaffChanged
from pitboss.jackpot.roles import Actor, Role, verify_permission
from pitboss.jackpot.settings import Settings
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
    "sign": admin_handlers.sign_incident,
    "reprint": admin_handlers.reprint_win_page,
    "reconcile": admin_handlers.reconcile_display,
    "staff": admin_handlers.change_staff,
}
"""The handler of each command, by the command's kind."""


def decide(state: ProgressiveState, command: ProgressiveCommand, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Return the events that follow from a command.

    Raises:
        ForbiddenError: the actor's role may not do it, or the actor did the other half of it.
        RefusalError: the procedure or the settings do not allow it now.
    """
    verify_permission(actor, command.kind)
    return HANDLERS[command.kind](state, command, actor)


def create(
    state: ProgressiveState, settings: Settings, executive: str, software: str = ""
) -> tuple[ProgressiveEvent, ...]:
    """Create a progressive with its first executive, who adds all other staff, and the software that it accepts.

    Raises:
        RefusalError: the ledger already has one.
    """
    if state.entries:
        raise RefusalError("this ledger already has a progressive")
    return (
        ProgressiveCreated(by=executive, settings=settings, software=software),
        StaffChanged(by=executive, name=executive, role=Role.EXECUTIVE, active=True),
    )
