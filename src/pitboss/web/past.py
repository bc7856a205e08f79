"""Rounds played before: step by step as a seat saw them, as histories, and what one's own decisions cost."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import WagerError
from pitboss.games import load_game
from pitboss.table.domain.history import format_history
from pitboss.table.sitting import HOUSE
from pitboss.web.floor import Floor, TheFloor
from pitboss.web.forms import MOST_NUMBER, Digits
from pitboss.web.guests import Guest, Looking
from pitboss.web.leaks import go_on
from pitboss.web.paging import page
from pitboss.web.picture import picture
from pitboss.web.problems import WebError
from pitboss.web.tables import Name, seat_of
from pitboss.web.waiting import asker_of

router = APIRouter(include_in_schema=False)

Number = Annotated[Digits, Path(ge=1, le=MOST_NUMBER)]
Step = Annotated[Digits, Query(ge=0, le=MOST_NUMBER)]

_SECONDS = 2.0
"""So long a request of the page of leaks works on them."""


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
async def leaks(request: Request, table: Name, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show at once what is known of what one's own decisions at a table have cost; the rest comes as it is found."""
    return await _leaks("table/leaks.html", request, table, floor, guest, 0)


@router.get("/tables/{table}/leaks/known")
async def known_leaks(request: Request, table: Name, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show what is known of one's own decisions after some more work on them."""
    return await _leaks("table/known_leaks.html", request, table, floor, guest, _SECONDS)


async def _leaks(
    template: str, request: Request, table: str, floor: Floor, guest: Guest, seconds: float
) -> HTMLResponse:
    now = await run_in_threadpool(floor.sitting, table)
    game = load_game(now.terms.game)
    if not game.solver:
        raise WagerError(f"{game.name} names no solver that could say what a decision has cost")
    study = floor.studies.study(table, guest.holder)
    study.begin(now.standing.number - 1)
    await go_on(study, floor.tables, floor.jobs, table, asker_of(request, guest), seconds)
    return page(template, request, guest, game=game, address=f"/tables/{table}", leaks=study.leaks)
