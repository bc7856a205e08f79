"""What decided wagers are paid: circle by circle from the pay tables, percentages from the meter, envy last."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.contract import Game, Outcome, PayTable
from pitboss.core.errors import PayTableError
from pitboss.meter import (
    UNITS_PER_CENT,
    Meters,
    contributed,
    envy_cents,
    fixed_from_meter,
    sequence_awards,
    shortfall_cents,
    split_awards,
)
from pitboss.paytables import leg_net, meter_percent
from pitboss.table.domain.events import EnvyPaid, LegPaid, Settled
from pitboss.table.domain.wagers import Stake


@dataclass(frozen=True, slots=True)
class DecidedWager:
    """A stake and how it ended."""

    stake: Stake
    outcome: Outcome


def _progressive_table(paytables: Mapping[str, PayTable]) -> PayTable | None:
    return next((table for table in paytables.values() if table.progressive), None)


def fresh_meters(paytables: Mapping[str, PayTable]) -> Meters | None:
    """Return a meter that stands at its seed, or None where no table has one."""
    table = _progressive_table(paytables)
    if table is None or table.progressive is None:
        return None
    return Meters(table.progressive.seed_cents * UNITS_PER_CENT, 0)


def after_coin_in(paytables: Mapping[str, PayTable], meters: Meters | None, stakes: Iterable[Stake]) -> Meters | None:
    """Return the meters after every progressive wager of the round is taken (P1, SC-6)."""
    table = _progressive_table(paytables)
    if table is None or table.progressive is None or meters is None:
        return meters
    for stake in stakes:
        if stake.bet == table.bet:
            preset = table.progressive
            meters = contributed(meters, stake.cents, preset.meter_bps, preset.reserve_bps)
    return meters


def settle(
    decided: Sequence[DecidedWager],
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    meters: Meters | None,
) -> tuple[tuple[Settled, ...], Meters | None]:
    """Settle wagers in the order given, and return their records and the meters afterwards.

    Percentage awards are fixed first, all together (SC-6); fixed awards come from the meter only where
    ``fixed_awards_from`` says so, and what it cannot pay is the house's.
    """
    awards, meters = _percentage_awards(decided, paytables, options, meters)
    records = []
    for each, award in zip(decided, awards, strict=True):
        legs = tuple(_legs(each, paytables, options, award))
        net = sum(leg.net_cents for leg in legs)
        taken = award
        if meters is not None and not award and options.get("fixed_awards_from") == "meter":
            taken, meters = _fixed_from_meter(each, paytables, meters, net)
        stake = each.stake
        records.append(Settled(stake.seat, stake.bet, stake.on, each.outcome.name, net, legs, award_cents=taken))
    return tuple(records), meters


def _percentage_awards(
    decided: Sequence[DecidedWager],
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    meters: Meters | None,
) -> tuple[list[int], Meters | None]:
    percents = [meter_percent(each.outcome, paytables) for each in decided]
    table = _progressive_table(paytables)
    if not any(percents) or table is None or table.progressive is None or meters is None:
        return [0] * len(decided), meters
    share = sequence_awards if options.get("award_order") != "split" else split_awards
    rounding = 1 if options.get("award_rounding") != "dollar" else 100
    hits = [percent for percent in percents if percent]
    awards, meters = share(meters, hits, table.progressive.seed_cents, 0, rounding)
    left = iter(awards)
    return [next(left) if percent else 0 for percent in percents], meters


def _fixed_from_meter(
    each: DecidedWager, paytables: Mapping[str, PayTable], meters: Meters, net_cents: int
) -> tuple[int, Meters]:
    table = _progressive_table(paytables)
    if table is None or each.stake.bet != table.bet or net_cents < 0:
        return 0, meters
    award = net_cents + each.stake.cents
    return award - shortfall_cents(meters, award), fixed_from_meter(meters, award)


def _legs(
    each: DecidedWager, paytables: Mapping[str, PayTable], options: Mapping[str, str], award_cents: int
) -> Iterator[LegPaid]:
    for leg in each.outcome.legs:
        net = leg_net(leg, paytables, each.stake.cents, award_cents)
        yield LegPaid(
            circle=leg.circle,
            stake_cents=leg.stake * each.stake.cents,
            verdict=leg.verdict,
            net_cents=_whole(net),
            reason=leg.reason.format(**options),
        )


def _whole(cents: Fraction) -> int:
    """Return whole cents; tables and stakes are checked so that nothing else can come here."""
    if cents.denominator != 1:
        message = f"a payment of {cents} cents is not whole: the pay table does not fit the stake"
        raise PayTableError(message)
    return cents.numerator


def envy(
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
    table = _progressive_table(paytables)
    if table is None:
        return
    index, wager = next((index, wager) for index, wager in enumerate(game.wagers) if wager.id == table.bet)
    staked = {stake.seat for stake in stakes if stake.bet == table.bet}
    must_wager = int(options.get("envy_hitter_must_wager") != "off")
    for hitter in reversed(range(len(results))):
        line = wager.outcomes[results[hitter][index]].name
        award = 100 * table.envy.get(line, 0)
        for seat in reversed(range(len(results))):
            cents = envy_cents(seat == hitter, seat in staked, hitter in staked, must_wager, award)
            if cents:
                yield EnvyPaid(seat, table.bet, hitter, line, cents)
