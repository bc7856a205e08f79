"""``pitboss simulate``: any game by any strategy, as many rounds as asked for, beside the exact figures."""

import json
import time
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from math import sqrt
from pathlib import Path
from secrets import randbits
from typing import Annotated, Any

import typer

from pitboss.analysis.exact_par_sheet import GameTerms
from pitboss.analysis.simulation_report import (
    SimulatedBet,
    SimulationReport,
    compute_exact_value,
    compute_z_score,
    resolve_stakes,
)
from pitboss.analysis.solutions import compute_main_nets
from pitboss.cli.arguments import MAX_WORKERS, GameArgument, JsonOption, PayTableOptions, RulingOptions
from pitboss.cli.progress import show_progress
from pitboss.cli.simulation_extras import ExtrasRequest, ExtrasResult
from pitboss.contract import Game
from pitboss.core.errors import WagerError
from pitboss.games import load_game
from pitboss.options import parse_options
from pitboss.paytables import select_paytables
from pitboss.simulate.ordered_outcomes import OutcomeObserver
from pitboss.simulate.outcome_counts import OutcomeCounts
from pitboss.simulate.players import OPTIMAL, find_player, get_default_player
from pitboss.simulate.runner import (
    InterruptedRunError,
    Simulation,
    build_block_players,
    load_best_play,
    run_simulation,
    validate_simulation,
)
from pitboss.tasks import Executor

INTERRUPTED_STATUS = 130
_SEED_BITS = 32


class _Device(StrEnum):
    CPU = "cpu"
    GPU = "gpu"


_ExactValues = Mapping[str, Fraction | None]


_StrategyOption = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE.py:FUNCTION",
        help="Who plays: `pitboss strategy` lists the names.  A core plays `optimal` at so many rounds a second: "
        "wild-52 and wild-six-card 3.5 million, six-card 530,000, lunar 110,000, shifting-wilds 30,000.",
    ),
]
_AgainstOption = Annotated[
    str, typer.Option(metavar="NAME|FILE.py:FUNCTION", help="Another strategy, compared in the same deals.")
]
_SeedOption = Annotated[int | None, typer.Option(help="Deal the same rounds again; drawn and told unless given.")]
_WagerOption = Annotated[
    list[str] | None,
    typer.Option(metavar="BET=STAKE", help="Stake this beside one Ante; repeatable.  Unless given: one of each."),
]
_DeviceOption = Annotated[
    _Device, typer.Option("--device", help="What plays the rounds; what follows them is told by the CPU.")
]
_WorkersOption = Annotated[
    int, typer.Option(min=1, max=MAX_WORKERS, help="How many processes work; one uses all cores.")
]
_SessionOption = Annotated[
    int | None, typer.Option(metavar="ROUNDS", help="Tell what becomes of a session of so many rounds.")
]
_BankrollOption = Annotated[
    str | None, typer.Option(metavar="ANTES", help="What a session begins with: tells the risk of ruin.")
]
_PaceOption = Annotated[int, typer.Option(min=1, metavar="ROUNDS", help="How many rounds a table plays an hour.")]
_ContributionOption = Annotated[
    str | None, typer.Option(metavar="PERCENT", help="What of a progressive wager goes to the meter.")
]
_ReserveOption = Annotated[str | None, typer.Option(metavar="PERCENT", help="What of it goes to the reserve.")]
_MeterSeedOption = Annotated[str | None, typer.Option(metavar="DOLLARS", help="What the meter starts again from.")]
_ChartOption = Annotated[
    Path | None, typer.Option(metavar="FILE.png|svg|pdf", help="Draw the session, or else the meter, there.")
]


def simulate(
    game: GameArgument,
    rounds: Annotated[int, typer.Option(help="How many rounds.")],
    strategy: _StrategyOption = "",
    against: _AgainstOption = "",
    seats: Annotated[int, typer.Option(help="How many seats play, all alike.")] = 1,
    seed: _SeedOption = None,
    wager: _WagerOption = None,
    paytable: PayTableOptions = None,
    option: RulingOptions = None,
    workers: _WorkersOption = 1,
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A Dask scheduler; `local` starts one.")] = "",
    device: _DeviceOption = _Device.CPU,
    session: _SessionOption = None,
    bankroll: _BankrollOption = None,
    pace: _PaceOption = 40,
    contribution: _ContributionOption = None,
    reserve: _ReserveOption = None,
    meter_seed: _MeterSeedOption = None,
    chart: _ChartOption = None,
    *,
    meter: Annotated[bool, typer.Option("--meter", help="Carry the progressive's meter through the rounds.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Count exact figures that no command has found yet.")] = False,
    correlation: Annotated[bool, typer.Option("--correlation", help="Say how the bets move together.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a game by a strategy, as many rounds as asked for, and tell what every wager came to.

    Every round is dealt from a stream that the seed names: the same seed counts the same whoever works.  Means are per
    unit staked, those of the round in Antes; where a table pays dollars an Ante is a dollar.  A progressive's meter
    stands at its seed.  Exact values stand beside the means where `par`, `strategy` or `--exact` has found them.

    A strategy of yours is a function of a file, marked `@rule` (pitboss.core.rule), called as those of the games are:
    `(tables, view, asked, numbers, options)`; it returns the number of an action and the set of cards given up.
    `optimal` is the best play, exactly, found once and kept; `chance` draws among the legal actions.

    With `--session` they say what becomes of an evening: how it ends, how often a `--bankroll` is ruined, what the
    house wins an hour; with `--meter`, or terms of it, how often it runs dry, where it stands, what the house holds.

    For example:

        pitboss simulate six-card --rounds 1000000 --strategy practical --against optimal
        pitboss simulate lunar --rounds 1000000 --seats 6 --seed 7 --json
        pitboss simulate wild-52 --rounds 1000000000 --workers 8
        pitboss simulate six-card --rounds 100000000000 --device gpu
        pitboss simulate six-card --rounds 1000000 --strategy mine.py:play --wager aces-up=0.5
        pitboss simulate six-card --rounds 1000000 --wager main=1 --session 200 --bankroll 50 --chart session.png
        pitboss simulate six-card --rounds 10000000 --seats 6 --paytable progressive=SIXCPP-01 --contribution 70%
    """
    of_game, crew = load_game(game), _make_executor(workers, cluster)
    values = parse_options(of_game, option or [])
    terms = GameTerms(
        select_paytables(of_game, paytable or []), values, resolve_stakes(of_game, values, seats, wager or [])
    )
    simulation = _make_simulation(of_game, terms, strategy, against, seats)
    wanted = ExtrasRequest(
        of_game, terms, session, bankroll, pace, meter, contribution, reserve, meter_seed, chart
    ).verify()
    drawn = randbits(_SEED_BITS) if seed is None else seed
    carried, watch = wanted.make_meter_simulation(seats, rounds)
    validate_simulation(simulation, rounds, drawn, gpu=device is _Device.GPU, observer=watch)
    known = _get_exact_values(of_game, terms, simulation, compute=exact)
    counted, speed = _run_simulation(of_game, simulation, rounds, drawn, crew, device, watch)
    if counted.rounds:
        measured = SimulationReport(of_game, terms, counted)
        found = wanted.collect(measured, carried) if counted.rounds == rounds else None
        about = _summarize_run(simulation, drawn, counted.rounds, speed)
        if as_json:
            typer.echo(json.dumps(about | _as_json(measured, known, found), indent=2))
        else:
            _print_results(measured, known, about, found, correlation=correlation)
    if counted.rounds < rounds:
        typer.echo(f"interrupted after {counted.rounds:,} of {rounds:,} rounds", err=True)
        raise typer.Exit(INTERRUPTED_STATUS)


def _make_executor(workers: int, cluster: str) -> Executor:
    if workers > 1 and cluster:
        raise WagerError("--workers and --cluster exclude each other: give one of them")
    return Executor(workers, cluster)


def _make_simulation(game: Game, terms: GameTerms, strategy: str, against: str, seats: int) -> Simulation:
    """Return the simulation of a game under terms."""
    return Simulation(
        game.id,
        tuple(terms.options.items()),
        find_player(game, strategy) if strategy else get_default_player(game),
        seats,
        sum(1 << index for index, each in enumerate(game.wagers) if each.id in terms.stakes),
        find_player(game, against) if against else None,
        compute_main_nets(game, terms.paytables),
    )


def _run_simulation(
    game: Game,
    simulation: Simulation,
    rounds: int,
    seed: int,
    executor: Executor,
    device: _Device,
    watch: OutcomeObserver | None,
) -> tuple[OutcomeCounts, int]:
    """Return what was counted, to the end or until Ctrl-C, and how many rounds a second."""
    _prepare(game, simulation, executor, device)
    with show_progress(f"rounds of {game.name}", rate_unit="rounds") as progress:
        began = time.perf_counter()
        try:
            counted = run_simulation(
                simulation, rounds, seed, executor, progress, gpu=device is _Device.GPU, observer=watch
            )
        except InterruptedRunError as interrupted:
            counted = interrupted.counts
        return counted, round(counted.rounds / (time.perf_counter() - began))


def _summarize_run(simulation: Simulation, seed: int, rounds: int, speed: int) -> dict[str, Any]:
    return {
        "game": simulation.game,
        "strategy": simulation.player.name,
        **({"against": simulation.against.name} if simulation.against else {}),
        "seed": seed,
        "rounds": rounds,
        "seats": simulation.seats,
        "rounds_per_second": speed,
    }


def _prepare(game: Game, simulation: Simulation, executor: Executor, device: _Device) -> None:
    """Find and compile what takes a while, once: it is no part of the rounds' time."""
    if OPTIMAL in (simulation.player.name, simulation.against and simulation.against.name):
        with show_progress(f"the best play of {game.name}") as progress:
            load_best_play(game, simulation.options, simulation.nets, progress, executor)
    if device is _Device.GPU:
        from pitboss.simulate.gpu import require_gpu

        require_gpu()
        return
    with show_progress(f"the strategy of {game.name}"):
        build_block_players(simulation)


def _get_exact_values(game: Game, terms: GameTerms, simulation: Simulation, *, compute: bool) -> _ExactValues:
    """Return the exact values that are kept, or all that can be found."""
    known = {}
    for bet in terms.stakes:
        if compute:
            with show_progress(f"{bet} of {game.name}") as progress:
                known[bet] = compute_exact_value(game, bet, terms, simulation, progress)
        else:
            known[bet] = compute_exact_value(game, bet, terms, simulation, None)
    return known


def _as_json(simulated: SimulationReport, known: _ExactValues, extras: ExtrasResult | None) -> dict[str, Any]:
    figures, bets = simulated.figures, list(simulated.terms.stakes)
    every = simulated.round_weights
    histogram = figures.histogram(every)
    found: dict[str, Any] = {
        "paytables": [simulated.terms.paytables[kind].id for kind in _list_table_kinds(simulated)],
        "options": dict(simulated.terms.options),
        "stakes": {bet: float(stake) for bet, stake in simulated.terms.stakes.items()},
        "bets": {bet: simulated.report_bet(bet, known[bet]).as_json() for bet in bets},
        "round": {
            "mean": float(figures.mean(every)),
            "standard_error": figures.standard_error(every),
            "variance": float(figures.variance(every)),
            "histogram": [[float(net), times] for net, times in histogram.items()],
        },
        "covariance": [
            {
                "bets": [one, other],
                "covariance": float(
                    figures.covariance(simulated.get_bet_weights(one), simulated.get_bet_weights(other))
                ),
            }
            for place, one in enumerate(bets)
            for other in bets[place + 1 :]
        ],
        "stub_renewed_rounds": simulated.counts.renewed_rounds,
    }
    if simulated.is_comparison:
        found["difference"] = {
            name: {"mean": float(figures.mean(weights)), "standard_error": figures.standard_error(weights)}
            for name, weights in _compute_differences(simulated).items()
        }
    return found | (extras.as_json() if extras else {})


def _list_table_kinds(simulated: SimulationReport) -> list[str]:
    return [kind for each in simulated.game.wagers if each.id in simulated.terms.stakes for kind in each.paytable_kinds]


def _compute_differences(simulated: SimulationReport) -> dict[str, Any]:
    """Return what tells how much more the first strategy nets of a bet, and of a round."""
    moving = {bet: simulated.get_difference_weights(bet) for bet in simulated.terms.stakes}
    return {bet: each for bet, each in moving.items() if simulated.figures.variance(each)} | {
        "round": simulated.get_difference_weights()
    }


def _print_results(
    simulated: SimulationReport,
    known: _ExactValues,
    about: Mapping[str, Any],
    extras: ExtrasResult | None,
    *,
    correlation: bool,
) -> None:
    from rich.text import Text

    from pitboss.cli.grids import Column, Grid, make_console

    console = make_console()
    seated = "" if about["seats"] == 1 else f", {about['seats']} seats"
    console.print()
    console.print(Text.assemble((f"{simulated.game.name}: ", "bold"), f"{about['rounds']:,} rounds{seated}"))
    console.print(
        Text(
            f"strategy {about['strategy']}, seed {about['seed']}, {about['rounds_per_second']:,} rounds a second", "dim"
        )
    )
    spare = {"Deviation": 4, "Wins": 3, "z": 2, "Exact": 1}
    headings = ("Mean", "Error", "Exact", "z", "Wins", "Deviation")
    figures = (Column(heading, right_aligned=True, drop_order=spare.get(heading, 0)) for heading in headings)
    table = Grid((Column("Bet"), *figures))
    for bet in simulated.terms.stakes:
        table.add_row(bet, *_format_row(simulated.report_bet(bet, known[bet])))
    table.add_row("round", *_format_round_row(simulated, known))
    console.print(table)
    staked = ", ".join(f"{bet} {stake}" for bet, stake in simulated.terms.stakes.items())
    console.print(Text("per unit staked, with the standard error of the mean and the standard deviation", "dim"))
    console.print(Text(f"round: {staked}, in Antes", "dim"))
    if simulated.counts.renewed_rounds:
        share = simulated.counts.renewed_rounds / simulated.counts.rounds
        console.print(
            Text(f"the stub ran short and was renewed in {simulated.counts.renewed_rounds:,} rounds ({share:.4%})")
        )
    if simulated.is_comparison:
        console.print(Text(f"What {about['strategy']} nets more than {about['against']} in the same deals", "bold"))
        for name, weights in _compute_differences(simulated).items():
            mean, error = float(simulated.figures.mean(weights)), simulated.figures.standard_error(weights)
            console.print(Text(f"{name}: {mean:+.6f}, standard error {error:.6f}"))
    if correlation:
        console.print(_render_correlations(simulated))
    console.print()
    if extras:
        extras.print()


def _format_row(measured: SimulatedBet) -> list[str]:
    exact = "" if measured.exact_value is None else f"{float(measured.exact_value):+.6f}"
    z = "" if measured.z_score is None else f"{measured.z_score:+.2f}"
    wins, spread = f"{float(measured.sheet.hit_frequency):.4%}", f"{measured.sheet.standard_deviation:,.4f}"
    return [f"{float(measured.mean):+.6f}", f"{measured.standard_error:.6f}", exact, z, wins, spread]


def _format_round_row(simulated: SimulationReport, known: _ExactValues) -> list[str]:
    figures, every, stakes = simulated.figures, simulated.round_weights, simulated.terms.stakes
    mean, error = figures.mean(every), figures.standard_error(every)
    values = [known[bet] for bet in stakes]
    exact, z = "", ""
    if None not in values:
        value = sum((stake * (known[bet] or 0) for bet, stake in stakes.items()), Fraction(0))
        found = compute_z_score(mean, value, error)
        exact, z = f"{float(value):+.6f}", "" if found is None else f"{found:+.2f}"
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

    from pitboss.cli.grids import Column, Grid

    bets = list(simulated.terms.stakes)
    table = Grid((Column(wraps=True), *(Column(bet, right_aligned=True, splits=True) for bet in bets)))
    for one in bets:
        cells = [
            simulated.figures.correlation(simulated.get_bet_weights(one), simulated.get_bet_weights(other))
            for other in bets
        ]
        table.add_row(one, *(f"{each:+.4f}" for each in cells))
    return Group(Text("Correlation", "italic"), table)
