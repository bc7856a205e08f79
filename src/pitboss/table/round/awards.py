"""Awards of a linked progressive, which replace those a round computes."""

from collections.abc import Iterable
from dataclasses import replace

from pitboss.paytables import find_progressive_table
from pitboss.table.round.driver import Round
from pitboss.table.round.events import FixedAward, RoundClosed, RoundEvent, WagerSettled
from pitboss.table.round.payment import DecidedWager, settle_legs, sum_nets_cents
from pitboss.table.round.reasons import SettledHand
from pitboss.table.round.wagers import Stake, get_outcome


def apply_fixed_awards(game_round: Round, awards: Iterable[FixedAward]) -> Round:
    """Return a closed round that pays its progressive awards as fixed elsewhere."""
    table = find_progressive_table(game_round.paytables)
    bet = table.bet if table else ""
    fixed = {award.seat: award for award in awards}
    events: list[RoundEvent] = []
    for event in game_round.events:
        match event:
            case WagerSettled() if event.bet == bet and event.seat in fixed:
                events.append(_apply_fixed_award(game_round, event, fixed[event.seat]))
            case RoundClosed():
                events.append(RoundClosed(sum_nets_cents(events, game_round.seats)))
            case _:
                events.append(event)
    return replace(game_round, events=tuple(events), awards=tuple(fixed.values()))


def _apply_fixed_award(game_round: Round, event: WagerSettled, award: FixedAward) -> WagerSettled:
    outcome = get_outcome(game_round.game, event.bet, event.outcome)
    stake = Stake(event.seat, event.bet, game_round.get_stake_cents(event.seat, event.bet))
    hand = SettledHand(
        game_round.game, game_round.states[event.seat], game_round.option_codes, game_round.options, is_face_up=True
    )
    legs = tuple(settle_legs(DecidedWager(stake, outcome, hand), game_round.paytables, award.meter_cents))
    return replace(
        event,
        net_cents=sum(leg.net_cents for leg in legs),
        legs=legs,
        meter_cents=award.meter_cents,
        short_cents=award.short_cents,
    )
