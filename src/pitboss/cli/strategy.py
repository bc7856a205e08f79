"""``pitboss strategy``: a strategy to carry in one's head, what it costs, and what simpler ones cost."""

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
    """Print a game's practical strategy, its exact cost against the best play, and what simpler ones cost.

    Every strategy is played out over every deal, once for each choice of options and pays, and kept.  A cost is what
    it loses more than the best play, per Ante of a round.  Where its mistakes cannot be told apart over every deal
    they are those of rounds simulated, and say so.

    For example:

        pitboss strategy six-card
        pitboss strategy wild-52 --option ante_when_unqualified=push --json
    """
    of_game = load_game(game)
    options = parse_options(of_game, option or [])
    chosen = select_paytables(of_game, paytable or [])
    about = {
        "game": of_game.id,
        "paytable": [chosen[kind].id for kind in of_game.wagers[0].paytable_kinds],
        "options": options,
    }
    best, *written = compute_strategy_costs(
        of_game, chosen, options, lambda what: show_progress(f"{what} of {of_game.name}")
    )
    simulated: Sequence[SimulatedStrategyCost] = ()
    rounds = get_simulated_rounds(of_game)
    if rounds:
        with show_progress(f"{rounds} rounds of {of_game.name}") as progress:
            simulated = simulate_strategy_costs(of_game, chosen, options, rounds, progress)
    if as_json:
        shown = [strategy_cost_as_json(each) for each in written]
        for figures, errors in zip(shown, simulated, strict=False):
            figures.update(simulated_cost_as_json(errors))
        typer.echo(json.dumps({**about, "best": strategy_cost_as_json(best), "strategies": shown}, indent=2))
    else:
        _print_strategies(of_game, best, written, simulated)


def _print_strategies(
    game: Game, best: StrategyCost, written: Sequence[StrategyCost], simulated: Sequence[SimulatedStrategyCost]
) -> None:
    """Print the practical strategy line by line, what it costs, the table of all, and the simpler ones."""
    console = make_console()
    console.print()
    practical, *simpler = (each.strategy for each in written if each.strategy)
    console.print(Text.assemble((f"{game.name}: ", "bold"), practical.name))
    console.print(_render_lines(practical))
    console.print()
    cost, mistakes, where = written[0].cost, written[0].mistakes, "Where it errs most"
    said = f"It costs {float(cost):.4%} of an Ante more than the best play"
    console.print(Text(f"{said}, exactly {cost.numerator}/{cost.denominator}"))
    console.print(_render_comparison(best, written))
    for each in simulated[:1]:
        found = f"{float(each.cost):.2%}, standard error {each.standard_error:.2%}"
        mistakes, where = each.mistakes, f"{where}, as {each.rounds} rounds simulated tell (they make it {found})"
    if mistakes:
        console.print(Text(where, "bold"))
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


def _get_name(play: StrategyCost) -> str:
    return play.strategy.name if play.strategy else "Best play"


def _render_comparison(best: StrategyCost, written: Sequence[StrategyCost]) -> Grid:
    """Draw a row for each play: house edge, cost, and how often it acts how; or a column, if actions are many."""
    rows = [["Strategy", "House edge", "Costs", *(display_name(path) for path in best.actions)]]
    for play in (best, *written):
        cost = f"{float(play.cost):.4%}" if play.strategy else ""
        taken = (f"{float(play.actions.get(path, 0)):.2%}" for path in best.actions)
        rows.append([_get_name(play), f"{float(play.house_edge):.4%}", cost, *taken])
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
