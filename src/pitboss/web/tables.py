"""The tables' pages: the lobby, a table as one seat sees it, what that seat commands, and rounds played before."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import IllegalActionError, PitbossError
from pitboss.core.money import parse_cents
from pitboss.core.numbers import parse_integer
from pitboss.core.strict_model import first_error
from pitboss.games import load_game, load_games
from pitboss.table.sitting import (
    Command,
    Deal,
    Decide,
    Leave,
    Phase,
    Seed,
    Settle,
    Sit,
    Sitting,
    Stakes,
    TimeOut,
    Wager,
    can,
)
from pitboss.web import linked
from pitboss.web.coach import Worth, ask_for_advice, best_forms, get_ready, worths
from pitboss.web.floor import Floor, TheFloor
from pitboss.web.forms import MOST_NUMBER, Digits
from pitboss.web.guests import SEE_OTHER, Commanding, Following, Guest, Looking
from pitboss.web.house import address_of
from pitboss.web.house_rules import HouseRules
from pitboss.web.jobs import Rank
from pitboss.web.layout import layout_of
from pitboss.web.paging import page, still_counting
from pitboss.web.picture import BY_COUNT, picture
from pitboss.web.places import EventStream, Kind, Places
from pitboss.web.problems import LimitedError, NotThereError
from pitboss.web.sheets import counted_games
from pitboss.web.terms import asked_for, begun
from pitboss.web.waiting import asker_of, wait_for

router = APIRouter(include_in_schema=False)

MOST_SEATS = 6

Name = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
Key = Annotated[str, Form(min_length=8, max_length=100, pattern=r"^[!-~]+$")]
Round = Annotated[Digits, Form(alias="round", ge=0, le=MOST_NUMBER)]
Chair = Annotated[Digits, Form(ge=1, le=MOST_SEATS)]
Entry = Annotated[Digits, Query(ge=0, le=MOST_NUMBER)]


# The lobby.


@router.get("/")
def lobby(request: Request, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show the games and the tables where this guest sits."""
    meter, for_meter = linked.in_lobby(floor, request.app.state.house)
    standing = {now.standing.table: now for now in (*map(floor.sitting, for_meter), *floor.latest())}
    played = _played(standing.values())
    tables = [
        {
            "name": now.standing.table,
            "game": load_game(now.terms.game),
            "round": now.standing.number,
            "yours": seat_of(now, guest) is not None,
            "people": [held.name for held in now.seats.values() if not held.bot],
            "free": now.terms.seats - len(now.seats),
            "link": now.terms.linked,
        }
        for name, now in standing.items()
        if name in for_meter or name in played
    ]
    return page(
        "lobby.html",
        request,
        guest,
        games=[load_game(name) for name in load_games()],
        covers={name: layout_of(game).cover.split() for name, game in load_games().items()},
        counted=counted_games(),
        tables=tables,
        meter=meter,
    )


def _played(tables: Iterable[Sitting]) -> set[str]:
    """Return the tables, newest first, where people sit; of those where one sits alone the newest of each game."""
    found: dict[tuple[str, ...], str] = {}
    for now in tables:
        people = [held.holder for held in now.seats.values() if not held.bot]
        alone = (now.terms.game, *people) if len(people) == 1 else (now.standing.table,)
        if people:
            found.setdefault(alone, now.standing.table)
    return set(found.values())


@router.post("/tables")
def open_table(
    request: Request,
    floor: TheFloor,
    guest: Commanding,
    game: Annotated[str, Form(max_length=32)],
    bots: Annotated[Digits, Form(ge=0, le=5)] = 0,
    name: Annotated[str, Form(max_length=24)] = "",
    fair: Annotated[str, Form(pattern="^(on)?$")] = "",
) -> Response:
    """Open a table and sit down at it, in the middle, with bots beside."""
    floor.limits.table(guest.holder, address_of(request))
    asked = asked_for(load_game(game), {"name": name, "bots": str(bots), "fair": fair}, guest.holder)
    return RedirectResponse(f"/tables/{begun(floor, asked, guest.holder)}", SEE_OTHER)


# A table.


def seat_of(now: Sitting, guest: Guest) -> int | None:
    """Return where a guest sits."""
    return next((seat for seat, held in now.seats.items() if held.holder == guest.holder), None)


@router.get("/tables/{table}")
def show(request: Request, table: Name, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show a table."""
    return _shown("table/page.html", request, table, floor, guest)


@router.get("/tables/{table}/felt")
def felt(request: Request, table: Name, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show what of a table's page changes."""
    return _shown("table/felt.html", request, table, floor, guest)


def _shown(
    template: str, request: Request, table: str, floor: Floor, guest: Guest, problem: str = "", status: int = 200
) -> HTMLResponse:
    now = floor.sitting(table)
    seat = seat_of(now, guest)
    seen = picture(now, seat, f"/tables/{table}")
    link = linked.shown(request.app.state.house, now)
    more = {"link": link, "meter": link and link["cents"], "problem": problem, "guest_name": "Guest", "advice": None}
    more["house_key"] = floor.tables.house_key.public
    return page(template, request, guest, status, **seen, house=HouseRules(now.terms), **more)


@router.get("/tables/{table}/waits")
def waits(request: Request, table: Name, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show what a linked table waits for."""
    seen = linked.shown(request.app.state.house, floor.sitting(table))
    if seen is None:
        raise NotThereError(f"table {table} plays for no progressive")
    return page("table/waits.html", request, guest, link=seen, address=f"/tables/{table}")


@router.get("/tables/{table}/coach")
async def coach(request: Request, table: Name, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Say what every action of the decision at hand is worth, as soon as that is known."""
    now = await run_in_threadpool(floor.sitting, table)
    seat = seat_of(now, guest)
    address, silent = f"/tables/{table}", not load_game(now.terms.game).solver
    why, every = "Before each of your decisions: what every choice is worth, exactly, in Antes.", tuple[Worth, ...]()
    if silent:
        why = "The coach is silent here: the game names no solver that could say what a choice is worth."
    elif seat is not None and now.turn == seat and now.round is not None:
        try:
            question = ask_for_advice(now.round, now.playing.index(seat))
            found = await wait_for(request, floor.jobs, asker_of(request, guest), question, Rank.COACH, instead=True)
            if found is None:
                return still_counting("table/coach.html", request, guest, address=address, advice=None)
            why, every = "", tuple(worths(now.round, found))
        except LimitedError as error:
            return still_counting("table/coach.html", request, guest, str(error), address=address, advice=None)
        except PitbossError as error:
            why = str(error)
    elif seat is not None:
        with suppress(LimitedError):  # so that the first answer does not take seconds
            floor.jobs.ask(asker_of(request, guest), get_ready(load_game(now.terms.game)), Rank.LEAKS)
    advice = {"why": why, "worths": tuple(best_forms(every)), "every": every, **({"silent": True} if silent else {})}
    return page("table/coach.html", request, guest, address=address, advice=advice)


@router.get("/tables/{table}/events")
async def events(request: Request, table: Name, floor: TheFloor, guest: Following, since: Entry = 0) -> EventStream:
    """Tell that the table has changed, and nothing else: what, its page asks for itself."""
    await run_in_threadpool(floor.sitting, table)
    places: Places = request.app.state.places
    return EventStream(floor.stream(table, since), places, Kind.TABLES, address_of(request), guest.holder)


@router.post("/tables/{table}/sit")
def sit(
    request: Request,
    table: Name,
    floor: TheFloor,
    guest: Commanding,
    key: Key,
    seat: Chair,
    dollars: Annotated[str, Form(max_length=20)] = "1000",
    name: Annotated[str, Form(max_length=24)] = "Guest",
) -> Response:
    """Take a seat with chips."""
    return _commanded(
        request, table, floor, guest, key, lambda _now: Sit(seat=seat, cents=parse_cents(dollars), name=name)
    )


@router.post("/tables/{table}/bot")
def seat_bot(
    request: Request,
    table: Name,
    floor: TheFloor,
    guest: Commanding,
    key: Key,
    seat: Chair,
    strategy: Annotated[str, Form(max_length=32)] = "",
) -> Response:
    """Seat a bot at a table where one sits, with the strategy that is chosen for it."""

    def seated(now: Sitting) -> None:
        _own_seat(now, guest)
        floor.seat_bot(table, seat, key, strategy)

    return _commanded(request, table, floor, guest, key, seated)


async def _written(request: Request) -> dict[str, str]:
    """Return what stands in the circles' fields, by bet."""
    form = await request.form()
    fields = ((name.removeprefix("stake-"), str(text)) for name, text in form.items() if name.startswith("stake-"))
    return {bet: text for bet, text in fields if text.strip()}


@router.post("/tables/{table}/wager")
def wager(
    request: Request,
    table: Name,
    floor: TheFloor,
    guest: Commanding,
    key: Key,
    number: Round,
    written: Annotated[dict[str, str], Depends(_written)],
    do: Annotated[str, Form()] = "deal",
    seed_hash: Annotated[str, Form(max_length=64)] = "",
) -> Response:
    """Place all wagers for the coming round, or sit it out; the last to do so has the cards dealt."""

    def staked(now: Sitting) -> Command:
        _verify_round(now, number)
        said = (_stake(bet, text) for bet, text in written.items()) if do == "deal" else ()
        stakes = tuple(each for each in said if each.cents)
        if do == "deal" and not stakes:
            raise IllegalActionError("no chips lie on the felt: place the wagers, or sit this round out")
        return Wager(seat=_own_seat(now, guest), stakes=stakes, seed_hash=seed_hash)

    def dealt(now: Sitting) -> Command | None:
        return Deal() if can(now, Deal(), guest.holder, 0) else None

    return _commanded(request, table, floor, guest, key, staked, dealt)


def _stake(written: str, text: str) -> Stakes:
    bet, at, on = written.partition("@")
    return Stakes(bet=bet, cents=parse_cents(text), on=parse_integer(on, 1, MOST_SEATS, "seat") if at else None)


@router.post("/tables/{table}/seed")
def show_seed(
    request: Request,
    table: Name,
    floor: TheFloor,
    guest: Commanding,
    key: Key,
    seed: Annotated[str, Form(min_length=1, max_length=128)],
) -> Response:
    """Show the seed that the seat's hash was of (provably fair tables)."""
    return _commanded(request, table, floor, guest, key, lambda now: Seed(seat=_own_seat(now, guest), seed=seed))


@router.post("/tables/{table}/deal")
def deal(request: Request, table: Name, floor: TheFloor, guest: Commanding, key: Key) -> Response:
    """Have the cards dealt."""
    return _commanded(request, table, floor, guest, key, lambda _now: Deal())


@router.post("/tables/{table}/decide")
def decide(
    request: Request,
    table: Name,
    floor: TheFloor,
    guest: Commanding,
    key: Key,
    number: Round,
    action: Annotated[str, Form(max_length=32)],
    cards: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Take an action, with the cards that are given up for it."""

    def decided(now: Sitting) -> Command:
        _verify_round(now, number)
        given = tuple(cards or ())
        return Decide(seat=_own_seat(now, guest), action=_meant(now, action, len(given)), cards=given)

    return _commanded(request, table, floor, guest, key, decided)


def _meant(now: Sitting, action: str, given: int) -> str:
    """Return the action of a button that means another with each number of cards chosen."""
    if action != BY_COUNT or now.round is None:
        return action
    possible = {each.discards: each.id for each in now.round.legal_actions() if each.discards}
    if given not in possible:
        *some, last = map(str, possible or ("none",))
        counts = f"{', '.join(some)} or {last}" if some else last
        raise IllegalActionError(f"{given} card{'' if given == 1 else 's'} chosen: choose {counts}")
    return possible[given]


@router.post("/tables/{table}/settle")
def settle(request: Request, table: Name, floor: TheFloor, guest: Commanding, key: Key) -> Response:
    """Settle a round where the house does not by itself."""
    return _commanded(request, table, floor, guest, key, lambda _now: Settle())


@router.post("/tables/{table}/go-on")
def go_on(request: Request, table: Name, floor: TheFloor, guest: Commanding, key: Key, seat: Chair) -> Response:
    """Go on without somebody who keeps the table waiting: the chair is given up, or in mid-round time is called."""

    def without(now: Sitting) -> Command:
        _own_seat(now, guest)
        return Leave(seat=seat) if now.phase is Phase.WAGERS else TimeOut()

    def dealt(now: Sitting) -> Command | None:
        return Deal() if can(now, Deal(), guest.holder, 0) else None

    return _commanded(request, table, floor, guest, key, without, dealt)


@router.post("/tables/{table}/leave")
def leave(request: Request, table: Name, floor: TheFloor, guest: Commanding, key: Key) -> Response:
    """Get up from the table with what is left."""
    return _commanded(request, table, floor, guest, key, lambda now: Leave(seat=_own_seat(now, guest)))


def _own_seat(now: Sitting, guest: Guest) -> int:
    seat = seat_of(now, guest)
    if seat is None:
        raise IllegalActionError("you do not sit at this table: take a free seat")
    return seat


def _verify_round(now: Sitting, number: int) -> None:
    """Refuse what was said of another round than the page's."""
    current = now.standing.number
    if number != current:
        raise IllegalActionError(f"this page showed round {number}, and round {current} is played now: look again")


Said = Callable[[Sitting], Command | None]


def _commanded(request: Request, table: str, floor: Floor, guest: Guest, key: str, *said: Said) -> Response:
    """Do what a form says, and show the table as it then stands, with why not where it was refused."""
    problem = ""
    try:
        for place, each in enumerate(said):
            command = each(floor.sitting(table))
            if command is not None:
                floor.do(table, command, guest.holder, f"{key}-{place}")
    except PitbossError as error:
        problem = str(error)
    except ValidationError as error:  # an amount or a name that no command takes
        problem = first_error(error)
    status = 409 if problem else 200
    if "hx-request" in request.headers:
        return _shown("table/felt.html", request, table, floor, guest, problem, status)
    if problem:
        return _shown("table/page.html", request, table, floor, guest, problem, status)
    return RedirectResponse(f"/tables/{table}", SEE_OTHER)
