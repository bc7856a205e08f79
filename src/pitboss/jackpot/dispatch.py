"""One door to the domain: a state, a command and who gives it become events, or a refusal."""

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
"""The function that decides a command, by its kind."""


def decide(state: ProgressiveState, command: ProgressiveCommand, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Return what follows from a command.

    Raises:
        ForbiddenError: the actor's role does not have it, or he did the other half of it.
        RefusalError: the procedure or the settings do not allow it now.
    """
    verify_permission(actor, command.kind)
    return HANDLERS[command.kind](state, command, actor)


def create(
    state: ProgressiveState, settings: Settings, executive: str, software: str = ""
) -> tuple[ProgressiveEvent, ...]:
    """Set up a progressive with its first executive, who must name everybody else, and the program that may play.

    Raises:
        RefusalError: there is one already.
    """
    if state.entries:
        raise RefusalError("a progressive has been set up here already")
    return (
        ProgressiveCreated(by=executive, settings=settings, software=software),
        StaffChanged(by=executive, name=executive, role=Role.EXECUTIVE, active=True),
    )
