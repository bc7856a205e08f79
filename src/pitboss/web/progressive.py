"""The progressive's pages: the big display, and the consoles of dealer, supervisor, executive and auditor.

A console shows the state of the ledger; its commands go through the API, like those of any other program.
"""

from typing import Annotated, get_args

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from pitboss.jackpot.credentials import SESSION_IDLE_SECONDS
from pitboss.jackpot.events import AdjustmentReason
from pitboss.jackpot.roles import PERMISSIONS
from pitboss.jackpot.round_handlers import get_settings
from pitboss.jackpot.state import get_display_cents
from pitboss.web.guests import ViewingGuest
from pitboss.web.jackpot_context import JackpotDep
from pitboss.web.linked_tables import find_linked_tables
from pitboss.web.registry import RegistryDep
from pitboss.web.render import render_page
from pitboss.web.reports import verify_table
from pitboss.web.rounds import TableNumber
from pitboss.web.schemas import DisplayResponse, StatusResponse, TableResponse
from pitboss.web.security import make_csrf_token
from pitboss.web.sessions import Visitor, find_visitor

router = APIRouter(include_in_schema=False)

_EVENT_KINDS = ("opened", "entered", "cancelled", "confirmed", "paid", "ended", "backed-out")

MaybeVisitor = Annotated[Visitor | None, Depends(find_visitor)]


@router.get("/progressive")
def show_display(request: Request, jackpot: JackpotDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the big display of the meter."""
    return render_page(
        "progressive/display.html", request, guest, display=DisplayResponse.from_state(jackpot.controller.refresh())
    )


@router.get("/progressive/display")
def show_amount(request: Request, jackpot: JackpotDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the part of the display that changes."""
    return render_page(
        "progressive/amount.html", request, guest, display=DisplayResponse.from_state(jackpot.controller.refresh())
    )


@router.get("/progressive/meter")
def show_meter(request: Request, jackpot: JackpotDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the meter on one line, for the lobby and the tables."""
    return render_page("progressive/meter.html", request, guest, meter=get_display_cents(jackpot.controller.refresh()))


@router.get("/progressive/console")
def show_console(request: Request, guest: ViewingGuest, visitor: MaybeVisitor) -> HTMLResponse:
    """Show the tables of the visitor's role, or the login form."""
    if visitor is None:
        return render_page("progressive/log_in.html", request, guest)
    return render_page(
        "progressive/console.html",
        request,
        guest,
        me=visitor.actor,
        may=_list_permissions(visitor),
        token=make_csrf_token(visitor.session),
        idle=SESSION_IDLE_SECONDS,
        tables=range(1, get_settings(visitor.state).tables + 1),
        reasons=get_args(AdjustmentReason),
        books=StatusResponse.from_state(visitor.state) if "read-ledger" in _list_permissions(visitor) else None,
    )


@router.get("/progressive/console/tables/{table}")
def show_table_console(
    request: Request,
    table: TableNumber,
    jackpot: JackpotDep,
    registry: RegistryDep,
    guest: ViewingGuest,
    visitor: MaybeVisitor,
) -> HTMLResponse:
    """Show a table's round: wagers, hands, awards, in the words of the settings."""
    if visitor is None:
        return render_page("progressive/log_in.html", request, guest)
    verify_table(visitor.state, table)
    response, name = TableResponse.from_state(visitor.state, table), find_linked_tables(registry, jackpot).get(table)
    return render_page(
        "progressive/table.html",
        request,
        guest,
        me=visitor.actor,
        may=_list_permissions(visitor),
        token=make_csrf_token(visitor.session),
        idle=SESSION_IDLE_SECONDS,
        table=response,
        entries=visitor.state.entries,
        kinds=_EVENT_KINDS,
        wagered={wager.seat for wager in response.wagers},
        browser=registry.get_session(name).snapshot if name else None,
    )


def _list_permissions(visitor: Visitor) -> frozenset[str]:
    """Return the permissions of a visitor's role."""
    return frozenset(act for act, roles in PERMISSIONS.items() if visitor.actor.role in roles)
