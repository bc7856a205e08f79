"""Solve Lunar Poker under its default options and pay tables, and land the result in the package.

    python -m pitboss.games.lunar.solver
    python -m pitboss.games.lunar.solver strategies

The first finds the best play, the second follows the written strategies.  Pieces are kept as they are finished, and a
run that was interrupted goes on where it was.
"""

import json
import os
import sys
from dataclasses import replace
from functools import partial

from pitboss.games.lunar import GAME
from pitboss.games.lunar.solver.landed import PATH, STRATEGIES_PATH, strategy_terms, terms
from pitboss.games.lunar.solver.whole import PIECES, solved_anew
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose, outcome_net
from pitboss.solving import Problem
from pitboss.strategies import strategies
from pitboss.work import Crew, Piece, run

_MADE_BY = "python -m pitboss.games.lunar.solver"


def _told(done: int, total: int) -> None:
    sys.stderr.write(f"{done} of {total} pieces\n")


def _pieces(problem: Problem, kept: str, crew: Crew) -> str:
    """Return all pieces as text, one a line."""
    results = run([Piece(name, name) for name in PIECES], partial(solved_anew, problem), kept, crew, _told)
    return ",\n".join(f'"{name}": {result}' for name, result in zip(PIECES, results, strict=True))


def main() -> None:
    """Solve all pieces, on all cores, and write the file."""
    options = option_codes(GAME, option_values(GAME, {}))
    chosen = choose(GAME)
    nets = tuple(int(outcome_net(outcome, chosen, 1)) for outcome in GAME.wagers[0].outcomes)
    best, under, crew = Problem(options, nets), terms(options, nets), Crew(os.cpu_count() or 1)
    if sys.argv[1:] != ["strategies"]:
        head = json.dumps({"made_by": _MADE_BY, "terms": under})
        pieces = _pieces(best, "pieces/lunar.landed", crew)
        PATH.write_text(f'{head[:-1]}, "pieces": {{\n{pieces}\n}}}}\n', encoding="utf-8")
        return
    found = []
    for strategy in strategies(GAME):
        kept = f"pieces/lunar.landed.{strategy.id}"
        own, pieces = json.dumps(strategy_terms(strategy)), _pieces(replace(best, strategy=strategy), kept, crew)
        found.append(f'"{strategy.id}": {{"terms": {own}, "pieces": {{\n{pieces}\n}}}}')
    head, together = json.dumps({"made_by": f"{_MADE_BY} strategies", "terms": under}), ",\n".join(found)
    STRATEGIES_PATH.write_text(f'{head[:-1]}, "strategies": {{\n{together}\n}}}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
