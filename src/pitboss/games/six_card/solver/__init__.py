"""The exact play of Six Card Poker's Ante: the best play over all deals, and what a position's actions are worth."""

from pitboss.games.six_card.solver.best_play import BestPlay, best_play, choose_best
from pitboss.games.six_card.solver.book import solve
from pitboss.games.six_card.solver.hints import hint

__all__ = ["BestPlay", "best_play", "choose_best", "hint", "solve"]
