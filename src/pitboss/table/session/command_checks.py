"""Checks that several commands of a table share."""

from pitboss.core.errors import IllegalActionError, WagerError
from pitboss.core.money import format_dollars
from pitboss.table.round import Stake
from pitboss.table.round.wagers import get_wager, verify_seat_stakes, verify_stakes
from pitboss.table.session.state import Phase, TableSession, open_table_round, sum_stakes_cents
from pitboss.table.session.terms import BetStake


class CommandForbiddenError(IllegalActionError):
    """An error for a command that only another person or the house may give."""


def verify_holder(session: TableSession, seat: int, by: str) -> None:
    """Check that a person sits in a seat."""
    held = session.seats.get(seat)
    if held is None:
        raise IllegalActionError(f"nobody sits in seat {seat}: sit down first", code="empty-seat", seat=seat)
    if held.holder != by:
        raise CommandForbiddenError(
            f"seat {seat} belongs to another player: use your own", code="not-your-seat", seat=seat
        )


def verify_phase(session: TableSession, wanted: Phase, what: str) -> None:
    """Check that the round is in a phase; ``what`` is not possible in another."""
    if session.phase is wanted:
        return
    descriptions = {
        Phase.WAGERS: "wagers are being placed",
        Phase.SEEDS: "seeds are being shown",
        Phase.DECISIONS: f"seat {session.turn} is deciding",
        Phase.SETTLE: "the round is being settled",
    }
    raise IllegalActionError(f"{what} now: {descriptions[session.phase]}", code="wrong-phase")


def verify_placed_wagers(
    session: TableSession, seat: int, wagers: tuple[BetStake, ...], chips_cents: int, *, occupied: bool
) -> None:
    """Check wagers together; if ``occupied``, seats that they are on must be taken."""
    if not wagers:
        return
    blank = open_table_round(session.terms, None)
    stakes = [Stake(seat - 1, each.bet, each.cents, None if each.on is None else each.on - 1) for each in wagers]
    verify_stakes(blank.game, blank.options, blank.limits, session.terms.seats, stakes, session.terms.preset)
    for place, stake in enumerate(stakes):
        name = get_wager(blank.game, stake.bet).name
        if any((earlier.bet, earlier.on) == (stake.bet, stake.on) for earlier in stakes[:place]):
            raise WagerError(f"{name} is placed twice: place each wager once", code="wager-twice", wager=name)
        if occupied and stake.on is not None and stake.on + 1 not in session.seats:
            raise WagerError(
                f"{name} must be on an occupied seat's hand: nobody sits in seat {stake.on + 1}",
                code="empty-seat",
                wager=name,
                seat=stake.on + 1,
            )
    try:
        verify_seat_stakes(blank.game, blank.options, seat - 1, stakes)
    except WagerError as error:
        error.fields = {**error.fields, "seat": seat}  # a session counts from 1
        raise
    total_cents = sum_stakes_cents(session.terms, wagers)
    if total_cents > chips_cents:
        total, chips = format_dollars(total_cents), format_dollars(chips_cents)
        raise WagerError(f"wagers of {total} are more than the {chips} at your seat", code="above-chips")
