"""Tables linked to the progressive.

Staff open and deal them at the console; guests join them in the lobby.
"""

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from pitboss.builders import display_name
from pitboss.core.errors import PitbossError
from pitboss.core.money import format_cents
from pitboss.jackpot.display import MeterDisplay, get_display
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.lookups import get_round_settings
from pitboss.jackpot.roles import verify_permission
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit
from pitboss.ledger.errors import LedgerError
from pitboss.table.progressive_client import ProgressiveClient, build_linked_terms
from pitboss.table.session import HOUSE, Phase, RelieveDealer, TableSession
from pitboss.web.api.rounds import IdempotencyKey, TableNumber
from pitboss.web.auth.sessions import Caller, StaffGuard
from pitboss.web.jackpot_context import JackpotContext, JackpotDep
from pitboss.web.registry import RegistryDep, TableRegistry

router = APIRouter(include_in_schema=False)

_NAME_PREFIX = "linked-"
NOT_SERVED_TEXT = "No cards are dealt: this server does not serve the progressive of this table."

DealerCaller = Annotated[Caller, Depends(StaffGuard("open"))]


def find_linked_tables(registry: TableRegistry, jackpot: JackpotContext | None) -> dict[int, str]:
    """Map each table of the progressive to its linked table in the browser.

    Tables that are linked under other settings are left out.
    """
    if jackpot is None:
        return {}
    state, tables = jackpot.controller.refresh(), dict[int, str]()
    for name in registry.tables.list_opened_by(HOUSE):
        if name.startswith(_NAME_PREFIX):
            link = registry.get_session(name).terms.linked
            if link and (link.version, link.ledger) == (state.version, jackpot.controller.first_hash):
                tables[link.table] = name
    return tables


def get_lobby_progressive(
    registry: TableRegistry, jackpot: JackpotContext | None
) -> tuple[MeterDisplay | None, tuple[str, ...]]:
    """Return the progressive's display and its linked tables.

    Return None and no tables if its ledger does not answer.
    """
    if jackpot is None:
        return None, ()
    try:
        tables = find_linked_tables(registry, jackpot)
    except LedgerError:
        return None, ()
    return get_display(jackpot.controller.state), tuple(tables[number] for number in sorted(tables))


def build_progressive_status(jackpot: JackpotContext | None, session: TableSession) -> dict[str, Any] | None:
    """Return the progressive's status for a linked table's page.

    It has the meter, and what the table waits for.
    """
    if session.terms.linked is None:
        return None
    status = {
        "table": session.terms.linked.table,
        "dealer": session.snapshot.dealer,
        "meter": None,
        "says": NOT_SERVED_TEXT,
    }
    if jackpot is None:
        return status
    try:
        status["meter"] = get_display(jackpot.controller.refresh())
        status["says"] = _describe_wait(jackpot, session)
    except PitbossError as error:
        status["says"] = f"No cards are dealt: {error}."
    return status


def _describe_wait(jackpot: JackpotContext, session: TableSession) -> str:
    """Describe what the table waits for, "" if it waits only for its players.

    This raises what prevents the deal.
    """
    client = ProgressiveClient(jackpot.controller, session)
    match session.phase:
        case Phase.WAGERS | Phase.SEEDS:
            client.get_due_round({})
        case Phase.SETTLE:
            state = jackpot.controller.state
            for hit in client.list_pending_hits(session.progressive_round):
                return _describe_awaited_hit(state, hit)
    return ""


def _describe_awaited_hit(state: ProgressiveState, hit: Hit) -> str:
    settings = get_round_settings(state, state.rounds[hit.table])
    amount = format_cents(hit.cents) if hit.cents else "it"
    what = f"{display_name(hit.owed.hand)} at seat {hit.owed.seat}"
    earlier = state.find_earlier_hit(hit)
    if earlier:
        return (
            f"{amount} for {what} is provisional: it may change until {display_name(earlier.owed.hand)} "
            f"at table {earlier.table} is confirmed or cancelled."
        )
    who = "an executive" if hit.cents >= settings.executive_cents else "the supervisor"
    return f"Waiting for {who} to confirm {amount}: {what}."


@router.post("/api/tables/{table}/browser")
def open_in_browser(
    table: TableNumber, key: IdempotencyKey, registry: RegistryDep, jackpot: JackpotDep, caller: DealerCaller
) -> dict[str, str]:
    """Open a table of the progressive in the browser.

    The caller deals it.  If it is open already, return the open one.
    """
    verify_permission(caller.actor, "open")
    name = find_linked_tables(registry, jackpot).get(table)
    if name is None:
        name = f"{_NAME_PREFIX}{table}-{secrets.token_hex(5)}"
        registry.tables.open_table(
            name, build_linked_terms(jackpot.controller, table, caller.actor.name), f"browser-{key}"
        )
    return {"table": name, "address": f"/tables/{name}"}


@router.post("/api/tables/{table}/dealer")
def take_over(
    table: TableNumber, key: IdempotencyKey, registry: RegistryDep, jackpot: JackpotDep, caller: DealerCaller
) -> dict[str, str]:
    """Deal a table of the progressive from now on.

    The table's keys are then pressed in the caller's name.
    """
    verify_permission(caller.actor, "open")
    name = find_linked_tables(registry, jackpot).get(table)
    if name is None:
        raise RefusalError(
            f"table {table} is not open in the browser: open it first", code="table-not-open", table=table
        )
    registry.execute(name, RelieveDealer(dealer=caller.actor.name), HOUSE, f"dealer-{key}")
    return {"table": name, "dealer": caller.actor.name}
