"""Solve Shifting Wilds under its default options and pay tables, follow its strategies, and land what comes of it.

python -m pitboss.games.shifting_wilds.solver
"""

import sys

from pitboss.core.progress import silent
from pitboss.games.shifting_wilds import GAME
from pitboss.games.shifting_wilds.solver.booking import solved_anew
from pitboss.games.shifting_wilds.solver.landed import PART, TWO_DEUCES, WHOLE, land
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose, outcome_net
from pitboss.solving import Problem
from pitboss.strategies import strategies

MADE_BY = "python -m pitboss.games.shifting_wilds.solver"


def _told(done: int, total: int) -> None:
    sys.stderr.write(f"\r{done} of {total} openings")


def default_problem() -> Problem:
    """Return the best play's problem under default options and pay tables, in Antes."""
    nets = tuple(int(outcome_net(outcome, choose(GAME), 1)) for outcome in GAME.wagers[0].outcomes)
    return Problem(option_codes(GAME, option_values(GAME, {})), nets)


def main() -> None:
    """Solve and follow all plays side by side, on all cores, and write the files."""
    problem, plays = default_problem(), (None, *strategies(GAME))
    part = solved_anew(problem, plays, silent, TWO_DEUCES)
    whole = solved_anew(problem, plays, _told)
    found = {play: {WHOLE: all_of_it, PART: of_two} for play, all_of_it, of_two in zip(plays, whole, part, strict=True)}
    land(MADE_BY, problem, found)


if __name__ == "__main__":
    main()
