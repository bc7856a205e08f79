"""Game options (a casino's choices): parsed, checked, and encoded for the rules."""

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.contract import Game, StakeConstraint, StakeConstraintKind, Wager
from pitboss.core.errors import OptionError, UnknownNameError, quote
from pitboss.meter import (
    AWARD_IN_SEQUENCE,
    AWARD_SPLIT,
    FIXED_FROM_METER,
    FIXED_FROM_TRAY,
    ROUND_TO_CENT,
    ROUND_TO_DOLLAR,
    MeterSettings,
)


def resolve_options(game: Game, overrides: Mapping[str, str]) -> dict[str, str]:
    """Return every option of ``game`` with its value: the override, else the default.

    Raises:
        UnknownNameError: a name is not an option of the game.
        OptionError: a value is not a value of its option.
    """
    known = {option.name: option for option in game.options}
    for name, value in overrides.items():
        if name not in known:
            raise UnknownNameError("option", name, known)
        if value not in known[name].values:
            message = f"option {name} has no value {quote(value)}: choose {', '.join(known[name].values)}"
            raise OptionError(message, code="unknown-value", name=name, value=value, values=known[name].values)
    return {name: overrides.get(name, option.default) for name, option in known.items()}


def parse_options(game: Game, assignments: Iterable[str]) -> dict[str, str]:
    """Parse ``NAME=VALUE`` words and return every option with its value.

    A ten may be written as in cards, T or 10.

    Raises:
        OptionError: a word is not ``NAME=VALUE``, names an option again, or has an unknown value.
        UnknownNameError: a name is not an option of the game.
    """
    overrides: dict[str, str] = {}
    values = {option.name: option.values for option in game.options}
    for word in assignments:
        name, equals, value = word.partition("=")
        if not equals:
            message = f"{quote(word)} is not an option: write NAME=VALUE, for example dealer_qualifies=always"
            raise OptionError(message, code="invalid-option", word=word)
        if name in overrides:
            message = f"option {name} is given twice: give it once"
            raise OptionError(message, code="option-twice", name=name)
        with_letter = value.replace("10", "T")
        overrides[name] = with_letter if with_letter in values.get(name, ()) else value
    return resolve_options(game, overrides)


def find_active_constraints(wager: Wager, options: Mapping[str, str]) -> tuple[StakeConstraint, ...]:
    """Return the stake constraints of a wager that hold under these options."""
    return tuple(each for each in wager.constraints if options.get(each.option) != "off")


def find_disabling_option(game: Game, wager: Wager, options: Mapping[str, str]) -> str:
    """Return the option that turns a wager off, as NAME=off; "" if it is offered.

    A wager that can only be placed with another is off when that one is (W6-6).

    >>> from pitboss.games import load_game
    >>> game = load_game("wild-six-card")
    >>> find_disabling_option(game, game.wagers[2], {"queens_or_better": "off"})
    'queens_or_better=off'
    """
    if options.get(wager.status_option) == "off":
        return f"{wager.status_option}=off"
    constraints = find_active_constraints(wager, options)
    needed = {each.bet for each in constraints if each.kind is StakeConstraintKind.ONLY_WITH}
    return next(
        filter(None, (find_disabling_option(game, each, options) for each in game.wagers if each.id in needed)), ""
    )


def get_wager_status(game: Game, wager: Wager, options: Mapping[str, str]) -> str:
    """Return whether a wager is "mandatory", "optional" or "off" (W6-6, W6-7)."""
    if find_disabling_option(game, wager, options):
        return "off"
    return options.get(wager.status_option, "mandatory" if wager.mandatory else "optional")


def encode_options(game: Game, values: Mapping[str, str]) -> Any:
    """Return the game's named tuple of option codes.

    ``values`` has every option of the game.
    """
    return game.options_type(*(option.codes[option.values.index(values[option.name])] for option in game.options))


def get_meter_settings(values: Mapping[str, str], seed_cents: int) -> MeterSettings:
    """Return the terms of a progressive under a game's options (SC-6 to SC-8).

    They say how it pays awards and is reseeded.

    >>> get_meter_settings({"award_order": "split"}, seed_cents=1_000_000)[2:]
    (1, 0, 0)
    """
    return MeterSettings(
        seed_cents=seed_cents,
        award_order=AWARD_SPLIT if values.get("award_order") == "split" else AWARD_IN_SEQUENCE,
        award_rounding=ROUND_TO_DOLLAR if values.get("award_rounding") == "dollar" else ROUND_TO_CENT,
        fixed_awards_from=FIXED_FROM_METER if values.get("fixed_awards_from") == "meter" else FIXED_FROM_TRAY,
    )
