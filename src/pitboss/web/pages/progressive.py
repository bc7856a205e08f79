"""The progressive's pages: the big display and the consoles.

The dealer, the supervisor, the executive and the auditor have consoles.  A console shows the state of the ledger; its
commands go through the API, like those of any other program.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from pitboss.builders import display_name
from pitboss.games import load_game
from pitboss.jackpot.award_history import LAST_HITS
from pitboss.jackpot.credentials import SESSION_IDLE_SECONDS
from pitboss.jackpot.display import MeterDisplay
from pitboss.jackpot.dual_control import explain_blocked_action, find_confirmation, list_confirming_roles
from pitboss.jackpot.events import AdjustmentReason, OwedAward
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.reports import summarize_hit
from pitboss.jackpot.request_review import review_request
from pitboss.jackpot.roles import PERMISSIONS, describe_roles
from pitboss.jackpot.round_handlers import compute_envy
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.errors import LedgerError
from pitboss.web.api.reports import BeforeAward, verify_table
from pitboss.web.api.rounds import TableNumber
from pitboss.web.auth.security import make_csrf_token
from pitboss.web.auth.sessions import Caller, find_caller
from pitboss.web.jackpot_context import JackpotContext, JackpotDep
from pitboss.web.pages.card_picker import list_suits
from pitboss.web.pages.linked_tables import find_linked_tables
from pitboss.web.pages.page_call import PageCall, ViewCall
from pitboss.web.schemas import DisplayResponse, StatusResponse, TableResponse

router = APIRouter(include_in_schema=False)

_EVENT_KINDS = ("opened", "entered", "cancelled", "confirmed", "paid", "ended", "backed-out")

MaybeCaller = Annotated[Caller | None, Depends(find_caller)]


@router.get("/progressive")
def show_display(call: ViewCall, jackpot: JackpotDep) -> HTMLResponse:
    """Show the big display of the meter."""
    return call.render("progressive/display.html", **_show_display(jackpot))


@router.get("/progressive/display")
def show_amount(call: ViewCall, jackpot: JackpotDep) -> HTMLResponse:
    """Show the part of the display that changes."""
    return call.render("progressive/amount.html", **_show_display(jackpot))


@router.get("/progressive/meter")
def show_meter(call: ViewCall, jackpot: JackpotDep) -> HTMLResponse:
    """Show the meter on one line, for the lobby and the tables."""
    display = _show_display(jackpot)["display"]
    meter = MeterDisplay(display.display_cents, display.jackpot_pending) if display else None
    return call.render("progressive/meter.html", meter=meter)


def _show_display(jackpot: JackpotContext) -> dict[str, Any]:
    """Return the display with the wins to announce.

    The display is None if the ledger is closed.  A display says so instead of showing an old amount.
    """
    try:
        state = jackpot.controller.refresh()
    except LedgerError:
        return {"display": None, "wins": []}
    return {"display": DisplayResponse.from_state(state), "wins": list(_list_wins(state))}


def _list_wins(state: ProgressiveState) -> Iterator[OwedAward]:
    """Yield the confirmed wins from the meter whose rounds are not over."""
    for hit in state.hits.values():
        played = state.rounds.get(hit.table)
        is_in_play = played is not None and played.running and played.number == hit.round
        if is_in_play and hit.step in {"confirmed", "paid"} and hit.owed.meter_cents:
            yield hit.owed


def render_console(call: PageCall, name: str, caller: Caller, jackpot: JackpotContext, **context: Any) -> HTMLResponse:
    """Render a page of the consoles.

    It shows who is logged in, what they may do, which awards wait for their confirmation, and what is wrong with the
    clock.
    """
    return call.render(
        name,
        me=caller.actor,
        may=_list_permissions(caller),
        token=make_csrf_token(caller.session),
        idle=SESSION_IDLE_SECONDS,
        clock=jackpot.controller.find_clock_fault(),
        waiting=[summarize_hit(caller.state, hit) for hit in caller.state.list_pending_hits()],
        **context,
    )


@router.get("/progressive/enrol")
def show_enrolment(call: ViewCall) -> HTMLResponse:
    """Show the form to enrol with, for a person who was given a code."""
    return call.render("progressive/enrol.html")


@router.get("/progressive/console")
def show_console(call: ViewCall, jackpot: JackpotDep, caller: MaybeCaller, before: BeforeAward = 0) -> HTMLResponse:
    """Show the tables of the caller's role, or the login form."""
    if caller is None:
        return call.render("progressive/log_in.html")
    books = None
    if "read-ledger" in _list_permissions(caller):
        books = StatusResponse.from_books(caller.state, jackpot.controller.list_last_hits(before))
    return render_console(
        call,
        "progressive/console.html",
        caller,
        jackpot,
        tables=range(1, get_settings(caller.state).tables + 1),
        reasons=get_args(AdjustmentReason),
        books=books,
        before=before,
        has_earlier=bool(books and len(books.last_hits) == LAST_HITS),
        reviews={number: review_request(caller.state, number) for number in caller.state.requests} if books else {},
    )


@router.get("/progressive/console/tables/{table}")
def show_table_console(call: ViewCall, table: TableNumber, jackpot: JackpotDep, caller: MaybeCaller) -> HTMLResponse:
    """Show a table's round: wagers, hands, awards, in the words of the settings."""
    if caller is None:
        return call.render("progressive/log_in.html")
    verify_table(caller.state, table)
    response = TableResponse.from_state(caller.state, table)
    name = find_linked_tables(call.registry, jackpot).get(table)
    return render_console(
        call,
        "progressive/table.html",
        caller,
        jackpot,
        table=response,
        entries=caller.state.entries,
        kinds=_EVENT_KINDS,
        wagered={wager.seat for wager in response.wagers},
        pending=_describe_pending(caller.state, table),
        envy=_list_envy(caller.state, table),
        deck=list_suits(load_game(get_settings(caller.state).game)),
        browser=call.registry.get_session(name).snapshot if name else None,
    )


def _list_envy(state: ProgressiveState, table: int) -> dict[int, tuple[int, list[str]]]:
    """Return what each seat is due for the hands of other seats.

    They are the confirmed hands of a table's latest round.

    It is an amount in cents, and for what; the seats are in their order.
    """
    played, due = state.rounds.get(table), dict[int, tuple[int, list[str]]]()
    for each in compute_envy(state, played) if played else ():
        cents, reasons = due.get(each.seat, (0, []))
        due[each.seat] = cents + each.cents, [*reasons, f"{display_name(each.hand)} of seat {each.hitter}"]
    return dict(sorted(due.items()))


def _describe_pending(state: ProgressiveState, table: int) -> dict[int, tuple[str, str]]:
    """Return who confirms each pending award of a table, and why nobody can now."""
    now, found = int(datetime.now(UTC).timestamp()), dict[int, tuple[str, str]]()
    for hit in state.list_pending_hits():
        if hit.table == table:
            roles, half = list_confirming_roles(state, hit), find_confirmation(state, hit)
            found[hit.owed.award] = describe_roles(roles), explain_blocked_action(state, half, now) if half else ""
    return found


def _list_permissions(caller: Caller) -> frozenset[str]:
    """Return the permissions of a caller's role."""
    return frozenset(act for act, roles in PERMISSIONS.items() if caller.actor.role in roles)
