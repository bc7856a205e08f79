"""Dealer training: the next step of the procedure, the amount of every payout, and where it stands."""

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.core.errors import PitbossError
from pitboss.core.money import parse_cents
from pitboss.games import game_named, games
from pitboss.table.drill import Deed, laid
from pitboss.web.drills import Drill
from pitboss.web.floor import TheFloor
from pitboss.web.guests import SEE_OTHER, Commanding, Guest, Looking
from pitboss.web.house import address_of
from pitboss.web.problems import NotThereError
from pitboss.web.tables import page

router = APIRouter(include_in_schema=False)

Id = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


@router.get("/training")
def begin_page(request: Request, guest: Looking) -> HTMLResponse:
    """Show what can be trained."""
    return page("training/begin.html", request, guest, games=[game_named(name) for name in games()])


@router.post("/training")
def begin(
    request: Request,
    floor: TheFloor,
    guest: Commanding,
    game: Annotated[str, Form(max_length=32)],
    seats: Annotated[int, Form(ge=1, le=6)] = 3,
) -> Response:
    """Begin a drill."""
    floor.limits.request(address_of(request))
    return RedirectResponse(f"/training/{floor.drills.begin(guest.holder, game, seats)}", SEE_OTHER)


@router.get("/training/{name}")
def drill(request: Request, name: Id, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show the question at hand, or the score."""
    return _shown(request, floor.drills.of(name, guest.holder), name, guest)


@router.post("/training/{name}")
def answer(
    request: Request,
    name: Id,
    floor: TheFloor,
    guest: Commanding,
    said: Annotated[str, Form(max_length=200)] = "",
    dollars: Annotated[str, Form(max_length=20)] = "",
    number: Annotated[int, Form(ge=0)] = 0,
) -> HTMLResponse:
    """Take an answer, say whether it is right, and ask on."""
    drill = floor.drills.of(name, guest.holder)
    problem = ""
    if drill.left and number == len(drill.answers):
        task = drill.left[0]
        allowed = task.choices or tuple(Deed)
        try:
            if said not in allowed:
                raise NotThereError("choose one of the answers")
            drill.answer(said, parse_cents(dollars) if said == Deed.PAY and not task.choices else 0)
        except PitbossError as error:
            problem = str(error)
    return _shown(request, drill, name, guest, problem)


def _shown(request: Request, drill: Drill, name: str, guest: Guest, problem: str = "") -> HTMLResponse:
    task = drill.left[0] if drill.left else None
    first = drill.first
    return page(
        "training/drill.html",
        request,
        guest,
        409 if problem else 200,
        address=f"/training/{name}",
        game=drill.played.game,
        seats=drill.played.seats,
        task=task,
        last=drill.answers[-1] if drill.answers and not problem else None,
        places=list(laid(drill.played, task.events if task else len(drill.played.events))),
        number=len(drill.answers),
        again=len(drill.answers) >= drill.asked,
        asked=drill.asked,
        right=sum(each.right for each in first),
        mispaid=sum(abs(each.mispaid_cents) for each in first),
        wrong=[each for each in first if not each.right],
        problem=problem,
    )
