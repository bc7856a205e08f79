"""The lobby: the games, the open tables, and the way to a seat."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.games import load_game
from pitboss.table.session import TableSession, TableTerms
from pitboss.web.auth.guests import MAX_NAME, SEE_OTHER, set_last_played_cookie
from pitboss.web.forms import Digits
from pitboss.web.game_lists import load_games_with
from pitboss.web.pages import linked_tables
from pitboss.web.pages.guest_seat import TableName, find_guest_seat, find_next_seat, is_hand_waiting
from pitboss.web.pages.page_call import PageCall, PlayCall, ViewCall
from pitboss.web.pages.setup_form import open_setup_table, parse_setup_form
from pitboss.web.pages.sheet_choices import list_sheet_games
from pitboss.web.pages.table_layout import load_layout

router = APIRouter(include_in_schema=False)

_MOST_LISTED = 6


@router.get("/")
def show_lobby(call: ViewCall) -> HTMLResponse:
    """Show the games and the open tables."""
    meter, for_meter = linked_tables.get_lobby_progressive(call.registry, call.request.app.state.jackpot)
    listed = (*map(call.registry.get_session, for_meter), *call.registry.list_latest())
    games = load_games_with(load_layout)
    sessions = {session.snapshot.table: session for session in listed}
    seated = {name for name, session in sessions.items() if find_guest_seat(session, call.guest) is not None}
    listed_tables = {*for_meter, *_find_occupied_tables(sessions.values()), *seated}
    tables = [
        {
            "name": session.snapshot.table,
            "game": games[session.terms.game],
            "round": session.snapshot.number,
            "yours": name in seated,
            "people": _list_players(session),
            "waiting": name in seated and is_hand_waiting(session, call.guest),
            "free": session.terms.seats - len(session.seats),
            "link": session.terms.linked,
        }
        for name, session in sessions.items()
        if session.terms.game in games and name in listed_tables
    ]
    next_seat = find_next_seat(sessions.values(), call.guest)
    easiest = min(games.values(), key=lambda game: (len(game.decisions), game.id))  # it asks least of a newcomer
    return call.render(
        "lobby.html",
        games=list(games.values()),
        covers={name: load_layout(game).cover.split() for name, game in games.items()},
        counted=list_sheet_games(),
        tables=tables,
        listed=list_joinable(tables),
        mine=next((each for each in tables if next_seat and each["name"] == next_seat.snapshot.table), None),
        meter=meter,
        next_game=games.get(call.guest.last_game) or easiest,
    )


def list_joinable(tables: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the tables to list.

    They are the guest's own, those of the progressive, and the newest with a free seat.

    >>> tables = [{"name": name, "yours": name == 9, "link": None, "free": name % 2} for name in range(1, 20)]
    >>> [each["name"] for each in list_joinable(tables)]
    [9, 1, 3, 5, 7, 11, 13]
    """
    always = [each for each in tables if each["yours"] or each["link"]]
    free = [each for each in tables if each["free"] and each not in always]
    return [*always, *free[:_MOST_LISTED]]


def _list_players(session: TableSession) -> list[str]:
    """Return the names of the people at a table, and how many bots play with them."""
    people = [seat.name for seat in session.seats.values() if not seat.bot]
    bots = len(session.seats) - len(people)
    return [*people, *([f"{bots} bot{'s' if bots > 1 else ''}"] if bots else [])]


def _find_occupied_tables(tables: Iterable[TableSession]) -> set[str]:
    """Return the tables with people: for a lone person, only the first of a game."""
    newest: dict[tuple[str, ...], str] = {}
    for session in tables:
        people = [seat.holder for seat in session.seats.values() if not seat.bot]
        key = (session.terms.game, *people) if len(people) == 1 else (session.snapshot.table,)
        if people:
            newest.setdefault(key, session.snapshot.table)
    return set(newest.values())


@router.post("/tables")
def open_table(
    call: PlayCall,
    game: Annotated[str, Form(max_length=32)],
    bots: Annotated[Digits, Form(ge=0, le=5)] = 0,
    name: Annotated[str, Form(max_length=MAX_NAME)] = "",
    fair: Annotated[str, Form(pattern="^(on)?$")] = "",
) -> Response:
    """Open a table, and seat the guest in the middle with bots on both sides.

    A guest who sits at such a table already is led back to it: another one is opened in the form for house rules.
    """
    load_layout(load_game(game))  # no table is opened that could not be shown
    setup = parse_setup_form(load_game(game), {"name": name, "bots": str(bots), "fair": fair}, call.guest.holder)
    table = _find_own_table(call, setup.terms)
    if table is None:
        call.registry.limits.count_recorded("tables", *call.sender)
        table = open_setup_table(call.registry, setup, call.guest.holder)
    response = RedirectResponse(f"/tables/{table}", SEE_OTHER)
    set_last_played_cookie(call.request, response, game, name)
    return response


def _find_own_table(call: PageCall, terms: TableTerms) -> str | None:
    """Find an open table on these terms where the guest has a seat, None for none."""
    own = filter(None, map(call.registry.find_session, call.registry.tables.list_opened_by(call.guest.holder)))
    alike = [each for each in (*call.registry.list_latest(), *own) if each.terms == terms and not each.is_closed]
    found = find_next_seat(alike, call.guest)
    return found.snapshot.table if found else None


@router.post("/tables/{table}/join")
def join_table(call: PlayCall, table: TableName, name: Annotated[str, Form(max_length=MAX_NAME)] = "") -> Response:
    """Lead to an open table, and keep the name typed in the lobby for the seat."""
    game = call.registry.get_session(table).terms.game
    response = RedirectResponse(f"/tables/{table}", SEE_OTHER)
    set_last_played_cookie(call.request, response, game, name or call.guest.name)
    return response
