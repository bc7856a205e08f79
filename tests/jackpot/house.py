"""A progressive for tests: its settings, its people, and steps taken at once."""

from typing import Any

from pitboss.games import load_game
from pitboss.jackpot.commands import Approve, Close, Command, Confirm, Hit, Open, Pay
from pitboss.jackpot.decide import decide, found
from pitboss.jackpot.events import Wager
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.settings import Settings, settings_of
from pitboss.jackpot.state import State, folded
from pitboss.paytables import select_paytables

DEALER = Actor("dealer", Role.DEALER)
SUPERVISOR = Actor("supervisor", Role.SUPERVISOR)
OTHER_SUPERVISOR = Actor("other", Role.SUPERVISOR)
EXECUTIVE = Actor("executive", Role.EXECUTIVE)
SECOND_EXECUTIVE = Actor("second", Role.EXECUTIVE)
AUDITOR = Actor("auditor", Role.AUDITOR)
SEAT = Actor("seat", Role.SEAT)
EVERYBODY = (DEALER, SUPERVISOR, OTHER_SUPERVISOR, EXECUTIVE, SECOND_EXECUTIVE, AUDITOR, SEAT)


def settings(**changes: Any) -> Settings:
    """Return SIXCPP-01 with some settings changed."""
    return settings_of(select_paytables(load_game("six-card"))["progressive"], **changes)


def founded(**changes: Any) -> State:
    """Return a progressive that was just set up."""
    return folded(found(State(), settings(**changes), EXECUTIVE.name))


def done(state: State, command: Command, actor: Actor) -> State:
    """Return the state after a command."""
    return folded(decide(state, command, actor), state)


def opened(state: State, *seats: int, table: int = 1, number: int = 1) -> State:
    """Return the state after COIN IN with a dollar on some seats."""
    wagers = tuple(Wager(seat=seat, cents=100) for seat in seats)
    return done(state, Open(table=table, round=number, wagers=wagers), DEALER)


def entered(state: State, seat: int, hand: str, table: int = 1, number: int = 1) -> State:
    """Return the state after the hand button."""
    return done(state, Hit(table=table, round=number, seat=seat, hand=hand), DEALER)


def confirmed(state: State, award: int, actor: Actor = EXECUTIVE) -> State:
    """Return the state after a confirmation."""
    return done(state, Confirm(award=award), actor)


def paid(state: State, award: int) -> State:
    """Return the state after a payment."""
    return done(state, Pay(award=award), DEALER)


def ended(state: State, table: int = 1, number: int = 1) -> State:
    """Return the state after GAME OVER."""
    return done(state, Close(table=table, round=number), DEALER)


def changed(state: State, command: Command) -> State:
    """Return the state after a change that a supervisor asks for and an executive approves."""
    asked = done(state, command, SUPERVISOR)
    return done(asked, Approve(request=asked.last_request), EXECUTIVE)
