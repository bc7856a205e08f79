"""The pages of the tables: the lobby, a table as one seat sees it, and the commands of that seat."""

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
from pitboss.table.session import (
    BetStake,
    CallTime,
    DealRound,
    LeaveSeat,
    Phase,
    PlaceWagers,
    SettleRound,
    ShowSeed,
    TableCommand,
    TableSession,
    TakeAction,
    TakeSeat,
    is_allowed,
)
from pitboss.web import linked_tables
from pitboss.web.coach import ActionAdvice, build_hint_job, build_warmup_job, list_advice, select_best_forms
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.guests import SEE_OTHER, Guest, PlayingGuest, StreamingGuest, ViewingGuest
from pitboss.web.house_rules import HouseRules
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.job_requests import get_job_client, wait_for_result
from pitboss.web.jobs import JobPriority
from pitboss.web.par_sheets import list_sheet_games
from pitboss.web.problems import NotFoundError, RateLimitError
from pitboss.web.registry import RegistryDep, TableRegistry
from pitboss.web.render import render_page, render_pending
from pitboss.web.setup_form import open_setup_table, parse_setup_form
from pitboss.web.stream_slots import EventStreamResponse, StreamKind, StreamSlots
from pitboss.web.table_layout import load_layout
from pitboss.web.table_page import BY_COUNT, build_table_context

router = APIRouter(include_in_schema=False)

MAX_SEATS = 6

TableName = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
CommandKey = Annotated[str, Form(min_length=8, max_length=100, pattern=r"^[!-~]+$")]
RoundNumber = Annotated[Digits, Form(alias="round", ge=0, le=MAX_NUMBER)]
SeatNumber = Annotated[Digits, Form(ge=1, le=MAX_SEATS)]
SequenceNumber = Annotated[Digits, Query(ge=0, le=MAX_NUMBER)]


# The lobby.


@router.get("/")
def show_lobby(request: Request, registry: RegistryDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the games and the open tables."""
    meter, for_meter = linked_tables.get_lobby_progressive(registry, request.app.state.jackpot)
    standing = {now.snapshot.table: now for now in (*map(registry.get_session, for_meter), *registry.list_latest())}
    played = _find_occupied_tables(standing.values())
    tables = [
        {
            "name": now.snapshot.table,
            "game": load_game(now.terms.game),
            "round": now.snapshot.number,
            "yours": find_guest_seat(now, guest) is not None,
            "people": [held.name for held in now.seats.values() if not held.bot],
            "free": now.terms.seats - len(now.seats),
            "link": now.terms.linked,
        }
        for name, now in standing.items()
        if name in for_meter or name in played
    ]
    return render_page(
        "lobby.html",
        request,
        guest,
        games=[load_game(name) for name in load_games()],
        covers={name: load_layout(game).cover.split() for name, game in load_games().items()},
        counted=list_sheet_games(),
        tables=tables,
        meter=meter,
    )


def _find_occupied_tables(tables: Iterable[TableSession]) -> set[str]:
    """Return the tables with people; for a person who sits alone at several tables of a game, only the first given."""
    found: dict[tuple[str, ...], str] = {}
    for now in tables:
        people = [held.holder for held in now.seats.values() if not held.bot]
        alone = (now.terms.game, *people) if len(people) == 1 else (now.snapshot.table,)
        if people:
            found.setdefault(alone, now.snapshot.table)
    return set(found.values())


@router.post("/tables")
def open_table(
    request: Request,
    registry: RegistryDep,
    guest: PlayingGuest,
    game: Annotated[str, Form(max_length=32)],
    bots: Annotated[Digits, Form(ge=0, le=5)] = 0,
    name: Annotated[str, Form(max_length=24)] = "",
    fair: Annotated[str, Form(pattern="^(on)?$")] = "",
) -> Response:
    """Open a table, and seat the guest in the middle with bots on both sides."""
    registry.limits.count_table(guest.holder, get_client_address(request))
    asked = parse_setup_form(load_game(game), {"name": name, "bots": str(bots), "fair": fair}, guest.holder)
    return RedirectResponse(f"/tables/{open_setup_table(registry, asked, guest.holder)}", SEE_OTHER)


# A table.


def find_guest_seat(session: TableSession, guest: Guest) -> int | None:
    """Return the seat of a guest, or None."""
    return next((seat for seat, held in session.seats.items() if held.holder == guest.holder), None)


@router.get("/tables/{table}")
def show_table(request: Request, table: TableName, registry: RegistryDep, guest: ViewingGuest) -> HTMLResponse:
    """Show a table."""
    return _render_table("table/page.html", request, table, registry, guest)


@router.get("/tables/{table}/felt")
def show_felt(request: Request, table: TableName, registry: RegistryDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the part of a table's page that changes."""
    return _render_table("table/felt.html", request, table, registry, guest)


def _render_table(
    template: str,
    request: Request,
    table: str,
    registry: TableRegistry,
    guest: Guest,
    problem: str = "",
    status: int = 200,
) -> HTMLResponse:
    now = registry.get_session(table)
    seat = find_guest_seat(now, guest)
    seen = build_table_context(now, seat, f"/tables/{table}")
    link = linked_tables.build_progressive_status(request.app.state.jackpot, now)
    more = {"link": link, "meter": link and link["cents"], "problem": problem, "guest_name": "Guest", "advice": None}
    more["house_key"] = registry.tables.house_key.public
    return render_page(template, request, guest, status, **seen, house=HouseRules(now.terms), **more)


@router.get("/tables/{table}/waits")
def show_progressive_wait(
    request: Request, table: TableName, registry: RegistryDep, guest: ViewingGuest
) -> HTMLResponse:
    """Show what a linked table waits for."""
    seen = linked_tables.build_progressive_status(request.app.state.jackpot, registry.get_session(table))
    if seen is None:
        raise NotFoundError(f"table {table} is not linked to a progressive")
    return render_page("table/waits.html", request, guest, link=seen, address=f"/tables/{table}")


@router.get("/tables/{table}/coach")
async def show_advice(request: Request, table: TableName, registry: RegistryDep, guest: ViewingGuest) -> HTMLResponse:
    """Show the exact value of every action of the current decision, as soon as it is computed."""
    now = await run_in_threadpool(registry.get_session, table)
    seat = find_guest_seat(now, guest)
    address, silent = f"/tables/{table}", not load_game(now.terms.game).solver
    why, every = (
        "Before each of your decisions, the coach shows the exact value of every choice, in Antes.",
        tuple[ActionAdvice, ...](),
    )
    if silent:
        why = "The coach cannot advise here: this game has no solver to value its choices."
    elif seat is not None and now.turn == seat and now.round is not None:
        try:
            question = build_hint_job(now.round, now.round_seats.index(seat))
            found = await wait_for_result(
                request, registry.jobs, get_job_client(request, guest), question, JobPriority.COACH, replace=True
            )
            if found is None:
                return render_pending("table/coach.html", request, guest, address=address, advice=None)
            why, every = "", tuple(list_advice(now.round, found))
        except RateLimitError as error:
            return render_pending("table/coach.html", request, guest, str(error), address=address, advice=None)
        except PitbossError as error:
            why = str(error)
    elif seat is not None:
        with suppress(RateLimitError):  # the first advice then does not take seconds
            registry.jobs.submit(
                get_job_client(request, guest), build_warmup_job(load_game(now.terms.game)), JobPriority.LEAKS
            )
    advice = {
        "why": why,
        "worths": tuple(select_best_forms(every)),
        "every": every,
        **({"silent": True} if silent else {}),
    }
    return render_page("table/coach.html", request, guest, address=address, advice=advice)


@router.get("/tables/{table}/events")
async def stream_table_events(
    request: Request, table: TableName, registry: RegistryDep, guest: StreamingGuest, since: SequenceNumber = 0
) -> EventStreamResponse:
    """Stream a bare event for each change of the table; the page then loads the change itself."""
    await run_in_threadpool(registry.get_session, table)
    places: StreamSlots = request.app.state.slots
    return EventStreamResponse(
        registry.stream_events(table, since), places, StreamKind.TABLES, get_client_address(request), guest.holder
    )


@router.post("/tables/{table}/sit")
def sit(
    request: Request,
    table: TableName,
    registry: RegistryDep,
    guest: PlayingGuest,
    key: CommandKey,
    seat: SeatNumber,
    dollars: Annotated[str, Form(max_length=20)] = "1000",
    name: Annotated[str, Form(max_length=24)] = "Guest",
) -> Response:
    """Take a seat with chips."""
    return _run_commands(
        request, table, registry, guest, key, lambda _now: TakeSeat(seat=seat, cents=parse_cents(dollars), name=name)
    )


@router.post("/tables/{table}/bot")
def seat_bot(
    request: Request,
    table: TableName,
    registry: RegistryDep,
    guest: PlayingGuest,
    key: CommandKey,
    seat: SeatNumber,
    strategy: Annotated[str, Form(max_length=32)] = "",
) -> Response:
    """Seat a bot with the chosen strategy, at a table where the guest sits."""

    def seated(now: TableSession) -> None:
        _get_own_seat(now, guest)
        registry.seat_bot(table, seat, key, strategy)

    return _run_commands(request, table, registry, guest, key, seated)


async def _read_stakes(request: Request) -> dict[str, str]:
    """Return the text of each stake field that is filled in, by bet."""
    form = await request.form()
    fields = ((name.removeprefix("stake-"), str(text)) for name, text in form.items() if name.startswith("stake-"))
    return {bet: text for bet, text in fields if text.strip()}


@router.post("/tables/{table}/wager")
def place_wagers(
    request: Request,
    table: TableName,
    registry: RegistryDep,
    guest: PlayingGuest,
    key: CommandKey,
    number: RoundNumber,
    stake_texts: Annotated[dict[str, str], Depends(_read_stakes)],
    do: Annotated[str, Form()] = "deal",
    seed_hash: Annotated[str, Form(max_length=64)] = "",
) -> Response:
    """Place all wagers for the next round, or sit it out; the last seat to do so starts the deal."""

    def staked(now: TableSession) -> TableCommand:
        _verify_round(now, number)
        said = (_parse_stake(bet, text) for bet, text in stake_texts.items()) if do == "deal" else ()
        stakes = tuple(each for each in said if each.cents)
        if do == "deal" and not stakes:
            raise IllegalActionError("no chips are on the felt: place your wagers, or sit this round out")
        return PlaceWagers(seat=_get_own_seat(now, guest), stakes=stakes, seed_hash=seed_hash)

    def dealt(now: TableSession) -> TableCommand | None:
        return DealRound() if is_allowed(now, DealRound(), guest.holder, 0) else None

    return _run_commands(request, table, registry, guest, key, staked, dealt)


def _parse_stake(field: str, text: str) -> BetStake:
    bet, at, on = field.partition("@")
    return BetStake(bet=bet, cents=parse_cents(text), on=parse_integer(on, 1, MAX_SEATS, "seat") if at else None)


@router.post("/tables/{table}/seed")
def reveal_seed(
    request: Request,
    table: TableName,
    registry: RegistryDep,
    guest: PlayingGuest,
    key: CommandKey,
    seed: Annotated[str, Form(min_length=1, max_length=128)],
) -> Response:
    """Show the seed whose hash the seat handed in (provably fair tables)."""
    return _run_commands(
        request, table, registry, guest, key, lambda now: ShowSeed(seat=_get_own_seat(now, guest), seed=seed)
    )


@router.post("/tables/{table}/deal")
def deal(request: Request, table: TableName, registry: RegistryDep, guest: PlayingGuest, key: CommandKey) -> Response:
    """Deal the cards."""
    return _run_commands(request, table, registry, guest, key, lambda _now: DealRound())


@router.post("/tables/{table}/decide")
def decide(
    request: Request,
    table: TableName,
    registry: RegistryDep,
    guest: PlayingGuest,
    key: CommandKey,
    number: RoundNumber,
    action: Annotated[str, Form(max_length=32)],
    cards: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Take an action, giving up the chosen cards."""

    def decided(now: TableSession) -> TableCommand:
        _verify_round(now, number)
        given = tuple(cards or ())
        return TakeAction(seat=_get_own_seat(now, guest), action=_resolve_action(now, action, len(given)), cards=given)

    return _run_commands(request, table, registry, guest, key, decided)


def _resolve_action(session: TableSession, action: str, card_count: int) -> str:
    """Return the action id of a button whose action depends on the number of chosen cards."""
    if action != BY_COUNT or session.round is None:
        return action
    possible = {each.discards: each.id for each in session.round.list_legal_actions() if each.discards}
    if card_count not in possible:
        *some, last = map(str, possible or ("none",))
        counts = f"{', '.join(some)} or {last}" if some else last
        raise IllegalActionError(f"{card_count} card{'' if card_count == 1 else 's'} chosen: choose {counts}")
    return possible[card_count]


@router.post("/tables/{table}/settle")
def settle(request: Request, table: TableName, registry: RegistryDep, guest: PlayingGuest, key: CommandKey) -> Response:
    """Settle a round that the table does not settle automatically."""
    return _run_commands(request, table, registry, guest, key, lambda _now: SettleRound())


@router.post("/tables/{table}/go-on")
def skip_absent_seat(
    request: Request, table: TableName, registry: RegistryDep, guest: PlayingGuest, key: CommandKey, seat: SeatNumber
) -> Response:
    """Go on without an absent player: free the seat, or call time in the middle of a round."""

    def without(now: TableSession) -> TableCommand:
        _get_own_seat(now, guest)
        return LeaveSeat(seat=seat) if now.phase is Phase.WAGERS else CallTime()

    def dealt(now: TableSession) -> TableCommand | None:
        return DealRound() if is_allowed(now, DealRound(), guest.holder, 0) else None

    return _run_commands(request, table, registry, guest, key, without, dealt)


@router.post("/tables/{table}/leave")
def leave(request: Request, table: TableName, registry: RegistryDep, guest: PlayingGuest, key: CommandKey) -> Response:
    """Leave the table with the remaining chips."""
    return _run_commands(request, table, registry, guest, key, lambda now: LeaveSeat(seat=_get_own_seat(now, guest)))


def _get_own_seat(session: TableSession, guest: Guest) -> int:
    seat = find_guest_seat(session, guest)
    if seat is None:
        raise IllegalActionError("you have no seat at this table: take a free one")
    return seat


def _verify_round(session: TableSession, number: int) -> None:
    """Refuse a command for a round other than the current one."""
    current = session.snapshot.number
    if number != current:
        raise IllegalActionError(f"this page showed round {number}, but round {current} is in play: reload the page")


CommandBuilder = Callable[[TableSession], TableCommand | None]


def _run_commands(
    request: Request, table: str, registry: TableRegistry, guest: Guest, key: str, *builders: CommandBuilder
) -> Response:
    """Execute the commands of a form; show the table afterwards, with the reason if one was refused."""
    problem = ""
    try:
        for place, each in enumerate(builders):
            command = each(registry.get_session(table))
            if command is not None:
                registry.execute(table, command, guest.holder, f"{key}-{place}")
    except PitbossError as error:
        problem = str(error)
    except ValidationError as error:  # an amount or a name that no command accepts
        problem = first_error(error)
    status = 409 if problem else 200
    if "hx-request" in request.headers:
        return _render_table("table/felt.html", request, table, registry, guest, problem, status)
    if problem:
        return _render_table("table/page.html", request, table, registry, guest, problem, status)
    return RedirectResponse(f"/tables/{table}", SEE_OTHER)
