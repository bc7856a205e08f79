"""Classes of dealers: trainees join, and the trainer sees their progress.

A class's page belongs to the guest who opened it; there are no accounts.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Path, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import PitbossError, UnknownIdError, quote
from pitboss.games import load_games
from pitboss.table.session.terms import verify_terms
from pitboss.table.training.class_entries import MAX_CLASS_NAME, ClassStandardChosen, TrainingClass
from pitboss.table.training.classes import list_theme_errors
from pitboss.table.training.drills import USUAL_STANDARD, DrillRequest
from pitboss.table.training.exams import USUAL_ROUNDS, ExamRequest
from pitboss.table.training.procedure import load_procedure
from pitboss.table.training.rare_events import iter_rare_events
from pitboss.table.training.rounds import open_training_round
from pitboss.web.auth.guests import SEE_OTHER, Guest
from pitboss.web.errors import NotFoundError
from pitboss.web.game_lists import load_games_with
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.page_call import PageCall, PlayCall, SentFields, ViewCall
from pitboss.web.pages.setup_form import FieldError, complete_fields
from pitboss.web.pages.table_setup import GameName
from pitboss.web.pages.training import begin_drill_at, begin_exam_at, describe_exam
from pitboss.web.pages.training_form import (
    DISPUTE_RATES,
    PLANTING_RATES,
    make_standard_fields,
    parse_name,
    parse_standard,
)
from pitboss.web.registry import TableRegistry

router = APIRouter(include_in_schema=False)

ClassCode = Annotated[str, Path(pattern=r"^[a-z0-9]{10}$")]
PersonName = Annotated[str, Form(max_length=4 * MAX_CLASS_NAME)]


@router.get("/training/classes")
def show_classes(call: ViewCall, *, removed: bool = False) -> HTMLResponse:
    """Show the classes of a guest, and how to open or join one."""
    opened, joined = call.registry.training_classes.list_classes(call.guest.holder)
    return call.render("training/classes.html", opened=opened, joined=joined, removed=removed)


@router.post("/training/classes")
def choose_class(call: PlayCall, code: Annotated[str, Form(max_length=40)] = "", name: PersonName = "") -> Response:
    """Lead to the class whose code a trainee typed, or open one of this name."""
    call.registry.limits.count_recorded("drills", *call.sender)
    if code:
        typed = "".join(code.split()).replace("-", "").lower()
        return RedirectResponse(f"/training/classes/{find_class(call.registry, typed).code}", SEE_OTHER)
    title = parse_name({"name": " ".join(name.split())}, "name", "Name of the class", MAX_CLASS_NAME)
    return RedirectResponse(
        f"/training/classes/{call.registry.training_classes.open_class(call.guest.holder, title)}", SEE_OTHER
    )


@router.get("/training/classes/{group}")
def show_class(call: ViewCall, group: ClassCode) -> HTMLResponse:
    """Show a class: to its trainer the progress of all, to others how to join it."""
    return _render_class(call, find_class(call.registry, group))


@router.post("/training/classes/{group}")
def join_class(call: PlayCall, group: ClassCode, name: PersonName = "") -> Response:
    """Join a class under a name."""
    call.registry.limits.count_recorded("drills", *call.sender)
    known = find_class(call.registry, group)
    try:
        shown = parse_name({"name": " ".join(name.split())}, "name", "Your name", MAX_CLASS_NAME)
        call.registry.training_classes.join_class(call.guest.holder, group, shown)
    except PitbossError as error:
        return _render_class(call, known, str(error))
    return RedirectResponse(f"/training/classes/{group}", SEE_OTHER)


@router.post("/training/classes/{group}/standard")
def set_class_standard(call: PlayCall, group: ClassCode, sent: SentFields) -> Response:
    """Set the standard by which the trainees of a class are examined."""
    known = find_own_class(call, group)
    call.registry.limits.count_recorded("drills", *call.sender)
    try:
        fields = complete_fields(_make_fields(None), sent)
        rounds, standard = parse_standard(fields)
        call.registry.training_classes.set_standard(call.guest.holder, group, rounds, standard, _parse_game(fields))
    except FieldError as error:
        return _render_class(call, known, str(error), sent, error)
    return RedirectResponse(f"/training/classes/{group}", SEE_OTHER)


@router.post("/training/classes/{group}/tables/{game}")
async def begin_at_class_table(
    call: PlayCall, group: ClassCode, game: GameName, exam: Annotated[Literal["", "on"], Form()] = ""
) -> Response:
    """Begin a drill at a class's table of a game.

    A trainee's exam there has a page of its own first.
    """
    known = await run_in_threadpool(find_class, call.registry, group)
    asked = _get_class_table(known, game, call.guest, is_for_trainer=True)
    if exam:
        return RedirectResponse(f"/training/classes/{group}/exams/{game}", SEE_OTHER)
    chosen = known.find_standard(game)
    own = {"standard": chosen.standard, "standard_set_by": known.name} if chosen else {"standard": USUAL_STANDARD}
    return await begin_drill_at(call, asked.model_copy(update=own))


@router.get("/training/classes/{group}/exams/{game}")
def show_class_exam(call: ViewCall, group: ClassCode, game: GameName) -> HTMLResponse:
    """Say what an exam at a class's table asks before its clock starts.

    The trainer sees the page as well, and cannot start the exam.
    """
    return _render_class_exam(call, find_class(call.registry, group), game, {})


@router.post("/training/classes/{group}/exams/{game}")
async def begin_class_exam(call: PlayCall, group: ClassCode, game: GameName, sent: SentFields) -> Response:
    """Begin a trainee's exam at a class's table.

    Where the class has no standard of the game, the trainee chooses rounds and standard here.
    """
    known = await run_in_threadpool(find_class, call.registry, group)
    asked = _get_class_table(known, game, call.guest)
    rounds, standard = USUAL_ROUNDS, USUAL_STANDARD
    try:
        if known.find_standard(game) is None:
            rounds, standard = parse_standard(complete_fields(_make_fields(None), sent), disputes=asked.disputes)
    except FieldError as error:
        return await run_in_threadpool(_render_class_exam, call, known, game, sent, error)
    asked = asked.model_copy(update={"standard": standard})
    wanted = ExamRequest(name=known.trainees[call.guest.holder], rounds=rounds, asked=asked)
    exam = call.registry.training_classes.apply_class_table(call.guest.holder, known, wanted)
    return await begin_exam_at(call, exam)


def _get_class_table(known: TrainingClass, game: str, guest: Guest, *, is_for_trainer: bool = False) -> DrillRequest:
    """Return the table of a game of a class that the guest has joined.

    What ``is_for_trainer`` too is also found by the class's trainer.

    Raises:
        NotFoundError: there is none, or it is not for this guest.
    """
    table = known.tables.get(game)
    is_theirs = guest.holder in known.trainees or (is_for_trainer and guest.holder == known.trainer)
    if table is None or not is_theirs:
        raise NotFoundError("you have no such table in this class: ask your trainer", code="unknown-class-table")
    return table.asked


def _render_class_exam(
    call: PageCall, known: TrainingClass, game: str, sent: Mapping[str, str], error: FieldError | None = None
) -> HTMLResponse:
    asked, chosen = _get_class_table(known, game, call.guest, is_for_trainer=True), known.find_standard(game)
    return call.render(
        "training/class_exam.html",
        code=known.code,
        title=known.name,
        name=known.trainees.get(call.guest.holder, ""),
        chosen=chosen,
        seconds=chosen.standard.compute_limit_ms(chosen.rounds) / 1000 if chosen else None,
        fields={**_make_fields(None), **sent},
        error=error,
        **describe_exam(asked),
    )


def find_class(registry: TableRegistry, code: str) -> TrainingClass:
    """Return a class (raises NotFoundError)."""
    try:
        return registry.training_classes.get_class(code)
    except UnknownIdError:
        raise NotFoundError(
            "no class has this code, or its trainer has removed it: ask your trainer", code="unknown-class"
        ) from None


def find_own_class(call: PageCall, code: str) -> TrainingClass:
    """Return a class of which the guest is the trainer.

    Raises:
        NotFoundError: there is none of this code.
    """
    known = find_class(call.registry, code)
    if known.trainer != call.guest.holder:
        raise NotFoundError("you have no class of this code: this is for its trainer", code="unknown-class")
    return known


def _render_class(
    call: PageCall,
    known: TrainingClass,
    problem: str = "",
    sent: Mapping[str, str] | None = None,
    error: FieldError | None = None,
) -> HTMLResponse:
    shown = _describe_tables(known) | {"code": known.code, "title": known.name, "problem": problem}
    shown["standards"] = _list_standards(known)
    games = list(load_games_with(load_procedure).values())
    if known.trainer != call.guest.holder:
        return call.render(
            "training/join.html",
            joined_as=known.trainees.get(call.guest.holder, ""),
            was_in=call.guest.holder in known.former,
            is_trainer=False,
            free_games=[game for game in games if game.id not in known.tables],
            **shown,
        )
    progress = call.registry.training_classes.list_progress(known)
    return call.render(
        "training/class.html",
        joined_as="",
        is_trainer=True,
        joined=known.joined,
        was_joined=bool(known.former),
        link=str(call.request.url_for("show_class", group=known.code)),
        progress=progress,
        themes=list_theme_errors(progress),
        game_names={name: game.name for name, game in load_games().items()},
        fields={**_make_fields(known.find_standard("")), **(sent or {})},
        error=error,
        games=games,
        **shown,
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
                rare = {each.id: each.name for each in iter_rare_events(open_training_round(table.asked.terms))}
                tables.append((table.asked, HouseRules(table.asked.terms), rare.get(table.asked.wanted, "")))
    return {"tables": tables, "rates": PLANTING_RATES, "dispute_rates": DISPUTE_RATES}


def _list_standards(known: TrainingClass) -> list[tuple[str, str, ClassStandardChosen, bool]]:
    """List the standards of a class: the game's id and name, "" for the class's.

    The last says whether pace and dollars count: not where the table of the game asks disputes alone.  A game that is
    there no longer is left out.
    """
    names = {"": "", **{name: game.name for name, game in load_games_with(load_procedure).items()}}
    unpaced = {game for game, table in known.tables.items() if table.asked.disputes == "only"}
    standards = known.standards
    return [(game, name, standards[game], game not in unpaced) for game, name in names.items() if game in standards]


def _parse_game(fields: Mapping[str, str]) -> str:
    """Parse the game of a standard, "" for the class's (raises FieldError)."""
    game = fields["game"]
    if game and game not in load_games_with(load_procedure):
        raise FieldError("game", f"Game: {quote(game)} is not valid: reload the page", code="invalid-field")
    return game


def _make_fields(chosen: ClassStandardChosen | None) -> dict[str, str]:
    """Return the fields of the form of a standard."""
    rounds, standard = (chosen.rounds, chosen.standard) if chosen else (USUAL_ROUNDS, USUAL_STANDARD)
    return {"game": "", **make_standard_fields(rounds, standard)}
