"""The rules of staking (ALL-4): limits, constraints, and mandatory or off wagers.

Errors count seats from 1 in their message, for people, and from 0 in their fields, as ``Stake`` does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pitboss.builders import display_name
from pitboss.contract import Game, HandOwner, Outcome, StakeConstraint, StakeConstraintKind, StakeLimits, Wager
from pitboss.core.errors import IllegalActionError, UnknownNameError, WagerError
from pitboss.core.money import format_dollars
from pitboss.core.numbers import verify_integer
from pitboss.options import find_active_constraints, find_disabling_option, get_wager_status

WASHINGTON = "washington"

PRESETS = (WASHINGTON,)
"""Jurisdictions whose limits a table can adopt."""

CentsRange = tuple[int, int]
"""A minimum and a maximum, in cents."""

_CENTS_PER_DOLLAR = 100
_LARGEST_CENTS = 40_000
_FIVE_DOLLARS_CENTS = 500
_MAX_WAGERS_ON_A_HAND = 6
_MAX_WAGERS_TO_400 = 3


@dataclass(frozen=True, slots=True)
class Stake:
    """A stake on the felt.

    ``on`` is another seat's number for a wager on that seat's hand.
    """

    seat: int
    bet: str
    cents: int
    on: int | None = None


def get_wager(game: Game, bet: str) -> Wager:
    """Return the wager with this id, or raise UnknownNameError."""
    for wager in game.wagers:
        if wager.id == bet:
            return wager
    raise UnknownNameError("bet", bet, (wager.id for wager in game.wagers))


def get_outcome(game: Game, bet: str, name: str) -> Outcome:
    """Return the outcome of a wager with this name."""
    return next(outcome for outcome in get_wager(game, bet).outcomes if outcome.name == name)


def get_circle_name(circle: str, game: Game) -> str:
    """Return a circle's name on the layout: that of its wager, else its own."""
    return next((wager.name for wager in game.wagers if wager.id == circle), display_name(circle).title())


def get_stake_name(game: Game, bet: str) -> str:
    """Return the name of a stake on a bet, which is that of its first circle.

    >>> from pitboss.games import load_game
    >>> get_stake_name(load_game("lunar"), "main")
    'Ante'
    """
    return get_circle_name((*get_wager(game, bet).circles, bet)[0], game)


def compute_limits(
    game: Game, preset: str = "", overrides: Mapping[str, CentsRange] | None = None
) -> dict[str, StakeLimits]:
    """Compute each wager's limits (ALL-4), never above the preset's (WA-1).

    ``overrides`` holds a table's minimum and maximum of a bet, in cents; other bets have the default limits.  In
    Washington no wager exceeds $400.  A raise is a wager too, so if it is two Antes the Ante stops at $200.

    Raises:
        UnknownNameError: ``preset`` is not known, or ``overrides`` names a bet that the game does not have.
        WagerError: the preset does not allow this many wagers on one hand, or a minimum and maximum cannot be staked.
    """
    if preset not in ("", *PRESETS):
        raise UnknownNameError("preset", preset, PRESETS)
    ceilings = _compute_ceilings(game) if preset else {}
    ranges = overrides or {}
    for bet in ranges:
        get_wager(game, bet)
    limits = {}
    for wager in game.wagers:
        default = wager.limits
        default_range = (default.minimum_cents, default.maximum_cents)
        low, high = _parse_range(wager.id, ranges.get(wager.id, default_range))
        if default.minimum_cents == default.maximum_cents and (low, high) != default_range:
            message = f"{wager.name} is exactly {format_dollars(default.minimum_cents)}: it has no other limits (ALL-4)"
            raise WagerError(message, code="fixed-limits", wager=wager.id, minimum_cents=default.minimum_cents)
        if low > high:
            limits_text = f"minimum, {format_dollars(low)}, is above its maximum, {format_dollars(high)}"
            message = f"{wager.name}: the {limits_text}: lower the one or raise the other"
            raise WagerError(message, code="invalid-limit", wager=wager.id)
        if low % default.unit_cents or high % default.unit_cents or low <= 0:
            limits_text = f"{format_dollars(low)} to {format_dollars(high)}"
            unit = format_dollars(default.unit_cents)
            steps = "whole dollars" if default.unit_cents == _CENTS_PER_DOLLAR else f"multiples of {unit}"
            message = f"the limits of {wager.name} cannot be {limits_text}: {steps} only, from {unit}"
            raise WagerError(message, code="invalid-limit", wager=wager.id)
        ceiling = ceilings.get(wager.id, high)
        highest = min(high, ceiling - ceiling % default.unit_cents)
        if highest < low:
            legal = f"{preset} allows at most {format_dollars(highest)} (WA-1)"
            message = f"{wager.name} cannot start at {format_dollars(low)}: {legal}"
            raise WagerError(message, code="above-legal-limit", wager=wager.id, low=low, preset=preset)
        limits[wager.id] = StakeLimits(low, highest, default.unit_cents)
    return limits


def _parse_range(bet: str, cents_range: object) -> CentsRange:
    """Return a given minimum and maximum, in cents, or raise WagerError."""
    if not isinstance(cents_range, Sequence) or len(cents_range) != 2:
        raise WagerError(
            f"the limits of {bet} are {cents_range!r}: give a minimum and a maximum, in cents",
            code="invalid-limit",
            bet=bet,
            cents_range=cents_range,
        )
    for cents in cents_range:
        verify_integer(cents, f"a limit of {bet}, in cents,", WagerError)
    return cents_range[0], cents_range[1]


def verify_limits(game: Game, options: Mapping[str, str], limits: Mapping[str, StakeLimits]) -> None:
    """Check that stakes within the limits can meet every stake constraint.

    Raises:
        WagerError: a wager is constrained by another one whose limits make that impossible.
    """
    for wager in game.wagers:
        for constraint in find_active_constraints(wager, options):
            own, other = limits[wager.id], limits[constraint.bet]
            low, high = format_dollars(other.minimum_cents), format_dollars(other.maximum_cents)
            if constraint.kind is StakeConstraintKind.AT_LEAST and own.maximum_cents < other.minimum_cents:
                fault = f"{format_dollars(own.maximum_cents)} at most: it must reach {low}"
            elif constraint.kind is StakeConstraintKind.AT_MOST and own.minimum_cents > other.maximum_cents:
                fault = f"{format_dollars(own.minimum_cents)} at least: let it begin at {high} or less"
            else:
                continue
            must = f"{describe_constraint(game, constraint)} ({constraint.ruling})"
            raise WagerError(
                f"{wager.name} cannot be {fault}, as it is {must}",
                code="limit-out-of-step",
                wager=wager.id,
                fault=fault,
                ruling=constraint.ruling,
            )


def _compute_ceilings(game: Game) -> dict[str, int]:
    """Compute the largest stake that Washington allows on each bet, in cents (WA-1)."""
    if len(game.wagers) > _MAX_WAGERS_ON_A_HAND:
        count = len(game.wagers)
        raise WagerError(
            f"{game.name} has {count} wagers: {WASHINGTON} allows {_MAX_WAGERS_ON_A_HAND} on one hand (WA-1)",
            code="too-many-wagers",
            game=game.id,
            count=count,
            washington=WASHINGTON,
            most=_MAX_WAGERS_ON_A_HAND,
        )
    five_dollars = list_five_dollar_bets(game)
    ceilings = {wager.id: _FIVE_DOLLARS_CENTS if wager.id in five_dollars else _LARGEST_CENTS for wager in game.wagers}
    raises = [action.stake for decision in game.decisions for action in decision.actions]
    return ceilings | {"main": ceilings["main"] // max(1, *raises)}


def list_five_dollar_bets(game: Game) -> tuple[str, ...]:
    """List the bets that Washington limits to $5 (WA-1).

    They are all but three of the bets that are decided by one hand.  ``main`` keeps its limits.  Bets whose own maximum
    is at most $5 come first, as the limit costs them nothing, then the last in the game's order.

    >>> from pitboss.games import load_game
    >>> list_five_dollar_bets(load_game("six-card"))
    ('progressive',)
    """
    candidates = sorted(
        enumerate(game.wagers[1:]), key=lambda each: (each[1].limits.maximum_cents > _FIVE_DOLLARS_CENTS, -each[0])
    )
    limited = {wager.id for _, wager in candidates[: max(0, len(game.wagers) - _MAX_WAGERS_TO_400)]}
    return tuple(wager.id for wager in game.wagers if wager.id in limited)


def verify_stake(
    game: Game,
    options: Mapping[str, str],
    limits: Mapping[str, StakeLimits],
    seats: int,
    stake: Stake,
    preset: str = "",
    placed: Iterable[Stake] = (),
) -> None:
    """Check one stake by itself, and that it is not ``placed`` yet.

    Raises:
        WagerError: the bet is off, on a wrong hand, outside its limits, or not in whole cents; if the jurisdiction of
            ``preset`` does not allow the stake, the error names its ruling (WA-1).
        UnknownNameError: there is no such bet.
        IllegalActionError: the seat does not exist, or the wager is already placed.
    """
    verify_integer(stake.seat, "a seat", IllegalActionError)
    if not 0 <= stake.seat < seats:
        raise IllegalActionError(
            f"there is no seat {stake.seat + 1}: seats are 1 to {seats}",
            code="unknown-seat",
            seat=stake.seat,
            seats=seats,
        )
    verify_integer(stake.cents, f"the stake on {stake.bet}, in cents,", WagerError)
    if stake.on is not None:
        verify_integer(stake.on, f"the other seat of {stake.bet}", WagerError)
    wager = get_wager(game, stake.bet)
    option = find_disabling_option(game, wager, options)
    if option:
        raise WagerError(
            f"{wager.name} is off at this table: option {option}", code="wager-off", wager=wager.id, option=option
        )
    others = [f"seat {seat + 1}" for seat in range(seats) if seat != stake.seat]
    if wager.hand_owner is HandOwner.OTHER_SEAT:
        if stake.on is None or stake.on == stake.seat or not 0 <= stake.on < seats:
            message = f"{wager.name} must be on another seat's hand: {', '.join(others) or 'there is no other seat'}"
            raise WagerError(message, code="wrong-hand-owner", wager=wager.id)
    elif stake.on is not None:
        message = f"{wager.name} cannot be on another seat's hand"
        raise WagerError(message, code="wrong-hand-owner", wager=wager.id)
    bounds = limits[stake.bet]
    if stake.cents % bounds.unit_cents or not bounds.minimum_cents <= stake.cents <= bounds.maximum_cents:
        low, high = format_dollars(bounds.minimum_cents), format_dollars(bounds.maximum_cents)
        allowed = (
            f"exactly {low}" if low == high else f"{low} to {high} in steps of {format_dollars(bounds.unit_cents)}"
        )
        law = f" under {preset} (WA-1)" if preset and stake.cents > _compute_ceilings(game)[stake.bet] else ""
        raise WagerError(
            f"{get_stake_name(game, stake.bet)} of {format_dollars(stake.cents)} is not allowed{law}: stake {allowed}",
            code="outside-limits",
            wager=wager.id,
            cents=stake.cents,
        )
    if any((old.seat, old.bet, old.on) == (stake.seat, stake.bet, stake.on) for old in placed):
        raise IllegalActionError(
            f"seat {stake.seat + 1} already has {get_wager(game, stake.bet).name}: place each wager once",
            code="wager-twice",
            seat=stake.seat,
            wager=stake.bet,
        )


def verify_stakes(
    game: Game,
    options: Mapping[str, str],
    limits: Mapping[str, StakeLimits],
    seats: int,
    stakes: Iterable[Stake],
    preset: str = "",
) -> None:
    """Check stakes one by one; the error names the fault of each.

    Raises as ``verify_stake``.
    """
    faults = []
    for stake in stakes:
        try:
            verify_stake(game, options, limits, seats, stake, preset)
        except WagerError as error:
            faults.append(str(error))
    if faults:
        raise WagerError("; ".join(faults), code="outside-limits")


def describe_constraint(game: Game, constraint: StakeConstraint) -> str:
    """Describe a stake constraint, for example "at least the Ante"."""
    words = {
        StakeConstraintKind.AT_MOST: "at most the",
        StakeConstraintKind.AT_LEAST: "at least the",
        StakeConstraintKind.ONLY_WITH: "only with",
    }
    return f"{words[constraint.kind]} {get_stake_name(game, constraint.bet)}"


def is_violated(constraint: StakeConstraint, cents: int, other_cents: int) -> bool:
    """Return whether a stake of ``cents`` breaks a constraint.

    ``other_cents`` is the stake that constrains it, 0 if there is none.
    """
    match constraint.kind:
        case StakeConstraintKind.AT_MOST:
            return cents > other_cents
        case StakeConstraintKind.AT_LEAST:
            return cents < other_cents
    return other_cents == 0


def verify_seat_stakes(game: Game, options: Mapping[str, str], seat: int, stakes: Iterable[Stake]) -> None:
    """Check one seat's mandatory wagers and constraints before the deal.

    Raises:
        WagerError: a mandatory wager is missing, or a constraint is broken.
    """
    cents = {stake.bet: stake.cents for stake in stakes if stake.seat == seat}
    for wager in game.wagers:
        if get_wager_status(game, wager, options) == "mandatory" and wager.id not in cents:
            message = f"seat {seat + 1} has no {wager.name}: it is mandatory"
            raise WagerError(message, code="mandatory-wager", seat=seat, wager=wager.id)
        if wager.id in cents:
            verify_constraints(game, options, seat, wager, cents)


def verify_constraints(
    game: Game, options: Mapping[str, str], seat: int, wager: Wager, cents: Mapping[str, int]
) -> None:
    """Check the constraints of one wager by the seat's others.

    ``cents`` holds every stake by bet.

    Raises:
        WagerError: a constraint is broken; the message names the other stake and its amount.
    """
    for constraint in find_active_constraints(wager, options):
        other = cents.get(constraint.bet, 0)
        if is_violated(constraint, cents[wager.id], other):
            is_partner = constraint.kind is StakeConstraintKind.ONLY_WITH
            must = "it may be placed" if is_partner else "it must be"
            amount = "" if is_partner else f" ({format_dollars(other)})"
            staked = f"{wager.name} is {format_dollars(cents[wager.id])}"
            rule = f"{must} {describe_constraint(game, constraint)}{amount} ({constraint.ruling})"
            raise WagerError(
                f"seat {seat + 1}: {staked}: {rule}",
                code="out-of-step",
                seat=seat,
                staked=staked,
                ruling=constraint.ruling,
            )
