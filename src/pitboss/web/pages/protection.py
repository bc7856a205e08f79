"""The page of leaks: what they are worth, measured in the background, and kept."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.games import load_game, load_games
from pitboss.reports.document import ListBlock, PageBlock, TableBlock
from pitboss.reports.protection_section import iter_leak_blocks
from pitboss.web.auth.guests import ViewingGuest
from pitboss.web.jobs.functions import build_protection_job
from pitboss.web.jobs.queue import RETRY_SECONDS, JobPriority
from pitboss.web.jobs.requests import get_job_client, get_payload
from pitboss.web.jobs.worker import JobProgress, unpickle_object
from pitboss.web.pages.render import render_page
from pitboss.web.registry import RegistryDep, TableRegistry

router = APIRouter(include_in_schema=False)

GameQuery = Annotated[str, Query(max_length=64)]


class LeakState(NamedTuple):
    """The state of a game's leaks: not asked for, running, or measured.

    ``blocks`` are there once they are measured, ``progress`` while that runs.
    """

    blocks: tuple[tuple[str, PageBlock], ...] = ()
    progress: JobProgress | None = None
    seconds: int = RETRY_SECONDS


@router.get("/protect")
def show_protection(request: Request, registry: RegistryDep, guest: ViewingGuest, game: GameQuery = "") -> HTMLResponse:
    """Show the games, and what the leaks of one are worth if that is known."""
    games = [each for each in load_games().values() if each.decisions]
    asked = load_game(game or games[0].id)
    return render_page(
        "protect/page.html", request, guest, games=games, asked=asked, problem="", state=_find_state(registry, asked)
    )


@router.get("/protect/leaks")
def measure_leaks(request: Request, registry: RegistryDep, guest: ViewingGuest, game: GameQuery = "") -> HTMLResponse:
    """Measure leaks in the background; show progress, then what they are worth."""
    asked = load_game(game)
    try:
        future = registry.jobs.submit(get_job_client(request, guest), build_protection_job(asked), JobPriority.EXACT)
        if future.done():
            get_payload(future.result())
    except PitbossError as error:
        return render_page(
            "protect/leaks.html", request, guest, 409, problem=str(error), asked=asked, state=LeakState()
        )
    state = _find_state(registry, asked)
    status = 200 if state.blocks else 202
    return render_page("protect/leaks.html", request, guest, status, problem="", asked=asked, state=state)


def _find_state(registry: TableRegistry, game: Game) -> LeakState:
    job = build_protection_job(game)
    known = registry.jobs.get_result(job)
    if known is None:
        return LeakState(progress=registry.jobs.get_progress(job))
    return LeakState(tuple((_name_block(block), block) for block in iter_leak_blocks(unpickle_object(known))))


def _name_block(block: PageBlock) -> str:
    """Name the kind of a block for the template."""
    return "table" if isinstance(block, TableBlock) else "list" if isinstance(block, ListBlock) else "text"
