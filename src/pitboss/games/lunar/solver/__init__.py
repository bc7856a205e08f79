"""The exact play of Lunar Poker's Ante: the best play over all deals, and what a position's actions are worth."""

from pitboss.games.lunar.solver.best import BestPlay, best_play, choose_best
from pitboss.games.lunar.solver.hints import hint
from pitboss.games.lunar.solver.whole import pieces, put_together, solve_piece

SIMULATED_ROUNDS = 400
"""Mistakes of strategies are told by simulation, over so many rounds, most of a second each."""

__all__ = [
    "SIMULATED_ROUNDS",
    "BestPlay",
    "best_play",
    "choose_best",
    "hint",
    "pieces",
    "put_together",
    "solve_piece",
]
