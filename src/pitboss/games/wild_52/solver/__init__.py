"""Solve Wild 52 exactly: the best play over all deals, and hints at one position."""

from pitboss.games.wild_52.solver.best_play import BestPlay, best_play, choose_best
from pitboss.games.wild_52.solver.book import solve
from pitboss.games.wild_52.solver.hints import hint

__all__ = ["BestPlay", "best_play", "choose_best", "hint", "solve"]
