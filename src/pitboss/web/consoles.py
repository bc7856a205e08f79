"""The progressive's pages: the big display, the consoles of dealer, supervisor and executive, and the auditor's.

A console shows what stands in the ledger; what it does goes through the API, as any other program's commands do.
"""

from typing import Annotated, get_args

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from pitboss.jackpot.events import Reason
from pitboss.jackpot.procedure import settings_in
from pitboss.jackpot.roles import ROLES
from pitboss.jackpot.staff import IDLE_SECONDS
from pitboss.jackpot.state import display_cents
from pitboss.web.answers import Books, Display, TableShown
from pitboss.web.books import verify_table
from pitboss.web.floor import TheFloor
from pitboss.web.guests import Looking
from pitboss.web.house import TheHouse
from pitboss.web.linked import standing
from pitboss.web.paging import page
from pitboss.web.rounds import Table
from pitboss.web.security import csrf_of
from pitboss.web.sessions import Visitor, visitor_of

router = APIRouter(include_in_schema=False)

_KINDS = ("opened", "entered", "cancelled", "confirmed", "paid", "ended", "backed-out")

At = Annotated[Visitor | None, Depends(visitor_of)]


@router.get("/progressive")
def display(request: Request, house: TheHouse, guest: Looking) -> HTMLResponse:
    """Show the meter, large."""
    return page("progressive/display.html", request, guest, display=Display.of(house.controller.refresh()))


@router.get("/progressive/display")
def amount(request: Request, house: TheHouse, guest: Looking) -> HTMLResponse:
    """Show what of the display changes."""
    return page("progressive/amount.html", request, guest, display=Display.of(house.controller.refresh()))


@router.get("/progressive/meter")
def meter(request: Request, house: TheHouse, guest: Looking) -> HTMLResponse:
    """Show the amount in a line, for the lobby."""
    return page("progressive/meter.html", request, guest, meter=display_cents(house.controller.refresh()))


@router.get("/progressive/console")
def console(request: Request, guest: Looking, visitor: At) -> HTMLResponse:
    """Show the tables that one may work at, or ask who one is."""
    if visitor is None:
        return page("progressive/log_in.html", request, guest)
    return page(
        "progressive/console.html",
        request,
        guest,
        me=visitor.actor,
        may=_may(visitor),
        token=csrf_of(visitor.session),
        idle=IDLE_SECONDS,
        tables=range(1, settings_in(visitor.state).tables + 1),
        reasons=get_args(Reason),
        books=Books.of(visitor.state) if "read-ledger" in _may(visitor) else None,
    )


@router.get("/progressive/console/tables/{table}")
def table_console(
    request: Request, table: Table, house: TheHouse, floor: TheFloor, guest: Looking, visitor: At
) -> HTMLResponse:
    """Show a table's round: wagers, hands, awards, in the system's own words."""
    if visitor is None:
        return page("progressive/log_in.html", request, guest)
    verify_table(visitor.state, table)
    shown, name = TableShown.of(visitor.state, table), standing(floor, house).get(table)
    return page(
        "progressive/table.html",
        request,
        guest,
        me=visitor.actor,
        may=_may(visitor),
        token=csrf_of(visitor.session),
        idle=IDLE_SECONDS,
        table=shown,
        entries=visitor.state.entries,
        kinds=_KINDS,
        wagered={wager.seat for wager in shown.wagers},
        browser=floor.sitting(name).standing if name else None,
    )


def _may(visitor: Visitor) -> frozenset[str]:
    """Return the acts that are open to a role."""
    return frozenset(act for act, roles in ROLES.items() if visitor.actor.role in roles)
