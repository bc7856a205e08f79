"""Game options: what a casino may decide otherwise, read, checked, and turned into the codes the rules take."""

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.contract import Game, Tie, TieKind, Wager
from pitboss.core.errors import OptionError, UnknownNameError
from pitboss.meter import CENT, DOLLAR, METER, SEQUENCE, SPLIT, TRAY, Terms


def option_values(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return every option of ``game`` with its value: the one chosen, else the default.

    Raises:
        UnknownNameError: the game has no such option.
        OptionError: the option has no such value.
    """
    known = {option.name: option for option in game.options}
    for name, value in chosen.items():
        if name not in known:
            raise UnknownNameError("option", name, known)
        if value not in known[name].values:
            message = f"option {name} has no value {value!r}: it is one of {', '.join(known[name].values)}"
            raise OptionError(message)
    return {name: chosen.get(name, option.default) for name, option in known.items()}


def parse_options(game: Game, written: Iterable[str]) -> dict[str, str]:
    """Read ``NAME=VALUE`` words and return every option with its value.

    Raises:
        OptionError: a word is no ``NAME=VALUE``, stands twice, or has no such value.
        UnknownNameError: the game has no such option.
    """
    chosen: dict[str, str] = {}
    for word in written:
        name, equals, value = word.partition("=")
        if not equals:
            message = f"{word!r} is no option: write NAME=VALUE, as dealer_qualifies=always"
            raise OptionError(message)
        if name in chosen:
            message = f"option {name} is given twice: give it once"
            raise OptionError(message)
        chosen[name] = value
    return option_values(game, chosen)


def binding_ties(wager: Wager, options: Mapping[str, str]) -> tuple[Tie, ...]:
    """Return what ties a wager to others under these options."""
    return tuple(tie for tie in wager.ties if options.get(tie.option) != "off")


def switched_off_by(game: Game, wager: Wager, options: Mapping[str, str]) -> str:
    """Return the option that takes a wager off the table, as NAME=off; nothing if the wager is offered.

    A wager that is placed only with another is off with it (W6-6).

    >>> from pitboss.games import game_named
    >>> game = game_named("wild-six-card")
    >>> switched_off_by(game, game.wagers[2], {"queens_or_better": "off"})
    'queens_or_better=off'
    """
    if options.get(wager.switch) == "off":
        return f"{wager.switch}=off"
    needed = {tie.bet for tie in binding_ties(wager, options) if tie.kind is TieKind.ONLY_WITH}
    return next(filter(None, (switched_off_by(game, each, options) for each in game.wagers if each.id in needed)), "")


def status_of(game: Game, wager: Wager, options: Mapping[str, str]) -> str:
    """Return whether a wager is "mandatory", "optional" or "off" under these options (W6-6, W6-7)."""
    if switched_off_by(game, wager, options):
        return "off"
    return options.get(wager.switch, "mandatory" if wager.mandatory else "optional")


def option_codes(game: Game, values: Mapping[str, str]) -> Any:
    """Return the game's named tuple of option codes for ``values`` (every option of the game)."""
    return game.options_type(*(option.codes[option.values.index(values[option.name])] for option in game.options))


def meter_terms(values: Mapping[str, str], seed_cents: int) -> Terms:
    """Return on what terms a progressive pays awards, and is seeded again, under a game's options (SC-6 to SC-8).

    >>> meter_terms({"award_order": "split"}, seed_cents=1_000_000)[2:]
    (1, 0, 0)
    """
    return Terms(
        seed_cents=seed_cents,
        award_order=SPLIT if values.get("award_order") == "split" else SEQUENCE,
        award_rounding=DOLLAR if values.get("award_rounding") == "dollar" else CENT,
        fixed_awards_from=METER if values.get("fixed_awards_from") == "meter" else TRAY,
    )
