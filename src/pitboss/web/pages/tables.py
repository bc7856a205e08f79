"""A table's page as one seat sees it, and the commands of that seat."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import IllegalActionError, PitbossError
from pitboss.core.money import parse_cents
from pitboss.core.numbers import parse_integer
from pitboss.core.strict_model import first_error
from pitboss.games import load_game
from pitboss.table.session import (
    BetStake,
    CallTime,
    DealRound,
    LeaveSeat,
    Phase,
    PlaceWagers,
    RevealSeed,
    SettleRound,
    TableCommand,
    TableSession,
    TakeAction,
    TakeSeat,
    is_allowed,
)
from pitboss.table.session.state import sum_stakes_cents
from pitboss.value_units import name_value_unit
from pitboss.web.auth.guests import MAX_NAME, SEE_OTHER, Guest, StreamingGuest, set_last_played_cookie
from pitboss.web.errors import NotFoundError
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.pages import linked_tables
from pitboss.web.pages.coach import (
    find_coach_count,
    find_known_advice,
    find_last_review,
    find_tally,
    list_known_mistakes,
)
from pitboss.web.pages.guest_seat import TableName, find_guest_seat, get_own_seat
from pitboss.web.pages.guide import find_guide, remember_guide
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.page_call import PageCall, PlayCall, ViewCall
from pitboss.web.pages.refusal_words import describe_refusal
from pitboss.web.pages.table_page import BY_COUNT, build_table_context, explain_wrong_count, round_purchase
from pitboss.web.registry import RegistryDep
from pitboss.web.server.stream_slots import EventStreamResponse, StreamKind
from pitboss.web.templating import format_money

router = APIRouter(include_in_schema=False)

MAX_SEATS = 6

CommandKey = Annotated[str, Form(min_length=8, max_length=100, pattern=r"^[!-~]+$")]
RoundNumber = Annotated[Digits, Form(alias="round", ge=0, le=MAX_NUMBER)]
SeatNumber = Annotated[Digits, Form(ge=1, le=MAX_SEATS)]
CommandBuilder = Callable[[TableSession], TableCommand | None]
SequenceNumber = Annotated[Digits, Query(ge=0, le=MAX_NUMBER)]


@router.get("/tables/{table}")
def show_table(call: ViewCall, table: TableName) -> HTMLResponse:
    """Show a table."""
    return _render_table(call, "table/page.html", table)


@router.get("/tables/{table}/felt")
def show_felt(call: ViewCall, table: TableName) -> HTMLResponse:
    """Show the part of a table's page that changes."""
    return _render_table(call, "table/felt.html", table)


def _render_table(
    call: PageCall, name: str, table: str, problem: str = "", lacking: int = 0, said: str = ""
) -> HTMLResponse:
    session = call.registry.get_session(table)
    seat = find_guest_seat(session, call.guest)
    context = build_table_context(session, seat, f"/tables/{table}")
    link = linked_tables.build_progressive_status(call.request.app.state.jackpot, session)
    coach = find_known_advice(session, seat, call.guest, call.registry.jobs, context["choices"])
    guide = find_guide(session, seat, call.guest)
    more: dict[str, Any] = {
        "link": link,
        "meter": link and link["meter"],
        "problem": problem,
        "lacking": lacking or context["broke"],
        "said": said,
        "guest_name": call.guest.name or "Guest",
        "advice": None,
        "house_key": call.registry.tables.house_key.public,
        "tally": find_tally(session, call.guest, call.registry.leak_reviews),
        "mistakes": list_known_mistakes(session, call.guest, call.registry.leak_reviews, call.registry.jobs),
        "unit": name_value_unit(load_game(session.terms.game)),
        "coach": coach,
        "coach_count": find_coach_count(session, seat, call.guest, call.registry, is_advised=coach is not None),
        "reviewed": find_last_review(session, seat, call.guest, call.registry.leak_reviews),
        "guide": guide,
        "invitation": f"{call.request.base_url}tables/{table}",
    }
    response = call.render(name, **context, house=HouseRules(session.terms), **more)
    remember_guide(call, response, guide)
    return response


@router.get("/tables/{table}/waits")
def show_progressive_wait(call: ViewCall, table: TableName) -> HTMLResponse:
    """Show what a linked table waits for."""
    status = linked_tables.build_progressive_status(call.request.app.state.jackpot, call.registry.get_session(table))
    if status is None:
        raise NotFoundError(f"table {table} is not linked to a progressive", code="not-linked", table=table)
    return call.render("table/waits.html", link=status)


@router.get("/tables/{table}/events")
async def stream_table_events(
    request: Request, table: TableName, registry: RegistryDep, guest: StreamingGuest, since: SequenceNumber = 0
) -> EventStreamResponse:
    """Stream a bare event for each change; the page then loads the change."""
    await run_in_threadpool(registry.get_session, table)
    places = request.app.state.slots, StreamKind.TABLES, get_client_address(request), guest.holder
    return EventStreamResponse(registry.stream_events(table, since), *places)


@router.post("/tables/{table}/sit")
def sit(
    call: PlayCall,
    table: TableName,
    key: CommandKey,
    seat: SeatNumber,
    dollars: Annotated[str, Form(max_length=20)] = "1000",
    name: Annotated[str, Form(max_length=MAX_NAME)] = "",
) -> Response:
    """Take a seat with chips, or buy chips at one's seat."""
    response = _run_commands(
        call,
        table,
        key,
        lambda _: TakeSeat(seat=seat, cents=parse_cents(dollars), name=name or "Guest"),
        tell=_tell_bought,
    )
    if response.status_code < HTTPStatus.BAD_REQUEST and name:
        set_last_played_cookie(call.request, response, call.registry.get_session(table).terms.game, name)
    return response


@router.post("/tables/{table}/bot")
def seat_bot(
    call: PlayCall,
    table: TableName,
    key: CommandKey,
    seat: SeatNumber,
    strategy: Annotated[str, Form(max_length=32)] = "",
) -> Response:
    """Seat a bot with the chosen strategy, at a table where the guest sits."""

    def seat_it(session: TableSession) -> None:
        get_own_seat(session, call.guest)
        call.registry.seat_bot(table, seat, key, strategy)

    return _run_commands(call, table, key, seat_it)


async def _read_stakes(request: Request) -> dict[str, str]:
    """Return the text of each stake field that is filled in, by bet."""
    form = await request.form()
    fields = ((name.removeprefix("stake-"), str(text)) for name, text in form.items() if name.startswith("stake-"))
    return {bet: text for bet, text in fields if text.strip()}


@router.post("/tables/{table}/wager")
def place_wagers(
    call: PlayCall,
    table: TableName,
    key: CommandKey,
    number: RoundNumber,
    stake_texts: Annotated[dict[str, str], Depends(_read_stakes)],
    do: Annotated[str, Form()] = "deal",
    seed_hash: Annotated[str, Form(max_length=64)] = "",
) -> Response:
    """Place the next round's wagers, or sit it out; the last seat starts the deal."""

    def build_wagers(session: TableSession) -> TableCommand:
        _verify_round(session, number)
        all_stakes = (_parse_stake(bet, text) for bet, text in stake_texts.items()) if do == "deal" else ()
        stakes = tuple(each for each in all_stakes if each.cents)
        if do == "deal" and not stakes:
            raise IllegalActionError(
                "no chips are on the felt: place your wagers, or sit this round out", code="no-wagers"
            )
        return PlaceWagers(seat=get_own_seat(session, call.guest), stakes=stakes, seed_hash=seed_hash)

    return _run_commands(call, table, key, build_wagers, _make_dealer(call.guest))


def _make_dealer(guest: Guest) -> CommandBuilder:
    """Make what deals the round if nobody else is waited for."""
    return lambda session: DealRound() if is_allowed(session, DealRound(), guest.holder, 0) else None


def _parse_stake(field: str, text: str) -> BetStake:
    bet, separator, other_seat = field.partition("@")
    on = parse_integer(other_seat, 1, MAX_SEATS, "seat") if separator else None
    return BetStake(bet=bet, cents=parse_cents(text), on=on)


@router.post("/tables/{table}/seed")
def reveal_seed(
    call: PlayCall, table: TableName, key: CommandKey, seed: Annotated[str, Form(min_length=1, max_length=128)]
) -> Response:
    """Show the seed whose hash the seat handed in (provably fair tables)."""
    return _run_commands(
        call, table, key, lambda session: RevealSeed(seat=get_own_seat(session, call.guest), seed=seed)
    )


@router.post("/tables/{table}/deal")
def deal(call: PlayCall, table: TableName, key: CommandKey) -> Response:
    """Deal the cards."""
    return _run_commands(call, table, key, lambda _: DealRound())


@router.post("/tables/{table}/decide")
def decide(
    call: PlayCall,
    table: TableName,
    key: CommandKey,
    number: RoundNumber,
    action: Annotated[str, Form(max_length=32)],
    cards: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Take an action, giving up the chosen cards."""

    def build_action(session: TableSession) -> TableCommand:
        _verify_round(session, number)
        given_up = tuple(cards or ())
        action_id = _resolve_action(session, action, len(given_up))
        return TakeAction(seat=get_own_seat(session, call.guest), action=action_id, cards=given_up)

    return _run_commands(call, table, key, build_action)


def _resolve_action(session: TableSession, action: str, card_count: int) -> str:
    """Return the action id of a button for this number of chosen cards."""
    legal = session.round.list_legal_actions() if session.round else ()
    possible = {each.discards: each.id for each in legal if each.discards and action in (BY_COUNT, each.id)}
    if not possible and action != BY_COUNT:
        return action
    if card_count not in possible:
        raise IllegalActionError(
            explain_wrong_count(card_count, possible),
            code="wrong-discard",
            card_count=card_count,
            counts=list(possible),
        )
    return possible[card_count]


@router.post("/tables/{table}/settle")
def settle(call: PlayCall, table: TableName, key: CommandKey) -> Response:
    """Settle a round that the table does not settle automatically."""
    return _run_commands(call, table, key, lambda _: SettleRound())


@router.post("/tables/{table}/go-on")
def skip_absent_seat(call: PlayCall, table: TableName, key: CommandKey, seat: SeatNumber) -> Response:
    """Free an absent player's seat, or call time in the middle of a round."""

    def build_skip(session: TableSession) -> TableCommand:
        get_own_seat(session, call.guest)
        return LeaveSeat(seat=seat) if session.phase is Phase.WAGERS else CallTime()

    return _run_commands(call, table, key, build_skip, _make_dealer(call.guest))


@router.post("/tables/{table}/leave")
def leave(call: PlayCall, table: TableName, key: CommandKey) -> Response:
    """Leave the table with the remaining chips."""
    return _run_commands(
        call, table, key, lambda session: LeaveSeat(seat=get_own_seat(session, call.guest)), tell=_tell_left
    )


def _tell_bought(before: int | None, after: int | None) -> str:
    return "" if before is None or after is None else f"You bought {format_money(after - before)} of chips."


def _tell_left(before: int | None, after: int | None) -> str:
    return "" if before is None or after is not None else f"You left the table with {format_money(before)}."


def _verify_round(session: TableSession, number: int) -> None:
    """Refuse a command for a round other than the current one."""
    current = session.snapshot.number
    if number != current:
        raise IllegalActionError(
            f"this page showed round {number}, but round {current} is in play: reload the page",
            code="stale-page",
            current=current,
        )


def _get_chips(session: TableSession, guest: Guest) -> int | None:
    """Return the cents in front of a guest, None without a seat."""
    seat = find_guest_seat(session, guest)
    return None if seat is None else session.seats[seat].chips_cents


def _run_commands(
    call: PageCall,
    table: str,
    key: str,
    *builders: CommandBuilder,
    tell: Callable[[int | None, int | None], str] | None = None,
) -> Response:
    """Execute a form's commands and show the table, with the reason if one fails.

    ``tell`` says what was done, from the guest's chips before and after, in cents; None without a seat.
    """
    problem, lacking, command = "", 0, None
    chips_before = _get_chips(call.registry.get_session(table), call.guest) if tell else None
    try:
        for index, build in enumerate(builders):
            command = build(call.registry.get_session(table))
            if command is not None:
                call.registry.execute(table, command, call.guest.holder, f"{key}-{index}")
    except PitbossError as error:
        session = call.registry.get_session(table)
        seat = find_guest_seat(session, call.guest)
        problem = describe_refusal(str(error), seat)
        if error.code == "above-chips" and seat is not None and isinstance(command, PlaceWagers):
            missing_cents = sum_stakes_cents(session.terms, command.stakes) - session.seats[seat].chips_cents
            lacking = round_purchase(missing_cents)
    except ValidationError as error:  # an amount or a name that no command accepts
        problem = first_error(error)
    if "hx-request" in call.request.headers:
        chips_now = _get_chips(call.registry.get_session(table), call.guest)
        said = tell(chips_before, chips_now) if tell and not problem else ""
        return _render_table(call, "table/felt.html", table, problem, lacking, said)
    if problem:
        return _render_table(call, "table/page.html", table, problem, lacking)
    return RedirectResponse(f"/tables/{table}", SEE_OTHER)
