"""Applying events to the state of a progressive.

``apply_event`` adds an event.  Nothing here decides or refuses: an entry of the ledger is replayed as it was written.
"""

from collections.abc import Collection, Mapping
from typing import TypeVar

from pitboss.jackpot.accounts import make_postings
from pitboss.jackpot.events import (
    AdjustmentMade,
    AwardBackedOut,
    AwardConfirmed,
    AwardPaid,
    ChangeRequested,
    DisplayReconciled,
    HitEntered,
    IncidentClosed,
    IncidentOpened,
    IncidentSigned,
    OwedAward,
    ProgressiveCreated,
    ProgressiveEvent,
    RequestDeclined,
    Reversal,
    RoundEnded,
    RoundOpened,
    SettingsChanged,
    WinPageReprinted,
)
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.staff_events import StaffEnded, StaffEvent, StaffInvited
from pitboss.jackpot.staff_state import StaffRecord, apply_staff_event
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import ChangeRequest, Hit, Incident, Moment, ProgressiveRound, TableCounts
from pitboss.meter import NO_LIMIT, UNITS_PER_CENT, Meter, add_meters

Value = TypeVar("Value")

MAX_FINISHED_HITS = 1_000
"""The number of finished hits that the state holds; older ones are read from the ledger (``award_history``)."""


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
            settings = {
                "version": 1,
                "settings": event.settings,
                "software": event.software,
                "covered": state.covered or event.covered,
            }
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
            ended = state.rounds[event.table].model_copy(update={"running": False})
            envy_cents = sum(envy.cents for envy in event.envy)
            rounds = state.rounds | {event.table: ended}
            return {
                "rounds": rounds,
                "earlier_settings": _select_used(state.earlier_settings, rounds),
                "counts": _add_counts(state, event.table, envy_cents=envy_cents),
            }
        case AwardBackedOut():
            return _apply_back_out(state, event)
        case WinPageReprinted():
            forgotten = event.award not in state.hits  # the ledger's records count its copies
            return {} if forgotten else _update_hit(state, event.award, copies=event.copy_number)
        case DisplayReconciled():
            return {}
        case ChangeRequested() | AdjustmentMade() | SettingsChanged() | RequestDeclined():
            return _apply_request(state, event)
        case IncidentOpened() | IncidentSigned() | IncidentClosed():
            return _apply_incident(state, event)
        case _:
            return _apply_staff(state, event)


def _apply_coin_in(state: ProgressiveState, event: RoundOpened) -> Mapping[str, object]:
    opened = ProgressiveRound(
        table=event.table, number=event.round, version=event.version, wagers=event.wagers, link=event.link
    )
    return {
        "meter_units": state.meter_units + event.meter_units,
        "reserve_units": state.reserve_units + event.reserve_units,
        "received": add_meters(state.received, Meter(event.meter_units, event.reserve_units)),
        "rounds": state.rounds | {event.table: opened},
        "counts": _add_counts(
            state, event.table, in_count=len(event.wagers), in_cents=sum(wager.cents for wager in event.wagers)
        ),
    }


def _apply_hits(state: ProgressiveState, event: HitEntered) -> Mapping[str, object]:
    meter = reverse_awards(state.meter, event.back)
    hits = dict(state.hits)
    for award in event.replaced:
        hits[award] = hits[award].model_copy(update={"step": "cancelled"})
    if event.heir:
        (removed,) = set(event.replaced) - {owed.award for owed in event.owed}
        hits[event.heir] = _take_over_seed(hits[event.heir], hits[removed])
    now = Moment(state.entries + 1, state.received, state.settings.limit_cents if state.settings else NO_LIMIT)
    together = _find_moment(state, event, now)
    for turn, owed in enumerate(event.owed):
        old = state.hits.get(owed.award)
        played = state.rounds[old.table if old else owed.table or event.table]
        moment = together if together and played.table == event.table else old.fixed if old else now
        late_units = state.received.units - moment.received.units
        before_units = meter.units - late_units
        meter = apply_award(meter, owed)
        hits[owed.award] = Hit(
            owed=owed,
            entered=old.entered if old else now,
            fixed=moment,
            turn=old.turn if old and old.fixed == moment else turn,
            split_percent=_get_split_percent(state, played, owed),
            table=played.table,
            round=played.number,
            before_units=before_units,
            after_units=meter.units - late_units,
        )
    fixed = {owed.award for owed in event.owed}
    entered = len(fixed - set(event.replaced)) - len(set(event.replaced) - fixed)
    return {
        "meter_units": meter.units,
        "reserve_units": meter.reserve_units,
        "hits": _prune_hits(hits, state.rounds),
        "counts": _add_counts(state, event.table, hits=entered),
        "last_award": max(state.last_award, *fixed, 0),
        "entered_again": {
            **_drop_values(state.entered_again, event.replaced),
            **{owed.lost_award: owed.award for owed in event.owed if owed.lost_award},
        },
    }


def _find_moment(state: ProgressiveState, event: HitEntered, now: Moment) -> Moment | None:
    """Return the moment at which a round stands, None once a hit is confirmed.

    It is that of the last hand of the round, so a hand that is turned off leaves no trace but on confirmed awards.
    """
    current = state.rounds[event.table]
    olds = [state.hits.get(owed.award) for owed in event.owed]
    own = [old.entered if old else now for old in olds if old is None or old.table == event.table]
    if current.fixed or not own:
        return None
    return state.find_round_moment(current.table, current.number, own)


def _get_split_percent(state: ProgressiveState, played: ProgressiveRound, owed: OwedAward) -> int:
    settings = state.get_round_settings(played)
    line = settings.find_line(owed.hand) if settings and settings.award_order == "split" else None
    return line.percent if line and played.get_wager_cents(owed.seat) else 0


def _take_over_seed(keeper: Hit, removed: Hit) -> Hit:
    """Return a hit that also keeps the seed and reserve of a removed one (SC-6)."""
    seed_cents = keeper.owed.seed_cents + removed.owed.seed_cents
    released_units = keeper.owed.released_units + removed.owed.released_units
    return keeper.model_copy(
        update={"owed": keeper.owed.model_copy(update={"seed_cents": seed_cents, "released_units": released_units})}
    )


def apply_award(meter: Meter, owed: OwedAward) -> Meter:
    """Return the meter after an award was taken from it."""
    return Meter(
        meter.units + (owed.seed_cents - owed.meter_cents) * UNITS_PER_CENT + owed.released_units,
        meter.reserve_units - owed.released_units,
    )


def reverse_awards(meter: Meter, back: Reversal) -> Meter:
    """Return the meter after awards were put back into it."""
    return Meter(
        meter.units + (back.meter_cents - back.seed_cents) * UNITS_PER_CENT - back.released_units,
        meter.reserve_units + back.released_units,
    )


def _prune_hits(hits: dict[int, Hit], rounds: Mapping[int, ProgressiveRound]) -> dict[int, Hit]:
    """Drop the oldest finished hits if there are more than ``MAX_FINISHED_HITS``.

    A decided hit stays while its round runs: it has a place in the order of hits and earns envy, and its seat wins
    nothing more.
    """
    running = {(each.table, each.number) for each in rounds.values() if each.running}
    finished = [
        award
        for award, hit in hits.items()
        if hit.step not in {"pending", "confirmed"}
        and not (hit.step in {"paid", "backed-out"} and (hit.table, hit.round) in running)
    ]
    dropped = set(sorted(finished)[: max(0, len(finished) - MAX_FINISHED_HITS)])
    return {award: hit for award, hit in hits.items() if award not in dropped} if dropped else hits


def _apply_confirmation(state: ProgressiveState, event: AwardConfirmed) -> Mapping[str, object]:
    hit = state.hits[event.award]
    current = state.rounds[hit.table]
    won_cents = event.meter_cents + event.tray_cents
    is_from_meter = state.is_from_meter(hit)
    settled = (*current.settled, hit.fixed.entry) if is_from_meter else current.settled
    is_last = is_from_meter and (state.decided is None or state.decided.entry < hit.fixed.entry)
    return {
        **_update_hit(state, event.award, step="confirmed", confirmed_by=event.by),
        "rounds": state.rounds | {hit.table: current.model_copy(update={"settled": settled})},
        "decided": hit.fixed if is_last else state.decided,
        "counts": _add_counts(state, hit.table, wins=int(won_cents > 0), won_cents=won_cents),
    }


def _apply_payment(state: ProgressiveState, event: AwardPaid) -> Mapping[str, object]:
    return {
        **_update_hit(state, event.award, step="paid", paid_by=event.by),
        "counts": _add_counts(state, state.hits[event.award].table, paid_cents=event.cents),
    }


def _apply_back_out(state: ProgressiveState, event: AwardBackedOut) -> Mapping[str, object]:
    meter = reverse_awards(state.meter, event.back)
    hit = state.hits[event.award]
    hits = state.hits | {event.award: hit.model_copy(update={"step": "backed-out"})}
    if event.heir:
        hits[event.heir] = _take_over_seed(hits[event.heir], hit)
    return {
        "hits": hits,
        "meter_units": meter.units,
        "reserve_units": meter.reserve_units,
        "received": reverse_awards(state.received, event.back),
        "counts": _add_counts(state, hit.table, backed_out_cents=hit.cents),
        "entered_again": _drop_values(state.entered_again, (event.award,)),
        "requests": _drop_key(state.requests, event.request),
    }


def _apply_request(
    state: ProgressiveState, event: ChangeRequested | AdjustmentMade | SettingsChanged | RequestDeclined
) -> Mapping[str, object]:
    match event:
        case ChangeRequested():
            request = ChangeRequest(
                by=event.by, change=event.change, version=state.version, requester=state.staff.get(event.by)
            )
            return {"requests": state.requests | {event.request: request}, "last_request": event.request}
        case AdjustmentMade():
            units = event.adjustment.cents * UNITS_PER_CENT
            added = Meter(units, 0) if event.adjustment.account == "meter" else Meter(0, units)
            meter = add_meters(state.meter, added)
            changes: Mapping[str, object] = {
                "meter_units": meter.units,
                "reserve_units": meter.reserve_units,
                "received": add_meters(state.received, added),
            }
        case SettingsChanged():
            earlier = state.earlier_settings | ({state.version: state.settings} if state.settings else {})
            changes = {
                "settings": event.settings,
                "version": event.version,
                "earlier_settings": _select_used(earlier, state.rounds),
            }
        case _:  # declined
            changes = {}
    return {**changes, "requests": _drop_key(state.requests, event.request)}


def _apply_staff(state: ProgressiveState, event: StaffEvent) -> Mapping[str, object]:
    record = StaffRecord(state.staff, state.sessions, state.covered, state.signing_keys, state.revoked_keys)
    record = apply_staff_event(record, event)
    if isinstance(event, StaffInvited | StaffEnded):
        return {**record._asdict(), "requests": _drop_key(state.requests, event.request)}
    return record._asdict()


def _apply_incident(
    state: ProgressiveState, event: IncidentOpened | IncidentSigned | IncidentClosed
) -> Mapping[str, object]:
    number = event.incident
    match event:
        case IncidentOpened():
            opened = Incident(table=event.table, what=event.what, text=event.text, software=event.software)
            incidents = {"incidents": state.incidents | {number: opened}, "last_incident": number}
            after = event.numbers_after
            return incidents | ({"numbers_after": after, "last_award": after, "last_request": after} if after else {})
        case IncidentSigned():
            signed = state.incidents[number].model_copy(
                update={"signed_by": event.by, "signer": state.staff.get(event.by)}
            )
            return {"incidents": state.incidents | {number: signed}}
        case _:  # closed
            closed = state.incidents[number]
            accepted = state.software if event.is_absent else closed.software or state.software
            return {"incidents": _drop_key(state.incidents, number), "software": accepted}


def _update_hit(state: ProgressiveState, award: int, **changes: object) -> dict[str, object]:
    return {"hits": state.hits | {award: state.hits[award].model_copy(update=changes)}}


def _add_counts(state: ProgressiveState, table: int, **more: int) -> dict[int, TableCounts]:
    counts = state.counts.get(table, TableCounts())
    added = {name: getattr(counts, name) + number for name, number in more.items()}
    return state.counts | {table: counts.model_copy(update=added)}


def _select_used(settings: dict[int, Settings], rounds: dict[int, ProgressiveRound]) -> dict[int, Settings]:
    """Return the settings, by version, of rounds that are still open."""
    used = {each.version for each in rounds.values() if each.running}
    return {version: each for version, each in settings.items() if version in used}


def _drop_values(mapping: dict[int, int], dropped: Collection[int]) -> dict[int, int]:
    return {key: value for key, value in mapping.items() if value not in dropped}


def _drop_key(mapping: dict[int, Value], key: int) -> dict[int, Value]:
    return {other: value for other, value in mapping.items() if other != key}
