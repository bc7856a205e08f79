"""Solve the Poker bet exactly: the best choice for every first five, and hints.

The choices are the discards and standing.
"""

from pitboss.games.wild_six_card.solver.best_play import WildSixBestPlay, choose_best, tabulate_best_play
from pitboss.games.wild_six_card.solver.hints import hint
from pitboss.games.wild_six_card.solver.solution import solve, solve_side_by_side
from pitboss.solver_api import PlayTabulator, Solver

SOLVER = Solver(solve, hint, PlayTabulator(WildSixBestPlay, tabulate_best_play, choose_best), solve_side_by_side)
