"""The handlers of commands outside rounds: adjustments, settings, incidents, display readings, reprints, staff.

A change that moves money without a win, or changes the rules, needs two people: one requests it, another, an
executive, approves it.
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
"""Reasons for raising a meter by hand."""


def request_change(
    state: ProgressiveState, command: RequestAdjustment | RequestBackOut | RequestSettings, actor: Actor
) -> tuple[ProgressiveEvent, ...]:
    """Request a change that another person must approve.

    Raises:
        RefusalError: the change is not possible now.
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
                raise RefusalError(
                    f"award {change.award} is {hit.step}: only a confirmed, unpaid award can be backed out"
                )
            current = state.rounds[hit.table]
            if current.link and current.running and current.number == hit.round:
                raise RefusalError(
                    f"award {change.award} is being paid at {current.link}: back it out when the round is over"
                )
        case _:
            _verify_settings(state, change)


def verify_adjustment(state: ProgressiveState, change: Adjustment) -> None:
    """Raise ``RefusalError`` if an adjustment is not possible; it never touches what is owed (P10)."""
    account_units = state.meter_units if change.account == "meter" else state.reserve_units
    if change.cents == 0:
        raise RefusalError("an adjustment of $0.00 changes nothing: give an amount")
    if change.cents > 0 and change.reason not in RAISE_REASONS:
        raise RefusalError(f"{change.reason} is not a reason to raise a meter: use {', '.join(sorted(RAISE_REASONS))}")
    if change.cents < 0 and change.reason == "house-funds":
        raise RefusalError("house-funds is not a reason to lower a meter: the money in it belongs to the players")
    if change.award:
        get_hit(state, change.award)
    if account_units + change.cents * UNITS_PER_CENT < 0:
        free = format_cents(account_units // UNITS_PER_CENT)
        less = format_cents(-change.cents)
        raise RefusalError(f"the {change.account} has {free} apart from what is owed: it cannot go down by {less}")


def _verify_settings(state: ProgressiveState, change: Reconfiguration) -> None:
    settings = change.settings
    if settings == get_settings(state):
        raise RefusalError("these are already the settings: change at least one")
    for each in state.rounds.values():
        if each.running:
            raise RefusalError(f"round {each.number} of table {each.table} is open: settings change between rounds")
    if settings.limit_cents != NO_LIMIT and settings.limit_cents * UNITS_PER_CENT < state.meter_units:
        raise RefusalError(
            f"the limit would be below the meter's present {format_cents(get_display_cents(state))} (P10)"
        )


def approve_request(state: ProgressiveState, command: ApproveRequest, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Make a change that somebody else requested.

    Raises:
        RefusalError: there is no such request, or the change is no longer possible.
        ForbiddenError: the request is the actor's own.
    """
    request = _get_request(state, command.request)
    if request.by == actor.name:
        raise ForbiddenError(f"{actor.name} made request {command.request}: somebody else must approve it")
    _verify_change(state, request.change)
    match request.change:
        case Adjustment() as change:
            return (AdjustmentMade(by=actor.name, requested_by=request.by, request=command.request, adjustment=change),)
        case BackOut() as change:
            owed = get_hit(state, change.award).owed
            return (
                AwardBackedOut(
                    by=actor.name,
                    requested_by=request.by,
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
                    requested_by=request.by,
                    request=command.request,
                    version=state.version + 1,
                    text=change.text,
                    settings=change.settings,
                ),
            )


def decline_request(state: ProgressiveState, command: DeclineRequest, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Decline a request, or withdraw one's own.

    Raises:
        RefusalError: there is no such request.
        ForbiddenError: a supervisor may not decline somebody else's request.
    """
    request = _get_request(state, command.request)
    if actor.role is not Role.EXECUTIVE and request.by != actor.name:
        raise ForbiddenError(f"request {command.request} is {request.by}'s: only an executive can decline it")
    return (RequestDeclined(by=actor.name, request=command.request, text=command.text),)


def _get_request(state: ProgressiveState, number: int) -> ChangeRequest:
    if number not in state.requests:
        waiting = ", ".join(map(str, state.requests)) or "none"
        raise RefusalError(f"request {number} is not waiting for approval; waiting: {waiting}")
    return state.requests[number]


def open_incident(state: ProgressiveState, command: OpenIncident, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Open an incident: no new round opens at its table, or at any table (0), until two people close it.

    Raises:
        RefusalError: the table is unknown.
    """
    tables = get_settings(state).tables
    if command.table > tables:
        raise RefusalError(f"unknown table {command.table}: tables are 1 to {tables}, 0 means all")
    return (make_incident(state, actor.name, command.table, "reported", command.text),)


def make_incident(state: ProgressiveState, by: str, table: int, what: str, text: str) -> IncidentOpened:
    """Return the event that opens the next incident."""
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
        still_open = ", ".join(map(str, state.incidents)) or "none"
        raise RefusalError(f"incident {command.incident} is not open; open: {still_open}")
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
    """Record the amount that a display posts; too large a variance opens an incident at all tables (P22)."""
    settings = get_settings(state)
    computed_cents = get_display_cents(state)
    reading = DisplayReconciled(by=actor.name, posted_cents=command.posted_cents, computed_cents=computed_cents)
    variance_cents = command.posted_cents - computed_cents
    if abs(variance_cents) <= settings.variance_cents:
        return (reading,)
    text = f"posted {format_cents(command.posted_cents)}, computed {format_cents(computed_cents)}"
    return (reading, make_incident(state, actor.name, 0, "variance", text))


def change_staff(state: ProgressiveState, command: ChangeStaff, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Give a person a role, or end it.

    Raises:
        ForbiddenError: the role is the actor's own.
        RefusalError: nothing would change.
    """
    if command.name == actor.name:
        raise ForbiddenError(f"{actor.name} cannot change their own role: another executive must do it")
    member = state.staff.get(command.name)
    if member and (member.role, member.active) == (command.role, command.active):
        raise RefusalError(f"{command.name} already has the role {command.role}")
    if not command.active and not (member and member.active):
        raise RefusalError(f"{command.name} has no role here")
    return (StaffChanged(by=actor.name, name=command.name, role=command.role, active=command.active),)
