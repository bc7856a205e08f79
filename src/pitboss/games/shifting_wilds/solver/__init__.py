"""What play of Shifting Wilds is worth: the best over all deals, and each action at a position."""

from pitboss.games.shifting_wilds.solver.booking import solve
from pitboss.games.shifting_wilds.solver.hints import hint

SIMULATED_ROUNDS = 400

__all__ = ["SIMULATED_ROUNDS", "hint", "solve"]
