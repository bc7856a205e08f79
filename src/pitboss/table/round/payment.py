"""What decided wagers are paid: circle by circle from the pay tables, percentages from the meter, envy last."""

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
from pitboss.options import get_meter_terms
from pitboss.paytables import (
    compute_leg_net,
    compute_outcome_net,
    find_best_line,
    find_progressive_table,
    get_meter_percent,
)
from pitboss.table.round.events import EnvyPaid, LegSettlement, RoundEvent, WagerSettled
from pitboss.table.round.reasons import SettledHand
from pitboss.table.round.wagers import Stake


@dataclass(frozen=True, slots=True)
class DecidedWager:
    """A stake and how it ended, on which hand."""

    stake: Stake
    outcome: Outcome
    hand: SettledHand


def order_for_settlement(game: Game, stakes: Iterable[Stake]) -> tuple[Stake, ...]:
    """Order stakes as they are settled where several are decided together: highest seat first, as in the game's order.

    A wager that is ``settles_last`` comes behind its seat's others, and one on the dealer's own hand, as he opens it,
    before all.
    """
    place = {wager.id: index for index, wager in enumerate(game.wagers)}

    def turn(stake: Stake) -> tuple[bool, int, bool, int]:
        wager = game.wagers[place[stake.bet]]
        return wager.hand_owner is not HandOwner.DEALER, -stake.seat, wager.settles_last, place[stake.bet]

    return tuple(sorted(stakes, key=turn))


def list_decided_wagers(
    game: Game,
    stakes: Iterable[Stake],
    results: Sequence[tuple[int, ...]],
    hand_of: Callable[[int, Outcome], SettledHand],
) -> list[DecidedWager]:
    """List those of ``stakes`` whose outcome is known, in their order.

    ``results`` holds what the rules say of each seat's hand; a wager on another seat's hand ends as that hand does.
    ``hand_of`` gives the seat's hand as it lies once that is paid.
    """
    place = {wager.id: index for index, wager in enumerate(game.wagers)}
    decided = []
    for stake in stakes:
        seat = stake.seat if stake.on is None else stake.on
        end = results[seat][place[stake.bet]]
        if end != UNSETTLED:
            outcome = game.wagers[place[stake.bet]].outcomes[end]
            decided.append(DecidedWager(stake, outcome, hand_of(seat, outcome)))
    return decided


def sum_nets_cents(events: Iterable[RoundEvent], seats: int) -> tuple[int, ...]:
    """Return what each seat has won or lost in these events."""
    nets = [0] * seats
    for event in events:
        if isinstance(event, WagerSettled):
            nets[event.seat] += event.net_cents
        elif isinstance(event, EnvyPaid):
            nets[event.seat] += event.cents
    return tuple(nets)


def create_meter(paytables: Mapping[str, PayTable]) -> Meter | None:
    """Return a meter that stands at its seed, or None where no table has one."""
    table = find_progressive_table(paytables)
    if table is None or table.progressive is None:
        return None
    return Meter(table.progressive.seed_cents * UNITS_PER_CENT, 0)


def apply_coin_in(paytables: Mapping[str, PayTable], meter: Meter | None, stakes: Iterable[Stake]) -> Meter | None:
    """Return the meter after every progressive wager of the round is taken (P1, SC-6)."""
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
    """Settle wagers in the order given, and return their records and the meter afterwards.

    What a meter pays is fixed first, for all seats together (SC-6).
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
    """Fix what the meter pays of the wagers decided now."""
    table = find_progressive_table(paytables)
    if table is None or table.progressive is None or meter is None:
        return {}, meter
    percents, fixed_cents = [0] * seats, [0] * seats
    staked = [each for each in decided if each.stake.bet == table.bet]
    for each in staked:
        percents[each.stake.seat] = get_meter_percent(each.outcome, paytables)
        paid = compute_outcome_net(each.outcome, paytables, each.stake.cents) + each.stake.cents
        fixed_cents[each.stake.seat] = 0 if percents[each.stake.seat] else _to_whole_cents(paid)
    terms = get_meter_terms(options, table.progressive.seed_cents)
    meter, awards = compute_round_awards(meter, percents, fixed_cents, terms)
    return {each.stake: awards[each.stake.seat] for each in staked}, meter


def settle_legs(decided: DecidedWager, paytables: Mapping[str, PayTable], award_cents: int) -> Iterator[LegSettlement]:
    """Yield what each circle of a wager is paid, a percentage of a meter as ``award_cents``."""
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
    """Return whole cents; tables and stakes are checked so that nothing else can come here."""
    if cents.denominator != 1:
        message = f"a payment of {cents} cents is not whole: the pay table does not fit the stake"
        raise PayTableError(message)
    return cents.numerator


def pay_envy(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    stakes: Iterable[Stake],
    results: Sequence[tuple[int, ...]],
) -> Iterator[EnvyPaid]:
    """Pay each seat with the wager for every other seat's hit, at the end of the round (SC-4).

    ``results`` holds each seat's outcome of each wager, also where it has not staked: by
    ``envy_hitter_must_wager`` such a hit may still be paid for.
    """
    table = find_progressive_table(paytables)
    if table is None:
        return
    index, wager = next((index, wager) for index, wager in enumerate(game.wagers) if wager.id == table.bet)
    wagered = sum(1 << seat for seat in {stake.seat for stake in stakes if stake.bet == table.bet})
    must_wager = int(options.get("envy_hitter_must_wager") != "off")
    for hitter in reversed(range(len(results))):
        line = wager.outcomes[results[hitter][index]].name
        for seat in reversed(range(len(results))):
            dollars = compute_envy_dollars(table.envy.get(line, 0), wagered, hitter, seat, must_wager)
            if dollars:
                yield EnvyPaid(seat, table.bet, hitter, line, 100 * dollars)
