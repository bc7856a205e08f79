"""Exams of dealers: questions without corrections, and the certificate."""

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.core.errors import PitbossError, UnknownIdError
from pitboss.core.money import parse_cents
from pitboss.games import load_game
from pitboss.table.training.dealer_question import ChipAction
from pitboss.table.training.exams import Exam
from pitboss.web.auth.guests import SEE_OTHER, Guest, PlayingGuest, ViewingGuest
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.render import render_page
from pitboss.web.pages.training import build_layout
from pitboss.web.pages.training_form import PLANTING_RATES
from pitboss.web.problems import NotFoundError
from pitboss.web.registry import RegistryDep, TableRegistry

router = APIRouter(include_in_schema=False)

ExamId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


@router.get("/training/exams/{name}")
def show_exam(
    request: Request,
    name: ExamId,
    registry: RegistryDep,
    guest: ViewingGuest,
    group: Annotated[str, Query(max_length=40)] = "",
) -> HTMLResponse:
    """Show the next question of an exam, or its certificate.

    With ``group`` it is the certificate of a trainee in a class of this guest.
    """
    exam = _find_exam_of_class(registry, name, group, guest) if group else _find_exam(registry, name, guest)
    return (
        _render_certificate(request, exam, guest)
        if exam.is_finished
        else _render_question(request, registry, exam, guest)
    )


@router.post("/training/exams/{name}")
def submit_exam_answer(
    request: Request,
    name: ExamId,
    registry: RegistryDep,
    guest: PlayingGuest,
    said: Annotated[str, Form(max_length=200)] = "",
    dollars: Annotated[str, Form(max_length=20)] = "",
    number: Annotated[Digits, Form(ge=0, le=MAX_NUMBER)] = 0,
) -> Response:
    """Record an answer; the exam's page then asks the next question."""
    exam = _find_exam(registry, name, guest)
    try:
        cents = parse_cents(dollars) if said in (ChipAction.PAY, ChipAction.COLLECT) else 0
        registry.training_records.record_exam_answer(guest.holder, name, number, said, cents)
    except PitbossError as error:
        if exam.is_finished:
            raise
        return _render_question(request, registry, exam, guest, str(error))
    return RedirectResponse(f"/training/exams/{name}", SEE_OTHER)


def _find_exam(registry: TableRegistry, name: str, guest: Guest) -> Exam:
    try:
        exam = registry.training_records.get_exam(guest.holder, name)
    except UnknownIdError:
        raise NotFoundError("you have no exam of this name: begin one at /training", code="unknown-exam") from None
    if not (exam.is_finished or exam.is_current):
        raise NotFoundError(
            "another version of the program began this exam: begin another at /training", code="exam-over"
        )
    return exam


def _find_exam_of_class(registry: TableRegistry, name: str, group: str, guest: Guest) -> Exam:
    classes = registry.training_classes
    try:
        return classes.get_exam(guest.holder, classes.get_class(group), name)
    except UnknownIdError:
        raise NotFoundError("your class has no such exam: its page lists them", code="unknown-exam") from None


def _render_question(
    request: Request, registry: TableRegistry, exam: Exam, guest: Guest, problem: str = ""
) -> HTMLResponse:
    number, played, task = exam.position
    return render_page(
        "training/exam.html",
        request,
        guest,
        409 if problem else 200,
        address=f"/training/exams/{exam.name}",
        game=played.game,
        house=HouseRules(exam.begun.request.asked.terms),
        exam=exam.begun,
        task=task,
        collecting=task.answer == ChipAction.COLLECT,
        places=build_layout(played, task),
        round_number=number + 1,
        number=len(exam.answers),
        asked=exam.begun.question_count,
        seconds=(registry.training_records.clock() - exam.begun.begun_ms) / 1000,
        problem=problem,
    )


def _render_certificate(request: Request, exam: Exam, guest: Guest) -> HTMLResponse:
    asked = exam.begun.request.asked
    return render_page(
        "training/certificate.html",
        request,
        guest,
        game=load_game(asked.game),
        house=HouseRules(asked.terms),
        exam=exam.begun,
        at=exam.at.replace("T", " ").removesuffix("+00:00") + " UTC",
        rare=PLANTING_RATES[asked.rare] if asked.rare else "",
        result=exam.result,
        standard=asked.standard,
        lines=list(exam.lines),
    )
