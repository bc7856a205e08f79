"""The administrative API: adjustments, settings, incidents, readings, staff."""

from typing import Annotated

from fastapi import Depends, Path, Request

from pitboss.jackpot.commands import (
    ApproveRequest,
    ChangeStaff,
    DeclineRequest,
    OpenIncident,
    ReconcileDisplay,
    RequestAdjustment,
    RequestBackOut,
    RequestSettings,
    SignIncident,
)
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import Adjustment, BackOut, Reconfiguration
from pitboss.jackpot.roles import Role, verify_permission
from pitboss.jackpot.round_handlers import get_settings
from pitboss.jackpot.settings import list_advice, validate_settings
from pitboss.web.api_router import make_api_router
from pitboss.web.forms import (
    AdjustmentForm,
    IncidentForm,
    NewStaffForm,
    ReadingForm,
    ReauthForm,
    ReauthTextForm,
    SettingsForm,
    TextForm,
)
from pitboss.web.jackpot_context import JackpotDep
from pitboss.web.problems import NotFoundError
from pitboss.web.rounds import NUMBER_PATH, AwardNumber, IdempotencyKey
from pitboss.web.schemas import AdviceResponse, CommandResponse, InvitationResponse, NewStaffResponse
from pitboss.web.sessions import StaffGuard, Visitor, authenticate

changes_router = make_api_router("changes")
staff_router = make_api_router("staff", "/api/staff")

StaffName = Annotated[str, Path(pattern=r"^[a-z][a-z0-9.-]{0,31}$", examples=["ann"])]


@changes_router.post("/adjustments")
def adjust(
    form: AdjustmentForm,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("adjust"))],
) -> CommandResponse:
    """Request a manual adjustment of meter or reserve; an executive other than the requester must approve it."""
    return CommandResponse.from_outcome(
        jackpot.controller.execute(RequestAdjustment(change=Adjustment(**form.model_dump())), visitor.actor, key)
    )


@changes_router.post("/awards/{award}/back-out")
def back_out(
    award: AwardNumber,
    form: TextForm,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("back-out"))],
) -> CommandResponse:
    """Request to back out an award confirmed in error; an executive other than the requester must approve it."""
    return CommandResponse.from_outcome(
        jackpot.controller.execute(RequestBackOut(change=BackOut(award=award, text=form.text)), visitor.actor, key)
    )


@changes_router.post("/settings")
def configure(
    form: SettingsForm,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("configure"))],
) -> AdviceResponse:
    """Request new settings; an executive other than the requester must approve them while no round is open."""
    changes = form.changes.model_dump(exclude_unset=True)
    settings = validate_settings({**get_settings(visitor.state).model_dump(), **changes})
    command = RequestSettings(change=Reconfiguration(settings=settings, text=form.text))
    return AdviceResponse.from_outcome(
        jackpot.controller.execute(command, visitor.actor, key), advice=list_advice(settings)
    )


@changes_router.post("/requests/{request_number}/approve")
def approve(
    request_number: Annotated[int, NUMBER_PATH],
    form: ReauthForm,
    key: IdempotencyKey,
    request: Request,
    jackpot: JackpotDep,
    _visitor: Annotated[Visitor, Depends(StaffGuard("approve"))],
) -> CommandResponse:
    """Approve another person's request."""
    return CommandResponse.from_outcome(
        jackpot.controller.execute(
            ApproveRequest(request=request_number), authenticate(request, jackpot, form.proof), key
        )
    )


@changes_router.post("/requests/{request_number}/decline")
def decline(
    request_number: Annotated[int, NUMBER_PATH],
    form: ReauthTextForm,
    key: IdempotencyKey,
    request: Request,
    jackpot: JackpotDep,
    _visitor: Annotated[Visitor, Depends(StaffGuard("decline"))],
) -> CommandResponse:
    """Decline a request, or withdraw your own."""
    command = DeclineRequest(request=request_number, text=form.text)
    return CommandResponse.from_outcome(
        jackpot.controller.execute(command, authenticate(request, jackpot, form.proof), key)
    )


@changes_router.post("/incidents")
def open_incident(
    form: IncidentForm,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("report"))],
) -> CommandResponse:
    """Open an incident: no new round opens at its table, or at any table (0)."""
    return CommandResponse.from_outcome(
        jackpot.controller.execute(OpenIncident(table=form.table, text=form.text), visitor.actor, key)
    )


@changes_router.post("/incidents/{incident}/sign")
def sign_incident(
    incident: Annotated[int, NUMBER_PATH],
    form: ReauthTextForm,
    key: IdempotencyKey,
    request: Request,
    jackpot: JackpotDep,
    _visitor: Annotated[Visitor, Depends(StaffGuard("sign"))],
) -> CommandResponse:
    """Sign how an incident was resolved; the second signature closes it."""
    command = SignIncident(incident=incident, text=form.text)
    return CommandResponse.from_outcome(
        jackpot.controller.execute(command, authenticate(request, jackpot, form.proof), key)
    )


@changes_router.post("/readings")
def reconcile(
    form: ReadingForm,
    key: IdempotencyKey,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("reconcile"))],
) -> CommandResponse:
    """Compare a display's reading with the ledger; too large a variance opens an incident at all tables."""
    return CommandResponse.from_outcome(
        jackpot.controller.execute(ReconcileDisplay(posted_cents=form.posted_cents), visitor.actor, key)
    )


@staff_router.post("")
def add_staff(
    form: NewStaffForm,
    key: IdempotencyKey,
    request: Request,
    jackpot: JackpotDep,
    _visitor: Annotated[Visitor, Depends(StaffGuard("staff"))],
) -> NewStaffResponse:
    """Give a person a role, and a token to set a password with."""
    command = ChangeStaff(name=form.name, role=form.role)
    outcome = jackpot.controller.execute(command, authenticate(request, jackpot, form.proof), key)
    if outcome.is_repeat:
        raise RefusalError(f"{form.name} already has a token: invite gives another")
    return NewStaffResponse.from_outcome(outcome, name=form.name, token=jackpot.staff.invite(form.name))


@staff_router.post("/{name}/invite")
def invite_staff(
    name: StaffName,
    form: ReauthForm,
    request: Request,
    jackpot: JackpotDep,
    _visitor: Annotated[Visitor, Depends(StaffGuard("staff"))],
) -> InvitationResponse:
    """Give a new token to a person who lost the password or authenticator; the old ones become void."""
    verify_permission(authenticate(request, jackpot, form.proof), "staff")
    member = jackpot.controller.state.staff.get(name)
    if member is None or not member.active:
        raise NotFoundError(f"{name} has no role here: POST /api/staff gives one")
    return InvitationResponse(name=name, token=jackpot.staff.invite(name))


@staff_router.post("/{name}/end")
def end_staff(
    name: StaffName,
    form: ReauthForm,
    key: IdempotencyKey,
    request: Request,
    jackpot: JackpotDep,
    visitor: Annotated[Visitor, Depends(StaffGuard("staff"))],
) -> CommandResponse:
    """End a person's role and all sessions."""
    member = visitor.state.staff.get(name)
    command = ChangeStaff(name=name, role=member.role if member else Role.SEAT, active=False)
    return CommandResponse.from_outcome(
        jackpot.controller.execute(command, authenticate(request, jackpot, form.proof), key)
    )
