"""Dealer training: the next step of the procedure, the amount of every payout, where each stands; one's own record."""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Path, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.core.errors import PitbossError, UnknownIdError
from pitboss.core.money import parse_cents
from pitboss.games import load_game, load_games
from pitboss.jackpot.procedure import WORDS
from pitboss.table.drill import Deed
from pitboss.table.laid import laid
from pitboss.table.practice import procedure_of
from pitboss.table.trainees import Asked, Drill, Keys
from pitboss.web.floor import Floor, TheFloor
from pitboss.web.forms import MOST_NUMBER, Digits
from pitboss.web.guests import SEE_OTHER, Commanding, Guest, Looking
from pitboss.web.house import address_of
from pitboss.web.paging import page
from pitboss.web.problems import NotThereError

router = APIRouter(include_in_schema=False)

Id = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
Checkbox = Annotated[Literal["", "on"], Form()]


@router.get("/training")
def begin_page(request: Request, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show what can be trained, and one's own record."""
    learned = floor.trainees.learned(guest.holder)
    return page(
        "training/begin.html",
        request,
        guest,
        games=[load_game(name) for name in load_games()],
        hiding=[load_game(name) for name in load_games() if procedure_of(load_game(name)).unshown],
        keys=WORDS,
        learned=[(load_game(each.game), each) for each in learned],
        weak=list(dict.fromkeys(load_game(each.game) for each in learned if each.weak)),
    )


@router.post("/training")
def begin(
    request: Request,
    floor: TheFloor,
    guest: Commanding,
    game: Annotated[str, Form(max_length=32)],
    seats: Annotated[Digits, Form(ge=1, le=6)] = 3,
    keys: Annotated[Keys, Form()] = "keypad",
    unshown: Checkbox = "",
    again: Checkbox = "",
) -> Response:
    """Begin a drill."""
    floor.limits.drill(guest.holder, address_of(request))
    asked = Asked(game=load_game(game).id, seats=seats, keys=keys, unshown="may" if unshown else "")
    return RedirectResponse(f"/training/{floor.trainees.begin(guest.holder, asked, again=bool(again))}", SEE_OTHER)


@router.get("/training/{name}")
def drill(request: Request, name: Id, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show the question at hand, or the score."""
    return _shown(request, _own(floor, name, guest), guest)


@router.post("/training/{name}")
def answer(
    request: Request,
    name: Id,
    floor: TheFloor,
    guest: Commanding,
    said: Annotated[str, Form(max_length=200)] = "",
    dollars: Annotated[str, Form(max_length=20)] = "",
    number: Annotated[Digits, Form(ge=0, le=MOST_NUMBER)] = 0,
) -> Response:
    """Take an answer; the drill's page then says whether it was right, and asks on."""
    drill = _own(floor, name, guest)
    try:
        cents = parse_cents(dollars) if said in (Deed.PAY, Deed.COLLECT) else 0
        floor.trainees.answer(guest.holder, name, number, said, cents)
    except PitbossError as error:
        return _shown(request, drill, guest, str(error))
    return RedirectResponse(f"/training/{name}", SEE_OTHER)


def _own(floor: Floor, name: str, guest: Guest) -> Drill:
    try:
        return floor.trainees.drill(guest.holder, name)
    except UnknownIdError:
        raise NotThereError("this drill is over: begin another at /training") from None


def _shown(request: Request, drill: Drill, guest: Guest, problem: str = "") -> HTMLResponse:
    left, first = drill.left, drill.first
    task = left[0] if left else None
    return page(
        "training/drill.html",
        request,
        guest,
        409 if problem else 200,
        address=f"/training/{drill.name}",
        game=drill.played.game,
        drill=drill.asked,
        task=task,
        collecting=task is not None and task.answer == Deed.COLLECT,
        last=drill.answers[-1] if drill.answers and not problem else None,
        places=list(laid(drill.played, task.events if task else len(drill.played.events))),
        number=len(drill.answers),
        again=len(drill.answers) >= len(drill.tasks),
        left=len(left),
        asked=len(drill.tasks),
        right=sum(each.right for each in first),
        mispaid=sum(abs(each.mispaid_cents) for each in first),
        wrong=[each for each in first if not each.right],
        problem=problem,
    )
