"""The bundled files of Lunar Poker made again: each piece of the best play and of the written strategies."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from pitboss.core.progress import Progress
from pitboss.core.sources import source_hash
from pitboss.games.lunar import GAME
from pitboss.games.lunar.solver.landed import LANDED
from pitboss.games.lunar.solver.whole import PIECES, solved_anew
from pitboss.solving import Problem, solver_module
from pitboss.strategies import strategies
from pitboss.work import Crew, Piece, run


def rebuild(best: Problem, made_by: str, crew: Crew, progress: Progress) -> Iterator[tuple[Path, str]]:
    """Yield each bundled file and the text that it should have for a problem, the best play's under default terms.

    Pieces are kept as they are finished, and a run that was interrupted goes on where it was.
    """
    yield LANDED.best_path, LANDED.best_text(made_by, best, _pieces(best, "best", crew, progress))
    found = {each: _pieces(replace(best, strategy=each), each.id, crew, progress) for each in strategies(GAME)}
    yield LANDED.strategies_path, LANDED.strategies_text(made_by, best, found)


def _pieces(problem: Problem, play: str, crew: Crew, progress: Progress) -> dict[str, str]:
    """Return all pieces by name, as text."""
    keep_in = f"pieces/lunar.bundle.{play}.{source_hash(__name__, solver_module(GAME))}"
    results = run([Piece(name, name) for name in PIECES], partial(solved_anew, problem), keep_in, crew, progress)
    return dict(zip(PIECES, results, strict=True))
