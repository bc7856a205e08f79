"""Rebuild the bundled files of Shifting Wilds.

They have the best play and the strategies, over all deals and over a part of them, and the limits of the pays.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games.shifting_wilds import GAME
from pitboss.games.shifting_wilds.solver.bundled import BUNDLED, TWO_DEUCES_OPENING, TWO_DEUCES_SHARD, WHOLE_SHARD
from pitboss.games.shifting_wilds.solver.line_limits import count_pay_limits
from pitboss.games.shifting_wilds.solver.solution import solve_from_scratch
from pitboss.options import resolve_options
from pitboss.pay_limits import OtherPays, SolvedPays, format_pay_limits
from pitboss.solver_api import SolverProblem
from pitboss.strategies import load_strategies
from pitboss.tasks import Executor


def rebuild(
    problem: SolverProblem, others: OtherPays, made_by: str, _executor: Executor, progress: ProgressCallback
) -> Iterator[tuple[Path, str]]:
    """Yield each bundled file and the text that it should have.

    ``problem`` is the best play with default settings, ``others`` are those under other pays.  All
    plays are solved side by side, on all cores.
    """
    plays = (None, *load_strategies(GAME))
    part = solve_from_scratch(problem, plays, ignore_progress, TWO_DEUCES_OPENING)
    whole = solve_from_scratch(problem, plays, progress)
    shards = {
        play: {WHOLE_SHARD: json.dumps(asdict(all_deals)), TWO_DEUCES_SHARD: json.dumps(asdict(two_deuces))}
        for play, all_deals, two_deuces in zip(plays, whole, part, strict=True)
    }
    yield BUNDLED.best_play_path, BUNDLED.format_best_play(made_by, problem, shards[None])
    strategy_shards = {play: play_shards for play, play_shards in shards.items() if play}
    yield BUNDLED.strategies_path, BUNDLED.format_strategies(made_by, problem, strategy_shards)
    limits = replace(count_pay_limits(problem.options, progress), solved=_solve_other_pays(others, progress))
    yield format_pay_limits(BUNDLED, resolve_options(GAME, {}), limits, made_by)


def _solve_other_pays(others: OtherPays, progress: ProgressCallback) -> tuple[SolvedPays, ...]:
    """Return the best plays under the other pays, for the limits."""
    return tuple(SolvedPays(changes, solve_from_scratch(problem, (None,), progress)[0]) for changes, problem in others)
