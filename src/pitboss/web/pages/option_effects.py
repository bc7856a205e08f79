"""What each ruling changes in a PAR sheet, option by option, in the browser."""

from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from pitboss.core.errors import PitbossError
from pitboss.web.errors import RateLimitError
from pitboss.web.jobs.page_jobs import build_option_solutions_job, build_options_job, build_sheet_job
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.jobs.requests import get_payload
from pitboss.web.jobs.sheet_content import OptionContent
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages.page_call import ViewCall
from pitboss.web.pages.par_sheets import SheetQueryDep, SolveState

router = APIRouter(include_in_schema=False)


@router.get("/par/options")
async def show_options(call: ViewCall, query: SheetQueryDep) -> HTMLResponse:
    """Show what each ruling changes, as far as the best play under it is known."""
    count = build_sheet_job(query.game, query.wager, query.terms)
    found, running, state = None, count, SolveState()
    try:
        counted = await call.wait_for_payload(count, JobPriority.SHEET, is_patient=False)
        if counted:
            terms = counted, query.game, query.wager, query.terms
            solving, running = build_option_solutions_job(*terms), build_options_job(*terms)
            if solved := call.registry.jobs.get_result(solving):
                found = unpickle_object(solved)
            else:
                found = await call.wait_for_result(running, JobPriority.SHEET)
            if progress := call.registry.jobs.get_progress(solving):
                state = SolveState(is_running=True, progress=progress)
    except RateLimitError as error:
        return call.render_pending("par/options.html", str(error))
    if found is None:
        return call.render_pending("par/options.html", progress=call.get_progress(running))
    content: OptionContent = found
    return call.render("par/options.html", counting=None, problem="", state=state, **content._asdict())


@router.get("/par/options/solved")
async def solve_options(call: ViewCall, query: SheetQueryDep) -> HTMLResponse:
    """Find the best play under every ruling in the background; show progress."""
    count = build_sheet_job(query.game, query.wager, query.terms)
    try:
        counted = await call.wait_for_payload(count, JobPriority.SHEET, is_patient=False)
        if not counted:
            state = SolveState(is_running=True, progress=call.get_progress(count))
            return call.render("par/solve_options.html", 202, problem="", state=state)
        job = build_option_solutions_job(counted, query.game, query.wager, query.terms)
        future = call.registry.jobs.submit(call.client, job, JobPriority.EXACT)
        if future.done():
            get_payload(future.result())
            return call.render("par/solve_options.html", problem="", state=SolveState(is_solved=True))
    except PitbossError as error:
        status = error.status if isinstance(error, RateLimitError) else HTTPStatus.CONFLICT
        return call.render("par/solve_options.html", status, problem=str(error), state=SolveState())
    state = SolveState(is_running=True, progress=call.get_progress(job))
    return call.render("par/solve_options.html", 202, problem="", state=state)
