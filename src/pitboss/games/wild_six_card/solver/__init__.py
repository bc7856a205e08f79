"""Solve the Poker bet exactly: the best choice for every first five, and hints.

The choices are the discards and standing.
"""

from pitboss.games.wild_six_card.solver.best_play import WildSixBestPlay, choose_best, tabulate_best_play
from pitboss.games.wild_six_card.solver.book import solve, solve_side_by_side
from pitboss.games.wild_six_card.solver.hints import hint
from pitboss.solver_api import BestPlaySolver, Solver

SOLVER = Solver(solve, hint, BestPlaySolver(WildSixBestPlay, tabulate_best_play, choose_best), solve_side_by_side)
