"""The amounts of awards (SC-6, SC-9).

The hits of all tables stand in one order.  An award is figured when a hand of its round is entered, and again when an
earlier hit is turned off.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations, groupby
from typing import NamedTuple

from pitboss.jackpot.display import compute_shown_meter
from pitboss.jackpot.events import HitEntered, OwedAward, ProgressiveEvent, Reversal
from pitboss.jackpot.lookups import get_round_settings
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.settings import AwardLine, Settings
from pitboss.jackpot.state import ProgressiveState, apply_award, reverse_awards
from pitboss.jackpot.state_parts import Hit, ProgressiveRound
from pitboss.meter import UNITS_PER_CENT, Meter, compute_round_awards, find_seat_in_turn, subtract_meters


def add_hit(
    state: ProgressiveState, current_round: ProgressiveRound, added: OwedAward, actor: Actor
) -> tuple[ProgressiveEvent, ...]:
    """Enter a hand, which puts its round last in the order of hits (SC-9).

    The awards of its round are fixed with it, unless one is confirmed (SC-6), and those that came between again.
    """
    own = _list_unfixed_hits(state, current_round)
    between = _list_hits_after(state, own[0].order) if own else ()
    last = _Group(current_round, state.received, (*(hit.owed for hit in own), added))
    groups = [*_group_hits(state, between), last]
    return (_refigure(state, current_round, (*own, *between), groups, actor),)


def remove_hit(
    state: ProgressiveState, current_round: ProgressiveRound, removed: Hit, actor: Actor
) -> tuple[ProgressiveEvent, ...]:
    """Cancel a hand (SC-9).

    The awards of its round and all later ones are figured again.  Those of a split round stay as they are if one is
    confirmed: they are parts of one display (SC-6).
    """
    is_split = get_round_settings(state, current_round).award_order == "split"
    together = () if is_split and current_round.fixed else state.list_pending_hits()
    own = tuple(hit for hit in together if hit.order == removed.order and hit != removed)
    later = _list_hits_after(state, removed.order)
    return (_refigure(state, current_round, (removed, *own, *later), _group_hits(state, (*own, *later)), actor),)


def compute_free_meter(state: ProgressiveState) -> Meter:
    """Return the least that the meter can come to (P10, SC-9).

    That is over all undecided hits that may be turned off.  So much of it an adjustment may take away.  Awards grow
    with the meter, by no more than the meter does: the least after the hits of a round is the least before them, or
    what some of them leave of that.
    """
    least = compute_shown_meter(state)
    for group in _group_hits(state, state.list_pending_hits()):
        if group.played.fixed and get_round_settings(state, group.played).award_order == "split":
            return Meter(0, 0)  # its parts stay whatever is turned off, so nothing is sure to be left
        some = chain.from_iterable(combinations(group.owed, count + 1) for count in range(len(group.owed)))
        after = [least, *(_pay_group(state, group._replace(owed=hits), least)[1] for hits in some)]
        least = Meter(min(meter.units for meter in after), min(meter.reserve_units for meter in after))
    return least


def _pay_group(state: ProgressiveState, group: "_Group", meter: Meter) -> tuple[tuple[OwedAward, ...], Meter]:
    """Return the awards of a group's hits, and the meter after them.

    They are figured without what the meter has received since they were entered (P5).
    """
    seen = subtract_meters(meter, subtract_meters(state.received, group.received))
    awards = compute_awards(get_round_settings(state, group.played), group.played, seen, group.owed)
    for award in awards:
        meter = apply_award(meter, award)
    return awards, meter


class _Group(NamedTuple):
    """Hits of one round that are figured together.

    ``received`` is what the meter had received when they were entered.
    """

    played: ProgressiveRound
    received: Meter
    owed: tuple[OwedAward, ...]


def _list_unfixed_hits(state: ProgressiveState, current_round: ProgressiveRound) -> tuple[Hit, ...]:
    """Return the undecided hits of a round, none once one is confirmed.

    They have one place in the order.
    """
    return () if current_round.fixed else state.list_pending_hits(current_round.table, current_round.number)


def _list_hits_after(state: ProgressiveState, order: int) -> tuple[Hit, ...]:
    return tuple(hit for hit in state.list_pending_hits() if hit.order > order)


def _group_hits(state: ProgressiveState, hits: Iterable[Hit]) -> list[_Group]:
    """Return hits by their place in the order; those of one place are of one round."""
    groups = groupby(sorted(hits, key=lambda hit: hit.order), lambda hit: hit.order)
    return [
        _Group(state.rounds[together[0].table], together[0].received, tuple(hit.owed for hit in together))
        for together in (tuple(group) for _, group in groups)
    ]


def _refigure(
    state: ProgressiveState,
    current_round: ProgressiveRound,
    replaced: Sequence[Hit],
    groups: Iterable[_Group],
    actor: Actor,
) -> HitEntered:
    """Take the last awards in the order back, and figure groups again in order.

    Each group sees the meter that those before it leave.
    """
    back = compute_reversal(state.meter, (hit.owed for hit in replaced))
    meter, owed = reverse_awards(state.meter, back), list[OwedAward]()
    for group in groups:
        awards, meter = _pay_group(state, group, meter)
        owed += awards
    return HitEntered(
        by=actor.name,
        table=current_round.table,
        round=current_round.number,
        replaced=tuple(hit.owed.award for hit in replaced),
        back=back,
        owed=tuple(owed),
    )


def compute_reversal(meter: Meter, awards: Iterable[OwedAward]) -> Reversal:
    """Return what awards give back.

    That is all that was held, and the part of reserve and seed still in the meter.
    """
    awards = tuple(awards)
    meter_cents = sum(owed.meter_cents for owed in awards)
    left_units = meter.units + meter_cents * UNITS_PER_CENT
    released_units = min(left_units, sum(owed.released_units for owed in awards))
    left_units -= released_units
    seed_cents = min(left_units // UNITS_PER_CENT, sum(owed.seed_cents for owed in awards))
    return Reversal(meter_cents=meter_cents, seed_cents=seed_cents, released_units=released_units)


def compute_awards(
    settings: Settings, current_round: ProgressiveRound, meter: Meter, hits: Sequence[OwedAward]
) -> tuple[OwedAward, ...]:
    """Compute awards, in their turns (SC-6).

    A seat without the wager is owed nothing.
    """
    percents, fixed_cents = [0] * settings.seats, [0] * settings.seats
    for hit in hits:
        line, wager_cents = get_line(settings, hit.hand), current_round.get_wager_cents(hit.seat)
        percents[hit.seat - 1] = line.percent if wager_cents else 0
        fixed_cents[hit.seat - 1] = settings.compute_fixed_cents(line, wager_cents)
    _, awards = compute_round_awards(meter, percents, fixed_cents, settings.meter_terms)
    computed = {seat: award._asdict() for seat, award in enumerate(awards, 1)}
    amounts = {seat: {name: fields[name] for name in fields if name != "meter"} for seat, fields in computed.items()}
    place = {"table": current_round.table, "round": current_round.number}
    turns = [find_seat_in_turn(percents, turn, settings.meter_terms) + 1 for turn in range(settings.seats)]
    in_turn = sorted(hits, key=lambda hit: turns.index(hit.seat))
    return tuple(hit.model_copy(update=amounts[hit.seat] | place) for hit in in_turn)


def get_line(settings: Settings, hand: str) -> AwardLine:
    """Return the award line of an entered hand, by the settings of its round."""
    return next(line for line in settings.lines if line.hand == hand)
