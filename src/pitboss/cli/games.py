"""``pitboss games``: the games that can be analysed and played."""

import json
from typing import Any

import typer

from pitboss.cli.app import report_error
from pitboss.cli.arguments import JsonOption
from pitboss.contract import Game
from pitboss.games import list_load_errors, load_games
from pitboss.paytables import get_wager_paytables


def games(*, as_json: JsonOption = False) -> None:
    """List the games with their bets, pay tables and options.

    `--json` prints the same for programs, with the values and the ruling of each option.

    For example:

        pitboss games
        pitboss games --json
    """
    listed = list(load_games().values())
    if as_json:
        typer.echo(json.dumps({"games": [_as_json(game) for game in listed]}, indent=2))
    else:
        _print(listed)
    statuses = [report_error(str(error)) for error in list_load_errors()]
    if statuses:
        raise typer.Exit(max(statuses))


def _as_json(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": game.name,
        "seats": game.seats,
        "deck_cards": game.deck.size,
        "bets": [
            {
                "id": wager.id,
                "mandatory": wager.mandatory,
                "paytables": [table.id for table in get_wager_paytables(game, wager)],
                "default_paytables": [table.id for table in get_wager_paytables(game, wager) if table.default],
            }
            for wager in game.wagers
        ],
        "options": [
            {"name": option.name, "values": option.values, "default": option.default, "ruling": option.ruling}
            for option in game.options
        ],
    }


def _print(listed: list[Game]) -> None:
    from rich.text import Text

    from pitboss.cli.terminal_tables import Column, TerminalTable, make_console

    console = make_console()
    for game in listed:
        console.print()
        console.print(Text.assemble((game.id, "bold cyan"), "  ", (game.name, "bold"), f"  {game.deck.size} cards"))
        console.print(Text(game.summary))
        bets = TerminalTable((Column("bet"), Column("pay tables (* default)", wraps=True)))
        for wager in game.wagers:
            tables = get_wager_paytables(game, wager)
            bets.add_row(wager.id, ", ".join(f"{table.id}{'*' * table.default}" for table in tables) or "even money")
        console.print(bets)
        named = ", ".join(f"{option.name}={option.default}" for option in game.options) or "none"
        console.print(Text(f"  options: {named}", style="dim"))
    console.print()
    console.print(Text("pitboss rules GAME explains a game; pitboss par GAME prints its exact PAR sheets."))
