"""Dealer training: drills, and the trainee's record.

The drills are on the steps of the procedure and on the payouts.
"""

import re
import secrets
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Path, Query, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import AfterValidator
from starlette.concurrency import run_in_threadpool

from pitboss.contract import Game
from pitboss.core.errors import PitbossError, UnknownIdError
from pitboss.core.money import parse_cents
from pitboss.games import load_game
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.table.layout_snapshot import LayoutPlace, build_layout_snapshot
from pitboss.table.round import Round
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.session import TableTerms
from pitboss.table.training.chips import MAX_CUT, TRAY_DOLLARS
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.disputes import DISPUTE_CASE
from pitboss.table.training.drills import (
    MAX_COUNTED_MS,
    USUAL_STANDARD,
    Drill,
    DrillRequest,
    KeySystem,
    PlantingRate,
    draw_deals,
    with_new_seed,
)
from pitboss.table.training.exams import ExamRequest, estimate_whole_questions
from pitboss.table.training.procedure import list_console_steps, load_procedure
from pitboss.table.training.questions import DisputeRate
from pitboss.table.training.rounds import find_closing_meter
from pitboss.web.auth.guests import SEE_OTHER
from pitboss.web.errors import NotFoundError
from pitboss.web.forms import MAX_ANSWER, MAX_NUMBER, Digits
from pitboss.web.game_lists import load_games_with
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.jobs.spec import DEALS, JobSpec
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.page_call import PageCall, PlayCall, SentFields, ViewCall
from pitboss.web.pages.settle_steps import describe_settled_hands, explain_unshown_hands
from pitboss.web.pages.setup_form import FieldError
from pitboss.web.pages.table_setup import GameName, describe_house_fields
from pitboss.web.pages.training_form import (
    DISPUTE_RATES,
    PLANTING_RATES,
    describe_training_fields,
    make_standard_fields,
    make_training_fields,
    parse_training_form,
)

router = APIRouter(include_in_schema=False)


def _verify_name(kind: str, name: str) -> str:
    """Return a name in an address; one in another form names nothing that exists."""
    if not re.fullmatch("[0-9a-f]{16}", name):
        raise NotFoundError(f"there is no such {kind}", code=f"unknown-{kind}")
    return name


DrillId = Annotated[str, Path(), AfterValidator(partial(_verify_name, "drill"))]
ExamId = Annotated[str, Path(), AfterValidator(partial(_verify_name, "exam"))]
CertificateId = Annotated[str, Path(), AfterValidator(partial(_verify_name, "certificate"))]
Checkbox = Annotated[Literal["", "on"], Form()]


@router.get("/training")
def show_training(call: ViewCall) -> HTMLResponse:
    """Show the drills to choose from, and the trainee's record."""
    games = load_games_with(load_procedure)
    records = [
        each for each in call.registry.training_records.list_case_records(call.guest.holder) if each.game in games
    ]
    return call.render(
        "training/begin.html",
        games=list(games.values()),
        hiding=[game for game in games.values() if load_procedure(game).unshown],
        keys=STEP_LABELS,
        rates=PLANTING_RATES,
        dispute_rates=DISPUTE_RATES,
        game_names={name: game.name for name, game in games.items()},
        exams=call.registry.training_records.list_exams(call.guest.holder),
        classes=call.registry.training_classes.list_classes(call.guest.holder)[1],
        learned=[(games[each.game], each) for each in records],
        weak=list(dict.fromkeys(games[each.game] for each in records if each.weak)),
    )


@router.post("/training")
async def begin_drill(
    call: PlayCall,
    game: Annotated[str, Form(max_length=32)],
    seats: Annotated[Digits, Form(ge=1, le=6)] = 3,
    keys: Annotated[KeySystem, Form()] = "keypad",
    unshown: Checkbox = "",
    rare: Annotated[PlantingRate, Form()] = "",
    disputes: Annotated[DisputeRate, Form()] = "",
    again: Checkbox = "",
) -> Response:
    """Begin a drill by the game's rule sheet.

    With ``again`` it is like the last one of the game, with the cases that went wrong.
    """
    terms = TableTerms(game=load_game(game).id, seats=seats)
    asked = DrillRequest(terms=terms, keys=keys, unshown="may" if unshown else "", rare=rare, disputes=disputes)
    if again:
        last = await run_in_threadpool(call.registry.training_records.find_last_request, call.guest.holder, asked.game)
        asked = asked if last is None else last
    asked = await run_in_threadpool(call.registry.training_classes.apply_drill_standard, call.guest.holder, asked)
    weak = frozenset[str]()
    if again:
        weak = await run_in_threadpool(call.registry.training_records.find_weak_cases, call.guest.holder, asked.game)
    return await begin_drill_at(call, asked, weak)


@router.get("/training/table/{game}")
def show_training_form(
    call: ViewCall,
    game: GameName,
    own: Annotated[str, Query(max_length=10)] = "",
    exam: Annotated[Literal["", "on"], Query()] = "",
    group: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """Show the form of a drill at a house's own table, or of an exam there.

    A trainer may set it for the class ``own``: it then shows the table that was set last.
    A trainee comes to an exam from the page of the class ``group``.
    """
    return _render_form(call, load_game(game), {"own": own, "exam": exam, "group": group})


@router.post("/training/table/{game}")
async def submit_training_form(call: PlayCall, game: GameName, sent: SentFields) -> Response:
    """Begin a drill at a house's own table, or lead to an exam there.

    An exam has a page of its own first: its clock begins with ``start``, and ``change`` leads back to the form.  If
    that fails, show the form with the error.
    """
    loaded_game = load_game(game)
    try:
        asked = await run_in_threadpool(parse_training_form, loaded_game, sent)
        if isinstance(asked, ExamRequest):
            exam = await run_in_threadpool(call.registry.training_classes.apply_standard, call.guest.holder, asked)
            if sent.get("start"):
                return await begin_exam_at(call, exam)
            if sent.get("change"):
                return await run_in_threadpool(_render_form, call, loaded_game, sent)
            return await run_in_threadpool(_render_exam_start, call, sent, exam)
        if sent.get("assign"):
            return await run_in_threadpool(_set_class_table, call, asked, sent)
        asked = await run_in_threadpool(_name_setter, call, asked)
        return await begin_drill_at(call, asked)
    except FieldError as error:
        return await run_in_threadpool(_render_form, call, loaded_game, sent, error)


def _name_setter(call: PageCall, asked: DrillRequest) -> DrillRequest:
    """Return a request that names the class whose standard the form kept."""
    known = call.registry.training_classes.apply_drill_standard(call.guest.holder, asked)
    return known if known.standard == asked.standard else asked


def _render_exam_start(call: PageCall, sent: Mapping[str, str], exam: ExamRequest) -> HTMLResponse:
    """Say what an exam at the table of the form asks before its clock starts."""
    return call.render(
        "training/own_exam.html",
        exam=exam,
        sent={name: text for name, text in sent.items() if name not in ("start", "change")},
        seconds=exam.asked.standard.compute_limit_ms(exam.rounds) / 1000,
        **describe_exam(exam.asked),
    )


def describe_exam(asked: DrillRequest) -> dict[str, Any]:
    """Return what the page of an exam says of it before its clock starts."""
    return {
        "game": load_game(asked.game),
        "asked": asked,
        "round_questions": estimate_whole_questions(asked) if asked.disputes == "only" else 0,
        "rates": PLANTING_RATES,
        "dispute_rates": DISPUTE_RATES,
        "house": HouseRules(asked.terms),
    }


def _set_class_table(call: PageCall, asked: DrillRequest, sent: Mapping[str, str]) -> Response:
    call.registry.limits.count_recorded("drills", *call.sender)
    code = sent.get("own", "")
    try:
        call.registry.training_classes.set_table(call.guest.holder, code, asked, {**sent, "assign": ""})
    except UnknownIdError:
        raise FieldError("own", "Your class: choose one that you have opened", code="unknown-class") from None
    return RedirectResponse(f"/training/classes/{code}#tables", SEE_OTHER)


def _render_form(call: PageCall, game: Game, sent: Mapping[str, str], error: FieldError | None = None) -> HTMLResponse:
    opened, joined = call.registry.training_classes.list_classes(call.guest.holder)
    tables = (each.tables.get(game.id) for each in opened if each.code == sent.get("own"))
    table = None if error else next(tables, None)
    measured = call.registry.training_classes.find_drill_standard(call.guest.holder, game.id)
    standard = make_standard_fields(measured[1].rounds, measured[1].standard) if measured else {}
    fields = {**make_training_fields(game), **standard, **(table.fields if table else {}), **sent}
    standards = [(each, own) for each in joined if (own := each.find_standard(game.id))]
    return call.render(
        "training/table.html",
        **describe_house_fields(game, fields, error),
        **describe_training_fields(game),
        standards=standards,
        measured_by=measured[0].name if measured else "",
        formed=[each for each, _ in standards if game.id not in each.tables],
        own_classes=opened,
        own_class=next((each for each in opened if each.code == fields["own"]), None),
    )


@router.post("/training/{name}/next")
async def begin_next_drill(call: PlayCall, name: DrillId) -> Response:
    """Begin another drill at the table of this one."""
    drill = await run_in_threadpool(_find_drill, call, name)
    meter = find_closing_meter(drill.played_round)
    asked = drill.request.without_deal().model_copy(update={"meter": meter})
    return await begin_drill_at(call, asked)


async def begin_drill_at(call: PageCall, asked: DrillRequest, weak: frozenset[str] = frozenset()) -> Response:
    """Begin a drill, and lead to it."""
    call.registry.limits.count_recorded("drills", *call.sender)
    deals = await _search_deals(call, asked, 1, weak)
    begin = partial(call.registry.training_records.begin_drill, deal=deals[0] if deals else None)
    return RedirectResponse(f"/training/{await run_in_threadpool(begin, call.guest.holder, asked)}", SEE_OTHER)


async def begin_exam_at(call: PageCall, exam: ExamRequest) -> Response:
    """Begin an exam, its standard chosen, and lead to it."""
    call.registry.limits.count_recorded("drills", *call.sender)
    deals = await _search_deals(call, exam.asked, exam.rounds, frozenset())
    name = await run_in_threadpool(call.registry.training_records.begin_exam, call.guest.holder, exam, deals)
    return RedirectResponse(f"/training/exams/{name}", SEE_OTHER)


async def _search_deals(
    call: PageCall, asked: DrillRequest, count: int, weak: frozenset[str]
) -> tuple[DrillRequest, ...]:
    """Search deals in a worker; return none where the next deal will do."""
    if not (asked.rare or weak):
        return ()
    job = JobSpec(DEALS, secrets.token_hex(8), draw_deals, (asked, count, weak))  # no two searches are alike
    found = await call.wait_for_payload(job, JobPriority.SHEET)
    if not found:  # nobody waits for it any more
        return tuple(with_new_seed(asked) for _ in range(count))
    deals: tuple[DrillRequest, ...] = unpickle_object(found)
    return deals


@router.get("/training/{name}")
def show_drill(call: ViewCall, name: DrillId) -> HTMLResponse:
    """Show the current question, or the score."""
    return _render_drill(call, _find_drill(call, name))


@router.post("/training/{name}")
def submit_answer(
    call: PlayCall,
    name: DrillId,
    said: Annotated[str, Form(max_length=MAX_ANSWER)] = "",
    dollars: Annotated[str, Form(max_length=20)] = "",
    number: Annotated[Digits, Form(ge=0, le=MAX_NUMBER)] = 0,
    cut: Annotated[str, Form(max_length=MAX_CUT)] = "",
) -> Response:
    """Record an answer; the drill's page then grades it and shows the next question."""
    drill = _find_drill(call, name)
    try:
        cents = parse_amount(said, dollars)
        call.registry.training_records.record_answer(call.guest.holder, name, number, said, cents, cut)
    except PitbossError as error:
        return _render_drill(call, drill, str(error))
    return RedirectResponse(f"/training/{name}", SEE_OTHER)


def parse_amount(said: str, dollars: str) -> int:
    """Parse the amount of an answer, in cents; an answer without an amount has 0.

    Raises:
        PitbossError: it is not an amount.
    """
    return parse_cents(dollars) if said in (ChipAction.PAY, ChipAction.COLLECT) else 0


def _find_drill(call: PageCall, name: str) -> Drill:
    try:
        return call.registry.training_records.get_drill(call.guest.holder, name)
    except UnknownIdError:
        raise NotFoundError("this round is over: deal another at /training", code="drill-over") from None


def build_layout(played: Round, task: DealerQuestion) -> list[LayoutPlace]:
    """Return the layout at a question."""
    return list(build_layout_snapshot(played, task.event_count, task.mucked, task.cleared))


def build_final_layout(drill: Drill) -> list[LayoutPlace]:
    """Return the layout at the end of a drill's round.

    Folded hands that were collected stay so; the others lie there to be looked at.
    """
    played, mucked = drill.played_round, {seat for each in drill.questions for seat in each.mucked}
    gone = sorted(mucked & find_folded_seats(played.events))
    return list(build_layout_snapshot(played, len(played.events), gone))


def get_asked_seat(task: DealerQuestion | None) -> str:
    """Return the place that a question is about.

    A step of the procedure does not tell it.
    """
    is_told = task is not None and (not task.choices or task.case == DISPUTE_CASE)
    return f"Seat {task.seat + 1}" if task is not None and task.seat is not None and is_told else ""


def _render_drill(call: PageCall, drill: Drill, problem: str = "") -> HTMLResponse:
    remaining, first_answers = drill.remaining, drill.first_answers
    now_ms = call.registry.training_records.clock()
    task = remaining[0] if remaining else None
    places = build_layout(drill.played_round, task) if task else build_final_layout(drill)
    return call.render(
        "training/drill.html",
        address=f"/training/{drill.name}",
        game=drill.played_round.game,
        house=HouseRules(drill.request.terms),
        task=task,
        collecting=task is not None and task.answer == ChipAction.COLLECT,
        tray=TRAY_DOLLARS,
        is_exam=False,
        asked_seat=get_asked_seat(task),
        last=drill.answers[-1] if drill.answers and not problem else None,
        places=places,
        settled_hands=describe_settled_hands(drill.played_round, task, places),
        unshown=explain_unshown_hands(drill.played_round),
        number=len(drill.answers),
        again=len(drill.answers) >= len(drill.questions),
        left=len(remaining),
        asked=len(drill.questions),
        right=sum(each.right for each in first_answers),
        mispaid=sum(abs(each.mispaid_cents) for each in first_answers),
        result=drill.result,
        seconds=drill.measure_time(now_ms) / 1000,
        seconds_left=drill.measure_time_left(now_ms) / 1000,
        most_seconds=MAX_COUNTED_MS // 1000,
        pace=drill.measure_pace(now_ms),
        is_paced=drill.is_paced,
        console=list_console_steps(drill.played_round, drill.request.keys),
        splits_meter=drill.played_round.options.get("award_order") == "split",
        dealt=min(1.0, len(first_answers) / len(drill.questions)),
        standard=drill.request.standard,
        set_by=drill.request.standard_set_by,
        is_usual=drill.request.standard == USUAL_STANDARD,
        classes=call.registry.training_classes.list_classes_at(call.guest.holder, drill.request),
        wrong=[each for each in first_answers if not each.right],
        problem=problem,
    )
