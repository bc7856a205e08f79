"""Arguments that several commands take, each with what a shell may complete it to."""

from collections.abc import Callable
from typing import Annotated

import typer

from pitboss.contract import Game, HandOwner

MOST_WORKERS = 1024
"""More processes than any machine that this runs on has cores for."""


def _of_game(names: Callable[[Game], list[str]]) -> Callable[[typer.Context, str], list[str]]:
    """Complete to names that the game already on the line has; to nothing if there is none."""

    def complete(context: typer.Context, incomplete: str) -> list[str]:
        from pitboss.games import load_games

        # While an option's value is being typed the words before it are not told apart yet.
        words = [context.params.get("game"), *context.args]
        game = next((load_games()[word] for word in words if word in load_games()), None)
        return [name for name in names(game) if name.startswith(incomplete)] if game else []

    return complete


def _games(incomplete: str) -> list[str]:
    from pitboss.games import load_games

    return [name for name in load_games() if name.startswith(incomplete)]


def _bets(game: Game) -> list[str]:
    return [wager.id for wager in (*game.wagers, *game.main_parts)]


def _paytables(game: Game) -> list[str]:
    from pitboss.paytables import load_builtin_paytables

    return ["all", *(table.id for table in load_builtin_paytables(game))]


def _stakes(game: Game) -> list[str]:
    return [f"{wager.id}=1" for wager in game.wagers[1:]]


def _wagers(game: Game) -> list[str]:
    return [
        f"{wager.id}{'@2' * (wager.hand_owner is HandOwner.OTHER_SEAT)}={wager.limits.minimum_cents // 100}"
        for wager in game.wagers
    ]


def _limits(game: Game) -> list[str]:
    return [f"{each.id}={each.limits.minimum_cents // 100}-{each.limits.maximum_cents // 100}" for each in game.wagers]


def _presets(incomplete: str) -> list[str]:
    from pitboss.table.domain.wagers import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def _options(game: Game) -> list[str]:
    return [f"{option.name}={value}" for option in game.options for value in option.values]


GameName = Annotated[str, typer.Argument(metavar="GAME", help="As `pitboss games` lists it.", autocompletion=_games)]
BetName = Annotated[str | None, typer.Option(help="One bet; without it every one.", autocompletion=_of_game(_bets))]
PayTables = Annotated[
    list[str] | None,
    typer.Option(metavar="[BET=]ID|FILE.toml", help="A pay table.", autocompletion=_of_game(_paytables)),
]
Options = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Rule a thing otherwise.", autocompletion=_of_game(_options)),
]
Stakes = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="BET=STAKE",
        help="A side wager staked as well, in Antes.",
        autocompletion=_of_game(_stakes),
    ),
]
Wagers = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET[@SEAT]=DOLLARS",
        help="Stake it at every seat instead of being asked, with @SEAT on that seat's hand; repeatable.",
        autocompletion=_of_game(_wagers),
    ),
]
TableLimits = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BET=LOW-HIGH",
        help="The table's limits in dollars; repeatable.",
        autocompletion=_of_game(_limits),
    ),
]
Preset = Annotated[str, typer.Option(help="Limits of a jurisdiction: washington.", autocompletion=_presets)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
