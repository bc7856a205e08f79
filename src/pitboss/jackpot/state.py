"""The state of a progressive: a fold of its events.  ``apply_event`` adds one; nothing here decides or refuses.

Every number in the state is a whole number, so the state can be written as JSON and read back.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeVar

from pydantic import Field

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.accounts import Account, Purpose, make_postings
from pitboss.jackpot.events import (
    AdjustmentMade,
    AwardBackedOut,
    AwardConfirmed,
    AwardPaid,
    Change,
    ChangeRequested,
    DisplayReconciled,
    HitEntered,
    IncidentClosed,
    IncidentOpened,
    IncidentSigned,
    OwedAward,
    ProgressiveCreated,
    ProgressiveEvent,
    ProgressiveWager,
    RequestDeclined,
    Reversal,
    RoundEnded,
    RoundOpened,
    SettingsChanged,
    StaffChanged,
    WinPageReprinted,
)
from pitboss.jackpot.roles import Role
from pitboss.jackpot.settings import Settings
from pitboss.meter import NO_LIMIT, UNITS_PER_CENT, Meter, compute_displayed_cents, compute_overflow_units

Value = TypeVar("Value")

_BALANCE_KEYS = {account: tuple(f"{account}:{purpose}" for purpose in Purpose) for account in Account}

MAX_FINISHED_HITS = 1_000
"""The number of finished hits that the state holds, for reprints and the list of the last hits."""


class ProgressiveRound(StrictModel):
    """A table's latest round.  ``fixed``: one of its wins was confirmed, so its awards are not computed again.

    ``link`` names the browser table that plays it, "" for the console.
    """

    table: int
    number: int
    version: int
    wagers: tuple[ProgressiveWager, ...]
    running: bool = True
    fixed: bool = False
    link: str = ""

    def get_wager_cents(self, seat: int) -> int:
        """Return a seat's wager in cents, 0 for none."""
        return next((wager.cents for wager in self.wagers if wager.seat == seat), 0)


class Hit(StrictModel):
    """A hand that was entered, its step in the procedure, and the meter before and after its award."""

    owed: OwedAward
    table: int
    round: int
    before_units: int
    after_units: int
    step: Literal["pending", "confirmed", "paid", "cancelled", "backed-out"] = "pending"
    confirmed_by: str = ""
    paid_by: str = ""
    copies: int = 0

    @property
    def cents(self) -> int:
        """The cents owed to the winner, from meter and tray."""
        return self.owed.meter_cents + self.owed.tray_cents


class ChangeRequest(StrictModel):
    """A requested change that nobody has approved yet."""

    by: str
    change: Change


class Incident(StrictModel):
    """A fault that two people must close; ``signed_by`` is the first of them."""

    table: int
    what: str
    text: str
    signed_by: str = ""
    software: str = ""


class TableCounts(StrictModel):
    """A table's counters: wagers and their sum, hits entered, wins confirmed, amounts won and paid."""

    in_count: int = 0
    in_cents: int = 0
    hits: int = 0
    wins: int = 0
    won_cents: int = 0
    backed_out_cents: int = 0
    paid_cents: int = 0
    envy_cents: int = 0


class StaffMember(StrictModel):
    """A person's role; it has ended if not ``active``."""

    role: Role
    active: bool


class ProgressiveState(StrictModel):
    """The state of a progressive after ``entries`` entries.

    ``totals`` has the balance of every ACCOUNT:PURPOSE; ``software`` is the accepted software.
    """

    entries: int = 0
    software: str = ""
    version: int = 0
    settings: Settings | None = None
    meter_units: int = 0
    reserve_units: int = 0
    totals: dict[str, int] = Field(default_factory=dict)
    rounds: dict[int, ProgressiveRound] = Field(default_factory=dict)
    hits: dict[int, Hit] = Field(default_factory=dict)
    requests: dict[int, ChangeRequest] = Field(default_factory=dict)
    incidents: dict[int, Incident] = Field(default_factory=dict)
    counts: dict[int, TableCounts] = Field(default_factory=dict)
    staff: dict[str, StaffMember] = Field(default_factory=dict)
    last_award: int = 0
    last_request: int = 0
    last_incident: int = 0

    @property
    def meter(self) -> Meter:
        """The meter after every held award."""
        return Meter(self.meter_units, self.reserve_units)

    def get_balance(self, account: Account, *purposes: Purpose) -> int:
        """Return the balance of an account, for these purposes or for all."""
        keys = [f"{account}:{purpose}" for purpose in purposes] if purposes else _BALANCE_KEYS[account]
        return sum(self.totals.get(key, 0) for key in keys)

    def list_pending_hits(self, table: int = 0, round_number: int = 0) -> tuple[Hit, ...]:
        """Return the hits that are not confirmed yet, of one round of a table or of all."""
        return tuple(
            hit
            for hit in self.hits.values()
            if hit.step == "pending" and (not table or (hit.table, hit.round) == (table, round_number))
        )


def compute_shown_meter(state: ProgressiveState) -> Meter:
    """Return the meter before its unconfirmed hits, but never less than what is owed on them (P4)."""
    hits = [hit.owed for hit in state.list_pending_hits()]
    owed_units = sum(owed.meter_cents for owed in hits) * UNITS_PER_CENT
    added_units = sum(owed.seed_cents * UNITS_PER_CENT + owed.released_units for owed in hits)
    released_units = sum(owed.released_units for owed in hits)
    units = max(owed_units, state.meter_units + owed_units - added_units)
    return Meter(units, state.reserve_units + released_units)


def get_display_cents(state: ProgressiveState) -> int:
    """Return the cents that the display shows."""
    limit_cents = state.settings.limit_cents if state.settings else NO_LIMIT
    return compute_displayed_cents(compute_shown_meter(state), limit_cents)


def get_display_overflow_units(state: ProgressiveState) -> int:
    """Return the units above the limit, which are metered but not displayed (P12)."""
    limit_cents = state.settings.limit_cents if state.settings else NO_LIMIT
    return compute_overflow_units(compute_shown_meter(state), limit_cents)


def replay_events(events: Iterable[ProgressiveEvent], state: ProgressiveState | None = None) -> ProgressiveState:
    """Apply events in order to a state, by default to the empty state."""
    state = state or ProgressiveState()
    for event in events:
        state = apply_event(state, event)
    return state


def apply_event(state: ProgressiveState, event: ProgressiveEvent) -> ProgressiveState:
    """Return the state after one more event."""
    totals = dict(state.totals)
    for line in make_postings(event):
        key = f"{line.account}:{line.purpose}"
        totals[key] = totals.get(key, 0) + line.units
    changes = dict(_compute_changes(state, event))
    return state.model_copy(update={"entries": state.entries + 1, "totals": totals, **changes})


def _compute_changes(state: ProgressiveState, event: ProgressiveEvent) -> Mapping[str, object]:
    """Return the fields of the state that an event changes, without the balances."""
    match event:
        case ProgressiveCreated():
            seed_units = event.settings.seed_cents * UNITS_PER_CENT
            settings = {"version": 1, "settings": event.settings, "software": event.software}
            return {**settings, "meter_units": seed_units}
        case RoundOpened():
            return _apply_coin_in(state, event)
        case HitEntered():
            return _apply_hits(state, event)
        case AwardConfirmed():
            return _apply_confirmation(state, event)
        case AwardPaid():
            return _apply_payment(state, event)
        case RoundEnded():
            ended = state.rounds[event.table]
            envy_cents = sum(envy.cents for envy in event.envy)
            return {
                "rounds": state.rounds | {event.table: ended.model_copy(update={"running": False})},
                "counts": _add_counts(state, event.table, envy_cents=envy_cents),
            }
        case AwardBackedOut():
            return _apply_back_out(state, event)
        case WinPageReprinted():
            return _update_hit(state, event.award, copies=event.copy_number)
        case StaffChanged():
            return {"staff": state.staff | {event.name: StaffMember(role=event.role, active=event.active)}}
        case DisplayReconciled():
            return {}
        case ChangeRequested() | AdjustmentMade() | SettingsChanged() | RequestDeclined():
            return _apply_request(state, event)
        case _:
            return _apply_incident(state, event)


def _apply_coin_in(state: ProgressiveState, event: RoundOpened) -> Mapping[str, object]:
    opened = ProgressiveRound(
        table=event.table, number=event.round, version=event.version, wagers=event.wagers, link=event.link
    )
    return {
        "meter_units": state.meter_units + event.meter_units,
        "reserve_units": state.reserve_units + event.reserve_units,
        "rounds": state.rounds | {event.table: opened},
        "counts": _add_counts(
            state, event.table, in_count=len(event.wagers), in_cents=sum(wager.cents for wager in event.wagers)
        ),
    }


def _apply_hits(state: ProgressiveState, event: HitEntered) -> Mapping[str, object]:
    meter = _reverse_awards(state.meter, event.back)
    hits = dict(state.hits)
    for award in event.replaced:
        hits[award] = hits[award].model_copy(update={"step": "cancelled"})
    for owed in event.owed:
        before_units = meter.units
        meter = Meter(
            meter.units + (owed.seed_cents - owed.meter_cents) * UNITS_PER_CENT + owed.released_units,
            meter.reserve_units - owed.released_units,
        )
        hits[owed.award] = Hit(
            owed=owed, table=event.table, round=event.round, before_units=before_units, after_units=meter.units
        )
    fixed = {owed.award for owed in event.owed}
    entered = len(fixed - set(event.replaced)) - len(set(event.replaced) - fixed)
    return {
        "meter_units": meter.units,
        "reserve_units": meter.reserve_units,
        "hits": _prune_hits(hits),
        "counts": _add_counts(state, event.table, hits=entered),
        "last_award": max(state.last_award, *fixed, 0),
    }


def _reverse_awards(meter: Meter, back: Reversal) -> Meter:
    """Return the meter after awards were put back into it."""
    return Meter(
        meter.units + (back.meter_cents - back.seed_cents) * UNITS_PER_CENT - back.released_units,
        meter.reserve_units + back.released_units,
    )


def _prune_hits(hits: dict[int, Hit]) -> dict[int, Hit]:
    """Drop the oldest finished hits if there are more than ``MAX_FINISHED_HITS``."""
    finished = [award for award, hit in hits.items() if hit.step not in {"pending", "confirmed"}]
    dropped = set(sorted(finished)[: max(0, len(finished) - MAX_FINISHED_HITS)])
    return {award: hit for award, hit in hits.items() if award not in dropped} if dropped else hits


def _apply_confirmation(state: ProgressiveState, event: AwardConfirmed) -> Mapping[str, object]:
    hit = state.hits[event.award]
    current = state.rounds[hit.table]
    won_cents = event.meter_cents + event.tray_cents
    return {
        **_update_hit(state, event.award, step="confirmed", confirmed_by=event.by),
        "rounds": state.rounds | {hit.table: current.model_copy(update={"fixed": True})},
        "counts": _add_counts(state, hit.table, wins=int(won_cents > 0), won_cents=won_cents),
    }


def _apply_payment(state: ProgressiveState, event: AwardPaid) -> Mapping[str, object]:
    return {
        **_update_hit(state, event.award, step="paid", paid_by=event.by),
        "counts": _add_counts(state, state.hits[event.award].table, paid_cents=event.cents),
    }


def _apply_back_out(state: ProgressiveState, event: AwardBackedOut) -> Mapping[str, object]:
    meter = _reverse_awards(state.meter, event.back)
    hit = state.hits[event.award]
    return {
        **_update_hit(state, event.award, step="backed-out"),
        "meter_units": meter.units,
        "reserve_units": meter.reserve_units,
        "counts": _add_counts(state, hit.table, backed_out_cents=hit.cents),
        "requests": _drop_key(state.requests, event.request),
    }


def _apply_request(
    state: ProgressiveState, event: ChangeRequested | AdjustmentMade | SettingsChanged | RequestDeclined
) -> Mapping[str, object]:
    match event:
        case ChangeRequested():
            request = ChangeRequest(by=event.by, change=event.change)
            return {"requests": state.requests | {event.request: request}, "last_request": event.request}
        case AdjustmentMade():
            units = event.adjustment.cents * UNITS_PER_CENT
            field = f"{event.adjustment.account}_units"
            changes: Mapping[str, object] = {field: getattr(state, field) + units}
        case SettingsChanged():
            changes = {"settings": event.settings, "version": event.version}
        case _:  # declined
            changes = {}
    return {**changes, "requests": _drop_key(state.requests, event.request)}


def _apply_incident(
    state: ProgressiveState, event: IncidentOpened | IncidentSigned | IncidentClosed
) -> Mapping[str, object]:
    number = event.incident
    match event:
        case IncidentOpened():
            opened = Incident(table=event.table, what=event.what, text=event.text, software=event.software)
            return {"incidents": state.incidents | {number: opened}, "last_incident": number}
        case IncidentSigned():
            signed = state.incidents[number].model_copy(update={"signed_by": event.by})
            return {"incidents": state.incidents | {number: signed}}
        case _:  # closed
            accepted = state.incidents[number].software or state.software
            return {"incidents": _drop_key(state.incidents, number), "software": accepted}


def _update_hit(state: ProgressiveState, award: int, **changes: object) -> dict[str, object]:
    return {"hits": state.hits | {award: state.hits[award].model_copy(update=changes)}}


def _add_counts(state: ProgressiveState, table: int, **more: int) -> dict[int, TableCounts]:
    counts = state.counts.get(table, TableCounts())
    added = {name: getattr(counts, name) + number for name, number in more.items()}
    return state.counts | {table: counts.model_copy(update=added)}


def _drop_key(mapping: dict[int, Value], key: int) -> dict[int, Value]:
    return {other: value for other, value in mapping.items() if other != key}
