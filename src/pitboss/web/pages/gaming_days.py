"""The page of a gaming day's report."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from pitboss.jackpot.day_report import get_day_clock, report_day
from pitboss.jackpot.day_text import (
    OUTSIDE_TABLES,
    count_kinds,
    describe_cancelled,
    format_time,
    iter_table_movements,
    list_meter_changes,
)
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.roles import verify_permission
from pitboss.web.forms import Day
from pitboss.web.jackpot_context import JackpotDep
from pitboss.web.pages.page_call import ViewCall
from pitboss.web.pages.progressive import MaybeCaller, render_console
from pitboss.web.templating import format_money_units

router = APIRouter(include_in_schema=False)


@router.get("/progressive/console/day")
def show_day(
    call: ViewCall, jackpot: JackpotDep, caller: MaybeCaller, day: Annotated[Day | None, Query()] = None
) -> HTMLResponse:
    """Show the report of a gaming day to those who read the books."""
    if caller is None:
        return call.render("progressive/log_in.html")
    verify_permission(caller.actor, "read-ledger")
    clock = get_day_clock(get_settings(caller.state))
    today = clock.find_day(datetime.now(UTC))
    chosen = min(day or today, today)
    report = report_day(jackpot.store, clock, chosen)
    return render_console(
        call,
        "progressive/day.html",
        caller,
        jackpot,
        report=report,
        of_tables={
            number: list(iter_table_movements(table, format_money_units)) for number, table in report.tables.items()
        },
        outside=OUTSIDE_TABLES,
        changes=list_meter_changes(report),
        kinds=count_kinds(report),
        time=format_time,
        describe=describe_cancelled,
        before=(chosen - timedelta(days=1)).isoformat(),
        after=(chosen + timedelta(days=1)).isoformat() if chosen < today else "",
    )
