"""The page *Design*: from a target edge to the pay tables that have it."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.datastructures import QueryParams

from pitboss.analysis.edge_curves import EdgeCurves
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.meter_grid import METER_KEYS, METER_TITLES
from pitboss.analysis.pay_grid import LineKey
from pitboss.analysis.pay_ladder import ROUND_LADDER, parse_ladder
from pitboss.analysis.tuning_report import TunedTable, TuningReport
from pitboss.analysis.tuning_request import TuningRequest, name_lines, parse_figure_range, parse_pay_range
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.builders import make_title
from pitboss.contract import Game, PayTable, PayUnit, Wager
from pitboss.core.errors import TuningError
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytable_toml import format_pay_input
from pitboss.paytables import select_paytables
from pitboss.reports.formatting import format_percent, format_ratio
from pitboss.web.errors import NotFoundError, RateLimitError
from pitboss.web.forms import Digits
from pitboss.web.game_lists import list_games_with_rules
from pitboss.web.jobs.page_jobs import build_tuning_job
from pitboss.web.jobs.queue import RETRY_SECONDS, JobPriority
from pitboss.web.jobs.spec import CONTENTS, JobSpec
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages.design_charts import draw_curves, draw_scatter
from pitboss.web.pages.page_call import JobState, PageCall, ViewCall, make_download, watch_job
from pitboss.web.pages.sheet_choices import choose_wager, list_sheet_wagers, list_wager_paytables, verify_known
from pitboss.web.templating import render_template

router = APIRouter(include_in_schema=False)

MOST_CHANGES = 4
_LONGEST_LADDER = 600
_COLUMNS, _POINTS, _BOUNDED = 6, 60, 6
_TARGETS = {
    "edge": ("House edge", "4%..4.2%"),
    "hit": ("Hit frequency", "any"),
    "deviation": ("Standard deviation", "any"),
    "top": ("Top award", "any"),
    "jackpot": ("Average jackpot, in dollars", "any"),
}
_FIGURES = ("hit", "deviation", "top", "jackpot")


class DesignQuery(NamedTuple):
    """A request for the page: a bet, its table, targets and ranges as typed."""

    game: Game
    wager: Wager
    terms: GameTerms
    texts: Mapping[str, str]
    changes: int
    any_order: bool
    ladder: str = ""

    @property
    def table(self) -> PayTable:
        """The pay table that is changed: the bet's first."""
        return self.terms.paytables[self.wager.paytable_kinds[0]]

    @property
    def lines(self) -> dict[str, LineKey]:
        """The lines that may change, by name."""
        tables = self.terms.paytables
        return {
            name: (kind, line)
            for name, (kind, line) in name_lines(self.wager, tables).items()
            if (kind, line) in METER_KEYS or tables[kind].lines[line].unit is not PayUnit.PERCENT_OF_METER
        }

    def build_request(self) -> TuningRequest:
        """Return the search that is asked for (raises TuningError, PayTableError)."""
        ranges = {
            name: parse_figure_range(self.texts[name], _TARGETS[name][0]) for name in _TARGETS if self.texts[name]
        }
        vary = {name: parse_pay_range(name, text) for name in self.lines if (text := self.texts[f"vary-{name}"])}
        others = {name: ranges.get(name) for name in _FIGURES}
        targets = TuningTargets(ranges["edge"], **others)
        limit = _BOUNDED if self.wager is self.game.main else _POINTS
        ladder = parse_ladder(self.ladder, "pays to choose from") if self.ladder.strip() else ROUND_LADDER
        return TuningRequest(targets, vary, self.changes, ladder, any_order=self.any_order, limit=limit)


def parse_design_query(
    request: Request,
    game: Annotated[str, Query(max_length=64)] = "",
    bet: Annotated[str, Query(max_length=32)] = "",
    paytable: Annotated[str, Query(max_length=64)] = "",
    changes: Annotated[Digits, Query(ge=1, le=MOST_CHANGES)] = 2,
    order: Annotated[str, Query(max_length=3)] = "",
    ladder: Annotated[str, Query(max_length=_LONGEST_LADDER)] = "",
) -> DesignQuery:
    """Parse the query of the page; a bet or table of another game is ignored.

    Raises:
        PitbossError: the game, the bet or the pay table is unknown.
    """
    loaded_game = load_game(game or list_tuned_games()[0].id)
    wager = choose_wager(loaded_game, bet, list_tuned_wagers)
    if wager is None:
        raise TuningError(
            f"{loaded_game.name} has no bet with a pay table and an exact sheet",
            code="no-pay-table",
            game=loaded_game.id,
        )
    tables = {table.id: table for table in list_wager_paytables(loaded_game, wager)}
    anywhere = (
        table.id
        for other in list_games_with_rules()
        for each in list_tuned_wagers(other)
        for table in list_wager_paytables(other, each)
    )
    verify_known("pay table", paytable, tables, anywhere)
    paytables = select_paytables(loaded_game, (f"{wager.id}={paytable}",) if paytable in tables else ())
    terms = GameTerms(paytables, resolve_options(loaded_game, {}))
    fields = (*_TARGETS, *(f"vary-{name}" for name in name_lines(wager, paytables)))
    texts = {name: request.query_params.get(name, "").replace(" ", "")[:40] for name in fields}
    return DesignQuery(loaded_game, wager, terms, texts, changes, order == "any", ladder)


DesignQueryDep = Annotated[DesignQuery, Depends(parse_design_query)]


def list_tuned_wagers(game: Game) -> list[Wager]:
    """Return the bets of a game that have pay tables and an exact sheet."""
    return [wager for wager in list_sheet_wagers(game) if wager.paytable_kinds]


def list_tuned_games() -> list[Game]:
    """Return the games that have a bet to tune."""
    return [game for game in list_games_with_rules() if list_tuned_wagers(game)]


@router.get("/design")
async def show_design(call: ViewCall, query: DesignQueryDep) -> HTMLResponse:
    """Show the form and the results that are found so far."""
    shown = await _search(call, query)
    return await call.render_in_thread("design/page.html", **_describe_form(query), **shown)


@router.get("/design/tables")
async def show_tables(call: ViewCall, query: DesignQueryDep) -> HTMLResponse:
    """Show the tables that the form asks for."""
    shown = await _search(call, query)
    if shown["is_pending"]:
        return call.render_pending("design/pending.html", **shown)
    return await call.render_in_thread("design/tables.html", **shown)


@router.get("/design/table.toml")
async def download_table(
    call: ViewCall, query: DesignQueryDep, number: Annotated[Digits, Query(ge=0, le=_POINTS)] = 1
) -> Response:
    """Return one of the tables as a file for ``--paytable``."""
    if not query.texts["edge"]:
        raise NotFoundError("there is no table yet: give the edge that it has", code="no-such-table")
    found = await _run_search(call, query)
    if not found:
        raise RateLimitError(f"still searching: try again in {RETRY_SECONDS} s", RETRY_SECONDS, code="still-searching")
    report: TuningReport = unpickle_object(found)[0]
    tables = (report.present, *report.tables)
    if number >= len(tables):
        raise NotFoundError(
            f"there is no table {number} here: {len(tables) - 1} were found", code="no-such-table", number=number
        )
    return make_download(tables[number].to_toml(), f"{query.wager.id}-{number}.toml", "application/toml")


async def _search(call: PageCall, query: DesignQuery) -> dict[str, Any]:
    """Return what the page shows: a problem, a search that goes on, or its tables."""
    state = await watch_job(_wait_for_tables(call, query)) if query.texts["edge"] else JobState()
    progress = call.get_progress(_build_search_job(query)) if state.is_pending else None
    return state._asdict() | {"problem": state.problem.replace("--", ""), "progress": progress}


async def _wait_for_tables(call: PageCall, query: DesignQuery) -> str | None:
    """Return the tables as HTML, None while the search goes on."""
    found = await _run_search(call, query)
    page: str | None = None
    if found:
        page = await call.wait_for_result(_build_content_job(query, found), JobPriority.SHEET, replace=True)
    return page


async def _run_search(call: PageCall, query: DesignQuery) -> bytes:
    """Return what the search has found, pickled; b"" while it goes on."""
    return await call.wait_for_payload(_build_search_job(query), JobPriority.SHEET, is_patient=False, replace=True)


def _build_search_job(query: DesignQuery) -> JobSpec:
    return build_tuning_job(query.game, query.wager, query.terms, query.build_request())


def _build_content_job(query: DesignQuery, found: bytes) -> JobSpec:
    ids = query.game.id, query.wager.id, query.table.id
    asked = *ids, *query.texts.items(), query.changes, query.any_order, query.ladder
    return JobSpec(CONTENTS, (asked, sha256(found).digest()), render_found, (query, found))


def render_found(query: DesignQuery, found: bytes) -> str:
    """Render what a search has found, pickled.

    A worker does it: it takes hundredths of a second, too long for the process that serves pages.
    """
    report, curves = unpickle_object(found)
    return render_template("design/found.html", {"found": _lay_out(query, report, curves)})


def _describe_form(query: DesignQuery) -> dict[str, Any]:
    """Return the choices of the form."""
    targets = [
        (name, label, example)
        for name, (label, example) in _TARGETS.items()
        if name != ("deviation" if query.table.progressive else "jackpot")
    ]
    tables = query.terms.paytables
    return {
        "asked": query,
        "games": list_tuned_games(),
        "bets": list_tuned_wagers(query.game),
        "tables": list_wager_paytables(query.game, query.wager),
        "targets": targets,
        "lines": [
            (
                name,
                _make_line_title(name),
                "" if key in METER_KEYS else format_pay_input(tables[key[0]].lines[key[1]].amount),
            )
            for name, key in query.lines.items()
        ],
        "varies": bool(query.ladder) or any(query.texts[f"vary-{name}"] for name in query.lines),
        "longest_ladder": _LONGEST_LADDER,
        "most_changes": MOST_CHANGES,
    }


def _lay_out(query: DesignQuery, report: TuningReport, curves: EdgeCurves) -> dict[str, Any]:
    """Return the texts, the table and the charts of what was found."""
    shown = (report.present, *report.tables[:_COLUMNS])
    asked = {name: text for name, text in query.texts.items() if text}
    asked |= {"game": query.game.id, "bet": query.wager.id, "paytable": query.table.id, "changes": str(query.changes)}
    asked |= {"order": "any"} if query.any_order else {}
    asked |= {"ladder": query.ladder} if query.ladder else {}
    names = {key: name for name, key in query.lines.items()}

    def link_pay(key: LineKey, pay: Any) -> str:
        return "" if key in METER_KEYS else _link_sheet(query, {names.get(key, key[1]): format_pay_input(pay)})

    def link_table(table: TunedTable) -> str:
        return _link_sheet(query, {line: format_pay_input(new) for line, (_, new) in table.changes.items()})

    return {
        "report": report,
        "shown": shown,
        "rows": list(_iterate_rows(query, shown)),
        "figures": list(_iterate_figures(shown)),
        "sheets": [link_table(table) for table in shown],
        "files": [f"/design/table.toml?{QueryParams({**asked, 'number': table.number})}" for table in shown],
        "scatter": draw_scatter(report, link_table) if report.tables else None,
        "listed": [(table, link_table(table)) for table in report.tables],
        "curves": draw_curves(curves, report.targets.edge, report.present.house_edge, link_pay),
    }


def _link_sheet(query: DesignQuery, pays: Mapping[str, str]) -> str:
    """Return the address of a table's PAR sheet; "" if no page can show it."""
    if any(name not in query.table.lines for name in pays):
        return ""
    base = {"game": query.game.id, "bet": query.wager.id, "paytable": query.table.id}
    return f"/par?{QueryParams({**base, **{f'pay-{name}': pay for name, pay in pays.items()}})}"


def _make_line_title(name: str) -> str:
    return METER_TITLES.get(name) or make_title(name.replace(":", " "))


def _iterate_rows(query: DesignQuery, tables: tuple[TunedTable, ...]) -> Any:
    """Yield each line with its pays: the text, and whether it is changed."""
    for name in query.lines:
        values = [
            format_ratio(table.pays[name]) if name in table.pays else f"{float(table.meter[name]):g}"
            for table in tables
        ]
        yield (
            _make_line_title(name),
            [(value, name in table.changes) for value, table in zip(values, tables, strict=True)],
        )


def _iterate_figures(tables: tuple[TunedTable, ...]) -> Any:
    """Yield the figures of tables, a row for each figure."""
    if any(table.method == "bounded" for table in tables):
        yield "House edge at least", [format_percent(table.edge_bounds[0]) for table in tables]
        yield "House edge at most", [format_percent(table.edge_bounds[1]) for table in tables]
    else:
        long_run = ", in the long run" if tables[0].meter else ""
        yield f"House edge{long_run}", [format_percent(table.house_edge) for table in tables]
    if tables[0].meter:
        yield "Average jackpot", [f"${float(table.average_jackpot or 0):,.0f}" for table in tables]
    yield "Hit frequency", [format_percent(table.hit_frequency) for table in tables]
    yield "Standard deviation", [f"{table.standard_deviation:,.4f}" for table in tables]
