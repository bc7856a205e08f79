"""Tables linked to the progressive: staff open and deal them at the console, guests join them in the lobby."""

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from pitboss.builders import display_name
from pitboss.core.errors import PitbossError
from pitboss.core.money import format_cents
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.roles import verify_permission
from pitboss.jackpot.round_handlers import get_settings
from pitboss.jackpot.state import get_display_cents
from pitboss.ledger.errors import LedgerError
from pitboss.table.progressive_client import ProgressiveClient, build_linked_terms
from pitboss.table.session import HOUSE, Phase, RelieveDealer, TableSession
from pitboss.web.jackpot_context import JackpotContext, JackpotDep
from pitboss.web.registry import RegistryDep, TableRegistry
from pitboss.web.rounds import IdempotencyKey, TableNumber
from pitboss.web.sessions import StaffGuard, Visitor

router = APIRouter(include_in_schema=False)

_NAME_PREFIX = "linked-"
NOT_SERVED_TEXT = "No cards are dealt: this server does not serve the progressive of this table."

DealerVisitor = Annotated[Visitor, Depends(StaffGuard("open"))]


def find_linked_tables(registry: TableRegistry, jackpot: JackpotContext | None) -> dict[int, str]:
    """Return the linked table in the browser for each table of the progressive, under the current settings."""
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
) -> tuple[int | None, tuple[str, ...]]:
    """Return the progressive's display and its linked tables; nothing if its ledger does not answer."""
    if jackpot is None:
        return None, ()
    try:
        tables = find_linked_tables(registry, jackpot)
    except LedgerError:
        return None, ()
    return get_display_cents(jackpot.controller.state), tuple(tables[number] for number in sorted(tables))


def build_progressive_status(jackpot: JackpotContext | None, session: TableSession) -> dict[str, Any] | None:
    """Return the progressive's status for a linked table's page: the meter, and what the table waits for."""
    if session.terms.linked is None:
        return None
    status = {
        "table": session.terms.linked.table,
        "dealer": session.snapshot.dealer,
        "cents": None,
        "says": NOT_SERVED_TEXT,
    }
    if jackpot is None:
        return status
    try:
        status["cents"] = get_display_cents(jackpot.controller.refresh())
        status["says"] = _describe_wait(jackpot, session)
    except PitbossError as error:
        status["says"] = f"No cards are dealt: {error}."
    return status


def _describe_wait(jackpot: JackpotContext, session: TableSession) -> str:
    """Describe what the table waits for, "" if only its players (raises what prevents the deal)."""
    client = ProgressiveClient(jackpot.controller, session)
    match session.phase:
        case Phase.WAGERS | Phase.SEEDS:
            client.get_due_round({})
        case Phase.SETTLE:
            settings = get_settings(jackpot.controller.state)
            for hit in client.list_pending_hits(session.progressive_round):
                who = "an executive" if hit.cents >= settings.executive_cents else "the supervisor"
                amount = format_cents(hit.cents) if hit.cents else "it"
                return f"Waiting for {who} to confirm {amount}: {display_name(hit.owed.hand)} at seat {hit.owed.seat}."
    return ""


@router.post("/api/tables/{table}/browser")
def open_in_browser(
    table: TableNumber, key: IdempotencyKey, registry: RegistryDep, jackpot: JackpotDep, visitor: DealerVisitor
) -> dict[str, str]:
    """Open a table of the progressive in the browser, dealt by the visitor; return the open one if there is one."""
    verify_permission(visitor.actor, "open")
    name = find_linked_tables(registry, jackpot).get(table)
    if name is None:
        name = f"{_NAME_PREFIX}{table}-{secrets.token_hex(5)}"
        registry.tables.open_table(
            name, build_linked_terms(jackpot.controller, table, visitor.actor.name), f"browser-{key}"
        )
    return {"table": name, "address": f"/tables/{name}"}


@router.post("/api/tables/{table}/dealer")
def take_over(
    table: TableNumber, key: IdempotencyKey, registry: RegistryDep, jackpot: JackpotDep, visitor: DealerVisitor
) -> dict[str, str]:
    """Deal a table of the progressive from now on: its keys are pressed in the visitor's name."""
    verify_permission(visitor.actor, "open")
    name = find_linked_tables(registry, jackpot).get(table)
    if name is None:
        raise RefusalError(f"table {table} is not open in the browser: open it first")
    registry.execute(name, RelieveDealer(dealer=visitor.actor.name), HOUSE, f"dealer-{key}")
    return {"table": name, "dealer": visitor.actor.name}
