"""The solver of a game that has none of its own."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from itertools import product
from typing import Any

import numpy as np

from pitboss.contract import Game
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.engine.census_play import tabulate_play as tabulate_by_census
from pitboss.engine.census_solver import combine_shards as census_combine
from pitboss.engine.census_solver import list_shards as census_list
from pitboss.engine.census_solver import solve_shard as census_solve
from pitboss.engine.draw_census import solve_whole as solve_by_draws
from pitboss.engine.hints import hint, hint_from_solution, hint_on_path
from pitboss.engine.mistakes import iter_rows, list_mistakes
from pitboss.engine.paths import name_paths
from pitboss.engine.plan import CENSUS, DRAWS, MOST_SETTLEMENTS, QUICK_SETTLEMENTS, VISIT, Plan, count_settlements
from pitboss.engine.play_table import PlayTable, choose_from_table
from pitboss.engine.roots import split_roots
from pitboss.engine.visit import Visit, make_tally, prepare_visit, visit_roots
from pitboss.engine.visit_play import tabulate_play as tabulate_by_visit
from pitboss.engine.walk_state import WalkCounters
from pitboss.games import load_game
from pitboss.kernels.enumeration import map_on_threads
from pitboss.solver_api import PlayTabulator, ShardedTask, Solution, Solver, SolverProblem, Strategy, parse_solution

_SHARDS = 24


def build_solver(game: Game, plan: Plan, *, sharded: bool) -> Solver:
    """Build the solver of a game.

    With ``sharded``, its parts can be kept and run anywhere.

    It is solved as ``plan`` says (``plan.make_plan``).
    """
    task = ShardedTask(
        partial(_list_shards, game.id, plan.way),
        partial(_solve_shard, game.id, plan.way),
        partial(_combine_shards, game.id, plan.way),
    )
    tabulate = tabulate_by_census if plan.tabulates_play == CENSUS else tabulate_by_visit
    play = PlayTabulator(PlayTable, partial(tabulate, game.id), choose_from_table, sees_path=True)
    return Solver(
        task if sharded else partial(_solve, task),
        partial(hint, game.id),
        play if plan.tabulates_play else None,
        hint_on_path=partial(hint_on_path, game.id),
        hint_from_solution=partial(hint_from_solution, game.id) if plan.decides_first else None,
        counts_on_request=plan.way != VISIT,
    )


def _solve(task: ShardedTask[Solution], problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve a game in one process, on all cores."""
    shards = task.list_shards(problem)
    results = [result for _, result in map_on_threads(partial(task.solve_shard, problem), shards, progress)]
    return task.combine_shards(problem, results)


def _prepare(game: Game, problem: SolverProblem) -> Visit:
    side_nets = tuple(sorted(problem.side_nets.items()))
    return _prepare_once(game, problem.options, problem.nets, side_nets, problem.strategy)


@lru_cache(maxsize=4)
def _prepare_once(
    game: Game,
    options: Any,
    nets: tuple[int, ...],
    side_nets: tuple[tuple[str, tuple[int, ...]], ...],
    strategy: Strategy | None,
) -> Visit:
    return prepare_visit(game, SolverProblem(options, nets, dict(side_nets), strategy), list(game.deck.cards))


def _find_way(game_id: str, way: str, problem: SolverProblem) -> str:
    """Find the way to solve a problem, which may want more than the plan's way does.

    A visit counts side wagers in place of a census, where that is quick.  A census of draws knows no side wagers.

    Raises:
        WagerError: only a visit can do it, and it would take too long.
    """
    if way == VISIT:
        return way
    settlements = count_settlements(load_game(game_id)) if problem.side_nets or problem.counted else 0
    if way == CENSUS and settlements:
        return VISIT if settlements <= QUICK_SETTLEMENTS else CENSUS
    if way != DRAWS or not problem.side_nets:
        return way
    if settlements > MOST_SETTLEMENTS:
        raise WagerError(
            f"side wagers of {game_id} cannot be solved together with main: the game is solved by counting draws, "
            "which covers main alone, and settling every deal takes too long: leave them out",
            code="main-alone",
            game=game_id,
        )
    return VISIT


def _list_shards(game_id: str, way: str, problem: SolverProblem) -> tuple[str, ...]:
    """Name the shards: even parts of the roots."""
    found = _find_way(game_id, way, problem)
    if found == DRAWS:
        return ("all",)
    if found == CENSUS:
        return census_list(game_id, problem)
    roots = len(_prepare(load_game(game_id), problem).roots)
    return tuple(f"{start}-{stop}" for start, stop in split_roots(roots, _SHARDS))


def _solve_shard(game_id: str, way: str, problem: SolverProblem, shard: str) -> str:
    """Count or visit the roots of a shard.

    Raises:
        PitbossError: what ``visit_roots`` and the census raise.
    """
    found = _find_way(game_id, way, problem)
    if found == DRAWS:
        return json.dumps(asdict(solve_by_draws(game_id, problem)))
    if found == CENSUS:
        return census_solve(game_id, problem, shard)
    game = load_game(game_id)
    start, stop = map(int, shard.split("-"))
    _, tally = visit_roots(_prepare(game, problem), problem, start, stop)
    return json.dumps([counts.tolist() for counts in tally])


def _combine_shards(game_id: str, way: str, problem: SolverProblem, results: Sequence[str]) -> Solution:
    """Add up the counts of the shards."""
    found = _find_way(game_id, way, problem)
    if found == DRAWS:
        return parse_solution(json.loads(results[0]))
    if found == CENSUS:
        return census_combine(game_id, problem, results)
    game, exchanges = load_game(game_id), len(_prepare(load_game(game_id), problem).walk_input.exchanges)
    # Python's integers: the sums over all shards may be larger than 64 bits.
    parts = [json.loads(result) for result in results]
    sums = (np.sum([np.array(counts, object) for counts in each], axis=0) for each in zip(*parts, strict=True))
    # A list does not tell the shape of an array without elements: a game without decisions has some.
    tally = WalkCounters(*(each.reshape(like.shape) for each, like in zip(sums, make_tally(game), strict=True)))
    return make_solution(game, tally, exchanges)


def make_solution(game: Game, tally: WalkCounters, exchanges: int) -> Solution:
    """Make the solution from the counts of a visit that used these exchanges."""
    counts = tuple(int(deals) for deals in tally.outcomes[0, : len(game.main.outcomes), 0])
    # Paths are numbered with a digit for each decision, the first digit first (``PlayTabulator``).
    paths = product(*((None, *range(len(decision.actions))) for decision in game.decisions))
    return Solution(
        counts=counts,
        actions=name_paths(game, zip(paths, tally.paths.tolist(), strict=True)),
        equal_value_positions=int(sum(tally.equal)) // exchanges,
        side_outcomes={
            wager.id: tuple((int(deals), int(total)) for deals, total in tally.outcomes[index, : len(wager.outcomes)])
            for index, wager in enumerate(game.wagers)
            if index and sum(tally.outcomes[index, :, 0])
        },
        mistakes=list_mistakes(game, iter_rows(tally.mistakes)),
    )
