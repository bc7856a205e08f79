"""Arguments that several commands share, each with its shell completion."""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.contract import Game, HandOwner, PayTable
from pitboss.core.errors import PitbossError, WagerError, quote
from pitboss.core.money import parse_cents

if TYPE_CHECKING:
    # The analysis is loaded by the commands that compute.
    from pitboss.analysis.game_terms import GameTerms
    from pitboss.tasks import Executor


def complete_from(list_names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a completer that lists these names, loaded when they are needed."""
    return lambda incomplete: [name for name in list_names() if name.startswith(incomplete)]


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


def _list_games() -> Iterable[str]:
    from pitboss.games import load_games

    return load_games()


def _list_paytables(game: Game) -> list[str]:
    from pitboss.paytables import load_builtin_paytables

    return ["all", *(table.id for table in load_builtin_paytables(game))]


def _list_wagers(game: Game) -> list[str]:
    return [
        f"{wager.id}{'@2' * (wager.hand_owner is HandOwner.OTHER_SEAT)}={wager.limits.minimum_cents // 100}"
        for wager in game.wagers
    ]


def _list_limits(game: Game) -> list[str]:
    return [f"{each.id}={each.limits.minimum_cents // 100}-{each.limits.maximum_cents // 100}" for each in game.wagers]


def _list_presets() -> Iterable[str]:
    from pitboss.table.round.wagers import PRESETS

    return PRESETS


complete_bets = _complete_from_game(lambda game: [wager.id for wager in (*game.wagers, *game.main_parts)])

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game that `pitboss games` lists.", autocompletion=complete_from(_list_games)
    ),
]
BetOption = Annotated[
    str | None, typer.Option(help="The bet to print; default: every bet.", autocompletion=complete_bets)
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
        autocompletion=_complete_from_game(
            lambda game: [f"{option.name}={value}" for option in game.options for value in option.values]
        ),
    ),
]
SideStakeOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="BET=STAKE",
        help="Also stake this many Antes on a side wager; repeatable.",
        autocompletion=_complete_from_game(lambda game: [f"{wager.id}=1" for wager in game.wagers[1:]]),
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
    str,
    typer.Option(
        metavar="NAME",
        help="Use the limits of a jurisdiction: washington.",
        autocompletion=complete_from(_list_presets),
    ),
]
ClusterOption = Annotated[
    str, typer.Option(metavar="ADDRESS", help="The address of a Dask scheduler; `local` starts one here.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def parse_terms(
    game: Game, paytables: list[str] | None, options: list[str] | None, stakes: list[str] | None = None, bet: str = ""
) -> "GameTerms":
    """Parse pay tables, options and side stakes.

    A table without a bet is one of ``bet``, if that is given.

    Raises:
        PitbossError: one is not valid (``parse_options``, ``select_paytables``, ``parse_side_stakes``).
    """
    from pitboss.analysis.game_terms import GameTerms
    from pitboss.analysis.side_stakes import parse_side_stakes
    from pitboss.options import parse_options
    from pitboss.paytables import select_paytables

    values = parse_options(game, options or [])
    tables = select_paytables(game, add_bet(paytables, bet))
    return GameTerms(tables, values, parse_side_stakes(game, values, stakes or []))


def add_bet(paytables: list[str] | None, bet: str) -> list[str]:
    """Return selections of pay tables; those without a bet are of ``bet``, if given."""
    return [f"{bet}={each}" if bet and "=" not in each else each for each in paytables or []]


def verify_only_one(**options: object) -> None:
    """Refuse options that exclude each other, by the names of their parameters.

    Raises:
        PitbossError: more than one is given.
    """
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if len(given) > 1:
        raise PitbossError(f"{' and '.join(given)} exclude each other: give only one", code="exclusive-options")


def make_executor(workers: int, cluster: str) -> "Executor":
    """Return what runs the parts of a task (raises WagerError for both at once)."""
    from pitboss.tasks import Executor

    verify_only_one(workers=workers > 1, cluster=cluster)
    return Executor(workers, cluster)


def parse_dollars(text: str, option: str) -> int:
    """Parse dollars as cents; an error names the option (raises WagerError)."""
    try:
        return parse_cents(text)
    except WagerError as error:
        raise WagerError(f"{option} {error}", code=error.code, **error.fields) from None


def verify_percent_sign(text: str | None, option: str, example: str) -> None:
    """Refuse a percentage without its sign: 0.14 could be 14% or 0.14%.

    A zero needs no sign.

    Raises:
        PitbossError: there are digits other than 0, and no sign.
    """
    if text and "%" not in text and re.fullmatch(r"[-+.0-9]*[1-9][-+.0-9]*", text.strip()):
        raise PitbossError(
            f"{option} {quote(text)} has no % sign: write for example {example}", code="no-percent-sign", text=text
        )


def parse_meter_cents(dollars: str | None, tables: Iterable[PayTable]) -> int | None:
    """Parse the dollars of ``--meter`` (raises WagerError if no table has a meter)."""
    if dollars is None:
        return None
    from pitboss.analysis.exact_par_sheet import verify_has_meter

    verify_has_meter(tables)
    return parse_dollars(dollars, "--meter")


def parse_limits(written: list[str]) -> dict[str, tuple[int, int]]:
    """Parse ``BET=LOW-HIGH`` in dollars (raises WagerError)."""
    limits = {}
    for word in written:
        bet, _, span = word.partition("=")
        low, dash, high = span.partition("-")
        if not dash:
            message = f"{word!r} is not a limit: write BET=LOW-HIGH in dollars, for example main=10-500"
            raise WagerError(message, code="invalid-limit", word=word)
        limits[bet] = parse_dollars(low, f"--limit {bet}:"), parse_dollars(high, f"--limit {bet}:")
    return limits
