"""Exams of dealers: questions without corrections, and the certificate."""

from typing import Annotated

from fastapi import APIRouter, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.core.errors import PitbossError, UnknownIdError, quote
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.table.training.chips import MAX_CUT, TRAY_DOLLARS, parse_stacks, sum_stacks
from pitboss.table.training.clause_words import list_cited_entries
from pitboss.table.training.dealer_question import ChipAction
from pitboss.table.training.exams import Exam
from pitboss.web.auth.guests import SEE_OTHER
from pitboss.web.errors import NotFoundError
from pitboss.web.forms import MAX_ANSWER, MAX_NUMBER, Digits
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.page_call import PageCall, PlayCall, ViewCall
from pitboss.web.pages.setup_form import FieldError, parse_whole
from pitboss.web.pages.training import CertificateId, ExamId, build_layout, get_asked_seat, parse_amount
from pitboss.web.pages.training_form import DISPUTE_RATES, PLANTING_RATES

router = APIRouter(include_in_schema=False)


@router.get("/training/exams/{name}")
def show_exam(call: ViewCall, name: ExamId) -> HTMLResponse:
    """Show the next question of an exam, or its certificate once it is over."""
    exam = _find_exam(call, name)
    if exam.is_finished:
        return _render_certificate(call, exam, is_own=True)
    return _render_question(call, exam)


@router.get("/training/certificates/{name}")
def show_certificate(call: ViewCall, name: CertificateId) -> HTMLResponse:
    """Show the certificate of a finished exam to anybody who has its link."""
    try:
        exam = call.registry.training_records.get_certificate(name)
    except UnknownIdError:
        raise NotFoundError("no certificate has this address: ask for its link again", code="unknown-exam") from None
    return _render_certificate(call, exam, is_own=False)


@router.post("/training/exams/{name}")
def submit_exam_answer(
    call: PlayCall,
    name: ExamId,
    said: Annotated[str, Form(max_length=MAX_ANSWER)] = "",
    dollars: Annotated[str, Form(max_length=20)] = "",
    number: Annotated[Digits, Form(ge=0, le=MAX_NUMBER)] = 0,
    cut: Annotated[str, Form(max_length=MAX_CUT)] = "",
    coins: Annotated[str, Form(max_length=20)] = "",
) -> Response:
    """Record an answer; the exam's page then asks the next question.

    The amount of a payout is that of the chips ``cut`` and of the cents in ``coins``.  Once the time is up, nothing
    is recorded any more.
    """
    exam = _find_exam(call, name)
    try:
        cents = _sum_payout(cut, coins) if said == ChipAction.PAY else parse_amount(said, dollars)
        call.registry.training_records.record_answer(call.guest.holder, name, number, said, cents, cut)
    except PitbossError as error:
        if exam.is_finished:
            raise
        return _render_question(call, exam, str(error))
    return RedirectResponse(f"/training/exams/{name}", SEE_OTHER)


def _sum_payout(cut: str, coins: str) -> int:
    """Sum the chips and the coins of a payout, in cents (raises FieldError)."""
    stacks = parse_stacks(cut)
    if cut.strip() and not stacks:
        raise FieldError("cut", f"{quote(cut)} is not possible: write chips as 3x25 1x5", code="invalid-cut")
    return sum_stacks(stacks) + (parse_whole({"coins": coins}, "coins", "Cents in coins", 0, 99) if coins else 0)


def _find_exam(call: PageCall, name: str) -> Exam:
    try:
        exam = call.registry.training_records.get_exam(call.guest.holder, name)
    except UnknownIdError:
        raise NotFoundError("you have no exam of this name: begin one at /training", code="unknown-exam") from None
    if not (exam.is_finished or exam.is_current):
        raise NotFoundError(
            "another version of the program began this exam: begin another at /training", code="exam-over"
        )
    return exam


def _render_question(call: PageCall, exam: Exam, problem: str = "") -> HTMLResponse:
    number, played, task = exam.position
    begun = exam.begun
    return call.render(
        "training/exam.html",
        address=f"/training/exams/{exam.name}",
        game=played.game,
        house=HouseRules(begun.request.asked.terms),
        exam=begun,
        task=task,
        collecting=task.answer == ChipAction.COLLECT,
        tray=TRAY_DOLLARS,
        is_exam=True,
        asked_seat=get_asked_seat(task),
        places=build_layout(played, task),
        round_number=number + 1,
        number=len(exam.answers),
        asked=begun.question_count,
        seconds=(exam.seen_ms - begun.begun_ms) / 1000,
        left=max(0, begun.deadline_ms - exam.seen_ms) / 1000 if begun.deadline_ms else None,
        problem=problem,
    )


def _render_certificate(call: PageCall, exam: Exam, *, is_own: bool) -> HTMLResponse:
    asked = exam.begun.request.asked
    lines = list(exam.lines)
    clauses = {clause: number for number, clause in enumerate(dict.fromkeys(line.answer.clause for line in lines), 1)}
    cuts = [line.answer.is_house_cut for line in lines if line.answer.is_house_cut is not None]
    group = exam.begun.request.set_by or exam.begun.request.table_of
    link = str(call.request.url_for("show_certificate", name=exam.name)) if exam.begun.deadline_ms else ""
    game = load_game(asked.game)
    return call.render(
        "training/certificate.html",
        game=game,
        house=HouseRules(asked.terms),
        exam=exam.begun,
        at=exam.at.replace("T", " ").removesuffix("+00:00") + " UTC",
        rare=PLANTING_RATES[asked.rare] if asked.rare else "",
        disputes=DISPUTE_RATES[asked.disputes] if asked.disputes else "",
        result=exam.result,
        standard=exam.begun.standard,
        own_errors=asked.standard.errors,
        lines=lines,
        cuts=cuts,
        clauses=clauses,
        cited=list_cited_entries(game, clauses, resolve_options(game, asked.terms.options)),
        is_own=is_own,
        again=f"/training/classes/{group}" if group else f"/training/table/{asked.game}?exam=on",
        link=link,
    )
