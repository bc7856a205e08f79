"""What may be staked: limits, wagers a casino makes mandatory or takes off, and ties between wagers (ALL-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pitboss.contract import Game, Limits, Place, Tie, TieKind, Wager
from pitboss.core.errors import UnknownNameError, WagerError
from pitboss.core.money import money

WASHINGTON = "washington"

PRESETS = (WASHINGTON,)
"""Jurisdictions whose limits a table can take."""

Span = tuple[int, int]
"""A minimum and a maximum, in cents."""

_LARGEST_CENTS = 40_000
_FIVE_DOLLARS_CENTS = 500
_GAMES_ON_A_HAND = 6
_GAMES_TO_400 = 3


@dataclass(frozen=True, slots=True)
class Stake:
    """A stake on the felt: ``on`` is another seat's number for a wager on that seat's hand."""

    seat: int
    bet: str
    cents: int
    on: int | None = None


def wager_named(game: Game, bet: str) -> Wager:
    """Return the wager with this id, or raise UnknownNameError."""
    for wager in game.wagers:
        if wager.id == bet:
            return wager
    raise UnknownNameError("bet", bet, (wager.id for wager in game.wagers))


def status_of(wager: Wager, options: Mapping[str, str]) -> str:
    """Return "mandatory", "optional" or "off", as the casino has it (W6-7)."""
    if wager.switch:
        return options[wager.switch]
    return "mandatory" if wager.mandatory else "optional"


def limits_of(game: Game, preset: str = "", own: Mapping[str, Span] | None = None) -> dict[str, Limits]:
    """Return each wager's limits: those of ``own``, else the defaults (ALL-4), none above the preset's (WA-1).

    ``own`` gives a table's minimum and maximum of a bet, in cents.  Under Washington no wager passes $400.  A raise is
    a wager too, so where it is two Antes the Ante stops at $200.

    Raises:
        UnknownNameError: ``preset`` is none we know, or ``own`` names a bet that the game has not.
        WagerError: the preset does not allow so many games on one hand, or a minimum and maximum cannot be staked.
    """
    if preset not in ("", *PRESETS):
        raise UnknownNameError("preset", preset, PRESETS)
    ceilings = _ceilings(game) if preset else {}
    spans = own or {}
    for bet in spans:
        wager_named(game, bet)
    limits = {}
    for wager in game.wagers:
        house = wager.limits
        low, high = spans.get(wager.id, (house.minimum_cents, house.maximum_cents))
        if house.minimum_cents == house.maximum_cents and (low, high) != (house.minimum_cents, house.maximum_cents):
            message = f"{wager.name} is exactly {money(house.minimum_cents)}: it has no other limits (ALL-4)"
            raise WagerError(message)
        if low % house.unit_cents or high % house.unit_cents or not 0 < low <= high:
            span = f"from {money(low)} to {money(high)}"
            steps = f"steps of {money(house.unit_cents)}"
            message = f"{wager.name} cannot be {span}: write the lower limit first, both in {steps} above zero"
            raise WagerError(message)
        ceiling = ceilings.get(wager.id, high)
        highest = min(high, ceiling - ceiling % house.unit_cents)
        if highest < low:
            message = f"{wager.name} cannot be from {money(low)}: {preset} allows {money(highest)} (WA-1)"
            raise WagerError(message)
        limits[wager.id] = Limits(low, highest, house.unit_cents)
    return limits


def _ceilings(game: Game) -> dict[str, int]:
    """Return the largest stake in cents that Washington allows on each bet (WA-1)."""
    if len(game.wagers) > _GAMES_ON_A_HAND:
        count = len(game.wagers)
        raise WagerError(f"{game.name} has {count} wagers: {WASHINGTON} allows {_GAMES_ON_A_HAND} on one hand (WA-1)")
    five_dollars = five_dollar_bets(game)
    ceilings = {wager.id: _FIVE_DOLLARS_CENTS if wager.id in five_dollars else _LARGEST_CENTS for wager in game.wagers}
    raises = [action.stake for decision in game.decisions for action in decision.actions]
    return ceilings | {"main": ceilings["main"] // max(1, *raises)}


def five_dollar_bets(game: Game) -> tuple[str, ...]:
    """Name the bets that Washington limits to $5 (WA-1): all but three of those decided by one hand.

    ``main`` keeps its limits.  Those whose own maximum is no more than $5 are named first, as it costs them nothing,
    then the last in the game's order.

    >>> from pitboss.games import game_named
    >>> five_dollar_bets(game_named("six-card"))
    ('progressive',)
    """
    spare = sorted(
        enumerate(game.wagers[1:]), key=lambda each: (each[1].limits.maximum_cents > _FIVE_DOLLARS_CENTS, -each[0])
    )
    named = {wager.id for _, wager in spare[: max(0, len(game.wagers) - _GAMES_TO_400)]}
    return tuple(wager.id for wager in game.wagers if wager.id in named)


def verify_stake(
    game: Game, options: Mapping[str, str], limits: Mapping[str, Limits], seats: int, stake: Stake
) -> None:
    """Check one stake by itself.

    Raises:
        WagerError: the bet is off, on a wrong hand, or outside its limits.
        UnknownNameError: there is no such bet.
    """
    wager = wager_named(game, stake.bet)
    if status_of(wager, options) == "off":
        message = f"{wager.name} is off at this table: option {wager.switch} is 'off'"
        raise WagerError(message)
    others = [f"p{seat + 1}" for seat in range(seats) if seat != stake.seat]
    if wager.place is Place.OTHER_SEAT:
        if stake.on is None or stake.on == stake.seat or not 0 <= stake.on < seats:
            message = f"{wager.name} goes on another occupied seat: {', '.join(others) or 'there is none'}"
            raise WagerError(message)
    elif stake.on is not None:
        message = f"{wager.name} does not go on another seat's hand"
        raise WagerError(message)
    bounds = limits[stake.bet]
    if stake.cents % bounds.unit_cents or not bounds.minimum_cents <= stake.cents <= bounds.maximum_cents:
        low, high = money(bounds.minimum_cents), money(bounds.maximum_cents)
        allowed = f"exactly {low}" if low == high else f"{low} to {high} in steps of {money(bounds.unit_cents)}"
        message = f"{wager.name} of {money(stake.cents)} is not possible: it takes {allowed}"
        raise WagerError(message)


def verify_stakes(
    game: Game, options: Mapping[str, str], limits: Mapping[str, Limits], seats: int, stakes: Iterable[Stake]
) -> None:
    """Check stakes one by one, and say of each that cannot stand why not (raises as ``verify_stake``)."""
    faults = []
    for stake in stakes:
        try:
            verify_stake(game, options, limits, seats, stake)
        except WagerError as error:
            faults.append(str(error))
    if faults:
        raise WagerError("; ".join(faults))


def _breaks(tie: Tie, cents: int, other: int) -> str:
    match tie.kind:
        case TieKind.AT_MOST if cents > other:
            return f"at most the {{other}} ({money(other)})"
        case TieKind.AT_LEAST if cents < other:
            return f"at least the {{other}} ({money(other)})"
        case TieKind.ONLY_WITH if other == 0:
            return "only with {other}"
    return ""


def verify_all(game: Game, options: Mapping[str, str], seats: int, stakes: Iterable[Stake]) -> None:
    """Check what ties wagers together, once all are placed and before a card is dealt.

    Raises:
        WagerError: a mandatory wager is missing, or a tie is broken.
    """
    placed = list(stakes)
    for seat in range(seats):
        verify_seat(game, options, seat, placed)


def verify_seat(game: Game, options: Mapping[str, str], seat: int, stakes: Iterable[Stake]) -> None:
    """Check what ties one seat's wagers together (raises as ``verify_all``)."""
    cents = {stake.bet: stake.cents for stake in stakes if stake.seat == seat}
    for wager in game.wagers:
        if status_of(wager, options) == "mandatory" and wager.id not in cents:
            message = f"p{seat + 1} has no {wager.name}: it is mandatory"
            raise WagerError(message)
        if wager.id not in cents:
            continue
        for tie in wager.ties:
            if tie.option and options[tie.option] == "off":
                continue
            fault = _breaks(tie, cents[wager.id], cents.get(tie.bet, 0))
            if fault:
                wanted = fault.format(other=wager_named(game, tie.bet).name)
                staked = money(cents[wager.id])
                message = f"p{seat + 1}: {wager.name} is {staked}: it may be {wanted} ({tie.ruling})"
                raise WagerError(message)
