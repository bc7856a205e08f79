"""What the best play of Lunar Poker is worth."""

from pitboss.games.lunar.solver.hints import hint

SIMULATED_ROUNDS = 400
"""Strategies are not played out over every deal but simulated, over so many rounds, most of a second each."""

__all__ = ["SIMULATED_ROUNDS", "hint"]
