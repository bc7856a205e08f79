"""The office of a progressive: staff, settings, tables and the shift.

Each form of them gives a command by the API; what takes a second person then waits on the console for that person.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from types import UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from pitboss.core.money import format_cents
from pitboss.games import load_game
from pitboss.jackpot.day_report import get_day_clock
from pitboss.jackpot.dual_control import format_moment
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.request_review import iter_settings
from pitboss.jackpot.roles import Role, verify_permission
from pitboss.jackpot.setting_words import describe_value, label_setting
from pitboss.jackpot.settings import FIXED_SETTINGS, Settings, iter_advice
from pitboss.jackpot.staff_state import StaffMember
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import TableCounts
from pitboss.meter import NO_LIMIT
from pitboss.web.jackpot_context import JackpotDep
from pitboss.web.pages.linked_tables import find_linked_tables
from pitboss.web.pages.page_call import ViewCall
from pitboss.web.pages.progressive import MaybeCaller, render_console

router = APIRouter(include_in_schema=False)

_NOT_CHANGED = FIXED_SETTINGS | {"game", "preset_meter_bps"}
"""Settings that belong to the game and its pay table: the page shows them, and changes none."""


class StaffRow(NamedTuple):
    """A person in the list of staff."""

    name: str
    role: str
    stage: str
    since: str


class SettingField(NamedTuple):
    """A field of the form for settings.

    ``kind`` is dollars, percent, number, text or choice.
    """

    name: str
    label: str
    kind: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()


class TableRow(NamedTuple):
    """A table in the list.

    It has its round, its dealer in the browser, its incidents and its counts.
    """

    table: int
    round: int
    is_open: bool
    wagers: int
    waiting: int
    dealer: str
    incidents: tuple[int, ...]
    counts: TableCounts


@router.get("/progressive/console/staff")
def show_staff(call: ViewCall, jackpot: JackpotDep, caller: MaybeCaller) -> HTMLResponse:
    """Show the staff, and the forms that request changes of their accounts."""
    if caller is None:
        return call.render("progressive/log_in.html")
    verify_permission(caller.actor, "read-ledger")
    present = jackpot.staff.list_present(caller.state)
    rows = [
        StaffRow(name, member.role, _describe_stage(member), _format_time(caller.state, present.get(name, 0)))
        for name, member in sorted(caller.state.staff.items(), key=lambda each: (not each[1].active, each[0]))
    ]
    return render_console(
        call,
        "progressive/staff.html",
        caller,
        jackpot,
        rows=rows,
        people=[name for name, member in sorted(caller.state.staff.items()) if member.active],
        roles=[role for role in Role if role is not Role.SEAT],
    )


def _describe_stage(member: StaffMember) -> str:
    """Return how far a person's account is."""
    if not member.active:
        return "ended"
    return "enrolled" if member.enrolled else "invited, has not enrolled yet"


def _format_time(state: ProgressiveState, seconds: int) -> str:
    """Return a time of day in the time zone of the gaming days, "" for none."""
    if not seconds:
        return ""
    return f"{datetime.fromtimestamp(seconds, UTC).astimezone(get_day_clock(get_settings(state)).zone):%H:%M %Z}"


@router.get("/progressive/console/settings")
def show_settings(call: ViewCall, jackpot: JackpotDep, caller: MaybeCaller) -> HTMLResponse:
    """Show the settings in force, and the form that requests others."""
    if caller is None:
        return call.render("progressive/log_in.html")
    verify_permission(caller.actor, "read-ledger")
    settings = get_settings(caller.state)
    return render_console(
        call,
        "progressive/settings.html",
        caller,
        jackpot,
        version=caller.state.version,
        lines=iter_settings(settings),
        game_name=load_game(settings.game).name,
        advice=tuple(iter_advice(settings)),
        fields=list(list_setting_fields(settings)),
    )


def list_setting_fields(settings: Settings) -> Iterator[SettingField]:
    """Yield a field for each setting that a request can change.

    It is in the unit that people write.
    """
    for name, field in Settings.model_fields.items():
        if name not in _NOT_CHANGED:
            yield _make_field(name, field.annotation, getattr(settings, name))


def _make_field(name: str, annotation: Any, value: Any) -> SettingField:
    label = label_setting(name)
    if isinstance(value, bool):
        return SettingField(name, label, "choice", str(value).lower(), (("true", "yes"), ("false", "no")))
    if get_origin(annotation) in {Literal, UnionType}:
        choices = tuple((each, describe_value(name, each)) for each in get_args(annotation))
        return SettingField(name, label, "choice", value, choices)
    if name.endswith("_cents"):
        return SettingField(name, label, "dollars", "" if value == NO_LIMIT else format_cents(value).removeprefix("$"))
    if name.endswith("_bps"):
        return SettingField(name, label, "percent", f"{value / 100:g}")
    return SettingField(name, label, "number" if isinstance(value, int) else "text", str(value))


@router.get("/progressive/console/tables")
def show_tables(call: ViewCall, jackpot: JackpotDep, caller: MaybeCaller) -> HTMLResponse:
    """Show every table.

    The page has its round, what waits there, who deals in the browser, and its counts.
    """
    if caller is None:
        return call.render("progressive/log_in.html")
    verify_permission(caller.actor, "read-ledger")
    linked = find_linked_tables(call.registry, jackpot)
    dealers = {table: call.registry.get_session(name).snapshot.dealer for table, name in linked.items()}
    return render_console(
        call, "progressive/tables.html", caller, jackpot, rows=list(_list_tables(caller.state, dealers))
    )


def _list_tables(state: ProgressiveState, dealers: dict[int, str]) -> Iterator[TableRow]:
    pending = [hit.table for hit in state.list_pending_hits()]
    for table in range(1, get_settings(state).tables + 1):
        played = state.rounds.get(table)
        yield TableRow(
            table,
            played.number if played else 0,
            bool(played and played.running),
            len(played.wagers) if played else 0,
            pending.count(table),
            dealers.get(table, ""),
            tuple(number for number, each in state.incidents.items() if each.table in {0, table}),
            state.counts.get(table, TableCounts()),
        )


@router.get("/progressive/console/shift")
def show_shift(call: ViewCall, jackpot: JackpotDep, caller: MaybeCaller) -> HTMLResponse:
    """Show what the next shift takes over.

    The page also says who is logged in, and since when the gaming day runs.
    """
    if caller is None:
        return call.render("progressive/log_in.html")
    verify_permission(caller.actor, "read-ledger")
    state = caller.state
    clock = get_day_clock(get_settings(state))
    today = clock.find_day(datetime.now(UTC))
    ends = int(datetime.fromisoformat(clock.get_bounds(today).ends).timestamp())
    return render_console(
        call,
        "progressive/shift.html",
        caller,
        jackpot,
        day=today.isoformat(),
        ends=format_moment(ends),
        present=[
            (name, state.staff[name].role, _format_time(state, began))
            for name, began in sorted(jackpot.staff.list_present(state).items())
        ],
        open_tables=[table for table, played in sorted(state.rounds.items()) if played.running],
        pending=[hit for hit in state.hits.values() if hit.step in {"pending", "confirmed"}],
        requests=sorted(state.requests),
        incidents=sorted(state.incidents),
    )
