"""``pitboss strategy``: a strategy to memorize, and simpler ones, with costs."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager

import typer
from rich.table import Table
from rich.text import Text

from pitboss.analysis.simulated_strategy_cost import SimulatedStrategyCost
from pitboss.analysis.strategy_cost import StrategyCost, compute_strategy_costs
from pitboss.cli.arguments import GameArgument, JsonOption, PayTableOptions, RulingOptions, parse_terms
from pitboss.cli.progress import show_progress
from pitboss.cli.terminal_tables import TerminalTable, make_console, make_terminal_table
from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback
from pitboss.games import load_game
from pitboss.reports.data_export import plays_as_json
from pitboss.reports.document import LEFT, RIGHT, TableBlock
from pitboss.reports.play_section import (
    describe_cost,
    describe_simulated_cost,
    make_mistake_table,
    make_strategy_table,
)
from pitboss.reports.report import simulate_costs
from pitboss.solver_api import Strategy

_MAX_ACTION_COLUMNS = 6


def strategy(
    game: GameArgument,
    option: RulingOptions = None,
    paytable: PayTableOptions = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Print a game's practical strategy, its exact cost, and simpler strategies.

    The cost of a strategy is how much more it loses than the best play, per round with one Ante.  Each strategy is
    evaluated over every deal, once for each choice of options and pays, and the result is cached.  If its mistakes
    cannot be listed over every deal, they come from simulated rounds, and the output says so.

    For example:

        pitboss strategy six-card
        pitboss strategy wild-52 --option ante_when_unqualified=push --json
    """
    of_game = load_game(game)
    terms = parse_terms(of_game, paytable, option)
    chosen, options = terms.paytables, terms.options
    setup = {
        "game": of_game.id,
        "paytable": [chosen[kind].id for kind in of_game.main.paytable_kinds],
        "options": options,
    }

    def open_progress(what: str) -> AbstractContextManager[ProgressCallback]:
        return show_progress(f"{what.replace('Best play', 'the best play')} of {of_game.name}")

    plays = compute_strategy_costs(of_game, chosen, options, open_progress)
    simulated = simulate_costs(of_game, terms, show_progress)
    if as_json:
        typer.echo(json.dumps(setup | plays_as_json(plays, simulated), indent=2))
    else:
        _print_strategies(of_game, plays, simulated)


def _print_strategies(game: Game, plays: Sequence[StrategyCost], simulated: Sequence[SimulatedStrategyCost]) -> None:
    """Print the practical strategy line by line.

    Its cost, the comparison and the simpler strategies follow.
    """
    console = make_console()
    console.print()
    practical, *simpler = (each.strategy for each in plays if each.strategy)
    console.print(Text.assemble((f"{game.name}: ", "bold"), practical.name))
    console.print(_render_lines(practical))
    console.print()
    console.print(Text(describe_cost(game, plays[1].cost)))
    console.print(_render_comparison(plays))
    mistakes, source = plays[1].mistakes, ""
    for each in simulated[:1]:
        mistakes = each.mistakes
        source = f" in {each.rounds} simulated rounds (they cost {describe_simulated_cost(each)})"
    if mistakes:
        table = make_mistake_table(mistakes)
        console.print(Text(f"{table.title}{source}", "bold"))
        console.print(make_terminal_table(table, {"Rounds": 0, "Costs": 0, "Standard error": 1}))
    for strategy in simpler:
        console.print(Text.assemble((f"{strategy.name}: ", "bold"), " ".join(strategy.lines)))
    console.print()


def _render_lines(strategy: Strategy) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", min_width=4)
    for number, line in enumerate(strategy.lines, start=1):
        table.add_row(f"{number}.", Text(line))
    return table


def _render_comparison(plays: Sequence[StrategyCost]) -> TerminalTable:
    """Draw a row for each strategy, or a column if the actions are many."""
    table = make_strategy_table(plays)
    if len(plays[0].actions) > _MAX_ACTION_COLUMNS:
        headings, *rows = zip(table.headings, *table.rows, strict=True)
        table = TableBlock(table.title, headings, LEFT + RIGHT * len(plays), tuple(rows))
    return make_terminal_table(table)
