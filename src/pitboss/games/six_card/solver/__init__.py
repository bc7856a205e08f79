"""The exact solver of Six Card Poker's Ante.

It computes the best play over all deals, and the value of each action.
"""

from pitboss.games.six_card.solver.best_play import SixCardBestPlay, choose_best, tabulate_best_play
from pitboss.games.six_card.solver.hints import hint
from pitboss.games.six_card.solver.solution import solve
from pitboss.solver_api import PlayTabulator, Solver

SOLVER = Solver(solve, hint, PlayTabulator(SixCardBestPlay, tabulate_best_play, choose_best))
