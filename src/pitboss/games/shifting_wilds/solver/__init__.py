"""What play of Shifting Wilds is worth: each action at a position."""

from pitboss.games.shifting_wilds.solver.hints import hint

__all__ = ["hint"]
