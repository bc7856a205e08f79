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
from pitboss.cli.arguments import MOST_WORKERS, AsJson, GameName, Options, PayTables
from pitboss.cli.evening import Found, Wanted
from pitboss.cli.progress import counting
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

INTERRUPTED = 130
_SEED_BITS = 32


class _Device(StrEnum):
    CPU = "cpu"
    GPU = "gpu"


_Exact = Mapping[str, Fraction | None]


_Player = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE.py:FUNCTION",
        help="Who plays: `pitboss strategy` lists the names.  A core plays `optimal` at so many rounds a second: "
        "wild-52 and wild-six-card 3.5 million, six-card 530,000, lunar 110,000, shifting-wilds 30,000.",
    ),
]
_Other = Annotated[
    str, typer.Option(metavar="NAME|FILE.py:FUNCTION", help="Another strategy, compared in the same deals.")
]
_Seed = Annotated[int | None, typer.Option(help="Deal the same rounds again; drawn and told unless given.")]
_Staked = Annotated[
    list[str] | None,
    typer.Option(metavar="BET=STAKE", help="Stake this beside one Ante; repeatable.  Unless given: one of each."),
]
_On = Annotated[_Device, typer.Option("--device", help="What plays the rounds; what follows them is told by the CPU.")]
_Workers = Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="How many processes work; one uses all cores.")]
_Session = Annotated[
    int | None, typer.Option(metavar="ROUNDS", help="Tell what becomes of a session of so many rounds.")
]
_Bankroll = Annotated[
    str | None, typer.Option(metavar="ANTES", help="What a session begins with: tells the risk of ruin.")
]
_Pace = Annotated[int, typer.Option(min=1, metavar="ROUNDS", help="How many rounds a table plays an hour.")]
_Contribution = Annotated[
    str | None, typer.Option(metavar="PERCENT", help="What of a progressive wager goes to the meter.")
]
_Reserve = Annotated[str | None, typer.Option(metavar="PERCENT", help="What of it goes to the reserve.")]
_MeterSeed = Annotated[str | None, typer.Option(metavar="DOLLARS", help="What the meter starts again from.")]
_Chart = Annotated[
    Path | None, typer.Option(metavar="FILE.png|svg|pdf", help="Draw the session, or else the meter, there.")
]


def simulate(
    game: GameName,
    rounds: Annotated[int, typer.Option(help="How many rounds.")],
    strategy: _Player = "",
    against: _Other = "",
    seats: Annotated[int, typer.Option(help="How many seats play, all alike.")] = 1,
    seed: _Seed = None,
    wager: _Staked = None,
    paytable: PayTables = None,
    option: Options = None,
    workers: _Workers = 1,
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A Dask scheduler; `local` starts one.")] = "",
    device: _On = _Device.CPU,
    session: _Session = None,
    bankroll: _Bankroll = None,
    pace: _Pace = 40,
    contribution: _Contribution = None,
    reserve: _Reserve = None,
    meter_seed: _MeterSeed = None,
    chart: _Chart = None,
    *,
    meter: Annotated[bool, typer.Option("--meter", help="Carry the progressive's meter through the rounds.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Count exact figures that no command has found yet.")] = False,
    correlation: Annotated[bool, typer.Option("--correlation", help="Say how the bets move together.")] = False,
    as_json: AsJson = False,
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
    of_game, crew = load_game(game), _crew(workers, cluster)
    values = parse_options(of_game, option or [])
    terms = GameTerms(
        select_paytables(of_game, paytable or []), values, resolve_stakes(of_game, values, seats, wager or [])
    )
    simulation = _asked(of_game, terms, strategy, against, seats)
    wanted = Wanted(of_game, terms, session, bankroll, pace, meter, contribution, reserve, meter_seed, chart).verified()
    drawn = randbits(_SEED_BITS) if seed is None else seed
    carried, watch = wanted.carried(seats, rounds)
    validate_simulation(simulation, rounds, drawn, gpu=device is _Device.GPU, observer=watch)
    known = _known(of_game, terms, simulation, wanted=exact)
    counted, speed = _counted(of_game, simulation, rounds, drawn, crew, device, watch)
    if counted.rounds:
        measured = SimulationReport(of_game, terms, counted)
        found = wanted.found(measured, carried) if counted.rounds == rounds else None
        about = _about(simulation, drawn, counted.rounds, speed)
        if as_json:
            typer.echo(json.dumps(about | _as_json(measured, known, found), indent=2))
        else:
            _print(measured, known, about, found, correlation=correlation)
    if counted.rounds < rounds:
        typer.echo(f"interrupted after {counted.rounds:,} of {rounds:,} rounds", err=True)
        raise typer.Exit(INTERRUPTED)


def _crew(workers: int, cluster: str) -> Executor:
    if workers > 1 and cluster:
        raise WagerError("--workers and --cluster exclude each other: give one of them")
    return Executor(workers, cluster)


def _asked(game: Game, terms: GameTerms, strategy: str, against: str, seats: int) -> Simulation:
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


def _counted(
    game: Game,
    simulation: Simulation,
    rounds: int,
    seed: int,
    crew: Executor,
    device: _Device,
    watch: OutcomeObserver | None,
) -> tuple[OutcomeCounts, int]:
    """Return what was counted, to the end or until Ctrl-C, and how many rounds a second."""
    _prepare(game, simulation, crew, device)
    with counting(f"rounds of {game.name}", speed_of="rounds") as progress:
        began = time.perf_counter()
        try:
            counted = run_simulation(
                simulation, rounds, seed, crew, progress, gpu=device is _Device.GPU, observer=watch
            )
        except InterruptedRunError as interrupted:
            counted = interrupted.counts
        return counted, round(counted.rounds / (time.perf_counter() - began))


def _about(simulation: Simulation, seed: int, rounds: int, speed: int) -> dict[str, Any]:
    return {
        "game": simulation.game,
        "strategy": simulation.player.name,
        **({"against": simulation.against.name} if simulation.against else {}),
        "seed": seed,
        "rounds": rounds,
        "seats": simulation.seats,
        "rounds_per_second": speed,
    }


def _prepare(game: Game, simulation: Simulation, crew: Executor, device: _Device) -> None:
    """Find and compile what takes a while, once: it is no part of the rounds' time."""
    if OPTIMAL in (simulation.player.name, simulation.against and simulation.against.name):
        with counting(f"the best play of {game.name}") as progress:
            load_best_play(game, simulation.options, simulation.nets, progress, crew)
    if device is _Device.GPU:
        from pitboss.simulate.gpu import require_gpu

        require_gpu()
        return
    with counting(f"the strategy of {game.name}"):
        build_block_players(simulation)


def _known(game: Game, terms: GameTerms, simulation: Simulation, *, wanted: bool) -> _Exact:
    """Return the exact values that are kept, or all that can be found."""
    known = {}
    for bet in terms.stakes:
        if wanted:
            with counting(f"{bet} of {game.name}") as progress:
                known[bet] = compute_exact_value(game, bet, terms, simulation, progress)
        else:
            known[bet] = compute_exact_value(game, bet, terms, simulation, None)
    return known


def _as_json(simulated: SimulationReport, known: _Exact, beside: Found | None) -> dict[str, Any]:
    figures, bets = simulated.figures, list(simulated.terms.stakes)
    every = simulated.round_weights
    histogram = figures.histogram(every)
    found: dict[str, Any] = {
        "paytables": [simulated.terms.paytables[kind].id for kind in _kinds(simulated)],
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
            for name, weights in _differences(simulated).items()
        }
    return found | (beside.as_json() if beside else {})


def _kinds(simulated: SimulationReport) -> list[str]:
    return [kind for each in simulated.game.wagers if each.id in simulated.terms.stakes for kind in each.paytable_kinds]


def _differences(simulated: SimulationReport) -> dict[str, Any]:
    """Return what tells how much more the first strategy nets of a bet, and of a round."""
    moving = {bet: simulated.get_difference_weights(bet) for bet in simulated.terms.stakes}
    return {bet: each for bet, each in moving.items() if simulated.figures.variance(each)} | {
        "round": simulated.get_difference_weights()
    }


def _print(
    simulated: SimulationReport, known: _Exact, about: Mapping[str, Any], found: Found | None, *, correlation: bool
) -> None:
    from rich.text import Text

    from pitboss.cli.grids import Column, Grid, screen

    console = screen()
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
    figures = (Column(heading, right=True, spare=spare.get(heading, 0)) for heading in headings)
    table = Grid((Column("Bet"), *figures))
    for bet in simulated.terms.stakes:
        table.add(bet, *_row(simulated.report_bet(bet, known[bet])))
    table.add("round", *_round_row(simulated, known))
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
        for name, weights in _differences(simulated).items():
            mean, error = float(simulated.figures.mean(weights)), simulated.figures.standard_error(weights)
            console.print(Text(f"{name}: {mean:+.6f}, standard error {error:.6f}"))
    if correlation:
        console.print(_correlations(simulated))
    console.print()
    if found:
        found.print()


def _row(measured: SimulatedBet) -> list[str]:
    exact = "" if measured.exact_value is None else f"{float(measured.exact_value):+.6f}"
    z = "" if measured.z_score is None else f"{measured.z_score:+.2f}"
    wins, spread = f"{float(measured.sheet.hit_frequency):.4%}", f"{measured.sheet.standard_deviation:,.4f}"
    return [f"{float(measured.mean):+.6f}", f"{measured.standard_error:.6f}", exact, z, wins, spread]


def _round_row(simulated: SimulationReport, known: _Exact) -> list[str]:
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


def _correlations(simulated: SimulationReport) -> Any:
    from rich.console import Group
    from rich.text import Text

    from pitboss.cli.grids import Column, Grid

    bets = list(simulated.terms.stakes)
    table = Grid((Column(words=True), *(Column(bet, right=True, alike=True) for bet in bets)))
    for one in bets:
        cells = [
            simulated.figures.correlation(simulated.get_bet_weights(one), simulated.get_bet_weights(other))
            for other in bets
        ]
        table.add(one, *(f"{each:+.4f}" for each in cells))
    return Group(Text("Correlation", "italic"), table)
