"""The stakes of ``pitboss play``.

They are given on the command line, or asked for one by one and checked at once.
"""

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Console

from pitboss.cli.arguments import parse_dollars
from pitboss.cli.prompts import ask
from pitboss.contract import Game, HandOwner, StakeConstraintKind, Wager
from pitboss.core.errors import WagerError
from pitboss.core.money import format_cents, parse_cents
from pitboss.options import find_active_constraints
from pitboss.table.round import Round, Stake
from pitboss.table.round.wagers import (
    describe_constraint,
    get_circle_name,
    get_stake_name,
    get_wager,
    verify_constraints,
)

PreviousStakes = Mapping[tuple[int, str, int | None], int]
"""The stakes of the previous round, in cents, by seat, bet and the other seat whose hand it was on (or None)."""


def parse_wagers(game: Game, texts: Iterable[str], seats: int) -> list[Stake]:
    """Parse the wagers of the command line.

    ``BET=DOLLARS`` is staked by every seat, ``BET@SEAT=DOLLARS`` by every other seat on that seat's hand.

    >>> from pitboss.games import load_game
    >>> [(stake.seat, stake.on) for stake in parse_wagers(load_game("lunar"), ["multi-super@2=5"], 3)]
    [(0, 1), (2, 1)]

    Raises:
        UnknownNameError: the game has no such bet.
        WagerError: a word is malformed, or names a seat the wager does not take, or lacks a seat it needs.
    """
    stakes = []
    for word in texts:
        place, equals, dollars = word.partition("=")
        bet, at, seat = place.partition("@")
        if not equals:
            raise WagerError(
                f"{word!r} is not a wager: write BET=DOLLARS, for example main=10", code="invalid-wager", word=word
            )
        cents = parse_dollars(dollars, f"--wager {place}:")
        if (get_wager(game, bet).hand_owner is HandOwner.OTHER_SEAT) is not bool(at):
            fix = f"name one, for example {bet}@2={dollars}" if not at else f"write {bet}={dollars}"
            raise WagerError(
                f"{bet} {'cannot be' if at else 'must be'} on another seat's hand: {fix}",
                code="wrong-hand-owner",
                bet=bet,
            )
        on = _parse_seat(seat, seats) if at else None
        stakes += [Stake(staking, bet, cents, on) for staking in range(seats) if staking != on]
    return stakes


def _parse_seat(text: str, seats: int) -> int:
    """Parse a seat number, written 2 or p2; return the seat counted from 0."""
    names = {f"{prefix}{seat + 1}": seat for prefix in ("", "p") for seat in range(seats)}
    if seats == 1 or text.lower() not in names:
        fix = f"seats are 1 to {seats}" if seats > 1 else "give --seats 2 or more"
        raise WagerError(f"there is no other seat {text!r}: {fix}", code="no-other-seat", text=text)
    return names[text.lower()]


def ask_stakes(console: Console, game_round: Round, previous: PreviousStakes, bankroll_cents: int) -> Round:
    """Ask every seat for its wagers and return the round with the stakes.

    Enter repeats the ``previous`` stake, 0 stakes nothing.  An answer that breaks limits, constraints or bankroll is
    asked for again; a proposed stake never breaks them.

    Raises:
        NoAnswerError: input has ended, or the answer is q.
        WagerError: the bankroll does not cover the mandatory wagers.
    """
    needed = compute_needed_cents(game_round)
    if needed > bankroll_cents:
        bankroll, minimum = format_cents(bankroll_cents), format_cents(needed)
        raise WagerError(
            f"a bankroll of {bankroll} does not cover the minimum stakes of a round, {minimum}",
            code="below-minimum",
            bankroll=bankroll,
            minimum=minimum,
        )
    for seat in range(game_round.seats):
        for wager in game_round.game.wagers:
            for on in _list_target_seats(game_round, wager, seat):
                usual = previous.get((seat, wager.id, on), 0)
                game_round = _ask_stake(console, game_round, wager, Stake(seat, wager.id, usual, on), bankroll_cents)
    return game_round


def _list_target_seats(game_round: Round, wager: Wager, seat: int) -> list[int | None]:
    """Return the seats on whose hands a seat may place a wager.

    None means its own hand.  The list is empty if the seat may not place the wager.
    """
    placed = _get_placed_cents(game_round, seat)
    lacks_partner = any(
        constraint.kind is StakeConstraintKind.ONLY_WITH and constraint.bet not in placed
        for constraint in find_active_constraints(wager, game_round.options)
    )
    if lacks_partner or game_round.get_wager_status(wager) == "off":
        return []
    if wager.hand_owner is not HandOwner.OTHER_SEAT:
        return [None]
    return [other for other in range(game_round.seats) if other != seat]


def _get_placed_cents(game_round: Round, seat: int) -> dict[str, int]:
    """Return a seat's stakes in cents, by bet."""
    return {stake.bet: stake.cents for stake in game_round.stakes if stake.seat == seat}


def _compute_limits(game_round: Round, wager: Wager, placed: Mapping[str, int]) -> tuple[int, int]:
    """Return the minimum and maximum stake in cents.

    They follow from the limits and the constraints to ``placed`` stakes.
    """
    low, high = game_round.limits[wager.id].minimum_cents, game_round.limits[wager.id].maximum_cents
    for constraint in find_active_constraints(wager, game_round.options):
        other = placed.get(constraint.bet, game_round.limits[constraint.bet].minimum_cents)
        low = max(low, other) if constraint.kind is StakeConstraintKind.AT_LEAST else low
        high = min(high, other) if constraint.kind is StakeConstraintKind.AT_MOST else high
    return low, high


def compute_needed_cents(game_round: Round) -> int:
    """Return the cents still needed before the deal.

    This covers all circles of all mandatory wagers.
    """
    return sum(
        _compute_limits(game_round, wager, _get_placed_cents(game_round, seat))[0] * len(wager.circles or (wager.id,))
        for seat in range(game_round.seats)
        for wager in game_round.game.wagers
        if game_round.get_wager_status(wager) == "mandatory" and wager.id not in _get_placed_cents(game_round, seat)
    )


def _ask_stake(console: Console, game_round: Round, wager: Wager, usual: Stake, bankroll_cents: int) -> Round:
    mandatory = game_round.get_wager_status(wager) == "mandatory"
    low = _compute_limits(game_round, wager, _get_placed_cents(game_round, usual.seat))[0]
    default = next(_iter_proposals(game_round, wager, usual, bankroll_cents), low if mandatory else 0)
    who = "" if game_round.seats == 1 else f"Seat {usual.seat + 1}: "
    where = "" if usual.on is None else f" on seat {usual.on + 1}"
    name = " and ".join(get_circle_name(circle, game_round.game) for circle in wager.circles) or wager.name
    question = f"{who}{name}{where} [{format_cents(default) if default else 'none'}] "

    def read(answer: str) -> Round:
        cents = parse_cents(answer) if answer else default
        if not cents and mandatory:
            raise WagerError(
                f"{wager.name} is mandatory: at least {format_cents(low)}",
                code="mandatory-wager",
                wager=wager.id,
                low=low,
            )
        if not cents:
            return game_round
        return _place_stake(game_round, wager, Stake(usual.seat, wager.id, cents, usual.on), bankroll_cents)

    return ask(console, question, read)


def _iter_proposals(game_round: Round, wager: Wager, usual: Stake, bankroll_cents: int) -> Iterator[int]:
    """Yield stakes in cents that can be placed.

    The previous stake or the nearest to it comes first, then the minimum.
    """
    low, high = _compute_limits(game_round, wager, _get_placed_cents(game_round, usual.seat))
    for cents in (min(max(usual.cents, low), high), low) if usual.cents else ():
        try:
            _place_stake(game_round, wager, Stake(usual.seat, usual.bet, cents, usual.on), bankroll_cents)
        except WagerError:
            continue
        yield cents


def _place_stake(game_round: Round, wager: Wager, stake: Stake, bankroll_cents: int) -> Round:
    """Return the round with this stake added.

    Raises:
        WagerError: it breaks limits or a constraint, or leaves too little for the mandatory wagers.
    """
    staked_round = game_round.place_wager(stake)
    placed = _get_placed_cents(staked_round, stake.seat)
    verify_constraints(game_round.game, game_round.options, stake.seat, wager, placed)
    for other in game_round.game.wagers:
        is_mandatory = game_round.get_wager_status(other) == "mandatory"
        for constraint in find_active_constraints(other, game_round.options) if is_mandatory else ():
            maximum = game_round.limits[other.id].maximum_cents
            if (constraint.kind, constraint.bet) == (StakeConstraintKind.AT_LEAST, wager.id) and stake.cents > maximum:
                name = get_stake_name(game_round.game, wager.id)
                reason = f"{other.name} is {describe_constraint(game_round.game, constraint)}"
                raise WagerError(
                    f"{name} is at most {format_cents(maximum)} here: {reason} ({constraint.ruling})",
                    code="above-other-stake",
                    name=name,
                    ruling=constraint.ruling,
                )
    left = bankroll_cents - sum(staked_round.sum_staked_cents(seat) for seat in range(staked_round.seats))
    needed = compute_needed_cents(staked_round)
    if left < needed:
        staked, bankroll = format_cents(bankroll_cents - left), format_cents(bankroll_cents)
        more = f", and {format_cents(needed)} for mandatory wagers," if needed else ""
        raise WagerError(
            f"stakes of {staked}{more} are more than the bankroll of {bankroll}",
            code="above-bankroll",
            staked=staked,
            bankroll=bankroll,
        )
    return staked_round
