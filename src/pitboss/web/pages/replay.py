"""Pages of past rounds: replays, histories and leaks.

A replay goes step by step.  The leaks are those of the guest's own decisions.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import WagerError
from pitboss.engine.solver_lookup import can_solve
from pitboss.games import load_game
from pitboss.table.round.history_writer import format_history
from pitboss.table.session import TableSession
from pitboss.table.session.view import build_view
from pitboss.value_units import name_value_unit
from pitboss.web.auth.guests import SEE_OTHER, Guest
from pitboss.web.errors import NotFoundError
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.pages.card_drawing import SVG_TYPE, draw_table_view
from pitboss.web.pages.coach import advance_guest_review
from pitboss.web.pages.guest_seat import TableName, find_guest_seat
from pitboss.web.pages.guide import Guide
from pitboss.web.pages.page_call import PageCall, ViewCall, make_download
from pitboss.web.pages.round_values import value_round
from pitboss.web.pages.seen_round import HiddenError, RoundNumber, SeatNumber, find_seen_round, is_history_open
from pitboss.web.pages.study import explain_missing_study, find_study_address
from pitboss.web.pages.table_page import build_table_context

router = APIRouter(include_in_schema=False)

DecisionId = Annotated[str, Path(max_length=64)]
Step = Annotated[Digits, Query(ge=0, le=MAX_NUMBER)]

_WORK_SECONDS = 2.0
"""Time that a request of the leaks page works on the review."""


@router.get("/tables/{table}/rounds/{number}")
async def show_replay(
    call: ViewCall,
    table: TableName,
    number: RoundNumber,
    step: Step = 0,
    seat: SeatNumber = 0,
    decision: Annotated[str, Query(max_length=64)] = "",
) -> HTMLResponse:
    """Show a settled round step by step, as a seat saw it.

    It is this guest's seat, or another one if every card is open.  With the ``decision`` of this guest it begins there.
    """
    session = await run_in_threadpool(call.registry.get_past_session, table)
    seen = await run_in_threadpool(find_seen_round, call, table, number, seat)
    steps = seen.steps
    index = min(step, len(steps) - 1)
    if decision and not step:
        index = find_decision_step(steps, call.guest, decision) or 0
    viewer = seat or find_guest_seat(steps[index], call.guest)
    context = await run_in_threadpool(build_table_context, steps[index], viewer, f"/tables/{table}")
    values = await value_round(call, seen, 0.0)
    return await call.render_in_thread(
        "table/replay.html",
        **{**context, "staking": False, "choosing": False, "live": False},
        guide=Guide(),
        number=number,
        is_own=viewer == find_guest_seat(steps[-1], call.guest),
        step=index,
        last=len(steps) - 1,
        happened=seen.describe_step(index),
        latest=session.snapshot.number - 1,
        study=find_study_address(steps[index], viewer),
        no_study=explain_missing_study(steps[index], viewer),
        **values,
        shared=f"{seen.address}?step={index}" + (f"&seat={seen.seat}" if seen.is_public and seen.seat else ""),
        picture=f"{seen.address}/position.svg?step={index}" + (f"&seat={seen.asked}" if seen.asked else ""),
        is_what_if=False,
    )


@router.get("/tables/{table}/rounds/{number}/position.svg")
def download_step_picture(
    call: ViewCall, table: TableName, number: RoundNumber, step: Step = 0, seat: SeatNumber = 0
) -> Response:
    """Return a picture of a step of a settled round, as a seat saw it."""
    seen = find_seen_round(call, table, number, seat)
    index = min(step, len(seen.steps) - 1)
    session = seen.steps[index]
    view = build_view(session, seat or find_guest_seat(session, call.guest))
    heading = f"Round {number}, step {index + 1} of {len(seen.steps)}"
    return make_download(draw_table_view(view, heading), f"{table}-{number}-{index + 1}.svg", SVG_TYPE)


@router.get("/tables/{table}/rounds/{number}/try/{decision}")
def try_decision(
    call: ViewCall,
    table: TableName,
    number: RoundNumber,
    decision: DecisionId,
    back: Annotated[Literal["", "play"], Query()] = "",
) -> RedirectResponse:
    """Lead to a decision of this guest in a settled round, with its values hidden.

    From there the way is back to the table, or to the page that ``back`` names; and on to hands like it, if it is known
    to be a mistake.
    """
    sessions = call.registry.tables.list_round_sessions(table, number)
    step = find_decision_step(sessions, call.guest, decision)
    if step is None:
        raise NotFoundError(
            f"you did not decide this in round {number}: see its steps",
            code="no-decision",
            round=number,
            decision=decision,
        )
    query = find_decision_query(sessions, call.guest, decision)
    asked = f"/study/try?{query}&back={back or table}"
    reviewed = call.registry.leak_reviews.get_review(table, call.guest.holder).reviewed
    if any(each.round == number and each.decision == decision and each.chosen.cost for each in reviewed):
        asked = f"{asked}&mistake={table}/{number}/{decision}"
    return RedirectResponse(asked if query else f"/tables/{table}/rounds/{number}?step={step}", SEE_OTHER)


def find_decision_step(sessions: Sequence[TableSession], guest: Guest, decision: str) -> int | None:
    """Return the step of a round at which a guest has to take a decision, or None."""
    for step, session in enumerate(sessions):
        now, seat = session.round, find_guest_seat(session, guest)
        if now and now.turn and seat == session.turn and now.game.decisions[now.turn[1]].id == decision:
            return step
    return None


def find_decision_query(sessions: Sequence[TableSession], guest: Guest, decision: str) -> str:
    """Return the query of a guest's decision for the page *Study*, or ""."""
    step = find_decision_step(sessions, guest, decision)
    if step is None:
        return ""
    return find_study_address(sessions[step], find_guest_seat(sessions[step], guest)).partition("?")[2]


@router.get("/tables/{table}/rounds/{number}/history.toml")
def download_history(call: ViewCall, table: TableName, number: RoundNumber) -> Response:
    """Return a settled round's history, to replay or verify it.

    A history holds every card, so it is only available if ``is_history_open``.

    Raises:
        HiddenError: it would reveal another guest's hand.
    """
    session = call.registry.tables.list_round_sessions(table, number)[-1]
    if not is_history_open(session, call.guest):
        raise HiddenError(
            "this history holds hands that were not shown: only provably fair tables and rounds against bots allow it",
            code="hands-hidden",
        )
    text = format_history(call.registry.tables.get_history(table, number))
    return make_download(text, f"{table}-{number}.toml", "application/toml")


@router.get("/tables/{table}/leaks")
async def show_leaks(call: ViewCall, table: TableName) -> HTMLResponse:
    """Show the known leaks of the guest's own decisions at a table.

    The page then loads the rest.
    """
    return await _render_leaks(call, "table/leaks.html", table, 0)


@router.get("/tables/{table}/leaks/known")
async def show_leaks_progress(call: ViewCall, table: TableName) -> HTMLResponse:
    """Advance the review of the guest's decisions, and show the known leaks."""
    return await _render_leaks(call, "table/known_leaks.html", table, _WORK_SECONDS)


async def _render_leaks(call: PageCall, template: str, table: str, seconds: float) -> HTMLResponse:
    session = await run_in_threadpool(call.registry.get_session, table)
    game = load_game(session.terms.game)
    if not can_solve(game):
        raise WagerError(f"{game.name} has no solver to value your decisions", code="no-solver", game=game.id)
    review = await advance_guest_review(call, session, seconds)
    context: dict[str, Any] = {"game": game, "unit": name_value_unit(game), "leaks": review.summary}
    return await call.render_in_thread(template, address=f"/tables/{table}", **context)
