"""The solver of a game that has none of its own."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from pitboss.builders import display_name
from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback
from pitboss.engine.census_solver import combine_shards as census_combine
from pitboss.engine.census_solver import list_shards as census_list
from pitboss.engine.census_solver import solve_shard as census_solve
from pitboss.engine.hints import hint, hint_on_path
from pitboss.engine.plan import CENSUS, Plan, can_visit
from pitboss.engine.play_table import PlayTable, choose_from_table, tabulate_play
from pitboss.engine.visit import Visit, prepare_visit, visit_roots
from pitboss.engine.walk_state import CATEGORY_SHIFT, Tally
from pitboss.games import load_game
from pitboss.hands import get_category_name
from pitboss.kernels.enumeration import map_on_threads
from pitboss.solver_api import BestPlaySolver, Mistake, ShardedTask, Solution, Solver, SolverProblem, Strategy

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
    play = BestPlaySolver(PlayTable, partial(tabulate_play, game.id), choose_from_table)
    return Solver(
        task if sharded else partial(_solve, task),
        partial(hint, game.id),
        play if plan.tabulates_play else None,
        hint_on_path=partial(hint_on_path, game.id),
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


def _takes_census(game_id: str, way: str, problem: SolverProblem) -> bool:
    """Tell whether a problem is solved by a census.

    A census sees main alone, and its best play: what else there is takes a visit, where that is short enough.
    """
    return way == CENSUS and not ((problem.strategy or problem.side_nets) and can_visit(load_game(game_id)))


def _list_shards(game_id: str, way: str, problem: SolverProblem) -> tuple[str, ...]:
    """Name the shards: even parts of the roots."""
    if _takes_census(game_id, way, problem):
        return census_list(game_id, problem)
    roots = len(_prepare(load_game(game_id), problem).roots)
    bounds = sorted({roots * part // _SHARDS for part in range(_SHARDS + 1)})
    return tuple(f"{start}-{stop}" for start, stop in pairwise(bounds))


def _solve_shard(game_id: str, way: str, problem: SolverProblem, shard: str) -> str:
    """Count or visit the roots of a shard.

    Raises:
        PitbossError: what ``visit_roots`` and the census raise.
    """
    if _takes_census(game_id, way, problem):
        return census_solve(game_id, problem, shard)
    game = load_game(game_id)
    start, stop = map(int, shard.split("-"))
    _, tally = visit_roots(_prepare(game, problem), problem, start, stop)
    return json.dumps([counts.tolist() for counts in tally])


def _combine_shards(game_id: str, way: str, problem: SolverProblem, results: Sequence[str]) -> Solution:
    """Add up the counts of the shards."""
    if _takes_census(game_id, way, problem):
        return census_combine(game_id, problem, results)
    game, exchanges = load_game(game_id), len(_prepare(load_game(game_id), problem).terms.exchanges)
    # Python's integers: the sums over all shards may be larger than 64 bits.
    parts = [[np.array(counts, object) for counts in json.loads(result)] for result in results]
    tally = Tally(*(sum(each[1:], each[0]) for each in zip(*parts, strict=True)))
    return make_solution(game, tally, exchanges)


def make_solution(game: Game, tally: Tally, exchanges: int) -> Solution:
    """Make the solution of the counts of a visit, which used so many exchanges."""
    counts = tuple(int(deals) for deals in tally.outcomes[0, : len(game.main.outcomes), 0])
    return Solution(
        counts=counts,
        actions=_name_paths(game, tally.paths.tolist()),
        equal_value_positions=int(sum(tally.equal)) // exchanges,
        side_outcomes={
            wager.id: tuple((int(deals), int(total)) for deals, total in tally.outcomes[index, : len(wager.outcomes)])
            for index, wager in enumerate(game.wagers)
            if index and sum(tally.outcomes[index, :, 0])
        },
        mistakes=_list_mistakes(game, tally),
    )


def _name_paths(game: Game, paths: Sequence[int]) -> Mapping[str, int]:
    """Return the deals of each path: the actions' ids joined by hyphens."""
    named: dict[str, int] = {}
    for number, deals in enumerate(paths):
        words, rest = list[str](), number
        for decision in reversed(game.decisions):
            rest, taken = divmod(rest, len(decision.actions) + 1)
            words[:0] = [decision.actions[taken - 1].id] if taken else []
        if deals:
            name = "-".join(words) or "automatic"
            named[name] = named.get(name, 0) + int(deals)
    return named


def _list_mistakes(game: Game, tally: Tally) -> tuple[Mistake, ...]:
    """List the mistakes of a strategy, the costliest first."""
    mistakes = []
    for asked, taken, best, category in zip(*np.nonzero(tally.mistakes[..., 0]), strict=True):
        deals, cost = tally.mistakes[asked, taken, best, category]
        actions = game.decisions[asked].actions
        hand = _describe_position(game, int(asked), int(category))
        mistakes.append(Mistake(actions[taken].id, actions[best].id, hand, int(deals), int(cost)))
    return tuple(sorted(mistakes, key=lambda mistake: (-mistake.cost, mistake.taken, mistake.hand)))


def _describe_position(game: Game, asked: int, category: int) -> str:
    """Describe a kind of position by its hand.

    The decision is named too where another one has the same actions.
    """
    hand = get_category_name(category << CATEGORY_SHIFT).replace("-", " ") if category else ""
    alike = [each for each in game.decisions if each.actions == game.decisions[asked].actions]
    return ", ".join(filter(None, (hand, display_name(game.decisions[asked].id) if len(alike) > 1 else "")))
