"""The API's reports: the display, tables, the books, verification, exports, the day, and the live events."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from pitboss.jackpot.audit import verify_exported_head
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.reports import export_csv, export_journal, summarize_day
from pitboss.jackpot.round_handlers import get_settings
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import read_head, sign_head
from pitboss.ledger.store import Transaction
from pitboss.web.api_router import make_api_router
from pitboss.web.forms import MAX_NUMBER, Digits, VerificationForm
from pitboss.web.jackpot_context import JackpotContext, JackpotDep, get_client_address
from pitboss.web.ledger_events import AliveCheck, EventSelector, make_display_selector, make_round_selector
from pitboss.web.problems import NotFoundError
from pitboss.web.rounds import TableNumber
from pitboss.web.schemas import (
    DailyResponse,
    DisplayResponse,
    StaffMemberResponse,
    StatusResponse,
    TableResponse,
    VerificationResponse,
)
from pitboss.web.security import PUBLIC_HEADERS, verify_same_origin
from pitboss.web.sessions import PublicGuard, StaffGuard, Visitor
from pitboss.web.stream_slots import EventStreamResponse, StreamKind

display_router = make_api_router("display")
reports_router = make_api_router("books")

PublicVisitor = Annotated[Visitor, Depends(PublicGuard("read-display"))]
RoundReader = Annotated[Visitor, Depends(StaffGuard("read-round"))]
LedgerReader = Annotated[Visitor, Depends(StaffGuard("read-ledger"))]

LastEventId = Annotated[
    Digits | None,
    Header(alias="Last-Event-ID", ge=0, le=MAX_NUMBER, description="The last event received; the stream goes on."),
]
AfterEntry = Annotated[
    Digits | None,
    Query(ge=0, le=MAX_NUMBER, description="As `Last-Event-ID`, for a browser that has received no event yet."),
]
StreamSeconds = Annotated[
    float | None,
    Query(ge=0, le=86_400, description="End the stream after this many seconds, at once for 0; never by default."),
]

EVENT_STREAM_TYPE = "text/event-stream"
EVENT_SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "The number of the ledger entry."},
        "event": {"type": "string", "description": "`display`, `table`, an entry's kind, or `closed` after a fault."},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["id", "event", "data"],
}
STREAM_RESPONSES: dict[int | str, dict[str, Any]] = {200: {"content": {EVENT_STREAM_TYPE: {"schema": EVENT_SCHEMA}}}}
"""The documented response of a stream: one event after another."""


@display_router.get("/display")
def read_display(response: Response, visitor: PublicVisitor) -> DisplayResponse:
    """Show the meter to anybody."""
    response.headers.update(PUBLIC_HEADERS)
    return DisplayResponse.from_state(visitor.state)


@display_router.get("/display/events", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def display_events(
    request: Request,
    jackpot: JackpotDep,
    visitor: PublicVisitor,
    last: LastEventId = None,
    seconds: StreamSeconds = None,
) -> EventStreamResponse:
    """Stream the meter: an event `display` whenever the display changes."""
    select = make_display_selector(-1 if last is None else last)
    return _start_stream(
        request, jackpot, StreamKind.DISPLAYS, visitor.state, select, lambda: True, seconds, PUBLIC_HEADERS
    )


@display_router.get("/tables/{table}")
def read_table(table: TableNumber, visitor: RoundReader) -> TableResponse:
    """Read a table: its round, wagers and hits, for its consoles."""
    verify_table(visitor.state, table)
    return TableResponse.from_state(visitor.state, table)


@display_router.get("/tables/{table}/events", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def table_events(
    request: Request,
    table: TableNumber,
    jackpot: JackpotDep,
    visitor: RoundReader,
    last: LastEventId = None,
    after: AfterEntry = None,
    seconds: StreamSeconds = None,
) -> EventStreamResponse:
    """Stream a table's round: an event `table`, or the events after `Last-Event-ID`, until the session ends."""
    last = after if last is None else last
    verify_same_origin(request)
    verify_table(visitor.state, table)

    def is_alive() -> bool:
        return jackpot.staff.is_session_live(jackpot.controller.state, visitor.session)

    select = make_round_selector(jackpot.watcher, table, last)
    return _start_stream(request, jackpot, StreamKind.STAFF, visitor.state, select, is_alive, seconds, {})


def verify_table(state: ProgressiveState, table: int) -> None:
    """Raise ``NotFoundError`` for a table that the settings do not have."""
    tables = get_settings(state).tables
    if table > tables:
        raise NotFoundError(f"unknown table {table}: tables are 1 to {tables}")


def _start_stream(
    request: Request,
    jackpot: JackpotContext,
    kind: StreamKind,
    state: ProgressiveState,
    select: EventSelector,
    is_alive: AliveCheck,
    seconds: float | None,
    headers: dict[str, str],
) -> EventStreamResponse:
    stream, slots = jackpot.watcher.stream(state, select, is_alive, seconds), request.app.state.slots
    return EventStreamResponse(
        stream, slots, kind, get_client_address(request), headers={"X-Accel-Buffering": "no", **headers}
    )


@reports_router.get("/status")
def status(visitor: LedgerReader) -> StatusResponse:
    """Read the books: reserve, counts, overflow, payable awards, pending requests, the last 25 hits."""
    return StatusResponse.from_state(visitor.state)


@reports_router.get("/settings")
def read_settings(visitor: LedgerReader) -> Settings:
    """Read the settings in force."""
    return get_settings(visitor.state)


@reports_router.get("/staff")
def list_staff(visitor: LedgerReader) -> dict[str, StaffMemberResponse]:
    """List the staff with their roles."""
    return {
        name: StaffMemberResponse(role=member.role, active=member.active)
        for name, member in sorted(visitor.state.staff.items())
    }


@reports_router.post("/verification")
def verify(form: VerificationForm, jackpot: JackpotDep, _visitor: LedgerReader) -> VerificationResponse:
    """Verify the whole ledger: chain, postings, meters, every identity, and a head that was stored elsewhere."""
    try:
        exported = read_head(form.head, jackpot.signer.public_key) if form.head else None
    except LedgerError as error:
        raise RefusalError(str(error)) from None

    def verify_head(transaction: Transaction) -> None:
        if exported:
            verify_exported_head(transaction, exported)

    state = jackpot.controller.verify(verify_head)
    return VerificationResponse(entries=state.checked_entries, hash=state.head.hash, holds=True)


EXPORT_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "text/plain": {"schema": {"type": "string"}},
            "application/json": {"schema": {"type": "object"}},
        }
    }
}


@reports_router.get("/export", response_class=Response, responses=EXPORT_RESPONSES)
def export(
    jackpot: JackpotDep,
    _visitor: LedgerReader,
    export_format: Annotated[Literal["csv", "journal", "head"], Query(alias="format")] = "csv",
) -> Response:
    """Export the ledger as CSV or plain-text accounting, or its signed head to store elsewhere."""
    if export_format == "head":
        with jackpot.store.begin_read() as transaction:
            head = transaction.get_head()
        text = sign_head(head, datetime.now(UTC).isoformat(timespec="seconds"), jackpot.signer)
        return Response(text + "\n", media_type="application/json")

    def lines() -> Iterator[str]:
        with jackpot.store.begin_read() as transaction:
            yield from (export_csv if export_format == "csv" else export_journal)(transaction.read_entries())

    return StreamingResponse(lines(), media_type="text/csv" if export_format == "csv" else "text/plain")


@reports_router.get("/daily")
def read_day(
    jackpot: JackpotDep, _visitor: LedgerReader, day: Annotated[date | None, Query(examples=["2026-11-21"])] = None
) -> DailyResponse:
    """Read a day (UTC, today by default): the meter at its start and end, and the reason for each fall."""
    wanted_day = day or datetime.now(UTC).date()
    with jackpot.store.begin_read() as transaction:
        return DailyResponse.model_validate(summarize_day(transaction.read_entries(), wanted_day.isoformat()))
