"""``pitboss solve``: find and store the best play of a game's main wager."""

import sys
from typing import Annotated

import typer

from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.solutions import count_finished_shards, get_solution
from pitboss.cli.arguments import (
    ClusterOption,
    GameArgument,
    JsonOption,
    PayTableOptions,
    RulingOptions,
    make_executor,
    parse_terms,
)
from pitboss.cli.par import par
from pitboss.cli.plan_display import parse_seconds, print_plan
from pitboss.cli.progress import show_progress
from pitboss.contract import Game
from pitboss.core.errors import ClusterError
from pitboss.core.progress import ignore_progress
from pitboss.engine.plan import make_plan
from pitboss.engine.solver_lookup import allow_seconds, find_solver
from pitboss.games import load_game
from pitboss.options import encode_options
from pitboss.tasks import MAX_WORKERS
from pitboss.value_units import name_value_unit


def solve(
    game: GameArgument,
    paytable: PayTableOptions = None,
    option: RulingOptions = None,
    workers: Annotated[int, typer.Option(min=1, max=MAX_WORKERS, help="The number of worker processes.")] = 1,
    cluster: ClusterOption = "",
    *,
    resume: Annotated[
        bool, typer.Option("--resume", help="Also print how many shards an earlier run has finished.")
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Print how the game would be solved and how long it takes; solve nothing.")
    ] = False,
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="The most time on one core that a solution may take: 90s, 30m or 2h.")
    ] = "2h",
    as_json: JsonOption = False,
) -> None:
    """Find the best play of a game, store it, and print its exact PAR sheet.

    A solution is valid only for the rules, options and pays that it was found with.  `pitboss par` uses the stored
    solution; if there is none, it solves the game first.

    A game without a solver of its own is solved from its rules: every deal is settled under every way to play it.
    `--plan` prints who sees which cards when, and how much work that is.

    Some games are solved in shards (independent parts).  Each shard is stored as soon as it is finished, so an
    interrupted run continues where it stopped.

    For example:

        pitboss solve wild-six-card
        pitboss solve wild-six-card --option stand_pat=on --json
        pitboss solve lunar --workers 8 --resume
        pitboss solve wild-52 --plan
        pitboss solve lunar --cluster tcp://10.0.0.1:8786
    """
    executor, of_game = make_executor(workers, cluster), load_game(game)
    terms = parse_terms(of_game, paytable, option)
    if plan:
        print_plan(make_plan(of_game, encode_options(of_game, terms.options)), as_json=as_json)
        return
    with allow_seconds(parse_seconds(budget)):
        find_solver(of_game)
        done = count_finished_shards(of_game, terms.paytables, terms.options)
        if done is None and cluster:
            raise ClusterError(
                f"{of_game.id} is solved as a whole, on all cores of this machine: leave out --cluster",
                code="solved-whole",
            )
        if done is None and (workers > 1 or resume):
            sys.stderr.write(f"{of_game.id} is solved as a whole, on all cores: there is nothing to share or resume\n")
        elif done and resume:
            sys.stderr.write(f"{done[0]} of {done[1]} shards are done\n")
        with show_progress(f"main of {of_game.name}") as progress:
            get_solution(of_game, terms.paytables, terms.options, progress, executor=executor)
        par(game, of_game.main.id, paytable, option, as_json=as_json)
        if not as_json:
            typer.echo(_describe_total(of_game, compute_par_sheet(of_game, of_game.main, terms, ignore_progress)))


def _describe_total(game: Game, sheet: ParSheet) -> str:
    """Describe the net of all deals together, as published figures do."""
    net = sheet.expected_value * sheet.deals
    amount = f"{net.numerator:,}" if net.denominator == 1 else f"{net.numerator:,}/{net.denominator:,}"
    return f"All {sheet.deals:,} deals together: {amount} {name_value_unit(game)}"
