"""Hosting a table: the page where its terms are chosen, and the table that is opened by them."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.analysis.census import explain_no_sheet
from pitboss.analysis.exact_par_sheet import GameTerms as Counting
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.contract import Game, Wager
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.pricing import priced
from pitboss.table.domain.wagers import PRESETS, limits_of
from pitboss.web.counts import ask_for_sheet
from pitboss.web.floor import TheFloor
from pitboss.web.guests import SEE_OTHER, Commanding, Looking
from pitboss.web.house import address_of
from pitboss.web.house_rules import PRESET_NAMES, Kind, if_late, kinds_of, may_be_set, values_of
from pitboss.web.jobs import Rank
from pitboss.web.layout import bot_words
from pitboss.web.paging import page, still_counting
from pitboss.web.problems import LimitedError, NotThereError
from pitboss.web.templating import titled
from pitboss.web.terms import FieldError, asked_for, begun, from_sheet, usual
from pitboss.web.waiting import asker_of, wait_for

router = APIRouter(include_in_schema=False)

GameName = Annotated[str, Path(max_length=32)]


@router.get("/open/{game}")
def choose_terms(request: Request, game: GameName, guest: Looking, bet: Annotated[str, Query()] = "") -> HTMLResponse:
    """Show the form; with ``bet`` the pay table that a PAR sheet was asked for is chosen already, its pays written."""
    playing = load_game(game)
    return _form(request, playing, guest, from_sheet(playing, bet, request.query_params) if bet else {})


async def _said(request: Request) -> dict[str, str]:
    """Return what stands in the form's fields."""
    return {name: str(text) for name, text in (await request.form()).items() if name not in ("csrf", "key")}


@router.post("/open/{game}")
def open_by_terms(
    request: Request,
    game: GameName,
    floor: TheFloor,
    guest: Commanding,
    said: Annotated[dict[str, str], Depends(_said)],
) -> Response:
    """Open a table by the terms chosen, with its host in the middle; or say in a line why that cannot be."""
    playing = load_game(game)
    try:
        asked = asked_for(playing, said, guest.holder)
        floor.limits.table(guest.holder, address_of(request))
    except FieldError as fault:
        return _form(request, playing, guest, said, fault)
    return RedirectResponse(f"/tables/{begun(floor, asked, guest.holder)}", SEE_OTHER)


def _form(
    request: Request, game: Game, guest: Looking, said: Mapping[str, str], fault: FieldError | None = None
) -> HTMLResponse:
    fields = {**usual(game), **said}
    bets = [(wager, may_be_set(wager), tuple(_lower(game, wager))) for wager in game.wagers]
    return page(
        "open.html",
        request,
        guest,
        422 if fault else 200,
        game=game,
        said=fields,
        fault=fault,
        presets=PRESET_NAMES,
        bets=bets,
        kinds=[(kind, counted_of(game, kind)) for kind in kinds_of(game)],
        written_over={
            kind.id for kind in kinds_of(game) if any(fields[f"pay-{kind.id}.{line}"] for line, *_ in kind.lines)
        },
        options=[(option, titled(option.meaning), values_of(option)) for option in game.options],
        strategies=bot_words(game),
        late=[(decision.question, titled(if_late(decision))) for decision in game.decisions],
    )


def _lower(game: Game, wager: Wager) -> Iterator[tuple[str, int]]:
    """Yield the presets under which a wager's usual most is less, each with that in cents."""
    for preset in PRESETS:
        most = limits_of(game, preset)[wager.id].maximum_cents
        if most < wager.limits.maximum_cents:
            yield PRESET_NAMES[preset], most


# What a pay table keeps.


def counted_of(game: Game, kind: Kind) -> Wager | None:
    """Return the wager that a kind of table pays alone, where its edge is counted: no play, no meter matters to it."""
    options = resolve_options(game, {})
    for wager in (*game.wagers, *game.main_parts):
        if (
            wager.paytable_kinds == (kind.id,)
            and wager is not game.wagers[0]
            and not explain_no_sheet(game, wager, options)
        ):
            plain = not depends_on_play(wager, options) and not kind.tables[0].progressive
            return wager if plain else None
    return None


@router.get("/open/{game}/edges")
async def edges(
    request: Request, game: GameName, floor: TheFloor, guest: Looking, kind: Annotated[str, Query(max_length=32)]
) -> HTMLResponse:
    """Show the exact edge of every built-in table of a kind, under the usual rules: counted once, and priced."""
    playing = load_game(game)
    tables = {each.id: each for each in kinds_of(playing)}
    wager = counted_of(playing, tables[kind]) if kind in tables else None
    if wager is None:
        raise NotThereError(f"{playing.name} has no pay table {kind!r} whose edge is counted by itself")
    terms = Counting(select_paytables(playing), resolve_options(playing, {}))
    question = ask_for_sheet(playing, wager, terms)
    sheet, problem = None, ""
    try:
        sheet = await wait_for(request, floor.jobs, asker_of(request, guest), question, Rank.SHEET)
    except LimitedError as error:
        problem = str(error)
    if sheet is None:
        return still_counting("counting_edges.html", request, guest, problem, game=playing, kind=tables[kind])
    found = [priced(sheet, {**terms.paytables, kind: table}).house_edge for table in tables[kind].tables]
    return page("edges.html", request, guest, edges=[f"{float(edge):.4%}" for edge in found])
