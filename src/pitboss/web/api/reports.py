"""The API's reports and live events.

They cover the display, the tables, the books and verification; ``days`` covers gaming days and exports.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import Annotated

from fastapi import Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import read_own_head
from pitboss.web.api.rounds import TableNumber
from pitboss.web.api_router import describe_answer, make_api_router
from pitboss.web.auth.security import PUBLIC_HEADERS, verify_same_origin
from pitboss.web.auth.sessions import Caller, PublicGuard, StaffGuard
from pitboss.web.errors import NotFoundError
from pitboss.web.forms import MAX_NUMBER, Digits, VerificationForm
from pitboss.web.jackpot_context import JackpotDep, get_client_address
from pitboss.web.ledger_events import make_display_selector, make_round_selector
from pitboss.web.schemas import (
    DisplayResponse,
    StaffMemberResponse,
    StatusResponse,
    TableResponse,
    VerificationResponse,
)
from pitboss.web.server.stream_slots import EventStreamResponse, StreamKind

display_router = make_api_router("display")
reports_router = make_api_router("books")

PublicCaller = Annotated[Caller, Depends(PublicGuard("read-display"))]
RoundReader = Annotated[Caller, Depends(StaffGuard("read-round"))]
BeforeAward = Annotated[
    Digits, Query(ge=0, le=MAX_NUMBER, description="Show the 25 hits before this award instead of the last ones.")
]
LedgerReader = Annotated[Caller, Depends(StaffGuard("read-ledger"))]

LastEventId = Annotated[
    Digits | None,
    Header(
        alias="Last-Event-ID", ge=0, le=MAX_NUMBER, description="The last event received; the stream resumes after it."
    ),
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
STREAM_RESPONSES = describe_answer({EVENT_STREAM_TYPE: EVENT_SCHEMA})
"""The documented response of a stream: one event after another."""


@display_router.get("/display")
def read_display(response: Response, caller: PublicCaller) -> DisplayResponse:
    """Show the meter to anybody."""
    response.headers.update(PUBLIC_HEADERS)
    return DisplayResponse.from_state(caller.state)


@display_router.get("/display/events", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def display_events(
    request: Request,
    jackpot: JackpotDep,
    caller: PublicCaller,
    last: LastEventId = None,
    seconds: StreamSeconds = None,
) -> EventStreamResponse:
    """Stream the meter: an event `display` whenever the display changes."""
    select = make_display_selector(-1 if last is None else last)
    events = jackpot.watcher.stream(caller.state, select, lambda: True, seconds)
    return start_stream(request, events, StreamKind.DISPLAYS, PUBLIC_HEADERS)


@display_router.get("/tables/{table}")
def read_table(table: TableNumber, caller: RoundReader) -> TableResponse:
    """Read a table: its round, wagers and hits, for its consoles."""
    verify_table(caller.state, table)
    return TableResponse.from_state(caller.state, table)


@display_router.get("/tables/{table}/events", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def table_events(
    request: Request,
    table: TableNumber,
    jackpot: JackpotDep,
    caller: RoundReader,
    last: LastEventId = None,
    after: AfterEntry = None,
    seconds: StreamSeconds = None,
) -> EventStreamResponse:
    """Stream the events of a table's round until the session ends.

    The stream begins with the events after `Last-Event-ID`, or without it with an event `table`.
    """
    last = after if last is None else last
    verify_same_origin(request)
    verify_table(caller.state, table)

    def is_alive() -> bool:
        return jackpot.staff.is_session_live(jackpot.controller.state, caller.session)

    select = make_round_selector(jackpot.watcher, table, last)
    return start_stream(request, jackpot.watcher.stream(caller.state, select, is_alive, seconds), StreamKind.STAFF)


def verify_table(state: ProgressiveState, table: int) -> None:
    """Raise ``NotFoundError`` for a table that the settings do not have."""
    tables = get_settings(state).tables
    if table > tables:
        raise NotFoundError(
            f"unknown table {table}: tables are 1 to {tables}", code="unknown-table", table=table, tables=tables
        )


def start_stream(
    request: Request, events: AsyncGenerator[str], kind: StreamKind, headers: Mapping[str, str] | None = None
) -> EventStreamResponse:
    """Answer with a stream of events, which no proxy in front may hold back."""
    headers = {"X-Accel-Buffering": "no", **(headers or {})}
    return EventStreamResponse(events, request.app.state.slots, kind, get_client_address(request), headers=headers)


@reports_router.get("/status")
def status(jackpot: JackpotDep, caller: LedgerReader, before: BeforeAward = 0) -> StatusResponse:
    """Read the books of the progressive.

    They have the reserve, overflow, held, payable, counts, pending requests and the last 25 hits, or 25 earlier ones.
    """
    return StatusResponse.from_books(
        caller.state, jackpot.controller.list_last_hits(before), jackpot.controller.find_clock_fault()
    )


@reports_router.get("/settings")
def read_settings(caller: LedgerReader) -> Settings:
    """Read the settings in force."""
    return get_settings(caller.state)


@reports_router.get("/staff")
def list_staff(caller: LedgerReader) -> dict[str, StaffMemberResponse]:
    """List the staff with their roles."""
    return {
        name: StaffMemberResponse(role=member.role, active=member.active, enrolled=member.enrolled)
        for name, member in sorted(caller.state.staff.items())
    }


@reports_router.post("/verification")
def verify(form: VerificationForm, jackpot: JackpotDep, _caller: LedgerReader) -> VerificationResponse:
    """Verify the whole ledger.

    This checks the chain, the postings, the meters, every identity, and a head that was stored elsewhere.
    """
    try:
        exported = read_own_head(form.head, jackpot.signer) if form.head else None
    except LedgerError as error:
        raise RefusalError.from_error(error) from None
    state = jackpot.controller.verify(exported)
    return VerificationResponse(entries=state.checked_entries, hash=state.head.hash, holds=True)
