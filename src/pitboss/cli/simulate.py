"""``pitboss simulate``: play many rounds of a game with a strategy.

The results are compared with the exact figures.
"""

import json
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from math import sqrt
from pathlib import Path
from secrets import randbits
from typing import Annotated, Any

import typer

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.simulation_report import (
    ExactValues,
    SimulatedBet,
    SimulationReport,
    compute_exact_value,
    compute_z_score,
    make_simulation,
    resolve_stakes,
    summarize_simulation,
)
from pitboss.cli.arguments import (
    ClusterOption,
    GameArgument,
    JsonOption,
    PayTableOptions,
    RulingOptions,
    make_executor,
    parse_terms,
)
from pitboss.cli.progress import show_progress
from pitboss.cli.simulation_extras import ExtrasRequest, ExtrasResult
from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.simulate.ordered_outcomes import OutcomeObserver
from pitboss.simulate.outcome_counts import OutcomeCounts
from pitboss.simulate.players import OPTIMAL
from pitboss.simulate.runner import (
    InterruptedRunError,
    Simulation,
    build_block_players,
    load_best_play,
    run_simulation,
    validate_simulation,
)
from pitboss.tasks import MAX_WORKERS, Executor

INTERRUPTED_STATUS = 130
_SEED_BITS = 32


class _Device(StrEnum):
    CPU = "cpu"
    GPU = "gpu"


_StrategyOption = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE.py:FUNCTION",
        help="The strategy to play by: `pitboss strategy` lists the names.  Default: the first one, or `chance` where "
        "the game has none.  `optimal` is the best play: its decisions are computed once, in seconds to minutes.",
    ),
]
_AgainstOption = Annotated[
    str, typer.Option(metavar="NAME|FILE.py:FUNCTION", help="Another strategy to compare it with, on the same deals.")
]
_SeedOption = Annotated[int | None, typer.Option(help="The seed of the deals; default: drawn at random and printed.")]
_WagerOption = Annotated[
    list[str] | None,
    typer.Option(metavar="BET=STAKE", help="Stake this many Antes on a bet; repeatable.  Default: one on each."),
]
_SeatsOption = Annotated[int, typer.Option(help="The number of seats, all with the same strategy.")]
_DeviceOption = Annotated[
    _Device, typer.Option("--device", help="The device that plays the rounds; the CPU computes the report.")
]
_WorkersOption = Annotated[
    int,
    typer.Option(min=1, max=MAX_WORKERS, help="The number of worker processes; one process already uses all cores."),
]
_SessionOption = Annotated[
    int | None, typer.Option(metavar="ROUNDS", help="Report how a session of this many rounds ends.")
]
_BankrollOption = Annotated[
    str | None, typer.Option(metavar="ANTES", help="The bankroll of a session, to report the risk of ruin.")
]
_PaceOption = Annotated[int, typer.Option(min=1, metavar="ROUNDS", help="The rounds that a table plays per hour.")]
_ContributionOption = Annotated[
    str | None,
    typer.Option(metavar="PERCENT", help="The share of a progressive wager that goes to the meter, such as 70%."),
]
_ReserveOption = Annotated[
    str | None,
    typer.Option(metavar="PERCENT", help="The share of a progressive wager that goes to the reserve, such as 2%."),
]
_MeterSeedOption = Annotated[
    str | None, typer.Option(metavar="DOLLARS", help="The seed: the amount from which the meter restarts.")
]
_METER_HELP = "Simulate the progressive's meter over the rounds; also without this if its rates or its seed are given."
_ChartOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE.png|svg|pdf", help="Draw a chart of the session, or else of the meter, to this file."),
]


def simulate(
    game: GameArgument,
    rounds: Annotated[int, typer.Option(help="The number of rounds to play.")],
    strategy: _StrategyOption = "",
    against: _AgainstOption = "",
    seats: _SeatsOption = 1,
    seed: _SeedOption = None,
    wager: _WagerOption = None,
    paytable: PayTableOptions = None,
    option: RulingOptions = None,
    workers: _WorkersOption = 1,
    cluster: ClusterOption = "",
    device: _DeviceOption = _Device.CPU,
    session: _SessionOption = None,
    bankroll: _BankrollOption = None,
    pace: _PaceOption = 40,
    contribution: _ContributionOption = None,
    reserve: _ReserveOption = None,
    meter_seed: _MeterSeedOption = None,
    chart: _ChartOption = None,
    *,
    meter: Annotated[bool, typer.Option("--meter", help=_METER_HELP)] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Compute the exact figures that are not cached yet.")] = False,
    correlation: Annotated[bool, typer.Option("--correlation", help="Print the correlations of the bets.")] = False,
    as_json: JsonOption = False,
) -> None:
    r"""Play many rounds with a strategy and report the result of every wager.

    The seed determines every deal: the same seed gives the same counts on any number of workers and any device.  The
    mean of a bet is per unit staked, that of the round in Antes; if a table pays dollars, an Ante is one dollar.  Exact
    values are printed with the means if `par`, `strategy` or `--exact` has computed them.  A progressive's meter stays
    at its seed unless you give `--meter`, or one of its rates or its seed.  Write percentages with their % sign.

    Your own strategy is a function in a file, marked `@rule` (from pitboss.core.rule), with the arguments of the games'
    own strategies: `(tables, view, decision, numbers, options)`.  It returns an action's number and the cards to give
    up.  `optimal` is the exact best play, computed once and cached; `chance` picks a legal action at random.

    For example:

        pitboss simulate six-card --rounds 1000000 --against optimal
        pitboss simulate wild-52 --rounds 1000000000 --workers 8 --seed 7 --json
        pitboss simulate lunar --rounds 1000000 --strategy mine.py:play
        pitboss simulate six-card --rounds 1000000 --wager main=1 \
            --session 200 --bankroll 50 --chart session.png
        pitboss simulate six-card --rounds 10000000 --seats 6 \
            --paytable progressive=SIXCPP-01 --contribution 70%
    """
    of_game, executor = load_game(game), make_executor(workers, cluster)
    terms = parse_terms(of_game, paytable, option)
    terms = replace(terms, stakes=resolve_stakes(of_game, terms.options, seats, wager or []))
    simulation = make_simulation(of_game, terms, strategy, against, seats)
    request = ExtrasRequest(of_game, terms, session, bankroll, pace, meter, contribution, reserve, meter_seed, chart)
    request.verify()
    used_seed = randbits(_SEED_BITS) if seed is None else seed
    meter_simulation, observer = request.make_meter_simulation(seats, rounds)
    validate_simulation(simulation, rounds, used_seed, gpu=device is _Device.GPU, observer=observer)
    exact_values = _get_exact_values(of_game, terms, simulation, compute=exact)
    counts, speed = _run_simulation(of_game, simulation, rounds, used_seed, executor, device, observer)
    if counts.rounds:
        report = SimulationReport(of_game, terms, counts)
        extras = request.collect(report, meter_simulation) if counts.rounds == rounds else None
        about = summarize_simulation(simulation, used_seed, counts.rounds) | {"rounds_per_second": speed}
        if as_json:
            about |= report.as_json(exact_values) | (extras.as_json() if extras else {})
            typer.echo(json.dumps(about, indent=2))
        else:
            _print_results(report, exact_values, about, extras, correlation=correlation)
    if counts.rounds < rounds:
        typer.echo(f"interrupted after {counts.rounds:,} of {rounds:,} rounds", err=True)
        raise typer.Exit(INTERRUPTED_STATUS)


def _run_simulation(
    game: Game,
    simulation: Simulation,
    rounds: int,
    seed: int,
    executor: Executor,
    device: _Device,
    observer: OutcomeObserver | None,
) -> tuple[OutcomeCounts, int]:
    """Return the counts, and the number of rounds a second.

    The rounds are played to the end or until Ctrl-C.
    """
    _prepare(game, simulation, executor, device)
    with show_progress(f"rounds of {game.name}", rate_unit="rounds", verb="playing") as progress:
        start = time.perf_counter()
        try:
            counts = run_simulation(
                simulation, rounds, seed, executor, progress, gpu=device is _Device.GPU, observer=observer
            )
        except InterruptedRunError as interrupted:
            counts = interrupted.counts
        return counts, round(counts.rounds / (time.perf_counter() - start))


def _prepare(game: Game, simulation: Simulation, executor: Executor, device: _Device) -> None:
    """Compute and compile what the rounds need.

    This is done once, before the rounds, so that their speed does not include it.
    """
    if OPTIMAL in (simulation.player.name, simulation.against and simulation.against.name):
        with show_progress(f"the best play of {game.name}") as progress:
            load_best_play(game, simulation.options, simulation.nets, progress, executor)
    if device is _Device.GPU:
        from pitboss.simulate.gpu import require_gpu

        require_gpu()
        return
    with show_progress(f"the strategy of {game.name}"):
        build_block_players(simulation)


def _get_exact_values(game: Game, terms: GameTerms, simulation: Simulation, *, compute: bool) -> ExactValues:
    """Return the exact values that are cached.

    With ``compute``, return all that can be computed.
    """
    exact_values = {}
    for bet in terms.stakes:
        with show_progress(f"{bet} of {game.name}") if compute else nullcontext() as progress:
            exact_values[bet] = compute_exact_value(game, bet, terms, simulation, progress)
    return exact_values


def _print_results(
    simulated: SimulationReport,
    exact_values: ExactValues,
    about: Mapping[str, Any],
    extras: ExtrasResult | None,
    *,
    correlation: bool,
) -> None:
    from rich.text import Text

    from pitboss.cli.terminal_tables import Column, TerminalTable, make_console

    console = make_console()
    seats = "" if about["seats"] == 1 else f", {about['seats']} seats"
    console.print()
    console.print(Text.assemble((f"{simulated.game.name}: ", "bold"), f"{about['rounds']:,} rounds{seats}"))
    console.print(
        Text(
            f"strategy {about['strategy']}, seed {about['seed']}, {about['rounds_per_second']:,} rounds a second", "dim"
        )
    )
    drop_orders = {"Deviation": 4, "Hits": 3, "z": 2, "Exact": 1}
    headings = ("Mean", "Error", "Exact", "z", "Hits", "Deviation")
    figures = (Column(heading, right_aligned=True, drop_order=drop_orders.get(heading, 0)) for heading in headings)
    table = TerminalTable((Column("Bet"), *figures))
    for bet in simulated.terms.stakes:
        table.add_row(bet, *_format_row(simulated.report_bet(bet, exact_values[bet])))
    table.add_row("round", *_format_round_row(simulated, exact_values))
    console.print(table)
    stakes = ", ".join(f"{bet} {stake}" for bet, stake in simulated.terms.stakes.items())
    console.print(
        Text("per unit staked; Error: standard error, Hits: hit frequency, Deviation: standard deviation", "dim")
    )
    console.print(Text(f"round: {stakes}, in Antes", "dim"))
    if simulated.counts.reshuffled_rounds:
        share = simulated.counts.reshuffled_rounds / simulated.counts.rounds
        console.print(
            Text(f"the stub ran out and was reshuffled in {simulated.counts.reshuffled_rounds:,} rounds ({share:.4%})")
        )
    if simulated.is_comparison:
        title = f"Net of {about['strategy']} minus net of {about['against']}, on the same deals"
        console.print(Text(title, "bold"))
        for name, weights in simulated.get_differences().items():
            mean, error = float(simulated.figures.mean(weights)), simulated.figures.standard_error(weights)
            console.print(Text(f"{name}: {mean:+.6f}, standard error {error:.6f}"))
    if correlation:
        console.print(_render_correlations(simulated))
    console.print()
    if extras:
        extras.print()


def _format_row(bet: SimulatedBet) -> list[str]:
    exact = "" if bet.exact_value is None else f"{float(bet.exact_value):+.6f}"
    z = "" if bet.z_score is None else f"{bet.z_score:+.2f}"
    wins, deviation = f"{float(bet.sheet.hit_frequency):.4%}", f"{bet.sheet.standard_deviation:,.4f}"
    return [f"{float(bet.mean):+.6f}", f"{bet.standard_error:.6f}", exact, z, wins, deviation]


def _format_round_row(simulated: SimulationReport, exact_values: ExactValues) -> list[str]:
    figures, every, stakes = simulated.figures, simulated.round_weights, simulated.terms.stakes
    mean, error = figures.mean(every), figures.standard_error(every)
    exact, z = "", ""
    if None not in [exact_values[bet] for bet in stakes]:
        value = sum((stake * (exact_values[bet] or 0) for bet, stake in stakes.items()), Fraction(0))
        z_score = compute_z_score(mean, value, error)
        exact, z = f"{float(value):+.6f}", "" if z_score is None else f"{z_score:+.2f}"
    histogram = figures.histogram(every)
    wins = sum(times for net, times in histogram.items() if net > 0) / sum(histogram.values())
    return [
        f"{float(mean):+.6f}",
        f"{error:.6f}",
        exact,
        z,
        f"{wins:.4%}",
        f"{sqrt(figures.variance(every)):,.4f}",
    ]


def _render_correlations(simulated: SimulationReport) -> Any:
    from rich.console import Group
    from rich.text import Text

    from pitboss.cli.terminal_tables import make_terminal_table
    from pitboss.reports.document import LEFT, RIGHT, TableBlock

    bets = {bet: simulated.get_bet_weights(bet) for bet in simulated.terms.stakes}
    rows = tuple(
        (one, *(f"{simulated.figures.correlation(weights, other):+.4f}" for other in bets.values()))
        for one, weights in bets.items()
    )
    table = TableBlock("Correlation", ("", *bets), LEFT + RIGHT * len(bets), rows)
    return Group(Text(table.title, "italic"), make_terminal_table(table))
