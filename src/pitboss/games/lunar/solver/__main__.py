"""Solve Lunar Poker under its default options and pay tables, and land the result in the package.

    python -m pitboss.games.lunar.solver

Pieces are kept as they are finished, and a run that was interrupted goes on where it was.
"""

import json
import sys
from functools import partial

from pitboss.games.lunar import GAME
from pitboss.games.lunar.solver.landed import PATH, terms
from pitboss.games.lunar.solver.piece import piece
from pitboss.games.lunar.solver.whole import PIECES
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose, outcome_net
from pitboss.work import Piece, run


def _told(done: int, total: int) -> None:
    sys.stderr.write(f"{done} of {total} pieces\n")


def _solved(arguments: tuple[tuple[int, ...], tuple[int, ...]], name: str) -> str:
    options, nets = arguments
    return json.dumps(piece(PIECES.index(name), GAME.options_type(*options), nets))


def main() -> None:
    """Solve all pieces and write the file."""
    options = option_codes(GAME, option_values(GAME, {}))
    chosen = choose(GAME)
    nets = tuple(int(outcome_net(outcome, chosen, 1)) for outcome in GAME.wagers[0].outcomes)
    solved = partial(_solved, (tuple(options), nets))
    results = run([Piece(name, name) for name in PIECES], solved, "pieces/lunar.landed", progress=_told)
    found = {name: json.loads(result) for name, result in zip(PIECES, results, strict=True)}
    lines = ",\n".join(f'"{name}": {json.dumps(each)}' for name, each in found.items())
    head = json.dumps({"made_by": "python -m pitboss.games.lunar.solver", "terms": terms(options, nets)})
    PATH.write_text(f'{head[:-1]}, "pieces": {{\n{lines}\n}}}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
