"""A progressive for tests: its settings, its people, and steps taken at once."""

from collections.abc import Iterable
from typing import Any

from pitboss.games import load_game
from pitboss.jackpot.commands import (
    ApproveRequest,
    ChangeStaff,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    PayAward,
    ProgressiveCommand,
    RequestSettings,
)
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.dispatch import create, decide
from pitboss.jackpot.events import ProgressiveEvent, ProgressiveWager, Reconfiguration
from pitboss.jackpot.replay import apply_event
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.settings import Settings, make_settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.paytables import select_paytables

DEALER = Actor("dealer", Role.DEALER)
SUPERVISOR = Actor("supervisor", Role.SUPERVISOR)
OTHER_SUPERVISOR = Actor("other", Role.SUPERVISOR)
EXECUTIVE = Actor("executive", Role.EXECUTIVE)
SECOND_EXECUTIVE = Actor("second", Role.EXECUTIVE)
AUDITOR = Actor("auditor", Role.AUDITOR)
SEAT = Actor("seat", Role.SEAT)
CLERK, FIRST_OFFICER, SECOND_OFFICER = (
    Actor("clerk", Role.SUPERVISOR),
    Actor("officer", Role.EXECUTIVE),
    Actor("officer.two", Role.EXECUTIVE),
)
EVERYBODY = (DEALER, SUPERVISOR, OTHER_SUPERVISOR, EXECUTIVE, SECOND_EXECUTIVE, AUDITOR, SEAT)


def settings(**changes: Any) -> Settings:
    """Return SIXCPP-01 with some settings changed."""
    return make_settings(select_paytables(load_game("six-card"))["progressive"], **changes)


def replay_events(events: Iterable[ProgressiveEvent], state: ProgressiveState | None = None) -> ProgressiveState:
    """Apply events in order to a state, by default to the empty state."""
    state = state or ProgressiveState()
    for event in events:
        state = apply_event(state, event)
    return state


def founded(**changes: Any) -> ProgressiveState:
    """Return a progressive that was just set up."""
    return replay_events(create(ProgressiveState(), settings(**changes), EXECUTIVE.name))


def done(state: ProgressiveState, command: ProgressiveCommand, actor: Actor) -> ProgressiveState:
    """Return the state after a command."""
    return replay_events(decide(state, command, actor), state)


def opened(state: ProgressiveState, *seats: int, table: int = 1, number: int = 1) -> ProgressiveState:
    """Return the state after COIN IN with a dollar on some seats."""
    wagers = tuple(ProgressiveWager(seat=seat, cents=100) for seat in seats)
    return done(state, OpenRound(table=table, round=number, wagers=wagers), DEALER)


def entered(state: ProgressiveState, seat: int, hand: str, table: int = 1, number: int = 1) -> ProgressiveState:
    """Return the state after the hand button."""
    return done(state, EnterHit(table=table, round=number, seat=seat, hand=hand), DEALER)


def confirmed(state: ProgressiveState, award: int, actor: Actor = EXECUTIVE) -> ProgressiveState:
    """Return the state after a confirmation."""
    return done(state, ConfirmAward(award=award), actor)


def paid(state: ProgressiveState, award: int) -> ProgressiveState:
    """Return the state after a payment."""
    return done(state, PayAward(award=award), DEALER)


def ended(state: ProgressiveState, table: int = 1, number: int = 1) -> ProgressiveState:
    """Return the state after GAME OVER."""
    return done(state, CloseRound(table=table, round=number), DEALER)


def appointed(controller: Controller, name: str, role: Role, *, active: bool = True, reset: bool = False) -> str:
    """Have two people give somebody a role or end it; return the code to enrol with, "" for none.

    They are none of the people whom tests have log in.
    """
    member = controller.state.staff.get(name)
    executives = role is Role.EXECUTIVE or (member and member.active and member.role is Role.EXECUTIVE)
    number = controller.refresh().entries
    command = ChangeStaff(name=name, role=role, active=active, reset=reset)
    asked = controller.execute(command, FIRST_OFFICER if executives else CLERK, f"ask-{name}-{number}")
    approve = ApproveRequest(request=asked.state.last_request)
    approved = controller.execute(approve, SECOND_OFFICER, f"approve-{name}-{number}")
    return "".join(each.half_code.half_code for each in (asked, approved) if each.half_code)


def changed(state: ProgressiveState, command: ProgressiveCommand) -> ProgressiveState:
    """Return the state after a change that a supervisor asks for and an executive approves."""
    asked = done(state, command, SUPERVISOR)
    return done(asked, ApproveRequest(request=asked.last_request), EXECUTIVE)


def configure(**changes: Any) -> RequestSettings:
    """Return a request for other settings."""
    return RequestSettings(change=Reconfiguration(settings=settings(**changes), text="as agreed"))
