"""The exact play of Lunar Poker's Ante: the best play over all deals, and what a position's actions are worth."""

from pitboss.games.lunar.solver.best_play import BestPlay, best_play, best_play_from, best_play_piece, choose_best
from pitboss.games.lunar.solver.bundled import MISTAKES_PATH, landed_mistakes, mistakes_text
from pitboss.games.lunar.solver.hints import hint
from pitboss.games.lunar.solver.solution import pieces, put_together, solve_piece

SIMULATED_ROUNDS = 600
"""Mistakes of strategies are told by simulation, over so many rounds, a second each; under the default terms they are
landed."""

__all__ = [
    "MISTAKES_PATH",
    "SIMULATED_ROUNDS",
    "BestPlay",
    "best_play",
    "best_play_from",
    "best_play_piece",
    "choose_best",
    "hint",
    "landed_mistakes",
    "mistakes_text",
    "pieces",
    "put_together",
    "solve_piece",
]
