"""The exact solver of Shifting Wilds.

It computes the best play or a strategy over all deals, and the value of each action.
"""

from pitboss.games.shifting_wilds.solver.best_play import ShiftingBestPlay, choose_best, tabulate_best_play
from pitboss.games.shifting_wilds.solver.hints import hint
from pitboss.games.shifting_wilds.solver.solution import solve, solve_side_by_side
from pitboss.solver_api import PlayTabulator, Solver

SOLVER = Solver(
    solve,
    hint,
    PlayTabulator(ShiftingBestPlay, tabulate_best_play, choose_best),
    solve_side_by_side,
    takes_minutes=True,
)
