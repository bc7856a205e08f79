"""Dealer training: drills, and the trainee's record.

The drills are on the steps of the procedure and on the payouts.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Form, Path, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.contract import Game
from pitboss.core.errors import PitbossError, UnknownIdError
from pitboss.core.money import parse_cents
from pitboss.games import load_game
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.table.layout_snapshot import LayoutPlace, build_layout_snapshot
from pitboss.table.round import Round
from pitboss.table.session import TableTerms
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.drills import Drill, DrillRequest, KeySystem, PlantingRate
from pitboss.table.training.procedure import load_procedure
from pitboss.web.auth.guests import SEE_OTHER, Guest, PlayingGuest, ViewingGuest
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.render import render_page
from pitboss.web.pages.setup_form import FieldError
from pitboss.web.pages.table_layout import load_games_with
from pitboss.web.pages.table_setup import describe_house_fields, read_form_fields
from pitboss.web.pages.training_form import (
    PLANTING_RATES,
    describe_training_fields,
    make_training_fields,
    parse_training_form,
)
from pitboss.web.problems import NotFoundError
from pitboss.web.registry import RegistryDep, TableRegistry

router = APIRouter(include_in_schema=False)

DrillId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
Checkbox = Annotated[Literal["", "on"], Form()]


@router.get("/training")
def show_training(request: Request, registry: RegistryDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the drills to choose from, and the trainee's record."""
    games = load_games_with(load_procedure)
    records = [each for each in registry.training_records.list_case_records(guest.holder) if each.game in games]
    return render_page(
        "training/begin.html",
        request,
        guest,
        games=list(games.values()),
        hiding=[game for game in games.values() if load_procedure(game).unshown],
        keys=STEP_LABELS,
        rates=PLANTING_RATES,
        game_names={name: game.name for name, game in games.items()},
        exams=registry.training_records.list_exams(guest.holder),
        learned=[(games[each.game], each) for each in records],
        weak=list(dict.fromkeys(games[each.game] for each in records if each.weak)),
    )


@router.post("/training")
def begin_drill(
    request: Request,
    registry: RegistryDep,
    guest: PlayingGuest,
    game: Annotated[str, Form(max_length=32)],
    seats: Annotated[Digits, Form(ge=1, le=6)] = 3,
    keys: Annotated[KeySystem, Form()] = "keypad",
    unshown: Checkbox = "",
    rare: Annotated[PlantingRate, Form()] = "",
    again: Checkbox = "",
) -> Response:
    """Begin a drill by the game's rule sheet.

    With ``again`` it is like the last one of the game, with the cases that went wrong.
    """
    terms = TableTerms(game=load_game(game).id, seats=seats)
    asked = DrillRequest(terms=terms, keys=keys, unshown="may" if unshown else "", rare=rare)
    if again:
        asked = registry.training_records.find_last_request(guest.holder, asked.game) or asked
    return _begin(request, registry, guest, asked, again=bool(again))


@router.get("/training/table/{game}")
def show_training_form(request: Request, game: Annotated[str, Path(max_length=32)], guest: ViewingGuest) -> Response:
    """Show the form of a drill at a house's own table."""
    return _render_form(request, load_game(game), guest, {})


@router.post("/training/table/{game}")
def submit_training_form(
    request: Request,
    game: Annotated[str, Path(max_length=32)],
    registry: RegistryDep,
    guest: PlayingGuest,
    sent: Annotated[dict[str, str], Depends(read_form_fields)],
) -> Response:
    """Begin a drill at a house's own table.

    If that fails, show the form with the error.
    """
    loaded_game = load_game(game)
    try:
        asked = parse_training_form(loaded_game, sent)
        if isinstance(asked, DrillRequest):
            return _begin(request, registry, guest, asked)
        registry.limits.count_drill(guest.holder, get_client_address(request))
        return RedirectResponse(
            f"/training/exams/{registry.training_records.begin_exam(guest.holder, asked)}", SEE_OTHER
        )
    except FieldError as error:
        return _render_form(request, loaded_game, guest, sent, error)


def _render_form(
    request: Request, game: Game, guest: Guest, sent: Mapping[str, str], error: FieldError | None = None
) -> HTMLResponse:
    fields = {**make_training_fields(game), **sent}
    return render_page(
        "training/table.html",
        request,
        guest,
        422 if error else 200,
        **describe_house_fields(game, fields, error),
        **describe_training_fields(game),
    )


@router.post("/training/{name}/next")
def begin_next_drill(request: Request, name: DrillId, registry: RegistryDep, guest: PlayingGuest) -> Response:
    """Begin another drill at the table of this one."""
    return _begin(request, registry, guest, _find_drill(registry, name, guest).request.without_deal())


def _begin(
    request: Request, registry: TableRegistry, guest: Guest, asked: DrillRequest, *, again: bool = False
) -> Response:
    registry.limits.count_drill(guest.holder, get_client_address(request))
    name = registry.training_records.begin_drill(guest.holder, asked, again=again)
    return RedirectResponse(f"/training/{name}", SEE_OTHER)


@router.get("/training/{name}")
def show_drill(request: Request, name: DrillId, registry: RegistryDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the current question, or the score."""
    return _render_drill(request, _find_drill(registry, name, guest), guest)


@router.post("/training/{name}")
def submit_answer(
    request: Request,
    name: DrillId,
    registry: RegistryDep,
    guest: PlayingGuest,
    said: Annotated[str, Form(max_length=200)] = "",
    dollars: Annotated[str, Form(max_length=20)] = "",
    number: Annotated[Digits, Form(ge=0, le=MAX_NUMBER)] = 0,
) -> Response:
    """Record an answer; the drill's page then grades it and shows the next question."""
    drill = _find_drill(registry, name, guest)
    try:
        cents = parse_cents(dollars) if said in (ChipAction.PAY, ChipAction.COLLECT) else 0
        registry.training_records.record_answer(guest.holder, name, number, said, cents)
    except PitbossError as error:
        return _render_drill(request, drill, guest, str(error))
    return RedirectResponse(f"/training/{name}", SEE_OTHER)


def _find_drill(registry: TableRegistry, name: str, guest: Guest) -> Drill:
    try:
        return registry.training_records.get_drill(guest.holder, name)
    except UnknownIdError:
        raise NotFoundError("this round is over: deal another at /training", code="drill-over") from None


def build_layout(played: Round, task: DealerQuestion | None) -> list[LayoutPlace]:
    """Return the layout at a question, or at the end of the round."""
    if task is None:
        return list(build_layout_snapshot(played, len(played.events)))
    return list(build_layout_snapshot(played, task.event_count, task.mucked))


def _render_drill(request: Request, drill: Drill, guest: Guest, problem: str = "") -> HTMLResponse:
    remaining, first_answers = drill.remaining, drill.first_answers
    task = remaining[0] if remaining else None
    return render_page(
        "training/drill.html",
        request,
        guest,
        409 if problem else 200,
        address=f"/training/{drill.name}",
        game=drill.played_round.game,
        house=HouseRules(drill.request.terms),
        task=task,
        collecting=task is not None and task.answer == ChipAction.COLLECT,
        last=drill.answers[-1] if drill.answers and not problem else None,
        places=build_layout(drill.played_round, task),
        number=len(drill.answers),
        again=len(drill.answers) >= len(drill.questions),
        left=len(remaining),
        asked=len(drill.questions),
        right=sum(each.right for each in first_answers),
        mispaid=sum(abs(each.mispaid_cents) for each in first_answers),
        result=drill.result,
        standard=drill.request.standard,
        wrong=[each for each in first_answers if not each.right],
        problem=problem,
    )
