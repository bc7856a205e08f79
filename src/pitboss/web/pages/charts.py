"""The page *Charts*: pictures of a game and its bets, each with its rows."""

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi.responses import HTMLResponse
from starlette.datastructures import QueryParams

from pitboss.analysis.bet_charts import BAND, CONTRIBUTION
from pitboss.analysis.chart_request import CHART_SETTINGS, ChartRequest
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.meter_chart import METER, list_metered_wagers
from pitboss.analysis.pay_chart import PAY
from pitboss.analysis.ruin_chart import RUIN
from pitboss.analysis.strategy_chart import STRATEGY
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import UnknownNameError
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.strategy_grids import load_strategy_grids
from pitboss.web.errors import NotFoundError
from pitboss.web.game_lists import list_games_with_rules
from pitboss.web.jobs.chart_content import CHART_FILES, ChartContent, GridCell, build_chart_file_job, build_chart_job
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.jobs.requests import PAGE_SECONDS
from pitboss.web.jobs.spec import CHARTS, PICTURES, JobSpec
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages.page_call import JobState, PageCall, ViewCall, make_download, watch_job
from pitboss.web.pages.sheet_choices import (
    choose_paytables,
    choose_wager,
    list_sheet_wagers,
    list_wager_paytables,
    verify_known,
)

router = APIRouter(include_in_schema=False)

KIND_NAMES = {
    STRATEGY: "Best play",
    BAND: "Band of the return",
    CONTRIBUTION: "What each outcome wins or costs",
    PAY: "House edge by pay",
    RUIN: "Risk of ruin",
    METER: "Growth of the meter",
}


class ChartQuery(NamedTuple):
    """A request for the page: a game, a kind of chart, and its settings."""

    game: Game
    kinds: tuple[str, ...]
    request: ChartRequest
    wager: Wager | None = None
    cell: tuple[int, int] | None = None

    @property
    def table(self) -> PayTable | None:
        """The pay table of the bet, if it has one."""
        kinds = self.wager.paytable_kinds if self.wager else ()
        return self.request.terms.paytables[kinds[0]] if kinds else None

    @property
    def file_name(self) -> str:
        """The name of the chart's files, without ending."""
        return f"{self.game.id}-{self.request.kind}"

    @property
    def address(self) -> str:
        """The query that asks for this chart."""
        asked = {"game": self.game.id, "kind": self.request.kind, **self.request.settings}
        asked |= {"paytable": self.table.id} if self.table else {}
        return str(QueryParams(asked))


def list_charted_games() -> list[Game]:
    """Return the games that have a chart."""
    return [game for game in list_games_with_rules() if list_kinds(game)]


def list_kinds(game: Game) -> tuple[str, ...]:
    """Return the kinds of charts that a game has."""
    return tuple(
        kind for kind in CHART_SETTINGS if (load_strategy_grids(game) if kind == STRATEGY else list_wagers(game, kind))
    )


def list_wagers(game: Game, kind: str) -> list[Wager]:
    """Return the bets of a game that have a kind of chart."""
    if kind == METER:
        return [wager for wager in list_metered_wagers(game) if wager in list_sheet_wagers(game)]
    return [wager for wager in list_sheet_wagers(game) if kind != PAY or wager.paytable_kinds]


def parse_chart_query(
    game: Annotated[str, Query(max_length=64)] = "",
    kind: Annotated[str, Query(max_length=32)] = "",
    grid: Annotated[str, Query(max_length=32)] = "",
    bet: Annotated[str, Query(max_length=32)] = "",
    paytable: Annotated[str, Query(max_length=64)] = "",
    cell: Annotated[str, Query(pattern=r"^([0-9]{1,3}\.[0-9]{1,3})?$")] = "",
) -> ChartQuery:
    """Parse the query of the page; a grid, bet or table of another game is ignored.

    ``cell`` is a cell of a strategy chart to open: its row and its column, from 0.

    Raises:
        PitbossError: the game, the kind, the grid, the bet or the table is unknown, or the game has no chart.
    """
    asked = load_game(game or list_charted_games()[0].id)
    kinds = list_kinds(asked)
    if kind and kind not in CHART_SETTINGS:
        raise UnknownNameError("kind of chart", kind, CHART_SETTINGS)
    if not kinds:
        raise NotFoundError(f"{asked.name} has no chart", code="no-chart", game=asked.id)
    chosen = kind if kind in kinds else kinds[0]
    wager = choose_wager(asked, bet, lambda each: list_wagers(each, chosen)) if chosen != STRATEGY else None
    settings = {"bet": wager.id} if wager else _choose_grid(asked, grid)
    terms = GameTerms(choose_paytables(asked, wager, paytable), resolve_options(asked, {}))
    return ChartQuery(asked, kinds, ChartRequest(asked, chosen, terms, settings), wager, _parse_cell(cell))


def _parse_cell(text: str) -> tuple[int, int] | None:
    row, _, column = text.partition(".")
    return (int(row), int(column)) if column else None


def _choose_grid(game: Game, grid: str) -> dict[str, str]:
    grids = [each.id for each in load_strategy_grids(game)]
    anywhere = (each.id for other in load_games().values() for each in load_strategy_grids(other))
    verify_known("grid", grid, grids, anywhere)
    return {"grid": grid if grid in grids else grids[0]}


ChartQueryDep = Annotated[ChartQuery, Depends(parse_chart_query)]


@router.get("/charts")
async def show_charts(call: ViewCall, query: ChartQueryDep) -> HTMLResponse:
    """Show the form and the chart that it asks for, as far as it is computed.

    Without a game in the address nobody asked for a chart: then none is computed.
    """
    is_asked = bool(call.request.query_params.get("game"))
    state = await _compute(call, query, PAGE_SECONDS) if is_asked else JobState()
    shown = {"games": list_charted_games(), **_describe(call, query, state)}
    return await call.render_in_thread("charts/page.html", **shown)


@router.get("/charts/picture")
async def show_picture(call: ViewCall, query: ChartQueryDep) -> HTMLResponse:
    """Show the chart that the form asks for."""
    state = await _compute(call, query)
    if state.is_pending:
        return call.render_pending("charts/pending.html", **_describe(call, query, state))
    return await call.render_in_thread("charts/picture.html", **_describe(call, query, state))


@router.get("/charts/{name}.{form}")
async def download_chart(
    call: ViewCall,
    query: ChartQueryDep,
    name: Annotated[str, Path(pattern=r"^[a-z0-9-]{1,64}$")],
    form: Annotated[str, Path(pattern=f"^({'|'.join(CHART_FILES)})$")],
) -> Response:
    """Return a chart as a file, under the name that the page gives it."""
    if name != query.file_name:
        raise NotFoundError(
            f"there is no chart {name}: its file is {query.file_name}.{form}", code="no-chart", name=name
        )
    call.registry.limits.count_file(*call.sender)
    job = build_chart_file_job(query.request, form)
    file = await call.wait_for_payload(job, JobPriority.FILE)
    return make_download(unpickle_object(file) if file else b"", f"{name}.{form}", CHART_FILES[form])


async def _compute(call: PageCall, query: ChartQuery, seconds: float | None = None) -> JobState:
    """Compute a chart, or say why not."""
    job = build_chart_job(query.request)
    return await watch_job(call.wait_for_result(job, JobPriority.SHEET, replace=True, seconds=seconds))


def _describe_wait(call: PageCall, job: JobSpec) -> dict[str, Any]:
    """Say how far a chart is, or what it waits for and about how long."""
    progress, before = call.get_progress(job), call.registry.jobs.find_running(job)
    if before is None:
        return {"progress": progress, "waits_for": ""}
    ahead = call.get_progress(before)
    wait = ahead.describe_pace("row") if before.kind is CHARTS else ahead.describe_left()
    return {"progress": progress, "waits_for": name_chart(before), "wait": wait}


def name_chart(job: JobSpec) -> str:
    """Name the chart that a job draws, "another count" if it draws none."""
    game, kind = job.key[:2] if isinstance(job.key, tuple) and job.kind in {CHARTS, PICTURES} else ("", "")
    return f"the chart of {load_game(game).name}, {KIND_NAMES[kind].lower()}" if kind in KIND_NAMES else "another count"


def _find_cell(query: ChartQuery, content: ChartContent | None) -> GridCell | None:
    """Return the cell to open, if there is such a position."""
    if query.cell is None or content is None or content.grid is None:
        return None
    row, column = query.cell
    rows = content.grid.rows
    return rows[row][1][column] if row < len(rows) and column < len(content.grid.columns) else None


def _describe(call: PageCall, query: ChartQuery, state: JobState) -> dict[str, Any]:
    """Return what the templates show."""
    cell = _find_cell(query, state.content)
    return {
        "cell": cell,
        "position": str(QueryParams([("game", query.game.id), *cell.cards])) if cell else "",
        "asked": query,
        "kinds": [(kind, KIND_NAMES[kind]) for kind in query.kinds],
        "grids": () if query.wager else load_strategy_grids(query.game),
        "bets": list_wagers(query.game, query.request.kind) if query.wager else (),
        "tables": list_wager_paytables(query.game, query.wager) if query.wager else (),
        "files": [(form.upper(), f"/charts/{query.file_name}.{form}?{query.address}") for form in CHART_FILES],
        **(_describe_wait(call, build_chart_job(query.request)) if state.is_pending else {}),
        **state._asdict(),
    }
