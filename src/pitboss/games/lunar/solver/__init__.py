"""What the best play of Lunar Poker is worth."""

from pitboss.games.lunar.solver.hints import hint

__all__ = ["hint"]
