"""``pitboss strategy``: a strategy to carry in one's head, what it costs exactly, and what simpler ones cost."""

import json
from collections.abc import Sequence

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitboss.analysis.strategy import Play, play_as_json, plays
from pitboss.cli.arguments import AsJson, GameName, Options, PayTables
from pitboss.cli.progress import counting
from pitboss.contract import Game
from pitboss.describe import spoken
from pitboss.games import game_named
from pitboss.options import parse_options
from pitboss.paytables import choose


def strategy(
    game: GameName,
    option: Options = None,
    paytable: PayTables = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Print a game's practical strategy, its exact cost against the best play, and what simpler ones cost.

    Every strategy is played out over every deal, once for each choice of options and pays, and kept.  A cost is what
    it loses more than the best play, per Ante of a round.

    For example:

        pitboss strategy six-card
        pitboss strategy wild-52 --option ante_when_unqualified=push --json
    """
    of_game = game_named(game)
    options = parse_options(of_game, option or [])
    chosen = choose(of_game, paytable or [])
    best, *written = plays(of_game, chosen, options, lambda what: counting(f"{what} of {of_game.name}"))
    if as_json:
        about = {"game": of_game.id, "paytable": [chosen[kind].id for kind in of_game.wagers[0].tables]}
        found = {"best": play_as_json(best), "strategies": [play_as_json(each) for each in written]}
        typer.echo(json.dumps({**about, "options": options, **found}, indent=2))
    else:
        _print(of_game, best, written)


def _print(game: Game, best: Play, written: Sequence[Play]) -> None:
    console = Console(highlight=False)
    console.print()
    practical = written[0]
    console.print(Text.assemble((f"{game.name}: ", "bold"), _name(practical)))
    console.print(_lines(practical))
    exact = f"exactly {practical.cost.numerator}/{practical.cost.denominator}"
    console.print()
    console.print(Text(f"It costs {float(practical.cost):.4%} of an Ante more than the best play, {exact}"))
    console.print(_compared(best, written))
    if practical.mistakes:
        console.print(Text("Where it errs most", "bold"))
        console.print(_mistakes(practical))
    for each in written[1:]:
        console.print(
            Text.assemble((f"{_name(each)}: ", "bold"), " ".join(each.strategy.lines if each.strategy else ()))
        )
    console.print()


def _lines(play: Play) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", min_width=4)
    for number, line in enumerate(play.strategy.lines if play.strategy else (), start=1):
        table.add_row(f"{number}.", Text(line))
    return table


def _name(play: Play) -> str:
    return play.strategy.name if play.strategy else "Best play"


def _compared(best: Play, written: Sequence[Play]) -> Table:
    """Draw a row for each play: house edge, cost, and how often it takes each action."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("Strategy", no_wrap=True)
    for heading in ("House edge", "Costs", *(spoken(path) for path in best.actions)):
        table.add_column(heading, justify="right")
    for play in (best, *written):
        cost = f"{float(play.cost):.4%}" if play.strategy else ""
        taken = (f"{float(play.actions.get(path, 0)):.2%}" for path in best.actions)
        table.add_row(_name(play), f"{float(play.house_edge):.4%}", cost, *taken)
    return table


def _mistakes(play: Play) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    for heading in ("Does", "Better", "With"):
        table.add_column(heading)
    for heading in ("Rounds", "Costs"):
        table.add_column(heading, justify="right")
    for each in play.mistakes:
        rounds, cost = f"{float(each.frequency):.4%}", f"{float(each.cost):.5%}"
        table.add_row(spoken(each.taken), spoken(each.best), each.hand, rounds, cost)
    return table
