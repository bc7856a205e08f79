"""What the house does by itself: play its bots, settle, and call time."""

from collections.abc import Iterator

from pitboss.cards import format_card
from pitboss.table.domain.bots import action_of
from pitboss.table.sitting.commands import Command, Deal, Decide, Settle, Sit, TimeOut, Wager
from pitboss.table.sitting.late import is_late
from pitboss.table.sitting.seeds import seeds_awaited
from pitboss.table.sitting.state import Phase, Sitting, staked_cents


def next_of_house(now: Sitting) -> Command | None:
    """Return what the house does at once: a bot's wagers or decision, the deal behind seeds, the settlement."""
    if now.closed:
        return None
    match now.phase:
        case Phase.WAGERS:
            return next(_bots_wagers(now), None)
        case Phase.SEEDS:
            return None if seeds_awaited(now) else Deal()
        case Phase.DECISIONS:
            return _bots_decision(now)
        case Phase.SETTLE:
            return None if now.terms.dealer else Settle()


def late_command(now: Sitting, at: int) -> Command | None:
    """Return what the house does when time is up: deal without a seat, call the round off, or decide for the seat."""
    if not is_late(now, at):
        return None
    match now.phase:
        case Phase.WAGERS:
            return Deal() if any(held.stakes for held in now.seats.values()) else None
        case Phase.SEEDS | Phase.DECISIONS:
            return TimeOut()
        case _:
            return None


def _bots_wagers(now: Sitting) -> Iterator[Command]:
    """Yield what bots have yet to do before the cards: place what they always place, with chips for every raise."""
    for number, held in now.seats.items():
        if held.bot and held.stakes is None:
            on_seats = tuple(
                stake for stake in held.standing if stake.on is None or (stake.on in now.seats and stake.on != number)
            )
            enough = 10 * staked_cents(now.terms, held.standing)
            if held.chips_cents < enough:
                yield Sit(seat=number, cents=enough)
            else:
                yield Wager(seat=number, stakes=on_seats)


def _bots_decision(now: Sitting) -> Command | None:
    seat = now.turn
    if seat is None or now.round is None or now.round.turn is None or not now.seats[seat].bot:
        return None
    action, cards = action_of(now.round, now.seats[seat].bot)
    return Decide(seat=seat, action=action, cards=tuple(format_card(card, now.round.game.deck) for card in cards))
