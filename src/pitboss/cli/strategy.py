"""``pitboss strategy``: a strategy to remember, its cost, and simpler strategies with theirs."""

import json
from collections.abc import Sequence

import typer
from rich.table import Table
from rich.text import Text

from pitboss.analysis.simulated_strategy_cost import (
    SimulatedStrategyCost,
    get_simulated_rounds,
    simulate_strategy_costs,
    simulated_cost_as_json,
)
from pitboss.analysis.strategy_cost import PricedMistake, StrategyCost, compute_strategy_costs, strategy_cost_as_json
from pitboss.builders import display_name
from pitboss.cli.arguments import GameArgument, JsonOption, PayTableOptions, RulingOptions
from pitboss.cli.grids import Column, Grid, make_console, make_number_columns
from pitboss.cli.progress import show_progress
from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.options import parse_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Strategy

_MAX_ACTION_COLUMNS = 6


def strategy(
    game: GameArgument,
    option: RulingOptions = None,
    paytable: PayTableOptions = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Print a game's practical strategy, its exact cost, and simpler strategies with theirs.

    A cost is what a strategy loses more than the best play, per Ante of a round.  Each strategy is evaluated over every
    deal, once for each choice of options and pays, and the result is cached.  If its mistakes cannot be listed over
    every deal, they come from simulated rounds, and the output says so.

    For example:

        pitboss strategy six-card
        pitboss strategy wild-52 --option ante_when_unqualified=push --json
    """
    of_game = load_game(game)
    options = parse_options(of_game, option or [])
    chosen = select_paytables(of_game, paytable or [])
    setup = {
        "game": of_game.id,
        "paytable": [chosen[kind].id for kind in of_game.wagers[0].paytable_kinds],
        "options": options,
    }
    best, *costs = compute_strategy_costs(
        of_game, chosen, options, lambda what: show_progress(f"{what} of {of_game.name}")
    )
    simulated: Sequence[SimulatedStrategyCost] = ()
    rounds = get_simulated_rounds(of_game)
    if rounds:
        with show_progress(f"{rounds} rounds of {of_game.name}") as progress:
            simulated = simulate_strategy_costs(of_game, chosen, options, rounds, progress)
    if as_json:
        strategies = [strategy_cost_as_json(each) for each in costs]
        for figures, errors in zip(strategies, simulated, strict=False):
            figures.update(simulated_cost_as_json(errors))
        typer.echo(json.dumps({**setup, "best": strategy_cost_as_json(best), "strategies": strategies}, indent=2))
    else:
        _print_strategies(of_game, best, costs, simulated)


def _print_strategies(
    game: Game, best: StrategyCost, costs: Sequence[StrategyCost], simulated: Sequence[SimulatedStrategyCost]
) -> None:
    """Print the practical strategy line by line, its cost, the comparison, and the simpler strategies."""
    console = make_console()
    console.print()
    practical, *simpler = (each.strategy for each in costs if each.strategy)
    console.print(Text.assemble((f"{game.name}: ", "bold"), practical.name))
    console.print(_render_lines(practical))
    console.print()
    cost, mistakes, title = costs[0].cost, costs[0].mistakes, "Where it errs most"
    sentence = f"It costs {float(cost):.4%} of an Ante more than the best play"
    console.print(Text(f"{sentence}, exactly {cost.numerator}/{cost.denominator}"))
    console.print(_render_comparison(best, costs))
    for each in simulated[:1]:
        simulated_cost = f"{float(each.cost):.2%}, standard error {each.standard_error:.2%}"
        mistakes, title = each.mistakes, f"{title} in {each.rounds} simulated rounds (they cost {simulated_cost})"
    if mistakes:
        console.print(Text(title, "bold"))
        console.print(_render_mistakes(mistakes))
    for strategy in simpler:
        console.print(Text.assemble((f"{strategy.name}: ", "bold"), " ".join(strategy.lines)))
    console.print()


def _render_lines(strategy: Strategy) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", min_width=4)
    for number, line in enumerate(strategy.lines, start=1):
        table.add_row(f"{number}.", Text(line))
    return table


def _get_name(each: StrategyCost) -> str:
    return each.strategy.name if each.strategy else "Best play"


def _render_comparison(best: StrategyCost, costs: Sequence[StrategyCost]) -> Grid:
    """Draw a row for each strategy: house edge, cost, action frequencies; a column each if actions are many."""
    rows = [["Strategy", "House edge", "Costs", *(display_name(path) for path in best.actions)]]
    for each in (best, *costs):
        cost = f"{float(each.cost):.4%}" if each.strategy else ""
        frequencies = (f"{float(each.actions.get(path, 0)):.2%}" for path in best.actions)
        rows.append([_get_name(each), f"{float(each.house_edge):.4%}", cost, *frequencies])
    (corner, *headings), *lines = (
        rows if len(best.actions) <= _MAX_ACTION_COLUMNS else map(list, zip(*rows, strict=True))
    )
    table = Grid(
        (Column(corner, wraps=True), *(Column(heading, right_aligned=True, splits=True) for heading in headings))
    )
    for line in lines:
        table.add_row(*line)
    return table


def _render_mistakes(mistakes: Sequence[PricedMistake]) -> Grid:
    words = (Column(heading, wraps=True) for heading in ("Does", "Better", "With"))
    table = Grid(
        (*words, *make_number_columns("Rounds", "Costs"), Column("Standard error", right_aligned=True, drop_order=1))
    )
    for each in mistakes:
        rounds, cost = f"{float(each.frequency):.4%}", f"{float(each.cost):.5%}"
        error = "" if each.standard_error is None else f"{each.standard_error:.5%}"
        table.add_row(display_name(each.taken), display_name(each.best), each.hand, rounds, cost, error)
    return table
