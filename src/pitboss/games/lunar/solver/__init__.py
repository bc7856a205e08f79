"""Exact play of Lunar Poker's Ante: the best play over all deals, and the value of each action at a position."""

from pitboss.games.lunar.solver.best_play import BestPlay, best_play, best_play_from, best_play_piece, choose_best
from pitboss.games.lunar.solver.bundled import MISTAKES_PATH, load_bundled_mistakes, mistakes_text
from pitboss.games.lunar.solver.hints import hint
from pitboss.games.lunar.solver.solution import pieces, put_together, solve_piece

SIMULATED_ROUNDS = 600
"""How many rounds show the mistakes of a strategy; each takes a second to simulate.

Under the default terms the mistakes come bundled.
"""

__all__ = [
    "MISTAKES_PATH",
    "SIMULATED_ROUNDS",
    "BestPlay",
    "best_play",
    "best_play_from",
    "best_play_piece",
    "choose_best",
    "hint",
    "load_bundled_mistakes",
    "mistakes_text",
    "pieces",
    "put_together",
    "solve_piece",
]
