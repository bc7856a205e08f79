"""The bundled files of Shifting Wilds made again: the best play and the written strategies, all deals and a part."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games.shifting_wilds import GAME
from pitboss.games.shifting_wilds.solver.booking import solved_anew
from pitboss.games.shifting_wilds.solver.landed import LANDED, PART, TWO_DEUCES, WHOLE
from pitboss.solver_api import SolverProblem
from pitboss.strategies import load_strategies
from pitboss.tasks import Executor


def rebuild(
    problem: SolverProblem, made_by: str, _crew: Executor, progress: ProgressCallback
) -> Iterator[tuple[Path, str]]:
    """Yield each bundled file and the text that it should have for a problem, the best play's under default terms.

    All plays are solved side by side, on all cores.
    """
    plays = (None, *load_strategies(GAME))
    part = solved_anew(problem, plays, ignore_progress, TWO_DEUCES)
    whole = solved_anew(problem, plays, progress)
    found = {
        play: {WHOLE: json.dumps(asdict(all_of_it)), PART: json.dumps(asdict(of_two))}
        for play, all_of_it, of_two in zip(plays, whole, part, strict=True)
    }
    yield LANDED.best_play_path, LANDED.format_best_play(made_by, problem, found[None])
    written = {play: pieces for play, pieces in found.items() if play}
    yield LANDED.strategies_path, LANDED.format_strategies(made_by, problem, written)
