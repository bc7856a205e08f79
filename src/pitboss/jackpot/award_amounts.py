"""The amounts of awards (SC-6, SC-9).

The hits of all tables stand in one order.  An award is computed when a hand of its round is entered, and again when an
earlier hit is turned off.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations, groupby
from typing import NamedTuple, TypeVar

from pitboss.jackpot.display import compute_shown_meter
from pitboss.jackpot.events import HitEntered, OwedAward, ProgressiveEvent, Reversal
from pitboss.jackpot.lookups import get_round_settings, get_settings
from pitboss.jackpot.replay import apply_award, reverse_awards
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.settings import AwardLine, Settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit, Moment, ProgressiveRound, find_seed_keeper, remove_seed
from pitboss.meter import (
    CENTS_PER_DOLLAR,
    FULL_PERCENT,
    UNITS_PER_CENT,
    Meter,
    compute_round_awards,
    find_seat_in_turn,
    subtract_meters,
)

Value = TypeVar("Value")


class _Group(NamedTuple):
    """Hits of one round that are computed together, at the moment of the last hand."""

    played: ProgressiveRound
    moment: Moment
    owed: tuple[OwedAward, ...]


def add_hit(
    state: ProgressiveState, current_round: ProgressiveRound, added: OwedAward, actor: Actor
) -> tuple[ProgressiveEvent, ...]:
    """Enter a hand, which puts its round last in the order of hits (SC-9).

    The awards of its round are fixed with it, unless one is confirmed (SC-6), and those that came between again.
    """
    own = _list_unfixed_hits(state, current_round)
    between = _list_hits_after(state, state.get_group_place(own[0])) if own else ()
    limit_cents = get_settings(state).limit_cents
    now = Moment(state.entries + 1, state.received, limit_cents)
    last = _Group(current_round, now, (*(hit.owed for hit in own), added))
    groups = [*_group_hits(state, between), last]
    return (_refigure(state, current_round, (*own, *between), groups, actor),)


def remove_hit(
    state: ProgressiveState, current_round: ProgressiveRound, removed: Hit, actor: Actor
) -> tuple[ProgressiveEvent, ...]:
    """Cancel a hand (SC-9): a hand turned off is none.

    The awards of its round and all later ones are computed again.  Until one is confirmed, those of its round stand
    where the last hand that remains was entered.  Those of a split round stay as they are if one is confirmed: they
    are parts of one display (SC-6), which keep what they reseeded together.
    """
    stays = current_round.fixed and get_round_settings(state, current_round).award_order == "split"
    together = () if stays else state.list_pending_hits()
    own = tuple(hit for hit in together if hit.fixed == removed.fixed and hit != removed)
    standing = own
    if own and not current_round.fixed:
        moment = state.find_round_moment(removed.table, removed.round, [hit.entered for hit in own])
        standing = tuple(hit.model_copy(update={"fixed": moment}) for hit in own)
    group = state.get_group_place((*standing, removed)[0])
    later = tuple(hit for hit in _list_hits_after(state, group) if hit not in (removed, *own))
    groups = _group_hits(state, (*standing, *later))
    keeper = find_seed_keeper(state.hits.values(), removed) if stays else 0
    return (_refigure(state, current_round, (removed, *own, *later), groups, actor, keeper=keeper),)


def compute_free_meter(state: ProgressiveState) -> Meter:
    """Return the least that the meter can come to (P10, SC-9).

    That is over all undecided hits that may be turned off.  So much of it an adjustment may take away.  But for its
    rounding, an award grows with the meter, by no more than the meter does: the least after the hits of a round is the
    least before them, or what some of them leave of that, less what rounding can add to their awards if the meter is
    not at its least.  For the first in the order the meter is known.  A round whose last hands are turned off may stand
    before other tables' hits, so hits are looked at where each was entered, and also where such a round stands if
    another table's hit is confirmed first.
    """
    least = compute_shown_meter(state)
    runs = list(_iter_runs(state))
    for number, (earlier, hits) in enumerate(runs):
        played, last = state.rounds[hits[0].table], _get_moment(state, hits[-1])
        if played.fixed and get_round_settings(state, played).award_order == "split":
            return Meter(0, 0)  # its parts stay whatever is turned off, so nothing is sure to be left
        choices = (some for some in _iter_some((*earlier, *hits)) if some[-1] not in earlier)
        least = _find_least(state, least, ((some, _get_moment(state, some[-1])) for some in choices), rounds=number > 0)
        for come_back in {later[0].table: later for later, _ in runs[number + 1 :] if later}.values():
            before = [hit for hit in come_back if _get_moment(state, hit).entry < last.entry]
            if before and before[0].table != played.table:
                late = (
                    (some, _get_moment(state, some[-1])._replace(received=last.received)) for some in _iter_some(before)
                )
                least = _find_least(state, least, late, rounds=True)
    return least


def _find_least(
    state: ProgressiveState, least: Meter, choices: Iterable[tuple[Sequence[Hit], Moment]], *, rounds: bool
) -> Meter:
    """Return the least that hits of a round, or none of them, can leave of a meter."""
    after = [least]
    for some, moment in choices:
        rounded_units = _compute_rounding_units(state, some) if rounds else 0
        left = _list_ends(state, some, moment, least)
        after += [Meter(max(0, meter.units - rounded_units), meter.reserve_units) for meter in left]
    return Meter(min(meter.units for meter in after), min(meter.reserve_units for meter in after))


def _get_moment(state: ProgressiveState, hit: Hit) -> Moment:
    """Return the earliest moment at which a hit can stand if others are turned off."""
    if state.rounds[hit.table].fixed:
        return hit.fixed
    return state.find_round_moment(hit.table, hit.round, [hit.entered])


def _iter_runs(state: ProgressiveState) -> Iterable[tuple[tuple[Hit, ...], tuple[Hit, ...]]]:
    """Yield earlier hits of a round, and its hits between those of other rounds."""
    hits = sorted(
        state.list_pending_hits(), key=lambda hit: (state.get_group_place(hit)[0], _get_moment(state, hit).entry)
    )
    seen: dict[int, tuple[Hit, ...]] = {}
    for entry, run in groupby(hits, lambda hit: hit.fixed.entry):
        earlier, together = seen.get(entry, ()), tuple(run)
        seen[entry] = earlier + together
        yield earlier, together


def _iter_some(hits: Sequence[Value]) -> Iterable[tuple[Value, ...]]:
    """Yield every choice of at least one, in their order."""
    return chain.from_iterable(combinations(hits, count + 1) for count in range(len(hits)))


def _list_ends(state: ProgressiveState, hits: Sequence[Hit], moment: Moment, meter: Meter) -> list[Meter]:
    """Return what hits of a round can leave of a meter at a moment.

    Once one is confirmed, the parts of a split round stay (SC-6): some may then be confirmed, and others turned off.
    The first in turn is then confirmed, since the others wait for it; turned off before, it is not among these hits.
    """
    group = _Group(state.rounds[hits[0].table], moment, tuple(hit.owed for hit in hits))
    late = subtract_meters(state.received, moment.received)
    meter = Meter(max(meter.units, late.units), meter.reserve_units)  # an award never sees less than nothing
    settings = get_round_settings(state, group.played)
    awards, end = _pay_group(state, group, meter)
    if settings.award_order != "split":
        return [end]
    seed = Meter(
        sum(award.seed_cents for award in awards) * UNITS_PER_CENT, sum(award.released_units for award in awards)
    )
    ends = []
    for stay in ((awards[0], *others) for others in chain([()], _iter_some(awards[1:]))):
        units = meter.units - sum(award.meter_cents for award in stay) * UNITS_PER_CENT
        if sum(_get_percent(settings, group.played, award) for award in stay) >= FULL_PERCENT:
            ends.append(Meter(units + seed.units + seed.reserve_units, meter.reserve_units - seed.reserve_units))
        else:
            ends.append(Meter(units, meter.reserve_units))
    return ends


def _compute_rounding_units(state: ProgressiveState, hits: Sequence[Hit]) -> int:
    """Return the most that rounding down can take off the awards of some hits.

    A percentage is one of whole cents and rounded to a cent or a dollar; a fixed award leaves the fraction of a cent.
    """
    played = state.rounds[hits[0].table]
    settings = get_round_settings(state, played)
    step_cents = CENTS_PER_DOLLAR if settings.award_rounding == "dollar" else 1
    percentages = sum(_get_percent(settings, played, hit.owed) > 0 for hit in hits)
    return (percentages * step_cents + len(hits)) * UNITS_PER_CENT


def _pay_group(state: ProgressiveState, group: _Group, meter: Meter) -> tuple[tuple[OwedAward, ...], Meter]:
    """Return the awards of a group's hits, and the meter after them.

    They are computed without what the meter has received since they were entered (P5), and with the limit of the
    display at that moment (SC-7).
    """
    seen = subtract_meters(meter, subtract_meters(state.received, group.moment.received))
    settings = get_round_settings(state, group.played).model_copy(update={"limit_cents": group.moment.limit_cents})
    awards = compute_awards(settings, group.played, seen, group.owed)
    for award in awards:
        meter = apply_award(meter, award)
    return awards, meter


def _list_unfixed_hits(state: ProgressiveState, current_round: ProgressiveRound) -> tuple[Hit, ...]:
    """Return the undecided hits of a round, none once one is confirmed.

    They have one place in the order.
    """
    return () if current_round.fixed else state.list_pending_hits(current_round.table, current_round.number)


def _list_hits_after(state: ProgressiveState, group: tuple[bool, int]) -> tuple[Hit, ...]:
    return tuple(hit for hit in state.list_pending_hits() if state.get_group_place(hit) > group)


def _group_hits(state: ProgressiveState, hits: Iterable[Hit]) -> list[_Group]:
    """Return hits by their place in the order; those of one place are of one round."""
    groups = groupby(sorted(hits, key=state.get_group_place), state.get_group_place)
    return [
        _Group(state.rounds[together[0].table], together[0].fixed, tuple(hit.owed for hit in together))
        for together in (tuple(group) for _, group in groups)
    ]


def _refigure(
    state: ProgressiveState,
    current_round: ProgressiveRound,
    replaced: Sequence[Hit],
    groups: Iterable[_Group],
    actor: Actor,
    *,
    keeper: int = 0,
) -> HitEntered:
    """Take the last awards in the order back, and figure groups again in order.

    Each group sees the meter that those before it leave.  What a keeper of the seed keeps of the first is not taken
    back.
    """
    back = compute_reversal(
        state.meter,
        (remove_seed(hit.owed) if keeper and not number else hit.owed for number, hit in enumerate(replaced)),
    )
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
        heir=keeper,
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
        percents[hit.seat - 1] = _get_percent(settings, current_round, hit)
        fixed_cents[hit.seat - 1] = settings.compute_fixed_cents(line, wager_cents)
    _, awards = compute_round_awards(meter, percents, fixed_cents, settings.meter_settings)
    computed = {seat: award._asdict() for seat, award in enumerate(awards, 1)}
    amounts = {seat: {name: fields[name] for name in fields if name != "meter"} for seat, fields in computed.items()}
    place = {"table": current_round.table, "round": current_round.number}
    turns = [find_seat_in_turn(percents, turn, settings.meter_settings) + 1 for turn in range(settings.seats)]
    in_turn = sorted(hits, key=lambda hit: turns.index(hit.seat))
    return tuple(hit.model_copy(update=amounts[hit.seat] | place) for hit in in_turn)


def _get_percent(settings: Settings, played: ProgressiveRound, hit: OwedAward) -> int:
    """Return the percentage that a hand wins, 0 for a seat without the wager."""
    return get_line(settings, hit.hand).percent if played.get_wager_cents(hit.seat) else 0


def get_line(settings: Settings, hand: str) -> AwardLine:
    """Return the award line of an entered hand, by the settings of its round."""
    return next(line for line in settings.lines if line.hand == hand)
