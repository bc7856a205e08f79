"""PAR sheets in the browser.

They show any bet under any pay table, with edited pays.  Reports can be downloaded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.pay_ladder import list_slider_pays
from pitboss.builders import make_title
from pitboss.contract import Game, LinePay, PayTable, Wager
from pitboss.core.errors import PayTableError, PitbossError, UnknownNameError, WagerError
from pitboss.core.money import parse_cents
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytable_toml import format_pay_input
from pitboss.reports.formats import REPORT_FORMATS
from pitboss.reports.formatting import describe_unit, format_pay
from pitboss.reports.paytable_editing import edit_paytable, verify_pay_text
from pitboss.reports.report import ReportAssumptions
from pitboss.reports.submission import SUBMISSION
from pitboss.web.errors import NotFoundError, RateLimitError
from pitboss.web.forms import Digits
from pitboss.web.jobs.page_jobs import (
    ReportFile,
    build_content_job,
    build_exact_job,
    build_file_job,
    build_report_job,
    build_sheet_job,
)
from pitboss.web.jobs.queue import RETRY_SECONDS, JobPriority
from pitboss.web.jobs.requests import get_payload
from pitboss.web.jobs.sheet_content import SheetContent
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.worker import JobProgress, unpickle_object
from pitboss.web.pages.page_call import ViewCall, make_download
from pitboss.web.pages.sheet_choices import (
    MAX_OWN_LENGTH,
    choose_paytables,
    choose_wager,
    list_sheet_games,
    list_sheet_wagers,
    list_wager_paytables,
    parse_own_paytables,
)
from pitboss.web.registry import TableRegistry

router = APIRouter(include_in_schema=False)

_MAX_OWN_FILES, _MAX_OWN_TABLES = 4, 8  # the head of a request has at most 16 KiB

_MEDIA_TYPES = {
    "html": "text/html",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "md": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
}


class SolveState(NamedTuple):
    """The state of a calculation of minutes: not asked for, running, or solved."""

    is_running: bool = False
    is_solved: bool = False
    progress: JobProgress = JobProgress(0, 0)
    seconds: int = RETRY_SECONDS


class PayField(NamedTuple):
    """A field for the pay of a line.

    It has what the sheet pays, and the ``steps`` that a slider goes through.
    """

    line: str
    title: str
    printed: str
    plain: str
    unit: str
    steps: tuple[str, ...]


class SheetQuery(NamedTuple):
    """A query for a PAR sheet: the bet, its pay tables, and the edited pays by line.

    ``own_texts`` are files of the visitor's own pay tables, as typed.
    """

    game: Game
    wager: Wager
    paytables: Mapping[str, PayTable]
    comparisons: tuple[PayTable, ...]
    pays: Mapping[str, str]
    own_texts: tuple[str, ...]
    assumptions: ReportAssumptions
    meter_cents: int | None = None

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
    beside: Annotated[list[str] | None, Query(max_length=32)] = None,
    own: Annotated[list[str] | None, Query(max_length=_MAX_OWN_FILES)] = None,
    pace: Annotated[Digits, Query(ge=1, le=1_000)] = 40,
    average: Annotated[str, Query(max_length=20)] = "25",
    meter: Annotated[str, Query(max_length=20)] = "",
) -> SheetQuery:
    """Parse the query of a PAR sheet.

    Without ``game``, the name of the requested file gives the game.  A bet or pay table that belongs to another game or
    bet is ignored.

    Raises:
        PitbossError: the game, the bet or the pay table is unknown.
    """
    loaded_game = load_game(game or request.path_params.get("name", "") or next(iter(list_sheet_games())).id)
    wager = choose_wager(loaded_game, bet, list_sheet_wagers)
    if wager is None:
        raise WagerError(
            f"{loaded_game.name} has no exact sheet: none of its wagers defines how its outcomes are counted",
            code="no-exact-sheet",
            game=loaded_game.id,
        )
    tables = {table.id: table for table in list_wager_paytables(loaded_game, wager)}
    compared = list(dict.fromkeys(beside or ()))
    paytables = choose_paytables(loaded_game, wager, paytable)
    for name in compared:
        choose_paytables(loaded_game, wager, name)  # refuses an unknown one
    comparisons = tuple(tables[name] for name in compared if name in tables)
    pays = {
        name.removeprefix("pay-"): text.strip()
        for name, text in request.query_params.items()
        if name.startswith("pay-") and text.strip()
    }
    assumptions = replace(ReportAssumptions(), rounds_per_hour=pace, average_bet_cents=parse_cents(average))
    own_texts = tuple(text for text in own or () if text.strip())
    query = SheetQuery(loaded_game, wager, paytables, comparisons, pays, own_texts, assumptions)
    has_meter = query.table is not None and query.table.progressive is not None
    return query._replace(meter_cents=parse_cents(meter)) if has_meter and meter.strip() else query


SheetQueryDep = Annotated[SheetQuery, Depends(parse_sheet_query)]


@router.get("/par")
def show_sheet_form(call: ViewCall, query: SheetQueryDep) -> HTMLResponse:
    """Show the form; its page then loads the sheet."""
    table = query.table
    return call.render(
        "par/page.html",
        games=list_sheet_games(),
        asked=query,
        bets=list_sheet_wagers(query.game),
        tables=list_wager_paytables(query.game, query.wager),
        lines=[_describe_field(line, pay) for line, pay in table.lines.items()] if table else [],
        formats=REPORT_FORMATS,
        most_characters=MAX_OWN_LENGTH,
        own=[*query.own_texts, *[""] * (_MAX_OWN_FILES - len(query.own_texts))] if table else [],
    )


def _describe_field(line: str, pay: LinePay) -> PayField:
    steps = tuple(map(format_pay_input, list_slider_pays(pay)))
    return PayField(line, make_title(line), format_pay(pay), format_pay_input(pay.amount), describe_unit(pay), steps)


@router.get("/par/sheet")
async def show_sheet(call: ViewCall, query: SheetQueryDep) -> HTMLResponse:
    """Show a sheet with its edited pays, next to those of the compared tables."""
    count = build_sheet_job(query.game, query.wager, query.terms)
    try:
        edited, own = _make_edited_paytable(query), _parse_own_paytables(query)  # refuse invalid pays before the count
        counted = await call.wait_for_payload(count, JobPriority.SHEET, is_patient=False, replace=True)
        content: SheetContent | None = None
        if counted:
            is_solved = (
                edited is not None and call.registry.jobs.get_result(_build_exact_job(query, edited)) is not None
            )
            columns = _list_columns(query, edited, own)
            job = build_content_job(
                counted, query.terms, columns, query.assumptions, query.meter_cents, is_solved=is_solved
            )
            content = await call.wait_for_result(job, JobPriority.SHEET, replace=True)
        if content is None:
            return call.render_pending("par/counting.html", progress=call.get_progress(count))
    except RateLimitError as error:
        return call.render_pending("par/counting.html", str(error), progress=None)
    except PitbossError as error:
        return call.render("par/sheet.html", problem=str(error), figures=None)
    exact = _describe_exact(query, call.registry, edited) if content.has_bounds and edited else None
    return await call.render_in_thread("par/sheet.html", problem="", paid=edited, exact=exact, **content._asdict())


def _list_columns(
    query: SheetQuery, edited: PayTable | None, own: Sequence[PayTable]
) -> tuple[tuple[str, PayTable | None], ...]:
    """Return the names of the columns with their tables.

    They are the chosen or edited table, the compared ones, and the visitor's own.
    """
    if query.table is None:
        return (("even money", None),)
    first = edited or query.table
    beside = [(table.id, table) for table in query.comparisons if edited or table is not query.table]
    return ((first.id, first), *beside, *((f"own {number}: {table.id}", table) for number, table in enumerate(own, 1)))


def _describe_exact(query: SheetQuery, registry: TableRegistry, edited: PayTable) -> SolveState | None:
    """Return the state of main's exact calculation, None for other bets."""
    return find_solve_state(registry, _build_exact_job(query, edited)) if query.wager is query.game.main else None


def find_solve_state(registry: TableRegistry, job: JobSpec) -> SolveState:
    """Return the state of a calculation that is not solved."""
    progress = registry.jobs.get_progress(job)
    return SolveState(is_running=True, progress=progress) if progress else SolveState()


def render_solving(call: ViewCall, template: str, job: JobSpec) -> HTMLResponse:
    """Submit a calculation of minutes, and show its progress, its end or its refusal."""
    try:
        future = call.registry.jobs.submit(call.client, job, JobPriority.EXACT)
        if future.done():
            get_payload(future.result())
            return call.render(template, problem="", state=SolveState(is_solved=True))
    except PitbossError as error:
        return render_unsolved(call, template, error)
    return render_running(call, template, job)


def render_running(call: ViewCall, template: str, job: JobSpec) -> HTMLResponse:
    """Show the progress of a job that a calculation waits for."""
    state = SolveState(is_running=True, progress=call.get_progress(job))
    return call.render(template, HTTPStatus.ACCEPTED, problem="", state=state)


def render_unsolved(call: ViewCall, template: str, error: PitbossError) -> HTMLResponse:
    """Show why a calculation was refused."""
    status = error.status if isinstance(error, RateLimitError) else HTTPStatus.CONFLICT
    return call.render(template, status, problem=str(error), state=SolveState())


def _build_exact_job(query: SheetQuery, edited: PayTable) -> JobSpec:
    terms = query.terms
    return build_exact_job(query.game, replace(terms, paytables={**terms.paytables, edited.kind: edited}))


@router.get("/par/exact")
def solve_exactly(call: ViewCall, query: SheetQueryDep) -> HTMLResponse:
    """Find the best play for edited pays in the background; show progress."""
    try:
        edited = _make_edited_paytable(query)
        if edited is None or query.wager is not query.game.main:
            raise PayTableError("edit a pay of the main wager first", code="no-edited-pay")
    except PitbossError as error:
        return render_unsolved(call, "par/exact.html", error)
    return render_solving(call, "par/exact.html", _build_exact_job(query, edited))


def _make_edited_paytable(query: SheetQuery) -> PayTable | None:
    """Return the pay table with the edited pays, None if no pay was edited.

    Raises:
        UnknownNameError: the table has no such line.
        PayTableError: a pay is not valid for its line.
    """
    table = query.table
    changed = {
        line: pay
        for line, pay in query.pays.items()
        if table and (line not in table.lines or format_pay_input(table.lines[line].amount) != pay)
    }
    if not table or not changed:
        return None
    for line, pay in changed.items():
        if line not in table.lines:
            raise UnknownNameError("line", line, table.lines)
        try:
            verify_pay_text(query.game, table, line, pay)
        except PayTableError as error:
            raise PayTableError.from_error(error, make_title(line)) from None
    return edit_paytable(query.game, table, changed)


def _parse_own_paytables(query: SheetQuery) -> list[PayTable]:
    """Return the visitor's own pay tables for the bet.

    Raises:
        PayTableError: a text is not a file of pay tables, or has none that can be compared.
    """
    if query.table is None:
        return []
    found = list[PayTable]()
    for number, text in enumerate(query.own_texts, 1):
        found += parse_own_paytables(query.game, query.wager, text, f"your table {number}")
    if len(found) > _MAX_OWN_TABLES:
        raise PayTableError(
            f"{len(found)} tables of your own: compare at most {_MAX_OWN_TABLES}",
            code="too-many-tables",
            found=len(found),
        )
    return found


@router.get("/par/{name}.{kind}")
async def download_report(
    call: ViewCall,
    query: SheetQueryDep,
    name: Annotated[str, Path(pattern=r"^[a-z0-9-]{1,64}$")],
    kind: Annotated[str, Path(pattern=f"^({'|'.join(REPORT_FORMATS)})$")],
    purpose: Annotated[str, Query(pattern=f"^({SUBMISSION})?$")] = "",
) -> Response:
    """Return the report of a game in a format, with the edited pays.

    With a purpose, it has what a test laboratory asks for.
    """
    call.registry.limits.count_file(*call.sender)
    if name != query.game.id:
        raise NotFoundError(
            f"there is no {name}.{kind} here: {query.game.id}.{kind} is the report of {query.game.name}",
            code="unknown-file",
            name=name,
            kind=kind,
            game=query.game.id,
        )
    edited = _make_edited_paytable(query)
    report = await call.wait_for_payload(build_report_job(query.game, query.terms), JobPriority.FILE)
    file = ReportFile(query.assumptions, edited, kind, bool(purpose))
    job = build_file_job(query.game, query.terms, report, file)
    written = await call.wait_for_payload(job, JobPriority.FILE) if report else b""
    named = f"{name}-{purpose}" if purpose else name
    return make_download(unpickle_object(written) if written else b"", f"{named}.{kind}", _MEDIA_TYPES[kind])
