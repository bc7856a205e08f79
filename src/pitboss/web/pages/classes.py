"""Classes of dealers: trainees join, and the trainer sees their progress.

A class's page belongs to the guest who opened it; there are no accounts.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Path, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import PitbossError, UnknownIdError, quote
from pitboss.games import load_games
from pitboss.table.session.terms import verify_terms
from pitboss.table.training.class_entries import MAX_CLASS_NAME, ClassStandard, TrainingClass
from pitboss.table.training.classes import list_theme_errors
from pitboss.table.training.drills import USUAL_STANDARD
from pitboss.table.training.exams import USUAL_ROUNDS, ExamRequest
from pitboss.table.training.procedure import load_procedure
from pitboss.table.training.rare_events import list_rare_events
from pitboss.table.training.rounds import open_training_round
from pitboss.web.auth.guests import SEE_OTHER, Guest, PlayingGuest, ViewingGuest
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.render import render_page
from pitboss.web.pages.setup_form import FieldError, complete_fields
from pitboss.web.pages.table_layout import load_games_with
from pitboss.web.pages.table_setup import read_form_fields
from pitboss.web.pages.training import begin_drill_at, begin_exam_at
from pitboss.web.pages.training_form import (
    DISPUTE_RATES,
    PLANTING_RATES,
    make_standard_fields,
    parse_name,
    parse_standard,
)
from pitboss.web.problems import NotFoundError
from pitboss.web.registry import RegistryDep, TableRegistry

router = APIRouter(include_in_schema=False)

ClassCode = Annotated[str, Path(pattern=r"^[a-z0-9]{10}$")]
PersonName = Annotated[str, Form(max_length=4 * MAX_CLASS_NAME)]


@router.get("/training/classes")
def show_classes(request: Request, registry: RegistryDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the classes of a guest, and how to open or join one."""
    opened, joined = registry.training_classes.list_classes(guest.holder)
    return render_page("training/classes.html", request, guest, opened=opened, joined=joined)


@router.post("/training/classes")
def choose_class(
    request: Request,
    registry: RegistryDep,
    guest: PlayingGuest,
    code: Annotated[str, Form(max_length=40)] = "",
    name: PersonName = "",
) -> Response:
    """Lead to the class whose code a trainee typed, or open one of this name."""
    registry.limits.count_drill(guest.holder, get_client_address(request))
    if code:
        typed = "".join(code.split()).replace("-", "").lower()
        return RedirectResponse(f"/training/classes/{find_class(registry, typed).code}", SEE_OTHER)
    title = parse_name({"name": " ".join(name.split())}, "name", "Name of the class", MAX_CLASS_NAME)
    return RedirectResponse(f"/training/classes/{registry.training_classes.open_class(guest.holder, title)}", SEE_OTHER)


@router.get("/training/classes/{group}")
def show_class(request: Request, group: ClassCode, registry: RegistryDep, guest: ViewingGuest) -> HTMLResponse:
    """Show a class: to its trainer the progress of all, to others how to join it."""
    return _render_class(request, registry, find_class(registry, group), guest)


@router.post("/training/classes/{group}")
def join_class(
    request: Request, group: ClassCode, registry: RegistryDep, guest: PlayingGuest, name: PersonName = ""
) -> Response:
    """Join a class under a name."""
    registry.limits.count_drill(guest.holder, get_client_address(request))
    known = find_class(registry, group)
    try:
        shown = parse_name({"name": " ".join(name.split())}, "name", "Your name", MAX_CLASS_NAME)
        registry.training_classes.join_class(guest.holder, group, shown)
    except PitbossError as error:
        return _render_class(request, registry, known, guest, str(error))
    return RedirectResponse(f"/training/classes/{group}", SEE_OTHER)


@router.post("/training/classes/{group}/standard")
def set_class_standard(
    request: Request,
    group: ClassCode,
    registry: RegistryDep,
    guest: PlayingGuest,
    sent: Annotated[dict[str, str], Depends(read_form_fields)],
) -> Response:
    """Set the standard by which the trainees of a class are examined."""
    known = find_own_class(registry, group, guest)
    registry.limits.count_drill(guest.holder, get_client_address(request))
    try:
        fields = complete_fields(_make_fields(None), sent)
        rounds, standard = parse_standard(fields)
        registry.training_classes.set_standard(guest.holder, group, rounds, standard, _parse_game(fields))
    except FieldError as error:
        return _render_class(request, registry, known, guest, str(error), sent, error)
    return RedirectResponse(f"/training/classes/{group}", SEE_OTHER)


@router.post("/training/classes/{group}/tables/{game}")
async def begin_at_class_table(
    request: Request,
    group: ClassCode,
    game: Annotated[str, Path(max_length=32)],
    registry: RegistryDep,
    guest: PlayingGuest,
    exam: Annotated[Literal["", "on"], Form()] = "",
) -> Response:
    """Begin a drill at a class's table of a game, or a trainee's exam there."""
    known = await run_in_threadpool(find_class, registry, group)
    table, name = known.tables.get(game), known.trainees.get(guest.holder)
    if table is None or (name is None and (exam or guest.holder != known.trainer)):
        raise NotFoundError("you have no such table in this class: ask your trainer", code="unknown-class-table")
    if not exam or name is None:
        chosen = known.find_standard(game)
        standard = chosen.standard if chosen else table.asked.standard
        return await begin_drill_at(request, registry, guest, table.asked.model_copy(update={"standard": standard}))
    wanted = ExamRequest(name=name, rounds=USUAL_ROUNDS, asked=table.asked, set_by=known.code)
    return await begin_exam_at(request, registry, guest, wanted)


def find_class(registry: TableRegistry, code: str) -> TrainingClass:
    """Return a class (raises NotFoundError)."""
    try:
        return registry.training_classes.get_class(code)
    except UnknownIdError:
        raise NotFoundError("no class has this code: ask your trainer for it", code="unknown-class") from None


def find_own_class(registry: TableRegistry, code: str, guest: Guest) -> TrainingClass:
    """Return a class of which the guest is the trainer.

    Raises:
        NotFoundError: there is none of this code.
    """
    known = find_class(registry, code)
    if known.trainer != guest.holder:
        raise NotFoundError("you have no class of this code: this is for its trainer", code="unknown-class")
    return known


def _render_class(
    request: Request,
    registry: TableRegistry,
    known: TrainingClass,
    guest: Guest,
    problem: str = "",
    sent: Mapping[str, str] | None = None,
    error: FieldError | None = None,
) -> HTMLResponse:
    names = {name: game.name for name, game in load_games().items()}
    if known.trainer != guest.holder:
        return render_page(
            "training/join.html",
            request,
            guest,
            409 if problem else 200,
            code=known.code,
            title=known.name,
            joined_as=known.trainees.get(guest.holder, ""),
            is_trainer=False,
            standards=_list_standards(known),
            problem=problem,
            **_describe_tables(known),
        )
    progress = registry.training_classes.list_progress(known)
    return render_page(
        "training/class.html",
        request,
        guest,
        409 if problem else 200,
        code=known.code,
        title=known.name,
        joined_as="",
        is_trainer=True,
        joined=known.joined,
        link=str(request.url_for("show_class", group=known.code)),
        progress=progress,
        themes=list_theme_errors(progress),
        game_names=names,
        problem=problem,
        standards=_list_standards(known),
        fields={**_make_fields(known.find_standard("")), **(sent or {})},
        error=error,
        games=list(load_games_with(load_procedure).values()),
        **_describe_tables(known),
    )


def _describe_tables(known: TrainingClass) -> dict[str, Any]:
    """Return what a page shows of a class's tables.

    A table of a game or an option that is there no longer is left out.
    """
    tables = []
    for game in load_games_with(load_procedure):
        with suppress(PitbossError):
            if table := known.tables.get(game):
                verify_terms(table.asked.terms)
                rare = {each.id: each.name for each in list_rare_events(open_training_round(table.asked.terms))}
                tables.append((table.asked, HouseRules(table.asked.terms), rare.get(table.asked.wanted, "")))
    return {"tables": tables, "rates": PLANTING_RATES, "dispute_rates": DISPUTE_RATES}


def _list_standards(known: TrainingClass) -> list[tuple[str, str, ClassStandard]]:
    """List the standards of a class: the game's id and name, "" for the class's.

    A game that is there no longer is left out.
    """
    names = {"": "", **{name: game.name for name, game in load_games_with(load_procedure).items()}}
    return [(game, name, known.standards[game]) for game, name in names.items() if game in known.standards]


def _parse_game(fields: Mapping[str, str]) -> str:
    """Parse the game of a standard, "" for the class's (raises FieldError)."""
    game = fields["game"]
    if game and game not in load_games_with(load_procedure):
        raise FieldError("game", f"Game: {quote(game)} is not valid: reload the page", code="invalid-field")
    return game


def _make_fields(chosen: ClassStandard | None) -> dict[str, str]:
    """Return the fields of the form of a standard."""
    rounds, standard = (chosen.rounds, chosen.standard) if chosen else (USUAL_ROUNDS, USUAL_STANDARD)
    return {"game": "", **make_standard_fields(rounds, standard)}
