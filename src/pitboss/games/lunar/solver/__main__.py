"""Solve Lunar Poker under its default options and pay tables, and land the result in the package.

    python -m pitboss.games.lunar.solver
    python -m pitboss.games.lunar.solver strategies

The first finds the best play, the second follows the written strategies.  Pieces are kept as they are finished, and a
run that was interrupted goes on where it was.
"""

import os
import sys
from dataclasses import replace
from functools import partial

from pitboss.games.lunar import GAME
from pitboss.games.lunar.solver.landed import LANDED
from pitboss.games.lunar.solver.whole import PIECES, solved_anew
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose, outcome_net
from pitboss.solving import Problem
from pitboss.strategies import strategies
from pitboss.work import Crew, Piece, run

_MADE_BY = "python -m pitboss.games.lunar.solver"


def _told(done: int, total: int) -> None:
    sys.stderr.write(f"{done} of {total} pieces\n")


def _pieces(problem: Problem, kept: str, crew: Crew) -> dict[str, str]:
    """Return all pieces by name, as text."""
    results = run([Piece(name, name) for name in PIECES], partial(solved_anew, problem), kept, crew, _told)
    return dict(zip(PIECES, results, strict=True))


def main() -> None:
    """Solve all pieces, on all cores, and write the file."""
    options = option_codes(GAME, option_values(GAME, {}))
    chosen = choose(GAME)
    nets = tuple(int(outcome_net(outcome, chosen, 1)) for outcome in GAME.wagers[0].outcomes)
    best, crew = Problem(options, nets), Crew(os.cpu_count() or 1)
    if sys.argv[1:] != ["strategies"]:
        LANDED.write_best(_MADE_BY, best, _pieces(best, "pieces/lunar.landed", crew))
        return
    found = {
        strategy: _pieces(replace(best, strategy=strategy), f"pieces/lunar.landed.{strategy.id}", crew)
        for strategy in strategies(GAME)
    }
    LANDED.write_strategies(f"{_MADE_BY} strategies", best, found)


if __name__ == "__main__":
    main()
