"""Rounds played before: step by step as a seat saw them, as histories, and what one's own decisions cost."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from pitboss.games import game_named
from pitboss.table.domain.history import format_history
from pitboss.table.sitting import HOUSE
from pitboss.web.floor import TheFloor
from pitboss.web.forms import MOST_NUMBER, Digits
from pitboss.web.guests import Looking
from pitboss.web.leaks import leaks_of
from pitboss.web.paging import page
from pitboss.web.picture import picture
from pitboss.web.problems import WebError
from pitboss.web.tables import Name, seat_of

router = APIRouter(include_in_schema=False)

Number = Annotated[Digits, Path(ge=1, le=MOST_NUMBER)]
Step = Annotated[Digits, Query(ge=0, le=MOST_NUMBER)]


class HiddenError(WebError):
    """What was asked for would tell a hand that was not shown."""

    status = HTTPStatus.FORBIDDEN


@router.get("/tables/{table}/rounds/{number}")
def replayed(
    request: Request, table: Name, number: Number, floor: TheFloor, guest: Looking, step: Step = 0
) -> HTMLResponse:
    """Show a settled round as this guest's seat saw it, step by step."""
    now = floor.past_sitting(table)
    steps = floor.tables.sittings(table, number)
    at = min(max(step, 0), len(steps) - 1)
    seen = picture(steps[at], seat_of(steps[at], guest), f"/tables/{table}")
    return page(
        "table/replay.html",
        request,
        guest,
        **{**seen, "staking": False, "choosing": False, "live": False},
        problem="",
        guest_name="",
        number=number,
        step=at,
        last=len(steps) - 1,
        latest=now.standing.number - 1,
        advice=None,
    )


@router.get("/tables/{table}/rounds/{number}/history.toml")
def history(table: Name, number: Number, floor: TheFloor, guest: Looking) -> Response:
    """Return a settled round's history, to be replayed or verified.

    It holds every card.  So it is given where nobody else's stay hidden: all others were bots, or the shuffle is
    provably fair, whose secret tells the whole deck once the round is over.

    Raises:
        HiddenError: another guest's hand would be told.
    """
    played = floor.tables.sittings(table, number)[-1]
    holders = {holder for holder in played.holders if holder != HOUSE}
    if not played.terms.fair and holders != {guest.holder}:
        raise HiddenError(
            "other people's hands were not all shown: histories are for provably fair tables, or one's own"
        )
    text = format_history(floor.tables.history(table, number))
    return Response(
        text,
        media_type="application/toml",
        headers={"Content-Disposition": f'attachment; filename="{table}-{number}.toml"'},
    )


@router.get("/tables/{table}/leaks")
def leaks(request: Request, table: Name, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show what one's own decisions at a table have cost."""
    now = floor.sitting(table)
    found = leaks_of(floor.tables, floor.coach, table, guest.holder)
    return page(
        "table/leaks.html", request, guest, game=game_named(now.terms.game), address=f"/tables/{table}", leaks=found
    )
