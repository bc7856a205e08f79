"""Payment of decided wagers.

Each circle is paid from the pay tables, percentages come from the meter, and envy is last.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.builders import display_name
from pitboss.contract import UNSETTLED, Game, HandOwner, Outcome, PayTable
from pitboss.core.errors import PayTableError
from pitboss.meter import (
    UNITS_PER_CENT,
    Meter,
    MeterAward,
    add_contribution,
    compute_envy_dollars,
    compute_round_awards,
)
from pitboss.options import get_meter_settings
from pitboss.outcome_nets import compute_leg_net, compute_outcome_net, find_best_line, get_meter_percent
from pitboss.paytables import find_progressive_table
from pitboss.table.round.events import EnvyPaid, LegSettlement, RoundEvent, WagerSettled
from pitboss.table.round.reasons import SettledHand
from pitboss.table.round.wagers import Stake


@dataclass(frozen=True, slots=True)
class DecidedWager:
    """A stake, its outcome, and the hand that it is on."""

    stake: Stake
    outcome: Outcome
    hand: SettledHand


def order_for_settlement(game: Game, stakes: Iterable[Stake]) -> tuple[Stake, ...]:
    """Order stakes that are decided together for settlement.

    The highest seat comes first, then the game's order.  A ``settles_last`` wager comes after its seat's others.
    Wagers on the dealer's own hand come first, when it is opened.
    """
    indexes = {wager.id: index for index, wager in enumerate(game.wagers)}

    def get_position(stake: Stake) -> tuple[bool, int, bool, int]:
        wager = game.wagers[indexes[stake.bet]]
        return wager.hand_owner is not HandOwner.DEALER, -stake.seat, wager.settles_last, indexes[stake.bet]

    return tuple(sorted(stakes, key=get_position))


def list_decided_wagers(
    game: Game,
    stakes: Iterable[Stake],
    results: Sequence[tuple[int, ...]],
    hand_of: Callable[[int, Outcome], SettledHand],
) -> list[DecidedWager]:
    """List those of ``stakes`` whose outcome is decided, in their order.

    ``results`` holds each seat's outcomes by the rules; a wager on another seat's hand has the outcome of that hand.
    ``hand_of`` returns a seat's hand as it lies when an outcome is paid.
    """
    indexes = {wager.id: index for index, wager in enumerate(game.wagers)}
    decided = []
    for stake in stakes:
        seat = stake.seat if stake.on is None else stake.on
        result = results[seat][indexes[stake.bet]]
        if result != UNSETTLED:
            outcome = game.wagers[indexes[stake.bet]].outcomes[result]
            decided.append(DecidedWager(stake, outcome, hand_of(seat, outcome)))
    return decided


def sum_nets_cents(events: Iterable[RoundEvent], seats: int) -> tuple[int, ...]:
    """Sum each seat's net over these events, in cents."""
    nets = [0] * seats
    for event in events:
        if isinstance(event, WagerSettled):
            nets[event.seat] += event.net_cents
        elif isinstance(event, EnvyPaid):
            nets[event.seat] += event.cents
    return tuple(nets)


def create_meter(paytables: Mapping[str, PayTable]) -> Meter | None:
    """Create a meter at its seed; return None if no pay table has a progressive."""
    table = find_progressive_table(paytables)
    if table is None or table.progressive is None:
        return None
    return Meter(table.progressive.seed_cents * UNITS_PER_CENT, 0)


def apply_coin_in(paytables: Mapping[str, PayTable], meter: Meter | None, stakes: Iterable[Stake]) -> Meter | None:
    """Return the meter after the round's progressive wagers (P1, SC-6)."""
    table = find_progressive_table(paytables)
    if table is None or table.progressive is None or meter is None:
        return meter
    for stake in stakes:
        if stake.bet == table.bet:
            meter = add_contribution(meter, stake.cents, table.progressive.meter_bps, table.progressive.reserve_bps)
    return meter


def settle_wagers(
    decided: Sequence[DecidedWager],
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    seats: int,
    meter: Meter | None,
) -> tuple[tuple[WagerSettled, ...], Meter | None]:
    """Settle wagers in order; return their records and the meter afterwards.

    The meter's awards are fixed first, for all seats together (SC-6).
    """
    awards, meter = _fix_awards(decided, paytables, options, seats, meter)
    records = []
    for each in decided:
        stake = each.stake
        award = awards.get(stake)
        percent_cents = award.meter_cents if award and get_meter_percent(each.outcome, paytables) else 0
        legs = tuple(settle_legs(each, paytables, percent_cents))
        records.append(
            WagerSettled(
                seat=stake.seat,
                bet=stake.bet,
                on=stake.on,
                outcome=each.outcome.name,
                net_cents=sum(leg.net_cents for leg in legs),
                legs=legs,
                meter_cents=award.meter_cents if award else 0,
                short_cents=award.short_cents if award else 0,
            )
        )
    return tuple(records), meter


def _fix_awards(
    decided: Sequence[DecidedWager],
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    seats: int,
    meter: Meter | None,
) -> tuple[dict[Stake, MeterAward], Meter | None]:
    """Fix the meter's awards for the wagers that are decided now."""
    table = find_progressive_table(paytables)
    if table is None or table.progressive is None or meter is None:
        return {}, meter
    percents, fixed_cents = [0] * seats, [0] * seats
    staked = [each for each in decided if each.stake.bet == table.bet]
    for each in staked:
        percents[each.stake.seat] = get_meter_percent(each.outcome, paytables)
        paid = compute_outcome_net(each.outcome, paytables, each.stake.cents) + each.stake.cents
        fixed_cents[each.stake.seat] = 0 if percents[each.stake.seat] else _to_whole_cents(paid)
    terms = get_meter_settings(options, table.progressive.seed_cents)
    meter, awards = compute_round_awards(meter, percents, fixed_cents, terms)
    return {each.stake: awards[each.stake.seat] for each in staked}, meter


def settle_legs(decided: DecidedWager, paytables: Mapping[str, PayTable], award_cents: int) -> Iterator[LegSettlement]:
    """Yield the settlement of each circle of a wager.

    A percentage of a meter is paid as ``award_cents``.
    """
    for leg in decided.outcome.legs:
        net = compute_leg_net(leg, paytables, decided.stake.cents, award_cents)
        yield LegSettlement(
            circle=leg.circle,
            stake_cents=leg.stake * decided.stake.cents,
            result=leg.result,
            net_cents=_to_whole_cents(net),
            reason=decided.hand.fill_reason(leg.reason, display_name(find_best_line(leg, paytables))),
        )


def _to_whole_cents(cents: Fraction) -> int:
    """Return whole cents; a fraction is an error, as stakes were checked before."""
    if cents.denominator != 1:
        message = f"a payment of {cents} cents is not a whole number of cents: the pay table does not fit the stake"
        raise PayTableError(message, code="fraction-of-a-cent", cents=cents)
    return cents.numerator


def pay_envy(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    stakes: Iterable[Stake],
    results: Sequence[tuple[int, ...]],
) -> Iterator[EnvyPaid]:
    """Pay each seat with the wager for every other seat's hit (SC-4).

    Envy is paid at the end of the round.  ``results`` holds each seat's outcome of each wager, also of wagers that it
    has not placed: ``envy_hitter_must_wager`` decides whether a hit without a wager pays envy.
    """
    table = find_progressive_table(paytables)
    if table is None:
        return
    index, wager = next((index, wager) for index, wager in enumerate(game.wagers) if wager.id == table.bet)
    wagered_mask = sum(1 << seat for seat in {stake.seat for stake in stakes if stake.bet == table.bet})
    must_wager = int(options.get("envy_hitter_must_wager") != "off")
    for hitter in reversed(range(len(results))):
        line = wager.outcomes[results[hitter][index]].name
        for seat in reversed(range(len(results))):
            dollars = compute_envy_dollars(table.envy.get(line, 0), wagered_mask, hitter, seat, must_wager)
            if dollars:
                yield EnvyPaid(seat, table.bet, hitter, line, 100 * dollars)
