"""Solve Wild 52 exactly: the best play over all deals, and hints at one position."""

from pitboss.games.wild_52.solver.best_play import Wild52BestPlay, choose_best, tabulate_best_play
from pitboss.games.wild_52.solver.hints import hint
from pitboss.games.wild_52.solver.solution import solve
from pitboss.solver_api import PlayTabulator, Solver

SOLVER = Solver(solve, hint, PlayTabulator(Wild52BestPlay, tabulate_best_play, choose_best))
