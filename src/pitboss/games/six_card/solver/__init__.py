"""The exact solver of Six Card Poker's Ante: the best play over all deals, and the value of each action."""

from pitboss.games.six_card.solver.best_play import BestPlay, best_play, choose_best
from pitboss.games.six_card.solver.book import solve
from pitboss.games.six_card.solver.hints import hint

__all__ = ["BestPlay", "best_play", "choose_best", "hint", "solve"]
