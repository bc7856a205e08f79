"""What there is to read: the display, tables, the books, the whole check, exports, the day; and the live events."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from pitboss.jackpot.audit import verify_against
from pitboss.jackpot.procedure import settings_in
from pitboss.jackpot.refusal import RefusalError
from pitboss.jackpot.report import as_csv, as_journal, daily
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import State
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import read_head, signed_head
from pitboss.ledger.store import Transaction
from pitboss.web.answers import Books, Day, Display, MemberShown, TableShown, Verified
from pitboss.web.events import Alive, Picked, of_display, of_round
from pitboss.web.forms import MOST_NUMBER, Digits, KeptHead
from pitboss.web.house import House, TheHouse, address_of
from pitboss.web.part import part
from pitboss.web.places import EventStream, Kind
from pitboss.web.problems import NotThereError
from pitboss.web.rounds import Table
from pitboss.web.security import ANYBODY, verify_own_page
from pitboss.web.sessions import Guard, Open, Visitor

display = part("display")
books = part("books")

Anybody = Annotated[Visitor, Depends(Open("read-display"))]
AtTheTable = Annotated[Visitor, Depends(Guard("read-round"))]
Reader = Annotated[Visitor, Depends(Guard("read-ledger"))]

LastSeen = Annotated[
    Digits | None,
    Header(alias="Last-Event-ID", ge=0, le=MOST_NUMBER, description="The last event that was seen: goes on after it."),
]
After = Annotated[
    Digits | None,
    Query(ge=0, le=MOST_NUMBER, description="As `Last-Event-ID`, for a browser that has not seen any event yet."),
]
Seconds = Annotated[
    float | None,
    Query(
        ge=0, le=86_400, description="End the stream after so many seconds, 0 with what there is; without it, never."
    ),
]

STREAM = "text/event-stream"
EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "The number of the ledger's entry."},
        "event": {"type": "string", "description": "`display`; `table` or the kind of an entry; `closed` at a fault."},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["id", "event", "data"],
}
STREAMED: dict[int | str, dict[str, Any]] = {200: {"content": {STREAM: {"schema": EVENT}}}}
"""What is documented of a stream: its events, one after another."""


@display.get("/display")
def read_display(answer: Response, visitor: Anybody) -> Display:
    """Show the meter, to anybody."""
    answer.headers.update(ANYBODY)
    return Display.of(visitor.state)


@display.get("/display/events", response_class=StreamingResponse, responses=STREAMED)
async def display_events(
    request: Request, house: TheHouse, visitor: Anybody, last: LastSeen = None, seconds: Seconds = None
) -> EventStream:
    """Show the meter as it moves: an event `display` whenever what is shown is another."""
    pick = of_display(-1 if last is None else last)
    return _streamed(request, house, Kind.DISPLAYS, visitor.state, pick, lambda: True, seconds, ANYBODY)


@display.get("/tables/{table}")
def read_table(table: Table, visitor: AtTheTable) -> TableShown:
    """Read a table: its round, wagers and hits, for its consoles."""
    verify_table(visitor.state, table)
    return TableShown.of(visitor.state, table)


@display.get("/tables/{table}/events", response_class=StreamingResponse, responses=STREAMED)
async def table_events(
    request: Request,
    table: Table,
    house: TheHouse,
    visitor: AtTheTable,
    last: LastSeen = None,
    after: After = None,
    seconds: Seconds = None,
) -> EventStream:
    """Follow a table's round: first an event `table`, or what came after `Last-Event-ID`; ends with the session."""
    last = after if last is None else last
    verify_own_page(request)
    verify_table(visitor.state, table)

    def alive() -> bool:
        return house.staff.lasts(house.controller.state, visitor.session)

    pick = of_round(house.watch, table, last)
    return _streamed(request, house, Kind.STAFF, visitor.state, pick, alive, seconds, {})


def verify_table(state: State, table: int) -> None:
    """Raise ``NotThereError`` for a table that the settings do not have."""
    tables = settings_in(state).tables
    if table > tables:
        raise NotThereError(f"unknown table {table}: tables are 1 to {tables}")


def _streamed(
    request: Request,
    house: House,
    kind: Kind,
    first: State,
    pick: Picked,
    alive: Alive,
    seconds: float | None,
    headers: dict[str, str],
) -> EventStream:
    stream, places = house.watch.stream(first, pick, alive, seconds), request.app.state.places
    return EventStream(stream, places, kind, address_of(request), headers={"X-Accel-Buffering": "no", **headers})


@books.get("/status")
def status(visitor: Reader) -> Books:
    """Read the books: reserve, counts, overflow, what is payable, what waits, the last 25 hits."""
    return Books.of(visitor.state)


@books.get("/settings")
def read_settings(visitor: Reader) -> Settings:
    """Read the settings in force."""
    return settings_in(visitor.state)


@books.get("/staff")
def list_staff(visitor: Reader) -> dict[str, MemberShown]:
    """List who has which role."""
    return {
        name: MemberShown(role=member.role, active=member.active)
        for name, member in sorted(visitor.state.staff.items())
    }


@books.post("/verification")
def verify(form: KeptHead, house: TheHouse, _visitor: Reader) -> Verified:
    """Check the whole ledger: chain, postings, meters, every identity, and a head that was kept elsewhere."""
    try:
        kept = read_head(form.head, house.signer.public) if form.head else None
    except LedgerError as error:
        raise RefusalError(str(error)) from None

    def known(transaction: Transaction) -> None:
        if kept:
            verify_against(transaction, kept)

    now = house.controller.verify(known)
    return Verified(entries=now.checked, hash=now.head.hash, holds=True)


EXPORTED: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "text/plain": {"schema": {"type": "string"}},
            "application/json": {"schema": {"type": "object"}},
        }
    }
}


@books.get("/export", response_class=Response, responses=EXPORTED)
def export(
    house: TheHouse, _visitor: Reader, form: Annotated[Literal["csv", "journal", "head"], Query(alias="format")] = "csv"
) -> Response:
    """Export the ledger as CSV or as plain-text accounting, or its signed head, to be kept elsewhere."""
    if form == "head":
        with house.store.reading() as transaction:
            head = transaction.head()
        text = signed_head(head, datetime.now(UTC).isoformat(timespec="seconds"), house.signer)
        return Response(text + "\n", media_type="application/json")

    def lines() -> Iterator[str]:
        with house.store.reading() as transaction:
            yield from (as_csv if form == "csv" else as_journal)(transaction.entries())

    return StreamingResponse(lines(), media_type="text/csv" if form == "csv" else "text/plain")


@books.get("/daily")
def read_day(
    house: TheHouse, _visitor: Reader, day: Annotated[date | None, Query(examples=["2026-11-21"])] = None
) -> Day:
    """Read a day (UTC, today unless given): where the meter stood, and why it fell each time it did."""
    wanted = day or datetime.now(UTC).date()
    with house.store.reading() as transaction:
        return Day.model_validate(daily(transaction.entries(), wanted.isoformat()))
