"""Awards that a progressive elsewhere has fixed, put in the place of those that a round works out by itself."""

from collections.abc import Iterable
from dataclasses import replace

from pitboss.paytables import find_progressive_table
from pitboss.table.domain.events import Closed, Event, FixedAward, Settled
from pitboss.table.domain.payment import DecidedWager, legs_paid, nets_cents
from pitboss.table.domain.reasons import Hand
from pitboss.table.domain.round import Round
from pitboss.table.domain.wagers import Stake, wager_named


def awarded(now: Round, awards: Iterable[FixedAward]) -> Round:
    """Return a closed round that pays its progressive's winners what was fixed for them elsewhere."""
    table = find_progressive_table(now.paytables)
    bet = table.bet if table else ""
    fixed = {award.seat: award for award in awards}
    events: list[Event] = []
    for event in now.events:
        match event:
            case Settled() if event.bet == bet and event.seat in fixed:
                events.append(_paid(now, event, fixed[event.seat]))
            case Closed():
                events.append(Closed(nets_cents(events, now.seats)))
            case _:
                events.append(event)
    return replace(now, events=tuple(events), awards=tuple(fixed.values()))


def _paid(now: Round, event: Settled, award: FixedAward) -> Settled:
    outcome = next(each for each in wager_named(now.game, event.bet).outcomes if each.name == event.outcome)
    stake = Stake(event.seat, event.bet, now.stake_cents(event.seat, event.bet))
    hand = Hand(now.game, now.states[event.seat], now.codes, now.options, open_to_all=True)
    legs = tuple(legs_paid(DecidedWager(stake, outcome, hand), now.paytables, award.meter_cents))
    return replace(
        event,
        net_cents=sum(leg.net_cents for leg in legs),
        legs=legs,
        meter_cents=award.meter_cents,
        short_cents=award.short_cents,
    )
