"""What play of Shifting Wilds is worth: the best or a given one over all deals, and each action at a position."""

from pitboss.games.shifting_wilds.solver.best_play import BestPlay, best_play, choose_best
from pitboss.games.shifting_wilds.solver.book import solve, solve_side_by_side
from pitboss.games.shifting_wilds.solver.hints import hint

__all__ = ["BestPlay", "best_play", "choose_best", "hint", "solve", "solve_side_by_side"]
