"""Arguments that several commands share, each with its shell completion."""

from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from pitboss.contract import Game, HandOwner, PayTable
from pitboss.core.errors import WagerError
from pitboss.core.money import parse_cents


def _complete_from_game(list_names: Callable[[Game], list[str]]) -> Callable[[typer.Context, str], list[str]]:
    """Return a completer that lists names of the game already on the line.

    It lists nothing if there is no game on the line.
    """

    def complete(context: typer.Context, incomplete: str) -> list[str]:
        from pitboss.games import load_games

        # While an option's value is being typed, the words before it are not parsed yet.
        words = [context.params.get("game"), *context.args]
        game = next((load_games()[word] for word in words if word in load_games()), None)
        return [name for name in list_names(game) if name.startswith(incomplete)] if game else []

    return complete


def _complete_games(incomplete: str) -> list[str]:
    from pitboss.games import load_games

    return [name for name in load_games() if name.startswith(incomplete)]


def _list_bets(game: Game) -> list[str]:
    return [wager.id for wager in (*game.wagers, *game.main_parts)]


def complete_bets(context: typer.Context, incomplete: str) -> list[str]:
    """List the bets of the game on the line that begin so."""
    return _complete_from_game(_list_bets)(context, incomplete)


def _list_paytables(game: Game) -> list[str]:
    from pitboss.paytables import load_builtin_paytables

    return ["all", *(table.id for table in load_builtin_paytables(game))]


def _list_stakes(game: Game) -> list[str]:
    return [f"{wager.id}=1" for wager in game.wagers[1:]]


def _list_wagers(game: Game) -> list[str]:
    return [
        f"{wager.id}{'@2' * (wager.hand_owner is HandOwner.OTHER_SEAT)}={wager.limits.minimum_cents // 100}"
        for wager in game.wagers
    ]


def _list_limits(game: Game) -> list[str]:
    return [f"{each.id}={each.limits.minimum_cents // 100}-{each.limits.maximum_cents // 100}" for each in game.wagers]


def _complete_presets(incomplete: str) -> list[str]:
    from pitboss.table.round.wagers import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def _list_options(game: Game) -> list[str]:
    return [f"{option.name}={value}" for option in game.options for value in option.values]


GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game that `pitboss games` lists.", autocompletion=_complete_games)
]
BetOption = Annotated[
    str | None,
    typer.Option(help="The bet to print; default: every bet.", autocompletion=_complete_from_game(_list_bets)),
]
PayTableOptions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[BET=]ID|FILE.toml",
        help="A pay table: a built-in ID or your own file; repeatable.",
        autocompletion=_complete_from_game(_list_paytables),
    ),
]
RulingOptions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="Set an option of the rules; `pitboss rules GAME` lists them; repeatable.",
        autocompletion=_complete_from_game(_list_options),
    ),
]
SideStakeOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="BET=STAKE",
        help="Also stake this many Antes on a side wager; repeatable.",
        autocompletion=_complete_from_game(_list_stakes),
    ),
]
WagerOptions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET[@SEAT]=DOLLARS",
        help="Stake this at every seat without being asked; `@SEAT`: on that seat's hand; repeatable.",
        autocompletion=_complete_from_game(_list_wagers),
    ),
]
LimitOptions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET=LOW-HIGH",
        help="The table limits of a bet, in dollars; repeatable.",
        autocompletion=_complete_from_game(_list_limits),
    ),
]
PresetOption = Annotated[
    str, typer.Option(help="Use the limits of a jurisdiction: washington.", autocompletion=_complete_presets)
]
ClusterOption = Annotated[
    str, typer.Option(metavar="ADDRESS", help="The address of a Dask scheduler; `local` starts one here.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def parse_meter_cents(dollars: str | None, tables: Iterable[PayTable]) -> int | None:
    """Parse the dollars of ``--meter`` (raises WagerError if no table has a meter)."""
    if dollars is None:
        return None
    from pitboss.analysis.exact_par_sheet import verify_has_meter

    verify_has_meter(tables)
    return parse_cents(dollars)


def parse_limits(written: list[str]) -> dict[str, tuple[int, int]]:
    """Parse ``BET=LOW-HIGH`` in dollars (raises WagerError)."""
    limits = {}
    for word in written:
        bet, _, span = word.partition("=")
        low, dash, high = span.partition("-")
        if not dash:
            message = f"{word!r} is not a limit: write BET=LOW-HIGH in dollars, for example main=10-500"
            raise WagerError(message, code="invalid-limit", word=word)
        limits[bet] = parse_cents(low), parse_cents(high)
    return limits
