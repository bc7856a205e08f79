"""What each ruling changes in a PAR sheet, option by option, in the browser."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from pitboss.core.errors import PitbossError
from pitboss.web.errors import RateLimitError
from pitboss.web.jobs.page_jobs import build_option_solutions_job, build_options_job, build_sheet_job
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.jobs.sheet_content import OptionContent
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages.page_call import ViewCall
from pitboss.web.pages.par_sheets import (
    SheetQueryDep,
    SolveState,
    find_solve_state,
    render_running,
    render_solving,
    render_unsolved,
)

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
            state = find_solve_state(call.registry, solving)
    except RateLimitError as error:
        return call.render_pending("par/options.html", str(error))
    if found is None:
        return call.render_pending("par/options.html", progress=call.get_progress(running))
    content: OptionContent = found
    return call.render("par/options.html", counting=None, problem="", state=state, **content._asdict())


@router.get("/par/options/solved")
async def solve_options(call: ViewCall, query: SheetQueryDep) -> HTMLResponse:
    """Find the best play under every ruling in the background; show progress."""
    template, count = "par/solve_options.html", build_sheet_job(query.game, query.wager, query.terms)
    try:
        counted = await call.wait_for_payload(count, JobPriority.SHEET, is_patient=False)
    except PitbossError as error:
        return render_unsolved(call, template, error)
    if not counted:
        return render_running(call, template, count)
    return render_solving(call, template, build_option_solutions_job(counted, query.game, query.wager, query.terms))
