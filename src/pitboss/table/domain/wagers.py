"""What may be staked: limits, wagers a casino makes mandatory or takes off, and ties between wagers (ALL-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pitboss.contract import Game, Limits, Place, Tie, TieKind, Wager
from pitboss.core.errors import UnknownNameError, WagerError
from pitboss.core.money import format_cents

WASHINGTON = "washington"


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


def limits_of(game: Game, preset: str = "") -> dict[str, Limits]:
    """Return each wager's limits: the house's (ALL-4), or those of Washington (WA-1).

    Under the preset no wager, and no raise of an Ante, passes $400, so the Ante of a game with a raise of two Antes
    stops at $200; the first three wagers of a game stand there, the others are limited to $5.

    Raises:
        UnknownNameError: ``preset`` is none we know.
    """
    if preset not in ("", WASHINGTON):
        raise UnknownNameError("preset", preset, (WASHINGTON,))
    if not preset:
        return {wager.id: wager.limits for wager in game.wagers}
    largest_raise = max((action.stake for decision in game.decisions for action in decision.actions), default=1)
    limits = {}
    for place, wager in enumerate(game.wagers):
        ceiling = 40_000 // max(1, largest_raise) if wager.id == "main" else 40_000 if place < 3 else 500
        limits[wager.id] = Limits(
            wager.limits.minimum_cents, min(wager.limits.maximum_cents, ceiling), wager.limits.unit_cents
        )
    return limits


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
        low, high = format_cents(bounds.minimum_cents), format_cents(bounds.maximum_cents)
        allowed = f"exactly {low}" if low == high else f"{low} to {high} in steps of {format_cents(bounds.unit_cents)}"
        message = f"{wager.name} of {format_cents(stake.cents)} is not possible: it takes {allowed}"
        raise WagerError(message)


def _breaks(tie: Tie, cents: int, other: int) -> str:
    match tie.kind:
        case TieKind.AT_MOST if cents > other:
            return f"at most the {{other}} ({format_cents(other)})"
        case TieKind.AT_LEAST if cents < other:
            return f"at least the {{other}} ({format_cents(other)})"
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
        cents = {stake.bet: stake.cents for stake in placed if stake.seat == seat}
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
                    staked = format_cents(cents[wager.id])
                    message = f"p{seat + 1}: {wager.name} is {staked}: it may be {wanted} ({tie.ruling})"
                    raise WagerError(message)
