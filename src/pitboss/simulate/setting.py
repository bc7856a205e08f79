"""What is simulated, and what of it a kernel is told: options as codes, wagers as bits, and what a player goes by."""

import json
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.contract import Game, RuleFunction
from pitboss.core.cache import atomic_write, get_cache_path
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.core.source_hash import hash_sources
from pitboss.games import game_named
from pitboss.options import encode_options
from pitboss.simulate.kernel import by_chance, followed
from pitboss.simulate.players import CHANCE, OPTIMAL, Player, best_play_of, strategy_of
from pitboss.simulate.round import shape_of
from pitboss.solver_api import SolverProblem, get_solver_module
from pitboss.tasks import SERIAL, Executor, Shard, run_shards


@dataclass(frozen=True, slots=True)
class Simulation:
    """What is played: a game by its id, a value for every option, who plays, how many seats, and what they wager.

    Bit i of ``wagered`` is set for a stake on wager i, at every seat.  With a player ``against`` the same deals are
    played by both, and every wager is counted twice, as ``player`` ends it and as ``against`` does: with one seat.
    ``nets`` is what the outcomes of main net, in one unit: only the best play asks for it.
    """

    game: str
    options: tuple[tuple[str, str], ...]
    player: Player
    seats: int = 1
    wagered: int = -1
    against: Player | None = None
    nets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a kernel takes beside chance: option codes, what is wagered by seat, whether given-up cards serve again.

    ``told`` is what the player's choices go by: a strategy's numbers, or arrays of the best play.
    """

    game: Game
    player: Player
    options: Any
    wagered: NDArray[np.int64]
    again: int
    told: Any


def setting_of(simulation: Simulation, player: Player) -> Setting:
    """Return what a kernel takes, as this player plays."""
    game = game_named(simulation.game)
    options = dict(simulation.options)
    wagered = simulation.wagered & (1 << len(game.wagers)) - 1
    return Setting(
        game,
        player,
        encode_options(game, options),
        np.full(simulation.seats, wagered, np.int64),
        int(options.get("short_deck") == "reshuffle"),
        _told(simulation, player),
    )


def chosen_by(game: Game, player: Player) -> RuleFunction:
    """Return the choices of a player, as ``round_of`` takes them."""
    if player.name == CHANCE:
        return by_chance(shape_of(game))
    strategy = strategy_of(game, player)
    choose = strategy.choose if strategy else best_play_of(game).choose_best
    refused = tuple(
        next(index for index, action in enumerate(decision.actions) if action.id == decision.timeout_action)
        for decision in game.decisions
    )
    return followed(game.rules, choose, refused)


def _told(simulation: Simulation, player: Player) -> Any:
    """Return what a player's choices are told: a strategy's numbers, or what the best play goes by."""
    game = game_named(simulation.game)
    if player.name == OPTIMAL:
        return best_play(game, simulation.options, simulation.nets)
    strategy = strategy_of(game, player)
    return strategy.numbers if strategy else ()


def best_play(
    game: Game,
    options: tuple[tuple[str, str], ...],
    nets: tuple[int, ...],
    progress: ProgressCallback = ignore_progress,
    crew: Executor = SERIAL,
) -> Any:
    """Return what the best play of a game goes by (``solving``), found the first time and kept as arrays.

    Where it is found in pieces they are done by ``crew``, and each is kept as soon as it is finished.

    Raises:
        StrategyError: the game's solver does not tell it hand by hand.
        ValueError: there are not as many nets as outcomes of main.
        ClusterError: the crew's cluster cannot do it (``work.run``).
    """
    if len(nets) != len(game.wagers[0].outcomes):
        raise ValueError(f"the best play goes by a net for each of {len(game.wagers[0].outcomes)} outcomes: {nets}")
    digest = sha256(json.dumps([options, nets]).encode()).hexdigest()[:16]
    name = f"best-play/{game.id}.{digest}.{hash_sources(__name__, get_solver_module(game))}"
    path = get_cache_path(f"{name}.npz")
    solver, problem = best_play_of(game), SolverProblem(encode_options(game, dict(options)), nets)
    if not path.is_file():
        if hasattr(solver, "best_play_piece"):
            pieces = [Shard(each, each) for each in solver.pieces(problem)]
            results = run_shards(pieces, partial(solver.best_play_piece, problem), name, crew, progress)
            found = solver.best_play_from(problem, results)
        else:
            found = solver.best_play(problem, progress)
        with atomic_write(path) as temporary:
            np.savez(temporary, **found._asdict())
    return _read(path, solver.BestPlay)


@lru_cache(maxsize=2)
def _read(path: Path, best: Any) -> Any:
    """Return the arrays in a file as what the best play goes by: read once, as every piece of a run asks for them."""
    with np.load(path) as kept:
        return best(*(kept[name] for name in best._fields))
