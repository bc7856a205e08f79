"""The automation of a table: it plays the bots, settles rounds, and calls time."""

from collections.abc import Iterator

from pitboss.cards import format_card
from pitboss.table.round.bots import choose_bot_action
from pitboss.table.session.commands import (
    CallTime,
    DealRound,
    PlaceWagers,
    SettleRound,
    TableCommand,
    TakeAction,
    TakeSeat,
)
from pitboss.table.session.fair_seeds import find_awaited_seeds
from pitboss.table.session.state import Phase, TableSession, sum_stakes_cents
from pitboss.table.session.timeouts import is_time_up


def choose_house_command(session: TableSession) -> TableCommand | None:
    """Choose the next automatic command, or None.

    It is a bot's wagers or decision, the deal after the seeds, or the settlement.
    """
    if session.is_closed:
        return None
    match session.phase:
        case Phase.WAGERS:
            return next(_choose_bot_wagers(session), None)
        case Phase.SEEDS:
            return None if find_awaited_seeds(session) else DealRound()
        case Phase.DECISIONS:
            return _choose_bot_decision(session)
        case Phase.SETTLE:
            return None if session.terms.dealer else SettleRound()


def choose_timeout_command(session: TableSession, at: int) -> TableCommand | None:
    """Choose the command when time is up, or None.

    It deals without a seat, voids the round, or decides for the seat.
    """
    if not is_time_up(session, at):
        return None
    match session.phase:
        case Phase.WAGERS:
            return DealRound() if any(held.stakes for held in session.seats.values()) else None
        case Phase.SEEDS | Phase.DECISIONS:
            return CallTime()
        case _:
            return None


def _choose_bot_wagers(session: TableSession) -> Iterator[TableCommand]:
    """Yield the commands that bots still owe before the deal.

    They place standing wagers and buy chips enough for every raise.
    """
    for number, held in session.seats.items():
        if held.bot and held.stakes is None:
            on_seats = tuple(
                stake
                for stake in held.standing
                if stake.on is None or (stake.on in session.seats and stake.on != number)
            )
            enough = 10 * sum_stakes_cents(session.terms, held.standing)
            if held.chips_cents < enough:
                yield TakeSeat(seat=number, cents=enough)
            else:
                yield PlaceWagers(seat=number, stakes=on_seats)


def _choose_bot_decision(session: TableSession) -> TableCommand | None:
    seat = session.turn
    if seat is None or session.round is None or session.round.turn is None or not session.seats[seat].bot:
        return None
    action, cards = choose_bot_action(session.round, session.seats[seat].bot)
    return TakeAction(
        seat=seat, action=action, cards=tuple(format_card(card, session.round.game.deck) for card in cards)
    )
