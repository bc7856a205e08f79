"""Rebuild the bundled files of Lunar Poker.

They have each shard of the best play and of the written strategies, and the limits of the pays.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from pitboss.core.progress import ProgressCallback
from pitboss.core.source_hash import hash_sources
from pitboss.games.lunar import GAME
from pitboss.games.lunar.solver.bundled import BUNDLED
from pitboss.games.lunar.solver.line_limits import count_pay_limits
from pitboss.games.lunar.solver.solution import SHARD_NAMES, combine_shards, solve_unbundled
from pitboss.options import resolve_options
from pitboss.pay_limits import OtherPays, SolvedPays, format_pay_limits
from pitboss.solver_api import SolverProblem, get_solver_module
from pitboss.strategies import load_strategies
from pitboss.tasks import Executor, Shard, run_shards


def rebuild(
    best: SolverProblem, others: OtherPays, made_by: str, executor: Executor, progress: ProgressCallback
) -> Iterator[tuple[Path, str]]:
    """Yield each bundled file and the text it should have.

    ``best`` is the problem of the best play under default terms, ``others`` are those under other pays.  Finished
    shards are cached, so an interrupted run continues where it stopped.
    """
    yield (
        BUNDLED.best_play_path,
        BUNDLED.format_best_play(made_by, best, _solve_shards(best, "best", executor, progress)),
    )
    strategy_shards = {
        each: _solve_shards(replace(best, strategy=each), each.id, executor, progress) for each in load_strategies(GAME)
    }
    yield BUNDLED.strategies_path, BUNDLED.format_strategies(made_by, best, strategy_shards)
    limits = replace(count_pay_limits(best.options, progress), solved=_solve_other_pays(others, executor, progress))
    yield format_pay_limits(BUNDLED, resolve_options(GAME, {}), limits, made_by)


def _solve_other_pays(others: OtherPays, executor: Executor, progress: ProgressCallback) -> tuple[SolvedPays, ...]:
    """Return the best plays under the other pays, for the limits."""
    solved = []
    for changes, problem in others:
        shards = _solve_shards(problem, "-".join(line for _, line in changes), executor, progress)
        solved.append(SolvedPays(changes, combine_shards(problem, [shards[name] for name in SHARD_NAMES])))
    return tuple(solved)


def _solve_shards(problem: SolverProblem, play: str, executor: Executor, progress: ProgressCallback) -> dict[str, str]:
    """Return all shards by name, as text."""
    keep_in = f"pieces/lunar.bundle.{play}.{hash_sources(__name__, get_solver_module(GAME))}"
    results = run_shards(
        [Shard(name, name) for name in SHARD_NAMES], partial(solve_unbundled, problem), keep_in, executor, progress
    )
    return dict(zip(SHARD_NAMES, results, strict=True))
