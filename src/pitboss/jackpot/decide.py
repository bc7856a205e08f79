"""One door to the domain: a state, a command and who gives it become events, or a refusal."""

from collections.abc import Callable
from typing import Any

from pitboss.jackpot import changes, procedure
from pitboss.jackpot.commands import Command
from pitboss.jackpot.events import Event, Founded, StaffChanged
from pitboss.jackpot.refusal import RefusalError
from pitboss.jackpot.roles import Actor, Role, verify_role
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import State

DECIDED_BY: dict[str, Callable[[State, Any, Actor], tuple[Event, ...]]] = {
    "open": procedure.open_round,
    "hit": procedure.enter_hand,
    "cancel": procedure.cancel,
    "confirm": procedure.confirm,
    "pay": procedure.pay,
    "close": procedure.close_round,
    "adjust": changes.ask,
    "back-out": changes.ask,
    "configure": changes.ask,
    "approve": changes.approve,
    "decline": changes.decline,
    "report": changes.report,
    "sign": changes.sign,
    "reprint": changes.reprint,
    "reconcile": changes.reconcile,
    "staff": changes.change_staff,
}
"""The function that decides a command, by its kind."""


def decide(state: State, command: Command, actor: Actor) -> tuple[Event, ...]:
    """Return what follows from a command.

    Raises:
        ForbiddenError: the actor's role does not have it, or he did the other half of it.
        RefusalError: the procedure or the settings do not allow it now.
    """
    verify_role(actor, command.kind)
    return DECIDED_BY[command.kind](state, command, actor)


def found(state: State, settings: Settings, executive: str, software: str = "") -> tuple[Event, ...]:
    """Set up a progressive with its first executive, who must name everybody else, and the program that may play.

    Raises:
        RefusalError: there is one already.
    """
    if state.entries:
        raise RefusalError("a progressive has been set up here already")
    return (
        Founded(by=executive, settings=settings, software=software),
        StaffChanged(by=executive, name=executive, role=Role.EXECUTIVE, active=True),
    )
