"""The exact solver of Shifting Wilds: the best play or a strategy over all deals, and the value of each action."""

from pitboss.games.shifting_wilds.solver.best_play import BestPlay, best_play, choose_best
from pitboss.games.shifting_wilds.solver.book import solve, solve_side_by_side
from pitboss.games.shifting_wilds.solver.hints import hint

__all__ = ["BestPlay", "best_play", "choose_best", "hint", "solve", "solve_side_by_side"]
