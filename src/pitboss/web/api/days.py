"""The API's gaming days: reports, exports and archives.

What is long is read in pages, so a client that reads slowly keeps no transaction open.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from tempfile import TemporaryFile
from typing import Annotated, Literal

from fastapi import Query, Response
from fastapi.responses import StreamingResponse

from pitboss.jackpot.archive import write_archive
from pitboss.jackpot.day_report import DayReport, get_day_clock, report_day, report_days
from pitboss.jackpot.gaming_days import GamingDayClock, iter_days
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.reports import export_csv, export_journal
from pitboss.ledger.entry_pages import EntryRange, find_entries_between, read_entry_pages
from pitboss.ledger.signing import sign_head
from pitboss.web.api.reports import LedgerReader
from pitboss.web.api_router import describe_answer, make_api_router
from pitboss.web.auth.sessions import Caller
from pitboss.web.forms import Day
from pitboss.web.jackpot_context import JackpotContext, JackpotDep
from pitboss.web.schemas import DaysResponse

days_router = make_api_router("books")

FirstDay = Annotated[
    Day | None, Query(alias="from", examples=["2026-11-21"], description="The first gaming day; default: today's.")
]
LastDay = Annotated[
    Day | None, Query(alias="to", examples=["2026-11-21"], description="The last gaming day; default: the first.")
]

EXPORT_RESPONSES = describe_answer(
    {"text/csv": {"type": "string"}, "text/plain": {"type": "string"}, "application/json": {"type": "object"}}
)
ARCHIVE_TYPE = "application/jsonl"
ARCHIVE_RESPONSES = describe_answer({ARCHIVE_TYPE: {"type": "string"}})
_CHUNK_BYTES = 65_536


@days_router.get("/daily")
def read_day(
    jackpot: JackpotDep, caller: LedgerReader, day: Annotated[Day | None, Query(examples=["2026-11-21"])] = None
) -> DayReport:
    """Read the report of a gaming day (today's by default), reconciled to the unit.

    Opening balance and movements of each account, by purpose and by table, add up to its closing balance.
    """
    clock = _get_clock(caller)
    now = datetime.now(UTC)
    return report_day(jackpot.store, clock, clock.verify_begun(day or clock.find_day(now), now))


@days_router.get("/days")
def read_days(jackpot: JackpotDep, caller: LedgerReader, first: FirstDay = None, last: LastDay = None) -> DaysResponse:
    """Read the reports of several gaming days, and that of all of them together."""
    clock = _get_clock(caller)
    begin, end = _find_days(clock, first, last)
    days, total = report_days(jackpot.store, clock, begin, clock.verify_begun(end, datetime.now(UTC)))
    return DaysResponse(days=days, total=total)


@days_router.get("/export", response_class=Response, responses=EXPORT_RESPONSES)
def export(
    jackpot: JackpotDep,
    caller: LedgerReader,
    export_format: Annotated[Literal["csv", "journal", "head"], Query(alias="format")] = "csv",
    first: FirstDay = None,
    last: LastDay = None,
) -> Response:
    """Export the ledger, or its signed head to store elsewhere.

    The ledger is exported as CSV or as plain-text accounting, whole or for gaming days.
    """
    if export_format == "head":
        with jackpot.store.begin_read() as transaction:
            head = transaction.get_head()
        text = sign_head(head, datetime.now(UTC).isoformat(timespec="seconds"), jackpot.signer)
        return Response(text + "\n", media_type="application/json")
    entries = read_entry_pages(jackpot.store, _find_entries(jackpot, _get_clock(caller), first, last))
    lines = (export_csv if export_format == "csv" else export_journal)(jackpot.store, entries)
    return StreamingResponse(lines, media_type="text/csv" if export_format == "csv" else "text/plain")


@days_router.get("/archive", response_class=Response, responses=ARCHIVE_RESPONSES)
def archive(jackpot: JackpotDep, caller: LedgerReader, first: FirstDay = None, last: LastDay = None) -> Response:
    """Download a signed archive of gaming days, which can be verified alone."""
    clock = _get_clock(caller)
    days = _find_days(clock, first, last)
    iter_days(*days)  # refuses an invalid range before the answer begins, as the next line an invalid day
    clock.get_bounds(days[0]), clock.get_bounds(days[1])

    def chunks() -> Iterator[str]:
        with TemporaryFile("w+", encoding="ascii") as file:  # a slow client holds a file, not the ledger
            write_archive(jackpot.store, jackpot.signer, clock, *days, file)
            file.seek(0)
            while text := file.read(_CHUNK_BYTES):
                yield text

    return StreamingResponse(chunks(), media_type=ARCHIVE_TYPE)


def _get_clock(caller: Caller) -> GamingDayClock:
    return get_day_clock(get_settings(caller.state))


def _find_days(clock: GamingDayClock, first: date | None, last: date | None) -> tuple[date, date]:
    begin = first or clock.find_day(datetime.now(UTC))
    return begin, last or begin


def _find_entries(jackpot: JackpotContext, clock: GamingDayClock, first: date | None, last: date | None) -> EntryRange:
    with jackpot.store.begin_read() as transaction:
        if first is None and last is None:
            return EntryRange(1, transaction.get_head().sequence)
        days = _find_days(clock, first, last)
        return find_entries_between(transaction, clock.get_bounds(days[0]).begins, clock.get_bounds(days[1]).ends)
