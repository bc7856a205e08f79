"""The arguments of the kernel of a simulation.

Options become codes, wagers become bits, and the player becomes data.
"""

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
from pitboss.core.source_hash import collect_modules, hash_sources
from pitboss.games import load_game
from pitboss.options import encode_options
from pitboss.simulate.block_kernel import build_random_choice, build_strategy_choice
from pitboss.simulate.players import CHANCE, OPTIMAL, Player, find_strategy, load_best_play_solver
from pitboss.simulate.round_driver import compute_round_shape
from pitboss.simulate.simulation import Simulation
from pitboss.solver_api import ShardedTask, SolverProblem, get_solver_module
from pitboss.tasks import SERIAL, Executor, Shard, run_shards


@dataclass(frozen=True, slots=True)
class KernelArgs:
    """The arguments of a kernel other than chance.

    ``options`` are codes, ``wagered`` has the wagers by seat, ``reuse_discards`` says whether discards are reused.
    ``player_data`` is the data of the player's choices: a strategy's numbers, or the arrays of the best play.
    """

    game: Game
    player: Player
    options: Any
    wagered: NDArray[np.int64]
    reuse_discards: int
    player_data: Any


def build_kernel_args(simulation: Simulation, player: Player) -> KernelArgs:
    """Build the kernel arguments of a simulation for one of its players."""
    game = load_game(simulation.game)
    options = dict(simulation.options)
    wagered = simulation.wagered & (1 << len(game.wagers)) - 1
    return KernelArgs(
        game,
        player,
        encode_options(game, options),
        np.full(simulation.seats, wagered, np.int64),
        int(options.get("short_deck") == "reshuffle"),
        _load_player_data(simulation, player),
    )


def build_player_choice(game: Game, player: Player) -> RuleFunction:
    """Return the choices of a player, as ``build_round`` takes them."""
    if player.name == CHANCE:
        return build_random_choice(compute_round_shape(game))
    strategy = find_strategy(game, player)
    fallback_actions = tuple(
        next(index for index, action in enumerate(decision.actions) if action.id == decision.timeout_action)
        for decision in game.decisions
    )
    if strategy:
        return build_strategy_choice(game.rules, strategy.choose, fallback_actions)
    best_play = load_best_play_solver(game)
    return build_strategy_choice(game.rules, best_play.choose, fallback_actions, sees_path=best_play.sees_path)


def _load_player_data(simulation: Simulation, player: Player) -> Any:
    """Return the data of a player's choices.

    They are a strategy's numbers, or the arrays of the best play.
    """
    game = load_game(simulation.game)
    if player.name == OPTIMAL:
        return load_best_play(game, simulation.options, simulation.nets)
    strategy = find_strategy(game, player)
    return strategy.numbers if strategy else ()


def load_best_play(
    game: Game,
    options: tuple[tuple[str, str], ...],
    nets: tuple[int, ...],
    progress: ProgressCallback = ignore_progress,
    executor: Executor = SERIAL,
) -> Any:
    """Return the arrays of a game's best play (``solver_api``).

    They are computed the first time and cached.  Where the solver works in shards, ``executor`` runs them, and each is
    cached as soon as it is finished.

    Raises:
        StrategyError: the game's solver cannot tabulate its best play hand by hand.
        ValueError: the number of nets is not the number of outcomes of main.
        ClusterError: the executor's cluster cannot be used (``tasks.run_shards``).
    """
    if len(nets) != len(game.main.outcomes):
        raise ValueError(f"the best play needs a net for each of {len(game.main.outcomes)} outcomes: {nets}")
    digest = sha256(json.dumps([options, nets]).encode()).hexdigest()[:16]
    source = hash_sources(__name__, get_solver_module(game), *collect_modules(game.rules))
    name = f"best-play/{game.id}.{digest}.{source}"
    path = get_cache_path(f"{name}.npz")
    solver, problem = load_best_play_solver(game), SolverProblem(encode_options(game, dict(options)), nets)
    if not path.is_file():
        tabulate = solver.tabulate
        if isinstance(tabulate, ShardedTask):
            shards = [Shard(each, each) for each in tabulate.list_shards(problem)]
            results = run_shards(shards, partial(tabulate.solve_shard, problem), name, executor, progress)
            best_play = tabulate.combine_shards(problem, results)
        else:
            best_play = tabulate(problem, progress)
        with atomic_write(path) as temporary:
            np.savez(temporary, **best_play._asdict())
    return _load_arrays(path, solver.tables_type)


@lru_cache(maxsize=2)
def _load_arrays(path: Path, result_type: Any) -> Any:
    """Load the arrays of a best play from a file.

    They are loaded once, because every shard of a run needs them.
    """
    with np.load(path) as arrays:
        return result_type(*(arrays[name] for name in result_type._fields))
