"""PAR sheets in the browser: any bet under any pay table, with edited pays, and reports to download."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from pitboss.analysis.census import explain_no_sheet
from pitboss.analysis.exact_par_sheet import GameTerms
from pitboss.analysis.par_sheet import ParSheet
from pitboss.builders import display_name
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import PayTableError, PitbossError, UnknownNameError, WagerError
from pitboss.core.money import parse_cents
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, select_paytables
from pitboss.reports import formatting
from pitboss.reports.formats import REPORT_FORMATS
from pitboss.reports.report import GameReport, ReportAssumptions
from pitboss.reports.repricing import edit_paytable, reprice_sheet, verify_pay_text
from pitboss.web.forms import Digits
from pitboss.web.guests import ViewingGuest
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.job_functions import build_file_job, build_report_job, build_sheet_job
from pitboss.web.job_requests import get_job_client, wait_for_payload, wait_for_result
from pitboss.web.jobs import JobPriority
from pitboss.web.problems import NotFoundError, RateLimitError
from pitboss.web.registry import RegistryDep
from pitboss.web.render import render_page, render_pending
from pitboss.web.templating import capitalize_first
from pitboss.web.worker import unpickle_object

router = APIRouter(include_in_schema=False)

_MEDIA_TYPES = {
    "html": "text/html",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "md": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
}


class SheetQuery(NamedTuple):
    """A query for a PAR sheet: the bet, its pay tables, and the edited pays by line."""

    game: Game
    wager: Wager
    paytables: Mapping[str, PayTable]
    comparison: PayTable | None
    pays: Mapping[str, str]
    assumptions: ReportAssumptions

    @property
    def terms(self) -> GameTerms:
        """The terms of the count, which does not depend on edited pays."""
        return GameTerms(self.paytables, resolve_options(self.game, {}))

    @property
    def table(self) -> PayTable | None:
        """The pay table that can be edited: the bet's first."""
        return self.paytables[self.wager.paytable_kinds[0]] if self.wager.paytable_kinds else None


def parse_sheet_query(
    request: Request,
    game: Annotated[str, Query(max_length=64)] = "",
    bet: Annotated[str, Query(max_length=32)] = "",
    paytable: Annotated[str, Query(max_length=64)] = "",
    beside: Annotated[str, Query(max_length=64)] = "",
    pace: Annotated[Digits, Query(ge=1, le=1_000)] = 40,
    average: Annotated[str, Query(max_length=20)] = "25",
) -> SheetQuery:
    """Parse the query of a PAR sheet; without ``game``, the name of the requested file gives it.

    A bet or pay table that belongs to another game or bet is ignored.

    Raises:
        PitbossError: the game, the bet or the pay table is unknown.
    """
    loaded_game = load_game(game or request.path_params.get("name", "") or next(iter(list_sheet_games())).id)
    bets = {each.id: each for each in list_sheet_wagers(loaded_game)}
    if not bets:
        raise WagerError(
            f"{loaded_game.name} has no exact sheet: none of its wagers defines how its outcomes are counted"
        )
    _verify_known("bet", bet, bets, (each.id for name in load_games() for each in list_sheet_wagers(load_game(name))))
    wager = bets.get(bet) or next(iter(bets.values()))
    tables = {table.id: table for table in list_wager_paytables(loaded_game, wager)}
    for name in (paytable, beside):
        _verify_known(
            "pay table",
            name,
            tables,
            (each.id for other_game in load_games() for each in load_builtin_paytables(load_game(other_game))),
        )
    paytables = select_paytables(loaded_game, (f"{wager.id}={paytable}",) if paytable in tables else ())
    comparison = tables.get(beside)
    pays = {
        name.removeprefix("pay-"): text.strip()
        for name, text in request.query_params.items()
        if name.startswith("pay-") and text.strip()
    }
    assumptions = replace(ReportAssumptions(), rounds_an_hour=pace, average_bet_cents=parse_cents(average))
    return SheetQuery(loaded_game, wager, paytables, comparison, pays, assumptions)


SheetQueryDep = Annotated[SheetQuery, Depends(parse_sheet_query)]


def _verify_known(kind: str, name: str, here: Collection[str], anywhere: Iterable[str]) -> None:
    """Refuse an unknown name; without a script, a form may still name a choice of the game before."""
    if name and name not in here and name not in anywhere:
        raise UnknownNameError(kind, name, here)


def list_sheet_wagers(game: Game) -> list[Wager]:
    """Return the bets of a game that have a PAR sheet."""
    options = resolve_options(game, {})
    return [wager for wager in (*game.wagers, *game.main_parts) if not explain_no_sheet(game, wager, options)]


def list_sheet_games() -> list[Game]:
    """Return the games that have a PAR sheet."""
    return [load_game(name) for name in load_games() if list_sheet_wagers(load_game(name))]


def list_wager_paytables(game: Game, wager: Wager) -> list[PayTable]:
    """Return the built-in pay tables of a bet's first kind."""
    return [
        table
        for table in load_builtin_paytables(game)
        if wager.paytable_kinds and table.kind == wager.paytable_kinds[0]
    ]


@router.get("/par")
def show_sheet_form(request: Request, guest: ViewingGuest, query: SheetQueryDep) -> HTMLResponse:
    """Show the form; its page then loads the sheet."""
    table = query.table
    return render_page(
        "par/page.html",
        request,
        guest,
        games=list_sheet_games(),
        asked=query,
        bets=list_sheet_wagers(query.game),
        tables=list_wager_paytables(query.game, query.wager),
        lines=[
            (line, _make_title(line), formatting.format_pay(pay), formatting.format_pay_input(pay.amount))
            for line, pay in table.lines.items()
        ]
        if table
        else [],
        query=request.url.query,
        formats=REPORT_FORMATS,
    )


def _make_title(name: str) -> str:
    return capitalize_first(display_name(name))


@router.get("/par/sheet")
async def show_sheet(
    request: Request, registry: RegistryDep, guest: ViewingGuest, query: SheetQueryDep
) -> HTMLResponse:
    """Show a sheet with its edited pays, next to a second sheet if one is chosen."""
    client, job = get_job_client(request, guest), build_sheet_job(query.game, query.wager, query.terms)
    try:
        edited = _make_edited_paytable(query)  # refuse invalid pays before the count
        sheet = await wait_for_result(request, registry.jobs, client, job, JobPriority.SHEET, replace=True)
        columns = list(_list_columns(query, sheet, edited)) if sheet else []
    except RateLimitError as error:
        return render_pending("par/counting.html", request, guest, str(error), asked=query)
    except PitbossError as error:
        return render_page("par/sheet.html", request, guest, 409, problem=str(error), shown=(), asked=query, paid=None)
    if not columns:
        return render_pending("par/counting.html", request, guest, asked=query)
    sheets = [each["sheet"] for each in columns]
    rows = list(formatting.compare_figures(sheets))
    lines, bars = list(_list_lines(sheets)), _build_bars(sheets[0])
    context: dict[str, Any] = {"shown": columns, "rows": rows, "lines": lines, "bars": bars, "paid": edited}
    return render_page("par/sheet.html", request, guest, problem="", asked=query, **context)


def _make_edited_paytable(query: SheetQuery) -> PayTable | None:
    """Return the pay table with the edited pays, None if no pay was edited.

    Raises:
        PayTableError: a line is unknown, or its pay is not valid.
    """
    table = query.table
    changed = {
        line: pay
        for line, pay in query.pays.items()
        if table and (line not in table.lines or formatting.format_pay_input(table.lines[line].amount) != pay)
    }
    if not table or not changed:
        return None
    for line, pay in changed.items():
        if line in table.lines:
            with _name_line_in_error(_make_title(line)):
                verify_pay_text(query.game, table, line, pay)
    return edit_paytable(query.game, table, changed)


@contextmanager
def _name_line_in_error(line_name: str) -> Iterator[None]:
    """Put the name of the line in front of an error about its pay."""
    try:
        yield
    except PayTableError as error:
        raise PayTableError(f"{line_name}: {error}") from None


def _list_columns(query: SheetQuery, sheet: ParSheet, edited_table: PayTable | None) -> Iterator[dict[str, Any]]:
    """Yield the column of each sheet: the chosen or edited one, and the one to compare."""
    table = query.table
    name = table.id if table else "even money"
    paytables = dict(query.paytables)
    if table and edited_table:
        paytables[edited_table.kind], name = edited_table, f"{table.id}, edited"
    yield _build_column(query, reprice_sheet(sheet, paytables) if table else sheet, name)
    if query.comparison:
        yield _build_column(
            query,
            reprice_sheet(sheet, {**query.paytables, query.comparison.kind: query.comparison}),
            query.comparison.id,
        )


def _build_column(query: SheetQuery, sheet: ParSheet, name: str) -> dict[str, Any]:
    report = GameReport(query.game, query.terms, (sheet,), query.assumptions)
    return {
        "name": name,
        "sheet": sheet,
        "kept": formatting.describe_method(sheet) if sheet.bounds else "",
        "an_hour": float(report.compute_house_win_cents(sheet)) / 100,
        "bet": report.get_bet_cents(sheet.wager),
    }


def _list_lines(sheets: Sequence[ParSheet]) -> Iterator[dict[str, Any]]:
    """Yield each possible outcome with its pay in every sheet; the sheets have the same deals."""
    for outcomes in zip(*(sheet.lines for sheet in sheets), strict=True):
        line = outcomes[0]
        if line.deals:
            yield {
                "name": _make_title(line.outcome.name),
                "pays": [formatting.describe_pays(each, sheet) for each, sheet in zip(outcomes, sheets, strict=True)],
                "deals": line.deals,
                "one_in": float(1 / line.probability),
                "probability": float(line.probability),
                "contributions": [float(each.contribution) for each in outcomes],
            }


def _build_bars(sheet: ParSheet) -> list[dict[str, Any]]:
    """Return the 12 largest contributions as bars, with widths in percent of the largest."""
    largest = max((abs(line.contribution) for line in sheet.lines), default=0) or 1
    lines = sorted((line for line in sheet.lines if line.contribution), key=lambda line: -abs(line.contribution))[:12]
    return [
        {
            "name": _make_title(line.outcome.name),
            "width": round(float(100 * abs(line.contribution) / largest), 2),
            "gives": line.contribution > 0,
            "value": float(line.contribution),
        }
        for line in lines
    ]


@router.get("/par/{name}.{kind}")
async def download_report(
    request: Request,
    registry: RegistryDep,
    guest: ViewingGuest,
    query: SheetQueryDep,
    name: Annotated[str, Path(pattern=r"^[a-z0-9-]{1,64}$")],
    kind: Annotated[str, Path(pattern=f"^({'|'.join(REPORT_FORMATS)})$")],
) -> Response:
    """Return the report of a game in a format, with the edited pays."""
    registry.limits.count_file(guest.holder, get_client_address(request))
    if name != query.game.id:
        raise NotFoundError(
            f"there is no {name}.{kind} here: {query.game.id}.{kind} is the report of {query.game.name}"
        )
    edited = _make_edited_paytable(query)
    client = get_job_client(request, guest)
    report = await wait_for_payload(
        request, registry.jobs, client, build_report_job(query.game, query.terms), JobPriority.FILE
    )
    job = build_file_job(query.game, query.terms, report, query.assumptions, edited, kind)
    file = await wait_for_payload(request, registry.jobs, client, job, JobPriority.FILE) if report else b""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(unpickle_object(file) if file else b"", media_type=_MEDIA_TYPES[kind], headers=headers)
