"""The page of leaks: what they are worth, measured in the background, and kept."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.games import load_game, load_games
from pitboss.reports.document import PageBlock
from pitboss.reports.protection_section import iter_leak_blocks
from pitboss.web.jobs.page_jobs import build_protection_job
from pitboss.web.jobs.queue import RETRY_SECONDS, JobPriority
from pitboss.web.jobs.requests import get_payload
from pitboss.web.jobs.worker import JobProgress, unpickle_object
from pitboss.web.pages.page_call import ViewCall
from pitboss.web.registry import TableRegistry

router = APIRouter(include_in_schema=False)

GameQuery = Annotated[str, Query(max_length=64)]


class LeakState(NamedTuple):
    """The state of a game's leaks: not asked for, running, or measured.

    ``blocks`` are there once they are measured, ``progress`` while that runs.
    """

    blocks: tuple[PageBlock, ...] = ()
    progress: JobProgress | None = None
    seconds: int = RETRY_SECONDS


@router.get("/protect")
def show_protection(call: ViewCall, game: GameQuery = "") -> HTMLResponse:
    """Show the games, and what the leaks of one are worth if that is known."""
    games = [each for each in load_games().values() if each.decisions]
    asked = load_game(game or games[0].id)
    return call.render(
        "protect/page.html", games=games, asked=asked, problem="", state=_find_state(call.registry, asked)
    )


@router.get("/protect/leaks")
def measure_leaks(call: ViewCall, game: GameQuery = "") -> HTMLResponse:
    """Measure leaks in the background; show progress, then what they are worth."""
    asked = load_game(game)
    try:
        future = call.registry.jobs.submit(call.client, build_protection_job(asked), JobPriority.EXACT)
        if future.done():
            get_payload(future.result())
    except PitbossError as error:
        return call.render("protect/leaks.html", problem=str(error), asked=asked, state=LeakState())
    state = _find_state(call.registry, asked)
    status = 200 if state.blocks else 202
    return call.render("protect/leaks.html", status, problem="", asked=asked, state=state)


def _find_state(registry: TableRegistry, game: Game) -> LeakState:
    job = build_protection_job(game)
    known = registry.jobs.get_result(job)
    if known is None:
        return LeakState(progress=registry.jobs.get_progress(job))
    return LeakState(tuple(iter_leak_blocks(unpickle_object(known))))
