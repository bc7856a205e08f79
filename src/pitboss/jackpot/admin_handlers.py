"""What stands beside the rounds: adjustments, settings, incidents, readings, reprints, staff.

What can move money without a win, or change the rules, takes two people: one asks, another, an executive, approves.
"""

from pitboss.core.money import format_cents
from pitboss.jackpot.commands import (
    ApproveRequest,
    ChangeStaff,
    DeclineRequest,
    OpenIncident,
    ReconcileDisplay,
    ReprintWinPage,
    RequestAdjustment,
    RequestBackOut,
    RequestSettings,
    SignIncident,
)
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.events import (
    Adjustment,
    AdjustmentMade,
    AwardBackedOut,
    BackOut,
    ChangeRequested,
    DisplayReconciled,
    IncidentClosed,
    IncidentOpened,
    IncidentSigned,
    ProgressiveEvent,
    Reconfiguration,
    RequestDeclined,
    SettingsChanged,
    StaffChanged,
    WinPageReprinted,
)
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.round_handlers import compute_reversal, get_hit, get_settings
from pitboss.jackpot.state import ChangeRequest, ProgressiveState, get_display_cents
from pitboss.meter import NO_LIMIT, UNITS_PER_CENT

RAISE_REASONS = {"malfunction", "house-funds", "award"}
"""Reasons for which a meter may go up by hand."""


def request_change(
    state: ProgressiveState, command: RequestAdjustment | RequestBackOut | RequestSettings, actor: Actor
) -> tuple[ProgressiveEvent, ...]:
    """Ask for a change that another person must approve.

    Raises:
        RefusalError: it could not be made as things stand.
    """
    _verify_change(state, command.change)
    return (ChangeRequested(by=actor.name, request=state.last_request + 1, change=command.change),)


def _verify_change(state: ProgressiveState, change: Adjustment | BackOut | Reconfiguration) -> None:
    match change:
        case Adjustment():
            verify_adjustment(state, change)
        case BackOut():
            hit = get_hit(state, change.award)
            if hit.step != "confirmed":
                raise RefusalError(f"award {change.award} is {hit.step}: only one confirmed and not paid is backed out")
            now = state.rounds[hit.table]
            if now.link and now.running and now.number == hit.round:
                raise RefusalError(
                    f"award {change.award} is being paid at {now.link}: back it out when the round is over"
                )
        case _:
            _verify_settings(state, change)


def verify_adjustment(state: ProgressiveState, change: Adjustment) -> None:
    """Raise ``RefusalError`` where an adjustment cannot be made: what is owed is beyond its reach (P10)."""
    held_units = state.meter_units if change.account == "meter" else state.reserve_units
    if change.cents == 0:
        raise RefusalError("an adjustment of $0.00 changes nothing: give an amount")
    if change.cents > 0 and change.reason not in RAISE_REASONS:
        raise RefusalError(f"{change.reason} is no reason to raise a meter: {', '.join(sorted(RAISE_REASONS))} are")
    if change.cents < 0 and change.reason == "house-funds":
        raise RefusalError("house-funds is no reason to lower a meter: the players' money stays theirs")
    if change.award:
        get_hit(state, change.award)
    if held_units + change.cents * UNITS_PER_CENT < 0:
        free = format_cents(held_units // UNITS_PER_CENT)
        raise RefusalError(
            f"the {change.account} has {free} beside what is owed: it cannot go down by {format_cents(-change.cents)}"
        )


def _verify_settings(state: ProgressiveState, change: Reconfiguration) -> None:
    settings = change.settings
    if settings == get_settings(state):
        raise RefusalError("these are the settings already: change one")
    for now in state.rounds.values():
        if now.running:
            raise RefusalError(f"round {now.number} of table {now.table} is open: parameters change between rounds")
    if settings.limit_cents != NO_LIMIT and settings.limit_cents * UNITS_PER_CENT < state.meter_units:
        raise RefusalError(
            f"the limit would be below the meter's present {format_cents(get_display_cents(state))} (P10)"
        )


def approve_request(state: ProgressiveState, command: ApproveRequest, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Make a change that somebody else has asked for.

    Raises:
        RefusalError: there is no such request, or it cannot be made any more.
        ForbiddenError: it is one's own.
    """
    asked = _get_request(state, command.request)
    if asked.by == actor.name:
        raise ForbiddenError(f"{actor.name} asked for request {command.request}: somebody else must approve it")
    _verify_change(state, asked.change)
    match asked.change:
        case Adjustment() as change:
            return (AdjustmentMade(by=actor.name, requested_by=asked.by, request=command.request, adjustment=change),)
        case BackOut() as change:
            owed = get_hit(state, change.award).owed
            return (
                AwardBackedOut(
                    by=actor.name,
                    requested_by=asked.by,
                    request=command.request,
                    award=change.award,
                    text=change.text,
                    tray_cents=owed.tray_cents,
                    back=compute_reversal(state.meter, (owed,)),
                ),
            )
        case change:
            return (
                SettingsChanged(
                    by=actor.name,
                    requested_by=asked.by,
                    request=command.request,
                    version=state.version + 1,
                    text=change.text,
                    settings=change.settings,
                ),
            )


def decline_request(state: ProgressiveState, command: DeclineRequest, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Turn a request down, or withdraw one's own.

    Raises:
        RefusalError: there is no such request.
        ForbiddenError: a supervisor would turn down another's.
    """
    asked = _get_request(state, command.request)
    if actor.role is not Role.EXECUTIVE and asked.by != actor.name:
        raise ForbiddenError(f"request {command.request} is {asked.by}'s: an executive turns it down")
    return (RequestDeclined(by=actor.name, request=command.request, text=command.text),)


def _get_request(state: ProgressiveState, number: int) -> ChangeRequest:
    if number not in state.requests:
        waiting = ", ".join(map(str, state.requests)) or "none"
        raise RefusalError(f"request {number} is not waiting: waiting are {waiting}")
    return state.requests[number]


def open_incident(state: ProgressiveState, command: OpenIncident, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Open an incident: no new round at its table, or at any (0), until two people have closed it.

    Raises:
        RefusalError: an unknown table.
    """
    tables = get_settings(state).tables
    if command.table > tables:
        raise RefusalError(f"unknown table {command.table}: tables are 1 to {tables}, 0 means all")
    return (make_incident(state, actor.name, command.table, "reported", command.text),)


def make_incident(state: ProgressiveState, by: str, table: int, what: str, text: str) -> IncidentOpened:
    """Return the next incident."""
    return IncidentOpened.model_validate(
        {"by": by, "incident": state.last_incident + 1, "table": table, "what": what, "text": text}
    )


def sign_incident(state: ProgressiveState, command: SignIncident, actor: Actor) -> tuple[ProgressiveEvent, ...]:
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


def reprint_win_page(state: ProgressiveState, command: ReprintWinPage, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Count one more copy of a win page.

    Raises:
        RefusalError: the award is not confirmed or paid.
    """
    hit = get_hit(state, command.award)
    if hit.step not in {"confirmed", "paid"}:
        raise RefusalError(f"award {command.award} is {hit.step}: it has no win page")
    return (WinPageReprinted(by=actor.name, award=command.award, copy_number=hit.copies + 1),)


def reconcile_display(state: ProgressiveState, command: ReconcileDisplay, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Write down what a display posts; a variance of more than is allowed opens an incident at all tables (P22)."""
    settings = get_settings(state)
    computed_cents = get_display_cents(state)
    reading = DisplayReconciled(by=actor.name, posted_cents=command.posted_cents, computed_cents=computed_cents)
    variance_cents = command.posted_cents - computed_cents
    if abs(variance_cents) <= settings.variance_cents:
        return (reading,)
    text = f"posted {format_cents(command.posted_cents)}, computed {format_cents(computed_cents)}"
    return (reading, make_incident(state, actor.name, 0, "variance", text))


def change_staff(state: ProgressiveState, command: ChangeStaff, actor: Actor) -> tuple[ProgressiveEvent, ...]:
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
