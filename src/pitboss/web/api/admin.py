"""The administrative API: adjustments, settings, incidents, readings, staff."""

from typing import Annotated

from fastapi import Depends, Path

from pitboss.jackpot.commands import (
    ApproveRequest,
    ChangeStaff,
    DeclineRequest,
    OpenIncident,
    ReconcileDisplay,
    RequestAdjustment,
    RequestBackOut,
    RequestSettingChanges,
    SignIncident,
)
from pitboss.jackpot.events import Adjustment, BackOut, ChangeRequested, Reconfiguration
from pitboss.jackpot.roles import LOGIN_PATTERN, Role
from pitboss.jackpot.settings import iter_advice
from pitboss.jackpot.staff_events import StaffRequest
from pitboss.web.api.rounds import NUMBER_PATH, AwardNumber, CommandCallDep
from pitboss.web.api_router import make_api_router
from pitboss.web.auth.sessions import Caller, StaffGuard
from pitboss.web.forms import (
    AdjustmentForm,
    ApprovalForm,
    IncidentForm,
    NewStaffForm,
    ReadingForm,
    ReauthForm,
    ReauthTextForm,
    SettingsForm,
    TextForm,
)
from pitboss.web.schemas import AdviceResponse, CommandResponse, HalfCodeResponse

changes_router = make_api_router("changes")
staff_router = make_api_router("staff", "/api/staff")

StaffName = Annotated[str, Path(pattern=LOGIN_PATTERN, examples=["ann"])]


@changes_router.post("/adjustments")
def adjust(
    form: AdjustmentForm, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("adjust"))]
) -> CommandResponse:
    """Request a manual adjustment of the meter or the reserve.

    An executive other than the requester must approve it.
    """
    return call.run(RequestAdjustment(change=Adjustment(**form.model_dump())), caller.actor)


@changes_router.post("/awards/{award}/back-out")
def back_out(
    award: AwardNumber,
    form: TextForm,
    call: CommandCallDep,
    caller: Annotated[Caller, Depends(StaffGuard("back-out"))],
) -> CommandResponse:
    """Request to back out an award that was confirmed in error.

    An executive other than the requester must approve it.
    """
    return call.run(RequestBackOut(change=BackOut(award=award, text=form.text)), caller.actor)


@changes_router.post("/settings")
def configure(
    form: SettingsForm, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("configure"))]
) -> AdviceResponse:
    """Request new settings of the progressive.

    An executive other than the requester must approve them; they apply from each table's next round.
    """
    changes = form.changes.model_dump(mode="json", exclude_unset=True)
    outcome = call.execute(RequestSettingChanges(changes=changes, text=form.text), caller.actor)
    requested = [event.change for event in outcome.events if isinstance(event, ChangeRequested)]
    settings = [change.settings for change in requested if isinstance(change, Reconfiguration)]
    return AdviceResponse.from_outcome(outcome, advice=[each for of in settings for each in iter_advice(of)])


@changes_router.post("/requests/{request_number}/approve")
def approve(
    request_number: Annotated[int, NUMBER_PATH],
    form: ApprovalForm,
    call: CommandCallDep,
    caller: Annotated[Caller, Depends(StaffGuard("approve"))],
) -> HalfCodeResponse:
    """Approve another person's request.

    If it gives a person an account, the answer has the approver's half of the code to enrol with; so it must be
    approved in the approver's own session.
    """
    command = ApproveRequest(request=request_number, shown=form.shown)
    request = caller.state.requests.get(request_number)
    if request and isinstance(request.change, StaffRequest):
        return call.run_for_own_eyes(command, caller, form.proof)
    return HalfCodeResponse.from_half_code(call.execute(command, call.prove(form.proof)), caller.actor)


@changes_router.post("/requests/{request_number}/decline")
def decline(
    request_number: Annotated[int, NUMBER_PATH],
    form: ReauthTextForm,
    call: CommandCallDep,
    _caller: Annotated[Caller, Depends(StaffGuard("decline"))],
) -> CommandResponse:
    """Decline a request, or withdraw your own."""
    command = DeclineRequest(request=request_number, text=form.text)
    return call.run(command, call.prove(form.proof))


@changes_router.post("/incidents")
def open_incident(
    form: IncidentForm, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("report"))]
) -> CommandResponse:
    """Open an incident: no new round opens at its table, or at any table (0)."""
    return call.run(OpenIncident(table=form.table, text=form.text), caller.actor)


@changes_router.post("/incidents/{incident}/sign")
def sign_incident(
    incident: Annotated[int, NUMBER_PATH],
    form: ReauthTextForm,
    call: CommandCallDep,
    _caller: Annotated[Caller, Depends(StaffGuard("sign"))],
) -> CommandResponse:
    """Sign how an incident was resolved; the second signature closes it."""
    command = SignIncident(incident=incident, text=form.text)
    return call.run(command, call.prove(form.proof))


@changes_router.post("/readings")
def reconcile(
    form: ReadingForm, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("reconcile"))]
) -> CommandResponse:
    """Compare a display's reading with the ledger.

    A variance that is too large opens an incident at all tables.
    """
    return call.run(ReconcileDisplay(posted_cents=form.posted_cents), caller.actor)


@staff_router.post("")
def add_staff(
    form: NewStaffForm, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("staff"))]
) -> HalfCodeResponse:
    """Request that a person be given a role, or another one.

    Somebody else must approve it.  The answer has the requester's half of the code to enrol with.
    """
    return call.run_for_own_eyes(ChangeStaff(name=form.name, role=form.role), caller, form.proof)


@staff_router.post("/{name}/reset")
def reset_staff(
    name: StaffName, form: ReauthForm, call: CommandCallDep, caller: Annotated[Caller, Depends(StaffGuard("staff"))]
) -> HalfCodeResponse:
    """Request that a person who lost the password or authenticator enrol again.

    Somebody else must approve it.  The answer has the requester's half of the code to enrol with.
    """
    command = ChangeStaff(name=name, role=Role.SEAT, reset=True)
    return call.run_for_own_eyes(command, caller, form.proof)


@staff_router.post("/{name}/end")
def end_staff(
    name: StaffName, form: ReauthForm, call: CommandCallDep, _caller: Annotated[Caller, Depends(StaffGuard("staff"))]
) -> CommandResponse:
    """Request the end of a person's role and sessions; another must approve it."""
    command = ChangeStaff(name=name, role=Role.SEAT, active=False)
    return call.run(command, call.prove(form.proof))
