"""``pitboss simulate``: any game by any strategy, as many rounds as asked for, beside the exact figures."""

import json
import time
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from math import sqrt
from secrets import randbits
from typing import Annotated, Any

import typer

from pitboss.analysis.measured import Measured, Session, deviations, exact_value, stakes_of
from pitboss.analysis.sheets import Terms
from pitboss.analysis.solutions import main_nets
from pitboss.cli.arguments import AsJson, GameName, Options, PayTables
from pitboss.cli.progress import counting
from pitboss.contract import Game
from pitboss.core.errors import WagerError
from pitboss.games import game_named
from pitboss.options import parse_options
from pitboss.paytables import choose
from pitboss.simulate.players import OPTIMAL, first_player, player_named
from pitboss.simulate.result import Counted
from pitboss.simulate.run import InterruptedRunError, Simulation, best_play, checked, count, players_of
from pitboss.work import Crew

INTERRUPTED = 130
_SEED_BITS = 32


class _Device(StrEnum):
    CPU = "cpu"
    GPU = "gpu"


_Exact = Mapping[str, Fraction | None]


def simulate(
    game: GameName,
    rounds: Annotated[int, typer.Option(help="How many rounds.")],
    strategy: Annotated[
        str, typer.Option(metavar="NAME|FILE.py:FUNCTION", help="Who plays: `pitboss strategy` lists the names.")
    ] = "",
    against: Annotated[
        str, typer.Option(metavar="NAME|FILE.py:FUNCTION", help="Another strategy, compared in the same deals.")
    ] = "",
    seats: Annotated[int, typer.Option(help="How many seats play, all alike.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Deal the same rounds again; drawn and told unless given.")] = None,
    wager: Annotated[
        list[str] | None,
        typer.Option(metavar="BET=STAKE", help="Stake this beside one Ante; repeatable.  Unless given: one of each."),
    ] = None,
    paytable: PayTables = None,
    option: Options = None,
    workers: Annotated[int, typer.Option(min=1, help="How many processes work; one uses all cores.")] = 1,
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A Dask scheduler; `local` starts one.")] = "",
    device: Annotated[_Device, typer.Option(help="What plays the rounds.")] = _Device.CPU,
    *,
    exact: Annotated[bool, typer.Option("--exact", help="Count exact figures that no command has found yet.")] = False,
    correlation: Annotated[bool, typer.Option("--correlation", help="Say how the bets move together.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play a game by a strategy, as many rounds as asked for, and tell what every wager came to.

    Every round is dealt from a stream that the seed names: the same seed counts the same whoever works.  Means are per
    unit staked, those of the round in Antes; where a table pays dollars an Ante is a dollar.  A progressive's meter
    stands at its seed.  Exact values stand beside the means where `par`, `strategy` or `--exact` has found them.

    A strategy of yours is a function of a file, marked `@rule` (pitboss.core.rule) and called as those of the games
    are: `(tables, view, asked, numbers, options)`, returning the number of an action and the set of cards given up.
    `optimal` plays best, exactly, where the game's solver can say how (six-card); `chance` draws among the legal
    actions.  A draw that the stub cannot serve is refused: the seat then does what one
    that does not answer does.

    For example:

        pitboss simulate six-card --rounds 10000000
        pitboss simulate six-card --rounds 1000000 --strategy mimic-the-dealer --against practical
        pitboss simulate lunar --rounds 1000000 --seats 6 --seed 7 --json
        pitboss simulate wild-52 --rounds 1000000000 --workers 8
        pitboss simulate six-card --rounds 100000000000 --device gpu
        pitboss simulate six-card --rounds 1000000 --strategy mine.py:play --wager aces-up=0.5
    """
    if workers > 1 and cluster:
        raise WagerError("--workers and --cluster exclude each other: give one of them")
    of_game = game_named(game)
    values = parse_options(of_game, option or [])
    terms = Terms(choose(of_game, paytable or []), values, stakes_of(of_game, values, seats, wager or []))
    simulation = _asked(of_game, terms, strategy, against, seats)
    drawn = randbits(_SEED_BITS) if seed is None else seed
    gpu = device is _Device.GPU
    checked(simulation, rounds, drawn, gpu=gpu)
    known = _known(of_game, terms, simulation, wanted=exact)
    _prepare(of_game, simulation, gpu=gpu)
    counted, seconds = _counted(of_game, simulation, rounds, drawn, Crew(workers, cluster), gpu=gpu)
    about = _about(simulation, drawn, counted, seconds)
    if counted.rounds:
        _tell(Session(of_game, terms, counted), known, about, correlation=correlation, as_json=as_json)
    if counted.rounds < rounds:
        typer.echo(f"interrupted after {counted.rounds:,} of {rounds:,} rounds", err=True)
        raise typer.Exit(INTERRUPTED)


def _asked(game: Game, terms: Terms, strategy: str, against: str, seats: int) -> Simulation:
    """Return the simulation of a game under terms."""
    return Simulation(
        game.id,
        tuple(terms.options.items()),
        player_named(game, strategy) if strategy else first_player(game),
        seats,
        sum(1 << index for index, each in enumerate(game.wagers) if each.id in terms.stakes),
        player_named(game, against) if against else None,
        main_nets(game, terms.chosen),
    )


def _counted(
    game: Game, simulation: Simulation, rounds: int, seed: int, crew: Crew, *, gpu: bool
) -> tuple[Counted, float]:
    """Return what was counted, to the end or until Ctrl-C, and in how many seconds."""
    with counting(f"rounds of {game.name}", speed_of="rounds") as progress:
        began = time.perf_counter()
        try:
            counted = count(simulation, rounds, seed, crew, progress, gpu=gpu)
        except InterruptedRunError as interrupted:
            counted = interrupted.counted
        return counted, time.perf_counter() - began


def _about(simulation: Simulation, seed: int, counted: Counted, seconds: float) -> dict[str, Any]:
    """Return what was played, as JSON names it."""
    return {
        "game": simulation.game,
        "strategy": simulation.player.name,
        **({"against": simulation.against.name} if simulation.against else {}),
        "seed": seed,
        "rounds": counted.rounds,
        "seats": simulation.seats,
        "rounds_per_second": round(counted.rounds / seconds),
    }


def _tell(session: Session, known: _Exact, about: Mapping[str, Any], *, correlation: bool, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({**about, **_as_json(session, known)}, indent=2))
    else:
        _print(session, known, about, correlation=correlation)


def _prepare(game: Game, simulation: Simulation, *, gpu: bool) -> None:
    """Find and compile what takes a while, once: it is no part of the rounds' time."""
    if OPTIMAL in (simulation.player.name, simulation.against and simulation.against.name):
        with counting(f"the best play of {game.name}") as progress:
            best_play(game, simulation.options, simulation.nets, progress)
    if gpu:
        from pitboss.simulate.gpu import gpu_wanted

        gpu_wanted()
        return
    with counting(f"the strategy of {game.name}"):
        players_of(simulation)


def _known(game: Game, terms: Terms, simulation: Simulation, *, wanted: bool) -> _Exact:
    """Return the exact values that are kept, or all that can be found."""
    known = {}
    for bet in terms.stakes:
        if wanted:
            with counting(f"{bet} of {game.name}") as progress:
                known[bet] = exact_value(game, bet, terms, simulation, progress)
        else:
            known[bet] = exact_value(game, bet, terms, simulation, None)
    return known


def _as_json(session: Session, known: _Exact) -> dict[str, Any]:
    figures, bets = session.figures, list(session.terms.stakes)
    every = session.all_staked
    histogram = figures.histogram(every)
    found: dict[str, Any] = {
        "paytables": [session.terms.chosen[kind].id for kind in _kinds(session)],
        "options": dict(session.terms.options),
        "stakes": {bet: float(stake) for bet, stake in session.terms.stakes.items()},
        "bets": {bet: session.measured(bet, known[bet]).as_json() for bet in bets},
        "round": {
            "mean": float(figures.mean(every)),
            "standard_error": figures.standard_error(every),
            "variance": float(figures.variance(every)),
            "histogram": [[float(net), times] for net, times in histogram.items()],
        },
        "covariance": [
            {"bets": [one, other], "covariance": float(figures.covariance(session.one(one), session.one(other)))}
            for place, one in enumerate(bets)
            for other in bets[place + 1 :]
        ],
        "stub_renewed_rounds": session.counted.renewed,
    }
    if session.compared:
        found["difference"] = {
            name: {"mean": float(figures.mean(weights)), "standard_error": figures.standard_error(weights)}
            for name, weights in _differences(session).items()
        }
    return found


def _kinds(session: Session) -> list[str]:
    return [kind for each in session.game.wagers if each.id in session.terms.stakes for kind in each.tables]


def _differences(session: Session) -> dict[str, Any]:
    """Return what tells how much more the first strategy nets of a bet, and of a round."""
    moving = {bet: session.difference(bet) for bet in session.terms.stakes}
    return {bet: each for bet, each in moving.items() if session.figures.variance(each)} | {
        "round": session.difference()
    }


def _print(session: Session, known: _Exact, about: Mapping[str, Any], *, correlation: bool) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    seated = "" if about["seats"] == 1 else f", {about['seats']} seats"
    console.print()
    console.print(Text.assemble((f"{session.game.name}: ", "bold"), f"{about['rounds']:,} rounds{seated}"))
    console.print(
        Text(
            f"strategy {about['strategy']}, seed {about['seed']}, {about['rounds_per_second']:,} rounds a second", "dim"
        )
    )
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("Bet", no_wrap=True)
    for heading in ("Mean", "Error", "Exact", "z", "Wins", "Deviation"):
        table.add_column(heading, justify="right", no_wrap=True)
    for bet in session.terms.stakes:
        table.add_row(bet, *_row(session.measured(bet, known[bet])))
    table.add_row("round", *_round_row(session, known))
    console.print(table)
    staked = ", ".join(f"{bet} {stake}" for bet, stake in session.terms.stakes.items())
    console.print(Text("per unit staked, with the standard error of the mean and the standard deviation", "dim"))
    console.print(Text(f"round: {staked}, in Antes", "dim"))
    if session.counted.renewed:
        share = session.counted.renewed / session.counted.rounds
        console.print(Text(f"the stub ran short and was renewed in {session.counted.renewed:,} rounds ({share:.4%})"))
    if session.compared:
        console.print(Text(f"What {about['strategy']} nets more than {about['against']} in the same deals", "bold"))
        for name, weights in _differences(session).items():
            mean, error = float(session.figures.mean(weights)), session.figures.standard_error(weights)
            console.print(Text(f"{name}: {mean:+.6f}, standard error {error:.6f}"))
    if correlation:
        console.print(_correlations(session))
    console.print()


def _row(measured: Measured) -> list[str]:
    exact = "" if measured.exact is None else f"{float(measured.exact):+.6f}"
    z = "" if measured.deviations is None else f"{measured.deviations:+.2f}"
    wins, spread = f"{float(measured.sheet.hit_frequency):.4%}", f"{measured.sheet.standard_deviation:,.4f}"
    return [f"{float(measured.mean):+.6f}", f"{measured.standard_error:.6f}", exact, z, wins, spread]


def _round_row(session: Session, known: _Exact) -> list[str]:
    figures, every, stakes = session.figures, session.all_staked, session.terms.stakes
    mean, error = figures.mean(every), figures.standard_error(every)
    values = [known[bet] for bet in stakes]
    exact, z = "", ""
    if None not in values:
        value = sum((stake * (known[bet] or 0) for bet, stake in stakes.items()), Fraction(0))
        found = deviations(mean, value, error)
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


def _correlations(session: Session) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    bets = list(session.terms.stakes)
    table = Table("", box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False, title="Correlation", title_justify="left")
    for bet in bets:
        table.add_column(bet, justify="right")
    for one in bets:
        cells = [session.figures.correlation(session.one(one), session.one(other)) for other in bets]
        table.add_row(one, *(f"{each:+.4f}" for each in cells))
    return table
