"""The handlers of commands outside rounds.

These are adjustments, settings, incidents, display readings and reprints.

A change that moves money without a win, or changes the rules, needs two people: one requests it, another, an
executive, approves it.
"""

from pitboss.core.money import format_cents
from pitboss.jackpot.award_amounts import compute_free_meter, compute_reversal
from pitboss.jackpot.commands import (
    ApproveRequest,
    DeclineRequest,
    OpenIncident,
    ReconcileDisplay,
    ReprintWinPage,
    RequestAdjustment,
    RequestBackOut,
    RequestSettingChanges,
    RequestSettings,
    SignIncident,
)
from pitboss.jackpot.display import get_display_cents
from pitboss.jackpot.dual_control import is_first_signature, verify_signature
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
    WinPageReprinted,
)
from pitboss.jackpot.hand_check import get_progressive_wager
from pitboss.jackpot.lookups import get_hit, get_settings, verify_no_back_out
from pitboss.jackpot.request_review import digest_request
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.settings import MAX_CENTS, change_settings
from pitboss.jackpot.software_acceptance import is_software_running
from pitboss.jackpot.staff_events import StaffRequest
from pitboss.jackpot.staff_handlers import approve_staff_change
from pitboss.jackpot.staff_state import is_same_account
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import ChangeRequest, find_seed_keeper, remove_seed
from pitboss.meter import NO_LIMIT, UNITS_PER_CENT

NUMBERS_PER_RESTORATION = 1_000_000
"""More rounds of a table, awards or requests than there are between a backup and its restoration."""

RAISE_REASONS = {"malfunction", "house-funds", "award"}
"""Reasons for raising a meter by hand."""


def request_change(
    state: ProgressiveState,
    command: RequestAdjustment | RequestBackOut | RequestSettings | RequestSettingChanges,
    actor: Actor,
) -> tuple[ProgressiveEvent, ...]:
    """Request a change that another person must approve.

    Raises:
        RefusalError: the change is not possible now.
    """
    change = (
        Reconfiguration(settings=change_settings(get_settings(state), command.changes), text=command.text)
        if isinstance(command, RequestSettingChanges)
        else command.change
    )
    _verify_change(state, change)
    if isinstance(change, BackOut):
        verify_no_back_out(state, change.award)
    return (ChangeRequested(by=actor.name, request=state.last_request + 1, change=change),)


def _verify_change(state: ProgressiveState, change: Adjustment | BackOut | Reconfiguration) -> None:
    match change:
        case Adjustment():
            verify_adjustment(state, change)
        case BackOut():
            hit = get_hit(state, change.award)
            if hit.step != "confirmed":
                fix = f"; correct it by adjust --award {change.award}" if hit.step == "paid" else ""
                raise RefusalError(
                    f"award {change.award} is {hit.step}: only a confirmed, unpaid award can be backed out{fix}",
                    code="award-not-confirmed",
                    award=change.award,
                    step=hit.step,
                )
            current = state.rounds[hit.table]
            if current.link and current.running and current.number == hit.round:
                raise RefusalError(
                    f"award {change.award} is being paid at {current.link}: back it out when the round is over",
                    code="award-in-play",
                    award=change.award,
                    link=current.link,
                )
        case _:
            _verify_settings(state, change)


def verify_adjustment(state: ProgressiveState, change: Adjustment) -> None:
    """Raise ``RefusalError`` if an adjustment is not possible.

    An adjustment never touches what is owed (P10), nor what goes back when an undecided hit is turned off (SC-9).
    """
    free_meter = compute_free_meter(state)
    account_units = free_meter.units if change.account == "meter" else free_meter.reserve_units
    if change.cents == 0:
        raise RefusalError("an adjustment of $0.00 changes nothing: give an amount", code="no-change")
    if change.cents > 0 and change.reason not in RAISE_REASONS:
        raise RefusalError(
            f"{change.reason} is not a reason to raise a meter: use {', '.join(sorted(RAISE_REASONS))}",
            code="invalid-reason",
            raise_reasons=sorted(RAISE_REASONS),
        )
    if change.cents < 0 and change.reason == "house-funds":
        raise RefusalError(
            "house-funds is not a reason to lower a meter: the money in it belongs to the players",
            code="invalid-reason",
        )
    if change.award:
        get_hit(state, change.award)
    if account_units + change.cents * UNITS_PER_CENT < 0:
        free = format_cents(account_units // UNITS_PER_CENT)
        less = format_cents(-change.cents)
        raise RefusalError(
            f"the {change.account} has {free} beyond what is owed: it cannot be lowered by {less}",
            code="below-owed",
            account=change.account,
        )
    held_units = state.meter_units if change.account == "meter" else state.reserve_units
    if change.cents > 0 and held_units + change.cents * UNITS_PER_CENT > MAX_CENTS * UNITS_PER_CENT:
        raise RefusalError(
            f"the {change.account} would be above {format_cents(MAX_CENTS)}: check the amount",
            code="above-most",
            account=change.account,
            most_cents=MAX_CENTS,
        )


def _verify_settings(state: ProgressiveState, change: Reconfiguration) -> None:
    settings = change.settings
    if settings == get_settings(state):
        raise RefusalError("these are already the settings: change at least one", code="no-change")
    if settings.game != get_settings(state).game:
        get_progressive_wager(settings.game)
    is_other_limit = settings.limit_cents not in {NO_LIMIT, get_settings(state).limit_cents}
    shown_cents = get_display_cents(state)
    if is_other_limit and settings.limit_cents < shown_cents:
        raise RefusalError(
            f"the limit is below the {format_cents(shown_cents)} that the display shows: set it to that or more",
            code="limit-below-meter",
        )
    for current in state.rounds.values():
        if current.running and current.table > settings.tables:
            raise RefusalError(
                f"table {current.table} is in play: end its round {current.number} before you take the table away",
                code="table-in-play",
                table=current.table,
                round=current.number,
            )


def approve_request(state: ProgressiveState, command: ApproveRequest, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Make a change that somebody else requested.

    Raises:
        RefusalError: there is no such request, it is not what the actor was shown, its person's account or the
            settings have changed since, or it is no longer possible.
        ForbiddenError: the request is the actor's own.
    """
    request = _get_request(state, command.request)
    if command.shown and command.shown != digest_request(state, command.request):
        raise RefusalError(
            f"request {command.request} is not what you were shown: load the page again and read it",
            code="request-changed",
            request=command.request,
        )
    if request.by == actor.name:
        raise ForbiddenError(
            f"{actor.name} made request {command.request}: somebody else must approve it",
            code="second-person-needed",
            person=actor.name,
            request=command.request,
        )
    if not is_same_account(request.requester, state.staff.get(request.by)):
        raise RefusalError(
            f"the account of {request.by}, who requested this, has changed since: decline it",
            code="requester-ended",
            person=request.by,
        )
    if isinstance(request.change, StaffRequest):
        return approve_staff_change(state, command, actor, request.change)
    if isinstance(request.change, Reconfiguration) and request.version != state.version:
        raise RefusalError(
            f"the settings have changed since request {command.request} was made: decline it and request it again",
            code="settings-changed",
            request=command.request,
        )
    _verify_change(state, request.change)
    match request.change:
        case Adjustment() as change:
            return (AdjustmentMade(by=actor.name, requested_by=request.by, request=command.request, adjustment=change),)
        case BackOut() as change:
            return (_back_out(state, change, command.request, request.by, actor),)
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


def _back_out(
    state: ProgressiveState, change: BackOut, request: int, requested_by: str, actor: Actor
) -> AwardBackedOut:
    """Put an award back.

    Its seed and reserve go back as far as they are left in the meter (P10).
    """
    hit = get_hit(state, change.award)
    keeper = find_seed_keeper(state.hits.values(), hit)
    owed = remove_seed(hit.owed) if keeper else hit.owed
    back = compute_reversal(compute_free_meter(state), (owed,))
    return AwardBackedOut(
        by=actor.name,
        requested_by=requested_by,
        request=request,
        award=change.award,
        text=change.text,
        tray_cents=owed.tray_cents,
        back=back,
        heir=keeper,
        kept_seed_cents=owed.seed_cents - back.seed_cents,
        kept_reserve_units=owed.released_units - back.released_units,
    )


def decline_request(state: ProgressiveState, command: DeclineRequest, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Decline a request, or withdraw the actor's own.

    Raises:
        RefusalError: there is no such request.
        ForbiddenError: a supervisor may not decline somebody else's request.
    """
    request = _get_request(state, command.request)
    if actor.role is not Role.EXECUTIVE and request.by != actor.name:
        raise ForbiddenError(
            f"request {command.request} is {request.by}'s: only an executive can decline it",
            code="not-own-request",
            request=command.request,
        )
    return (RequestDeclined(by=actor.name, request=command.request, text=command.text),)


def _get_request(state: ProgressiveState, number: int) -> ChangeRequest:
    if number not in state.requests:
        waiting = ", ".join(map(str, state.requests)) or "none"
        raise RefusalError(
            f"request {number} is not waiting for approval; waiting: {waiting}", code="unknown-request", number=number
        )
    return state.requests[number]


def open_incident(state: ProgressiveState, command: OpenIncident, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Open an incident, which two people have to close.

    Until then no new round opens at its table, or at any table (0).

    Raises:
        RefusalError: the table is unknown.
    """
    tables = get_settings(state).tables
    if command.table > tables:
        raise RefusalError(
            f"unknown table {command.table}: tables are 1 to {tables}, 0 means all",
            code="unknown-table",
            table=command.table,
            tables=tables,
        )
    return (make_incident(state, actor.name, command.table, "reported", command.text),)


def make_incident(state: ProgressiveState, by: str, table: int, what: str, text: str) -> IncidentOpened:
    """Return the event that opens the next incident."""
    return IncidentOpened.model_validate(
        {"by": by, "incident": state.last_incident + 1, "table": table, "what": what, "text": text}
    )


def make_restoration_incident(state: ProgressiveState, by: str, text: str) -> IncidentOpened:
    """Return the incident that a restoration opens.

    The lost entries may have used numbers that are on paper, so all numbers continue with the next million.
    """
    rounds = (each.number for each in state.rounds.values())
    highest = max(state.last_award, state.last_request, state.last_incident, state.numbers_after, *rounds)
    after = (highest // NUMBERS_PER_RESTORATION + 1) * NUMBERS_PER_RESTORATION
    opened = make_incident(state, by, 0, "reported", text)
    return opened.model_copy(update={"incident": after + 1, "numbers_after": after})


def sign_incident(
    state: ProgressiveState, command: SignIncident, actor: Actor, now: int
) -> tuple[ProgressiveEvent, ...]:
    """Sign an incident as the first of two people, or close it as the second.

    A signature no longer counts if its person's account has changed since, or if the next person to sign cannot act
    together with them at ``now``, in seconds: that one is then the first (``dual_control``).  Closing the incident of
    a changed program accepts that program only while it runs: it may have been put back.

    Raises:
        RefusalError: there is no such incident.
        ForbiddenError: the same person has signed it already, or nobody could join the person's signature yet.
    """
    if command.incident not in state.incidents:
        still_open = ", ".join(map(str, state.incidents)) or "none"
        raise RefusalError(
            f"incident {command.incident} is not open; open: {still_open}",
            code="unknown-incident",
            incident=command.incident,
        )
    incident = state.incidents[command.incident]
    if is_first_signature(state, command.incident, actor.name, now):
        verify_signature(state, command.incident, actor.name, now)
        return (IncidentSigned(by=actor.name, incident=command.incident, text=command.text),)
    first = incident.signed_by
    if first == actor.name:
        raise ForbiddenError(
            f"{actor.name} has signed incident {command.incident}: a second person must close it",
            code="second-person-needed",
            person=actor.name,
            incident=command.incident,
        )
    closed = IncidentClosed(by=actor.name, signed_by=first, incident=command.incident, text=command.text)
    return (closed.model_copy(update={"is_absent": not is_software_running(incident.software)}),)


def reprint_win_page(state: ProgressiveState, command: ReprintWinPage, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Print a win page again, and count it.

    Raises:
        RefusalError: the award is not confirmed or paid.
    """
    hit = get_hit(state, command.award)
    if hit.step not in {"confirmed", "paid"}:
        raise RefusalError(
            f"award {command.award} is {hit.step}: it has no win page",
            code="no-win-page",
            award=command.award,
            step=hit.step,
        )
    return (WinPageReprinted(by=actor.name, award=command.award, copy_number=hit.copies + 1),)


def reconcile_display(state: ProgressiveState, command: ReconcileDisplay, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Record the amount that a display posts.

    A variance that is too large opens an incident at all tables (P22).
    """
    settings = get_settings(state)
    computed_cents = get_display_cents(state)
    reading = DisplayReconciled(by=actor.name, posted_cents=command.posted_cents, computed_cents=computed_cents)
    variance_cents = command.posted_cents - computed_cents
    if abs(variance_cents) <= settings.variance_cents:
        return (reading,)
    text = f"posted {format_cents(command.posted_cents)}, computed {format_cents(computed_cents)}"
    return (reading, make_incident(state, actor.name, 0, "variance", text))
