"""The page where a host sets up a table, and the command that opens the table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from pitboss.analysis.census import explain_missing_sheet
from pitboss.analysis.exact_par_sheet import reprice_sheet
from pitboss.analysis.game_terms import GameTerms as Counting
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.builders import capitalize_first
from pitboss.contract import Game, PayTable, Wager
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.formatting import format_percent
from pitboss.table.round.wagers import PRESETS, compute_limits
from pitboss.web.auth.guests import SEE_OTHER, set_last_played_cookie
from pitboss.web.errors import NotFoundError, RateLimitError
from pitboss.web.jobs.page_jobs import build_sheet_job
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.pages.house_rules import (
    PRESET_NAMES,
    PayTableKind,
    can_set_limits,
    describe_decision_timeout,
    list_option_values,
    list_paytable_kinds,
)
from pitboss.web.pages.page_call import PageCall, PlayCall, SentFields, ViewCall
from pitboss.web.pages.setup_form import (
    FieldError,
    convert_sheet_query,
    make_default_fields,
    open_setup_table,
    parse_setup_form,
)
from pitboss.web.pages.table_layout import describe_bots

router = APIRouter(include_in_schema=False)

GameName = Annotated[str, Path(max_length=32)]


@router.get("/open/{game}")
def show_setup_form(call: ViewCall, game: GameName, bet: Annotated[str, Query()] = "") -> HTMLResponse:
    """Show the form of a new table.

    With ``bet``, the pay table and the edited pays of a PAR sheet are filled in.
    """
    loaded_game = load_game(game)
    return _render_form(
        call, loaded_game, convert_sheet_query(loaded_game, bet, call.request.query_params) if bet else {}
    )


@router.post("/open/{game}")
def submit_setup_form(call: PlayCall, game: GameName, sent: SentFields) -> Response:
    """Open a table with the chosen terms and its host in the middle.

    If that fails, show the form with the error.
    """
    loaded_game = load_game(game)
    try:
        setup = parse_setup_form(loaded_game, sent, call.guest.holder)
        call.registry.limits.count_recorded("tables", *call.sender)
    except FieldError as error:
        return _render_form(call, loaded_game, sent, error)
    response = RedirectResponse(f"/tables/{open_setup_table(call.registry, setup, call.guest.holder)}", SEE_OTHER)
    set_last_played_cookie(call.request, response, game, sent.get("name", ""))
    return response


def _render_form(call: PageCall, game: Game, sent: Mapping[str, str], error: FieldError | None = None) -> HTMLResponse:
    return call.render(
        "open.html",
        **describe_house_fields(game, {**make_default_fields(game), **sent}, error),
        strategies=describe_bots(game),
        timeouts=[
            (decision.question, capitalize_first(describe_decision_timeout(decision))) for decision in game.decisions
        ],
    )


def describe_house_fields(game: Game, fields: Mapping[str, str], error: FieldError | None) -> dict[str, Any]:
    """Return what the fields of a game's house rules show.

    They are limits, pay tables and options.  ``fields`` are their values, and ``error`` is what is wrong with one
    of them.
    """
    bets = [(wager, can_set_limits(wager), tuple(_list_lower_limits(game, wager))) for wager in game.wagers]
    return {
        "game": game,
        "fields": fields,
        "error": error,
        "presets": PRESET_NAMES,
        "bets": bets,
        "kinds": [(kind, find_priced_wager(game, kind)) for kind in list_paytable_kinds(game)],
        "written_over": {
            kind.id
            for kind in list_paytable_kinds(game)
            if any(fields[f"pay-{kind.id}.{line}"] for line, *_ in kind.lines)
        },
        "options": [(option, capitalize_first(option.meaning), list_option_values(option)) for option in game.options],
    }


def _list_lower_limits(game: Game, wager: Wager) -> Iterator[tuple[str, int]]:
    """Yield the presets that lower a wager's maximum, each with its maximum in cents."""
    for preset in PRESETS:
        maximum_cents = compute_limits(game, preset)[wager.id].maximum_cents
        if maximum_cents < wager.limits.maximum_cents:
            yield PRESET_NAMES[preset], maximum_cents


# The house edges of the pay tables.


def find_priced_wager(game: Game, kind: PayTableKind) -> Wager | None:
    """Return the wager that only this kind of table pays.

    Return None if its edge depends on play or on a meter.
    """
    options = resolve_options(game, {})
    for wager in (*game.wagers, *game.main_parts):
        if (
            wager.paytable_kinds == (kind.id,)
            and wager is not game.main
            and not explain_missing_sheet(game, wager, options)
        ):
            plain = not depends_on_play(game, wager, options) and not kind.tables[0].progressive
            return wager if plain else None
    return None


@router.get("/open/{game}/edges")
async def show_edges(call: ViewCall, game: GameName, kind: Annotated[str, Query(max_length=32)]) -> HTMLResponse:
    """Show the exact edge of every built-in table of a kind.

    The edges hold under the default rules.  Hands are counted once and priced for each table.
    """
    loaded_game = load_game(game)
    tables = {each.id: each for each in list_paytable_kinds(loaded_game)}
    wager = find_priced_wager(loaded_game, tables[kind]) if kind in tables else None
    if wager is None:
        raise NotFoundError(
            f"{loaded_game.name} has no pay table {kind!r} with an edge of its own",
            code="no-exact-sheet",
            game=loaded_game.id,
            kind=kind,
        )
    terms = Counting(select_paytables(loaded_game), resolve_options(loaded_game, {}))
    job = build_sheet_job(loaded_game, wager, terms)
    sheet, problem = None, ""
    try:
        sheet = await call.wait_for_result(job, JobPriority.SHEET)
    except RateLimitError as error:
        problem = str(error)
    if sheet is None:
        progress = call.get_progress(job)
        shown = {"game": loaded_game, "kind": tables[kind], "progress": progress}
        return call.render_pending("counting_edges.html", problem, **shown)
    paytables = [{**terms.paytables, kind: table} for table in tables[kind].tables]
    return await run_in_threadpool(_render_edges, call, sheet, paytables)


def _render_edges(call: PageCall, sheet: ParSheet, paytables: Sequence[Mapping[str, PayTable]]) -> HTMLResponse:
    """Price a counted sheet under several pay tables and render the edges."""
    edges = [reprice_sheet(sheet, each).house_edge for each in paytables]
    return call.render("edges.html", edges=[format_percent(edge) for edge in edges])
