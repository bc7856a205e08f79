"""The exact play of Six Card Poker's Ante: the best play over all deals, and what a position's actions are worth."""

from pitboss.games.six_card.solver.bands import BestPlay, best_play, choose_best
from pitboss.games.six_card.solver.hints import hint
from pitboss.games.six_card.solver.solution import solve

__all__ = ["BestPlay", "best_play", "choose_best", "hint", "solve"]
