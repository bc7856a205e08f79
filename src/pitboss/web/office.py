"""What stands beside the rounds: adjustments, settings, incidents, readings, staff."""

from typing import Annotated

from fastapi import Depends, Path, Request

from pitboss.jackpot.commands import (
    Adjust,
    Approve,
    AskBackOut,
    ChangeStaff,
    Configure,
    Decline,
    Reconcile,
    Report,
    Sign,
)
from pitboss.jackpot.events import Adjustment, BackOut, Reconfiguration
from pitboss.jackpot.procedure import settings_in
from pitboss.jackpot.refusal import RefusalError
from pitboss.jackpot.roles import Role, verify_role
from pitboss.jackpot.settings import advice, checked
from pitboss.web.answers import Done, DoneWithAdvice, DoneWithToken, Invited
from pitboss.web.forms import (
    Adjusting,
    IncidentReport,
    NewStaff,
    Posted,
    Proved,
    ProvedText,
    Reconfiguring,
    Why,
)
from pitboss.web.house import TheHouse
from pitboss.web.part import part
from pitboss.web.problems import NotThereError
from pitboss.web.rounds import Award, Key, Number
from pitboss.web.sessions import Guard, Visitor, proved

changes = part("changes")
staff = part("staff", "/api/staff")

Who = Annotated[str, Path(pattern=r"^[a-z][a-z0-9.-]{0,31}$", examples=["ann"])]


@changes.post("/adjustments")
def adjust(form: Adjusting, key: Key, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("adjust"))]) -> Done:
    """Ask for an adjustment of meter or reserve by hand; an executive who is another must approve it."""
    return Done.of(house.controller.do(Adjust(change=Adjustment(**form.model_dump())), visitor.actor, key))


@changes.post("/awards/{award}/back-out")
def back_out(
    award: Award, form: Why, key: Key, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("back-out"))]
) -> Done:
    """Ask that an award be put back that was confirmed in error; an executive who is another must approve it."""
    return Done.of(house.controller.do(AskBackOut(change=BackOut(award=award, text=form.text)), visitor.actor, key))


@changes.post("/settings")
def configure(
    form: Reconfiguring, key: Key, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("configure"))]
) -> DoneWithAdvice:
    """Ask for other settings; an executive who is another must approve them while no round is open."""
    wanted = form.changes.model_dump(exclude_unset=True)
    settings = checked({**settings_in(visitor.state).model_dump(), **wanted})
    command = Configure(change=Reconfiguration(settings=settings, text=form.text))
    return DoneWithAdvice.of(house.controller.do(command, visitor.actor, key), advice=advice(settings))


@changes.post("/requests/{request_number}/approve")
def approve(
    request_number: Annotated[int, Number],
    form: Proved,
    key: Key,
    request: Request,
    house: TheHouse,
    _visitor: Annotated[Visitor, Depends(Guard("approve"))],
) -> Done:
    """Approve what somebody else has asked for."""
    return Done.of(house.controller.do(Approve(request=request_number), proved(request, house, form.proof), key))


@changes.post("/requests/{request_number}/decline")
def decline(
    request_number: Annotated[int, Number],
    form: ProvedText,
    key: Key,
    request: Request,
    house: TheHouse,
    _visitor: Annotated[Visitor, Depends(Guard("decline"))],
) -> Done:
    """Turn a request down, or withdraw one's own."""
    command = Decline(request=request_number, text=form.text)
    return Done.of(house.controller.do(command, proved(request, house, form.proof), key))


@changes.post("/incidents")
def open_incident(
    form: IncidentReport, key: Key, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("report"))]
) -> Done:
    """Open an incident: no new round opens at its table, or at any (0)."""
    return Done.of(house.controller.do(Report(table=form.table, text=form.text), visitor.actor, key))


@changes.post("/incidents/{incident}/sign")
def sign_incident(
    incident: Annotated[int, Number],
    form: ProvedText,
    key: Key,
    request: Request,
    house: TheHouse,
    _visitor: Annotated[Visitor, Depends(Guard("sign"))],
) -> Done:
    """Sign how an incident ends; the second person who does closes it."""
    command = Sign(incident=incident, text=form.text)
    return Done.of(house.controller.do(command, proved(request, house, form.proof), key))


@changes.post("/readings")
def reconcile(
    form: Posted, key: Key, house: TheHouse, visitor: Annotated[Visitor, Depends(Guard("reconcile"))]
) -> Done:
    """Compare what a display posts with the ledger; too large a variance opens an incident at all tables."""
    return Done.of(house.controller.do(Reconcile(posted_cents=form.posted_cents), visitor.actor, key))


@staff.post("")
def add_staff(
    form: NewStaff,
    key: Key,
    request: Request,
    house: TheHouse,
    _visitor: Annotated[Visitor, Depends(Guard("staff"))],
) -> DoneWithToken:
    """Give somebody a role, and the token with which they choose a password."""
    command = ChangeStaff(name=form.name, role=form.role)
    outcome = house.controller.do(command, proved(request, house, form.proof), key)
    if outcome.repeated:
        raise RefusalError(f"{form.name} was given a token already: invite gives another")
    return DoneWithToken.of(outcome, name=form.name, token=house.staff.invite(form.name))


@staff.post("/{name}/invite")
def invite_staff(
    name: Who,
    form: Proved,
    request: Request,
    house: TheHouse,
    _visitor: Annotated[Visitor, Depends(Guard("staff"))],
) -> Invited:
    """Give somebody another token who has lost his password or authenticator; what he had is void."""
    verify_role(proved(request, house, form.proof), "staff")
    member = house.controller.state.staff.get(name)
    if member is None or not member.active:
        raise NotThereError(f"{name} has no role here: POST /api/staff gives one")
    return Invited(name=name, token=house.staff.invite(name))


@staff.post("/{name}/end")
def end_staff(
    name: Who,
    form: Proved,
    key: Key,
    request: Request,
    house: TheHouse,
    visitor: Annotated[Visitor, Depends(Guard("staff"))],
) -> Done:
    """End somebody's role, and with it every session."""
    member = visitor.state.staff.get(name)
    command = ChangeStaff(name=name, role=member.role if member else Role.SEAT, active=False)
    return Done.of(house.controller.do(command, proved(request, house, form.proof), key))
