"""Tables that play for the progressive: opened and dealt by staff at the console, joined by guests in the lobby."""

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from pitboss.builders import display_name
from pitboss.core.errors import PitbossError
from pitboss.core.money import format_cents
from pitboss.jackpot.procedure import settings_in
from pitboss.jackpot.refusal import RefusalError
from pitboss.jackpot.roles import verify_role
from pitboss.jackpot.state import display_cents
from pitboss.ledger.errors import LedgerError
from pitboss.table.linked import Linked, linked_terms
from pitboss.table.sitting import HOUSE, Phase, Relieve, Sitting
from pitboss.web.floor import Floor, TheFloor
from pitboss.web.house import House, TheHouse
from pitboss.web.rounds import Key, Table
from pitboss.web.sessions import Guard, Visitor

router = APIRouter(include_in_schema=False)

_PREFIX = "linked-"
NOT_SERVED = "No cards are dealt: the progressive that this table plays for is not served here."

AtTheTable = Annotated[Visitor, Depends(Guard("open"))]


def standing(floor: Floor, house: House | None) -> dict[int, str]:
    """Return the table in the browser that plays each table of the progressive, by the present settings."""
    if house is None:
        return {}
    state, found = house.controller.refresh(), dict[int, str]()
    for name in floor.tables.opened_by(HOUSE):
        if name.startswith(_PREFIX):
            link = floor.sitting(name).terms.linked
            if link and (link.version, link.ledger) == (state.version, house.controller.beginning):
                found[link.table] = name
    return found


def in_lobby(floor: Floor, house: House | None) -> tuple[int | None, tuple[str, ...]]:
    """Return what the progressive's display shows and the tables that play for it; nothing where it does not answer."""
    if house is None:
        return None, ()
    try:
        tables = standing(floor, house)
    except LedgerError:
        return None, ()
    return display_cents(house.controller.state), tuple(tables[number] for number in sorted(tables))


def shown(house: House | None, now: Sitting) -> dict[str, Any] | None:
    """Return what a linked table's page says of the progressive: what it stands at, and what is waited for."""
    if now.terms.linked is None:
        return None
    seen = {"table": now.terms.linked.table, "dealer": now.standing.dealer, "cents": None, "says": NOT_SERVED}
    if house is None:
        return seen
    try:
        seen["cents"] = display_cents(house.controller.refresh())
        seen["says"] = _waited_for(house, now)
    except PitbossError as error:
        seen["says"] = f"No cards are dealt: {error}."
    return seen


def _waited_for(house: House, now: Sitting) -> str:
    """Return what the table waits for, "" for nothing but its players (raises what keeps cards from being dealt)."""
    table = Linked(house.controller, now)
    match now.phase:
        case Phase.WAGERS | Phase.SEEDS:
            table.due({})
        case Phase.SETTLE:
            settings = settings_in(house.controller.state)
            for hit in table.awaited(now.progressive_round):
                who = "an executive" if hit.cents >= settings.executive_cents else "the supervisor"
                amount = format_cents(hit.cents) if hit.cents else "it"
                return f"Waiting for {who} to confirm {amount}: {display_name(hit.owed.hand)} at seat {hit.owed.seat}."
    return ""


@router.post("/api/tables/{table}/browser")
def open_in_browser(table: Table, key: Key, floor: TheFloor, house: TheHouse, visitor: AtTheTable) -> dict[str, str]:
    """Open a table of the progressive in the browser, dealt by whoever asks for it; where it is open, say where."""
    verify_role(visitor.actor, "open")
    name = standing(floor, house).get(table)
    if name is None:
        name = f"{_PREFIX}{table}-{secrets.token_hex(5)}"
        floor.tables.open(name, linked_terms(house.controller, table, visitor.actor.name), f"browser-{key}")
    return {"table": name, "address": f"/tables/{name}"}


@router.post("/api/tables/{table}/dealer")
def take_over(table: Table, key: Key, floor: TheFloor, house: TheHouse, visitor: AtTheTable) -> dict[str, str]:
    """Deal a table of the progressive from now on: its keys are pressed in the name of whoever asks."""
    verify_role(visitor.actor, "open")
    name = standing(floor, house).get(table)
    if name is None:
        raise RefusalError(f"table {table} is not open in the browser: open it first")
    floor.do(name, Relieve(dealer=visitor.actor.name), HOUSE, f"dealer-{key}")
    return {"table": name, "dealer": visitor.actor.name}
