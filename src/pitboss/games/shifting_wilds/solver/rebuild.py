"""The bundled files of Shifting Wilds made again: the best play and the written strategies, all deals and a part."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games.shifting_wilds import GAME
from pitboss.games.shifting_wilds.solver.book import solve_from_scratch
from pitboss.games.shifting_wilds.solver.bundled import BUNDLED, TWO_DEUCES_OPENING, TWO_DEUCES_SHARD, WHOLE_SHARD
from pitboss.solver_api import SolverProblem
from pitboss.strategies import load_strategies
from pitboss.tasks import Executor


def rebuild(
    problem: SolverProblem, made_by: str, _executor: Executor, progress: ProgressCallback
) -> Iterator[tuple[Path, str]]:
    """Yield each bundled file and the text that it should have for a problem, the best play's under default terms.

    All plays are solved side by side, on all cores.
    """
    plays = (None, *load_strategies(GAME))
    part = solve_from_scratch(problem, plays, ignore_progress, TWO_DEUCES_OPENING)
    whole = solve_from_scratch(problem, plays, progress)
    found = {
        play: {WHOLE_SHARD: json.dumps(asdict(all_of_it)), TWO_DEUCES_SHARD: json.dumps(asdict(of_two))}
        for play, all_of_it, of_two in zip(plays, whole, part, strict=True)
    }
    yield BUNDLED.best_play_path, BUNDLED.format_best_play(made_by, problem, found[None])
    written = {play: pieces for play, pieces in found.items() if play}
    yield BUNDLED.strategies_path, BUNDLED.format_strategies(made_by, problem, written)
