"""What stands beside the rounds: adjustments, settings, incidents, readings, reprints, staff.

What can move money without a win, or change the rules, takes two people: one asks, another, an executive, approves.
"""

from pitboss.core.money import format_cents
from pitboss.jackpot.commands import (
    Adjust,
    Approve,
    AskBackOut,
    ChangeStaff,
    Configure,
    Decline,
    Reconcile,
    Report,
    Reprint,
    Sign,
)
from pitboss.jackpot.events import (
    Adjusted,
    Adjustment,
    BackedOut,
    BackOut,
    Configured,
    Declined,
    Event,
    IncidentClosed,
    IncidentOpened,
    IncidentSigned,
    Reading,
    Reconfiguration,
    Reprinted,
    Requested,
    StaffChanged,
)
from pitboss.jackpot.procedure import hit_of, settings_in, taken_back
from pitboss.jackpot.refusal import ForbiddenError, RefusalError
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.state import Request, State, display_cents
from pitboss.meter import NO_LIMIT, UNITS_PER_CENT

RAISING = {"malfunction", "house-funds", "award"}
"""Reasons for which a meter may go up by hand."""


def ask(state: State, command: Adjust | AskBackOut | Configure, actor: Actor) -> tuple[Event, ...]:
    """Ask for a change that another person must approve.

    Raises:
        RefusalError: it could not be made as things stand.
    """
    _verify_change(state, command.change)
    return (Requested(by=actor.name, request=state.last_request + 1, change=command.change),)


def _verify_change(state: State, change: Adjustment | BackOut | Reconfiguration) -> None:
    match change:
        case Adjustment():
            verify_adjustment(state, change)
        case BackOut():
            hit = hit_of(state, change.award)
            if hit.step != "confirmed":
                raise RefusalError(f"award {change.award} is {hit.step}: only one confirmed and not paid is backed out")
            now = state.rounds[hit.table]
            if now.link and now.running and now.number == hit.round:
                raise RefusalError(
                    f"award {change.award} is being paid at {now.link}: back it out when the round is over"
                )
        case _:
            _verify_settings(state, change)


def verify_adjustment(state: State, change: Adjustment) -> None:
    """Raise ``RefusalError`` where an adjustment cannot be made: what is owed is beyond its reach (P10)."""
    held_units = state.meter_units if change.account == "meter" else state.reserve_units
    if change.cents == 0:
        raise RefusalError("an adjustment of $0.00 changes nothing: give an amount")
    if change.cents > 0 and change.reason not in RAISING:
        raise RefusalError(f"{change.reason} is no reason to raise a meter: {', '.join(sorted(RAISING))} are")
    if change.cents < 0 and change.reason == "house-funds":
        raise RefusalError("house-funds is no reason to lower a meter: the players' money stays theirs")
    if change.award:
        hit_of(state, change.award)
    if held_units + change.cents * UNITS_PER_CENT < 0:
        free = format_cents(held_units // UNITS_PER_CENT)
        raise RefusalError(
            f"the {change.account} has {free} beside what is owed: it cannot go down by {format_cents(-change.cents)}"
        )


def _verify_settings(state: State, change: Reconfiguration) -> None:
    settings = change.settings
    if settings == settings_in(state):
        raise RefusalError("these are the settings already: change one")
    for now in state.rounds.values():
        if now.running:
            raise RefusalError(f"round {now.number} of table {now.table} is open: parameters change between rounds")
    if settings.limit_cents != NO_LIMIT and settings.limit_cents * UNITS_PER_CENT < state.meter_units:
        raise RefusalError(f"the limit would be below the meter's present {format_cents(display_cents(state))} (P10)")


def approve(state: State, command: Approve, actor: Actor) -> tuple[Event, ...]:
    """Make a change that somebody else has asked for.

    Raises:
        RefusalError: there is no such request, or it cannot be made any more.
        ForbiddenError: it is one's own.
    """
    asked = _request(state, command.request)
    if asked.by == actor.name:
        raise ForbiddenError(f"{actor.name} asked for request {command.request}: somebody else must approve it")
    _verify_change(state, asked.change)
    match asked.change:
        case Adjustment() as change:
            return (Adjusted(by=actor.name, requested_by=asked.by, request=command.request, adjustment=change),)
        case BackOut() as change:
            owed = hit_of(state, change.award).owed
            return (
                BackedOut(
                    by=actor.name,
                    requested_by=asked.by,
                    request=command.request,
                    award=change.award,
                    text=change.text,
                    tray_cents=owed.tray_cents,
                    back=taken_back(state.meter, (owed,)),
                ),
            )
        case change:
            return (
                Configured(
                    by=actor.name,
                    requested_by=asked.by,
                    request=command.request,
                    version=state.version + 1,
                    text=change.text,
                    settings=change.settings,
                ),
            )


def decline(state: State, command: Decline, actor: Actor) -> tuple[Event, ...]:
    """Turn a request down, or withdraw one's own.

    Raises:
        RefusalError: there is no such request.
        ForbiddenError: a supervisor would turn down another's.
    """
    asked = _request(state, command.request)
    if actor.role is not Role.EXECUTIVE and asked.by != actor.name:
        raise ForbiddenError(f"request {command.request} is {asked.by}'s: an executive turns it down")
    return (Declined(by=actor.name, request=command.request, text=command.text),)


def _request(state: State, number: int) -> Request:
    if number not in state.requests:
        waiting = ", ".join(map(str, state.requests)) or "none"
        raise RefusalError(f"request {number} is not waiting: waiting are {waiting}")
    return state.requests[number]


def report(state: State, command: Report, actor: Actor) -> tuple[Event, ...]:
    """Open an incident: no new round at its table, or at any (0), until two people have closed it.

    Raises:
        RefusalError: an unknown table.
    """
    tables = settings_in(state).tables
    if command.table > tables:
        raise RefusalError(f"unknown table {command.table}: tables are 1 to {tables}, 0 means all")
    return (incident(state, actor.name, command.table, "reported", command.text),)


def incident(state: State, by: str, table: int, what: str, text: str) -> IncidentOpened:
    """Return the next incident."""
    return IncidentOpened.model_validate(
        {"by": by, "incident": state.last_incident + 1, "table": table, "what": what, "text": text}
    )


def sign(state: State, command: Sign, actor: Actor) -> tuple[Event, ...]:
    """Sign an incident as the first of two people, or close it as the second.

    Raises:
        RefusalError: there is no such incident.
        ForbiddenError: the same person has signed it already.
    """
    if command.incident not in state.incidents:
        still = ", ".join(map(str, state.incidents)) or "none"
        raise RefusalError(f"incident {command.incident} is not open: open are {still}")
    first = state.incidents[command.incident].signed_by
    if not first:
        return (IncidentSigned(by=actor.name, incident=command.incident, text=command.text),)
    if first == actor.name:
        raise ForbiddenError(f"{actor.name} has signed incident {command.incident}: a second person must close it")
    return (IncidentClosed(by=actor.name, signed_by=first, incident=command.incident, text=command.text),)


def reprint(state: State, command: Reprint, actor: Actor) -> tuple[Event, ...]:
    """Count one more copy of a win page.

    Raises:
        RefusalError: the award is not confirmed or paid.
    """
    hit = hit_of(state, command.award)
    if hit.step not in {"confirmed", "paid"}:
        raise RefusalError(f"award {command.award} is {hit.step}: it has no win page")
    return (Reprinted(by=actor.name, award=command.award, copy_number=hit.copies + 1),)


def reconcile(state: State, command: Reconcile, actor: Actor) -> tuple[Event, ...]:
    """Write down what a display posts; a variance of more than is allowed opens an incident at all tables (P22)."""
    settings = settings_in(state)
    computed_cents = display_cents(state)
    reading = Reading(by=actor.name, posted_cents=command.posted_cents, computed_cents=computed_cents)
    variance_cents = command.posted_cents - computed_cents
    if abs(variance_cents) <= settings.variance_cents:
        return (reading,)
    text = f"posted {format_cents(command.posted_cents)}, computed {format_cents(computed_cents)}"
    return (reading, incident(state, actor.name, 0, "variance", text))


def change_staff(state: State, command: ChangeStaff, actor: Actor) -> tuple[Event, ...]:
    """Give somebody a role, or end it.

    Raises:
        ForbiddenError: it is one's own.
        RefusalError: nothing would change, or nobody would be left who can.
    """
    if command.name == actor.name:
        raise ForbiddenError(f"{actor.name} cannot change his own role: another executive must")
    known = state.staff.get(command.name)
    if known and (known.role, known.active) == (command.role, command.active):
        raise RefusalError(f"{command.name} is {command.role} already")
    if not command.active and not (known and known.active):
        raise RefusalError(f"{command.name} has no role here")
    return (StaffChanged(by=actor.name, name=command.name, role=command.role, active=command.active),)
